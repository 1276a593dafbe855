"""Acey-Deucey, the game of the American navy."""

from bgcore.axes import Contact, Entry, Layout, OpeningRoll, Scoring
from bgcore.catalogue import narrowed, switch
from bgcore.rules import Rules
from bgcore.turn import ANOTHER_ROLL, HAND_OVER, NAME_DOUBLE, Next, PartKind, Played
from bgcore.variant import Variant

ACEY_DEUCEY = Variant(
    id="acey-deucey",
    title="Acey-Deucey",
    summary="Every checker has to be entered, and 1-2 brings a double of one's choice and another roll.",
    rules_version="1",
    source="rules/acey_deucey.md",
    layout=Layout.CONTRARY,
    contact=Contact.HIT,
    checkers=15,
    start={},
    entry=Entry.FREELY,
    opening_roll=OpeningRoll.REROLL,
    scoring=Scoring.CHECKERS_LEFT,
    match_length=30,
    options=("scoring",),
    own_options=(
        narrowed("doubles", "four", "complement"),
        narrowed("bear_off", "standard", "exact"),
        switch(
            "acey_partial",
            "after a 1-2 the roll is not lost where the double is incomplete",
            rule="C8",
        ),
    ),
)


class AceyDeuceyRules(Rules):
    """After a 1-2 that he has played whole a player names any double, plays it, and rolls again.

    Where doubles bring their complement, so does the one that he names.
    """

    def after_part(self, played: Played) -> Next:
        """A 1-2 or a named double not played whole ends the turn; with `acey_partial` such a double does not."""
        if sorted(played.turn.dice) != [1, 2]:
            return super().after_part(played)
        if played.part.kind is PartKind.ROLL:
            return NAME_DOUBLE if played.complete else HAND_OVER
        if not played.complete and self.options["acey_partial"]:
            return ANOTHER_ROLL
        return super().after_part(played)
