"""Positions out of random games, for properties."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from bgcore import Rules, load
from bgcore.testing.games import Visit, self_play

VARIANTS = tuple(entry.variant.id for entry in load())


def visited(under: Rules, seed: int, turn: int) -> Visit:
    """A position of a random game, its roll and plays; the game's last one if it is shorter."""
    for index, visit in enumerate(self_play(under, Random(seed))):
        last = visit
        if index == turn:
            break
    return last


def visits(*variants: str) -> st.SearchStrategy[Visit]:
    """Positions of random games of these variants, of all four if none is named."""
    return st.builds(
        visited,
        st.sampled_from(variants or VARIANTS).map(load().rules),
        st.integers(0, 10_000),
        st.integers(0, 90),
    )
