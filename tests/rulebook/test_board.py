"""The board, the checkers on it, and which way they run."""

from __future__ import annotations

from random import Random

import pytest

from bgcore import IllegalPosition, Roll, Rules
from bgcore.testing.games import self_play
from tests.engine.helpers import match, position, rules
from tests.rulebook.helpers import only, plays, proves, rule, why


def faults(under: Rules, mover: str, opponent: str) -> set[str]:
    with pytest.raises(IllegalPosition) as caught:
        position(under, mover, opponent)
    return {fault.reason for fault in caught.value.faults}


@proves("S0-01", "S1-01", "S2-01", "S3-01", "S4-01")
def test_the_board_has_24_points(preset: str) -> None:
    under = rules("western", preset)
    for point in range(1, 25):
        assert position(under, f"{point}:15", "").mover[point] == 15
    for point in (0, 25, 26):
        assert "POINT_UNKNOWN" in faults(under, f"{point}:15", "")


@proves("S0-01", "S1-02", "S3-01")
def test_each_player_has_15_checkers(preset: str) -> None:
    under = rules("western", preset)
    assert under.start.mover.checkers == under.start.opponent.checkers == 15
    assert "TOO_MANY_CHECKERS" in faults(under, "6:16", "")
    assert "TOO_FEW_CHECKERS" in faults(under, "6:14 off:0", "")


@proves("S0-01", "S1-01", "S3-03", "S4-01")
def test_a_hit_checker_stands_on_the_bar(preset: str) -> None:
    under = rules("western", preset)
    after = plays(under, "13:2", "18:1 6:14", 6, 5).find("13/7* 13/8").after
    assert (after.opponent.bar, after.opponent[18], after.opponent.checkers) == (1, 0, 15)


@proves("S1-01", "S3-01", "S4-01")
def test_a_players_24_is_the_opponents_1(preset: str) -> None:
    under = rules("western", preset)
    for point in range(1, 25):
        opposite = 25 - point
        assert under.opponents_point(point) == opposite
        assert faults(under, f"{point}:2", f"{opposite}:2") == {"POINT_SHARED"}


@rule("S3-01")
@pytest.mark.parametrize("variant", ["western", "tavla", "plakoto"])
def test_jpgames_variants_run_in_opposite_directions(variant: str) -> None:
    under = rules(variant, "jpgames")
    assert faults(under, "7:2", "18:2") == {"POINT_SHARED"}
    # Both run to their own 1, which is the other's 24.
    for point in range(1, 25):
        assert under.opponents_point(point) == 25 - point
    for seat in (under.start, under.start.flipped()):
        for step in under.plays(seat, Roll.of(6, 5))[0].steps:
            assert step.target == step.origin - step.number


@proves("S0-02", "S4-02")
def test_both_sides_start_with_two_five_three_and_five_at_167_pips(preset: str) -> None:
    start = match("western", preset).game.position
    for side in (start.mover, start.opponent):
        assert side.points == {24: 2, 13: 5, 8: 3, 6: 5}
        assert side.pips == 167


@proves("S0-02", "S1-05", "S4-04")
def test_checkers_run_from_24_to_1_and_the_two_sides_against_each_other(preset: str) -> None:
    under = rules("western", preset)
    for visit in self_play(under, Random(24)):
        for step in visit.plays[0].steps:
            assert step.target < step.origin
    # From 13 to 7 is from 12 to 18 for the opponent, whose own checkers run to 1.
    after = plays(under, "13:15", "24:15", 6, 5).find("13/7 13/8").after.flipped()
    assert after.opponent.points == {13: 13, 8: 1, 7: 1}
    assert only(under.plays(after, Roll.of(5, 4)), "24/15", "24/19 24/20")  # 18 and 17 are blots


@proves("S0-01", "S3-02", "S4-03")
def test_the_last_six_points_are_the_home_board(preset: str) -> None:
    under = rules("western", preset)
    assert plays(under, "6:1 5:1 4:1 3:1 2:1 1:1", "13:15", 6, 1).find("6/off 1/off")
    for outside in range(7, 25):
        found = plays(under, f"{outside}:1 6:2", "bar:2", 6, 6)
        assert why(found, "6/off 6/off") == "NOT_ALL_HOME"


@rule("S2-01")
def test_unlike_in_long_narde_a_lone_checker_is_hit() -> None:
    board = ("13:2", "18:1 6:14")  # the lone checker is on own 7
    hit = plays(rules("western", "club-002"), *board, 6, 5).find("13/7* 13/8")
    assert (hit.after.mover[7], hit.after.opponent.bar) == (1, 1)
