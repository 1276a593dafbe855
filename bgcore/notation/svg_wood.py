"""A drawn board without anything on it: the frame, the two halves of the field, and the points."""

from __future__ import annotations

from collections.abc import Iterator

from bgcore.notation.geometry import LOWER_EDGE, UPPER_EDGE
from bgcore.notation.svg_plan import BAR, BOTTOM, HALF, PITCH, TALL, TOP, Plan
from bgcore.notation.svg_shapes import CHECKER, Column, polygon, tag

WOOD, RIDGE, INK = "#4a2f22", "#2f1d14", "#f5e8cf"
FIELD, DARK, LIGHT = "#ead9b8", "#a65f3b", "#d3a877"


def wood(plan: Plan, height: int) -> Iterator[str]:
    """The board of a picture that is so high; its points are in turn dark and light."""
    yield tag("rect", width=plan.width, height=height, rx=12, fill=WOOD)
    field = {"fill": FIELD, "stroke": RIDGE, "stroke_width": 2}
    for x in (plan.left, plan.bar + BAR // 2):
        yield tag("rect", x=x, y=TOP, width=HALF, height=BOTTOM - TOP, **field)
    for odd, colour in enumerate((LIGHT, DARK)):
        places = (place for place in UPPER_EDGE + LOWER_EDGE if place % 2 == odd)
        triangles = "".join(_triangle(plan.column(place)) for place in places)
        yield tag("path", d=triangles, class_="points", fill=colour)


def _triangle(column: Column) -> str:
    x, edge, half = column.x, column.edge, PITCH / 2 - 1
    tip = column.at(TALL * CHECKER - 6)
    return polygon([(x - half, edge), (x + half, edge), (x, tip)])
