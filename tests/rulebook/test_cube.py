"""The cube: who may double and when, what a take and a drop do, and how high it goes."""

from __future__ import annotations

import pytest

from bgcore import Action, Cube, Ending, Level
from tests.engine.helpers import BLACK, WHITE, at_roll, doubled, kinds, match, turn_passes, won
from tests.rulebook.helpers import from_cube, length, long_match, proves, raised, refused, rule


@proves("S0-03", "S0-25", "S1-02", "S1-19", "S3-12")
def test_the_stake_goes_2_4_8_16_32_64_and_no_further(preset: str) -> None:
    game = at_roll(long_match(preset))
    for value in (2, 4, 8, 16, 32, 64):
        game = raised(game, value)
        assert game.game.cube.value == value
    assert refused(game, Action.double(game.game.seat)) == ("CUBE_AT_CAP", "M2")
    assert won(game, WHITE, Level.SINGLE).score == (64, 0)


@proves("S4-20", "S4-21")
def test_the_stake_goes_2_4_8_16_32_64_and_may_pass_it(preset: str) -> None:
    game = at_roll(long_match(preset))
    for value in (2, 4, 8, 16, 32, 64, 128, 256):
        game = raised(game, value)
        assert game.game.cube.value == value
    assert "double" in kinds(game)


@proves("S0-24", "S1-16", "S2-15", "S3-13", "S4-19")
def test_a_double_is_offered_on_ones_own_turn_before_rolling(preset: str) -> None:
    game = at_roll(match("western", preset))
    assert kinds(game) == {"roll", "double", "resign"}
    assert refused(game, Action.double(BLACK))[0] == "NOT_YOUR_TURN"
    rolled = game.after(Action.roll(WHITE, 3, 1))
    assert refused(rolled, Action.double(WHITE)) == ("ALREADY_ROLLED", "M2")
    opening = match("western", preset).after(Action.throw(3, 1))
    assert refused(opening, Action.double(WHITE)) == ("ALREADY_ROLLED", "M2")


@proves("S0-24", "S4-18")
def test_either_may_double_while_the_cube_is_in_the_middle(preset: str) -> None:
    for seat in (WHITE, BLACK):
        game = at_roll(match("western", preset), seat)
        assert game.game.cube == Cube(1, None)
        assert doubled(game, seat).game.cube == Cube(2, seat.other, turned=True)


@proves("S0-24", "S4-20")
def test_only_its_owner_redoubles(preset: str) -> None:
    mine = from_cube(preset, Cube(2, WHITE, turned=True))
    assert doubled(mine, WHITE).game.cube == Cube(4, BLACK, turned=True)
    his = from_cube(preset, Cube(2, BLACK, turned=True))
    assert refused(his, Action.double(WHITE)) == ("CUBE_NOT_YOURS", "M2")


@proves("S0-25", "S1-17", "S2-16", "S3-13", "S3-30", "S4-19")
def test_who_refuses_a_double_loses_the_stake_as_it_was(preset: str) -> None:
    offered = at_roll(match("western", preset)).after(Action.double(WHITE))
    dropped = offered.after(Action.drop(BLACK))
    assert (dropped.score, dropped.results[0].ending) == ((1, 0), Ending.DROPPED)


@proves("S0-25", "S1-18", "S3-13", "S3-30", "S4-19")
def test_who_refuses_a_redouble_loses_the_stake_before_it(preset: str) -> None:
    offered = from_cube(preset, Cube(4, WHITE, turned=True), (0, 0), **length(preset, 25))
    assert offered.after(Action.double(WHITE)).after(Action.drop(BLACK)).score == (4, 0)


@proves("S0-25", "S1-17", "S1-18", "S2-16", "S2-17", "S3-13", "S4-19")
def test_who_accepts_owns_the_cube_and_alone_may_double_next(preset: str) -> None:
    taken = doubled(at_roll(match("western", preset)), WHITE)
    assert taken.game.cube == Cube(2, BLACK, turned=True)
    assert kinds(taken) == {"roll", "resign"}  # white rolls on
    his_turn = turn_passes(taken)
    assert "double" in kinds(his_turn)
    back = turn_passes(his_turn)
    assert refused(back, Action.double(WHITE)) == ("CUBE_NOT_YOURS", "M2")
    again = turn_passes(doubled(his_turn, BLACK))
    assert again.game.cube == Cube(4, WHITE, turned=True)
    assert "double" in kinds(again)


