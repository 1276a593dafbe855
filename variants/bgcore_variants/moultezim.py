"""Moultezim, a running game in which the first checker goes alone."""

from dataclasses import replace

from bgcore.axes import LaterStarter, OpeningRoll, Runner
from bgcore.catalogue import narrowed
from bgcore_variants.gul_bara import GUL_BARA

MOULTEZIM = replace(
    GUL_BARA,
    id="moultezim",
    title="Moultezim",
    summary="One checker runs past the other start first, and four points there are the most to hold.",
    aliases=(),
    source="rules/moultezim.md",
    opening_roll=OpeningRoll.REROLL,
    later_starter=LaterStarter.PREVIOUS_WINNER,
    runner=Runner.PASS_START,
    opp_start_quarter_max=4,
    options=(
        "opp_start_quarter_max",
        "opp_start_quarter_scope",
        "own_start_quarter_max",
        "restriction_timing",
        "opening_roll",
        "later_starter",
    ),
    own_options=(narrowed("runner", "pass_start", "reach_start_quarter"),),
    bundles={
        "moultezim-alt": {
            "runner": "reach_start_quarter",
            "opp_start_quarter_max": 6,
            "own_start_quarter_max": 5,
        }
    },
)
