"""Whether a setup is a position of a variant, and everything that speaks against it."""

from __future__ import annotations

from collections.abc import Iterator

from bgcore.axes import Contact, Entry, Layout
from bgcore.errors import Fault
from bgcore.position import POINTS
from bgcore.setup import Setup, SideSetup
from bgcore.variant import Variant


def faults_of(setup: Setup, variant: Variant) -> tuple[Fault, ...]:
    """Every fault of a setup; none: it is a position of the variant."""
    sides = (("mover", setup.mover), ("opponent", setup.opponent))
    wrong = [fault for name, side in sides for fault in range_faults(name, side)]
    if wrong:
        return tuple(wrong)  # what follows needs numbers that are in range
    found = [fault for name, side in sides for fault in side_faults(name, side, variant)]
    return (*found, *shared_faults(setup, variant))


def range_faults(name: str, side: SideSetup) -> Iterator[Fault]:
    """Points that do not exist and counts that are no counts."""
    for point, count in side.points.items():
        if not _whole(point) or not 1 <= point <= POINTS:
            yield Fault("POINT_UNKNOWN", f"{name} point", str(point), f"1 to {POINTS}")
        elif not _whole(count) or not 0 <= count <= 255:
            yield Fault(
                "COUNT_OUT_OF_RANGE", f"{name} point {point}", str(count), "0 to 255 checkers"
            )
    for place, held in (("bar", side.bar), ("off", side.off or 0), ("unentered", side.unentered)):
        if not _whole(held) or not 0 <= held <= 255:
            yield Fault("COUNT_OUT_OF_RANGE", f"{name} {place}", str(held), "0 to 255 checkers")
    for point in side.pinned:
        if not _whole(point) or not 1 <= point <= POINTS:
            yield Fault("POINT_UNKNOWN", f"{name} pinned point", str(point), f"1 to {POINTS}")
    if len(set(side.pinned)) < len(side.pinned):
        yield Fault(
            "PINNED_TWICE", f"{name} pinned", str(list(side.pinned)), "each point at most once"
        )


def _whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def side_faults(name: str, side: SideSetup, variant: Variant) -> Iterator[Fault]:
    """Too many checkers, too few, or in places that this game does not have."""
    placed = sum(side.points.values()) + side.bar + side.unentered + len(side.pinned)
    total = placed + (side.off or 0)
    if total > variant.checkers:
        yield Fault("TOO_MANY_CHECKERS", f"{name} checkers", str(total), str(variant.checkers))
    elif side.off is not None and total < variant.checkers:
        yield Fault("TOO_FEW_CHECKERS", f"{name} checkers", str(total), str(variant.checkers))
    if side.bar and variant.contact is not Contact.HIT:
        yield Fault(
            "NO_BAR_HERE", f"{name} bar", str(side.bar), f"0: nothing is hit in {variant.id}"
        )
    if side.unentered and variant.entry is Entry.NONE:
        expected = f"0: every checker starts on the board in {variant.id}"
        yield Fault("NO_ENTRY_HERE", f"{name} unentered", str(side.unentered), expected)
    if side.pinned and variant.contact is not Contact.PIN:
        expected = f"none: nothing is pinned in {variant.id}"
        yield Fault("NO_PINS_HERE", f"{name} pinned", str(list(side.pinned)), expected)
    for point in side.pinned:
        if side.points.get(point):
            yield Fault(
                "PINNED_BESIDE_FREE",
                f"{name} point {point}",
                f"{side.points[point]} free beside a pinned checker",
                "one pinned checker alone",
            )


def shared_faults(setup: Setup, variant: Variant) -> Iterator[Fault]:
    """What only both sides together can be wrong about."""
    mover, opponent = setup.mover, setup.opponent
    for point in range(1, POINTS + 1):
        theirs = opponents_point(point, variant.layout)
        mine_here, theirs_here = mover.points.get(point), opponent.points.get(theirs)
        if mine_here and theirs_here:
            yield shared_point(point, theirs, mine_here, theirs_here)
        if point in mover.pinned and theirs in opponent.pinned:
            found, expected = "a pinned checker of each side", "one"
            where = f"the mover's {point} (the opponent's {theirs})"
            message = f"{where}: {found}, expected {expected}"
            yield Fault("POINT_SHARED", f"mover point {point}", found, expected, message)
        elif point in mover.pinned and not theirs_here:
            yield Fault(
                "PIN_WITHOUT_PINNER", "mover pinned point", str(point), "an opposing checker on top"
            )
        elif theirs in opponent.pinned and not mine_here:
            yield Fault(
                "PIN_WITHOUT_PINNER",
                "opponent pinned point",
                str(theirs),
                "a checker of the mover on top",
            )
    if _finished(mover, variant) and _finished(opponent, variant):
        yield Fault("BOTH_FINISHED", "off", str(variant.checkers), "a side that still has checkers")


def shared_point(point: int, theirs: int, mine_here: int, theirs_here: int) -> Fault:
    """The fault of a point, by both numberings, on which both sides have checkers."""
    found, expected = (
        f"{mine_here} of the mover and {theirs_here} of the opponent",
        "checkers of one side",
    )
    message = f"the mover's {point} (the opponent's {theirs}): {found}, expected {expected}"
    return Fault("POINT_SHARED", f"mover point {point}", found, expected, message)


def _finished(side: SideSetup, variant: Variant) -> bool:
    placed = sum(side.points.values()) + side.bar + side.unentered + len(side.pinned)
    return placed == 0 and side.off in (None, variant.checkers)


def opponents_point(point: int, layout: Layout) -> int:
    """How the opponent numbers an own point (C1); each map is its own inverse.

    >>> [opponents_point(24, layout) for layout in Layout]
    [1, 12, 24]
    """
    if layout is Layout.CONTRARY:
        return POINTS + 1 - point
    if layout is Layout.PARALLEL:
        return (point + POINTS // 2 - 1) % POINTS + 1
    return point
