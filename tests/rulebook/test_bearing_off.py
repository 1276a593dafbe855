"""Bearing off, and winning by it."""

from __future__ import annotations

from random import Random

from bgcore import Action
from bgcore.testing.games import self_play
from tests.engine.helpers import BLACK, WHITE, position, rules
from tests.rulebook.helpers import from_board, only, plays, proves, why


@proves("S0-04", "S2-12", "S3-11", "S4-03")
def test_the_first_to_bear_off_all_wins(preset: str) -> None:
    game = from_board(rules("western", preset), "2:1 1:1", "1:1")
    won = game.after(Action.roll(WHITE, 2, 1)).after(Action.play(WHITE, "2/off 1/off"))
    assert won.game.result is not None
    assert (won.game.result.winner, won.score) == (WHITE, (1, 0))
    not_yet = from_board(rules("western", preset), "3:2 1:1", "1:1")
    not_yet = not_yet.after(Action.roll(WHITE, 3, 1)).after(Action.play(WHITE, "3/off 1/off"))
    assert not_yet.game.result is None
    lost = not_yet.after(Action.roll(BLACK, 2, 1)).after(Action.play(BLACK, "1/off"))
    assert lost.score == (0, 1)


@proves("S0-04", "S1-10", "S1-14", "S2-10", "S3-10", "S4-15")
def test_bearing_off_begins_when_all_are_home(preset: str) -> None:
    under = rules("western", preset)
    assert plays(under, "6:7 5:5 2:3", "13:15", 6, 5).find("6/off 5/off")
    assert why(plays(under, "7:1 6:14", "13:15", 6, 5), "6/off 6/1") == "NOT_ALL_HOME"
    # The last one may come home and another go off in the same turn.
    assert plays(under, "8:1 6:1 5:2", "13:2", 6, 2).find("8/6 6/off")


@proves("S0-19", "S1-10", "S2-10", "S4-16")
def test_a_number_bears_off_from_its_own_point(preset: str) -> None:
    under = rules("western", preset)
    board = position(under, "6:2 5:2 4:2 3:2 2:2 1:2", "13:15")
    for number in range(1, 7):
        off = [play for play in under.plays_of(board, (number,)) if play.after.mover.off == 4]
        assert [str(play) for play in off] == [f"{number}/off"]


@proves("S0-20", "S1-12", "S3-10", "S4-16")
def test_a_number_above_the_highest_point_takes_from_the_highest(preset: str) -> None:
    under = rules("western", preset)
    found = plays(under, "4:1 2:3", "13:2", 6, 5)
    assert only(found, "4/off 2/off")
    assert why(found, "2/off 2/off") == "HIGHER_CHECKER_FIRST"
    assert why(found, "4/off") == "MUST_USE_MORE_NUMBERS"  # compulsory, with nothing else to play


@proves("S0-21", "S1-11", "S2-11", "S4-16")
def test_with_checkers_above_an_empty_point_the_number_is_played_at_home(preset: str) -> None:
    found = plays(rules("western", preset), "6:2 3:1", "13:2", 4, 4)
    assert why(found, "3/off 6/2 6/2") == "HIGHER_CHECKER_FIRST"
    assert found.find("6/2 6/2 3/off 2/off")
    under = rules("western", preset)
    assert only(under.plays_of(position(under, "6:1 5:1 1:3", "13:2"), (4,)), "6/2", "5/1")


@proves("S1-11")
def test_a_number_never_bears_off_from_a_higher_point(preset: str) -> None:
    under = rules("western", preset)
    found = under.plays_of(position(under, "6:2 5:2", "13:2"), (3,))
    assert only(found, "6/3", "5/2")
    assert why(found, "6/off") == "NUMBER_NOT_ROLLED"


@proves("S1-13", "S4-16")
def test_nobody_has_to_bear_off_who_can_play_the_number_otherwise(preset: str) -> None:
    under = rules("western", preset)
    found = under.plays_of(position(under, "6:1 4:2 3:2", "13:2"), (3,))
    assert only(found, "6/3", "4/1", "3/off")


@proves("S0-22")
def test_what_is_off_stays_off(preset: str) -> None:
    under = rules("western", preset)
    for seed in range(3):
        off = (0, 0)
        for visit in self_play(under, Random(seed)):
            mover, opponent = visit.position.mover, visit.position.opponent
            assert mover.off >= off[0] and opponent.off >= off[1]
            assert all(play.after.mover.off >= mover.off for play in visit.plays)
            assert all(play.after.opponent.off == opponent.off for play in visit.plays)
            off = (opponent.off, mover.off)


@proves("S0-23", "S1-14", "S4-15")
def test_who_is_hit_while_bearing_off_must_come_home_first(preset: str) -> None:
    under = rules("western", preset)
    game = from_board(under, "24:1 13:1", "6:2 5:1 2:1 off:11")
    hit = game.after(Action.roll(WHITE, 5, 4)).after(Action.play(WHITE, "24/20* 13/8"))
    back = hit.after(Action.roll(BLACK, 6, 4))
    assert back.game.position.mover.off == 11
    assert why(back.game.plays, "6/off bar/21") == "CHECKER_ON_BAR"
    assert why(back.game.plays, "bar/21 6/off") == "NOT_ALL_HOME"
    home = plays(under, "7:1 6:2 off:12", "13:2", 6, 1)
    assert home.find("7/6 6/off")  # home again, and on with it


@proves("S4-16")
def test_a_double_bears_off_up_to_four(preset: str) -> None:
    under = rules("western", preset)
    assert plays(under, "3:5", "13:2", 3, 3).find("3/off(4)").after.mover.off == 14
    assert plays(under, "2:4 1:1", "13:2", 6, 6)[0].after.mover.points == {1: 1}
