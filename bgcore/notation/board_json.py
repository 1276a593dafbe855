"""Boards and turns as the JSON objects of the rule book (rules C7): `me`, `opp`, `me_bar`, …, `dice`, `turn`."""

from __future__ import annotations

from collections.abc import Mapping

from bgcore.errors import Fault, NotationError, shown
from bgcore.notation.json_line import wrong
from bgcore.play import STEPS
from bgcore.position import HOME, Position, Side
from bgcore.roll import is_number
from bgcore.setup import Setup, SideSetup
from bgcore.turn import ORDINARY_TURN, Turn

SIDES = ("me", "opp")
COUNTS = ("bar", "reserve", "off")
BOARD_KEYS = frozenset(
    (*SIDES, *(f"{side}_{place}" for side in SIDES for place in ("pinned", *COUNTS)))
)
TURN_KEYS = ("own_roll", "left_head", "locked")

PART = "; the numbers of a later part stand in numbers, in place of dice"

MOST = 10**6
"""No count that is worth telling apart is larger; the rules say what a side may really have."""


def read_board_json(form: Mapping[str, object]) -> Setup:
    """The setup that the board keys of an object tell of; other keys are not looked at.

    `NotationError` names the key whose value is of the wrong kind.

    >>> read_board_json({"me": {"6": 2}, "me_bar": 1, "opp": {"13": 2}}).mover
    SideSetup(points={6: 2}, bar=1, off=None, unentered=0, pinned=())
    """
    return Setup(_read_side(form, "me"), _read_side(form, "opp"))


def _read_side(form: Mapping[str, object], name: str) -> SideSetup:
    board = form.get(name, {})
    if not isinstance(board, dict):
        wrong(name, board, 'points and checkers such as {"24": 2}')
    points = {}
    for key, count in board.items():
        point = _point(key) if isinstance(key, str) else None
        if point is None:
            wrong(f"{name} point", key, "1 to 24")
        if point in points:
            wrong(f"{name} point", key, "each point once")
        points[point] = _count(f"{name}.{key}", count)
    pinned = form.get(f"{name}_pinned", [])
    if not isinstance(pinned, list | tuple):
        wrong(f"{name}_pinned", pinned, "a list of points")
    return SideSetup(
        points,
        _count(f"{name}_bar", form.get(f"{name}_bar", 0)),
        _count(f"{name}_off", form[f"{name}_off"]) if f"{name}_off" in form else None,
        _count(f"{name}_reserve", form.get(f"{name}_reserve", 0)),
        tuple(_count(f"{name}_pinned", point) for point in pinned),
    )


def write_board_json(position: Position) -> dict[str, object]:
    """The board of a position, the mover as `me`; empty places are left out, but never a side or its `…_off`.

    >>> from bgcore import load
    >>> write_board_json(load().rules("western").start)["me"]
    {'24': 2, '13': 5, '8': 3, '6': 5}
    """
    return {**_write_side("me", position.mover), **_write_side("opp", position.opponent)}


def _write_side(name: str, side: Side) -> dict[str, object]:
    places: dict[str, object] = {
        name: {str(point): count for point, count in side.points.items()},
        f"{name}_pinned": list(side.pinned),
        f"{name}_bar": side.bar,
        f"{name}_reserve": side.unentered,
    }
    told = {key: value for key, value in places.items() if value or key == name}
    return {**told, f"{name}_off": side.off}


def read_turn_json(form: object) -> Turn:
    """The facts of a turn; without them it is an ordinary later one.

    >>> read_turn_json({"own_roll": 1}).own_roll
    1
    """
    if form is None:
        return ORDINARY_TURN
    if not isinstance(form, dict):
        wrong("turn", form, 'an object such as {"own_roll": 1}')
    for key in form:
        if key not in TURN_KEYS:
            raise NotationError(
                Fault("UNKNOWN_FIELD", "turn", str(key), f"one of {', '.join(TURN_KEYS)}{PART}")
            )
    own_roll = form.get("own_roll")
    if own_roll is not None and _count("turn.own_roll", own_roll) < 1:
        wrong("turn.own_roll", own_roll, "1 or more")
    left_head = _count("turn.left_head", form.get("left_head", 0))
    turn = Turn(own_roll, left_head, locked=_locked(form.get("locked", [])))
    return ORDINARY_TURN if turn == ORDINARY_TURN else turn


def _locked(form: object) -> frozenset[int]:
    """Points of the own home board, as a list."""
    if not isinstance(form, list) or not all(type(one) is int and one in HOME for one in form):
        wrong("turn.locked", form, f"a list of own points, {HOME[0]} to {HOME[-1]}")
    return frozenset(form)


def read_dice_json(form: object, least: int, most: int, field: str = "dice") -> tuple[int, ...]:
    """So many numbers from 1 to 6, as a list.

    >>> read_dice_json([3, 1], 2, 2)
    (3, 1)
    """
    expected = str(most) if least == most else f"{least} to {most}"
    if not isinstance(form, list) or not least <= len(form) <= most:
        raise NotationError(Fault("BAD_DICE", field, shown(form), f"a list of {expected} numbers"))
    for die in form:
        if not is_number(die):
            raise NotationError(Fault("BAD_DICE", "die", shown(die), "1 to 6"))
    return tuple(form)


def read_numbers_json(form: object) -> tuple[int, ...]:
    """The numbers of one part, 1 to 4 of them.

    >>> read_numbers_json([2, 2, 2, 2])
    (2, 2, 2, 2)
    """
    return read_dice_json(form, 1, STEPS, "numbers")


def _point(key: str) -> int | None:
    """The point that a key names; whether it exists is for the rules to say."""
    return int(key) if key.isascii() and key.isdigit() and len(key) <= 10 else None


def _count(field: str, value: object) -> int:
    if type(value) is not int or not 0 <= value <= MOST:
        wrong(field, value, "a whole number from 0")
    return value
