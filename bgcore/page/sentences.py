"""The rules of the family as sentences: for each axis what each of its values means to who sits at the board.

"You" are the player, and points are numbered as you count them. Rules are those of docs/rules.md.
"""

from __future__ import annotations

from bgcore.axes import (
    BearOff,
    BearZone,
    Contact,
    Doubles,
    Entry,
    HeadFirstTurn,
    LaterStarter,
    Layout,
    OpeningRoll,
    PrimePath,
    PrimeRule,
    QuarterScope,
    Runner,
    Scoring,
    Timing,
    Unplayed,
    UnplayedScope,
)
from bgcore.page.about import OTHER, About, Chapter
from bgcore.page.match_sentences import MATCH_AND_CUBE

HIT = {"contact": (Contact.HIT,)}
PIN = {"contact": (Contact.PIN,)}
BLOCK = {"contact": (Contact.BLOCK,)}
PARALLEL = {"layout": (Layout.PARALLEL,)}

LOST = "Numbers that cannot be used are lost."

START = Chapter(
    "Equipment and start",
    (
        About(
            "dice",
            "C2",
            {
                2: "A board of 24 points, {checkers} checkers a side, and two dice.",
                3: "A board of 24 points, {checkers} checkers a side, and three dice.",
                OTHER: "A board of 24 points, {checkers} checkers a side, and {dice} dice.",
            },
        ),
        About(
            "begins",
            "C1",
            {
                "placed": "Both sides start alike, each counted in its own numbers: {start}; {pips} pips.",
                "mixed": "Both sides start alike, each counted in its own numbers: {start}, and {unentered} "
                "that have still to be entered; {pips} pips.",
                "unentered": "No checker is on the board at the start: all {checkers} have still to be entered.",
            },
        ),
    ),
)

DIRECTION = Chapter(
    "Direction and home",
    (
        About(
            "layout",
            "C1",
            {
                Layout.CONTRARY: "The two sides run against each other.",
                Layout.PARALLEL: "Both sides run the same way round the board, from opposite corners.",
                Layout.SAME: "Both sides run the same way over the same points.",
            },
        ),
        About(
            "layout",
            "C1",
            {
                OTHER: "You count the points along your own way, from 24, the farthest, down to 1, the last "
                "before off. A number takes a checker that many points down."
            },
        ),
        About(
            "layout",
            "C1",
            {
                Layout.CONTRARY: "Your point n is your opponent's 25 − n: your 24 is his 1. Your home board "
                "is your 6 to 1, his is your 19 to 24.",
                Layout.PARALLEL: "Your point n is your opponent's n + 12 or n − 12: your 24 is his 12, and your "
                "12 is his 24. Your home board is your 6 to 1, his is your 18 to 13.",
                Layout.SAME: "Your point n is your opponent's point n, and 6 to 1 are the home board of both.",
            },
        ),
    ),
)

WHO_STARTS = Chapter(
    "Who starts",
    (
        About(
            "opening_roll",
            "C5",
            {
                OpeningRoll.PLAY_DICE: "Each of you throws one die; equal ones are thrown again. The higher "
                "starts, and plays the two numbers thrown, so that a game never begins with a double.",
                OpeningRoll.REROLL: "Each of you throws one die; equal ones are thrown again. The higher "
                "starts, and rolls all dice anew for the first play, which may be a double.",
                OpeningRoll.STARTER_CHOOSES: "Each of you throws one die; equal ones are thrown again. The "
                "higher starts, and chooses: the two numbers thrown, or a new roll, which may be a double.",
            },
        ),
        About(
            "later_starter",
            "C5",
            {
                LaterStarter.OPENING_ROLL: "Later games of a match begin with such a throw, too.",
                LaterStarter.PREVIOUS_WINNER: "Who wins a game starts the next one, with an ordinary roll. After "
                "a drawn game you throw for it again.",
                LaterStarter.ALTERNATE: "Later games are started in turn, with an ordinary roll. After a "
                "drawn game you throw for it again.",
            },
        ),
    ),
)

