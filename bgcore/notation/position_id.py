"""GNU Backgammon's Position ID: 14 characters for both sides of a board, and nothing else.

For each side, the one not on roll first, every place from its own 1 to 24 and the bar gives as many
1-bits as it holds checkers and then a 0-bit. The bits fill ten bytes, lowest first, in base64.
"""

from __future__ import annotations

from functools import lru_cache

from bgcore.axes import Contact, Entry, Layout
from bgcore.errors import Fault, NotationError
from bgcore.notation.base64_bits import read_bits, unreadable, write_bits
from bgcore.position import BAR, HOME, POINTS, SIDE, Position
from bgcore.rules import Rules
from bgcore.setup import Setup
from bgcore.variant import Variant

LENGTH = 14
PLACES = BAR  # own points 1 to 24, then the bar
BITS = 80

_NAME = "position ID"
_UNUSED = [0] * (SIDE - BAR - 1)  # nobody waits to enter, nobody is pinned


def check_variant(variant: Variant, notation: str = "a Position ID") -> None:
    """`NotationError` where a board of the variant does not fit into a Position ID, or an XGID."""
    if not _fits(variant):
        raise NotationError(
            Fault(
                "NOTATION_NOT_FOR_VARIANT",
                "variant",
                variant.id,
                f"one with contrary layout, hits and every checker entered, for {notation}",
            )
        )


@lru_cache
def _fits(variant: Variant) -> bool:
    return (
        variant.layout is Layout.CONTRARY
        and variant.contact is Contact.HIT
        and variant.entry is Entry.NONE
        and 2 * (variant.checkers + PLACES) <= BITS
    )


def read_position_id(text: str, variant: Variant) -> Setup:
    """The board of a Position ID; `NotationError` says what is wrong with it.

    >>> from bgcore import load
    >>> read_position_id("AABAEAAAAAAAAA", load().variant("western")).opponent.points
    {23: 1}
    """
    return Position(_packed(text, variant)).setup


def position_of(text: str, rules: Rules) -> Position:
    """The proven position of a Position ID; `IllegalPosition` for what only the rules know of.

    >>> from bgcore import load
    >>> western = load().rules("western")
    >>> position_of("4HPwATDgc/ABMA", western) == western.start
    True
    """
    return rules.proved(_packed(text, rules.variant))


def _packed(text: str, variant: Variant) -> bytes:
    """The bytes of the board, the side on roll first."""
    check_variant(variant)
    opponent, mover = _sides(text, variant.checkers)
    _check(text, mover, opponent)
    mover.insert(0, variant.checkers - sum(mover))
    opponent.insert(0, variant.checkers - sum(opponent))
    return bytes(mover + _UNUSED + opponent + _UNUSED)


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
    # Each place is a run of 1-bits that a 0-bit ends, so splitting counts them all at once.
    runs = [len(run) for run in _bits(text).split("0")]
    opponent, mover = runs[:PLACES], runs[PLACES : 2 * PLACES]
    for name, counts in (("opponent", opponent), ("mover", mover)):
        if sum(counts) > checkers:
            found, expected = str(sum(counts)), f"at most {checkers}"
            raise _refuse("TOO_MANY_CHECKERS", f"{name} checkers", found, expected)
    if any(runs[2 * PLACES :]):
        raise unreadable(_NAME, _NAME, text, "no bits behind the two sides")
    return [opponent, mover]


def _bits(text: str) -> str:
    """The 80 bits, the first one first."""
    number = read_bits(text, _NAME, LENGTH)
    if text[-1] not in "AQgw":
        field = f"{_NAME} {text} last character"
        raise unreadable(_NAME, field, text[-1], "A, Q, g or w")
    return f"{number:0{BITS}b}"[::-1]


def _check(text: str, mover: list[int], opponent: list[int]) -> None:
    """What GNU Backgammon refuses beside too many checkers."""
    # The places of one are the other's from the end: the layout is contrary (`check_variant`).
    for at, (mine, theirs) in enumerate(
        zip(mover[:POINTS], opponent[POINTS - 1 :: -1], strict=True)
    ):
        if mine and theirs:
            found = f"{mine} of the mover and {theirs} of the opponent"
            raise _refuse("POINT_SHARED", f"mover point {at + 1}", found, "checkers of one side")
    if mover[BAR - 1] and opponent[BAR - 1] and _closed(mover) and _closed(opponent):
        raise _refuse(
            "BOTH_CLOSED_OUT",
            "position ID",
            text,
            "a home that is open, as both sides are on the bar",
        )


def _closed(side: list[int]) -> bool:
    return all(side[point - 1] > 1 for point in HOME)


def _refuse(reason: str, field: str, value: str, expected: str) -> NotationError:
    return NotationError(Fault(reason, field, value, expected))
