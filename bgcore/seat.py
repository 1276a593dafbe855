"""The two seats of a table."""

from __future__ import annotations

from enum import IntEnum


class Seat(IntEnum):
    """White sits first in records and scores; which side of a drawn board is whose is for the drawing.

    >>> Seat.WHITE.other
    <Seat.BLACK: 1>
    >>> str(Seat.read("black"))
    'black'
    """

    WHITE = 0
    BLACK = 1

    @property
    def other(self) -> Seat:
        """The opponent's seat."""
        return Seat.BLACK if self is Seat.WHITE else Seat.WHITE

    def __str__(self) -> str:
        return "black" if self else "white"

    @classmethod
    def read(cls, text: str) -> Seat:
        """The seat that a record names; `KeyError` for any other text."""
        return cls[text.upper()]


SEATS = tuple(map(str, Seat))
"""The seats as JSON names them, white first."""


class Player(IntEnum):
    """A side of a position, seen from the one who is to move."""

    MOVER = 0
    OPPONENT = 1

    @property
    def other(self) -> Player:
        """The other side."""
        return Player.OPPONENT if self is Player.MOVER else Player.MOVER