DICE = Chapter(
    "The turn and the dice",
    (
        About(
            "dice",
            "R1",
            {
                OTHER: "Each number is one step of one checker. The same checker may make several, if it may "
                "land wherever it comes down between. The order of the numbers is yours to choose."
            },
        ),
        About(
            "dice",
            "R3",
            {
                OTHER: "You must use as many numbers as can be used in any order. Where nothing can be "
                "played the turn is lost; where something can, nobody passes."
            },
        ),
        About(
            "higher_die_rule",
            "R3",
            {
                True: "If only one number can be used, and you could choose which, it must be the largest.",
                False: "If only one number can be used, and you could choose which, either will do.",
            },
        ),
        About(
            "doubles",
            "R5",
            {
                Doubles.FOUR: "A double is four steps of its number.",
                Doubles.LADDER: "A double climbs: four steps of its number, then four of each higher number up to "
                "6. After 4-4 you play 5-5 and 6-6. Each four stands by itself: as many of it as possible "
                "must be played, and the first that is not complete ends the ladder and your turn.",
                Doubles.COMPLEMENT: "A double is four steps of its number, then four of 7 minus that number, and "
                "then you roll again. After 5-5 you play 2-2. Each four stands by itself: as many of it as "
                "possible must be played, and one that is not complete ends your turn.",
                Doubles.NONE: "Equal numbers bring nothing more: each die is one step.",
            },
        ),
        About(
            "dice",
            "R5",
            {2: "", OTHER: "A double is a roll of which all dice are equal."},
            but={"doubles": (Doubles.NONE,)},
        ),
        About(
            "ladder_from_roll",
            "R5",
            {
                1: "That holds from the first roll of a game on.",
                OTHER: "That holds from your own roll number {ladder_from_roll} of a game on. Before, a double is "
                "four steps of its number.",
            },
            where={"doubles": (Doubles.LADDER,)},
        ),
        About(
            "complement_while_entering",
            "R5",
            {
                True: "That holds also while you have checkers to enter.",
                False: "If you have checkers to enter when you roll it, a double is only four steps of its "
                "number, and brings no other roll.",
            },
            where={"doubles": (Doubles.COMPLEMENT,), "entry": (Entry.FIRST,)},
        ),
        About(
            "unplayed",
            "C8",
            {Unplayed.LOST: LOST, Unplayed.OPPONENT_PLAYS: ""},
        ),
        About(
            "unplayed",
            "C8",
            {Unplayed.OPPONENT_PLAYS: LOST},
            where={"unplayed_scope": (UnplayedScope.LADDER,)},
            but={"doubles": (Doubles.LADDER,)},
        ),
        About(
            "unplayed_scope",
            "C8",
            {
                UnplayedScope.LADDER: "What is left of a ladder is your opponent's: before his own roll he must "
                "play the steps that are missing, then the higher fours, until one is not complete. What "
                "is left of any other roll is lost."
            },
            where={"unplayed": (Unplayed.OPPONENT_PLAYS,), "doubles": (Doubles.LADDER,)},
        ),
        About(
            "unplayed_scope",
            "C8",
            {
                UnplayedScope.ALL: "Numbers that you cannot use are your opponent's: before his own roll he must "
                "play them if he can, the larger first.",
            },
            where={"unplayed": (Unplayed.OPPONENT_PLAYS,)},
        ),
        About(
            "doubles",
            "C8",
            {
                Doubles.LADDER: "Of a ladder he plays the steps that are missing, then the higher fours, until one "
                "is not complete."
            },
            where={
                "unplayed": (Unplayed.OPPONENT_PLAYS,),
                "unplayed_scope": (UnplayedScope.ALL,),
            },
        ),
    ),
)

FIRST_ALONE = (
    "The first checker goes alone: until it has come to {where} or lower, no other may leave 24, and "
    "numbers that it cannot use go unused. From the step on that brings it there, also within a turn, every "
    "checker may move, and that stays so."
)


def _alone(where: str) -> str:
    return FIRST_ALONE.format(where=where)


