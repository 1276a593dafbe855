"""Reported faults about the cube, resignations and the score."""

from __future__ import annotations

import pytest

from bgcore import Action, Crawford, Cube, Ending, Kind, Level, Match, Seat, Start, load
from bgcore.axes import Contact
from tests.engine.helpers import (
    BLACK,
    WHITE,
    at_roll,
    kinds,
    match,
    position,
    rules,
    turn_passes,
    won,
)
from tests.engine.refusal import clash, refused

YES = Action.answer_resignation(BLACK, accept=True)


def from_cube(cube: Cube, **options: object) -> Match:
    under = rules("western", "", **options)
    return Match.new(under, Start(position=under.start, seat=WHITE, cube=cube))


def test_F06_a_double_after_the_roll_is_refused() -> None:
    rolled = at_roll(match()).after(Action.roll(WHITE, 3, 1))
    assert refused(rolled, Action.double(WHITE)) == "ALREADY_ROLLED M2"
    for action in (Action.take(BLACK), Action.drop(BLACK)):
        assert refused(rolled, action) == "NOT_YOUR_TURN M3"
    assert refused(rolled, Action.double(BLACK)) == "NOT_YOUR_TURN M2"


def test_F17_a_declined_double_gives_the_doubler_the_cube_as_it_stood() -> None:
    start = Match.new(rules(match_length=5), Start(score=(3, 1)))
    declined = at_roll(start, BLACK).after(Action.double(BLACK)).after(Action.drop(WHITE))
    assert declined.score == (3, 2)


def test_F18_the_cube_has_a_limit_and_points_do_not_wrap() -> None:
    at_limit = from_cube(Cube(64, WHITE, turned=True), match_length=5)
    assert refused(at_limit, Action.double(WHITE)) == "CUBE_AT_CAP M2"
    over = won(at_limit, BLACK, Level.BACKGAMMON)
    assert (over.score, over.winner) == ((0, 192), BLACK)


def test_F18_without_a_limit_points_grow_past_any_width() -> None:
    huge = from_cube(Cube(1 << 40, WHITE, turned=True), cube_cap=None, match_length=None)
    assert won(huge, BLACK, Level.BACKGAMMON).score == (0, 3 << 40)


def test_F19_there_is_no_cube_in_a_match_to_one_point() -> None:
    short = at_roll(match(match_length=1))
    assert refused(short, Action.double(WHITE)) == "CUBE_OFF M7"


def test_F19_nobody_doubles_in_the_crawford_game_and_who_has_not_opened_may_after_it() -> None:
    second = won(at_roll(match(match_length=3)), WHITE, Level.GAMMON).after(Action.next_game())
    assert (second.score, second.crawford) == ((2, 0), Crawford.NOW)
    for seat in Seat:
        assert refused(at_roll(second, seat), Action.double(seat)) == "CRAWFORD_GAME M7"
    third = won(at_roll(second), BLACK).after(Action.next_game())
    assert (third.score, third.crawford) == ((2, 1), Crawford.AFTER)
    for opener, throw in ((WHITE, (6, 5)), (BLACK, (5, 6))):
        opened = third.after(Action.throw(*throw))
        assert refused(opened, Action.double(opener)) == "ALREADY_ROLLED M2"
        passed = opened.after(Action.play(opener, opened.game.plays[0]))
        assert "double" in kinds(passed)


def test_F20_who_has_borne_off_loses_a_single_at_most() -> None:
    under = rules(resign_auto_accept=False)
    for off, levels in ((1, (Level.SINGLE,)), (0, tuple(Level))):
        board = position(under, f"6:{15 - off} off:{off}", "6:15")
        cube = Cube(2, BLACK, turned=True)
        start = Match.new(under, Start(position=board, seat=WHITE, cube=cube))
        assert start.game.levels(WHITE) == levels
    late = Match.new(
        under,
        Start(position=position(under, "6:14 off:1", "6:15"), cube=Cube(2, BLACK, turned=True)),
    )
    assert refused(late, Action.resign(WHITE, Level.GAMMON)) == "LEVEL_NOT_POSSIBLE M9"
    assert late.after(Action.resign(WHITE, Level.SINGLE)).after(YES).score == (0, 2)


def test_F21_the_same_resignation_again_does_not_reach_the_next_game() -> None:
    session = at_roll(match(match_length=None, jacoby=False))
    resign = Action.resign(WHITE, Level.SINGLE)
    offered = session.after(resign)
    assert refused(offered, resign) == "OFFER_PENDING M9"
    over = offered.after(YES)
    assert over.score == (0, 1)
    for again in (resign, YES):
        assert refused(over, again) == "GAME_OVER C6"


