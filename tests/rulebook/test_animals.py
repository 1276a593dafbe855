"""Beavers, raccoons, otters and monkeys; where they may be refused, and where there are none."""

from __future__ import annotations

import pytest

from bgcore import Action, Cube, Match
from tests.engine.helpers import BLACK, WHITE, at_roll, kinds, match
from tests.rulebook.helpers import clashes, from_cube, proves, refused, rule


def offered(preset: str, animals: int, /, **options: object) -> Match:
    """White's double answered by so many more, each on the spot."""
    game = at_roll(match("western", preset, **options)).after(Action.double(WHITE))
    for number in range(animals):
        game = game.after(Action.animal(BLACK if number % 2 == 0 else WHITE))
    return game


@rule("S0-30")
def test_at_vog_a_beaver_keeps_the_cube_and_cannot_be_refused() -> None:
    beavered = offered("vog", 1, animals=1)
    assert (beavered.decision.seat, kinds(beavered)) == (WHITE, {"take"})
    assert refused(beavered, Action.drop(WHITE)) == ("ANIMAL_NOT_REFUSABLE", "M4")
    played_on = beavered.after(Action.take(WHITE))
    assert played_on.game.cube == Cube(4, BLACK, turned=True)
    assert played_on.decision.seat is WHITE  # the doubler rolls
    assert refused(offered("vog", 0), Action.animal(BLACK)) == ("ANIMALS_OFF", "M4")


@rule("S1-22")
def test_under_001_the_doubler_accepts_a_beaver_or_refuses_it() -> None:
    beavered = offered("money-001", 1)
    assert (beavered.decision.seat, kinds(beavered)) == (WHITE, {"take", "drop"})
    assert beavered.after(Action.take(WHITE)).game.cube == Cube(4, BLACK, turned=True)
    assert beavered.after(Action.drop(WHITE)).score == (0, 2)
    assert refused(offered("money-001", 0, animals=0), Action.animal(BLACK))[0] == "ANIMALS_OFF"


@rule("S4-25")
def test_a_beaver_makes_it_4_and_the_doubler_takes_or_drops() -> None:
    assert offered("money-004", 0).game.asked == 2
    beavered = offered("money-004", 1)
    assert (beavered.game.asked, kinds(beavered)) == (4, {"take", "drop", "animal"})
    assert beavered.after(Action.take(WHITE)).game.cube == Cube(4, BLACK, turned=True)
    assert beavered.after(Action.drop(WHITE)).score == (0, 2)


@rule("S4-25")
def test_a_redouble_may_be_beavered_too() -> None:
    redoubled = from_cube("money-004", Cube(4, WHITE, turned=True)).after(Action.double(WHITE))
    taken = redoubled.after(Action.animal(BLACK)).after(Action.take(WHITE))
    assert taken.game.cube == Cube(16, BLACK, turned=True)


@rule("S4-26")
def test_a_raccoon_makes_it_8_and_the_cube_stays_where_it_is() -> None:
    raccoon = offered("money-004", 2)
    assert (raccoon.decision.seat, raccoon.game.asked) == (BLACK, 8)
    assert kinds(raccoon) == {"take", "drop"}
    taken = raccoon.after(Action.take(BLACK))
    assert taken.game.cube == Cube(8, BLACK, turned=True)
    assert kinds(taken) == {"roll", "resign"}  # 1, 2, 4, 8 before a roll
    assert raccoon.after(Action.drop(BLACK)).score == (4, 0)
    assert refused(raccoon, Action.animal(BLACK)) == ("ANIMAL_LIMIT", "M4")


@rule("S4-27")
@pytest.mark.parametrize(("animals", "stake", "drop"), [(3, 16, (0, 8)), (4, 32, (16, 0))])
def test_an_otter_and_a_monkey_go_further_by_agreement(
    animals: int, stake: int, drop: tuple[int, int]
) -> None:
    last = offered("money-004", animals, animals=animals)
    decider = last.decision.seat
    assert decider is not None
    assert last.after(Action.take(decider)).game.cube == Cube(stake, BLACK, turned=True)
    assert last.after(Action.drop(decider)).score == drop
    assert refused(last, Action.animal(decider)) == ("ANIMAL_LIMIT", "M4")


@rule("S4-28")
@pytest.mark.parametrize("animals", [1, 2, 3, 4, None])
def test_animals_are_for_money_and_never_for_a_match(animals: int | None) -> None:
    assert clashes("western", "tournament-004", animals=animals) == {("animals", "M8")}
    in_a_match: dict[str, object] = {"match_length": 7, "jacoby": False}
    assert clashes("western", "money-004", **in_a_match, animals=animals) == {("animals", "M8")}
    assert refused(offered("tournament-004", 0), Action.animal(BLACK)) == ("ANIMALS_OFF", "M4")


@proves("S3-26")
def test_jpgames_has_no_beavers_and_raccoons(preset: str) -> None:
    assert kinds(offered(preset, 0)) == {"take", "drop"}
    assert refused(offered(preset, 0), Action.animal(BLACK)) == ("ANIMALS_OFF", "M4")
    for animals in (1, 2):
        assert clashes("western", preset, animals=animals) == {("animals", "M8")}
