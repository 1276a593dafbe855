"""What is wrong with a start: points that there are not, too many checkers or too few, two sides on one point."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bgcore.axes import Entry, Layout
from bgcore.errors import quoted, shown
from bgcore.position import POINTS
from bgcore.proof import opponents_point, shared_point

MOST_CHECKERS = 30
"""Of a side."""

Wrong = tuple[str, object, str, str]
"""A point, or empty for the start as a whole; what stood there, what was expected, and the sentence, if it has one."""


def wrong_points(start: Mapping[object, object]) -> Iterator[Wrong]:
    """Points that do not exist, and counts that are none."""
    for point, count in start.items():
        if not (_whole(point) and 1 <= point <= POINTS):  # type: ignore[operator]  # a whole number
            place, expected = quoted(point), f"a point from 1 to {POINTS}"
            yield place, point, expected, f"start.{place}: expected {expected}"
        elif not (_whole(count) and 0 <= count <= MOST_CHECKERS):  # type: ignore[operator]
            yield shown(point), count, f"0 to {MOST_CHECKERS} checkers", ""


def wrong_total(
    start: Mapping[int, int], checkers: int, entry: Entry, *, whole: bool = True
) -> Iterator[Wrong]:
    """More checkers than a side has, or fewer where all of them start on the board.

    `whole`: no point was left out because it was wrong.
    """
    total = sum(start.values())
    if total > checkers:
        yield "", f"{total} checkers", f"at most {checkers}", ""
    elif whole and total < checkers and entry is Entry.NONE:
        expected = f"{checkers}, as every checker starts on the board (entry none)"
        yield "", f"{total} checkers", expected, ""


def shared_points(start: Mapping[int, int], layout: Layout) -> Iterator[Wrong]:
    """Points on which both sides would start, each told once: what the one has there the other has, too."""
    for point in sorted(start, reverse=True):
        theirs = opponents_point(point, layout)
        if start[point] and start.get(theirs) and theirs <= point:
            fault = shared_point(point, theirs, start[point], start[theirs])
            yield "", fault.value, fault.expected, f"start: {fault.message}"


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
