"""Backgammon."""

from bgcore.axes import Contact, Layout
from bgcore.variant import Variant

WESTERN = Variant(
    id="western",
    title="Backgammon",
    summary="Hit blots, make points, double the stakes: the game as it is played in the West.",
    aliases=("backgammon", "standard"),
    file_names={"mat": "Backgammon", "sgf": ""},
    rules_version="1",
    source="rules/western.md",
    layout=Layout.CONTRARY,
    contact=Contact.HIT,
    checkers=15,
    start={24: 2, 13: 5, 8: 3, 6: 5},
    backgammon_value=3,
    cube=True,
    match_length=7,
    options=(
        "opening_roll",
        "later_starter",
        "higher_die_rule",
        "gammon_value",
        "backgammon_value",
        "cube",
    ),
)
