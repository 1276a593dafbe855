"""What many random games came to."""

from __future__ import annotations

from typing import NamedTuple


class Tally(NamedTuple):
    """Counts of games, from the view of the side that was to move at the start.

    Wins by the mother are counted among the wins. What a win is worth the kernel does not know: the rules do.
    """

    games: int
    won: int
    lost: int
    drawn: int
    unfinished: int
    mothers_won: int
    mothers_lost: int
    turns: int
