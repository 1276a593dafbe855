"""The axes on which variants differ, as the words that options use (rules C1 to C8).

A variant picks a value on each axis; the kernel's record (`bgcore.kernel.record`) packs them.
"""

from __future__ import annotations

from enum import StrEnum


class Axis(StrEnum):
    """A choice whose value is the word that rule files, options and the wire use."""


class Layout(Axis):
    """How the opponent numbers my points (C1)."""

    CONTRARY = "contrary"
    PARALLEL = "parallel"
    SAME = "same"


class Contact(Axis):
    """What happens where two sides meet (C4)."""

    HIT = "hit"
    PIN = "pin"
    BLOCK = "block"


class Entry(Axis):
    """Whether checkers start unentered, and what may be played before all are in."""

    NONE = "none"
    FREELY = "freely"
    FIRST = "first"


class BearOff(Axis):
    """Which numbers bear a checker off (C3)."""

    STANDARD = "standard"
    EXACT = "exact"
    EXACT_STATIC = "exact_static"


class BearZone(Axis):
    """Where every checker must stand before one may be borne off."""

    LAST_QUARTER = "last_quarter"
    SECOND_HALF = "second_half"


class Doubles(Axis):
    """What a double is worth (R5)."""

    FOUR = "four"
    LADDER = "ladder"
    COMPLEMENT = "complement"
    NONE = "none"


class Unplayed(Axis):
    """What becomes of numbers that could not be used."""

    LOST = "lost"
    OPPONENT_PLAYS = "opponent_plays"


class UnplayedScope(Axis):
    """Which rolls `Unplayed.OPPONENT_PLAYS` is about."""

    LADDER = "ladder"
    ALL = "all"


class Runner(Axis):
    """How far the first checker must come before a second may leave the start point."""

    NONE = "none"
    PASS_START = "pass_start"
    REACH_START_QUARTER = "reach_start_quarter"
    REACH_HOME = "reach_home"


class HeadFirstTurn(Axis):
    """When two checkers may leave the head on a player's first turn."""

    NONE = "none"
    LISTED_DOUBLES = "listed_doubles"
    WHEN_NEEDED = "when_needed"
    ANY_ROLL = "any_roll"


class QuarterScope(Axis):
    """How long the limit on the opponent's start quarter lasts."""

    ALWAYS = "always"
    WHILE_START_OCCUPIED = "while_start_occupied"


class PrimeRule(Axis):
    """Whether six in a row need an opposing checker ahead of them."""

    NONE = "none"
    NEED_AHEAD = "need_ahead"


class PrimePath(Axis):
    """Along whose path six in a row are counted."""

    OPPONENT = "opponent"
    OWN = "own"
    BOTH = "both"


class Timing(Axis):
    """When limits on formations are tested."""

    PER_STEP = "per_step"
    END_OF_PLAY = "end_of_play"


class OpeningRoll(Axis):
    """What the throw that decides who starts is good for (C5)."""

    PLAY_DICE = "play_dice"
    REROLL = "reroll"
    STARTER_CHOOSES = "starter_chooses"


class LaterStarter(Axis):
    """Who starts the second and later games of a match (C5)."""

    OPENING_ROLL = "opening_roll"
    PREVIOUS_WINNER = "previous_winner"
    ALTERNATE = "alternate"


class Scoring(Axis):
    """How a finished game is valued (C6)."""

    LEVELS = "levels"
    CHECKERS_LEFT = "checkers_left"


class Triple(Axis):
    """What a 6-6 in an opening throw multiplies the stake by where ties double it (M6)."""

    DOUBLE = "double"
    TRIPLE = "triple"


class Bound(Axis):
    """Whom the Holland rule binds (M2)."""

    TRAILING = "trailing"
    BOTH = "both"


class DeclineCost(Axis):
    """What refusing a double costs (M3)."""

    STAKE = "stake"
    ALWAYS_ONE = "always_one"


class MoneyRules(Axis):
    """Whether Jacoby, animals and automatic doubles may be on in a match (M8)."""

    REJECT = "reject"
    ALLOW = "allow"


class ResignWhen(Axis):
    """When a player may offer to resign (M9)."""

    ANY = "any"
    OWN_TURN = "own_turn"


class IllegalMoves(Axis):
    """What becomes of an illegal play (M11)."""

    REJECT = "reject"
    UNTIL_NEXT_ROLL = "until_next_roll"


class DrawPolicy(Axis):
    """What follows a drawn game where the games of a match change (`tavli.md`)."""

    REPLAY = "replay"
    ADVANCE = "advance"


class ClockKind(Axis):
    """How thinking time is counted (M10)."""

    NONE = "none"
    BRONSTEIN = "bronstein"
    FISCHER = "fischer"
    PER_TURN = "per_turn"


class FlagLoses(Axis):
    """What running out of time costs (M10)."""

    MATCH = "match"
    GAME = "game"
