"""Gul Bara as it is played in Bulgaria, where doubles climb."""

from dataclasses import replace

from bgcore.axes import Doubles, LaterStarter, OpeningRoll
from bgcore_variants.gul_bara import GUL_BARA

GUL_BARA_BULGARIAN = replace(
    GUL_BARA,
    id="gul-bara-bulgarian",
    title="Gul Bara, Bulgarian",
    summary="Gul Bara in which a double brings every higher double, from a player's fourth roll on.",
    aliases=(),
    doubles=Doubles.LADDER,
    opening_roll=OpeningRoll.REROLL,
    later_starter=LaterStarter.PREVIOUS_WINNER,
    bundles={},
)
