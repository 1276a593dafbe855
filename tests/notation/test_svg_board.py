"""Drawings are read back as a viewer would: from circles, rectangles and numbers, and where they lie."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bgcore import Cube, NotationError, Position, Rules, Seat, load
from bgcore.axes import Entry, Layout
from bgcore.notation.board_text import read_board
from bgcore.notation.svg_board import svg_board
from bgcore.testing.games import Visit

from .boards import kept
from .positions import visits

WHITE, BLACK = Seat.WHITE, Seat.BLACK
SVG = "{http://www.w3.org/2000/svg}"
SHADE = {"#fffaf0": WHITE, "#26262b": BLACK}
KEPT = list(kept())
SEATS = st.sampled_from(Seat)


@dataclass(frozen=True)
class Disc:
    """A checker seen from above."""

    seat: Seat
    x: float
    y: float
    kind: str


class Picture:
    """What can be seen in a drawing."""

    def __init__(self, drawn: str) -> None:
        self.root = ET.fromstring(drawn)

    def groups(self, kind: str) -> Iterator[ET.Element]:
        return (g for g in self.root.iter(f"{SVG}g") if g.get("class") == kind)

    def group(self, kind: str) -> ET.Element:
        (only,) = self.groups(kind)
        return only

    def texts(self, kind: str) -> list[str]:
        return [t.text or "" for t in self.root.iter(f"{SVG}text") if t.get("class") == kind]

    def told(self, name: str) -> str:
        return self.root.findtext(f"{SVG}{name}") or ""

    @property
    def numbers(self) -> dict[int, tuple[float, bool]]:
        """How far right each number is written, and whether on the upper edge."""
        at = [(int(t.text or ""), number(t, "x"), number(t, "y")) for t in self.group("numbers")]
        assert len(at) == len({point for point, *_ in at})
        middle = sum(y for *_, y in at) / len(at)
        return {point: (x, y < middle) for point, x, y in at}

    def discs(self, *kinds: str) -> list[Disc]:
        return [
            Disc(SHADE[g.get("fill", "")], *centre, kind)
            for kind in kinds
            for g in self.groups(kind)
            for centre in sorted(
                {(number(c, "cx"), number(c, "cy")) for c in g.iter(f"{SVG}circle")}
            )
        ]

    def stacks(self, kind: str, seat: Seat) -> Counter[tuple[float, bool]]:
        """Checkers by how far right they are, and on which edge: those drawn, or the count on them."""
        found: Counter[tuple[float, bool]] = Counter()
        for g in self.groups(kind):
            if SHADE[g.get("fill", "")] is seat:
                centres = {(number(c, "cx"), number(c, "cy")) for c in g.iter(f"{SVG}circle")}
                (x,) = {x for x, _ in centres}
                (up,) = {y < self.middle for _, y in centres}
                count = g.findtext(f"{SVG}text")
                found[x, up] += int(count) if count else len(centres)
        return found

    def kept(self, kind: str, seat: Seat) -> int:
        """The checkers of a seat in trays of a kind, by the number written there."""
        texts = [
            g.findtext(f"{SVG}text") or "0"
            for g in self.groups(kind)
            if SHADE[g.get("fill", "")] is seat
        ]
        return sum(map(int, texts))

    @property
    def middle(self) -> float:
        return float(self.root.get("viewBox", "").split()[3]) / 2

    def boxes(self, *kinds: str) -> list[tuple[float, float, float, float]]:
        """Left, top, width and height of what is rectangular: dice, the cube, trays and slabs."""
        return [
            (number(r, "x"), number(r, "y"), number(r, "width"), number(r, "height"))
            for kind in kinds
            for g in self.groups(kind)
            for r in g.iter(f"{SVG}rect")
        ]


def number(element: ET.Element, name: str) -> float:
    return float(element.get(name, "nan"))


def board(text: str, under: Rules) -> Position:
    return under.position(read_board(text))


def western() -> Rules:
    return load().rules("western")


def with_entry(layout: Layout) -> Rules:
    """Western as if all checkers had to be entered first, on any layout."""
    return Rules(replace(western().variant, layout=layout, entry=Entry.FREELY, start={}))


def same_checkers(picture: Picture, position: Position, seat: Seat, numbered: Seat) -> None:
    """The side that the points are numbered for stands at the numbers where it says it stands."""
    side = position.mover if seat is numbered else position.opponent
    at = picture.numbers
    points = {at[point]: count for point, count in side.points.items()}
    drawn = picture.stacks("checkers", numbered)
    on_bar = sum(count for place, count in drawn.items() if place not in at.values())
    assert {place: count for place, count in drawn.items() if place in at.values()} == points
    assert on_bar == side.bar
    assert picture.stacks("pinned", numbered) == Counter(at[point] for point in side.pinned)
    assert picture.kept("off", numbered) == side.off
    assert picture.kept("unentered", numbered) == side.unentered


@given(visits(), SEATS, SEATS, SEATS)
def test_every_checker_is_drawn_where_its_side_says_it_is(
    visit: Visit, seat: Seat, bottom: Seat, numbered: Seat
) -> None:
    under, position = visit.plays.rules, visit.position
    drawn = svg_board(under, position, seat, bottom=bottom, numbers=numbered)
    same_checkers(Picture(drawn), position, seat, numbered)


@given(visits(), SEATS, SEATS, st.sampled_from([None, Cube(), Cube(2, WHITE), Cube(4, BLACK)]))
def test_nothing_lies_over_anything_else(
    visit: Visit, seat: Seat, bottom: Seat, cube: Cube | None
) -> None:
    under, dice = visit.plays.rules, visit.plays.numbers
    picture = Picture(svg_board(under, visit.position, seat, cube=cube, dice=dice, bottom=bottom))
    discs = picture.discs("checkers", "pinned", "unentered")
    for nth, one in enumerate(discs):
        for other in discs[nth + 1 :]:
            apart = math.dist((one.x, one.y), (other.x, other.y))
            kinds = {one.kind, other.kind}
            # What is to be entered is kept as a pile, with its number on it.
            least = 5 if kinds == {"unentered"} else 20 if "pinned" in kinds else 38
            assert apart >= least
    boxes = picture.boxes("dice", "cube", "off")
    for x, y, width, height in boxes:
        for disc in discs:
            near_x = min(max(disc.x, x), x + width)
            near_y = min(max(disc.y, y), y + height)
            assert math.dist((disc.x, disc.y), (near_x, near_y)) >= 19
    for x, y, width, height in boxes:
        assert x >= 0 and x + width <= float(picture.root.get("viewBox", "").split()[2])
        assert y >= 0 and y + height <= 2 * picture.middle


@given(visits(), SEATS)
def test_handing_over_and_turning_the_seats_is_the_same_board(visit: Visit, seat: Seat) -> None:
    under, position = visit.plays.rules, visit.position
    drawn = svg_board(under, position, seat, numbers=WHITE, to_play=False)
    assert drawn == svg_board(under, position.flipped(), seat.other, numbers=WHITE, to_play=False)


@given(visits(), SEATS)
def test_either_seat_sees_the_same_from_below(visit: Visit, bottom: Seat) -> None:
    """Who sits below has his 1-point at the right, so that only the colours are exchanged."""
    under, position = visit.plays.rules, visit.position
    mine = Picture(svg_board(under, position, bottom, bottom=bottom))
    his = Picture(svg_board(under, position, bottom.other, bottom=bottom.other))
    assert mine.numbers == his.numbers
    for kind in ("checkers", "pinned"):
        for seat in Seat:
            assert mine.stacks(kind, seat) == his.stacks(kind, seat.other)


@given(visits(), SEATS)
def test_a_drawing_of_the_same_is_the_same(visit: Visit, seat: Seat) -> None:
    def draw() -> str:
        return svg_board(visit.plays.rules, visit.position, seat, dice=visit.roll.dice)

    assert draw() == draw()
    assert len(draw()) < 12_000


@pytest.mark.parametrize("layout", Layout)
@pytest.mark.parametrize("bottom", Seat)
def test_checkers_to_be_entered_lie_in_their_trays_on_any_layout(
    layout: Layout, bottom: Seat
) -> None:
    under = with_entry(layout)
    position = board("24:2 20:2 in:9 off:2 / in:12 18:1 17:1 off:1", under)
    for numbered in Seat:
        drawn = Picture(svg_board(under, position, WHITE, bottom=bottom, numbers=numbered))
        same_checkers(drawn, position, WHITE, numbered)
    trays = drawn.boxes("off")
    discs = drawn.discs("checkers", "unentered")
    for x, y, width, height in trays:
        assert not any(x <= d.x <= x + width and y <= d.y <= y + height for d in discs)
    piles = {(d.seat, d.x) for d in discs if d.kind == "unentered"}
    assert {seat for seat, _ in piles} == set(Seat)


@pytest.mark.parametrize("layout", Layout)
def test_each_number_is_written_once_and_each_edge_runs_in_order(layout: Layout) -> None:
    under = with_entry(layout)
    for bottom in Seat:
        at = Picture(svg_board(under, under.start, bottom, bottom=bottom)).numbers
        assert sorted(at) == list(range(1, 25))
        lower = sorted((point for point in at if not at[point][1]), key=lambda p: at[p][0])
        upper = sorted((point for point in at if at[point][1]), key=lambda p: at[p][0])
        assert lower == list(range(12, 0, -1))
        assert upper == list(range(13, 25))


@pytest.mark.parametrize(
    ("id", "theirs"), [("western", (1, False)), ("gul-bara", (12, False)), ("plakoto", (1, False))]
)
def test_the_other_sides_24_point_is_where_the_layout_puts_it(
    id: str, theirs: tuple[int, bool]
) -> None:
    """C1: on a contrary board it is my 1-point, on a parallel one my 12-point."""
    under = load().rules(id)
    mine = Picture(svg_board(under, under.start, WHITE, numbers=WHITE)).numbers
    his = Picture(svg_board(under, under.start, WHITE, numbers=BLACK)).numbers
    point, upper = theirs
    assert his[24] == mine[point]
    assert his[24][1] is upper


def test_a_pinned_checker_peeps_out_at_the_edge_under_the_others() -> None:
    plakoto = load().rules("plakoto")
    position = board("pin:24 20:2 15:8 6:4 / 24:1 1:14", plakoto)
    picture = Picture(svg_board(plakoto, position, WHITE, numbers=WHITE))
    (mother,) = picture.discs("pinned")
    assert (mother.seat, mother.x) == (WHITE, picture.numbers[24][0])
    above = [d for d in picture.discs("checkers") if d.x == mother.x and d.y < picture.middle]
    assert {d.seat for d in above} == {BLACK}
    assert min(d.y for d in above) - mother.y >= 20
    groups = [g.get("class") for g in picture.root.iter(f"{SVG}g")]
    assert groups.index("pinned") < groups.index("checkers")  # so it is drawn underneath
    assert picture.stacks("checkers", BLACK)[picture.numbers[24]] == 14


@pytest.mark.parametrize("count", range(1, 16))
def test_a_high_stack_stops_before_the_middle_and_says_how_high_it_is(count: int) -> None:
    under = western()
    position = board(f"6:{count} 5:{15 - count} / 24:15", under)
    picture = Picture(svg_board(under, position, WHITE))
    assert picture.stacks("checkers", WHITE)[picture.numbers[6]] == count
    highest = min(d.y for d in picture.discs("checkers") if d.seat is WHITE)
    assert highest - 19 > picture.middle + 20


@pytest.mark.parametrize("count", range(1, 16))
@pytest.mark.parametrize("cube", [Cube(), Cube(2, WHITE)])
def test_a_full_bar_leaves_the_cube_in_sight(count: int, cube: Cube) -> None:
    under = western()
    position = board(f"bar:{count} 2:{15 - count} / 24:15", under)
    picture = Picture(svg_board(under, position, WHITE, cube=cube))
    ((left, top, edge, _),) = picture.boxes("cube")
    bar = [d for d in picture.discs("checkers") if left < d.x < left + edge]
    assert {d.seat for d in bar} == {WHITE}
    assert all(abs(d.y - (top + edge / 2)) >= 19 + edge / 2 for d in bar)
    assert picture.stacks("checkers", WHITE)[left + edge / 2, False] == count


@pytest.mark.parametrize("checkers", [1, 3, 15, 60, 255])
def test_borne_off_checkers_fit_their_tray_however_many_they_are(checkers: int) -> None:
    under = Rules(replace(western().variant, checkers=checkers, start={6: checkers}))
    position = board(f"off:{checkers} / 1:{checkers}", under)
    picture = Picture(svg_board(under, position, WHITE))
    tray, *slabs = (box for box in picture.boxes("off") if box[1] > picture.middle)
    assert picture.kept("off", WHITE) == checkers
    assert len(slabs) == checkers if checkers <= 15 else len(slabs) > 15
    for left, top, width, height in slabs:
        assert tray[0] <= left and left + width <= tray[0] + tray[2]
        assert tray[1] + 20 <= top and top + height <= tray[1] + tray[3] and height >= 3


def test_the_cube_shows_64_in_the_middle_and_its_value_at_its_owners_end() -> None:
    under = western()

    def cube(value: Cube | None, bottom: Seat = WHITE) -> tuple[str | None, float]:
        picture = Picture(svg_board(under, under.start, WHITE, cube=value, bottom=bottom))
        group = picture.group("cube")
        ((_, y, _, height),) = picture.boxes("cube")
        return group.findtext(f"{SVG}text"), (y + height / 2) - picture.middle

    assert cube(Cube()) == ("64", 0)
    assert cube(Cube(2)) == ("2", 0)  # an automatic double
    shown, below = cube(Cube(4, WHITE, turned=True))
    assert shown == "4" and below > 180
    assert cube(Cube(4, WHITE, turned=True), BLACK) == ("4", -below)
    assert cube(Cube(64, BLACK, turned=True)) == ("64", -below)
    assert not list(Picture(svg_board(under, under.start, WHITE, cube=None)).groups("cube"))


@pytest.mark.parametrize("seat", Seat)
@pytest.mark.parametrize("beavered", [False, True])
def test_a_double_on_offer_lies_before_who_must_answer_it(seat: Seat, beavered: bool) -> None:
    under = western()
    answering = seat if beavered else None
    drawn = svg_board(under, under.start, seat, offered=2, answering=answering)
    picture = Picture(drawn)
    assert picture.group("offer").findtext(f"{SVG}text") == "2"
    assert not list(picture.groups("cube"))
    ((x, _, width, _),) = picture.boxes("offer")
    right = x + width / 2 > float(picture.root.get("viewBox", "").split()[2]) / 2
    answerer = seat if beavered else seat.other
    assert right == (answerer is WHITE)  # Black, above, has his right hand at the left
    name = str(answerer).capitalize()
    assert picture.told("title") == f"Backgammon: cube offered to {name} at 2"


@given(st.lists(st.integers(1, 6), max_size=4), SEATS, SEATS)
def test_the_dice_show_their_pips_in_the_colour_of_who_threw_them(
    dice: list[int], seat: Seat, bottom: Seat
) -> None:
    under = western()
    picture = Picture(svg_board(under, under.start, seat, dice=dice, bottom=bottom))
    faces = [die for group in picture.groups("dice") for die in group]
    pips = [{(number(c, "cx"), number(c, "cy")) for c in die.iter(f"{SVG}circle")} for die in faces]
    assert list(map(len, pips)) == dice
    assert all(SHADE[die.get("fill", "")] is seat for die in faces)
    for (x, y, width, height), marks in zip(picture.boxes("dice"), pips, strict=True):
        assert (x + width / 2 > 320) == (seat is bottom)
        assert all(x + 4 < a < x + width - 4 and y + 4 < b < y + height - 4 for a, b in marks)
        assert sum(a for a, _ in marks) == pytest.approx(len(marks) * (x + width / 2))


@pytest.mark.parametrize("die", [0, 7, -1, 10**9])
def test_a_die_that_is_none_is_refused(die: int) -> None:
    under = western()
    with pytest.raises(NotationError, match=f"die {die}: expected 1 to 6"):
        svg_board(under, under.start, WHITE, dice=(6, die))


@pytest.mark.parametrize("seat", Seat)
def test_who_is_on_roll_is_marked_and_nobody_when_nobody_is(seat: Seat) -> None:
    under = western()

    def marked(drawn: str) -> list[str | None]:
        return [
            player.get("data-seat")
            for player in Picture(drawn).groups("player")
            if any(path.get("class") == "on-roll" for path in player.iter(f"{SVG}path"))
        ]

    assert marked(svg_board(under, under.start, seat)) == [str(seat)]
    assert marked(svg_board(under, under.start, seat, to_play=False)) == []


def test_names_score_and_pips_stand_beside_each_side() -> None:
    under = western()
    position = board("6:2 off:13 / 5:1 off:14", under)
    drawn = svg_board(under, position, BLACK, names=("ann", "bob"), score=(3, 0), length=7)
    white, black = sorted(
        Picture(drawn).groups("player"), key=lambda g: g.get("data-seat") == "black"
    )
    assert ["".join(t.itertext()) for t in white.iter(f"{SVG}text")] == ["ann", "3 of 7", "5 pips"]
    assert ["".join(t.itertext()) for t in black.iter(f"{SVG}text")] == ["bob", "0 of 7", "12 pips"]
    money = Picture(svg_board(under, position, BLACK, score=(3, 0)))
    assert money.texts("score") == ["score 0", "score 3"]  # Black sits above
    assert Picture(svg_board(under, position, BLACK)).texts("name") == ["Black", "White"]


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_name_is_text_and_nothing_else(ann: str, bob: str) -> None:
    under = western()
    plain = ET.fromstring(svg_board(under, under.start, WHITE))
    named = ET.fromstring(svg_board(under, under.start, WHITE, names=(ann, bob)))
    assert [e.tag for e in named.iter()] == [e.tag for e in plain.iter()]
    assert [sorted(e.keys()) for e in named.iter()] == [sorted(e.keys()) for e in plain.iter()]


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("</text><script>alert(1)</script>", "</text><script>aler…"),
        ('" onload="x', '" onload="x'),
        ("a & b &amp; 'c'", "a & b &amp; 'c'"),
        ("\x00\x1b\ud800\uffff", "����"),
        ("ann\u202e\u2066lee", "ann��lee"),
        ("]]>\n<!--", "]]> <!--"),
        (" \t\n", "White"),
        ("x" * 10**6, "x" * 19 + "…"),
    ],
)
def test_a_hostile_name_is_shown_as_it_is_written(name: str, shown: str) -> None:
    under = western()
    drawn = svg_board(under, under.start, WHITE, names=(name, "bob"))
    picture = Picture(drawn)
    assert picture.texts("name") == ["bob", shown]
    assert picture.told("title") == f"Backgammon: {shown} on roll"
    assert picture.told("desc").startswith(f"{shown} (White), 167 pips")
    assert {e.tag.removeprefix(SVG) for e in picture.root.iter()} <= {
        *("svg", "title", "desc", "g", "rect", "path", "circle", "text")
    }
    drawn.encode()  # no half of a surrogate pair is left


def test_a_reader_hears_what_a_viewer_sees() -> None:
    under = western()
    position = board("bar:1 6:13 off:1 / 24:1 off:14", under)
    picture = Picture(
        svg_board(under, position, WHITE, dice=(3, 1), cube=Cube(2, BLACK), names=("ann", "bob"))
    )
    assert picture.root.get("role") == "img"
    assert picture.root.get("aria-label") == picture.told("title") == "Backgammon: ann to play 3-1"
    assert picture.told("desc") == (
        "ann (White), 103 pips: 1 on the bar, 13 on 6, 1 off. "
        "bob (Black), 24 pips: 1 on 24, 14 off. Cube at 2, owned by bob."
    )


def test_a_picture_needs_nothing_from_elsewhere_and_scales() -> None:
    under = western()
    root = Picture(svg_board(under, under.start, WHITE)).root
    assert root.get("viewBox") and root.get("width") is None
    for element in root.iter():
        assert not {"id", "href", "style", "onload"} & set(element.keys())


@pytest.mark.parametrize(("path", "picture"), KEPT, ids=[path.name for path, _ in KEPT])
def test_the_kept_drawings_are_what_is_drawn(path: Path, picture: str) -> None:
    """After a change that is meant: python -m tests.notation.boards, and look at them."""
    assert path.read_bytes() == picture.encode()