def test_F22_a_resigned_game_counts_once_and_a_resigned_match_adds_nothing() -> None:
    start = at_roll(match(match_length=5))
    game = won(start, BLACK)
    assert (game.score, game.winner) == ((0, 1), None)
    given_up = start.after(Action.resign_match(WHITE))
    assert (given_up.score, given_up.winner, list(given_up.results)) == ((0, 0), BLACK, [])
    later = game.after(Action.next_game()).after(Action.resign_match(WHITE))
    assert (later.score, later.winner) == ((0, 1), BLACK)


@pytest.mark.parametrize("length", [None, 5])
def test_F22_games_of_a_rotation_that_are_not_played_count_nothing(length: int | None) -> None:
    known = load()
    cycle = known.cycle(known.rotations["tavli"], {"match_length": length})
    start = Match.new(cycle).after(Action.throw(3, 1))
    resigned = start.after(Action.resign(WHITE, Level.SINGLE)).after(YES)
    assert (resigned.score, resigned.winner) == ((0, 1), None)
    if length:
        given_up = start.after(Action.resign_match(WHITE))
        assert (given_up.score, given_up.winner, list(given_up.results)) == ((0, 0), BLACK, [])


def test_F23_after_a_drop_nothing_is_on_offer_and_nothing_can_be_done() -> None:
    dropped = at_roll(match()).after(Action.double(WHITE)).after(Action.drop(BLACK))
    assert (dropped.game.raised, dropped.game.cube) == (0, Cube())
    for action in (Action.take(BLACK), Action.double(WHITE), Action.roll(WHITE, 3, 1)):
        assert refused(dropped, action) == "GAME_OVER C6"


def test_F23_after_the_last_checker_is_off_nobody_doubles() -> None:
    under = rules()
    board = position(under, "1:1 off:14", "6:15")
    last = Match.new(under, Start(position=board, seat=WHITE)).after(Action.roll(WHITE, 2, 1))
    over = last.after(Action.play(WHITE, "1/off"))
    for seat in Seat:
        assert refused(over, Action.double(seat)) == "GAME_OVER C6"


def test_F24_a_refused_resignation_leaves_nothing_behind() -> None:
    under = match(resign_auto_accept=False)
    offered = at_roll(under).after(Action.resign(WHITE, Level.SINGLE))
    refused_it = offered.after(Action.answer_resignation(BLACK, accept=False))
    assert refused_it.game.offer is None
    later = turn_passes(turn_passes(refused_it))
    assert (later.game.offer, later.game.declined) == (None, ())
    second = won(later, WHITE).after(Action.next_game())
    assert (second.game.offer, second.game.declined) == (None, ())


def test_F26_the_cube_stays_with_who_beavered() -> None:
    session = at_roll(match(match_length=None, animals=1))
    beavered = session.after(Action.double(WHITE)).after(Action.animal(BLACK))
    on_roll = beavered.after(Action.take(WHITE))
    assert on_roll.game.cube == Cube(4, BLACK, turned=True)
    assert on_roll.game.seat is WHITE
    assert refused(on_roll, Action.double(WHITE)) == "CUBE_NOT_YOURS M2"
    later = turn_passes(turn_passes(on_roll))
    assert refused(later, Action.double(WHITE)) == "CUBE_NOT_YOURS M2"


def test_F26_a_raccoon_leaves_it_there_too() -> None:
    session = at_roll(match(match_length=None, animals=2)).after(Action.double(WHITE))
    raccooned = session.after(Action.animal(BLACK)).after(Action.animal(WHITE))
    assert raccooned.after(Action.take(BLACK)).game.cube == Cube(8, BLACK, turned=True)


def test_F26_there_are_no_beavers_in_a_match() -> None:
    assert clash(animals=1, match_length=5) == {"animals M8"}
    offered = at_roll(match(match_length=5)).after(Action.double(WHITE))
    assert refused(offered, Action.animal(BLACK)) == "ANIMALS_OFF M4"


@pytest.mark.parametrize("mother", [True, False])
def test_F36_nobody_scores_in_a_drawn_game(mother: bool) -> None:
    under = rules("plakoto", mother_rule=mother, later_starter="previous_winner")
    assert under.variant.contact is Contact.PIN
    board = position(under, "6:13 2:1 pin:24", "24:1 1:14")
    start = Match.new(under, Start(position=board, seat=WHITE))
    drawn = start.after(Action.roll(WHITE, 2, 1)).after(Action.play(WHITE, "2/1^"))
    [result] = drawn.results
    assert (drawn.score, result.winner, result.points) == ((0, 0), None, 0)
    assert result.ending is Ending.BOTH_MOTHERS_PINNED
    assert not drawn.over
    assert Kind.THROW in drawn.after(Action.next_game()).decision.kinds
