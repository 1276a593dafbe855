"""What a game is worth: single, gammon, backgammon, the cube, and Jacoby."""

from __future__ import annotations

import pytest

from bgcore import Action, Cube, Level, Match, Rules, load
from tests.engine.helpers import BLACK, WHITE, at_roll, match, rules, won
from tests.rulebook.helpers import from_board, length, proves, rule

LOSERS = {
    "single": ["6:14 off:1", "24:2 6:12 off:1", "bar:1 19:1 6:12 off:1"],
    "gammon": ["6:15", "13:1 6:14", "18:15"],
    "backgammon": ["bar:1 6:14", "19:1 6:14", "24:1 6:14", "21:15"],
}
"""Boards of who has lost, in his own numbering; his 24 to 19 are the winner's home board."""


def finished(under: Rules, loser: str, cube: Cube) -> Match:
    """The game in which white bears off his last checker while black stands like this."""
    game = from_board(under, "3:1", loser, cube)
    return game.after(Action.roll(WHITE, 6, 5)).after(Action.play(WHITE, "3/off"))


@proves("S0-27", "S1-20", "S2-13", "S3-14", "S3-31", "S4-17")
@pytest.mark.parametrize(("level", "worth"), [("single", 1), ("gammon", 2), ("backgammon", 3)])
def test_a_gammon_counts_twice_and_a_backgammon_three_times(
    preset: str, level: str, worth: int
) -> None:
    under = rules("western", preset, **length(preset, 25))
    for loser in LOSERS[level]:
        for stake in (2, 4):
            over = finished(under, loser, Cube(stake, BLACK, turned=True))
            assert over.game.result is not None
            assert (over.game.result.level, over.score) == (Level(level), (worth * stake, 0))


@proves("S0-27", "S2-13", "S3-14", "S3-31", "S4-17")
def test_without_a_double_it_is_1_2_or_3_points(preset: str) -> None:
    under = rules("western", preset, **({"jacoby": False} if "money" in preset else {}))
    for level, worth in (("single", 1), ("gammon", 2), ("backgammon", 3)):
        for loser in LOSERS[level]:
            assert finished(under, loser, Cube()).score == (worth, 0)


@proves("S4-17")
def test_a_gammon_on_a_4_cube_is_8(preset: str) -> None:
    under = rules("western", preset, **length(preset, 11))
    assert finished(under, "6:15", Cube(4, WHITE, turned=True)).score == (8, 0)


@rule("S3-15")
@pytest.mark.parametrize("variant", ["tavla", "plakoto", "gul-bara"])
def test_in_the_turkish_variants_nothing_counts_more_than_double(variant: str) -> None:
    under = rules(variant, "jpgames")
    assert [under.value(level) for level in under.levels] == [1, 2]
    caught = {"tavla": "bar:1 19:14", "plakoto": "24:1 6:14", "gul-bara": "13:1 6:14"}
    assert finished(under, caught[variant], Cube()).score == (2, 0)
    assert finished(under, "6:14 off:1", Cube()).score == (1, 0)


@rule("S0-34")
@pytest.mark.parametrize(("level", "worth"), [("gammon", 2), ("backgammon", 3)])
def test_gammons_count_whether_or_not_doubled_while_jacoby_is_off(level: str, worth: int) -> None:
    under = rules("western", "vog", match_length=25)
    for loser in LOSERS[level]:
        assert finished(under, loser, Cube()).score == (worth, 0)
        assert finished(under, loser, Cube(2, WHITE, turned=True)).score == (2 * worth, 0)


@rule("S0-29")
def test_by_jacoby_everything_counts_1_if_nobody_doubled() -> None:
    under = rules("western", "vog", jacoby=True)
    for level in LOSERS:
        assert finished(under, LOSERS[level][0], Cube()).score == (1, 0)
    assert finished(under, "6:15", Cube(2, BLACK, turned=True)).score == (4, 0)


@rule("S0-29")
def test_jacoby_is_there_by_itself_in_hypergammon_only() -> None:
    hyper = rules("hypergammon", "vog")
    assert finished(hyper, "bar:1 6:2", Cube()).score == (1, 0)
    assert finished(hyper, "bar:1 6:2", Cube(2, BLACK, turned=True)).score == (6, 0)
    assert finished(rules("western", "vog"), "bar:1 6:14", Cube()).score == (3, 0)
    assert [entry.variant.id for entry in load() if entry.variant.jacoby] == ["hypergammon"]


@rule("S1-21")
def test_for_money_a_gammon_counts_only_if_a_double_was_offered() -> None:
    under = rules("western", "money-001")
    assert finished(under, "6:15", Cube()).score == (1, 0)
    assert finished(under, "bar:1 6:14", Cube()).score == (1, 0)
    assert finished(under, "6:15", Cube(2, BLACK, turned=True)).score == (4, 0)
    in_a_match = rules("western", "money-001", match_length=7, jacoby=False, animals=0)
    assert finished(in_a_match, "6:15", Cube()).score == (2, 0)


@rule("S2-19")
def test_the_club_plays_jacoby_for_money_only() -> None:
    assert finished(rules("western", "club-002"), "6:15", Cube()).score == (2, 0)
    money = rules("western", "club-002", match_length=None)
    assert finished(money, "6:15", Cube()).score == (1, 0)
    assert finished(money, "6:15", Cube(2, BLACK, turned=True)).score == (4, 0)


@rule("S3-26")
def test_jpgames_has_no_jacoby() -> None:
    assert finished(rules("western", "jpgames"), "6:15", Cube()).score == (2, 0)
    assert won(at_roll(match("western", "jpgames")), WHITE, Level.BACKGAMMON).score == (3, 0)


@rule("S4-24")
def test_jacoby_is_for_money_and_a_match_always_counts_in_full() -> None:
    money = rules("western", "money-004")
    assert finished(money, "bar:1 6:14", Cube()).score == (1, 0)
    assert finished(money, "bar:1 6:14", Cube(2, BLACK, turned=True)).score == (6, 0)
    in_a_match = rules("western", "tournament-004")
    assert finished(in_a_match, "bar:1 6:14", Cube()).score == (3, 0)
