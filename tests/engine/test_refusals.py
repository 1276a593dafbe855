"""Why not: every kind of act at every stage of a match is listed, or refused with its rule."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from bgcore import (
    Action,
    Crawford,
    Cube,
    IllegalAction,
    Kind,
    Level,
    Match,
    NotationError,
    Seat,
    Start,
)
from bgcore.action import RULE_OF
from tests.engine.helpers import BLACK, WHITE, at_roll, doubled, match, position, rules, won
from tests.engine.random_acts import SEATLESS, acts, listed, tries
from tests.engine.refusal import fault_of
from tests.properties.test_matches import always_good, flag_is_right, refused_well

MONEY: dict[str, object] = {"match_length": None, "animals": 2}
STANDS: dict[str, object] = {"illegal_moves": "until_next_roll"}


def rolled(**options: object) -> Match:
    return at_roll(match("western", "", **options)).after(Action.roll(WHITE, 3, 1))


def offered(start: Match, seat: Seat = WHITE) -> Match:
    return start.after(Action.resign(seat, Level.SINGLE))


def beavered(**options: object) -> Match:
    session = at_roll(match("western", "", **{**MONEY, **options}))
    return session.after(Action.double(WHITE)).after(Action.animal(BLACK))


def from_score(score: tuple[int, int], crawford: Crawford, **options: object) -> Match:
    return at_roll(
        Match.new(rules("western", "", **options), Start(score=score, crawford=crawford))
    )


def shut_out() -> Match:
    under = rules()
    board = position(under, "bar:1 6:14", "8:3 6:2 5:2 4:2 3:2 2:2 1:2")
    return Match.new(under, Start(position=board, seat=WHITE)).after(Action.roll(WHITE, 6, 1))


def late() -> Match:
    under = rules("plakoto", mother_rule=True)
    board = position(under, "6:13 1:1 off:1", "8:3 6:12")
    return Match.new(under, Start(position=board, seat=WHITE))


STAGES: dict[str, Callable[[], Match]] = {
    "before the opening throw": match,
    "a resignation before the throw": lambda: offered(match()),
    "on roll": lambda: at_roll(match()),
    "on roll without a cube": lambda: at_roll(match("tavla")),
    "on roll in a match to one point": lambda: at_roll(match(match_length=1)),
    "on roll in the first turn": lambda: match(opening_roll="reroll").after(Action.throw(3, 1)),
    "on roll after a take": lambda: doubled(at_roll(match()), WHITE),
    "on roll with the cube at the cap": lambda: Match.new(
        under := rules(cube_cap=2),
        Start(position=under.start, seat=WHITE, cube=Cube(2, WHITE, turned=True)),
    ),
    "in the Crawford game": lambda: from_score((6, 0), Crawford.NOW),
    "after it, with Holland": lambda: from_score((0, 6), Crawford.AFTER, holland=True),
    "with a dead cube": lambda: from_score((6, 0), Crawford.AFTER, dead_cube_rule=True),
    "rolled": rolled,
    "rolled, nothing playable": shut_out,
    "thrown, with a choice": lambda: match(opening_roll="starter_chooses").after(
        Action.throw(3, 1)
    ),
    "a resignation on roll": lambda: offered(at_roll(match()), BLACK),
    "a resignation of who has rolled": lambda: offered(rolled()),
    "a declined resignation": lambda: offered(rolled()).after(
        Action.answer_resignation(BLACK, accept=False)
    ),
    "resigning on one's own turn": lambda: at_roll(match(resign_when="own_turn")),
    "doubled": lambda: at_roll(match()).after(Action.double(WHITE)),
    "doubled, with animals": lambda: at_roll(match("western", "", **MONEY)).after(
        Action.double(WHITE)
    ),
    "beavered": beavered,
    "beavered, not to be refused": lambda: beavered(animals_refusable=False),
    "the last animal": lambda: beavered(animals=1),
    "an animal at the cap": lambda: beavered(cube_cap=4),
    "an illegal play that stands": lambda: rolled(**STANDS).after(Action.play(WHITE, "8/5 8/5")),
    "an illegal play and a resignation": lambda: offered(
        rolled(**STANDS).after(Action.play(WHITE, "8/5 8/5"))
    ),
    "an illegal play and a double": lambda: (
        rolled(**STANDS).after(Action.play(WHITE, "8/5 8/5")).after(Action.double(BLACK))
    ),
    "a clock that runs": lambda: at_roll(match(clock="per_turn")),
    "a clock that waits": lambda: match(clock="per_turn"),
    "checkers off": late,
    "between two games of a match": lambda: won(at_roll(match()), WHITE),
    "between two games of a session": lambda: won(at_roll(match("western", "", **MONEY)), WHITE),
    "after a dropped double": lambda: (
        at_roll(match()).after(Action.double(WHITE)).after(Action.drop(BLACK))
    ),
    "after the match": lambda: won(at_roll(match(match_length=1)), WHITE),
    "after a resigned match": lambda: match().after(Action.resign_match(WHITE)),
    "after the session": lambda: won(at_roll(match("western", "", **MONEY)), WHITE).after(
        Action.end_session()
    ),
}


@pytest.mark.parametrize("stage", STAGES)
def test_every_act_is_listed_and_accepted_or_refused_with_its_rule(stage: str) -> None:
    at = STAGES[stage]()
    may = listed(at)
    for kind, seat in may:
        for action in acts(at, kind, seat, Random(1)):
            at.after(action)
    for action in tries(at, Random(stage)):
        who = None if action.kind in SEATLESS else action.seat
        try:
            at.after(action)
        except (IllegalAction, NotationError) as error:
            refused_well(error)
            assert not always_good(at, action) or (action.kind, who) not in may, action
        else:
            assert (action.kind, who) in may or flag_is_right(at, action), action


def test_every_kind_is_tried_and_every_kind_has_a_rule() -> None:
    tried = {action.kind for action in tries(match(), Random(1))}
    assert tried == set(Kind) == set(RULE_OF)


D, T, N, A = Action.double, Action.take, Action.next_game, Action.animal

# Where, what is tried there, the reason and the rule. One row for every reason of an act.
ROWS: list[tuple[str, Action, str, str]] = [
    ("on roll", Action.throw(3, 1), "NOT_NOW", "C5"),
    ("on roll", Action.roll(BLACK, 3, 1), "NOT_YOUR_TURN", "M11"),
    ("on roll", Action.roll(WHITE, 7, 1), "BAD_DICE", "C2"),
    ("on roll", Action.play(WHITE, "8/5 6/5"), "NOT_NOW", "M11"),
    ("on roll", T(WHITE), "NOT_NOW", "M3"),
    ("on roll", Action.drop(BLACK), "NOT_YOUR_TURN", "M3"),
    ("on roll", A(WHITE), "NOT_NOW", "M4"),
    ("on roll", N(), "NOT_NOW", "M7"),
    ("on roll", Action.end_session(), "NO_SESSION", "M8"),
    ("on roll", Action.flag(WHITE), "NO_CLOCK", "M10"),
    ("on roll", Action.correct(WHITE, "8/5 6/5"), "NOTHING_TO_CORRECT", "M11"),
    ("on roll", Action.answer_resignation(WHITE, accept=True), "NOT_NOW", "M9"),
    ("on roll", Action(Kind.ROLL, dice=(3, 1)), "SEAT_MISSING", "M11"),
    ("on roll", Action(Kind.RESIGN_MATCH), "SEAT_MISSING", "M9"),
    ("on roll", Action(Kind.RESIGN, WHITE), "SEAT_MISSING", "M9"),
    ("before the opening throw", Action.roll(WHITE, 3, 1), "NOT_NOW", "M11"),
    ("before the opening throw", D(WHITE), "NOT_NOW", "M2"),
    ("before the opening throw", Action.throw(3, 0), "BAD_DICE", "C2"),
    ("a resignation before the throw", Action.throw(3, 1), "OFFER_PENDING", "M9"),
    ("on roll without a cube", D(WHITE), "CUBE_OFF", "M1"),
    ("on roll in a match to one point", D(WHITE), "CUBE_OFF", "M7"),
    ("on roll in the first turn", D(WHITE), "FIRST_TURN", "M2"),
    ("on roll after a take", D(WHITE), "CUBE_NOT_YOURS", "M2"),
    ("on roll with the cube at the cap", D(WHITE), "CUBE_AT_CAP", "M2"),
    ("in the Crawford game", D(WHITE), "CRAWFORD_GAME", "M7"),
    ("after it, with Holland", D(WHITE), "HOLLAND_RULE", "M2"),
    ("with a dead cube", D(WHITE), "DEAD_CUBE", "M2"),
    ("rolled", D(WHITE), "ALREADY_ROLLED", "M2"),
    ("rolled", Action.roll(WHITE, 3, 1), "NOT_NOW", "M11"),
    ("rolled", Action.play(WHITE, "8/5"), "MUST_USE_MORE_NUMBERS", "R3"),
    ("rolled", Action.play(BLACK, "8/5 6/5"), "NOT_YOUR_TURN", "M11"),
    ("a resignation on roll", Action.roll(WHITE, 3, 1), "OFFER_PENDING", "M9"),
    ("a declined resignation", Action.resign(WHITE, Level.SINGLE), "LEVEL_DECLINED", "M9"),
    ("resigning on one's own turn", Action.resign(BLACK, Level.SINGLE), "NOT_YOUR_TURN", "M9"),
    ("doubled", Action.resign(BLACK, Level.SINGLE), "OFFER_PENDING", "M2"),
    ("doubled", A(BLACK), "ANIMALS_OFF", "M4"),
    ("doubled", D(BLACK), "OFFER_PENDING", "M2"),
    ("doubled", Action.roll(BLACK, 3, 1), "NOT_NOW", "M11"),
    ("the last animal", A(WHITE), "ANIMAL_LIMIT", "M4"),
    ("an animal at the cap", A(WHITE), "CUBE_AT_CAP", "M2"),
    ("beavered, not to be refused", Action.drop(WHITE), "ANIMAL_NOT_REFUSABLE", "M4"),
    ("an illegal play and a double", Action.correct(WHITE, "8/5 6/5"), "NOTHING_TO_CORRECT", "M11"),
    ("a clock that runs", Action.flag(BLACK), "CLOCK_NOT_RUNNING", "M10"),
    ("a clock that waits", Action.flag(WHITE), "CLOCK_NOT_RUNNING", "M10"),
    ("checkers off", Action.resign(WHITE, Level.GAMMON), "LEVEL_NOT_POSSIBLE", "M9"),
    ("between two games of a match", Action.throw(3, 1), "GAME_OVER", "C6"),
    ("between two games of a session", Action.resign_match(WHITE), "NO_MATCH", "M9"),
    ("after a dropped double", T(BLACK), "GAME_OVER", "C6"),
    ("after the match", N(), "MATCH_OVER", "M7"),
    ("after a resigned match", Action.resign_match(BLACK), "MATCH_OVER", "M7"),
    ("after the session", N(), "MATCH_OVER", "M7"),
]


@pytest.mark.parametrize(
    ("stage", "action", "reason", "rule"), ROWS, ids=[f"{row[0]}-{row[1].kind}" for row in ROWS]
)
def test_a_refused_act_names_its_reason_and_its_rule(
    stage: str, action: Action, reason: str, rule: str
) -> None:
    fault = fault_of(STAGES[stage](), action)
    assert (fault.reason, fault.rule) == (reason, rule)
    assert str(fault).endswith(f"expected {fault.expected}")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("8/5 six/five", "BAD_PLAY_TEXT"),
        ("8/", "BAD_PLAY_TEXT"),
        ("8/5 " * 100, "TEXT_TOO_LONG"),
        ("8/5* 6/5", "WRONG_MARK"),
    ],
)
def test_a_play_that_cannot_be_read_is_refused_by_the_rule_of_notation(
    text: str, reason: str
) -> None:
    with pytest.raises(NotationError) as caught:
        rolled().after(Action.play(WHITE, text))
    assert caught.value.reason == reason
    refused_well(caught.value)
    assert {fault.rule for fault in caught.value.faults} == {"C7"}
