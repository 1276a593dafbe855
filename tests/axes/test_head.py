"""How many checkers may leave the head in a turn, and when one more (long_nardy.md)."""

from __future__ import annotations

import pytest

from bgcore import Action, IllegalAction, Match, Position, Roll, Rules, Seat, Step
from bgcore.perft import results_of_turns
from bgcore.turn import Part, PartKind, Turn

from .made import board, made

FIRST = Turn(own_roll=1)


def most_leave(rules: Rules, position: Position, roll: Roll, turn: Turn = FIRST) -> int:
    """The most checkers that a play takes from the head."""
    return max(play.left_head for play in rules.plays(position, roll, turn))


@pytest.mark.parametrize(
    ("rule", "two_may_leave"),
    [
        ("none", ""),
        ("listed_doubles", "33 44 66"),
        # 44 and 66 stop before the opponent's head on 12, and 33 after three steps.
        ("when_needed", "33 44 66"),
        ("any_roll", "11 22 33 44 55 66 21 31 32 41 42 43 51 52 53 54 61 62 63 64 65"),
    ],
)
def test_two_may_leave_on_a_first_turn_where_the_rule_says_so(
    rule: str, two_may_leave: str
) -> None:
    rules = made("long-nardy", head_first_turn=rule)
    rolls = [Roll.of(a, b) for a in range(1, 7) for b in range(1, a + 1)]
    two = {str(roll) for roll in rolls if most_leave(rules, rules.start, roll) == 2}
    assert two == set(two_may_leave.split())
    assert all(most_leave(rules, rules.start, roll, Turn(own_roll=2)) == 1 for roll in rolls)


def test_when_needed_looks_at_the_whole_roll() -> None:
    """The second player of a 5-3 whose runner would meet the first player's checker."""
    rules = made("long-nardy", head_first_turn="when_needed")
    met = board(rules, {24: 15}, {24: 14, 4: 1})  # his 4 is my 16
    assert most_leave(rules, met, Roll.of(5, 3)) == 2
    assert most_leave(rules, met, Roll.of(5, 2)) == 1
    free = board(rules, {24: 15}, {24: 14, 5: 1})
    assert most_leave(rules, free, Roll.of(5, 3)) == 1


def test_a_higher_limit_has_no_first_turn() -> None:
    rules = made("long-nardy", head_limit=3, head_first_turn="any_roll")
    assert most_leave(rules, rules.start, Roll.of(1, 1)) == 3


def test_what_left_in_this_turn_is_counted_on() -> None:
    rules = made("long-nardy")
    after_one = Turn(left_head=1)
    plays = rules.plays(rules.start, Roll.of(2, 1), after_one)
    assert plays.nothing_playable
    refusal = rules.why_not(rules.start, (2, 1), [Step.of(24, 2)], after_one)
    assert refusal is not None
    assert (refusal.reason, refusal.step) == ("HEAD_LIMIT", 0)
    first = Turn(own_roll=1, left_head=1)
    assert most_leave(rules, rules.start, Roll.of(6, 6), first) == 1
    assert rules.plays(rules.start, Roll.of(6, 6), Turn(1, 2)).nothing_playable


def test_a_rung_leaves_less_for_the_next() -> None:
    rules = made("crazy-narde", unplayed="lost")
    match = Match.new(rules).after(Action.throw(3, 2))
    game = match.after(Action.play(Seat.WHITE, "24/21 21/19")).game
    for seat, dice in ((Seat.BLACK, (4, 4)), (Seat.WHITE, (5, 5))):
        game = game.after(Action.roll(seat, *dice))
        first = game.plays[0]
        game = game.after(Action.play(seat, str(first)))
        if game.seat is seat:
            assert game.turn.left_head == first.left_head
            spare = (2 if seat is Seat.BLACK else 1) - first.left_head
            assert max(play.left_head for play in game.plays) <= spare
            while game.seat is seat and game.turn.parts:
                game = game.after(Action.play(seat, str(game.plays[0])))


def test_a_ladder_is_listed_by_the_roll_and_not_by_the_rung() -> None:
    rules = made("crazy-narde")
    part = (Part((4, 4, 4, 4), PartKind.RUNG),)
    listed = rules.plays_of(rules.start, (4, 4, 4, 4), Turn(1, 0, part, dice=(3, 3)))
    other = rules.plays_of(rules.start, (4, 4, 4, 4), Turn(1, 0, part, dice=(2, 2)))
    assert [max(play.left_head for play in plays) for plays in (listed, other)] == [2, 1]


def test_a_leftover_has_an_allowance_of_its_own_and_no_first_turn() -> None:
    rules = made("crazy-narde", head_first_turn="any_roll")
    leftover = Turn(1, 0, (Part((4, 4, 4, 4), PartKind.LEFTOVER),))
    plays = rules.plays_of(rules.start, (4, 4, 4, 4), leftover)
    assert {play.left_head for play in plays} == {1}


def test_steps_of_a_part_count_too() -> None:
    rules = made("long-nardy")
    progress = rules.plays(rules.start, Roll.of(5, 2)).progress([Step.of(24, 2)])
    assert [str(step) for step in progress.next_steps] == ["22/17"]
    with pytest.raises(IllegalAction, match="enough checkers have left the head"):
        rules.plays(rules.start, Roll.of(5, 2)).find("24/22 24/19")
    assert rules.plays(rules.start, Roll.of(5, 2)).find("24/17").left_head == 1


def test_perft_carries_the_head_from_rung_to_rung() -> None:
    rules = made("crazy-narde")
    position = board(rules, {24: 15}, {1: 15})
    assert {after.mover[24] for after in results_of_turns(rules, position, Roll.of(5, 5))} == {14}
