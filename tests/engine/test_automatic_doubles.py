"""Automatic doubles and the Jacoby rule (M5, M6)."""

from __future__ import annotations

import pytest

from bgcore import Action, Cube, Level, Match, Start
from tests.engine.helpers import BLACK, WHITE, at_roll, doubled, kinds, match, position, rules, won
from tests.engine.refusal import clash, refused

SESSION: dict[str, object] = {"match_length": None, "auto_doubles": None}


def thrown(start: Match, *ties: int) -> Match:
    for tie in ties:
        start = start.after(Action.throw(tie, tie))
    return start


# -- M6 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ties", "options", "stake", "counted"),
    [
        ((), {}, 1, 0),
        ((3, 5), {}, 4, 2),
        ((3, 5), {"auto_doubles": 1}, 2, 1),
        ((3, 5), {"auto_doubles": 0}, 1, 0),
        ((1, 2, 3, 4), {"auto_doubles": 3}, 8, 3),
        ((6, 2), {"auto_double_66": "triple"}, 6, 2),
        ((6,), {"auto_double_66": "double"}, 2, 1),
        ((6, 6, 6), {"auto_double_66": "triple"}, 27, 3),
        ((1,) * 8, {"cube_cap": 64}, 64, 6),
        ((1, 6, 1), {"cube_cap": 4, "auto_double_66": "triple"}, 4, 2),
        ((1,), {"cube_cap": 1}, 1, 0),
        ((1,) * 8, {"cube_cap": None}, 256, 8),
    ],
)
def test_ties_of_the_opening_throw_raise_the_stake(
    ties: tuple[int, ...], options: dict[str, object], stake: int, counted: int
) -> None:
    at = thrown(match("western", "", **{**SESSION, **options}), *ties)
    assert at.game.cube == Cube(stake, None, turned=False)
    assert at.game.auto_doubles == counted
    opened = at.after(Action.throw(1, 4))
    assert (opened.game.cube.value, opened.game.seat) == (stake, BLACK)


def test_a_tie_past_the_limit_is_only_thrown_again() -> None:
    at = thrown(match("western", "", **{**SESSION, "auto_doubles": 1}), 2, 2, 2)
    assert kinds(at) == {"throw", "resign"}


def test_a_cube_that_ties_have_raised_is_doubled_from_there() -> None:
    start = thrown(match("western", "", **{**SESSION, "auto_double_66": "triple"}), 6)
    taken = doubled(at_roll(start), WHITE)
    assert taken.game.cube == Cube(6, BLACK, turned=True)


def test_a_raised_stake_counts_against_the_cap() -> None:
    start = at_roll(thrown(match("western", "", **{**SESSION, "cube_cap": 4}), 2, 3))
    assert refused(start, Action.double(WHITE)) == "CUBE_AT_CAP M2"


def test_every_game_of_a_session_begins_at_1_again() -> None:
    first = won(at_roll(thrown(match("western", "", **SESSION), 2, 3)), WHITE)
    assert first.score == (4, 0)
    second = first.after(Action.next_game())
    assert (second.game.cube.value, second.game.auto_doubles) == (1, 0)
    assert thrown(second, 5).game.cube.value == 2


def test_a_game_that_is_not_thrown_for_has_no_automatic_doubles() -> None:
    first = won(at_roll(match("western", "", **SESSION, later_starter="previous_winner")), WHITE)
    second = first.after(Action.next_game())
    assert kinds(second) == {"roll", "resign"}
    assert second.after(Action.roll(WHITE, 3, 3)).game.cube.value == 1


def test_there_are_none_where_no_cube_is_in_play() -> None:
    allowed: dict[str, object] = {"auto_doubles": None, "money_rules_in_match": "allow"}
    assert thrown(match("western", "", **allowed, match_length=1), 3).game.cube.value == 1
    assert thrown(match("western", "", **allowed, cube=False), 3).game.cube.value == 1
    under = rules("western", "", **allowed, match_length=5)
    assert thrown(Match.new(under, Start(score=(4, 0))), 3).game.cube.value == 1
    assert thrown(Match.new(under, Start(score=(3, 0))), 3).game.cube.value == 2


