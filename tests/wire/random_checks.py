"""What must hold of a match at a table: at each state, of its record, of its events, of its dice."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bgcore import Match
from bgcore.action import Action
from bgcore.dice_proof import verify
from bgcore.outcome import Ending
from bgcore.plugins import load
from bgcore.replay_record import replayed_records
from bgcore.seat import Seat as EngineSeat
from bgcore_client import BLACK, WHITE, SeatKey, dice, messages
from tests.wire.matches import SEATS, engine_action

REGISTRY = load()


def check_state(state: messages.TableState, checkers: int) -> None:
    """No checker is lost; there is something to choose from wherever somebody must decide."""
    position = state.game.position
    for side in (position.white, position.black):
        assert in_all(side) == checkers, f"{in_all(side)} checkers at {state.revision}"
    decision = state.decision
    if not state.HasField("decision"):
        return
    assert decision.kinds
    if messages.ACTION_KIND_PLAY in decision.kinds:
        assert decision.plays.lengths


def in_all(side: messages.Side) -> int:
    """A side's checkers, wherever they are."""
    return sum(side.points) + side.bar + side.off + side.unentered + len(side.pinned)


# -- what was taken back, and which match it was ---------------------------------------------------------

UNDOABLE = frozenset({"play", "correct", "double", "animal", "take", "drop"})
WISHES = frozenset({"undo", "answer_undo", "rematch", "void"})


def of_match(events: Sequence[messages.Event], number: int) -> list[messages.Event]:
    """The events of one of a table's matches, 1 the first."""
    found: list[messages.Event] = []
    match = 1
    for event in events:
        match = event.match_started.match_number or match
        if match == number:
            found.append(event)
    return found


def standing(events: Sequence[messages.Event]) -> list[messages.Event]:
    """The actions that stand: without wishes, and without what was taken back."""
    found: list[messages.Event] = []
    for event in events:
        if event.action.answer_undo.accept:
            asker = BLACK if event.seat == WHITE else WHITE
            while not undone(found.pop(), asker):
                pass  # what came after it goes with it
        elif event.HasField("action") and event.action.WhichOneof("kind") not in WISHES:
            found.append(event)
    return found


def undone(event: messages.Event, asker: messages.Seat) -> bool:
    """Whether it is what a player asks to take back, if it is the last such."""
    mine = event.seat == asker and not event.automatic
    return mine and event.action.WhichOneof("kind") in UNDOABLE


# -- the score ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Standing:
    """What a match came to: the score, who won it and how, and every game."""

    score: tuple[int, int]
    winner: messages.Seat
    ending: str
    closed: bool
    games: tuple[tuple[messages.Seat, int, int, str], ...]

    @classmethod
    def at_table(
        cls, state: messages.TableState, results: Sequence[messages.GameResult]
    ) -> Standing:
        """As the server says."""
        match = state.match
        return cls(
            (match.white_score, match.black_score),
            match.winner,
            messages.Ending.Name(match.ending),
            match.closed,
            tuple(
                (
                    result.outcome.winner,
                    result.points,
                    result.cube,
                    messages.Ending.Name(result.outcome.ending),
                )
                for result in results
            ),
        )

    @classmethod
    def of(cls, match: Match) -> Standing:
        """As the engine says."""
        conceded = match.conceded
        return cls(
            match.score,
            seat(match.winner),
            name(conceded.ending if conceded else None),
            match.closed,
            tuple(
                (seat(result.winner), result.points, result.cube, name(result.ending))
                for result in match.results
            ),
        )


def seat(seat: EngineSeat | None) -> messages.Seat:
    """A seat as it is sent; none where it is nobody's."""
    return messages.SEAT_UNSPECIFIED if seat is None else SEATS[seat]


def name(ending: Ending | None) -> str:
    """An ending as it is sent, by its name."""
    return f"ENDING_{ending.name}" if ending else "ENDING_UNSPECIFIED"


def check_records(
    text: str,
    events: Sequence[messages.Event],
    state: messages.TableState,
    results: Sequence[messages.GameResult],
) -> None:
    """The record alone leads to the table's score, and so do the events that stand, which are the record's actions."""
    [replayed] = replayed_records(text, REGISTRY)
    assert not replayed.report.faults
    record, at_table = replayed.record, Standing.at_table(state, results)
    match = Match.replay(record.rules(REGISTRY), record.actions, record.start)
    assert match.over
    assert Standing.of(match) == at_table
    listed = [engine_action(event) for event in standing(events)]
    assert tuple(listed) == record.actions
    assert record.names == ("ann", "bob")


# -- the dice -------------------------------------------------------------------------------------------


def check_dice(
    answer: messages.VerifyDiceResponse,
    events: Sequence[messages.Event],
    keys: Sequence[SeatKey],
) -> None:
    """The server says that a match's dice are fair, and each player finds it so without believing that.

    `events` are all of the table; the keys say which match it is.
    """
    assert answer.legal
    assert not answer.faults
    told = [(throw.revision, tuple(throw.dice)) for throw in answer.throws]
    assert told == dice.throws(events, keys[0].match_number)
    assert all(throw.dice == throw.derived for throw in answer.throws)
    for key in keys:
        assert key.dice_seed
        assert dice.check(answer.dice, events, key) == []


def check_record_of_dice(
    answer: messages.VerifyDiceResponse,
    text: str,
    events: Sequence[messages.Event],
    chance: random.Random,
) -> None:
    """The record alone shows that they are fair, and where they are not."""
    [replayed] = replayed_records(text, REGISTRY)
    proof, thrown = replayed.record.dice, throws(replayed.record.actions)
    assert proof is not None
    assert verify(proof, thrown).holds
    assert thrown == [tuple(throw.dice) for throw in answer.throws]
    if thrown:
        check_tampering(answer.dice, text, events, chance)


def check_tampering(
    proof: messages.DiceProof,
    text: str,
    events: Sequence[messages.Event],
    chance: random.Random,
) -> None:
    """A record in which one die was turned is caught, and so is such an event, at that throw alone."""
    [replayed] = replayed_records(text, REGISTRY)
    record = replayed.record
    actions = list(record.actions)
    at = chance.choice([at for at, action in enumerate(actions) if action.dice])
    first, *others = actions[at].dice
    turned = (first % 6 + 1, *others)
    actions[at] = replace(actions[at], dice=turned)
    assert record.dice is not None
    wrong = verify(record.dice, throws(actions)).throw_faults
    assert list(wrong) == [len(throws(actions[:at]))]

    acted = [messages.Event.FromString(event.SerializeToString()) for event in standing(events)]
    kind = acted[at].action
    (kind.throw if kind.HasField("throw") else kind.roll).dice[0] = turned[0]
    [fault] = dice.check(proof, acted)
    assert (fault.reason, fault.revision) == ("THROW_NOT_DERIVED", acted[at].revision)


def throws(actions: Sequence[Action]) -> list[tuple[int, ...]]:
    """The dice of some actions, in the order in which they fell."""
    return [action.dice for action in actions if action.dice]
