"""Plakoto, the pinning game."""

from bgcore.axes import Contact, Layout
from bgcore.variant import Variant

PLAKOTO = Variant(
    id="plakoto",
    title="Plakoto",
    summary="Nothing is hit: a lone checker is pinned where it stands.",
    aliases=("mahbusa", "mahbouseh"),
    rules_version="1",
    source="rules/plakoto.md",
    layout=Layout.CONTRARY,
    contact=Contact.PIN,
    checkers=15,
    start={24: 15},
    options=(
        "opening_roll",
        "later_starter",
        "mother_rule",
        "mother_points",
        "bear_off_while_pinned",
    ),
    bundles={
        "traditional": {
            "opening_roll": "reroll",
            "later_starter": "previous_winner",
            "mother_rule": True,
        }
    },
)
