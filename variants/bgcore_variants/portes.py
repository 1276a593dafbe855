"""Portes, the hitting game of a tavli match."""

from dataclasses import replace

from bgcore.axes import LaterStarter, OpeningRoll
from bgcore_variants.western import WESTERN

PORTES = replace(
    WESTERN,
    id="portes",
    title="Portes",
    summary="The Greek hitting game: who starts throws both dice, no cube, no triple.",
    aliases=(),
    source="rules/portes.md",
    opening_roll=OpeningRoll.REROLL,
    later_starter=LaterStarter.PREVIOUS_WINNER,
    backgammon_value=2,
    cube=False,
    match_length=5,
    options=("opening_roll", "later_starter", "home_hit_and_run", "backgammon_value"),
)
