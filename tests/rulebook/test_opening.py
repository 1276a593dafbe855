"""Who starts, with which numbers, and how turns follow one another."""

from __future__ import annotations

import pytest

from bgcore import Action
from tests.engine.helpers import BLACK, WHITE, at_roll, kinds, match, rules, turn_passes, won
from tests.rulebook.helpers import long_match, proves, refused, rule

JPGAMES = ("western", "tavla", "plakoto", "gul-bara")


@proves("S0-05", "S1-03", "S2-03", "S3-04", "S4-05")
def test_each_throws_one_die_and_the_higher_plays_both_numbers(preset: str) -> None:
    start = match("western", preset)
    assert kinds(start) == {"throw", "resign"}
    for dice, starter in (((2, 5), BLACK), ((6, 1), WHITE)):
        thrown = start.after(Action.throw(*dice))
        assert (thrown.game.seat, thrown.game.dice) == (starter, dice)
        assert refused(thrown, Action.roll(starter, 6, 6))[0] == "NOT_NOW"
        for play in thrown.game.plays:
            assert {step.number for step in play.steps} == set(dice)


@proves("S0-05", "S1-03", "S2-03", "S3-04", "S4-05")
def test_a_tie_is_thrown_again(preset: str) -> None:
    game = match("western", preset)
    for number in range(1, 7):
        game = game.after(Action.throw(number, number))
        assert (kinds(game), game.game.cube.value) == ({"throw", "resign"}, 1)
    assert game.after(Action.throw(3, 4)).game.seat is BLACK


@rule("S3-04")
@pytest.mark.parametrize("variant", JPGAMES)
def test_every_jpgames_variant_opens_with_the_numbers_thrown(variant: str) -> None:
    game = match(variant, "jpgames").after(Action.throw(2, 2)).after(Action.throw(3, 5))
    assert (game.game.seat, game.game.dice) == (BLACK, (3, 5))
    assert game.game.plays.numbers_used == 2
    second = won(game, WHITE).after(Action.next_game())
    assert kinds(second) == {"throw", "resign"}


@proves("S0-06", "S1-04", "S2-03")
def test_afterwards_turns_alternate_with_both_dice(preset: str) -> None:
    game = at_roll(match("western", preset), WHITE)
    for seat in (WHITE, BLACK, WHITE, BLACK):
        assert game.decision.seat is seat
        assert refused(game, Action.roll(seat.other, 2, 1))[0] == "NOT_YOUR_TURN"
        assert refused(game, Action.roll(seat, 2))[0] == "BAD_DICE"
        assert game.after(Action.roll(seat, 4, 4)).game.dice == (4, 4)
        game = turn_passes(game)


@rule("S0-07")
def test_every_game_of_a_match_starts_with_a_throw() -> None:
    game = at_roll(long_match("vog"))
    for winner in (WHITE, BLACK, WHITE):
        second = won(game, winner).after(Action.next_game())
        assert kinds(second) == {"throw", "resign"}
        for seat, dice in ((WHITE, (4, 3)), (BLACK, (1, 2))):
            thrown = second.after(Action.throw(5, 5)).after(Action.throw(*dice))
            assert (thrown.game.seat, thrown.game.dice) == (seat, dice)
        game = at_roll(second)


@rule("S2-03")
def test_a_table_may_let_the_starter_throw_anew() -> None:
    thrown = match("western", "club-002", opening_roll="reroll").after(Action.throw(6, 5))
    assert kinds(thrown) == {"roll", "resign"}
    assert thrown.after(Action.roll(WHITE, 3, 3)).game.plays.numbers_used == 4


@rule("S4-05")
def test_for_money_a_tie_may_double_the_stake() -> None:
    tied = match("western", "money-004", auto_doubles=1).after(Action.throw(2, 2))
    assert (tied.game.cube.value, tied.game.cube.owner) == (2, None)
    assert rules("western", "tournament-004").options["auto_doubles"] == 0
    assert match("western", "tournament-004").after(Action.throw(2, 2)).game.cube.value == 1