MOVING = Chapter(
    "Moving and contact",
    (
        About(
            "contact",
            "C4",
            {
                Contact.HIT: "You may land on an empty point, on your own, and on a single opposing checker: "
                "that one is hit, and goes to the bar. Two or more opposing checkers close a point.",
                Contact.PIN: "You may land on an empty point, on your own, and on a single opposing checker: "
                "that one is pinned, and cannot move until the last of yours has left the point. Two or more "
                "opposing checkers close a point, and so does one that stands on a pinned checker of "
                "yours. Nothing is hit.",
                Contact.BLOCK: "You may land on an empty point and on your own. A single opposing checker closes "
                "a point: nothing is hit or pinned.",
            },
        ),
        About("contact", "R2", {OTHER: "Closed points may be jumped over, never touched."}),
        About(
            "home_hit_and_run",
            "C8",
            {
                True: "A checker that hits may go on with another number, also in its own home board.",
                False: "Nobody hits in his own home board and runs: of the checkers on the point of such a hit one "
                "must stay there until the turn is over.",
            },
            where=HIT,
        ),
        About(
            "no_hit_before_home",
            "C8",
            {
                True: "You may not hit, not even when entering, while none of your own checkers is in your "
                "home board or off.",
                False: "",
            },
            where=HIT,
        ),
        About(
            "runner",
            "C8",
            {
                Runner.NONE: "Any checker may leave the start at any time.",
            },
            where={**BLOCK, "head_limit": (None,)},
        ),
        About(
            "runner",
            "C8",
            {
                Runner.PASS_START: _alone("11"),
                Runner.REACH_START_QUARTER: _alone("12"),
                Runner.REACH_HOME: _alone("6, your home board,"),
            },
        ),
        About(
            "runner",
            "C8",
            {
                Runner.PASS_START: "11 is past your opponent's start, which is your 12.",
                Runner.REACH_START_QUARTER: "12 is your opponent's start: while he has checkers there, the "
                "first you can reach is 11.",
            },
            where=PARALLEL,
        ),
        About(
            "head_limit",
            "C8",
            {
                None: "",
                1: "Only one checker a turn may leave 24, the head. It may use several numbers.",
                OTHER: "Only {head_limit} checkers a turn may leave 24, the head.",
            },
        ),
        About(
            "head_first_turn",
            "C8",
            {
                HeadFirstTurn.NONE: "That holds on the first turn, too.",
                HeadFirstTurn.LISTED_DOUBLES: "On your first turn of a game two may leave it with 6-6, 4-4 or 3-3.",
                HeadFirstTurn.WHEN_NEEDED: "On your first turn of a game two may leave it if the roll cannot be "
                "played whole with one.",
                HeadFirstTurn.ANY_ROLL: "On your first turn of a game two may leave it.",
            },
            where={"head_limit": (1,)},
        ),
        About(
            "unplayed",
            "C8",
            {
                Unplayed.OPPONENT_PLAYS: "What your opponent has left to you is counted apart from that."
            },
            but={"head_limit": (None,)},
        ),
        About(
            "own_start_quarter_max",
            "C8",
            {
                6: "",
                OTHER: "Of your first six points, 24 to 19, you may hold {own_start_quarter_max} at once, no more.",
            },
        ),
        About(
            "opp_start_quarter_max",
            "C8",
            {
                6: "",
                OTHER: "Of the six points 12 to 7 you may hold {opp_start_quarter_max} at once, no more.",
            },
        ),
        About(
            "opp_start_quarter_max",
            "C8",
            {OTHER: "They are the first six points of your opponent."},
            where=PARALLEL,
            but={"opp_start_quarter_max": (6,)},
        ),
        About(
            "opp_start_quarter_scope",
            "C8",
            {
                QuarterScope.ALWAYS: "That holds to the end of the game.",
                QuarterScope.WHILE_START_OCCUPIED: "That ends when none of his checkers is on his 24 any more.",
            },
            but={"opp_start_quarter_max": (6,)},
        ),
        About(
            "prime_rule",
            "C8",
            {
                PrimeRule.NONE: "But for what is said here you may hold any points, also six in a row.",
                PrimeRule.NEED_AHEAD: "",
            },
            where=BLOCK,
        ),
        About(
            "prime_rule",
            "C8",
            {
                PrimeRule.NEED_AHEAD: "Six points in a row you may hold only while an opposing checker is ahead "
                "of them, that is, has passed all six or is off."
            },
        ),
        About(
            "prime_path",
            "C8",
            {
                PrimePath.OPPONENT: "In a row is counted along your opponent's way.",
                PrimePath.OWN: "In a row is counted along your own way.",
                PrimePath.BOTH: "In a row is counted along your own way and along your opponent's.",
            },
            where={"prime_rule": (PrimeRule.NEED_AHEAD,)},
        ),
        About(
            "prime_path",
            "C8",
            {
                PrimePath.OPPONENT: "So your 3, 2, 1, 24, 23, 22 are six in a row, and 15 to 10 are not; all of 18 "
                "to 13, his home board, may never be held.",
                PrimePath.BOTH: "So your 3, 2, 1, 24, 23, 22 are six in a row, and so are 15 to 10; all of 18 to 13, "
                "his home board, may never be held.",
            },
            where={"prime_rule": (PrimeRule.NEED_AHEAD,), **PARALLEL},
        ),
        About(
            "restriction_timing",
            "C8",
            {
                Timing.PER_STEP: "What may not be held may not be held after any step, even for a moment.",
                Timing.END_OF_PLAY: "What may not be held is looked at when the play is over.",
            },
            where={"formations": (True,)},
        ),
    ),
)

ENTERING = Chapter(
    "Entering",
    (
        About(
            "contact",
            "R2",
            {
                Contact.HIT: "A checker on the bar must enter before you may do anything else. A number d enters "
                "it on 25 − d, a 1 on 24 and a 6 on 19, if you may land there. While one is left on the "
                "bar, your other checkers wait."
            },
        ),
        About(
            "entry",
            "R2",
            {
                Entry.NONE: "",
                Entry.FREELY: "Checkers that have still to be entered come in by the same numbers: a 1 on 24, a 6 "
                "on 19. You need not enter them first: enter some and move others as you like.",
                Entry.FIRST: "Checkers that have still to be entered come in by the same numbers: a 1 on 24, a 6 "
                "on 19. No checker on the board may move until all of yours have been entered.",
            },
        ),
        About(
            "first_half_lock",
            "C8",
            {
                True: "While you have checkers to enter, none may land on 12 or lower.",
                False: "",
            },
            but={"entry": (Entry.NONE,)},
        ),
    ),
)

