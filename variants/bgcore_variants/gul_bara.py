"""Gul Bara, a running game: one checker closes a point."""

from bgcore.axes import Contact, Layout
from bgcore.catalogue import narrowed
from bgcore.variant import Variant

GUL_BARA = Variant(
    id="gul-bara",
    title="Gul Bara",
    summary="Both sides run the same way round, and one checker closes a point.",
    aliases=("rosespring", "gulbahar", "gyulbara"),
    rules_version="1",
    source="rules/gul_bara.md",
    layout=Layout.PARALLEL,
    contact=Contact.BLOCK,
    checkers=15,
    start={24: 15},
    ladder_from_roll=4,
    options=("opening_roll", "later_starter", "ladder_from_roll", "unplayed"),
    own_options=(
        narrowed("layout", "parallel", "contrary"),
        narrowed("doubles", "four", "ladder"),
    ),
    bundles={
        "bulgarian": {
            "opening_roll": "reroll",
            "later_starter": "previous_winner",
            "doubles": "ladder",
        }
    },
)
