"""What many random games came to."""

from __future__ import annotations

from typing import NamedTuple


class Tally(NamedTuple):
    """Counts of games, from the view of the side that was to move at the start.

    A backgammon is counted among the gammons as well, and wins by the mother among the wins.
    """

    games: int
    won: int
    lost: int
    drawn: int
    unfinished: int
    gammons_won: int
    gammons_lost: int
    backgammons_won: int
    backgammons_lost: int
    mothers_won: int
    mothers_lost: int
    turns: int
