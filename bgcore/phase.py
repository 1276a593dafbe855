"""The phases of a game."""

from __future__ import annotations

from enum import StrEnum


class Phase(StrEnum):
    """Where a game stands."""

    THROW = "throw"
    ROLL = "roll"
    PLAY = "play"
    NAME_DOUBLE = "name_double"
    DOUBLED = "doubled"
    OVER = "over"
