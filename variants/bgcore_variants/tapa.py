"""Tapa, the Bulgarian and Macedonian pinning game."""

from dataclasses import replace

from bgcore.axes import LaterStarter, OpeningRoll
from bgcore_variants.plakoto import PLAKOTO

TAPA = replace(
    PLAKOTO,
    id="tapa",
    title="Tapa",
    summary="Plakoto as it is played in Bulgaria: a pinned start checker decides nothing by itself.",
    aliases=(),
    source="rules/tapa.md",
    opening_roll=OpeningRoll.REROLL,
    later_starter=LaterStarter.PREVIOUS_WINNER,
    options=("mother_rule", "bear_off_while_pinned", "opening_roll", "later_starter"),
    bundles={},
)
