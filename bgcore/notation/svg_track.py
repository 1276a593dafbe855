"""How each side runs round the board, drawn as SVG: from the start or the entry to home and off.

Everything follows from the geometry of the layout. Numbers at the board's edge are White's, the outer ones
Black's; the groups `track` carry `data-seat`, and in `data-places` the places (`bgcore.notation.geometry`) in
the order in which a checker of that side passes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import escape

from bgcore.axes import Contact, Entry
from bgcore.notation import svg_shapes as shapes
from bgcore.notation.geometry import LOWER_EDGE, SeatPlaces, places
from bgcore.notation.svg_plan import HEIGHT, LEFT_TRAYS, PITCH, RAIL, Plan
from bgcore.notation.svg_shapes import tag, text
from bgcore.notation.svg_wood import INK, wood
from bgcore.position import POINTS
from bgcore.rules import Rules
from bgcore.seat import Seat

LANE = {Seat.WHITE: 86, Seat.BLACK: 148}
"""How far from the edge a side's way is drawn."""
BAND = {Seat.WHITE: 4, Seat.BLACK: 32}
"""How far from the edge it is written what a quarter is to a side."""
ASIDE = {Seat.WHITE: -13, Seat.BLACK: 13}
"""Where both sides use one tray."""
BAND_DEEP, DISC, QUARTER, LEGEND, TURN = 26, 14, 6, 40, 8
ARROWS = range(POINTS - QUARTER // 2, 0, -QUARTER)
"""An arrow stands before each of these points, in the middle of a quarter."""

Spot = tuple[float, float]


def svg_track(rules: Rules) -> str:
    """The picture of both ways, as the text of an SVG document.

    >>> from bgcore import load
    >>> picture = svg_track(load().rules("western"))
    >>> picture[picture.index("<title>"):picture.index("</title>")]
    '<title>Backgammon: the way round'
    """
    near, far = places(rules)
    sides = (_Side(rules, Seat.WHITE, near), _Side(rules, Seat.BLACK, far))
    trays = {tray for side in sides for tray in side.trays}
    plan = Plan(left_trays=bool(trays & LEFT_TRAYS))
    title = f"{rules.variant.title}: the way round"
    height = HEIGHT + LEGEND
    parts = [
        tag("title", escape(title)),
        tag("desc", escape(" ".join(side.words() for side in sides))),
        *wood(plan, height),
        *(part for side in sides for part in side.numbers(plan)),
        *(part for side in sides for part in side.bands(plan)),
        *(side.track(plan) for side in sides),
        *_legend(plan),
    ]
    return tag(
        "svg",
        *(f"\n{part}" for part in parts),
        "\n",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {plan.width} {height}",
        role="img",
        aria_label=title,
        font_family="sans-serif",
        font_weight="bold",
    )


def _legend(plan: Plan) -> Iterator[str]:
    y = HEIGHT + LEGEND / 2 - 8
    for seat, numbers in ((Seat.WHITE, "numbers at the board"), (Seat.BLACK, "numbers outside")):
        x = plan.left + 14 + (plan.right - plan.left) / 2 * seat
        yield tag("circle", cx=x, cy=y, r=9, fill=shapes.FILL[seat], stroke=shapes.RIM[seat])
        yield text(x + 18, y, f"{str(seat).capitalize()}: {numbers}", 17, fill=INK)


class _Side:
    """One side's way, a part of it at a time."""

    def __init__(self, rules: Rules, seat: Seat, places: SeatPlaces) -> None:
        self.seat, self.places = seat, places
        self.start = rules.start.mover
        self.enters = rules.variant.entry is not Entry.NONE or rules.variant.contact is Contact.HIT
        self.name = str(seat).capitalize()

    @property
    def way(self) -> list[int]:
        """The places in the order in which a checker passes them."""
        return [self.places.of(point) for point in range(POINTS, 0, -1)]

    @property
    def trays(self) -> Iterator[int]:
        yield self.places.off
        if self.start.unentered:
            yield self.places.unentered

    def words(self) -> str:
        """The way, for those who hear the picture."""
        corners = (self.places.of(point) for point in (24, 13, 12, 1))
        first, turn, after, last = map(_corner, corners)
        return f"{self.name} runs from the {first} to the {turn}, goes on at the {after}, and is home at the {last}."

    def numbers(self, plan: Plan) -> Iterator[str]:
        """This side's own number of each point, White's on the rail and Black's outside it."""
        out = RAIL / 2 if self.seat is Seat.WHITE else RAIL + 13
        size = 18 if self.seat is Seat.WHITE else 16
        columns = map(plan.column, self.places.points)
        written = (text(at.x, at.at(-out), own, size) for own, at in enumerate(columns, 1))
        told = {"class_": "numbers", "data_seat": self.seat, "text_anchor": "middle"}
        yield tag("g", *written, fill=INK if self.seat is Seat.WHITE else "#c9a37c", **told)

    def bands(self, plan: Plan) -> Iterator[str]:
        """What the first and the last quarter are to this side."""
        yield self._band(plan, "home", 1)
        if self.enters:
            yield self._band(plan, "enters", POINTS - QUARTER + 1)

    def _band(self, plan: Plan, what: str, lowest: int) -> str:
        points = range(lowest, lowest + QUARTER)
        columns = [plan.column(self.places.of(point)) for point in points]
        left, right = min(at.x for at in columns), max(at.x for at in columns)
        deep = BAND[self.seat]
        y = min(columns[0].at(deep), columns[0].at(deep + BAND_DEEP))
        box = {"x": left - PITCH / 2 + 3, "y": y, "width": right - left + PITCH - 6}
        paint = {"fill": shapes.FILL[self.seat], "stroke": shapes.RIM[self.seat], "rx": 6}
        words = f"{self.name} enters" if what == "enters" else f"{self.name}’s home"
        ink = {"fill": shapes.FILL[self.seat.other], "stroke": "none", "text_anchor": "middle"}
        written = text((left + right) / 2, y + BAND_DEEP / 2, words, 16, **ink)
        rect = tag("rect", height=BAND_DEEP, **box, **paint)
        return tag("g", rect, written, class_=what, data_seat=self.seat)

    def track(self, plan: Plan) -> str:
        """The line, its arrows, and the checkers of the start on it."""
        line = "M" + "L".join(f"{x:g} {y:g}" for x, y in self._line(plan))
        rim, fill = shapes.RIM[self.seat], shapes.FILL[self.seat]
        shape = {"fill": "none", "stroke_linejoin": "round", "stroke_linecap": "round"}
        drawn = [
            tag("path", d=line, stroke=rim, stroke_width=9, **shape),
            tag("path", d=line, stroke=fill, stroke_width=6, **shape),
            tag("path", d="".join(self._arrows(plan)), fill=fill, stroke=rim, stroke_width=1.5),
            *self._start(plan),
            text(
                *self._beside(plan, self.places.off, 22), "off", 13, fill=INK, text_anchor="middle"
            ),
        ]
        told = " ".join(map(str, self.way))
        return tag("g", *drawn, class_="track", data_seat=self.seat, data_places=told)

    def _spot(self, plan: Plan, place: int) -> Spot:
        column = plan.column(place)
        return column.x, column.at(LANE[self.seat])

    def _line(self, plan: Plan) -> Iterator[Spot]:
        """The corners of the line: out of the tray if checkers have to be entered, round, and off."""
        if self.start.unentered:
            yield self._waiting(plan)
            yield self._beside(plan, self.places.unentered, LANE[self.seat])
        before = None
        for place in self.way:
            if before is not None and (before in LOWER_EDGE) != (place in LOWER_EDGE):
                yield from self._turn(plan, before, place)
            elif before is None or abs(before - place) != 1:
                yield self._spot(plan, place)
            before = place
        yield self._beside(plan, self.places.off, LANE[self.seat])
        yield self._beside(plan, self.places.off, 52)

    def _turn(self, plan: Plan, before: int, place: int) -> Iterator[Spot]:
        """From one edge to the other, White outside."""
        (x, y), (_, then) = self._spot(plan, before), self._spot(plan, place)
        outwards = 1 if x > plan.bar else -1
        x += outwards * (TURN if self.seat is Seat.WHITE else -TURN)
        yield from ((x, y), (x, then))

    def _beside(self, plan: Plan, tray: int, deep: float) -> Spot:
        column = plan.tray(tray)
        return column.x + ASIDE[self.seat], column.at(deep)

    def _waiting(self, plan: Plan) -> Spot:
        """Where the checkers wait that have to be entered."""
        return self._beside(plan, self.places.unentered, LANE[self.seat] - 34)

    def _arrows(self, plan: Plan) -> Iterator[str]:
        for point in ARROWS:
            (x, y), (to, _) = (self._spot(plan, self.places.of(at)) for at in (point + 1, point))
            ahead = 12 if to > x else -12
            middle = (x + to) / 2
            yield shapes.polygon(
                [(middle - ahead, y - 11), (middle - ahead, y + 11), (middle + ahead, y)]
            )
        x, y = self._beside(plan, self.places.off, 52)
        outwards = -plan.tray(self.places.off).inwards * 14
        yield shapes.polygon(
            [(x - 10, y - outwards / 3), (x + 10, y - outwards / 3), (x, y + outwards)]
        )

    def _start(self, plan: Plan) -> Iterator[str]:
        spots = [(self._spot(plan, self.places.of(at)), n) for at, n in self.start.points.items()]
        if self.start.unentered:
            spots.append((self._waiting(plan), self.start.unentered))
        paint = {"fill": shapes.FILL[self.seat], "stroke": shapes.RIM[self.seat]}
        for (x, y), count in spots:
            yield tag("circle", cx=x, cy=y, r=DISC, stroke_width=2, **paint)
            yield shapes.number(x, y, self.seat, count).replace('font-size="22"', 'font-size="16"')


def _corner(place: int) -> str:
    edge = "lower" if place in LOWER_EDGE else "upper"
    return f"{edge} {'right' if place in (1, POINTS) else 'left'}"
