"""The doubling cube."""

from __future__ import annotations

from dataclasses import dataclass

from bgcore.seat import Seat


@dataclass(frozen=True, slots=True)
class Cube:
    """The stake of a game (rules M1). `owner = None`: in the middle. `turned`: a double was taken.

    >>> Cube(2, Seat.BLACK).open_to(Seat.WHITE)
    False
    """

    value: int = 1
    owner: Seat | None = None
    turned: bool = False

    def open_to(self, seat: Seat) -> bool:
        """Whether it lies where `seat` may turn it."""
        return self.owner in (None, seat)


NEW_CUBE = Cube()
"""In the middle at 1."""