@rule("S0-26")
def test_nobody_doubles_whose_stake_wins_the_match_already() -> None:
    live = from_cube("vog", Cube(), (5, 3), match_length=7)
    assert "double" in kinds(live)  # 5 + 1 is below 7
    for value, score in ((2, (5, 3)), (4, (4, 0))):
        dead = from_cube("vog", Cube(value, WHITE, turned=True), score, match_length=7)
        assert refused(dead, Action.double(WHITE)) == ("DEAD_CUBE", "M2")
    elsewhere = from_cube("tournament-004", Cube(2, WHITE, turned=True), (5, 3), match_length=7)
    assert "double" in kinds(elsewhere)


@rule("S0-26")
def test_the_dead_cube_is_also_the_last_animals() -> None:
    offered = from_cube("vog", Cube(), (0, 5), match_length=7, animals=1).after(
        Action.double(WHITE)
    )
    assert refused(offered, Action.animal(BLACK)) == ("DEAD_CUBE", "M2")  # 5 + 2 reach 7


@rule("S1-15")
def test_each_game_starts_at_one_point_and_adds_to_the_balance() -> None:
    session = at_roll(match("western", "money-001"))
    for score in ((1, 0), (2, 0), (3, 0)):
        assert session.game.cube == Cube(1, None)
        session = won(session, WHITE)
        assert session.score == score
        session = at_roll(session.after(Action.next_game()))
    assert won(doubled(session, WHITE), BLACK).score == (3, 2)
    assert session.winner is None


@rule("S2-14")
def test_the_cube_lies_in_the_middle_where_points_are_played_for() -> None:
    scored = at_roll(match("western", "club-002"))
    assert scored.game.cube == Cube(1, None)
    assert doubled(scored, WHITE).game.cube.value == 2
    friendly = at_roll(match("western", "club-002", cube=False))
    assert refused(friendly, Action.double(WHITE)) == ("CUBE_OFF", "M1")


@rule("S2-16")
def test_read_literally_a_refusal_costs_one_point_whatever_the_stake() -> None:
    start = Cube(4, WHITE, turned=True)
    for cost, score in (("stake", (4, 0)), ("always_one", (1, 0))):
        game = from_cube("club-002", start, match_length=25, decline_cost=cost)
        assert game.after(Action.double(WHITE)).after(Action.drop(BLACK)).score == score


@proves("S4-22")
def test_nobody_doubles_out_of_turn_or_in_the_turn_in_which_he_was_doubled(preset: str) -> None:
    offered = at_roll(match("western", preset)).after(Action.double(WHITE))
    assert refused(offered, Action.double(BLACK)) == ("OFFER_PENDING", "M2")
    taken = offered.after(Action.take(BLACK))
    assert refused(taken, Action.double(BLACK))[0] == "NOT_YOUR_TURN"
    rolled = taken.after(Action.roll(WHITE, 3, 1))
    assert refused(rolled, Action.double(BLACK))[0] == "NOT_YOUR_TURN"


@proves("S4-36")
def test_a_double_with_the_roll_counts_as_rolled_first(preset: str) -> None:
    rolled = at_roll(match("western", preset)).after(Action.roll(WHITE, 5, 2))
    assert refused(rolled, Action.double(WHITE)) == ("ALREADY_ROLLED", "M2")
    assert rolled.game.dice == (5, 2)
    assert "play" in kinds(rolled)


@proves("S4-37")
def test_an_offer_is_an_act_of_its_own_and_nothing_goes_on_before_its_answer(preset: str) -> None:
    offered = at_roll(match("western", preset)).after(Action.double(WHITE))
    assert offered.decision.seat is BLACK
    assert kinds(offered) - {"animal"} == {"take", "drop"}
    assert offered.game.asked == 2
    assert refused(offered, Action.roll(WHITE, 3, 1))[0] == "NOT_YOUR_TURN"
    assert refused(offered, Action.roll(BLACK, 3, 1))[0] == "NOT_NOW"
    assert refused(offered, Action.resign(BLACK, Level.SINGLE)) == ("OFFER_PENDING", "M2")


@rule("S3-12")
@pytest.mark.parametrize("variant", ["tavla", "plakoto", "gul-bara"])
def test_jpgames_has_the_cube_in_western_only(variant: str) -> None:
    assert "double" in kinds(at_roll(match("western", "jpgames")))
    assert refused(at_roll(match(variant, "jpgames")), Action.double(WHITE)) == ("CUBE_OFF", "M1")
