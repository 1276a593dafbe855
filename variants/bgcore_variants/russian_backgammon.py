"""Russian Backgammon, in which both sides run the same way on the same points."""

from bgcore.axes import Contact, Doubles, Entry, Layout, OpeningRoll
from bgcore.catalogue import narrowed
from bgcore.position import Side
from bgcore.rules import Rules
from bgcore.variant import Variant

RUSSIAN_BACKGAMMON = Variant(
    id="russian-backgammon",
    title="Russian Backgammon",
    summary="Both sides enter on the same points and run the same way; a double brings its complement.",
    aliases=(),
    rules_version="1",
    source="rules/russian_backgammon.md",
    layout=Layout.SAME,
    contact=Contact.HIT,
    checkers=15,
    start={},
    entry=Entry.FIRST,
    doubles=Doubles.COMPLEMENT,
    opening_roll=OpeningRoll.STARTER_CHOOSES,
    options=("opening_roll", "complement_while_entering", "backgammon_value"),
    own_options=(narrowed("doubles", "complement", "four"),),
)

ENTRY = range(19, 25)
"""The points where checkers enter."""


class RussianBackgammonRules(Rules):
    """Both sides have the same home, so a loser is farthest behind where checkers enter."""

    def caught(self, loser: Side) -> bool:
        """Who has borne off nothing and has a checker on the bar, not entered, or on 24 to 19, where they enter."""
        return bool(loser.bar or loser.unentered or any(loser[point] for point in ENTRY))
