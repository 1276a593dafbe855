"""A board as a line: `24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5`, the mover's side first.

Each side is in its own numbering, `point:checkers` from the farthest; beside points there are `bar:1`,
`in:2` (unentered), `pin:17` (a checker of this side lies pinned there) and `off:3`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from bgcore.errors import Fault, NotationError
from bgcore.position import Position
from bgcore.setup import Setup, SideSetup

LONGEST = 2000
"""Characters that are read; a full board takes some 300."""

_PLACES = {"bar": "bar", "in": "unentered", "reserve": "unentered", "off": "off", "pin": "pin"}
_TOKEN = re.compile(r"[^\s,;/|]+")
_ENTRY = re.compile(r"([a-z]+|\d{1,10})[:=](\d{1,10})", re.IGNORECASE | re.ASCII)


def write_board(board: Position | Setup) -> str:
    """The text of a board; places without checkers are left out.

    >>> from bgcore.setup import SideSetup
    >>> write_board(Setup(SideSetup({6: 1, 24: 2}, bar=1), SideSetup({}, off=15)))
    'bar:1 24:2 6:1 / off:15'
    """
    setup = board.setup if isinstance(board, Position) else board
    return f"{_write_side(setup.mover)} / {_write_side(setup.opponent)}".strip()


def _write_side(side: SideSetup) -> str:
    entries = [("bar", side.bar), ("in", side.unentered)]
    entries += sorted(side.points.items(), reverse=True)  # type: ignore[arg-type]  # points are numbers
    entries += [("pin", point) for point in sorted(side.pinned, reverse=True)]
    entries += [("off", side.off or 0)]
    return " ".join(f"{place}:{count}" for place, count in entries if count)


def read_board(text: str) -> Setup:
    """The setup that a text claims; `NotationError` names the column and what was expected there.

    Any order within a side, commas, capitals and `|` between the sides are taken too. What a side does
    not account for is borne off.

    >>> read_board("13:5, BAR:1 | 6:2").mover
    SideSetup(points={13: 5}, bar=1, off=None, unentered=0, pinned=())
    >>> read_board("24:2 13-5 / 6:2")
    Traceback (most recent call last):
    bgcore.errors.NotationError: column 6 13-5: expected a place and a count such as 13:5, bar:1 or off:3
    """
    if len(text) > LONGEST:
        raise _unreadable("TEXT_TOO_LONG", LONGEST + 1, "", f"at most {LONGEST} characters")
    cuts = [found.start() for found in re.finditer(r"[/|]", text)]
    if len(cuts) != 1:
        column, found = (len(text) + 1, "the end") if not cuts else (cuts[1] + 1, text[cuts[1]])
        raise _unreadable(
            "BAD_BOARD_TEXT", column, found, "two sides with one / between them, the mover's first"
        )
    cut = cuts[0]
    return Setup(_read_side(text, 0, cut), _read_side(text, cut + 1, len(text)))


@dataclass(frozen=True, slots=True)
class _Entry:
    place: str
    count: int
    column: int
    text: str


def _entries(text: str, start: int, end: int) -> Iterator[_Entry]:
    for token in _TOKEN.finditer(text, start, end):
        column, word = token.start() + 1, token.group()
        entry = _ENTRY.fullmatch(word)
        place = entry[1].lower() if entry else ""
        if entry is None or not (place.isdigit() or place in _PLACES):
            expected = "a place and a count such as 13:5, bar:1 or off:3"
            raise _unreadable("BAD_BOARD_TEXT", column, word, expected)
        yield _Entry(_PLACES.get(place, place), int(entry[2]), column, word)


def _read_side(text: str, start: int, end: int) -> SideSetup:
    points: dict[int, int] = {}
    counts: dict[str, int] = {}
    pinned: list[int] = []
    for entry in _entries(text, start, end):
        if entry.place == "pin":
            pinned.append(entry.count)
            continue
        known: dict[int, int] | dict[str, int] = points if entry.place.isdigit() else counts
        key = int(entry.place) if entry.place.isdigit() else entry.place
        if key in known:
            raise _unreadable(
                "PLACE_TWICE", entry.column, entry.text, "each place at most once a side"
            )
        known[key] = entry.count  # type: ignore[index]  # numbers go to points, words to counts
    return SideSetup(
        points, counts.get("bar", 0), counts.get("off"), counts.get("unentered", 0), tuple(pinned)
    )


def _unreadable(reason: str, column: int, found: str, expected: str) -> NotationError:
    shown = found if len(found) <= 40 else found[:40] + "…"
    return NotationError(Fault(reason, f"column {column}", shown, expected))
