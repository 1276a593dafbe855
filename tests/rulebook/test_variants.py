"""The four games of rulebook 003 (jpgames)."""

from __future__ import annotations

import pytest

from bgcore import Action, IllegalPosition, Level, Match, load
from bgcore.testing.search import legal_results
from bgcore.turn import Turn
from tests.engine.helpers import BLACK, WHITE, at_roll, doubled, kinds, match, position, rules, won
from tests.rulebook.helpers import from_board, only, plays, refused, rule, why


def of(variant: str, **options: object) -> Match:
    return match(variant, "jpgames", **options)


@rule("S3-18")
def test_western_comes_first_and_has_hitting_the_cube_and_the_triple() -> None:
    assert next(iter(load())).variant.id == "western"
    under = rules("western", "jpgames")
    assert plays(under, "13:2", "18:1 6:14", 6, 5).find("13/7* 13/8").after.opponent.bar == 1
    assert won(doubled(at_roll(of("western")), WHITE), WHITE, Level.BACKGAMMON).score == (6, 0)


@rule("S3-19")
def test_tavla_moves_and_hits_as_western_without_a_cube_and_without_a_triple() -> None:
    western, tavla = rules("western", "jpgames"), rules("tavla", "jpgames")
    assert tavla.start == western.start
    boards = (("24:2 13:5 8:3 6:5", "24:2 13:5 8:3 6:5"), ("bar:1 9:3 1:1", "21:1 18:1 13:4"))
    for board in boards:
        for dice in ((6, 5), (5, 3), (4, 4), (1, 1), (2, 1)):
            here = plays(tavla, *board, *dice), plays(western, *board, *dice)
            assert set(here[0].positions()) == set(here[1].positions())
    # A checker that hit at home may run on.
    assert plays(tavla, "9:1 1:1", "21:1 13:4", 5, 3).find("9/4* 4/1")
    assert refused(at_roll(of("tavla")), Action.double(WHITE)) == ("CUBE_OFF", "M1")
    over = from_board(tavla, "3:1", "bar:1 6:14").after(Action.roll(WHITE, 6, 5))
    assert over.after(Action.play(WHITE, "3/off")).score == (2, 0)


@rule("S3-20")
def test_in_plakoto_a_checker_that_lands_on_a_lone_one_pins_it() -> None:
    game = from_board(rules("plakoto", "jpgames"), "24:13 20:1 18:1", "24:14 10:1")
    pinned = game.after(Action.roll(WHITE, 5, 3)).after(Action.play(WHITE, "20/15^ 24/21"))
    board = pinned.game.position
    assert (board.mover.pinned, board.mover.bar, board.opponent[15]) == ((10,), 0, 1)
    found = pinned.after(Action.roll(BLACK, 4, 2)).game.plays
    assert why(found, "10/6 24/22") == "CHECKER_PINNED"
    assert found.find("24/20 24/22")


@rule("S3-20")
def test_a_pinned_checker_moves_again_when_the_last_pinning_one_leaves() -> None:
    under = rules("plakoto", "jpgames")
    game = from_board(under, "24:13 15:2", "24:12 20:2 pin:10")
    # One of two leaves: it stays pinned. Both leave: it is free, and moves.
    one = game.after(Action.roll(WHITE, 6, 1)).after(Action.play(WHITE, "15/9 24/23"))
    assert one.game.position.mover.pinned == (10,)
    both = game.after(Action.roll(WHITE, 6, 3)).after(Action.play(WHITE, "15/9 15/12"))
    assert (both.game.position.mover.pinned, both.game.position.mover[10]) == ((), 1)
    assert both.after(Action.roll(BLACK, 4, 2)).game.plays.find("10/6 24/22")


