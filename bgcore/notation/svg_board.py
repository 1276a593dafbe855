"""A board drawn as SVG, whatever its layout and start: the places come from the rules' geometry.

The picture has its own background, and its colours are attributes: no style sheet, script, font or id, so
that it looks the same on a light page and on a dark one, and many may stand in one page. Groups say what
they show: `checkers`, `pinned`, `off` and `unentered` with `data-place` (see `bgcore.notation.geometry`),
`data-seat` and `data-count`; `numbers`, `cube`, `dice` and `player` with `data-seat` where there is one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from bgcore.axes import Entry
from bgcore.cube import NEW_CUBE, Cube
from bgcore.notation import svg_shapes as shapes
from bgcore.notation.board_words import describe, headline, readable
from bgcore.notation.geometry import SeatPlaces, places
from bgcore.notation.svg_plan import (
    BOTTOM,
    GAP,
    HALF,
    HEIGHT,
    LEFT_TRAYS,
    MIDDLE,
    NAME,
    PITCH,
    RAIL,
    STRIP,
    TALL,
    TALL_ON_BAR,
    TOP,
    Plan,
)
from bgcore.notation.svg_shapes import CHECKER, CUBE, RADIUS, UNCOVERED, Column, tag, text
from bgcore.notation.svg_wood import INK, RIDGE, wood
from bgcore.position import Position, Side
from bgcore.rules import Rules
from bgcore.seat import Seat

THINNEST = 4
"""How thin a borne-off checker may be drawn; where more would be needed the count alone says it."""
NEW_CUBE_SHOWS = 64
"""A cube has no 1: one that nobody has turned lies with its 64 up."""

GROOVE, LIT, SIGNAL = "#8a6647", "#6b4632", "#ffc44d"
CAPTION = {"fill": INK, "stroke": "none", "text_anchor": "middle"}


def svg_board(
    rules: Rules,
    position: Position,
    seat: Seat,
    *,
    cube: Cube | None = NEW_CUBE,
    dice: Sequence[int] = (),
    offered: int | None = None,
    answering: Seat | None = None,
    to_play: bool = True,
    bottom: Seat = Seat.WHITE,
    numbers: Seat | None = None,
    names: tuple[str, str] = ("", ""),
    score: tuple[int, int] | None = None,
    length: int | None = None,
) -> str:
    r"""The picture of a board whose mover sits at `seat`, as the text of an SVG document.

    `cube` is `None` when it is not in play. `dice` lie at the mover's right hand in his colour. `offered`
    is the value of a double that waits for the answer of `answering`, of the opponent if nobody is named (a
    beaver comes back to the mover, M4); the cube then lies at his right hand.
    `to_play=False`: nobody is on roll. `bottom` sits at the lower edge with his 1-point at the right.
    Points carry the numbers of `numbers`; without one the mover's, which are those of his plays.
    `names` (any text), `score` and the match's `length` in points are White's first.
    `NotationError` for a die that is not 1 to 6.

    >>> from bgcore import load
    >>> western = load().rules("western")
    >>> picture = svg_board(western, western.start, Seat.WHITE, dice=(3, 1))
    >>> picture[:picture.index("<title>")]  # doctest: +NORMALIZE_WHITESPACE
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 672 612" role="img"
    aria-label="Backgammon: White to play 3-1" font-family="sans-serif" font-weight="bold">\n'
    """
    called = (readable(names[Seat.WHITE], Seat.WHITE), readable(names[Seat.BLACK], Seat.BLACK))
    sides = {seat: position.mover, seat.other: position.opponent}
    near, far = places(rules)
    board = _Board(
        rules,
        _Player(bottom, sides[bottom], near, 1),
        _Player(bottom.other, sides[bottom.other], far, -1),
    )
    mover = board.player(seat)
    answerer = board.player(seat.other if answering is None else answering)
    offer = None if offered is None else (offered, called[answerer.seat])
    title = f"{rules.variant.title}: {headline(called[seat], dice, offer, to_play=to_play)}"
    parts = [
        tag("title", escape(title)),
        tag("desc", escape(describe(sides, called, cube if offered is None else None))),
        *wood(board.plan, HEIGHT),
        board.numbers(mover if numbers is None else board.player(numbers)),
        *board.checkers(),
        *board.trays(),
    ]
    if offered is not None:
        parts.append(board.offer(answerer, offered))
    elif cube is not None:
        parts.append(board.cube(cube))
    if dice:
        parts.append(board.dice(mover, dice))
    for player in (board.far, board.near):
        points = "" if score is None else _points(score[player.seat], length)
        on_roll = to_play and player is mover
        parts.append(board.strip(player, called[player.seat], points, on_roll=on_roll))
    return tag(
        "svg",
        *(f"\n{part}" for part in parts),
        "\n",
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {board.plan.width} {HEIGHT}",
        role="img",
        aria_label=title,
        font_family="sans-serif",
        font_weight="bold",
    )


def _points(score: int, length: int | None) -> str:
    return f"score {score}" if length is None else f"{score} of {length}"


@dataclass(frozen=True, slots=True)
class _Player:
    """A seat, its checkers, where they are drawn, and whether it sits below (1) or above (-1)."""

    seat: Seat
    side: Side
    places: SeatPlaces
    down: int


class _Board:
    """One picture, a part of it at a time."""

    def __init__(self, rules: Rules, near: _Player, far: _Player) -> None:
        self.near, self.far = near, far
        self.checkers_of_a_side = rules.variant.checkers
        self.enters = rules.variant.entry is not Entry.NONE
        trays = {tray for tray, *_ in self._kept()}
        self.plan = Plan(left_trays=bool(trays & LEFT_TRAYS))

    def player(self, seat: Seat) -> _Player:
        """Who sits there."""
        return self.near if self.near.seat is seat else self.far

    def numbers(self, player: _Player) -> str:
        """The points as a player numbers them."""
        columns = map(self.plan.column, player.places.points)
        written = (text(at.x, at.at(-RAIL / 2), own, 18) for own, at in enumerate(columns, 1))
        told = {"class_": "numbers", "data_seat": player.seat}
        return tag("g", *written, **told, fill=INK, text_anchor="middle")

    def checkers(self) -> Iterator[str]:
        """The checkers on points and on the bar; a pinned one peeps out under those that pin it."""
        players = (self.far, self.near)
        under = {
            player.places.of(point): player for player in players for point in player.side.pinned
        }
        for place, player in under.items():
            drawn = shapes.stack(self.plan.column(place), player.seat, 1, TALL)
            yield _group("pinned", place, player, 1, drawn)
        for player in players:
            for point, count in player.side.points.items():
                place = player.places.of(point)
                column, tall = self.plan.column(place), TALL
                if place in under:
                    column, tall = column.raised(UNCOVERED), TALL - 1
                drawn = shapes.stack(column, player.seat, count, tall)
                yield _group("checkers", place, player, count, drawn)
            if count := player.side.bar:
                place = player.places.bar
                drawn = shapes.stack(self.plan.on_bar(place), player.seat, count, TALL_ON_BAR)
                yield _group("checkers", place, player, count, drawn)

    def trays(self) -> Iterator[str]:
        """What has been borne off and what has not been entered; those that share a tray divide it."""
        kept = list(self._kept())
        sharing = Counter(tray for tray, *_ in kept)
        begun: Counter[int] = Counter()
        for tray, kind, player, count in kept:
            room = (TALL * CHECKER + GAP / 2 - 8) / sharing[tray]
            column = self.plan.tray(tray).raised(room * begun[tray])
            begun[tray] += 1
            if kind == "off":
                drawn = self._off(column, count, room)
            else:
                drawn = self._unentered(column, player.seat, count)
            yield _group(kind, tray, player, count, drawn)

    def _kept(self) -> Iterator[tuple[int, str, _Player, int]]:
        """What each tray is for, from its edge inwards: the tray, the word, whose, how many."""
        for player in (self.near, self.far):
            yield player.places.off, "off", player, player.side.off
        for player in (self.near, self.far) if self.enters else ():
            yield player.places.unentered, "unentered", player, player.side.unentered

    def _off(self, column: Column, count: int, room: float) -> Iterator[str]:
        """A groove with the checkers in it, and their count at its inner end."""
        x, y, deep = column.x - RADIUS - 4, min(column.edge, column.at(room - 4)), room - 4
        wood = {"fill": GROOVE, "stroke": RIDGE}
        yield tag("rect", x=x, y=y, width=CHECKER + 8, height=deep, rx=5, **wood)
        if count:
            most = min(self.checkers_of_a_side, (room - 32) // THINNEST)
            thick = min((room - 32) // most, CHECKER // 3)
            yield from shapes.slabs(column.raised(2), int(min(count, most)), thick)
            yield text(column.x, column.at(room - 17), count, 20, **CAPTION)

    def _unentered(self, column: Column, seat: Seat, count: int) -> Iterator[str]:
        """A pile with its count, and what it is there for."""
        if count:
            yield from shapes.pile(column, seat, count)
            yield text(column.x, column.at(2 * CHECKER - 16), "enter", 14, **CAPTION)

    def cube(self, cube: Cube) -> str:
        """The cube on the bar: in the middle, or at its owner's end."""
        shown = NEW_CUBE_SHOWS if cube.value == 1 else cube.value
        told: dict[str, object] = {"class_": "cube", "data_value": cube.value}
        y = MIDDLE
        if cube.owner is not None:
            y += self.player(cube.owner).down * ((BOTTOM - TOP - CUBE) // 2 - 4)
            told["data_seat"] = cube.owner
        return tag("g", shapes.cube(self.plan.bar, y, shown), **told, stroke=RIDGE)

    def offer(self, answering: _Player, value: int) -> str:
        """A double on offer, on the half of who must answer it."""
        face = shapes.cube(self.plan.half(answering.down), MIDDLE, value, CUBE + 10)
        return tag("g", face, class_="offer", data_value=value, stroke=SIGNAL, stroke_width=4)

    def dice(self, mover: _Player, dice: Sequence[int]) -> str:
        """The dice at the right hand of who threw them."""
        pitch = min(PITCH + 4, HALF / len(dice))
        first = self.plan.half(mover.down) - pitch * (len(dice) - 1) / 2
        faces = (shapes.die(first + pitch * n, MIDDLE, mover.seat, d) for n, d in enumerate(dice))
        return tag("g", *faces, class_="dice", data_seat=mover.seat)

    def strip(self, player: _Player, name: str, points: str, *, on_roll: bool) -> str:
        """A player's line above or below the board: who it is, his points, his pips; lit up on roll."""
        seat, left, right = player.seat, self.plan.left, self.plan.right
        middle = STRIP // 2 + 2 if player.down < 0 else HEIGHT - STRIP // 2 - 2
        drawn = []
        if on_roll:
            wide, arrow = self.plan.width - 16, [(2, -9), (2, 9), (16, 0)]
            drawn += [
                tag("rect", x=8, y=middle - 18, width=wide, height=36, rx=8, fill=LIT),
                tag(
                    "path",
                    d=shapes.polygon([(left + x, middle + y) for x, y in arrow]),
                    class_="on-roll",
                    fill=SIGNAL,
                ),
            ]
        disc = {"fill": shapes.FILL[seat], "stroke": shapes.RIM[seat]}
        drawn.append(tag("circle", cx=left + 34, cy=middle, r=11, **disc))
        # An inner picture cuts off a name that is too wide, whatever it is made of.
        written = text(0, STRIP / 2, name, 20, class_="name")
        box = {"x": left + 54, "y": middle - STRIP // 2, "width": NAME, "height": STRIP}
        drawn.append(tag("svg", written, **box))
        if points:
            at = right - 125
            drawn.append(text(at, middle, points, 20, class_="score", text_anchor="end"))
        pips = f"{player.side.pips} pips"
        drawn.append(text(right, middle, pips, 20, class_="pips", text_anchor="end"))
        return tag("g", *drawn, class_="player", data_seat=seat, fill=INK)


def _group(kind: str, place: int, player: _Player, count: int, drawn: Iterable[str]) -> str:
    told = {"class_": kind, "data_place": place, "data_seat": player.seat, "data_count": count}
    paint = {"fill": shapes.FILL[player.seat], "stroke": shapes.RIM[player.seat]}
    return tag("g", *drawn, **told, **paint, stroke_width=1.5)
