"""The cube: when a double may be offered, and where it may stand (rules M1, M2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgcore.cube import NEW_CUBE, Cube
from bgcore.decision import Phase, Terms
from bgcore.errors import IllegalAction, illegal
from bgcore.seat import Seat

if TYPE_CHECKING:
    from bgcore.game import Game


def why_no_cube(terms: Terms) -> IllegalAction | None:
    """What keeps the cube out of a game on these terms altogether (M1, M7); `None`: nothing."""
    refusals = (
        (not terms.cube, "CUBE_OFF", "nobody doubles here", "M1"),
        (terms.match_length == 1, "CUBE_OFF", "a one-point match has no cube", "M7"),
        (terms.crawford, "CRAWFORD_GAME", "this is the Crawford game", "M7"),
    )
    for applies, reason, why, rule in refusals:
        if applies:
            return illegal(reason, "action", "double", why, "no double in this game", rule)
    return None


def why_no_double(game: Game, seat: Seat) -> IllegalAction | None:
    """What speaks against `seat` offering a double now; `None`: nothing."""
    cube, terms, twice = game.cube, game.terms, 2 * game.cube.value
    first = game.turns_done == (0, 0) and not terms.double_before_first_roll
    if refusal := why_no_cube(terms):
        return refusal
    # Whether it applies; the reason; what is wrong; what was expected; the rule.
    refusals = (
        (game.phase is Phase.DOUBLED, "OFFER_PENDING", "a double is on offer", "its answer", "M2"),
        (game.phase is Phase.PLAY, "ALREADY_ROLLED", "the dice are thrown", "a play", "M2"),
        (game.phase is Phase.THROW, "NOT_NOW", "nobody has started", "the opening throw", "M2"),
        (not cube.open_to(seat), "CUBE_NOT_YOURS", f"the cube is {cube.owner}'s", "a roll", "M2"),
        (
            terms.cube_cap is not None and twice > terms.cube_cap,
            "CUBE_AT_CAP",
            f"{twice} would pass the cap",
            f"at most {terms.cube_cap}",
            "M2",
        ),
        (first, "FIRST_TURN", "the first turn is closed to doubling", "a roll", "M2"),
    )
    for applies, reason, why, expected, rule in refusals:
        if applies:
            return illegal(reason, "action", "double", why, expected, rule)
    return None


def check_cube(cube: Cube, terms: Terms) -> None:
    """`IllegalAction` when a game on these terms cannot have such a cube."""
    value = cube.value
    if type(value) is not int or value < 1 or value & (value - 1):
        raise illegal(
            "BAD_CUBE", "cube", value, "not a value of the cube", "1, 2, 4 and so on", "M1"
        )
    if terms.cube_cap is not None and value > terms.cube_cap:
        raise illegal("BAD_CUBE", "cube", value, "past the cap", f"at most {terms.cube_cap}", "M2")
    if cube != NEW_CUBE and why_no_cube(terms):
        raise illegal("BAD_CUBE", "cube", value, "no cube is in play", "1, in the middle", "M1")
