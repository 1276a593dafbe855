"""Reported faults about turns: what follows a step, a roll, a play, the end of a game."""

from __future__ import annotations

import pytest

from bgcore import Action, IllegalAction, Level, Match, NotationError, Seat, Start, Step
from bgcore.clock import SECOND, Clock, TimeControl
from bgcore.position import BAR
from tests.engine.helpers import BLACK, WHITE, at_roll, kinds, match, position, rules
from tests.engine.refusal import refused


def rolled(*dice: int, seat: Seat = WHITE) -> Match:
    """The opening position with a seat on turn, rolled."""
    under = rules()
    start = Match.new(under, Start(position=under.start, seat=seat))
    return start.after(Action.roll(seat, *dice))


def test_F27_a_double_is_one_turn_whatever_the_number_of_steps() -> None:
    at = rolled(3, 3)
    half = at.game.plays.progress([Step.of(8, 3), Step.of(8, 3)])
    assert half.left == (3, 3)
    assert half.turn.seat is WHITE
    assert not half.may_end
    assert (at.game.seat, at.game.turns_done) == (WHITE, at.game.turns_done)
    played = at.after(Action.play(WHITE, "8/5(2) 6/3(2)"))
    white, black = at.game.turns_done
    assert (played.game.seat, played.game.turns_done) == (BLACK, (white + 1, black))


def test_F28_after_each_step_the_list_fits_the_position_and_the_numbers_left() -> None:
    at = rolled(2, 1)
    first = at.game.plays.progress()
    assert {step.number for step in first.next_steps} == {1, 2}
    second = first.after(Step.of(13, 2))
    assert {step.number for step in second.next_steps} == {1}
    assert Step.of(11, 1) in second.next_steps
    assert Step.of(13, 2) not in second.next_steps
    done = second.after(Step.of(11, 1))
    assert (done.next_steps, done.left, done.may_end) == ((), (), True)
    after = at.after(Action.play(WHITE, "13/11 11/10"))
    assert (after.decision.seat, after.decision.plays) == (BLACK, None)
    assert kinds(after) == {"roll", "double", "resign"}


def test_F28_a_pass_is_legal_only_where_no_step_is() -> None:
    assert refused(rolled(2, 1), Action.play(WHITE, "pass")) == "MUST_USE_MORE_NUMBERS R3"
    under = rules()
    board = position(under, "bar:1 6:14", "8:3 6:2 5:2 4:2 3:2 2:2 1:2")
    shut = Match.new(under, Start(position=board, seat=WHITE)).after(Action.roll(WHITE, 2, 1))
    passed = shut.after(Action.play(WHITE, "pass"))
    assert refused(passed, Action.play(WHITE, "pass")) == "NOT_YOUR_TURN M11"
    assert refused(passed, Action.play(BLACK, "pass")) == "NOT_NOW M11"


def test_F29_taking_a_step_back_puts_the_hit_checker_back() -> None:
    under = rules()
    board = position(under, "24:2 13:5 8:3 6:5", "24:2 13:5 8:3 6:4 7:1")
    start = Match.new(under, Start(position=board, seat=WHITE))
    before = start.after(Action.roll(WHITE, 6, 4)).game.plays
    progress = before.progress()
    hit = progress.after(Step.of(24, 6))
    assert hit.position.opponent[BAR] == 1
    turn = hit.turn.undone()
    assert turn.steps == ()
    again = before.progress(turn.steps)
    assert again == progress
    assert (again.position, again.left) == (board, (6, 4))
    for side in (again.position.mover, again.position.opponent):
        assert (side.bar, side.checkers) == (0, 15)


def test_F30_a_refused_play_leaves_the_dice_as_they_are() -> None:
    at = rolled(3, 1)
    for text in ("24/20 24/20", "8/5", "13/7"):
        assert " R" in refused(at, Action.play(WHITE, text))
    assert refused(at, Action.roll(WHITE, 6, 6)) == "NOT_NOW M11"
    assert at.game.dice == (3, 1)


