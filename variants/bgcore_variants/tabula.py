"""Tabula, the Roman game of three dice, as it is reconstructed today."""

from bgcore.axes import BearOff, Contact, Doubles, Entry, Layout, OpeningRoll
from bgcore.catalogue import narrowed
from bgcore.position import Side
from bgcore.rules import Rules
from bgcore.variant import Variant

TABULA = Variant(
    id="tabula",
    title="Tabula",
    summary="Three dice, and both sides enter on the same point and run the same way.",
    rules_version="1",
    source="rules/tabula.md",
    layout=Layout.SAME,
    contact=Contact.HIT,
    checkers=15,
    start={},
    entry=Entry.FREELY,
    first_half_lock=True,
    bear_off=BearOff.EXACT,
    dice=3,
    doubles=Doubles.NONE,
    opening_roll=OpeningRoll.REROLL,
    gammon_value=1,
    backgammon_value=1,
    options=("first_half_lock", "bear_zone", "gammon_value"),
    own_options=(narrowed("bear_off", "exact", "standard"),),
)


class TabulaRules(Rules):
    """Both sides have the same home, so nobody is behind for having a checker in it."""

    def caught(self, loser: Side) -> bool:
        """Who has borne off nothing and has a checker on the bar or not entered."""
        return bool(loser.bar or loser.unentered)
