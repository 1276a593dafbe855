"""What must hold when the faults are over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from bgcore import Match, Registry
from bgcore_client import AsyncClient, messages
from bgcore_server.convert.states import fill_match
from tests.wire.fault_players import LENGTH, Party
from tests.wire.fault_watchers import Watcher
from tests.wire.matches import engine_action
from tests.wire.random_checks import check_dice

ROLLS = ("throw", "roll")
FOUND = ("lost", "doubled", "gaps", "told wrong")
"""What must not be, counted in events."""


async def check_party(
    party: Party, watcher: Watcher, clients: Sequence[AsyncClient], registry: Registry
) -> Counter[str]:
    """The table's log against what was acknowledged, what was seen, and what every server says now."""
    found: Counter[str] = Counter()
    logs, states = [], []
    for client in clients:
        table = client.table(party.id)
        logs.append([event async for event in table.events(page_size=500)])
        states.append((await table.get()).state)
    log, state = logs[0], states[0]
    assert all(other == log for other in logs), f"{party.id}: servers tell different logs"
    assert all(other == state for other in states), f"{party.id}: servers tell different states"

    revisions = [event.revision for event in log]
    found["gaps"] = sum(a != b for a, b in zip(revisions, range(1, len(log) + 1), strict=True))
    found += against_acknowledged(party, log)
    found["told wrong"] += len(watcher.broken) + (watcher.events != log)
    found["events"] = len(log)
    found["seen"] = len(watcher.events)

    rules = registry.rules(party.variant, options={"match_length": LENGTH})
    match = Match.replay(rules, [engine_action(event) for event in log[2:]])
    replayed = messages.TableState()
    fill_match(match, messages.PLAY_VIEW_COLUMNS, replayed)
    for part in ("match", "game", "decision"):
        assert getattr(replayed, part) == getattr(state, part), (
            f"{party.id}: its log leads elsewhere"
        )
    found["rolls"] = sum(event.action.WhichOneof("kind") in ROLLS for event in log)
    if party.dice == messages.DICE_MODE_COMMITTED:
        verdict = await clients[0].table(party.id).verify_dice()
        check_dice(verdict, log, list(party.keys.values()))
        assert len(verdict.throws) == found["rolls"]
        found["verified"] = len(verdict.throws)
    return found


def against_acknowledged(party: Party, log: Sequence[messages.Event]) -> Counter[str]:
    """Two seats were taken, and then comes what was acknowledged, each act once, with its own dice."""
    found: Counter[str] = Counter()
    assert [event.WhichOneof("kind") for event in log[:2]] == ["seat_taken"] * 2
    logged = [(name, list(events)) for name, events in groupby(log[2:], lambda e: e.request_id)]
    times = Counter(name for name, _ in logged)
    found["doubled"] = sum(times.values()) - len(times)
    here = dict(logged)
    for name, answer in party.answers.items():
        if here.pop(name, None) != list(answer.events):
            found["lost"] += len(answer.events)
    found["doubled"] += sum(map(len, here.values()))  # nobody was told of these
    return found