@pytest.mark.parametrize("length", [1, 5])
def test_F31_after_the_end_every_command_is_refused(length: int) -> None:
    under = rules(match_length=length)
    board = position(under, "1:1 off:14", "6:14 off:1")
    last = Match.new(under, Start(position=board, seat=WHITE)).after(Action.roll(WHITE, 2, 1))
    over = last.after(Action.play(WHITE, "1/off"))
    expected = "MATCH_OVER M7" if length == 1 else "GAME_OVER C6"
    for seat in Seat:
        for action in (
            Action.roll(seat, 3, 1),
            Action.play(seat, "6/5"),
            Action.double(seat),
            Action.resign(seat, Level.SINGLE),
            Action.throw(3, 1),
        ):
            assert refused(over, action) == expected


@pytest.mark.parametrize(
    "steps",
    [
        ((8, -5),),
        ((8, 0),),
        ((-1, 3),),
        ((26, 3),),
        ((10**9, 3),),
        ((8, 10**9),),
        ((25, 3),),
        ((8, 3), (6, 1), (6, 1), (6, 1), (6, 1)),
    ],
)
def test_F31_a_step_that_is_none_is_refused(steps: tuple[tuple[int, int], ...]) -> None:
    at = rolled(3, 1)
    assert " R" in refused(at, Action.play_steps(WHITE, steps))
    stands = rules(illegal_moves="until_next_roll")
    start = Match.new(stands, Start(position=stands.start, seat=WHITE))
    if len(steps) == 1:  # nor does it stand where illegal plays do
        assert " R" in refused(
            start.after(Action.roll(WHITE, 3, 1)), Action.play_steps(WHITE, steps)
        )


@pytest.mark.parametrize("text", ["8/13", "6/6", "-1/off", "26/20", "1000000000/5"])
def test_F31_a_backward_step_or_a_point_that_is_none_is_refused_as_text(text: str) -> None:
    with pytest.raises((IllegalAction, NotationError)) as caught:
        rolled(3, 1).after(Action.play(WHITE, text))
    assert caught.value.faults[0].rule[0] in "RC"


def test_F31_a_game_that_nobody_has_begun_takes_no_command_but_a_throw() -> None:
    assert kinds(match()) == {"throw", "resign"}
    for action in (Action.roll(WHITE, 3, 1), Action.play(WHITE, "8/5 6/5")):
        assert refused(match(), action) == "NOT_NOW M11"


def test_F32_the_time_of_one_match_ends_no_other() -> None:
    first, second = at_roll(match(clock="per_turn")), at_roll(match(clock="per_turn"))
    control = TimeControl.of(first.rules.options)
    assert control is not None
    clock, other = Clock.start(control, first, 0), Clock.start(control, second, 100 * SECOND)
    over = first.after(Action.resign_match(WHITE))
    clock = clock.after(first, over, 5 * SECOND)
    assert clock.running is None
    assert not clock.out(101 * SECOND)  # nobody's time runs in a match that is over
    assert refused(over, Action.flag(WHITE)) == "MATCH_OVER M7"
    assert not other.out(101 * SECOND)
    assert (other.running, other.left(101 * SECOND)) == (WHITE, 11 * SECOND)


def test_F35_a_caught_checker_is_free_when_its_catcher_is_borne_off() -> None:
    under = rules("plakoto")
    board = position(under, "6:4 2:1 1:5 off:5", "12:14 pin:23")
    start = Match.new(under, Start(position=board, seat=WHITE)).after(Action.roll(WHITE, 2, 1))
    free = start.after(Action.play(WHITE, "2/off 6/5"))
    assert (free.game.position.mover.pinned, free.game.position.mover[23]) == ((), 1)
    moved = free.after(Action.roll(BLACK, 3, 1))
    assert any(step.origin == 23 for play in moved.game.plays for step in play.steps)
