"""Variants made for the tests of turns and ends: games of the rule book, as far as those tests need them."""

from __future__ import annotations

from dataclasses import replace

from bgcore import Ending, Level, Outcome, Player, Position, Registry, Rules, load
from bgcore.axes import (
    BearOff,
    Contact,
    Doubles,
    Entry,
    LaterStarter,
    Layout,
    OpeningRoll,
    Scoring,
    Unplayed,
    UnplayedScope,
)
from bgcore.catalogue import switch
from bgcore.position import BAR, OFF, SIDE
from bgcore.turn import ANOTHER_ROLL, HAND_OVER, NAME_DOUBLE, Next, PartKind, Played
from bgcore.variant import Variant
from bgcore_variants.gul_bara import GUL_BARA
from bgcore_variants.plakoto import PLAKOTO
from bgcore_variants.western import WESTERN

RUSSIAN = Variant(
    id="made-russian",
    title="Russian Backgammon",
    summary="Both sides run the same way on the same points; a double brings its complement.",
    rules_version="1",
    source="rules/russian_backgammon.md",
    layout=Layout.SAME,
    contact=Contact.HIT,
    checkers=15,
    start={},
    entry=Entry.FIRST,
    doubles=Doubles.COMPLEMENT,
    opening_roll=OpeningRoll.STARTER_CHOOSES,
    options=("opening_roll", "doubles", "complement_while_entering", "backgammon_value"),
)

ACEY_DEUCEY = Variant(
    id="made-acey-deucey",
    title="Acey-Deucey",
    summary="Every checker has to be entered, and 1-2 is the best roll.",
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
    options=("doubles", "bear_off", "scoring"),
    own_options=(switch("acey_partial", "the roll after a chosen double is never lost"),),
)

EUROPEAN_ACEY_DEUCEY = replace(
    ACEY_DEUCEY,
    id="made-european-acey-deucey",
    title="European Acey-Deucey",
    doubles=Doubles.COMPLEMENT,
    bear_off=BearOff.EXACT,
)


class AceyDeuceyRules(Rules):
    """After a 1-2 the player names a double, plays it, and rolls again."""

    def after_part(self, played: Played) -> Next:
        """The double after a 1-2 that was played, and the roll after that."""
        if sorted(played.turn.dice) != [1, 2]:
            return super().after_part(played)
        if played.part.kind is PartKind.ROLL:
            return NAME_DOUBLE if played.complete else HAND_OVER
        if not played.complete and self.options["acey_partial"]:
            return ANOTHER_ROLL
        return super().after_part(played)


GIOUL = replace(
    GUL_BARA,
    id="made-gioul",
    title="Gioul",
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
    bundles={},
)

CRAZY_NARDE = replace(
    GIOUL,
    id="made-crazy-narde",
    title="Crazy Narde",
    source="rules/other_tables.md",
    layout=Layout.PARALLEL,
    bear_off=BearOff.EXACT_STATIC,
    opening_roll=OpeningRoll.PLAY_DICE,
    later_starter=LaterStarter.OPENING_ROLL,
)

PLAKOTO_EXPRESS = replace(
    PLAKOTO,
    id="made-plakoto-express",
    title="Plakoto Express",
    aliases=(),
    source="rules/other_tables.md",
    doubles=Doubles.LADDER,
    unplayed=Unplayed.OPPONENT_PLAYS,
    unplayed_scope=UnplayedScope.ALL,
    options=("unplayed_scope", "mother_rule"),
    bundles={},
)

TAWLA_31 = replace(
    GIOUL,
    id="made-tawla-31",
    title="Tawla 31",
    source="rules/other_tables.md",
    doubles=Doubles.FOUR,
    unplayed=Unplayed.LOST,
    unplayed_scope=UnplayedScope.LADDER,
    scoring=Scoring.CHECKERS_LEFT,
    match_length=31,
    options=("scoring",),
)

MISERE = replace(
    WESTERN,
    id="made-misere",
    title="Misere",
    aliases=(),
    source="rules/other_tables.md",
    gammon_value=1,
    backgammon_value=1,
    options=("cube",),
)


class MisereRules(Rules):
    """Who bears off everything first loses."""

    def won(self, position: Position, winner: Player) -> Outcome:
        """The other one has won."""
        return super().won(position, winner.other)


LAST_ROLL = replace(
    GUL_BARA,
    id="made-last-roll",
    title="Narde with a last roll",
    aliases=(),
    source="rules/long_nardy.md",
    opening_roll=OpeningRoll.REROLL,
    options=("opening_roll", "later_starter"),
    own_options=(switch("last_roll_equalizer", "the second player has one last turn"),),
    bundles={},
)


class LastRollRules(Rules):
    """Where the starter has borne off everything first, the other has one turn more to do the same."""

    def ended(self, position: Position, *, started: bool) -> Outcome | None:
        """Nothing yet when the starter is off; a draw when then the other is, too."""
        outcome = self.outcome(position)
        if not self.options["last_roll_equalizer"] or outcome is None:
            return outcome
        if started and outcome.winner is Player.MOVER:
            return None
        if self._finished(position) == (True, True):
            return Outcome(None, 0, Level.SINGLE, Ending.BOTH_BORNE_OFF)
        return outcome

    def board(self, position: Position) -> bytes:
        """With the opponent off, one of his checkers on the bar, where nobody meets it."""
        if self._finished(position) != (False, True):
            return position.packed
        board = bytearray(position.packed)
        board[SIDE + OFF] -= 1
        board[SIDE + BAR] = 1
        return bytes(board)

    def _finished(self, position: Position) -> tuple[bool, bool]:
        every = self.variant.checkers
        return position.mover.off == every, position.opponent.off == every


VARIANTS: tuple[tuple[Variant, type[Rules]], ...] = (
    (RUSSIAN, Rules),
    (ACEY_DEUCEY, AceyDeuceyRules),
    (EUROPEAN_ACEY_DEUCEY, AceyDeuceyRules),
    (GIOUL, Rules),
    (CRAZY_NARDE, Rules),
    (PLAKOTO_EXPRESS, Rules),
    (TAWLA_31, Rules),
    (MISERE, MisereRules),
    (LAST_ROLL, LastRollRules),
)


def registry() -> Registry:
    """The built-in variants and these."""
    known = load().using(load().plugins[0])
    for variant, rules in VARIANTS:
        known.add(variant, rules)
    return known


REGISTRY = registry()


def made(name: str, **options: object) -> Rules:
    """The rules of a variant of these, by its id without `made-`."""
    return REGISTRY.rules(f"made-{name}", "", options)
