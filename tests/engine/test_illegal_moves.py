"""Illegal plays and the completion of a turn (M11)."""

from __future__ import annotations

import pytest

from bgcore import Action, Level, Match, NotationError, Start, Step
from tests.engine.helpers import BLACK, WHITE, kinds, match, position, rules, turn_passes
from tests.engine.refusal import fault_of, refused

STANDS: dict[str, object] = {"illegal_moves": "until_next_roll"}


def rolled(*dice: int, **options: object) -> Match:
    """The opening position with White on turn, who has rolled."""
    under = rules("western", "", **options)
    start = Match.new(under, Start(position=under.start, seat=WHITE))
    return start.after(Action.roll(WHITE, *dice))


def stands(text: str, *dice: int, **options: object) -> Match:
    """The match after an illegal play of White's that stands."""
    after = rolled(*dice, **STANDS, **options).after(Action.play(WHITE, text))
    assert after.game.may_correct(WHITE)
    return after


# -- reject ------------------------------------------------------------------------------------------


def test_by_default_an_illegal_play_is_refused_and_nothing_changes() -> None:
    before = rolled(3, 1)
    assert refused(before, Action.play(WHITE, "8/5 8/5")) == "NUMBER_NOT_ROLLED R1"
    assert refused(before, Action.correct(WHITE, "8/5 6/5")) == "NOTHING_TO_CORRECT M11"
    assert before.after(Action.play(WHITE, "8/5 6/5")).game.seat is BLACK


def test_only_complete_plays_are_confirmed() -> None:
    assert refused(rolled(3, 1), Action.play(WHITE, "8/5")) == "MUST_USE_MORE_NUMBERS R3"


def test_a_turn_can_be_rearranged_until_it_is_confirmed() -> None:
    plays = rolled(3, 1).game.plays
    first = plays.progress([Step.of(24, 3)])
    other = plays.progress([Step.of(8, 3), Step.of(6, 1)])
    assert (first.may_end, other.may_end) == (False, True)
    assert plays.progress().position == plays.start


def test_what_was_confirmed_stands() -> None:
    played = rolled(3, 1).after(Action.play(WHITE, "8/5 6/5"))
    assert refused(played, Action.play(WHITE, "24/20")) == "NOT_YOUR_TURN M11"
    assert refused(played, Action.correct(WHITE, "24/20")) == "NOTHING_TO_CORRECT M11"


def test_nobody_rolls_before_the_opponent_has_confirmed() -> None:
    thinking = rolled(3, 1)
    assert refused(thinking, Action.roll(BLACK, 6, 6)) == "NOT_YOUR_TURN M11"
    assert refused(thinking, Action.roll(WHITE, 6, 6)) == "NOT_NOW M11"


# -- until_next_roll ---------------------------------------------------------------------------------


def test_an_illegal_play_stands_and_the_opponent_is_on_turn() -> None:
    after = stands("8/5 8/5", 3, 1)
    assert (after.game.seat, kinds(after)) == (BLACK, {"roll", "double", "resign"})
    assert after.game.position.opponent.points == {24: 2, 13: 5, 8: 1, 6: 5, 5: 2}
    assert "correct" in {str(kind) for kind in after.decision.other_kinds}


def test_it_may_be_corrected_until_the_opponent_rolls_or_doubles() -> None:
    after = stands("8/5 8/5", 3, 1)
    legal = rolled(3, 1).after(Action.play(WHITE, "8/5 6/5"))
    corrected = after.after(Action.correct(WHITE, "8/5 6/5"))
    assert corrected.game.position == legal.game.position
    assert (corrected.game.seat, corrected.game.turns_done) == (BLACK, legal.game.turns_done)
    for answer in (Action.roll(BLACK, 6, 5), Action.double(BLACK)):
        late = after.after(answer)
        assert refused(late, Action.correct(WHITE, "8/5 6/5")) == "NOTHING_TO_CORRECT M11"


def test_what_was_not_corrected_in_time_stands_for_good() -> None:
    later = turn_passes(stands("8/5 8/5", 3, 1))
    assert later.game.seat is WHITE
    assert later.game.position.mover.points == {24: 2, 13: 5, 8: 1, 6: 5, 5: 2}


def test_a_play_is_corrected_once_by_who_made_it_with_a_legal_one() -> None:
    after = stands("8/5 8/5", 3, 1)
    assert refused(after, Action.correct(BLACK, "8/5 6/5")) == "NOTHING_TO_CORRECT M11"
    assert refused(after, Action.correct(WHITE, "13/10 13/10")) == "NUMBER_NOT_ROLLED R1"
    corrected = after.after(Action.correct(WHITE, "8/5 6/5"))
    assert refused(corrected, Action.correct(WHITE, "24/20")) == "NOTHING_TO_CORRECT M11"


def test_a_legal_play_cannot_be_corrected() -> None:
    legal = rolled(3, 1, **STANDS).after(Action.play(WHITE, "8/5 6/5"))
    assert refused(legal, Action.correct(WHITE, "24/20")) == "NOTHING_TO_CORRECT M11"


def test_a_correction_waits_for_the_answer_to_a_resignation() -> None:
    offered = stands("8/5 8/5", 3, 1).after(Action.resign(BLACK, Level.SINGLE))
    assert refused(offered, Action.correct(WHITE, "8/5 6/5")) == "OFFER_PENDING M9"
    assert "correct" not in {str(kind) for kind in offered.decision.kinds}
    declined = offered.after(Action.answer_resignation(WHITE, accept=False))
    corrected = declined.after(Action.correct(WHITE, "8/5 6/5"))
    # No turn has been played since, so the level stays declined.
    assert refused(corrected, Action.resign(BLACK, Level.SINGLE)) == "LEVEL_DECLINED M9"


