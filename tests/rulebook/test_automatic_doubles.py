"""Ties of the opening throw that raise the stake."""

from __future__ import annotations

from bgcore import Action, Cube, Level, Match
from tests.engine.helpers import BLACK, WHITE, at_roll, doubled, match, won
from tests.rulebook.helpers import clashes, proves, rule


def thrown(preset: str, *ties: int, **options: object) -> Match:
    game = match("western", preset, **options)
    for number in ties:
        game = game.after(Action.throw(number, number))
    return game


@rule("S0-31")
def test_at_vog_one_tie_a_game_doubles_when_the_table_wants_it() -> None:
    game = thrown("vog", 3, auto_doubles=1)
    assert game.game.cube == Cube(2, None)
    game = game.after(Action.throw(5, 5))  # only thrown again
    assert game.game.cube == Cube(2, None)
    assert doubled(at_roll(game), WHITE).game.cube == Cube(4, BLACK, turned=True)
    assert thrown("vog", 3, 5, 6).game.cube == Cube(1, None)
    second = won(at_roll(game), WHITE).after(Action.next_game())
    assert second.game.cube == Cube(1, None)
    assert second.after(Action.throw(2, 2)).game.cube == Cube(2, None)


@rule("S1-24")
def test_under_001_every_tie_doubles_when_agreed() -> None:
    game = thrown("money-001", 3, 5, auto_doubles=None).after(Action.throw(1, 4))
    assert game.game.cube == Cube(4, None)
    assert doubled(at_roll(thrown("money-001", 3, 5, auto_doubles=None)), WHITE).game.cube == Cube(
        8, BLACK, turned=True
    )
    assert thrown("money-001", 3, 5).game.cube == Cube(1, None)


@rule("S1-24")
def test_a_tie_that_would_pass_64_is_only_thrown_again() -> None:
    assert thrown("money-001", *(1,) * 9, auto_doubles=None).game.cube == Cube(64, None)


@rule("S1-25")
def test_with_automatic_doubles_the_jacoby_rule_holds() -> None:
    game = at_roll(thrown("money-001", 3, auto_doubles=None))
    assert won(game, WHITE, Level.GAMMON).score == (2, 0)
    assert clashes("western", "money-001", auto_doubles=None, jacoby=False) == {("jacoby", "M12")}
    without = at_roll(match("western", "money-001", jacoby=False))
    assert won(without, WHITE, Level.GAMMON).score == (2, 0)  # a gammon counts where neither is on


@rule("S1-26")
def test_automatic_doubles_are_never_for_a_match() -> None:
    for ties in (1, None):
        found = clashes("western", "money-001", match_length=7, animals=0, auto_doubles=ties)
        assert found == {("auto_doubles", "M8"), ("jacoby", "M8")}  # which it brings along
        assert clashes("western", "", auto_doubles=ties) == {("auto_doubles", "M8")}


@rule("S1-27")
def test_a_6_6_triples_where_the_table_wants_it() -> None:
    triple: dict[str, object] = {"auto_doubles": None, "auto_double_66": "triple"}
    assert thrown("money-001", 6, **triple).game.cube == Cube(3, None)
    assert thrown("money-001", 6, 2, **triple).game.cube == Cube(6, None)
    assert thrown("money-001", 6, auto_doubles=None).game.cube == Cube(2, None)


@proves("S3-27")
def test_at_jpgames_a_tie_is_only_thrown_again(preset: str) -> None:
    game = thrown(preset, 6, 6, 1)
    assert game.game.cube == Cube(1, None)
    assert won(at_roll(game), WHITE).score == (1, 0)
    assert clashes("western", preset, auto_doubles=1) == {("auto_doubles", "M8")}


@rule("S4-30")
def test_for_money_one_tie_turns_the_cube_to_2_when_agreed_and_in_a_tournament_none() -> None:
    assert thrown("money-004", 4).game.cube == Cube(1, None)
    once = thrown("money-004", 4, 4, auto_doubles=1)
    assert once.game.cube == Cube(2, None)
    assert thrown("money-004", 4, 4, auto_doubles=None).game.cube == Cube(4, None)
    assert clashes("western", "tournament-004", auto_doubles=1) == {("auto_doubles", "M8")}
