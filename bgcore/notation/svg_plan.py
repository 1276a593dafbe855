"""Where the parts of a drawn board lie, in the picture's own units; nothing here draws."""

from __future__ import annotations

from bgcore.notation.geometry import (
    LOWER_BAR,
    LOWER_EDGE,
    LOWER_LEFT,
    LOWER_RIGHT,
    UPPER_EDGE,
    UPPER_LEFT,
)
from bgcore.notation.svg_shapes import CHECKER, CUBE, Column

TALL, TALL_ON_BAR = 5, 3
"""Checkers that are drawn one by one on a point and on the bar; a higher stack ends in its count."""
LEFT_TRAYS = frozenset((UPPER_LEFT, LOWER_LEFT))

PITCH, BAR, TRAY = 44, 58, 60
FRAME, RAIL, STRIP, NAME = 14, 28, 46, 320
GAP = 64  # between the highest stacks of the two edges
HALF = PITCH * len(LOWER_EDGE) // 2
TOP = STRIP + RAIL
BOTTOM = TOP + 2 * TALL * CHECKER + GAP
MIDDLE = (TOP + BOTTOM) // 2
HEIGHT = BOTTOM + RAIL + STRIP


class Plan:
    """The places of one picture; the trays at the left are there only where something is kept in them.

    >>> western, parallel = Plan(left_trays=False), Plan(left_trays=True)
    >>> western.width, parallel.width, western.column(24)
    (672, 732, Column(x=578, edge=74, inwards=1))
    """

    def __init__(self, *, left_trays: bool) -> None:
        self.left = FRAME + TRAY * left_trays
        self.right = self.left + 2 * HALF + BAR
        self.bar = self.left + HALF + BAR // 2
        self.width = self.right + TRAY + FRAME - 2

    def column(self, place: int) -> Column:
        """Where the checkers of a place, 1 to 24, stand."""
        edge = LOWER_EDGE if place in LOWER_EDGE else UPPER_EDGE
        nth = edge.index(place)
        x = self.left + PITCH * nth + PITCH // 2 + BAR * (nth >= len(edge) // 2)
        return Column(x, BOTTOM, -1) if edge is LOWER_EDGE else Column(x, TOP, 1)

    def on_bar(self, place: int) -> Column:
        """The half of a bar, from beside the cube's place in the middle outwards."""
        outwards = 1 if place == LOWER_BAR else -1
        return Column(self.bar, MIDDLE + outwards * (CUBE // 2 + 6), outwards)

    def tray(self, place: int) -> Column:
        """A tray, from its edge inwards."""
        x = self.left - TRAY / 2 - 2 if place in (UPPER_LEFT, LOWER_LEFT) else self.right + TRAY / 2
        return Column(x, BOTTOM, -1) if place in (LOWER_LEFT, LOWER_RIGHT) else Column(x, TOP, 1)

    def half(self, down: int) -> float:
        """The middle of the half of the board at the right hand of who sits below (1) or above (-1)."""
        return self.bar + down * (HALF + BAR) / 2
