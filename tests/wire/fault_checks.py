"""What must hold when the faults are over."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from bgcore import Match, Registry
from bgcore.errors import BgcoreError
from bgcore_client import AsyncClient, messages
from bgcore_server.convert.states import match_bytes
from tests.wire.fault_findings import Findings
from tests.wire.fault_players import LENGTH, Party
from tests.wire.fault_watchers import Watcher
from tests.wire.matches import engine_action
from tests.wire.process import ServerProcess
from tests.wire.random_checks import check_dice

ROLLS = ("throw", "roll")
SERVER_FAULTS = ("server fault", "Traceback")
"""What a server writes into its log where it is to blame."""


async def check_party(
    party: Party,
    watcher: Watcher,
    clients: Sequence[AsyncClient],
    registry: Registry,
    findings: Findings,
) -> Counter[str]:
    """The table's log against what was acknowledged, what was seen, and what every server says now.

    Gives how many events there are, how many were seen, and how many rolls, of them verified ones.
    """
    logs, states = [], []
    for client in clients:
        table = client.table(party.id)
        logs.append([event async for event in table.events(page_size=500)])
        states.append((await table.get()).state)
    log, state = logs[0], states[0]
    for others, one, what in ((logs, log, "logs"), (states, state, "states")):
        same = all(other == one for other in others)
        findings.unless(same, "told wrong", f"{party.id}: servers tell different {what}")

    revisions = [event.revision for event in log]
    gaps = sum(a != b for a, b in zip(revisions, range(1, len(log) + 1), strict=True))
    findings.add("gaps", f"{party.id}: {revisions}", gaps)
    check_acknowledged(party, log, findings)
    findings.add("told wrong", f"{party.id}: {watcher.broken[:3]}", len(watcher.broken))
    findings.unless(watcher.events == log, "told wrong", f"{party.id}: a watcher saw another log")
    check_replay(party, log, state, registry, findings)

    rolls = sum(event.action.WhichOneof("kind") in ROLLS for event in log)
    found = Counter(events=len(log), seen=len(watcher.events), rolls=rolls)
    if party.dice == messages.DICE_MODE_COMMITTED and party.over:
        verdict = await clients[0].table(party.id).verify_dice()
        try:
            check_dice(verdict, log, list(party.keys.values()))
            assert len(verdict.throws) == rolls
        except AssertionError as refuted:
            findings.add("told wrong", f"{party.id}: dice do not follow from the seeds: {refuted}")
        found["verified"] = len(verdict.throws)
    return found


def check_acknowledged(party: Party, log: Sequence[messages.Event], findings: Findings) -> None:
    """Two seats were taken, and then comes what was acknowledged, each act once, with its own dice."""
    seats = [event.WhichOneof("kind") for event in log[:2]]
    findings.unless(seats == ["seat_taken"] * 2, "told wrong", f"{party.id} begins with {seats}")
    logged: defaultdict[str, list[messages.Event]] = defaultdict(list)
    for event in log[2:]:
        logged[event.request_id].append(event)
    for name, answer in party.answers.items():
        events, expected = logged.pop(name, []), list(answer.events)
        if events[: len(expected)] == expected:
            again = [event.revision for event in events[len(expected) :]]
            findings.add("doubled", f"{name} at {party.id}: again at {again}", len(again))
        else:
            findings.add("lost", f"{name} at {party.id}", len(expected))
    for name, events in logged.items():
        # Asked for and refused, it was done all the same; never asked for, it is something done before.
        kind = "told wrong" if name in party.requests else "doubled"
        findings.add(kind, f"{name} at {party.id}, of which nobody was told", len(events))


def check_replay(
    party: Party,
    log: Sequence[messages.Event],
    state: messages.TableState,
    registry: Registry,
    findings: Findings,
) -> None:
    """The log alone leads to the state that is told."""
    rules = registry.rules(party.variant, options={"match_length": LENGTH})
    try:
        match = Match.replay(rules, [engine_action(event) for event in log[2:]])
    except BgcoreError as illegal:
        findings.add("told wrong", f"{party.id}: its log does not replay: {illegal}")
        return
    replayed = messages.TableState.FromString(match_bytes(match, messages.PLAY_VIEW_COLUMNS))
    for part in ("match", "game", "decision"):
        same = getattr(replayed, part) == getattr(state, part)
        findings.unless(same, "told wrong", f"{party.id}: its log leads to another {part}")


def check_server(server: ServerProcess, findings: Findings) -> None:
    """Its log has no fault of its own."""
    log = server.log.read_text(encoding="utf-8")
    for fault in SERVER_FAULTS:
        at = log.find(fault)
        findings.add("server faults", log[max(at - 1_000, 0) : at + 10_000], log.count(fault))
