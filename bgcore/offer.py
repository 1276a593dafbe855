"""Resignations on offer."""

from __future__ import annotations

from dataclasses import dataclass

from bgcore.outcome import Level
from bgcore.seat import Seat


@dataclass(frozen=True, slots=True)
class Offer:
    """A resignation on offer: at a level, or of so many points where checkers are counted."""

    seat: Seat
    level: Level | None
    points: int  # before the cube
