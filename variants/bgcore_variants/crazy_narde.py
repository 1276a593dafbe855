"""Crazy Narde, in which nothing that is thrown is lost."""

from dataclasses import replace

from bgcore.axes import (
    BearOff,
    Doubles,
    LaterStarter,
    OpeningRoll,
    Unplayed,
    UnplayedScope,
)
from bgcore_variants.long_nardy import LONG_NARDY

CRAZY_NARDE = replace(
    LONG_NARDY,
    id="crazy-narde",
    title="Crazy Narde",
    summary="Long Nardy with climbing doubles, where the opponent plays what a player cannot.",
    rules_version="2",
    aliases=(),
    source="rules/other_tables.md",
    opening_roll=OpeningRoll.PLAY_DICE,
    later_starter=LaterStarter.OPENING_ROLL,
    doubles=Doubles.LADDER,
    ladder_from_roll=1,
    unplayed=Unplayed.OPPONENT_PLAYS,
    unplayed_scope=UnplayedScope.ALL,
    bear_off=BearOff.EXACT_STATIC,
    bundles={},
)
