"""Where a match begins, as JSON: what records and tables keep of a `Start`."""

from __future__ import annotations

from collections.abc import Mapping

from bgcore.cube import NEW_CUBE, Cube
from bgcore.match import NEW, Crawford, Start
from bgcore.notation.board_text import read_board, write_board
from bgcore.notation.json_line import check_keys, wrong
from bgcore.rules import Rules
from bgcore.seat import SEATS, Seat

OF_POSITION = ("position", "seat", "cube", "dice")
KEYS = (*OF_POSITION, "score", "crawford")


def write_start(start: Start) -> dict[str, object]:
    """The form of a start: what differs from nil-nil and a new game, so nothing for that.

    The position is the text of `board_text`, seen by `seat`, who is on turn.

    >>> write_start(Start(score=(2, 4), crawford=Crawford.AFTER))
    {'score': [2, 4], 'crawford': 'after'}
    """
    form: dict[str, object] = {}
    if start.position is not None:
        form["position"] = write_board(start.position)
        form["seat"] = str(start.seat)
        if start.cube != NEW_CUBE:
            form["cube"] = write_cube(start.cube)
        if start.dice:
            form["dice"] = list(start.dice)
    if start.score != NEW.score:
        form["score"] = list(start.score)
    if start.crawford is not NEW.crawford:
        form["crawford"] = str(start.crawford)
    return form


def write_cube(cube: Cube) -> dict[str, object]:
    """A cube as JSON.

    >>> write_cube(Cube(2, Seat.BLACK, turned=True))
    {'value': 2, 'owner': 'black', 'turned': True}
    """
    owner = None if cube.owner is None else str(cube.owner)
    return {"value": cube.value, "owner": owner, "turned": cube.turned}


def read_start(form: Mapping[str, object], rules: Rules) -> Start:
    """The start of that form, its position proved.

    `NotationError` for what is no such form, `IllegalPosition` for a position that the rules do not allow.
    Whether a match can begin there, `Match.new` says.

    >>> from bgcore import load
    >>> read_start({"score": [2, 4]}, load().rules("western")).score
    (2, 4)
    """
    check_keys(form, KEYS, at="start")
    if "position" not in form:
        for name in OF_POSITION:
            if name in form:
                wrong(
                    f"start.{name}", form[name], "a position with it, as it says whose turn it is"
                )
    score = read_score("start.score", form.get("score", [0, 0]))
    crawford = _crawford(form.get("crawford", "before"))
    if "position" not in form:
        return Start(score=score, crawford=crawford)
    text = form["position"]
    if not isinstance(text, str):
        wrong("start.position", text, "a text such as 24:2 13:5 / 24:2 13:5")
    return Start(
        rules.position(read_board(text)),
        read_seat("start.seat", form.get("seat", "white")),
        _cube(form.get("cube", {})),
        _dice(form.get("dice", [])),
        score,
        crawford,
    )


def read_seat(field: str, value: object) -> Seat:
    """The seat of its word; `NotationError` names the field."""
    if value not in SEATS:
        wrong(field, value, "white or black")
    return Seat.read(str(value))


def read_score(field: str, value: object) -> tuple[int, int]:
    """A score, as two numbers; `NotationError` names the field."""
    if not isinstance(value, list) or len(value) != 2 or not all(type(one) is int for one in value):
        wrong(field, value, "two numbers, White's and Black's")
    return value[0], value[1]


def _cube(form: object) -> Cube:
    if not isinstance(form, dict):
        wrong("start.cube", form, 'an object such as {"value": 2, "owner": "white"}')
    check_keys(form, ("value", "owner", "turned"), at="start.cube")
    value, owner = form.get("value", 1), form.get("owner")
    turned = form.get("turned", owner is not None)
    if type(value) is not int:
        wrong("start.cube.value", value, "1, 2, 4 and so on")
    if not isinstance(turned, bool):
        wrong("start.cube.turned", turned, "true or false")
    return Cube(value, None if owner is None else read_seat("start.cube.owner", owner), turned)


def _crawford(value: object) -> Crawford:
    if not isinstance(value, str) or value not in list(Crawford):
        wrong("start.crawford", value, ", ".join(Crawford))
    return Crawford(value)


def _dice(value: object) -> tuple[int, ...]:
    if not isinstance(value, list) or not all(type(die) is int for die in value):
        wrong("start.dice", value, "a list of numbers such as [3, 1]")
    return tuple(value)
