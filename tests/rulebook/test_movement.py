"""Steps and plays: one checker or two, hitting, the bar, and the duty to use the numbers."""

from __future__ import annotations

from random import Random

from bgcore import ALL_ROLLS, Action, Position, Roll, Step
from bgcore.testing.games import self_play
from tests.engine.helpers import BLACK, WHITE, position, rules
from tests.rulebook.helpers import from_board, only, plays, proves, why


@proves("S0-08", "S2-04", "S3-05", "S4-08")
def test_two_numbers_are_two_moves_by_one_checker_or_by_two(preset: str) -> None:
    found = plays(rules("western", preset), "13:2", "1:2", 6, 3)
    assert only(found, "13/7 13/10", "13/7 7/4")


@proves("S0-08", "S3-05", "S4-08")
def test_one_checker_needs_a_landing_place_between(preset: str) -> None:
    under = rules("western", preset)
    both_closed = plays(under, "13:1 8:1", "18:2 15:2", 6, 3)  # own 7 and 10
    assert why(both_closed, "13/7 7/4") == why(both_closed, "13/10 10/4") == "POINT_CLOSED"
    one_open = plays(under, "13:1", "18:2", 6, 3)
    assert only(one_open, "13/10 10/4")


@proves("S0-09")
def test_a_move_goes_forward_or_enters_or_bears_off_with_all_at_home(preset: str) -> None:
    under, random = rules("western", preset), Random(9)
    seen = set()
    for _ in range(3):
        for visit in self_play(under, random):
            board = visit.position
            for step in random.choice(visit.plays).steps:
                seen.add(kind(board, step))
                board = under.after_step(board, step)
    assert seen == {"forward", "entering", "bearing off"}


def kind(board: Position, step: Step) -> str:
    mover = board.mover
    if step.origin == 25:
        assert step.target == 25 - step.number
        return "entering"
    assert not mover.bar
    if step.target:
        assert step.target == step.origin - step.number
        return "forward"
    assert max(mover.points) <= 6
    return "bearing off"


@proves("S0-10", "S4-13")
def test_a_checker_enters_on_the_opponents_home_point_of_the_number(preset: str) -> None:
    under = rules("western", preset)
    for number in range(1, 7):
        after = plays(under, "bar:1", "13:15", number, number)[0]
        assert after.steps[0].target == 25 - number
        assert under.opponents_point(25 - number) == number


@proves("S1-07")
def test_a_4_and_a_6_enter_on_the_opponents_fourth_and_sixth_point(preset: str) -> None:
    under = rules("western", preset)
    assert only(plays(under, "bar:2", "13:15", 6, 4), "bar/21 bar/19")
    six_closed = plays(under, "bar:2", "6:2 13:13", 6, 4)
    assert only(six_closed, "bar/21")
    assert why(six_closed, "bar/19 bar/21") == "POINT_CLOSED"


@proves("S0-11", "S2-07", "S3-07", "S4-09")
def test_two_opposing_checkers_close_a_point_and_everything_else_is_open(preset: str) -> None:
    under = rules("western", preset)
    for there, is_open in (("", True), ("18:1 ", True), ("18:2 ", False), ("18:5 ", False)):
        found = plays(under, "13:2", f"{there}1:3", 6, 5)
        assert any(step.target == 7 for play in found for step in play.steps) is is_open
        if not is_open:
            assert why(found, "13/7 13/8") == "POINT_CLOSED"
    assert plays(under, "13:2 7:1", "1:3", 6, 5).find("13/7 13/8")  # an own point


@proves("S0-12", "S3-06", "S4-10")
def test_a_double_is_four_moves(preset: str) -> None:
    under = rules("western", preset)
    four_of_one = plays(under, "13:1 6:1", "1:2", 2, 2)
    assert four_of_one.numbers_used == 4
    assert four_of_one.find("13/11 11/9 9/7 7/5")
    assert four_of_one.find("13/11 11/9 6/4 4/2")
    assert why(four_of_one, "13/11 11/9 6/4") == "MUST_USE_MORE_NUMBERS"


@proves("S4-10")
def test_each_of_the_four_must_be_legal_by_itself(preset: str) -> None:
    blocked = plays(rules("western", preset), "13:1 6:4", "16:2", 2, 2)  # own 9
    assert why(blocked, "13/11 11/9 9/7 7/5") == "POINT_CLOSED"
    assert why(blocked, "6/4 6/4 13/11 11/9") == "POINT_CLOSED"


@proves("S0-13", "S2-05", "S3-08", "S4-11")
def test_both_numbers_must_be_played_if_there_is_a_way(preset: str) -> None:
    found = plays(rules("western", preset), "24:1 10:1", "11:2 5:2", 6, 4)
    assert only(found, "24/18 10/6")
    assert why(found, "10/4") == why(found, "10/6") == "MUST_USE_MORE_NUMBERS"
    assert why(found, "") == "MUST_USE_MORE_NUMBERS"


@proves("S0-13")
def test_the_order_of_the_numbers_is_free(preset: str) -> None:
    under = rules("western", preset)
    assert only(plays(under, "20:1", "8:2", 6, 3), "20/14 14/11")  # the 3 first is closed
    assert only(plays(under, "20:1", "11:2", 6, 3), "20/17 17/11")  # the 6 first is closed


@proves("S0-14", "S2-05", "S3-08", "S4-11")
def test_of_two_numbers_of_which_one_can_be_played_it_is_the_higher(preset: str) -> None:
    found = plays(rules("western", preset), "20:1", "14:2", 6, 3)
    assert only(found, "20/14")
    assert why(found, "20/17") == "MUST_USE_LARGER_NUMBER"