@rule("S3-21", "S3-28")
def test_a_pin_on_the_opponents_start_point_decides_nothing_by_itself() -> None:
    board = ("14:6 9:4 5:4 4:1", "24:1 13:6 off:8")
    game = from_board(rules("plakoto", "jpgames"), *board)
    pinned = game.after(Action.roll(WHITE, 3, 1)).after(Action.play(WHITE, "4/1^ 5/4"))
    assert pinned.game.position.mover.pinned == (24,)
    assert (pinned.game.result, pinned.decision.seat) == (None, BLACK)
    by_the_rule = from_board(rules("plakoto", "jpgames", mother_rule=True), *board)
    won_at_once = by_the_rule.after(Action.roll(WHITE, 3, 1)).after(Action.play(WHITE, "4/1^"))
    assert won_at_once.score == (2, 0)


@rule("S3-21")
def test_but_it_is_as_good_as_a_gammon_and_there_is_no_cube() -> None:
    under = rules("plakoto", "jpgames")
    # Black's last checker was let go when the point was borne off: it has no way home in time.
    game = from_board(under, "1:2", "6:14 pin:24")
    over = game.after(Action.roll(WHITE, 6, 5)).after(Action.play(WHITE, "1/off 1/off"))
    assert over.score == (2, 0)
    assert refused(at_roll(of("plakoto")), Action.double(WHITE)) == ("CUBE_OFF", "M1")


@rule("S3-22")
def test_in_gul_bara_all_fifteen_start_on_one_point_and_a_lone_checker_blocks() -> None:
    start = of("gul-bara").game.position
    assert start.mover.points == start.opponent.points == {24: 15}
    under = rules("gul-bara", "jpgames")
    found = plays(under, "24:10 14:5", "24:14 23:1", 3, 2)  # own 12 and 11
    assert why(found, "14/11 24/22") == why(found, "14/12 24/21") == "POINT_CLOSED"
    assert not any(step.hit or step.pin for play in found for step in play.steps)
    with pytest.raises(IllegalPosition, match="nothing is hit in gul-bara"):
        position(under, "bar:1 24:14", "24:15")
    assert refused(at_roll(of("gul-bara")), Action.double(WHITE)) == ("CUBE_OFF", "M1")


@rule("S3-22")
@pytest.mark.parametrize(("layout", "closed"), [("parallel", 12), ("contrary", 1)])
def test_gul_bara_runs_the_same_way_round_unless_the_table_reads_it_otherwise(
    layout: str, closed: int
) -> None:
    under = rules("gul-bara", "jpgames", layout=layout)
    assert under.opponents_point(closed) == 24
    found = plays(under, f"{closed + 1}:15", "24:15", 1, 1)
    assert found.nothing_playable
    assert rules("gul-bara", "jpgames").opponents_point(12) == 24


@rule("S3-29")
def test_gul_bara_has_no_rule_about_the_first_checkers_or_about_blocks() -> None:
    under = rules("gul-bara", "jpgames")
    # As many as the roll allows leave the start at once.
    assert only(plays(under, "24:15", "24:15", 6, 6), "24/18 24/18 24/18 24/18")
    assert plays(under, "24:15", "24:15", 2, 1).find("24/22 24/23")
    # All six points of the opponent's start quarter may be held, six in a row.
    six = plays(under, "18:1 13:1 12:2 11:2 10:3 9:3 8:3", "3:15", 6, 1)
    assert {12, 11, 10, 9, 8, 7} <= six.find("13/7 18/17").after.mover.points.keys()
    assert set(six.positions()) == legal_results(under, six.start, (6, 1), Turn())


@rule("S3-06")
def test_a_double_is_four_moves_in_gul_bara_too_from_the_first_roll_to_the_last() -> None:
    game = from_board(rules("gul-bara", "jpgames"), "24:15", "24:15")
    rolled = game.after(Action.roll(WHITE, 4, 4))
    assert [part.numbers for part in rolled.game.turn.parts] == [(4, 4, 4, 4)]
    after = rolled.after(Action.play(WHITE, "24/20(4)"))
    assert after.decision.seat is BLACK
    assert kinds(after) == {"roll", "resign"}
