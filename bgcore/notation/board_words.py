"""A board in words, for those who hear a picture: a headline and a description."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from bgcore.cube import Cube
from bgcore.position import Side
from bgcore.seat import Seat

LONGEST_NAME = 20
"""Characters of a name that are shown."""

# What XML cannot hold, and marks that would turn around what is written beside a name.
_UNWRITABLE = re.compile(
    "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
    "|[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
)


def readable(name: str, seat: Seat) -> str:
    r"""A name as it can be shown: on one line, not too long, the seat's own where there is none.

    >>> readable(" ann \n\x00 lee\u202e", Seat.WHITE), readable("", Seat.BLACK)
    ('ann � lee�', 'Black')
    """
    line = " ".join(_UNWRITABLE.sub("\ufffd", name[: 8 * LONGEST_NAME]).split())
    if len(line) > LONGEST_NAME:
        line = line[: LONGEST_NAME - 1].rstrip() + "…"
    return line or str(seat).capitalize()


def headline(
    name: str, dice: Sequence[int], offer: tuple[int, str] | None, *, to_play: bool
) -> str:
    """What happens on the board: `name` is on roll or plays; or the cube is offered at a value to somebody.

    >>> headline("Ann", (3, 1), None, to_play=True), headline("Ann", (), (2, "Bob"), to_play=True)
    ('Ann to play 3-1', 'cube offered to Bob at 2')
    """
    if offer is not None:
        value, answerer = offer
        return f"cube offered to {answerer} at {value}"
    if not to_play:
        return "nobody on roll"
    return f"{name} to play {'-'.join(map(str, dice))}" if dice else f"{name} on roll"


def describe(sides: Mapping[Seat, Side], names: Sequence[str], cube: Cube | None) -> str:
    """Where every checker is, each side in its own numbering, and the cube.

    >>> from bgcore import load
    >>> start = load().rules("western").start
    >>> describe({Seat.WHITE: start.mover}, ("Ann", "Bob"), Cube(2, Seat.BLACK))
    'Ann (White), 167 pips: 2 on 24, 5 on 13, 3 on 8, 5 on 6. Cube at 2, owned by Bob.'
    """
    told = [
        f"{names[seat]} ({str(seat).capitalize()}), {sides[seat].pips} pips: "
        f"{', '.join(_places(sides[seat]))}."
        for seat in sorted(sides)
    ]
    if cube is not None:
        where = "in the middle" if cube.owner is None else f"owned by {names[cube.owner]}"
        told.append(f"Cube at {cube.value}, {where}.")
    return " ".join(told)


def _places(side: Side) -> Iterator[str]:
    for place, count in (("on the bar", side.bar), ("not entered", side.unentered)):
        if count:
            yield f"{count} {place}"
    yield from (f"{count} on {point}" for point, count in side.points.items())
    yield from (f"1 pinned on {point}" for point in side.pinned)
    if side.off:
        yield f"{side.off} off"