@proves("S0-14", "S3-08", "S4-11")
def test_the_lower_is_played_only_when_the_higher_cannot_be(preset: str) -> None:
    found = plays(rules("western", preset), "20:1", "14:2 11:2", 6, 3)
    assert only(found, "20/17")
    assert why(found, "20/14") == "POINT_CLOSED"


@proves("S0-15", "S2-05", "S3-08", "S4-11")
def test_with_nothing_playable_the_turn_is_lost(preset: str) -> None:
    game = from_board(rules("western", preset), "20:1", "14:2 11:2 8:2")
    rolled = game.after(Action.roll(WHITE, 6, 3))
    assert rolled.game.plays.nothing_playable
    passed = rolled.after(Action.play(WHITE, ""))
    assert (passed.decision.seat, passed.game.position.flipped()) == (BLACK, game.game.position)


@proves("S2-05", "S4-11")
def test_as_many_of_a_double_as_possible_are_played_and_the_rest_is_lost(preset: str) -> None:
    found = plays(rules("western", preset), "13:3 6:2", "24:2 22:2 13:2", 5, 5)
    assert only(found, "13/8 13/8 13/8")
    assert why(found, "13/8 13/8") == "MUST_USE_MORE_NUMBERS"


@proves("S0-16", "S1-06", "S2-08", "S3-09", "S4-09", "S4-12")
def test_a_checker_that_lands_on_a_blot_sends_it_to_the_bar(preset: str) -> None:
    under = rules("western", preset)
    found = plays(under, "24:1 13:1", "6:1 4:1 2:1", 3, 2)
    after = found.find("24/21* 21/19*").after
    assert (after.opponent.bar, after.opponent.points) == (2, {2: 1})
    assert after.mover.points == {19: 1, 13: 1}


@proves("S3-09")
def test_a_hit_checker_starts_again(preset: str) -> None:
    game = from_board(rules("western", preset), "13:1 6:2", "18:1 6:14")
    hit = game.after(Action.roll(WHITE, 6, 5)).after(Action.play(WHITE, "13/7* 6/1"))
    assert hit.game.position.mover.bar == 1
    back = hit.after(Action.roll(BLACK, 4, 2))
    assert {step.origin for play in back.game.plays for step in play.steps[:1]} == {25}
    assert {step.target for play in back.game.plays for step in play.steps[:1]} == {21, 23}


@proves("S0-17", "S2-09", "S3-09", "S4-12")
def test_nothing_else_moves_while_a_checker_is_on_the_bar(preset: str) -> None:
    found = plays(rules("western", preset), "bar:1 13:3 8:4", "6:2", 6, 1)
    assert only(found, "bar/24 13/7", "bar/24 8/2", "bar/24 24/18")
    assert why(found, "13/7 13/12") == why(found, "8/7") == "CHECKER_ON_BAR"


@proves("S2-09")
def test_an_entered_checker_starts_from_the_beginning(preset: str) -> None:
    for number in range(1, 7):
        under = rules("western", preset)
        [play] = under.plays_of(position(under, "bar:1 1:14", "13:15"), (number,))
        assert play.after.mover.points == {25 - number: 1, 1: 14}


@proves("S0-18", "S1-08", "S3-09", "S4-14")
def test_who_cannot_enter_loses_the_turn(preset: str) -> None:
    under = rules("western", preset)
    game = from_board(under, "bar:1 13:3 6:4", "6:2 5:2 13:5").after(Action.roll(WHITE, 6, 5))
    assert game.game.plays.nothing_playable
    assert game.after(Action.play(WHITE, "")).decision.seat is BLACK


@proves("S0-18", "S1-09", "S4-14")
def test_those_that_can_enter_do_and_the_rest_of_the_roll_is_lost(preset: str) -> None:
    found = plays(rules("western", preset), "bar:2 13:3 6:4", "13:5 4:2", 4, 2)
    assert only(found, "bar/23")
    assert why(found, "bar/23 13/9") == "CHECKER_ON_BAR"
    assert why(found, "bar/21") == "POINT_CLOSED"


@proves("S1-09")
def test_after_the_last_has_entered_the_other_numbers_must_be_played(preset: str) -> None:
    found = plays(rules("western", preset), "bar:1 13:3 6:4", "13:5 6:2", 6, 1)
    assert why(found, "bar/24") == "MUST_USE_MORE_NUMBERS"
    assert found.find("bar/24 13/7")
    double = plays(rules("western", preset), "bar:2 13:3", "6:2", 2, 2)
    assert double.find("bar/23 bar/23 13/11 13/11")
    assert why(double, "bar/23 bar/23") == "MUST_USE_MORE_NUMBERS"


@proves("S4-14")
def test_a_player_who_is_closed_out_passes_until_a_point_opens(preset: str) -> None:
    under = rules("western", preset)
    closed, shut_out = "7:3 6:2 5:2 4:2 3:2 2:2 1:2", "bar:1 14:3"
    for roll in ALL_ROLLS:
        assert plays(under, shut_out, closed, *roll.dice).nothing_playable
    # One of the two on 6 plays on, and the passed player enters there with a 6.
    game = from_board(under, closed, shut_out).after(Action.roll(WHITE, 5, 4))
    opened = game.after(Action.play(WHITE, "6/1 7/3")).game.position
    assert only(under.plays(opened, Roll.of(6, 5)), "bar/19* 19/14", "bar/19* 14/9")
    assert under.plays(opened, Roll.of(5, 4)).nothing_playable


@proves("S4-14")
def test_all_on_the_bar_enter_before_anything_else(preset: str) -> None:
    found = plays(rules("western", preset), "bar:2 13:3", "13:2", 5, 3)
    assert only(found, "bar/20 bar/22")
    assert why(found, "bar/20 13/10") == "CHECKER_ON_BAR"
