"""The axes on which variants differ, as the words that options use (rules C1 to C8).

A variant picks a value on each axis; the kernel's record (`bgcore.kernel.record`) packs them. What the words
of an axis mean stands under `Words`, from which docs/axes.md is made.
"""

from __future__ import annotations

from enum import StrEnum


class Axis(StrEnum):
    """A choice whose value is the word that rule files, options and the wire use."""


class Layout(Axis):
    """How the opponent numbers my points (C1).

    Words:
        contrary: 25 − n; the two sides run against each other.
        parallel: n + 12 or n − 12; both run the same way round, half a board apart.
        same: n; both run the same way, from the same points.
    """

    CONTRARY = "contrary"
    PARALLEL = "parallel"
    SAME = "same"


class Contact(Axis):
    """What happens where two sides meet (C4).

    Words:
        hit: a lone checker is hit and enters anew; two close a point.
        pin: a lone checker is pinned where it stands; two close a point.
        block: one checker closes a point.
    """

    HIT = "hit"
    PIN = "pin"
    BLOCK = "block"


class Entry(Axis):
    """Whether checkers start unentered, and what may be played before all are in.

    Words:
        none: every checker starts on a point.
        freely: what does not start on a point is entered whenever its player likes.
        first: the same, but all are entered before anything else is played.
    """

    NONE = "none"
    FREELY = "freely"
    FIRST = "first"


class BearOff(Axis):
    """Which numbers bear a checker off (C3).

    Words:
        standard: its own number, and a larger one if no checker stands above.
        exact: its own number only.
        exact_static: the same, and nothing steps inside the home board once all are there.
    """

    STANDARD = "standard"
    EXACT = "exact"
    EXACT_STATIC = "exact_static"


class BearZone(Axis):
    """Where every checker must stand before one may be borne off.

    Words:
        last_quarter: on own 6 to 1.
        second_half: on own 12 to 1.
    """

    LAST_QUARTER = "last_quarter"
    SECOND_HALF = "second_half"


class Doubles(Axis):
    """What a double is worth (R5).

    Words:
        four: its number four times.
        ladder: its number four times, then each higher one up to 6-6 four times.
        complement: its number four times, then seven less its number, then another roll.
        none: its numbers once each, as any roll.
    """

    FOUR = "four"
    LADDER = "ladder"
    COMPLEMENT = "complement"
    NONE = "none"


class Unplayed(Axis):
    """What becomes of numbers that could not be used.

    Words:
        lost: they are lost.
        opponent_plays: the opponent plays them before his own roll.
    """

    LOST = "lost"
    OPPONENT_PLAYS = "opponent_plays"


class UnplayedScope(Axis):
    """Which rolls `Unplayed.OPPONENT_PLAYS` is about.

    Words:
        ladder: those of ladders of doubles.
        all: all.
    """

    LADDER = "ladder"
    ALL = "all"


class Runner(Axis):
    """How far the first checker must come before a second may leave the start point.

    Words:
        none: nowhere: there is no such rule.
        pass_start: past the opponent's start, to own 11 or lower.
        reach_start_quarter: the opponent's start quarter, own 12 or lower.
        reach_home: home, own 6 or lower.
    """

    NONE = "none"
    PASS_START = "pass_start"
    REACH_START_QUARTER = "reach_start_quarter"
    REACH_HOME = "reach_home"


class HeadFirstTurn(Axis):
    """When two checkers may leave the head on a player's first turn.

    Words:
        none: never.
        listed_doubles: with 3-3, 4-4 and 6-6.
        when_needed: where the roll cannot be played whole otherwise.
        any_roll: with every roll.
    """

    NONE = "none"
    LISTED_DOUBLES = "listed_doubles"
    WHEN_NEEDED = "when_needed"
    ANY_ROLL = "any_roll"


class QuarterScope(Axis):
    """How long the limit on the opponent's start quarter lasts.

    Words:
        always: the whole game.
        while_start_occupied: until the opponent's last checker has left his start.
    """

    ALWAYS = "always"
    WHILE_START_OCCUPIED = "while_start_occupied"


class PrimeRule(Axis):
    """Whether six in a row need an opposing checker ahead of them.

    Words:
        none: no.
        need_ahead: yes, at least one on the board ahead or borne off.
    """

    NONE = "none"
    NEED_AHEAD = "need_ahead"


class PrimePath(Axis):
    """Along whose path six in a row are counted.

    Words:
        opponent: the opponent's.
        own: the mover's.
        both: either one's.
    """

    OPPONENT = "opponent"
    OWN = "own"
    BOTH = "both"


class Timing(Axis):
    """When limits on formations are tested.

    Words:
        per_step: after every step.
        end_of_play: when the play is done.
    """

    PER_STEP = "per_step"
    END_OF_PLAY = "end_of_play"


class OpeningRoll(Axis):
    """What the throw that decides who starts is good for (C5).

    Words:
        play_dice: who starts plays both numbers.
        reroll: who starts rolls anew.
        starter_chooses: who starts plays them or rolls anew.
    """

    PLAY_DICE = "play_dice"
    REROLL = "reroll"
    STARTER_CHOOSES = "starter_chooses"


class LaterStarter(Axis):
    """Who starts the second and later games of a match (C5).

    Words:
        opening_roll: an opening throw decides.
        previous_winner: who won the last game.
        alternate: who did not start the last game.
    """

    OPENING_ROLL = "opening_roll"
    PREVIOUS_WINNER = "previous_winner"
    ALTERNATE = "alternate"


class Scoring(Axis):
    """How a finished game is valued (C6).

    Words:
        levels: single, gammon and backgammon.
        checkers_left: a point for each checker that the loser has not borne off.
    """

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
