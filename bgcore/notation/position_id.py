"""GNU Backgammon's Position ID: 14 characters for both sides of a board, and nothing else.

For each side, the one not on roll first, every place from its own 1 to 24 and the bar gives as many
1-bits as it holds checkers and then a 0-bit. The bits fill ten bytes, lowest first, in base64.
"""

from __future__ import annotations

from functools import lru_cache

from bgcore.axes import Contact, Entry, Layout
from bgcore.errors import Fault, NotationError
from bgcore.notation.base64_bits import read_bits, unreadable, write_bits
from bgcore.position import BAR, POINTS, Position
from bgcore.proof import opponents_point
from bgcore.setup import Setup, SideSetup
from bgcore.variant import Variant

LENGTH = 14
PLACES = BAR  # own points 1 to 24, then the bar
BITS = 80

_NAME = "position ID"
_HOME = range(1, 7)


def check_variant(variant: Variant, notation: str = "a Position ID") -> None:
    """`NotationError` where a board of the variant does not fit into a Position ID, or an XGID."""
    fits = (
        variant.layout is Layout.CONTRARY
        and variant.contact is Contact.HIT
        and variant.entry is Entry.NONE
        and 2 * (variant.checkers + PLACES) <= BITS
    )
    if not fits:
        raise NotationError(
            Fault(
                "NOTATION_NOT_FOR_VARIANT",
                "variant",
                variant.id,
                f"one with contrary layout, hits and every checker entered, for {notation}",
            )
        )


def read_position_id(text: str, variant: Variant) -> Setup:
    """The board of a Position ID; `NotationError` says what is wrong with it.

    >>> from bgcore import load
    >>> read_position_id("AABAEAAAAAAAAA", load().variant("western")).opponent.points
    {23: 1}
    """
    check_variant(variant)
    opponent, mover = _sides(text, variant.checkers)
    _check(text, mover, opponent)
    return Setup(_side(mover, variant), _side(opponent, variant))


def write_position_id(position: Position, variant: Variant) -> str:
    """The Position ID of a board with its mover on roll.

    >>> from bgcore import load
    >>> western = load().rules("western")
    >>> write_position_id(western.start, western.variant)
    '4HPwATDgc/ABMA'
    """
    check_variant(variant)
    return packed_id(position.packed)


def packed_id(packed: bytes) -> str:
    """The same for the packed bytes of a board that is known to fit."""
    bits = _run(packed[13:26]) + _run(packed[1:13]) + _run(packed[45:58]) + _run(packed[33:45])
    return write_bits(int(bits, 2), LENGTH)


@lru_cache(maxsize=1 << 16)
def _run(counts: bytes) -> str:
    """The bits of some places, from the highest down: half a side at a time, most were seen before."""
    return "".join(["0" + "1" * count for count in reversed(counts)])


def _sides(text: str, checkers: int) -> list[list[int]]:
    """The counts of both sides, places 0 to 24."""
    bits = _bits(text)
    sides: list[list[int]] = []
    at = 0
    for name in ("opponent", "mover"):
        counts: list[int] = []
        for _ in range(PLACES):
            end = bits.find("0", at)
            if end < 0 or sum(counts) + end - at > checkers:
                found = sum(counts) + (len(bits) if end < 0 else end) - at
                raise _refuse(
                    "TOO_MANY_CHECKERS", f"{name} checkers", str(found), f"at most {checkers}"
                )
            counts.append(end - at)
            at = end + 1
        sides.append(counts)
    if "1" in bits[at:]:
        raise unreadable(_NAME, _NAME, text, "no bits behind the two sides")
    return sides


def _bits(text: str) -> str:
    """The 80 bits, the first one first."""
    number = read_bits(text, _NAME, LENGTH)
    if text[-1] not in "AQgw":
        field = f"{_NAME} {text} last character"
        raise unreadable(_NAME, field, text[-1], "A, Q, g or w")
    return f"{number:0{BITS}b}"[::-1]


def _check(text: str, mover: list[int], opponent: list[int]) -> None:
    """What GNU Backgammon refuses beside too many checkers."""
    for point in range(1, POINTS + 1):
        theirs = opponents_point(point, Layout.CONTRARY)
        if mover[point - 1] and opponent[theirs - 1]:
            found = f"{mover[point - 1]} of the mover and {opponent[theirs - 1]} of the opponent"
            raise _refuse("POINT_SHARED", f"mover point {point}", found, "checkers of one side")
    if mover[BAR - 1] and opponent[BAR - 1] and _closed(mover) and _closed(opponent):
        raise _refuse(
            "BOTH_CLOSED_OUT",
            "position ID",
            text,
            "a home that is open, as both sides are on the bar",
        )


def _closed(side: list[int]) -> bool:
    return all(side[point - 1] > 1 for point in _HOME)


def _side(counts: list[int], variant: Variant) -> SideSetup:
    points = {n: counts[n - 1] for n in range(POINTS, 0, -1) if counts[n - 1]}
    return SideSetup(points, counts[BAR - 1], variant.checkers - sum(counts))


def _refuse(reason: str, field: str, value: str, expected: str) -> NotationError:
    return NotationError(Fault(reason, field, value, expected))
