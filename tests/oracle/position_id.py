"""Position IDs, written from `vectors/README.md`: bits low first, other side first."""

from __future__ import annotations

import base64

from .model import BAR, HOME, OFF, Side, State

PLACES = range(1, 26)


def encode(state: State) -> str:
    """The 14 characters of a position with `me` on roll. Whether it may occur is not asked."""
    bits = ""
    for side in (state.opp, state.me):
        counts = side.counts
        bits += "".join("1" * counts.get(place, 0) + "0" for place in PLACES)
    number = int(bits.ljust(80, "0")[::-1], 2)
    return base64.b64encode(number.to_bytes(10, "little")).decode().rstrip("=")


def decode(text: str, checkers: int = 15) -> State:
    """The position of an ID; what is missing of `checkers` is off.

    `ValueError` says what is wrong with a text that is no position.
    """
    if len(text) != 14 or text[-1] not in "AQgw":
        raise ValueError("not a position ID")
    number = int.from_bytes(base64.b64decode(text + "==", validate=True), "little")
    bits = iter(f"{number:080b}"[::-1])
    sides = []
    for _ in range(2):
        counts = dict.fromkeys(PLACES, 0)
        for place in PLACES:
            while next(bits, "0") == "1":
                counts[place] += 1
        if (off := checkers - sum(counts.values())) < 0:
            raise ValueError("too many checkers")
        sides.append(Side.of({**counts, OFF: off}))
    opp, me = sides
    if "1" in bits:
        raise ValueError("too many checkers")
    if any(25 - place in opp.counts for place in me.counts if OFF < place < BAR):
        raise ValueError("both sides on one point")
    if all(BAR in side.counts and closed_home(side) for side in sides):
        raise ValueError("both on the bar with both homes closed")
    return State(me, opp)


def closed_home(side: Side) -> bool:
    """Whether all six points of the home board are held by two or more."""
    return all(side.counts.get(point, 0) >= 2 for point in HOME)
