"""A proven board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from bgcore.setup import Setup, SideSetup

POINTS = 24
"""Points of the board; own numbering runs from 24 (farthest) to 1."""

HOME = range(1, 7)
"""The own home board; from it checkers are borne off."""

OFF = 0
BAR = 25
UNENTERED = 26

SIDE = 32
"""Bytes a side takes in the kernel's packing (see `bgcore.kernel`)."""

BOTH_SIDES = 2 * SIDE


@dataclass(frozen=True, slots=True)
class Side:
    """One side of a position, a view of its 32 bytes."""

    packed: bytes

    def __getitem__(self, point: int) -> int:
        """Free checkers on an own point, 1 to 24."""
        return self.packed[point]

    @property
    def off(self) -> int:
        """Checkers borne off."""
        return self.packed[OFF]

    @property
    def bar(self) -> int:
        """Checkers on the bar."""
        return self.packed[BAR]

    @property
    def unentered(self) -> int:
        """Checkers that have not come into the game yet."""
        return self.packed[UNENTERED]

    @property
    def points(self) -> Mapping[int, int]:
        """Free checkers by own point, the farthest first; empty points are left out."""
        return {n: self.packed[n] for n in range(POINTS, 0, -1) if self.packed[n]}

    @property
    def pinned(self) -> tuple[int, ...]:
        """Own points where a checker of this side lies pinned, the farthest first."""
        mask = int.from_bytes(self.packed[28:32], "little")
        return tuple(n for n in range(POINTS, 0, -1) if mask >> n & 1) if mask else ()

    @property
    def checkers(self) -> int:
        """All checkers of this side, wherever they are."""
        return sum(self.packed[: UNENTERED + 1]) + len(self.pinned)

    @property
    def pips(self) -> int:
        """Pip count: own point numbers summed, 25 for a checker on the bar or not yet entered."""
        board = sum(n * count for n, count in self.points.items())
        return board + 25 * (self.bar + self.unentered) + sum(self.pinned)

    @property
    def setup(self) -> SideSetup:
        """The same side as an unproven value."""
        return SideSetup(self.points, self.bar, self.off, self.unentered, self.pinned)


@dataclass(frozen=True, slots=True)
class Position:
    """A proven board without dice, cube or score.

    It holds the kernel's bytes and shows them as views. Both sides count from their own end, so handing
    over is a swap. Make one with `rules.position(setup)`; the constructor trusts its bytes.
    """

    packed: bytes  # the mover's 32, then the opponent's

    @property
    def mover(self) -> Side:
        """The side to move."""
        return Side(self.packed[:SIDE])

    @property
    def opponent(self) -> Side:
        """The other side."""
        return Side(self.packed[SIDE:])

    def flipped(self) -> Position:
        """The same board with the other side to move."""
        return Position(self.packed[SIDE:] + self.packed[:SIDE])

    @property
    def setup(self) -> Setup:
        """The same board as an unproven value."""
        return Setup(self.mover.setup, self.opponent.setup)


def pack_side(side: SideSetup, off: int) -> bytes:
    """The 32 bytes of a side whose values are in range; what the rules say of it is not checked."""
    packed = bytearray(SIDE)
    packed[OFF], packed[BAR], packed[UNENTERED] = off, side.bar, side.unentered
    for point, count in side.points.items():
        packed[point] = count
    packed[28:32] = sum(1 << point for point in side.pinned).to_bytes(4, "little")
    return bytes(packed)
