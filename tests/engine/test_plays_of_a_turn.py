"""`rules.plays(position, roll, turn)`: what a roll is worth may depend on the turn it is made in (rules R5)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bgcore import NotationError, Part, Position, Roll, Rules, Turn, load
from bgcore.turn import ORDINARY_TURN
from tests.engine.helpers import rules


class QuickStart(Rules):
    """A first roll is a single 1, and whoever is on the bar has a single 2."""

    def parts(
        self, roll: Roll, turn: Turn = ORDINARY_TURN, position: Position | None = None
    ) -> tuple[Part, ...]:
        if turn.own_roll == 1:
            return (Part((1,)),)
        if position is not None and position.mover.bar:
            return (Part((2,)),)
        return super().parts(roll, turn, position)


QUICK = QuickStart(replace(load().variant("western"), id="quick", aliases=()))
DOUBLE = Roll.of(3, 3)


def test_the_numbers_are_those_of_the_turn() -> None:
    assert tuple(QUICK.plays(QUICK.start, DOUBLE, Turn(own_roll=1)).numbers) == (1,)
    assert tuple(QUICK.plays(QUICK.start, DOUBLE, Turn(own_roll=2)).numbers) == (3, 3, 3, 3)
    assert tuple(QUICK.plays(QUICK.start, DOUBLE).numbers) == (3, 3, 3, 3)


def test_and_of_the_position_it_is_made_in() -> None:
    setup = QUICK.start.setup
    mover = replace(setup.mover, points={**setup.mover.points, 24: 1}, bar=1)
    board = QUICK.position(replace(setup, mover=mover))
    assert tuple(QUICK.plays(board, DOUBLE, Turn(own_roll=2)).numbers) == (2,)


def test_what_one_turn_brings_is_not_kept_for_another() -> None:
    fresh = QuickStart(QUICK.variant)
    assert tuple(fresh.plays(fresh.start, DOUBLE, Turn(own_roll=1)).numbers) == (1,)
    assert tuple(fresh.plays(fresh.start, DOUBLE).numbers) == (3, 3, 3, 3)


def test_the_open_part_of_a_turn_is_what_is_played() -> None:
    turn = Turn(parts=(Part((5, 5, 5, 5)), Part((6, 6, 6, 6))), dice=(4, 4))
    found = rules("gul-bara").plays(rules("gul-bara").start, Roll.of(4, 4), turn)
    assert tuple(found.numbers) == (5, 5, 5, 5)


def test_a_first_double_lets_two_leave_the_head_without_being_told_its_dice() -> None:
    nardy = rules("long-nardy")
    found = nardy.plays(nardy.start, Roll.of(6, 6), Turn(own_roll=1))
    assert max(play.left_head for play in found) == 2


@pytest.mark.parametrize("turn", [ORDINARY_TURN, Turn(own_roll=1), Turn(parts=(Part((1,)),))])
def test_a_roll_has_as_many_dice_as_the_variant_throws(turn: Turn) -> None:
    with pytest.raises(NotationError, match="roll 621: expected 2 dice"):
        QUICK.plays(QUICK.start, Roll.of(6, 2, 1), turn)
