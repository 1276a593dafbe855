"""Plakoto Express, the pinning game with climbing doubles."""

from dataclasses import replace

from bgcore.axes import Doubles, LaterStarter, OpeningRoll, Unplayed, UnplayedScope
from bgcore_variants.plakoto import PLAKOTO

PLAKOTO_EXPRESS = replace(
    PLAKOTO,
    id="plakoto-express",
    title="Plakoto Express",
    summary="Plakoto in which a double brings every higher one, and no number is lost.",
    aliases=(),
    source="rules/other_tables.md",
    opening_roll=OpeningRoll.REROLL,
    later_starter=LaterStarter.PREVIOUS_WINNER,
    doubles=Doubles.LADDER,
    unplayed=Unplayed.OPPONENT_PLAYS,
    unplayed_scope=UnplayedScope.ALL,
    bundles={},
)
