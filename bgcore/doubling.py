"""The cube: when it may be doubled, redoubled on the spot, and where it may stand (rules M1 to M6)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from bgcore.action import Kind
from bgcore.cube import NEW_CUBE, Cube
from bgcore.errors import IllegalAction, illegal
from bgcore.phase import Phase
from bgcore.seat import Seat
from bgcore.terms import Terms

if TYPE_CHECKING:
    from bgcore.game import Game

Refusals = Iterable[tuple[bool, str, str, str, str]]
"""Whether one applies; the reason; what is wrong; what was expected; the rule."""


def why_no_cube(terms: Terms) -> IllegalAction | None:
    """What keeps the cube out of a game on these terms altogether (M1, M7); `None`: nothing."""
    expected = "no double in this game"
    return _first(
        Kind.DOUBLE,
        (
            (not terms.cube, "CUBE_OFF", "nobody doubles here", expected, "M1"),
            (terms.match_length == 1, "CUBE_OFF", "a one-point match has no cube", expected, "M7"),
            (terms.crawford, "CRAWFORD_GAME", "this is the Crawford game", expected, "M7"),
        ),
    )


def why_no_double(game: Game, seat: Seat) -> IllegalAction | None:
    """What speaks against `seat` offering a double now (M2); `None`: nothing."""
    cube, terms = game.cube, game.terms
    first = game.turns_done == (0, 0) and not terms.double_before_first_roll
    held = seat in terms.holland and min(game.turns_done) < 2
    return why_no_cube(terms) or _first(
        Kind.DOUBLE,
        (
            (
                game.phase is Phase.DOUBLED,
                "OFFER_PENDING",
                "a double is on offer",
                "its answer",
                "M2",
            ),
            (
                game.rolled and not game.may_reroll,
                "ALREADY_ROLLED",
                "the dice are thrown",
                "a play",
                "M2",
            ),
            (
                game.phase is Phase.THROW,
                "NOT_NOW",
                "nobody has started",
                "the opening throw",
                "M2",
            ),
            (
                not cube.open_to(seat),
                "CUBE_NOT_YOURS",
                f"the cube is {cube.owner}'s",
                "a roll",
                "M2",
            ),
            *_limits(game, seat),
            (first, "FIRST_TURN", "the first turn is closed to doubling", "a roll", "M2"),
            (
                held,
                "HOLLAND_RULE",
                f"after the Crawford game {seat} may not double yet",
                "two turns of each player first",
                "M2",
            ),
        ),
    )


def why_no_animal(game: Game, seat: Seat) -> IllegalAction | None:
    """What speaks against `seat`, who has just been doubled, doubling in turn (M4); `None`: nothing."""
    terms, answer = game.terms, "take or drop"
    if game.phase is not Phase.DOUBLED:
        return illegal("NOT_NOW", "action", Kind.ANIMAL, "no double is on offer", "a double", "M4")
    depth = terms.animals
    return _first(
        Kind.ANIMAL,
        (
            (depth == 0, "ANIMALS_OFF", "nobody beavers here", answer, "M4"),
            (
                depth is not None and game.raised > depth,
                "ANIMAL_LIMIT",
                f"{depth} may follow a double, and they have",
                answer,
                "M4",
            ),
            *_limits(game, seat),
        ),
    )


def _limits(game: Game, seat: Seat) -> Refusals:
    """How high the stake may go: the cap, and what is of no use to who raises it."""
    terms, stake = game.terms, game.asked
    cap, length = terms.cube_cap, terms.match_length
    dead = terms.dead_cube and length is not None and terms.score[seat] + stake >= length
    yield (
        cap is not None and 2 * stake > cap,
        "CUBE_AT_CAP",
        f"{2 * stake} would pass the cap",
        f"at most {cap}",
        "M2",
    )
    yield (
        dead,
        "DEAD_CUBE",
        f"{terms.score[seat]} and the stake of {stake} reach {length} already",
        "a roll" if game.phase is Phase.ROLL else "take or drop",
        "M2",
    )


def _first(kind: Kind, refusals: Refusals) -> IllegalAction | None:
    for applies, reason, why, expected, rule in refusals:
        if applies:
            return illegal(reason, "action", kind, why, expected, rule)
    return None


def after_tie(cube: Cube, number: int, doubled: int, terms: Terms) -> Cube:
    """The cube after a tie of the opening throw, `doubled` ties having raised it before (M6).

    It stays in the middle. A tie that would pass the cap, or is one too many, changes nothing.

    >>> after_tie(Cube(), 6, 0, Terms(cube=True, auto_doubles=None, triple=True)).value
    3
    """
    if why_no_cube(terms) or (terms.auto_doubles is not None and doubled >= terms.auto_doubles):
        return cube
    value = cube.value * (3 if number == 6 and terms.triple else 2)
    if terms.cube_cap is not None and value > terms.cube_cap:
        return cube
    return Cube(value)


def check_cube(cube: Cube, terms: Terms) -> None:
    """`IllegalAction` when a game on these terms cannot have such a cube."""
    value = cube.value
    if not _reachable(value, terms):
        expected = "1, 2, 4 and so on"
        raise illegal("BAD_CUBE", "cube", value, "not a value of the cube", expected, "M1")
    if terms.cube_cap is not None and value > terms.cube_cap:
        raise illegal("BAD_CUBE", "cube", value, "past the cap", f"at most {terms.cube_cap}", "M2")
    if cube != NEW_CUBE and why_no_cube(terms):
        raise illegal("BAD_CUBE", "cube", value, "no cube is in play", "1, in the middle", "M1")


def _reachable(value: int, terms: Terms) -> bool:
    """Whether doubling, and where a 6-6 triples also that, leads to a value."""
    if type(value) is not int or value < 1:
        return False
    while terms.triple and value % 3 == 0:
        value //= 3
    return not value & (value - 1)
