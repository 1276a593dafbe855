"""Beavers, raccoons, otters and monkeys (M4)."""

from __future__ import annotations

import pytest

from bgcore import Action, Cube, Ending, Level, Match, Seat, Start
from tests.engine.helpers import BLACK, WHITE, at_roll, kinds, match, rules, turn_passes, won
from tests.engine.refusal import clash, refused

D, R = WHITE, BLACK  # the doubler, and who was doubled

# M4's table for a stake of v: step, by whom, the new value, whose decision, what a drop there loses.
TABLE = [
    ("double", D, 2, R, 1),
    ("beaver", R, 4, D, 2),
    ("raccoon", D, 8, R, 4),
    ("otter", R, 16, D, 8),
    ("monkey", D, 32, R, 16),
]


def session(value: int = 1, **options: object) -> Match:
    """A money session with White on turn, who owns a cube that has been turned."""
    chosen: dict[str, object] = {"match_length": None, "animals": 4, "cube_cap": None, **options}
    under = rules("western", "", **chosen)
    cube = Cube(value, D, turned=True) if value > 1 else Cube()
    return Match.new(under, Start(position=under.start, seat=D, cube=cube))


def raised(start: Match, steps: int) -> Match:
    """The double and so many animals on it."""
    game = start.after(Action.double(D))
    for _, by, *_ in TABLE[1 : steps + 1]:
        game = game.after(Action.animal(by))
    return game


@pytest.mark.parametrize("value", [1, 2, 4])
@pytest.mark.parametrize("step", range(5), ids=[row[0] for row in TABLE])
def test_the_table_of_animals_holds(value: int, step: int) -> None:
    _, _, times, decides, loses = TABLE[step]
    at = raised(session(value), step)
    assert at.decision.seat is decides
    taken = at.after(Action.take(decides))
    assert taken.game.cube == Cube(times * value, R, turned=True)
    assert (taken.game.seat, kinds(taken)) == (D, {"roll", "resign"})
    dropped = at.after(Action.drop(decides))
    assert dropped.results[0].winner is decides.other
    assert max(dropped.score) == loses * value
    assert (dropped.results[0].level, dropped.results[0].ending) == (Level.SINGLE, Ending.DROPPED)


@pytest.mark.parametrize("depth", range(5))
def test_no_more_animals_follow_than_the_table_allows(depth: int) -> None:
    full = raised(session(animals=depth), depth)
    assert "animal" not in kinds(full)
    decides = TABLE[depth][3]
    reason = "ANIMALS_OFF M4" if depth == 0 else "ANIMAL_LIMIT M4"
    assert refused(full, Action.animal(decides)) == reason
    if depth:
        assert "animal" in kinds(raised(session(animals=depth), depth - 1))


def test_without_a_limit_only_the_cap_ends_the_animals() -> None:
    game, seat = session(animals=None, cube_cap=1024).after(Action.double(D)), R
    for _ in range(9):
        game, seat = game.after(Action.animal(seat)), seat.other
    assert refused(game, Action.animal(seat)) == "CUBE_AT_CAP M2"
    assert game.after(Action.take(seat)).game.cube == Cube(1024, R, turned=True)


@pytest.mark.parametrize("steps", range(1, 5))
def test_where_animals_cannot_be_refused_the_answer_is_to_accept_or_the_next(steps: int) -> None:
    at = raised(session(animals_refusable=False), steps)
    assert kinds(at) == ({"take", "animal"} if steps < 4 else {"take"})
    assert refused(at, Action.drop(TABLE[steps][3])) == "ANIMAL_NOT_REFUSABLE M4"


def test_a_plain_double_can_be_refused_all_the_same() -> None:
    assert "drop" in kinds(raised(session(animals_refusable=False), 0))


def test_a_refused_animal_costs_one_point_where_refusing_always_does() -> None:
    dropped = raised(session(4, decline_cost="always_one"), 2).after(Action.drop(R))
    assert dropped.score == (1, 0)


@pytest.mark.parametrize(("value", "steps"), [(8, 2), (16, 1), (32, 0)])
def test_an_animal_does_not_pass_the_cap(value: int, steps: int) -> None:
    at = raised(session(value, cube_cap=64), steps)
    assert refused(at, Action.animal(TABLE[steps][3])) == "CUBE_AT_CAP M2"


@pytest.mark.parametrize(
    ("score", "steps"),
    [
        ((0, 5), 0),  # Black's beaver: 5 + 2 reach 7
        ((3, 0), 1),  # White's raccoon: 3 + 4
        ((0, 0), 2),  # Black's otter: 0 + 8
    ],
)
def test_an_animal_is_not_made_with_a_stake_that_wins_the_match(
    score: tuple[int, int], steps: int
) -> None:
    under = rules(animals=None, money_rules_in_match="allow", dead_cube_rule=True, match_length=7)
    start = Match.new(under, Start(position=under.start, seat=D, score=score))
    dead = raised(start, steps)
    assert refused(dead, Action.animal(TABLE[steps][3])) == "DEAD_CUBE M2"
    below = (max(score[0] - 1, 0), max(score[1] - 1, 0))
    if below != score:
        alive = raised(Match.new(under, Start(position=under.start, seat=D, score=below)), steps)
        assert "animal" in kinds(alive)


def test_beavers_are_allowed_on_redoubles() -> None:
    first = session(1).after(Action.double(D)).after(Action.take(R))
    redoubled = turn_passes(first).after(Action.double(R))
    beavered = redoubled.after(Action.animal(D)).after(Action.take(R))
    assert beavered.game.cube == Cube(8, D, turned=True)
    assert (beavered.game.seat, kinds(beavered)) == (R, {"roll", "resign"})


def test_who_beavered_may_redouble_in_his_own_turn_and_nobody_before() -> None:
    taken = raised(session(), 1).after(Action.take(D))
    assert refused(taken, Action.double(D)) == "CUBE_NOT_YOURS M2"
    assert refused(taken, Action.animal(R)) == "NOT_YOUR_TURN M4"
    assert "double" in kinds(turn_passes(taken))


def test_an_animal_answers_a_double_and_nothing_else() -> None:
    assert refused(session(), Action.animal(D)) == "NOT_NOW M4"
    rolled = session().after(Action.roll(D, 3, 1))
    assert refused(rolled, Action.animal(D)) == "NOT_NOW M4"
    assert refused(match(), Action.animal(D)) == "NOT_NOW M4"


@pytest.mark.parametrize("steps", range(5))
def test_only_who_is_asked_answers(steps: int) -> None:
    at, asked = raised(session(animals=None), steps), TABLE[steps][3]
    for action in (Action.take, Action.drop, Action.animal):
        assert refused(at, action(asked.other)).startswith("NOT_YOUR_TURN M")
    assert at.decision.other_kinds == ()


def test_a_beaver_that_was_taken_turns_the_cube_for_jacoby() -> None:
    taken = raised(session(), 1).after(Action.take(D))
    assert won(taken, WHITE, Level.GAMMON).score == (8, 0)


@pytest.mark.parametrize("seat", [WHITE, BLACK])
def test_animals_need_a_money_session_or_a_match_that_allows_them(seat: Seat) -> None:
    assert clash(animals=1, match_length=5) == {"animals M8"}
    allowed = at_roll(match(animals=1, match_length=5, money_rules_in_match="allow"), seat)
    assert "animal" in kinds(allowed.after(Action.double(seat)))
