"""The drawn way of each side is the way that its checkers go."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from bgcore import Rules, load
from bgcore.notation.geometry import LOWER_EDGE, places
from bgcore.notation.svg_plan import BOTTOM, TOP
from bgcore.notation.svg_track import svg_track
from bgcore.seat import Seat
from tests.axes.made import made

RULES = [load().rules(entry.variant.id) for entry in load()]
SVG = "{http://www.w3.org/2000/svg}"
EVERY_GAME = pytest.mark.parametrize("rules", RULES, ids=lambda rules: rules.variant.id)


def drawn(rules: Rules) -> ElementTree.Element:
    return ElementTree.fromstring(svg_track(rules))


def groups(rules: Rules, kind: str) -> dict[str, ElementTree.Element]:
    """The groups of a kind, by seat."""
    found = drawn(rules).iter(f"{SVG}g")
    return {one.get("data-seat", ""): one for one in found if one.get("class") == kind}


def numbers(element: ElementTree.Element) -> list[str]:
    return [one.text or "" for one in element.iter(f"{SVG}text")]


@EVERY_GAME
def test_a_side_passes_its_points_from_24_to_1(rules: Rules) -> None:
    tracks = groups(rules, "track")
    for seat, side in zip(Seat, places(rules), strict=True):
        way = [int(place) for place in tracks[str(seat)].get("data-places", "").split()]
        assert way == [side.of(point) for point in range(24, 0, -1)]


@EVERY_GAME
def test_the_line_lies_on_the_board_where_the_places_are(rules: Rules) -> None:
    for seat, side in zip(Seat, places(rules), strict=True):
        line = groups(rules, "track")[str(seat)].find(f"{SVG}path")
        assert line is not None
        spots = [
            (float(x), float(y)) for x, y in re.findall(r"([\d.]+) ([\d.]+)", line.get("d", ""))
        ]
        middle = (TOP + BOTTOM) / 2
        assert (spots[-1][1] > middle) == (side.of(1) in LOWER_EDGE)
        assert (spots[0][1] > middle) == (side.of(24) in LOWER_EDGE)


@EVERY_GAME
def test_every_checker_of_the_start_is_on_the_line(rules: Rules) -> None:
    for seat in Seat:
        counts = [int(n) for n in numbers(groups(rules, "track")[str(seat)]) if n.isdigit()]
        assert sum(counts) == rules.variant.checkers


@EVERY_GAME
def test_home_is_marked_and_the_entry_where_somebody_enters(rules: Rules) -> None:
    assert groups(rules, "home").keys() == {"white", "black"}
    enters = rules.variant.contact == "hit" or rules.variant.entry != "none"
    assert groups(rules, "enters").keys() == ({"white", "black"} if enters else set())


def test_the_ways_run_against_each_other_or_the_same_way_round() -> None:
    def ways(rules: Rules) -> list[list[str]]:
        tracks = groups(rules, "track").values()
        return [track.get("data-places", "").split() for track in tracks]

    white, black = ways(made("western"))
    assert black == white[::-1]
    white, black = ways(made("fevga"))
    assert black == white[12:] + white[:12]
    white, black = ways(made("tabula"))
    assert black == white


def test_each_point_carries_the_number_of_either_side() -> None:
    rules = made("fevga")
    tracks = groups(rules, "numbers")
    assert numbers(tracks["white"]) == numbers(tracks["black"]) == [str(n) for n in range(1, 25)]


def test_what_is_heard_says_where_each_side_runs() -> None:
    described = drawn(made("fevga")).find(f"{SVG}desc")
    assert described is not None
    assert described.text == (
        "White runs from the upper right to the upper left, goes on at the lower left, and is home at the lower "
        "right. Black runs from the lower left to the lower right, goes on at the upper right, and is home at the "
        "upper left."
    )
