"""Gioul, in which doubles climb and the opponent plays what a player cannot."""

from dataclasses import replace

from bgcore.axes import Doubles, LaterStarter, Layout, OpeningRoll, Unplayed, UnplayedScope
from bgcore.catalogue import narrowed
from bgcore_variants.gul_bara import GUL_BARA

GIOUL = replace(
    GUL_BARA,
    id="gioul",
    title="Gioul",
    summary="Plakoto's start, Gul Bara's doubles; a lone checker closes a point, and no number is lost.",
    aliases=(),
    source="rules/gioul.md",
    layout=Layout.CONTRARY,
    doubles=Doubles.LADDER,
    ladder_from_roll=1,
    unplayed=Unplayed.OPPONENT_PLAYS,
    unplayed_scope=UnplayedScope.ALL,
    opening_roll=OpeningRoll.REROLL,
    later_starter=LaterStarter.PREVIOUS_WINNER,
    options=("ladder_from_roll", "unplayed", "unplayed_scope"),
    own_options=(narrowed("doubles", "four", "ladder"),),
    bundles={},
)
