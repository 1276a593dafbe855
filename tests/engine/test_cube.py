"""The cube: where it lies, when it may be turned, what refusing it costs (M1, M2, M3)."""

from __future__ import annotations

import pytest

from bgcore import Action, Cube, Ending, Level, Match, Seat, Start
from tests.engine.helpers import (
    BLACK,
    WHITE,
    at_roll,
    doubled,
    kinds,
    match,
    position,
    rules,
    turn_passes,
    won,
)
from tests.engine.refusal import refused


def from_cube(cube: Cube, score: tuple[int, int] = (0, 0), **options: object) -> Match:
    under = rules("western", "", **options)
    return Match.new(under, Start(position=under.start, seat=WHITE, cube=cube, score=score))


def held(value: int, owner: Seat = WHITE) -> Cube:
    return Cube(value, owner, turned=True)


# -- M1 ----------------------------------------------------------------------------------------------


def test_the_cube_begins_in_the_middle_at_1() -> None:
    assert match().game.cube == Cube(1, None, turned=False)


def test_every_game_of_a_match_has_a_new_cube() -> None:
    second = won(doubled(at_roll(match()), WHITE), WHITE).after(Action.next_game())
    assert second.game.cube == Cube(1, None, turned=False)


def test_an_offer_alone_does_not_turn_the_cube() -> None:
    offered = at_roll(match()).after(Action.double(WHITE))
    assert offered.game.cube == Cube(1, None, turned=False)


@pytest.mark.parametrize("variant", ["tavla", "plakoto", "gul-bara"])
def test_a_game_without_a_cube_has_no_double(variant: str) -> None:
    assert refused(at_roll(match(variant)), Action.double(WHITE)) == "CUBE_OFF M1"


def test_a_table_of_tavla_may_have_a_cube() -> None:
    assert doubled(at_roll(match("tavla", cube=True)), WHITE).game.cube.value == 2


def test_a_table_of_backgammon_may_do_without() -> None:
    assert refused(at_roll(match(cube=False)), Action.double(WHITE)) == "CUBE_OFF M1"


def test_a_turn_without_a_legal_play_counts_as_completed() -> None:
    under = rules()
    board = position(under, "bar:1 6:14", "8:3 6:2 5:2 4:2 3:2 2:2 1:2")
    shut = Match.new(under, Start(position=board, seat=WHITE)).after(Action.roll(WHITE, 6, 1))
    assert shut.game.plays.nothing_playable
    passed = shut.after(Action.play(WHITE, ""))
    white, black = shut.game.turns_done
    assert passed.game.turns_done == (white + 1, black)


# -- M2 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seat", [WHITE, BLACK])
def test_a_cube_in_the_middle_may_be_turned_by_either_player(seat: Seat) -> None:
    assert "double" in kinds(at_roll(match(), seat))


def test_the_cube_goes_back_and_forth_and_only_its_owner_turns_it() -> None:
    game, seat = at_roll(match(match_length=25)), WHITE
    for value in (2, 4, 8, 16, 32, 64):
        game = doubled(game, seat)
        assert game.game.cube == held(value, seat.other)
        assert refused(game, Action.double(seat)) == "CUBE_NOT_YOURS M2"
        game, seat = turn_passes(game), seat.other
    assert refused(game, Action.double(seat)) == "CUBE_AT_CAP M2"


@pytest.mark.parametrize(
    ("cap", "value", "legal"),
    [(64, 32, True), (64, 64, False), (1, 1, False), (3, 1, True), (3, 2, False), (6, 4, False)],
)
def test_twice_the_value_may_not_pass_the_cap(cap: int, value: int, legal: bool) -> None:
    game = from_cube(held(value) if value > 1 else Cube(), cube_cap=cap)
    assert ("double" in kinds(game)) is legal


def test_without_a_cap_the_cube_has_no_end() -> None:
    assert doubled(from_cube(held(1 << 40), cube_cap=None), WHITE).game.cube.value == 1 << 41


@pytest.mark.parametrize(
    ("score", "value", "legal"),
    [
        *[((0, 0), 1, True), ((4, 0), 2, True), ((5, 0), 1, True), ((5, 0), 2, False)],
        *[((3, 6), 4, False), ((3, 6), 2, True), ((0, 0), 8, False), ((0, 0), 4, True)],
    ],
)
def test_a_stake_that_wins_the_match_anyway_is_not_doubled(
    score: tuple[int, int], value: int, legal: bool
) -> None:
    cube = held(value) if value > 1 else Cube()
    under = rules(dead_cube_rule=True, match_length=7, crawford=False)
    dead = Match.new(under, Start(position=under.start, seat=WHITE, cube=cube, score=score))
    assert ("double" in kinds(dead)) is legal
    if not legal:
        assert refused(dead, Action.double(WHITE)) == "DEAD_CUBE M2"
    alive = from_cube(cube, score, match_length=7, crawford=False)
    assert "double" in kinds(alive)


def test_the_dead_cube_rule_looks_at_the_doublers_score_alone() -> None:
    behind = from_cube(Cube(), (0, 6), dead_cube_rule=True, match_length=7, crawford=False)
    assert "double" in kinds(behind)


def test_there_is_no_dead_cube_in_a_money_session() -> None:
    session = from_cube(held(32), (60, 0), dead_cube_rule=True, match_length=None)
    assert "double" in kinds(session)


