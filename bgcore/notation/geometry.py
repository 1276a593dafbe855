"""Where the places of each seat lie on a drawn board.

A board has places 1 to 12 along the lower edge from right to left and 13 to 24 along the upper edge from
left to right. 25 and 26 are the lower and the upper half of the bar; 27, 28, 29 and 30 the trays at the
lower right, upper right, upper left and lower left, each beside the place 1, 24, 13 or 12.

Everything here follows from the layout, that is from how the two sides number the same point.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from bgcore.position import POINTS
from bgcore.rules import Rules

LOWER_EDGE = tuple(range(POINTS // 2, 0, -1))
"""The places along the lower edge, from left to right."""
UPPER_EDGE = tuple(range(POINTS // 2 + 1, POINTS + 1))
"""The places along the upper edge, from left to right."""
LOWER_BAR, UPPER_BAR = 25, 26
LOWER_RIGHT, UPPER_RIGHT, UPPER_LEFT, LOWER_LEFT = 27, 28, 29, 30
TRAYS = {1: LOWER_RIGHT, POINTS: UPPER_RIGHT, 13: UPPER_LEFT, 12: LOWER_LEFT}
"""The tray beside each corner of the drawn board."""


@dataclass(frozen=True, slots=True)
class SeatPlaces:
    """The places of one seat: `points[n - 1]` is where its own point n lies."""

    points: tuple[int, ...]
    bar: int

    @property
    def off(self) -> int:
        """The tray of its borne-off checkers, beside its own 1-point."""
        return TRAYS[self.points[0]]

    @property
    def unentered(self) -> int:
        """The tray of its unentered checkers, beside its own 24-point."""
        return TRAYS[self.points[-1]]

    def of(self, point: int) -> int:
        """Where an own point, 1 to 24, lies."""
        return self.points[point - 1]


class Places(NamedTuple):
    """The places of the seat that sits at the lower edge, and of the other one."""

    near: SeatPlaces
    far: SeatPlaces


def places(rules: Rules) -> Places:
    """Where either seat's checkers are drawn: the near seat's own point n is the place n.

    Each map of the layouts is its own inverse, so it does not matter which seat sits at the lower edge.

    >>> from bgcore import load
    >>> western, gul_bara = (places(load().rules(id)) for id in ("western", "gul-bara"))
    >>> western.near.of(6), western.far.of(6), western.near.off, western.far.off
    (6, 19, 27, 28)
    >>> gul_bara.far.of(24), gul_bara.far.off, gul_bara.far.unentered
    (12, 29, 30)
    """
    own = range(1, POINTS + 1)
    return Places(
        SeatPlaces(tuple(own), LOWER_BAR),
        SeatPlaces(tuple(map(rules.opponents_point, own)), UPPER_BAR),
    )
