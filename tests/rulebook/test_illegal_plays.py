"""When a turn is over, and what becomes of illegal plays."""

from __future__ import annotations

import pytest

from bgcore import Action, IllegalAction, Match, Step
from tests.engine.helpers import BLACK, WHITE, at_roll, kinds, match
from tests.rulebook.helpers import proves, refused, rule


def rolled(preset: str, **options: object) -> Match:
    """White's 6-5 from the starting position."""
    return match("western", preset, **options).after(Action.throw(6, 5))


@proves("S4-07", "S4-34")
def test_a_confirmed_play_ends_the_turn_and_stands(preset: str) -> None:
    confirmed = rolled(preset).after(Action.play(WHITE, "24/13"))
    assert confirmed.decision.seat is BLACK
    assert refused(confirmed, Action.play(WHITE, "13/7 13/8"))[0] == "NOT_YOUR_TURN"
    assert refused(confirmed, Action.correct(WHITE, "13/7 13/8")) == ("NOTHING_TO_CORRECT", "M11")
    assert confirmed.game.position.opponent[13] == 6


@proves("S4-34")
def test_until_then_a_turn_may_be_rearranged(preset: str) -> None:
    game = rolled(preset)
    made = game.game.plays.progress([Step.of(24, 6)])
    assert made.position.mover[18] == 1
    assert not made.may_end
    # Taken back, and played otherwise: the game has not heard of it.
    again = game.game.plays.progress([Step.of(13, 6), Step.of(13, 5)])
    assert again.may_end
    assert game.game.position == game.game.rules.start
    after = game.after(Action.play(WHITE, "13/7 13/8"))
    assert after.game.position == again.position.flipped()


@proves("S4-31")
def test_nobody_rolls_before_the_opponent_has_finished(preset: str) -> None:
    playing = rolled(preset)
    assert refused(playing, Action.roll(BLACK, 6, 6))[0] == "NOT_YOUR_TURN"
    waiting = at_roll(match("western", preset))
    assert refused(waiting, Action.roll(BLACK, 6, 6))[0] == "NOT_YOUR_TURN"
    finished = playing.after(Action.play(WHITE, "24/13"))
    assert finished.after(Action.roll(BLACK, 6, 6)).game.dice == (6, 6)


@proves("S4-35")
@pytest.mark.parametrize("play", ["24/18", "24/19 13/7", "13/6"])
def test_an_illegal_play_is_refused_by_itself(preset: str, play: str) -> None:
    game = rolled(preset)
    with pytest.raises(IllegalAction):
        game.after(Action.play(WHITE, play))
    assert kinds(game) == {"play", "resign"}


@proves("S4-35")
def test_who_writes_a_match_down_may_correct_an_illegal_play_before_the_next_roll(
    preset: str,
) -> None:
    game = rolled(preset, illegal_moves="until_next_roll")
    wrong = game.after(Action.play(WHITE, "13/7 13/7"))  # two sixes
    assert wrong.decision.seat is BLACK
    right = wrong.after(Action.correct(WHITE, "13/7 13/8"))
    assert (
        right.game.position == rolled(preset).after(Action.play(WHITE, "13/7 13/8")).game.position
    )


@proves("S4-35")
def test_after_the_next_roll_or_double_it_stands(preset: str) -> None:
    game = rolled(preset, illegal_moves="until_next_roll")
    wrong = game.after(Action.play(WHITE, "13/7 13/7"))
    correction = Action.correct(WHITE, "13/7 13/8")
    for answer in (Action.roll(BLACK, 3, 1), Action.double(BLACK)):
        late = wrong.after(answer)
        assert refused(late, correction) == ("NOTHING_TO_CORRECT", "M11")
        board = late.game.position
        white = board.opponent if late.game.seat is BLACK else board.mover
        assert white.points == {24: 2, 13: 3, 8: 3, 7: 2, 6: 5}


@rule("S4-35")
def test_two_checkers_never_share_a_point_with_the_opponents() -> None:
    game = rolled("tournament-004", illegal_moves="until_next_roll")
    assert refused(game, Action.play(WHITE, "24/19 13/7")) == ("POINT_CLOSED", "C4")
