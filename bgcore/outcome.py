"""How games end and what they are worth before the cube."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from bgcore.seat import Player, Seat

MOST_POINTS = 255
"""What a game may be worth before the cube, and the most checkers of a side; more the contract has no room for."""


class Level(StrEnum):
    """How much was lost (C6)."""

    SINGLE = "single"
    GAMMON = "gammon"
    BACKGAMMON = "backgammon"


class Ending(StrEnum):
    """What ended a game."""

    BORNE_OFF = "borne_off"
    MOTHER_PINNED = "mother_pinned"
    BOTH_MOTHERS_PINNED = "both_mothers_pinned"
    DROPPED = "dropped"
    RESIGNED = "resigned"
    FLAGGED = "flagged"
    BOTH_BORNE_OFF = "both_borne_off"


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a position has ended. While the game runs, `rules.outcome(position)` is `None`."""

    winner: Player | None  # None: drawn
    points: int  # before the cube
    level: Level | None  # None: checkers are counted
    ending: Ending


@dataclass(frozen=True, slots=True)
class Result:
    """How a game of a match ended: `points` with the cube and Jacoby, 0 when drawn."""

    winner: Seat | None  # None: drawn
    points: int
    level: Level | None  # None: checkers are counted
    ending: Ending
    cube: int
