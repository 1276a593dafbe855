"""The doubles ladder of gul-bara as turns of a game (GUL-L1 to GUL-L5, and what is left over)."""

from __future__ import annotations

import pytest

from bgcore import Action, Match, Roll, Start, Step, Turn
from bgcore.perft import results_of_turns
from tests.engine.helpers import BLACK, WHITE, kinds, position, rules


@pytest.mark.parametrize(
    ("roll", "own_roll", "steps"),
    [((2, 2), 3, 4), ((2, 2), 4, 20), ((6, 6), 9, 4), ((5, 4), 7, 2), ((1, 1), 4, 24)],
)
def test_a_double_is_a_ladder_from_the_fourth_roll_on(
    roll: tuple[int, int], own_roll: int, steps: int
) -> None:
    parts = rules("gul-bara", doubles="ladder").parts(Roll.of(*roll), Turn(own_roll=own_roll))
    assert sum(len(part.numbers) for part in parts) == steps


def stopped(unplayed: str) -> Match:
    """GUL-08 played: three of four 4s can be played, and the ladder stops."""
    under = rules("gul-bara", doubles="ladder", unplayed=unplayed)
    board = position(under, "24:3 20:12", "24:1 4:7 3:7")
    rolled = Match.new(under, Start(position=board, seat=WHITE)).after(Action.roll(WHITE, 4, 4))
    return rolled.after(Action.play(WHITE, "24/20 24/20 24/20"))


def test_a_rung_that_cannot_be_completed_ends_the_ladder() -> None:
    after = stopped("lost")
    assert (after.game.seat, after.game.phase) == (BLACK, "roll")


def test_the_opponent_plays_what_is_left_and_then_rolls() -> None:  # GUL-09, GUL-10
    after = stopped("opponent_plays")
    assert (after.game.seat, kinds(after)) == (BLACK, {"play", "resign"})
    assert [str(play) for play in after.game.plays] == ["24/20"]
    after = after.after(Action.play(BLACK, "24/20"))
    assert [str(play) for play in after.game.plays] == ["20/15 15/10 10/5 5/off"]
    after = after.after(Action.play(BLACK, "20/15 15/10 10/5 5/off"))
    assert {part.numbers for part in after.game.turn.parts} == {(6, 6, 6, 6)}
    after = after.after(Action.play(BLACK, str(after.game.plays[0])))
    assert (after.game.seat, kinds(after)) == (BLACK, {"roll", "resign"})


def test_complete_rungs_follow_one_another() -> None:  # GUL-11
    under = rules("gul-bara", doubles="ladder")
    board = position(under, "6:2 5:2 off:11", "2:3")
    rolled = Match.new(under, Start(position=board, seat=WHITE)).after(Action.roll(WHITE, 5, 5))
    second = rolled.after(Action.play(WHITE, "6/1 6/1 5/off 5/off"))
    assert (second.game.seat, kinds(second)) == (WHITE, {"play", "resign"})
    assert second.after(Action.play(WHITE, "1/off 1/off")).game.result


def test_the_opening_numbers_are_the_starters_first_roll() -> None:
    under = rules("gul-bara", doubles="ladder", ladder_from_roll=2)
    opened = Match.new(under).after(Action.throw(6, 5))
    assert opened.game.rolls == (1, 0)


def test_a_game_from_a_position_stays_past_every_threshold() -> None:
    """The rolls before it are not known, whatever else has happened since."""
    under = rules("gul-bara", doubles="ladder", unplayed="opponent_plays")
    board = position(under, "24:10 20:5", "24:10 20:5")
    match = Match.new(under, Start(position=board, seat=WHITE))
    match = match.after(Action.roll(WHITE, 6, 5))
    match = match.after(Action.play(WHITE, str(match.game.plays[0])))
    assert len(match.after(Action.roll(BLACK, 4, 4)).game.turn.parts) == 3


def test_perft_counts_where_the_last_rung_leads() -> None:
    under = rules("gul-bara", doubles="ladder")
    board = position(under, "6:2 5:2 off:11", "2:3 off:12")
    assert len(results_of_turns(under, board, Roll.of(5, 5))) == 1
    [after] = results_of_turns(under, board, Roll.of(5, 5))
    assert after.mover.off == 15


def test_undoing_drops_the_last_step_of_the_open_part_and_no_more() -> None:
    under = rules("gul-bara")
    first, second = Step.of(24, 6), Step.of(24, 5)
    turn = under.opened(under.start, (6, 5), Turn(parts=under.parts(Roll.of(6, 5))))
    position = under.start
    for step in (first, second):
        position, turn = under.stepped(position, step, turn)
    assert turn.undone().steps == (first,)
    assert turn.undone().undone().undone().parts == turn.parts
