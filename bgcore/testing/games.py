"""Games that play themselves, for tests and statistics."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from bgcore.play import Plays
from bgcore.position import Position
from bgcore.roll import Roll
from bgcore.rules import Rules

MOST_TURNS = 2_000
"""A game that takes longer is void (guard G2)."""


@dataclass(frozen=True, slots=True)
class Visit:
    """A position of a game with its roll, and the legal plays there."""

    position: Position
    roll: Roll
    plays: Plays


def self_play(rules: Rules, random: Random, position: Position | None = None) -> Iterator[Visit]:
    """A game of random plays, turn by turn, each seen by the side to move; ends with the game."""
    here = position or rules.start
    for _ in range(MOST_TURNS):
        if rules.outcome(here):
            return
        roll = Roll.of(*(random.randint(1, 6) for _ in range(rules.variant.dice)))
        plays = rules.plays(here, roll)
        yield Visit(here, roll, plays)
        here = random.choice(plays).after.flipped()
    raise AssertionError(f"{rules.variant.id}: a game of more than {MOST_TURNS} turns")