@pytest.mark.parametrize("opening", ["reroll", "starter_chooses", "play_dice"])
def test_the_first_turn_of_a_game_is_closed_to_doubling(opening: str) -> None:
    opened = match(opening_roll=opening).after(Action.throw(6, 5))
    expected = "ALREADY_ROLLED" if opening == "play_dice" else "FIRST_TURN"
    assert refused(opened, Action.double(WHITE)) == f"{expected} M2"


@pytest.mark.parametrize("opening", ["reroll", "starter_chooses", "play_dice"])
def test_the_second_player_may_double_in_his_first_turn(opening: str) -> None:
    assert "double" in kinds(at_roll_of(match(opening_roll=opening)))


def at_roll_of(start: Match) -> Match:
    """White has opened; Black is on turn."""
    opened = start.after(Action.throw(6, 5))
    if opened.game.phase == "roll":
        opened = opened.after(Action.roll(WHITE, 2, 1))
    return opened.after(Action.play(WHITE, opened.game.plays[0]))


def test_a_chosen_second_roll_is_the_roll_of_the_turn() -> None:
    opened = match(opening_roll="starter_chooses").after(Action.throw(6, 5))
    again = opened.after(Action.roll(WHITE, 3, 3))
    assert (again.game.dice, kinds(again)) == ((3, 3), {"play", "resign"})
    assert refused(again, Action.roll(WHITE, 6, 6)) == "NOT_NOW M11"
    assert refused(again, Action.double(WHITE)) == "ALREADY_ROLLED M2"


def test_who_may_choose_whether_to_play_the_opening_numbers_has_not_rolled_yet() -> None:
    first = match(opening_roll="starter_chooses", double_before_first_roll=True)
    opened = first.after(Action.throw(6, 5))
    assert kinds(opened) == {"play", "roll", "double", "resign"}
    taken = opened.after(Action.double(WHITE)).after(Action.take(BLACK))
    assert (taken.game.dice, kinds(taken)) == ((6, 5), {"play", "roll", "resign"})
    assert str(taken.game.plays.find("24/13")) == "24/18 18/13"
    again = taken.after(Action.roll(WHITE, 3, 3))
    assert (again.game.dice, again.game.cube.value) == ((3, 3), 2)


@pytest.mark.parametrize("early", [False, True])
def test_a_later_game_without_a_throw_is_open_to_its_starter_where_the_table_says_so(
    early: bool,
) -> None:
    first = match(later_starter="previous_winner", double_before_first_roll=early)
    second = won(at_roll(first), WHITE).after(Action.next_game())
    assert (second.game.seat, second.game.phase) == (WHITE, "roll")
    assert ("double" in kinds(second)) is early


def test_who_has_doubled_cannot_be_doubled_before_he_has_played() -> None:
    taken = doubled(at_roll(match()), WHITE)
    assert refused(taken, Action.double(BLACK)) == "NOT_YOUR_TURN M2"
    rolled = taken.after(Action.roll(WHITE, 3, 1))
    assert refused(rolled, Action.double(BLACK)) == "NOT_YOUR_TURN M2"
    played = rolled.after(Action.play(WHITE, "8/5 6/5"))
    assert "double" in kinds(played)


def test_nothing_is_doubled_while_an_offer_waits() -> None:
    offered = at_roll(match()).after(Action.double(WHITE))
    for seat in (WHITE, BLACK):
        reason = "OFFER_PENDING" if seat is BLACK else "NOT_YOUR_TURN"
        assert refused(offered, Action.double(seat)) == f"{reason} M2"
    resigning = at_roll(match()).after(Action.resign(BLACK, Level.SINGLE))
    assert refused(resigning, Action.double(WHITE)) == "OFFER_PENDING M9"


def test_a_double_that_comes_after_the_roll_is_rejected_and_the_roll_stands() -> None:
    rolled = at_roll(match()).after(Action.roll(WHITE, 3, 1))
    assert refused(rolled, Action.double(WHITE)) == "ALREADY_ROLLED M2"
    assert rolled.game.dice == (3, 1)
    assert rolled.after(Action.play(WHITE, "8/5 6/5")).game.seat is BLACK


# -- M3 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [1, 2, 4, 8, 16, 32])
@pytest.mark.parametrize("cost", ["stake", "always_one"])
def test_a_drop_loses_a_single_at_the_stake_before_the_double(value: int, cost: str) -> None:
    cube = held(value) if value > 1 else Cube()
    dropped = (
        from_cube(cube, match_length=99, decline_cost=cost)
        .after(Action.double(WHITE))
        .after(Action.drop(BLACK))
    )
    assert dropped.score == (value if cost == "stake" else 1, 0)
    [result] = dropped.results
    assert (result.winner, result.level, result.ending) == (WHITE, Level.SINGLE, Ending.DROPPED)


def test_after_a_take_the_doubler_must_roll() -> None:
    taken = doubled(at_roll(match()), WHITE)
    assert (taken.decision.seat, kinds(taken)) == (WHITE, {"roll", "resign"})
    assert refused(taken, Action.take(BLACK)) == "NOT_YOUR_TURN M3"
    assert refused(taken, Action.take(WHITE)) == "NOT_NOW M3"


def test_the_doubler_does_not_answer_his_own_double() -> None:
    offered = at_roll(match()).after(Action.double(WHITE))
    for action in (Action.take(WHITE), Action.drop(WHITE)):
        assert refused(offered, action) == "NOT_YOUR_TURN M3"


def test_what_a_game_is_worth_is_its_level_times_the_stake() -> None:
    for level, points in ((Level.SINGLE, 4), (Level.GAMMON, 8), (Level.BACKGAMMON, 12)):
        assert won(from_cube(held(4, BLACK), match_length=25), WHITE, level).score == (points, 0)
