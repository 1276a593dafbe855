"""Misere, backgammon to lose."""

from dataclasses import replace

from bgcore.outcome import Outcome
from bgcore.position import Position
from bgcore.rules import Rules
from bgcore.seat import Player
from bgcore_variants.western import WESTERN

MISERE = replace(
    WESTERN,
    id="misere",
    title="Misere",
    summary="Backgammon in which who has borne off everything first loses.",
    aliases=(),
    source="rules/other_tables.md",
    gammon_value=1,
    backgammon_value=1,
    options=("opening_roll", "later_starter", "higher_die_rule", "cube"),
)


class MisereRules(Rules):
    """Who bears off everything first loses."""

    def won(self, position: Position, winner: Player) -> Outcome:
        """Who still has checkers when the other has borne off his last."""
        return super().won(position, winner.other)
