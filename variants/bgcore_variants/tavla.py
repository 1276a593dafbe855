"""Tavla, the Turkish standard game."""

from dataclasses import replace

from bgcore_variants.western import WESTERN

TAVLA = replace(
    WESTERN,
    id="tavla",
    title="Tavla",
    summary="The Turkish standard game: no cube, no triple.",
    aliases=("takhteh", "turkish"),
    source="rules/tavla.md",
    backgammon_value=2,
    cube=False,
    match_length=5,
    options=("opening_roll", "later_starter", "home_hit_and_run", "backgammon_value", "cube"),
    bundles={
        "traditional": {
            "opening_roll": "reroll",
            "later_starter": "previous_winner",
            "home_hit_and_run": False,
        }
    },
)