@pytest.mark.parametrize(
    "text",
    [
        "24/23",  # of two numbers one
        "13/7 13/7",  # numbers that were not rolled
        "13/10 13/10 13/10",  # three of two
        "24/22 6/5",
        "",  # a pass with plays to make
    ],
)
def test_what_a_hand_can_do_on_a_board_stands(text: str) -> None:
    after = stands(text, 3, 1)
    assert after.rules.proved(after.game.position.packed)
    assert after.game.position.opponent.checkers == 15


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("24/19", "POINT_CLOSED C4"),  # two opposing checkers and more stand there
        ("12/9", "NO_CHECKER_THERE R2"),  # nobody of one's own
        ("24/10", "NUMBER_NOT_ROLLED R1"),  # no step by one number
        ("6/3 6/3 6/3 6/3 6/3 6/3", "NUMBER_NOT_ROLLED R1"),  # there are five
    ],
)
def test_what_no_hand_could_do_is_refused_all_the_same(text: str, expected: str) -> None:
    before = rolled(5, 3, **STANDS) if text == "24/19" else rolled(3, 1, **STANDS)
    assert refused(before, Action.play(WHITE, text)) == expected


def test_what_cannot_be_read_is_no_play_at_all() -> None:
    with pytest.raises(NotationError):
        rolled(3, 1, **STANDS).after(Action.play(WHITE, "8/5 six/five"))


def test_what_an_illegal_play_hit_is_taken_from_the_bar_again() -> None:
    under = rules("western", "", **STANDS)
    board = position(under, "13:5 8:3 6:5 5:2", "24:1 22:1 13:5 8:3 6:5")
    at = Match.new(under, Start(position=board, seat=WHITE)).after(Action.roll(WHITE, 4, 1))
    hit = at.after(Action.play(WHITE, "6/3*"))
    assert hit.game.position.mover.bar == 1
    quiet = hit.after(Action.correct(WHITE, "13/9 6/5"))
    assert (quiet.game.position.mover.bar, quiet.game.position.mover[22]) == (0, 1)


def test_an_illegal_play_does_not_end_the_game() -> None:
    under = rules("western", "", **STANDS)
    board = position(under, "6:1 off:14", "24:2 6:13")
    at = Match.new(under, Start(position=board, seat=WHITE)).after(Action.roll(WHITE, 2, 1))
    assert at.after(Action.play(WHITE, "6/4")).game.may_correct(WHITE)
    assert fault_of(at, Action.play(WHITE, "6/off")).rule
    assert fault_of(at, Action.play_steps(WHITE, ((6, 6),))).reason == "NUMBER_NOT_ROLLED"


def test_a_correction_may_end_the_game() -> None:
    under = rules("western", "", **STANDS)
    board = position(under, "2:1 off:14", "13:2 6:13")
    at = Match.new(under, Start(position=board, seat=WHITE)).after(Action.roll(WHITE, 2, 1))
    wrong = at.after(Action.play(WHITE, "2/1"))
    over = wrong.after(Action.correct(WHITE, "2/off"))
    assert over.game.result is not None
    assert over.score == (2, 0)


def test_a_pinned_checker_is_not_free_even_to_a_hand() -> None:
    under = rules("plakoto", "", **STANDS)
    board = position(under, "24:13 10:1 pin:20", "24:10 5:5")
    at = Match.new(under, Start(position=board, seat=WHITE)).after(Action.roll(WHITE, 3, 1))
    assert refused(at, Action.play(WHITE, "20/17 24/23")) == "CHECKER_PINNED C4"


def test_an_illegal_play_pins_and_its_correction_frees() -> None:
    under = rules("plakoto", "", **STANDS)
    board = position(under, "24:14 10:1", "24:13 19:1 21:1")
    at = Match.new(under, Start(position=board, seat=WHITE)).after(Action.roll(WHITE, 2, 1))
    pinned = at.after(Action.play(WHITE, "10/6^"))  # by a 4 that nobody rolled
    assert pinned.game.position.mover.pinned == (19,)
    freed = pinned.after(Action.correct(WHITE, "24/22 24/23"))
    assert freed.game.position.mover.pinned == ()
    assert freed.game.position.mover[19] == 1


def test_an_illegal_rung_hands_the_turn_over_and_its_correction_goes_on_with_the_ladder() -> None:
    under = rules("gul-bara", "bulgarian", **STANDS)
    board = position(under, "24:15", "24:15")
    at = Match.new(under, Start(position=board, seat=WHITE)).after(Action.roll(WHITE, 5, 5))
    first = at.game.plays[0]
    wrong = at.after(Action.play(WHITE, "24/20"))
    assert (wrong.game.seat, wrong.game.phase) == (BLACK, "roll")
    right = wrong.after(Action.correct(WHITE, first))
    again = at.after(Action.play(WHITE, first))
    assert (right.game.seat, right.game.turn, right.game.position) == (
        again.game.seat,
        again.game.turn,
        again.game.position,
    )
    assert right.game.seat is WHITE


def test_a_record_with_illegal_plays_and_corrections_leads_to_the_same_match() -> None:
    played = turn_passes(stands("8/5 8/5", 3, 1).after(Action.correct(WHITE, "8/5 6/5")))
    kept = [Action.from_json(action.to_json()) for action in played.actions]
    assert [action.kind for action in kept[:3]] == ["roll", "play", "correct"]
    assert Match.replay(played.rules, kept, played.start) == played


def test_illegal_plays_are_refused_in_games_that_were_not_told_otherwise() -> None:
    for variant in ("western", "tavla", "plakoto", "gul-bara"):
        assert match(variant).game.terms.correctable is False