def test_automatic_doubles_need_a_money_session_or_a_match_that_allows_them() -> None:
    for limit in (1, None):
        assert clash(auto_doubles=limit, match_length=5) == {"auto_doubles M8"}


# -- M5 ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("level", Level)
def test_with_jacoby_everything_counts_1_until_the_cube_was_turned(level: Level) -> None:
    late = at_roll(match(match_length=None, resign_auto_accept=False))
    assert won(late, WHITE, level).score == (1, 0)
    points = {Level.SINGLE: 2, Level.GAMMON: 4, Level.BACKGAMMON: 6}[level]
    assert won(doubled(late, WHITE), WHITE, level).score == (points, 0)


def test_a_gammon_on_the_board_counts_1_too() -> None:
    under = rules(match_length=None)
    board = position(under, "1:1 off:14", "6:15")
    session = Match.new(under, Start(position=board, seat=WHITE))
    over = session.after(Action.roll(WHITE, 2, 1)).after(Action.play(WHITE, "1/off"))
    assert (over.results[0].level, over.score) == (Level.GAMMON, (1, 0))
    cube = Cube(2, BLACK, turned=True)
    turned = Match.new(under, Start(position=board, seat=WHITE, cube=cube))
    over = turned.after(Action.roll(WHITE, 2, 1)).after(Action.play(WHITE, "1/off"))
    assert over.score == (4, 0)


def test_a_dropped_double_is_a_single_anyway() -> None:
    offered = at_roll(match(match_length=None)).after(Action.double(WHITE))
    assert offered.after(Action.drop(BLACK)).score == (1, 0)


@pytest.mark.parametrize(("satisfies", "points"), [(False, 2), (True, 4)])
def test_an_automatic_double_satisfies_jacoby_only_where_the_table_says_so(
    satisfies: bool, points: int
) -> None:
    session = match(
        "western", "", **SESSION, auto_double_satisfies_jacoby=satisfies, resign_auto_accept=False
    )
    assert won(at_roll(thrown(session, 3)), WHITE, Level.GAMMON).score == (points, 0)


def test_where_no_tie_has_raised_the_stake_nothing_satisfies_jacoby() -> None:
    session = match(
        "western", "", **SESSION, auto_double_satisfies_jacoby=True, resign_auto_accept=False
    )
    assert won(at_roll(session), WHITE, Level.GAMMON).score == (1, 0)


@pytest.mark.parametrize(
    ("length", "score", "cube", "points"),
    [(5, (4, 0), True, 1), (1, (0, 0), True, 1), (5, (4, 0), False, 3)],
)
def test_jacoby_counts_1_where_the_cube_may_not_be_turned_but_not_where_there_is_none(
    length: int, score: tuple[int, int], cube: bool, points: int
) -> None:
    """In a Crawford game and a one-point match the cube was not turned, so M5 holds to the letter."""
    under = rules(
        "western", "", jacoby=True, match_length=length, cube=cube, money_rules_in_match="allow",
        resign_auto_accept=False,
    )  # fmt: skip
    offered = Match.new(under, Start(score=score)).after(Action.resign(WHITE, Level.BACKGAMMON))
    lost = offered.after(Action.answer_resignation(BLACK, accept=True))
    assert [result.points for result in lost.results] == [points]


def test_jacoby_is_the_default_of_money_sessions_and_no_part_of_matches() -> None:
    assert rules(match_length=None).options["jacoby"] is True
    assert rules(match_length=5).options["jacoby"] is False
    assert clash(jacoby=True, match_length=5) == {"jacoby M8"}
    allowed = at_roll(match(jacoby=True, match_length=5, money_rules_in_match="allow"))
    assert won(allowed, WHITE, Level.GAMMON).score == (1, 0)
