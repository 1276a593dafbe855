"""The shapes that a drawn board is made of: checkers, dice, the cube, and how an element is written.

Colours are attributes, and nothing has an id, so that pictures disturb neither each other nor the page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape, quoteattr

from bgcore.errors import Fault, NotationError
from bgcore.seat import Seat

CHECKER, DIE, CUBE = 40, 38, 42
"""Diameter of a checker; edges of a die and of the cube."""
RADIUS = CHECKER // 2
UNCOVERED = 22
"""How much of a pinned checker is left in sight by those above it."""

FILL = {Seat.WHITE: "#fffaf0", Seat.BLACK: "#26262b"}
RIM = {Seat.WHITE: "#6b5847", Seat.BLACK: "#000"}
RING = {Seat.WHITE: "#d6c4a4", Seat.BLACK: "#62626e"}
CUBE_FACE, CUBE_INK = "#fdfdfb", "#9c1c1c"
FACES = {  # which of the nine spots of a die's face are marked, row by row
    1: (4,),
    2: (2, 6),
    3: (2, 4, 6),
    4: (0, 2, 6, 8),
    5: (0, 2, 4, 6, 8),
    6: (0, 2, 3, 5, 6, 8),
}


def tag(name: str, *children: str, **attributes: object) -> str:
    """An element. Attributes are named as in Python, `class_` and `font_size`; children are markup.

    >>> tag("text", escape("a < b"), class_="name", x=1.50)
    '<text class="name" x="1.5">a &lt; b</text>'
    """
    told = "".join(
        f" {key.rstrip('_').replace('_', '-')}={_value(value)}" for key, value in attributes.items()
    )
    inside = "".join(children)
    return f"<{name}{told}>{inside}</{name}>" if inside else f"<{name}{told}/>"


def _value(value: object) -> str:
    return quoteattr(f"{value:g}" if isinstance(value, float) else str(value))


def text(x: float, y: float, words: object, size: float, **attributes: object) -> str:
    """Words whose digits and capitals are centred on y: baselines of viewers differ too much."""
    return tag("text", escape(str(words)), x=x, y=y + size * 0.36, font_size=size, **attributes)


@dataclass(frozen=True, slots=True)
class Column:
    """Where checkers pile up: the middle of a point or tray, its edge, and the way inwards (1: down)."""

    x: float
    edge: float
    inwards: int

    def at(self, distance: float) -> float:
        """The height of what lies so far inwards."""
        return self.edge + self.inwards * distance

    def raised(self, distance: float) -> Column:
        """The same column, begun further inwards."""
        return Column(self.x, self.at(distance), self.inwards)


def stack(column: Column, seat: Seat, count: int, tall: int) -> Iterator[str]:
    """Checkers of one side from the edge inwards, at most `tall`; a higher stack ends in its count."""
    shown = min(count, tall)
    for nth in range(shown):
        y = column.at(CHECKER * nth + RADIUS)
        yield tag("circle", cx=column.x, cy=y, r=RADIUS - 1)
        if count > tall and nth == shown - 1:
            yield number(column.x, y, seat, count)
        else:
            yield tag("circle", cx=column.x, cy=y, r=RADIUS - 8, stroke=RING[seat])


def pile(column: Column, seat: Seat, count: int) -> Iterator[str]:
    """Checkers on top of each other, seen a little aslant, under their count."""
    for nth in range(min(count, 3)):
        y = column.at(RADIUS + 6 * nth)
        yield tag("circle", cx=column.x, cy=y, r=RADIUS - 1)
    yield number(column.x, y, seat, count)


def number(x: float, y: float, seat: Seat, count: int) -> str:
    """A count on a checker of this seat."""
    size = 22 if count < 100 else 16
    return text(x, y, count, size, fill=FILL[seat.other], stroke="none", text_anchor="middle")


def slabs(column: Column, shown: int, thick: float) -> Iterator[str]:
    """Borne-off checkers, standing on their edges in the tray."""
    for nth in range(shown):
        y = min(column.at(thick * nth), column.at(thick * (nth + 1)))
        yield tag(
            "rect",
            x=column.x - RADIUS,
            y=y + 0.5,
            width=CHECKER,
            height=thick - 1,
            rx=min(3, thick / 3),
        )


def die(x: float, y: float, seat: Seat, face: int) -> str:
    """A die in the colour of whose it is; `NotationError` when it is not 1 to 6."""
    if face not in FACES:
        raise NotationError(Fault("BAD_DICE", "die", str(face), "1 to 6"))
    half = DIE / 2
    body = tag("rect", x=x - half, y=y - half, width=DIE, height=DIE, rx=7)
    pips = (
        tag("circle", cx=x + (spot % 3 - 1) * 11, cy=y + (spot // 3 - 1) * 11, r=3.8)
        for spot in FACES[face]
    )
    marks = tag("g", *pips, fill=FILL[seat.other], stroke="none")
    return tag(
        "g", body, marks, data_face=face, fill=FILL[seat], stroke=RIM[seat], stroke_width=1.5
    )


def cube(x: float, y: float, value: int, edge: float = CUBE) -> str:
    """The cube with this number up."""
    half, digits = edge / 2, len(str(value))
    size = edge * min(0.52, 1.25 / digits)
    face = tag("rect", x=x - half, y=y - half, width=edge, height=edge, rx=6, fill=CUBE_FACE)
    return face + text(x, y, value, size, fill=CUBE_INK, stroke="none", text_anchor="middle")


def polygon(corners: Sequence[tuple[float, float]]) -> str:
    """A closed line as a part of a path."""
    return "M" + "L".join(f"{x:g} {y:g}" for x, y in corners) + "Z"
