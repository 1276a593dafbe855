"""Dutch backgammon, in which every checker has to be entered."""

from dataclasses import replace

from bgcore.axes import Entry, OpeningRoll
from bgcore_variants.western import WESTERN

DUTCH = replace(
    WESTERN,
    id="dutch",
    title="Dutch Backgammon",
    summary="Every checker has to be entered, and nobody hits before one of his own is home.",
    aliases=(),
    source="rules/other_tables.md",
    start={},
    entry=Entry.FREELY,
    no_hit_before_home=True,
    opening_roll=OpeningRoll.REROLL,
)
