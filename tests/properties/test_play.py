"""What holds of every position and roll, whichever game it is from."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgcore import IllegalAction, Position, Roll, Rules, Setup, Step, load
from bgcore.testing import Visit, self_play
from tests.engine.helpers import position, rules

VARIANTS = tuple(entry.variant.id for entry in load())


@st.composite
def visits(draw: st.DrawFn) -> tuple[Rules, Visit]:
    """A position of a random game of any variant, with a roll and its plays."""
    under = load().rules(draw(st.sampled_from(VARIANTS)))
    turns = list(self_play(under, Random(draw(st.integers(0, 10_000)))))
    return under, draw(st.sampled_from(turns))


@given(visits())
def test_no_checker_is_lost(at: tuple[Rules, Visit]) -> None:
    _, visit = at
    for after in visit.plays.positions():
        assert after.mover.checkers == visit.position.mover.checkers
        assert after.opponent.checkers == visit.position.opponent.checkers


@given(visits())
def test_handing_over_twice_changes_nothing(at: tuple[Rules, Visit]) -> None:
    here = at[1].position
    assert here.flipped().flipped() == here
    assert here.flipped().mover == here.opponent


@given(visits())
def test_a_position_is_the_position_of_its_own_setup(at: tuple[Rules, Visit]) -> None:
    under, visit = at
    assert under.position(visit.position.setup) == visit.position


@given(visits())
def test_pips_go_down_by_the_numbers_played_or_less(at: tuple[Rules, Visit]) -> None:
    _, visit = at
    for play in visit.plays:
        numbers = sum(step.number for step in play.steps)
        lost = visit.position.mover.pips - play.after.mover.pips
        off = any(step.target == 0 for step in play.steps)
        assert lost == numbers or (off and lost < numbers)


@given(visits())
def test_every_play_is_made_of_steps_that_may_follow(at: tuple[Rules, Visit]) -> None:
    _, visit = at
    for play in visit.plays[:10]:
        progress = visit.plays.progress()
        for step in play.steps:
            assert step in progress.next_steps
            progress = progress.after(step)
        assert progress.may_end
        assert not progress.next_steps or play.numbers_used < len(visit.plays.numbers)


@given(visits())
def test_a_part_may_end_at_once_only_when_nothing_is_playable(at: tuple[Rules, Visit]) -> None:
    _, visit = at
    progress = visit.plays.progress()
    assert progress.may_end == visit.plays.nothing_playable == (not progress.next_steps)


def test_a_step_by_a_number_that_is_not_there_is_named() -> None:
    under = rules()
    plays = under.plays(position(under, "3:1 off:14", "24:2 off:13"), Roll.of(6, 5))
    with pytest.raises(IllegalAction, match="3/off: 4 is not left to play, expected one of 6 5"):
        plays.progress([Step.of(3, 4)])


def test_a_step_too_many_is_told_that_no_number_is_left() -> None:
    western = rules()
    plays = western.plays(western.start, Roll.of(3, 1))
    with pytest.raises(IllegalAction) as refused:
        plays.find("8/5 6/5 24/23")
    [fault] = refused.value.faults
    assert (fault.reason, fault.rule) == ("NUMBER_NOT_ROLLED", "R1")
    assert str(fault) == "24/23: no number is left to play, expected no further step"


@given(visits(), st.randoms(use_true_random=False))
def test_the_order_of_the_dice_carries_no_meaning(at: tuple[Rules, Visit], random: Random) -> None:
    under, visit = at
    dice = random.sample(visit.roll.dice, under.variant.dice)
    again = under.plays(visit.position, Roll.of(*dice))
    assert set(again.positions()) == set(visit.plays.positions())


@given(visits())
def test_seats_are_mirrored(at: tuple[Rules, Visit]) -> None:
    """F37: the same position for both seats gives the same list."""
    under, visit = at
    other = under.position(Setup(visit.position.mover.setup, visit.position.opponent.setup))
    assert [str(play) for play in under.plays(other, visit.roll)] == [str(p) for p in visit.plays]


def test_the_second_player_of_gul_bara_bears_off() -> None:  # F37
    under = rules("gul-bara")
    home = position(under, "12:15", "6:5 5:5 1:5").flipped()
    assert "6/off 1/off" in {
        " ".join(sorted(str(p).split(), reverse=True)) for p in under.plays(home, Roll.of(6, 1))
    }


def test_a_caught_checker_is_free_when_its_catcher_is_borne_off() -> None:  # F35
    under = rules("plakoto")
    board = position(under, "6:4 2:1 1:5 off:5", "12:14 pin:23")
    play = under.plays(board, Roll.of(2, 1)).find("2/off 6/5")
    assert play.after.opponent.pinned == ()
    assert play.after.opponent[23] == 1


def test_positions_compare_and_hash_by_what_is_on_the_board() -> None:
    under = rules()
    assert len({under.start, Position(under.start.packed), under.start.flipped()}) == 1
