"""The worked examples of the cube, CUB-01 to CUB-22, played from `cube_examples.jsonl`.

Each line of an example is either something that somebody does or something that then holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from bgcore import Action, Crawford, Cube, Level, Match, Seat, Start
from bgcore.clock import SECOND, Clock, TimeControl
from tests.engine.helpers import at_roll, kinds, position, rules, won
from tests.rulebook.data import lines
from tests.rulebook.helpers import refused, rule

DOES: dict[str, Callable[[Seat], Action]] = {
    "doubles": Action.double,
    "takes": Action.take,
    "drops": Action.drop,
    "animals": Action.animal,
    "accepts": lambda seat: Action.answer_resignation(seat, accept=True),
    "declines": lambda seat: Action.answer_resignation(seat, accept=False),
}
MAY: dict[str, Callable[[Seat], Action]] = {
    "double": Action.double,
    "drop": Action.drop,
    "animal": Action.animal,
}
SEAT = "(white|black)"


def started(case: Mapping[str, Any]) -> Match:
    """The match where an example begins; with a `start` white is on turn and has not rolled."""
    under = rules(case.get("variant", "western"), case.get("preset", ""), **case.get("options", {}))
    if (start := case.get("start")) is None:
        return Match.new(under)
    crawford, score = Crawford(start.get("crawford", "before")), tuple(start.get("score", (0, 0)))
    if "crawford" in start:
        return Match.new(under, Start(score=score, crawford=crawford))
    value, owner = start.get("cube", (1, None))
    turned = start.get("turned", value > 1)
    cube = Cube(value, Seat.read(owner) if owner else None, turned)
    board = position(under, start["white"], start["black"]) if "white" in start else under.start
    return Match.new(under, Start(board, Seat.WHITE, cube, score=score))


def _does(match: Match, seat: str, what: str) -> Match:
    return match.after(DOES[what](Seat.read(seat)))


def _plays(match: Match, seat: str, play: str | None) -> Match:
    return match.after(Action.play(Seat.read(seat), play or match.game.plays[0]))


def _rolls(match: Match, seat: str, high: str, low: str) -> Match:
    return match.after(Action.roll(Seat.read(seat), int(high), int(low)))


def _throw(match: Match, white: str, black: str) -> Match:
    return match.after(Action.throw(int(white), int(black)))


def _on_turn(match: Match, seat: str) -> Match:
    return at_roll(match, Seat.read(seat))


def _wins(match: Match, seat: str, level: str) -> Match:
    return won(match, Seat.read(seat), Level(level))


def _resigns(match: Match, seat: str, level: str) -> Match:
    return match.after(Action.resign(Seat.read(seat), Level(level)))


def _next_game(match: Match) -> Match:
    return match.after(Action.next_game())


def _may(match: Match, seat: str, what: str) -> Match:
    assert match.decision.seat is Seat.read(seat)
    assert what in kinds(match)
    return match


def _may_not(match: Match, seat: str, what: str, reason: str, rule: str) -> Match:
    assert what not in kinds(match)
    assert refused(match, MAY[what](Seat.read(seat))) == (reason, rule)
    return match


def _score(match: Match, white: str, black: str) -> Match:
    assert match.score == (int(white), int(black))
    return match


def _turns(match: Match, white: str, black: str) -> Match:
    assert match.game.turns_done == (int(white), int(black))
    return match


def _cube(match: Match, value: str, owner: str) -> Match:
    cube = match.game.cube
    assert (cube.value, cube.owner) == (
        int(value),
        None if owner == "centred" else Seat.read(owner),
    )
    return match


def _crawford(match: Match, where: str) -> Match:
    assert match.crawford is Crawford(where)
    return match


def _won(match: Match, seat: str) -> Match:
    assert match.winner is Seat.read(seat)
    assert kinds(match) == set()
    return match


def _time(match: Match, seconds: str, seat: str, how: str) -> Match:
    control = TimeControl.of(match.rules.options)
    assert control is not None
    clock = Clock.start(control, match, 0)
    assert clock.running is Seat.read(seat)
    assert clock.out(int(seconds) * SECOND) is (how == "out of")
    if how == "in":
        return match
    lost = match.after(Action.flag(Seat.read(seat)))
    assert lost.winner is Seat.read(seat).other
    return lost


SENTENCES: dict[str, Callable[..., Match]] = {
    rf"{SEAT} ({'|'.join(DOES)})": _does,
    rf"{SEAT} plays(?: (.+))?": _plays,
    rf"{SEAT} rolls (\d)-(\d)": _rolls,
    rf"{SEAT} is on turn": _on_turn,  # the other has opened the game
    rf"{SEAT} wins (\w+)": _wins,  # the other resigns that
    rf"{SEAT} resigns (\w+)": _resigns,
    r"throw (\d)-(\d)": _throw,  # white's die, then black's
    r"next game": _next_game,
    rf"{SEAT} may (double)": _may,
    rf"{SEAT} may not (\w+): (\w+) (\w+)": _may_not,
    r"score (\d+)-(\d+)": _score,
    r"turns (\d+)-(\d+)": _turns,
    rf"cube (\d+) ({SEAT[1:-1]}|centred)": _cube,
    r"crawford (before|now|after)": _crawford,
    rf"{SEAT} has won the match": _won,
    rf"after (\d+) seconds {SEAT} is (in|out of) time": _time,
}


def played(match: Match, sentence: str) -> Match:
    """The match after a line of an example."""
    for form, does in SENTENCES.items():
        if words := re.fullmatch(form, sentence):
            return does(match, *words.groups())
    raise AssertionError(f"{sentence}: expected one of {', '.join(SENTENCES)}")


CASES = [
    pytest.param(case, marks=rule(example["id"]), id=f"{example['id']}-{number}")
    for example in lines("cube_examples")
    for number, case in enumerate(example["cases"], 1)
]


@pytest.mark.parametrize("case", CASES)
def test_a_worked_example_of_the_cube(case: Mapping[str, Any]) -> None:
    match = started(case)
    for sentence in case["play"]:
        match = played(match, sentence)