BEARING_OFF = Chapter(
    "Bearing off",
    (
        About(
            "bear_zone",
            "C3",
            {
                BearZone.LAST_QUARTER: "You may bear off while every checker of yours that is not off is in your "
                "home board, 6 to 1. That is looked at before each step.",
                BearZone.SECOND_HALF: "You may bear off while every checker of yours that is not off is on 12 to 1, "
                "the second half of your way. That is looked at before each step.",
            },
        ),
        About(
            "contact",
            "C3",
            {Contact.HIT: "If one is hit meanwhile, it has to come round again first."},
        ),
        About(
            "bear_off",
            "C3",
            {
                BearOff.STANDARD: "A number bears off from its own point. If it is larger than your highest point, it "
                "bears off from the highest. With nothing on its point and a checker above it, it can only "
                "be used for a step.",
                BearOff.EXACT: "A number bears off from its own point only, a 4 from the 4. A larger one bears "
                "nothing off.",
                BearOff.EXACT_STATIC: "A number bears off from its own point only, a 4 from the 4, and when all "
                "are home no step may be made inside the home board: a number with nothing on its point "
                "cannot be used.",
            },
        ),
        About(
            "bear_off",
            "C3",
            {
                OTHER: "You need not bear off where the number can be used for a step.",
                BearOff.EXACT_STATIC: "",
            },
        ),
        About(
            "bear_off_while_pinned",
            "C3",
            {
                True: "A pinned checker of yours does not stop you, if it is home, too; it cannot be borne off itself.",
                False: "You may not bear off while any checker of yours is pinned.",
            },
            where=PIN,
        ),
    ),
)

END = Chapter(
    "The end, and what it counts",
    (
        About(
            "checkers",
            "R6",
            {OTHER: "Who is first to have borne off all {checkers} checkers wins."},
            unless="won",
        ),
        About(
            "checkers",
            "R6",
            {
                OTHER: "To bear off your last checker ends the game at once, but does not excuse you from using "
                "more numbers where another play could."
            },
        ),
        About(
            "mother_rule",
            "C8",
            {
                True: "The last checker on a start point, 24, is its side's mother. You win at once, and "
                "{mother_points} points, when your opponent's mother is pinned and none of your own checkers "
                "is left on your 24.",
                False: "To pin the last checker on your opponent's start point does not win by itself: the game is "
                "played out.",
            },
            where=PIN,
        ),
        About(
            "contact",
            "R6",
            {
                Contact.PIN: "If the last checkers on both start points are pinned, yours and your opponent's, the "
                "game is drawn at once, and counts nothing."
            },
        ),
        About(
            "scoring",
            "C6",
            {
                Scoring.LEVELS: "",
                Scoring.CHECKERS_LEFT: "The winner gets a point for each checker that the loser has not borne off, "
                "wherever it is.",
            },
        ),
        About(
            "levels",
            "C6",
            {
                "single": "A game counts 1 point, whatever the loser has borne off.",
                "single gammon": "A game counts 1 point, and {gammon_value} if the loser has borne nothing off "
                "(gammon, or mars). There is no triple.",
                "single gammon backgammon": "A game counts 1 point, and {gammon_value} if the loser has borne "
                "nothing off (gammon).",
                "single backgammon": "A game counts 1 point. Gammons do not count.",
            },
        ),
        About(
            "levels",
            "C6",
            {
                "single gammon backgammon": "If besides one of his checkers is {behind}, it counts "
                "{backgammon_value} (backgammon).",
                "single backgammon": "If the loser has borne nothing off, and one of his checkers is {behind}, "
                "it counts {backgammon_value} (backgammon).",
            },
            unless="caught",
        ),
        About(
            "levels",
            "C6",
            {
                "single gammon backgammon": "If besides he is as far behind as is said below, it counts "
                "{backgammon_value} (backgammon).",
                "single backgammon": "If the loser has borne nothing off and is as far behind as is said below, it "
                "counts {backgammon_value} (backgammon).",
            },
            where={"caught": (True,)},
        ),
    ),
)

CHAPTERS = (
    START,
    DIRECTION,
    WHO_STARTS,
    DICE,
    MOVING,
    ENTERING,
    BEARING_OFF,
    END,
    MATCH_AND_CUBE,
)
"""All that is said, in the order in which a player meets it."""
