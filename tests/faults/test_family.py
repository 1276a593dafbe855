"""Reported faults of single games: hypergammon, long nardy, acey-deucey."""

from __future__ import annotations

import pytest

from bgcore import Action, Level, Match, Seat, Start
from bgcore.outcome import Ending
from bgcore.turn import Turn
from tests.engine.helpers import BLACK, WHITE, position, rules
from tests.rulebook.helpers import from_board, only, plays, why

FIRST = Turn(own_roll=1)


@pytest.mark.parametrize(
    ("loser", "level", "points"),
    [
        ("6:2 off:1", Level.SINGLE, 1),
        ("6:3", Level.GAMMON, 2),
        ("6:2 bar:1", Level.BACKGAMMON, 3),
        ("6:2 19:1", Level.BACKGAMMON, 3),
    ],
)
def test_F05_a_game_of_three_checkers_ends_with_the_third(
    loser: str, level: Level, points: int
) -> None:
    game = from_board(rules("hypergammon", jacoby=False), "2:1 off:2", loser)
    over = game.after(Action.roll(WHITE, 6, 5)).after(Action.play(WHITE, "2/off"))
    [result] = over.results
    assert (result.winner, result.ending) == (WHITE, Ending.BORNE_OFF)
    assert (result.level, over.score) == (level, (points, 0))


def test_F05_by_jacoby_it_counts_1_until_the_cube_is_turned() -> None:
    game = from_board(rules("hypergammon"), "2:1 off:2", "6:2 bar:1")
    over = game.after(Action.roll(WHITE, 6, 5)).after(Action.play(WHITE, "2/off"))
    assert over.score == (1, 0)


def test_F38_the_point_that_a_checker_leaves_is_empty_when_six_in_a_row_are_counted() -> None:
    under = rules("long-nardy")
    five = plays(under, "24:1 23:1 22:1 21:1 20:1 9:10", "24:15", 5, 2)
    assert {23, 22, 21, 20, 19} <= five.find("24/19 9/7").after.mover.points.keys()
    six = plays(under, "24:2 23:1 22:1 21:1 20:1 9:9", "24:15", 5, 2)
    assert why(six, "24/19 9/7") == "FORMATION_FORBIDDEN"


@pytest.mark.parametrize(
    ("number", "two"),
    [(6, ["24/18 24/18"]), (4, ["24/16 24/16"]), (3, ["24/18 24/18", "24/15 24/21"])],
)
@pytest.mark.parametrize("seat", Seat)
def test_F39_two_leave_the_head_on_each_sides_first_turn_and_one_later(
    number: int, two: list[str], seat: Seat
) -> None:
    under = rules("long-nardy")
    rolled = (number,) * 4
    assert only(under.plays_of(under.start, rolled, FIRST), *two)
    if seat is BLACK:
        # The second player's first turn comes after the other's, whose checker is in nobody's way.
        thrown = Match.new(under).after(Action.throw(2, 1)).after(Action.roll(WHITE, 2, 1))
        game = thrown.after(Action.play(WHITE, "24/22 22/21")).game
        assert game.seat is BLACK
        first = game.after(Action.roll(BLACK, number, number)).plays
        assert {play.after.mover[24] for play in first} == {13}
    later = under.plays_of(under.start, rolled)
    assert {play.after.mover[24] for play in later} == {14}


def test_F39_with_14_on_the_head_one_leaves() -> None:
    found = plays(rules("long-nardy"), "24:14 16:1", "24:15", 4, 4)
    assert max(14 - play.after.mover[24] for play in found) == 1
    assert why(found, "24/20 24/20 20/16 20/16") == "HEAD_LIMIT"


def test_F40_where_the_exact_number_is_asked_a_larger_one_bears_nothing_off() -> None:
    for under in (rules("acey-deucey", bear_off="exact"), rules("european-acey-deucey")):
        found = plays(under, "3:1", "6:15", 6, 5)
        assert found.nothing_playable
        assert why(found, "3/off") == "EXACT_NUMBER_ONLY"
    assert only(plays(rules("acey-deucey"), "3:1", "6:15", 6, 5), "3/off")


def test_F40_after_a_1_2_a_double_is_chosen_and_the_dice_are_thrown_again() -> None:
    under = rules("acey-deucey")
    start = Match.new(under, Start(position(under, "in:15", "in:15"), WHITE))
    named = start.after(Action.roll(WHITE, 1, 2)).after(Action.play(WHITE, "in/24 in/23"))
    assert set(named.decision.kinds) - {"resign", "resign_match"} == {"name_double"}
    chosen = named.after(Action.name_double(WHITE, 4))
    played = chosen.after(Action.play(WHITE, "in/21(4)"))
    assert (played.decision.seat, "roll" in played.decision.kinds) == (WHITE, True)
    # A 1-2 that is not played in full brings nothing.
    shut = Match.new(under, Start(position(under, "bar:1 in:5", "2:2 6:13"), WHITE))
    stopped = shut.after(Action.roll(WHITE, 1, 2))
    assert stopped.game.plays.numbers_used == 2
    closed = Match.new(under, Start(position(under, "bar:1 in:5", "1:2 2:2 6:11"), WHITE))
    over = closed.after(Action.roll(WHITE, 1, 2)).after(Action.play(WHITE, "pass"))
    assert over.decision.seat is BLACK
