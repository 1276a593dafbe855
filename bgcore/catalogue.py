"""Every option that variants share: of the game (C8), of cube and match (M12), of the table (M10, T1 to T3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from bgcore.axes import (
    Axis,
    BearOff,
    BearZone,
    Bound,
    ClockKind,
    Contact,
    DeclineCost,
    Doubles,
    FlagLoses,
    HeadFirstTurn,
    IllegalMoves,
    LaterStarter,
    Layout,
    MoneyRules,
    OpeningRoll,
    PrimePath,
    PrimeRule,
    QuarterScope,
    ResignWhen,
    Runner,
    Scoring,
    Timing,
    Triple,
    Unplayed,
    UnplayedScope,
)
from bgcore.option import Option, OptionType, Scope, Value, words


def switch(
    name: str,
    meaning: str,
    default: bool = False,
    *,
    scope: Scope = Scope.GAME,
    rule: str = "",
    money_default: bool | None = None,
) -> Option:
    """An option that is on or off."""
    return Option(
        name,
        OptionType.BOOL,
        meaning,
        scope=scope,
        rule=rule,
        default=default,
        money_default=money_default,
    )


def number(
    name: str,
    meaning: str,
    low: int,
    high: int,
    default: int | None = None,
    *,
    optional: bool = False,
    scope: Scope = Scope.GAME,
    rule: str = "",
) -> Option:
    """An option that is a whole number from `low` to `high`."""
    return Option(name, OptionType.INT, meaning, (low, high), optional, scope, rule, default)


def choice(
    name: str,
    meaning: str,
    axis: type[Axis],
    default: Value = None,
    *,
    scope: Scope = Scope.GAME,
    rule: str = "",
    money_default: Value = None,
) -> Option:
    """An option that is a word of an axis."""
    return Option(
        name,
        OptionType.WORD,
        meaning,
        words(axis),
        scope=scope,
        rule=rule,
        default=default,
        money_default=money_default,
    )


GAME_OPTIONS: tuple[Option, ...] = (
    choice(
        "opening_roll", "what the throw that decides who starts is good for", OpeningRoll, rule="C5"
    ),
    choice("later_starter", "who starts the second and later games", LaterStarter, rule="C5"),
    switch(
        "higher_die_rule", "if only one of two numbers can be used, the larger must be", rule="R3"
    ),
    choice("layout", "how the opponent numbers my points", Layout, rule="C1"),
    choice("contact", "what happens where two sides meet", Contact, rule="C4"),
    switch(
        "home_hit_and_run", "a checker that hit at home may move on in the same turn", rule="C8"
    ),
    switch("mother_rule", "pinning the last opposing start checker wins", rule="C8"),
    number(
        "mother_points", "what pinning the last opposing start checker is worth", 1, 3, rule="C8"
    ),
    switch(
        "bear_off_while_pinned", "a pinned own checker at home does not stop bearing off", rule="C8"
    ),
    choice("doubles", "what a double is worth", Doubles, rule="C8"),
    number(
        "ladder_from_roll",
        "a player's first roll of the game on which the ladder applies",
        1,
        100,
        rule="C8",
    ),
    switch(
        "complement_while_entering",
        "a double brings its complement and another roll also while checkers are to be entered",
        rule="C8",
    ),
    choice("unplayed", "what becomes of numbers that could not be used", Unplayed, rule="C8"),
    choice(
        "unplayed_scope", "of which rolls the opponent plays what is left", UnplayedScope, rule="C8"
    ),
    choice(
        "runner", "how far the first checker must come before a second may leave", Runner, rule="C8"
    ),
    number(
        "head_limit",
        "how many checkers may leave the start point in a turn",
        1,
        100,
        optional=True,
        rule="C8",
    ),
    choice(
        "head_first_turn",
        "when two checkers may leave the start point on a player's first turn",
        HeadFirstTurn,
        rule="C8",
    ),
    number(
        "own_start_quarter_max", "how many of own 24 to 19 may be held at once", 1, 6, rule="C8"
    ),
    number("opp_start_quarter_max", "how many of own 12 to 7 may be held at once", 1, 6, rule="C8"),
    choice(
        "opp_start_quarter_scope",
        "how long the limit on own 12 to 7 lasts",
        QuarterScope,
        rule="C8",
    ),
    choice(
        "prime_rule", "whether six in a row need an opposing checker ahead", PrimeRule, rule="C8"
    ),
    choice("prime_path", "along whose path six in a row are counted", PrimePath, rule="C8"),
    choice("restriction_timing", "when limits on formations are tested", Timing, rule="C8"),
    choice("bear_off", "which numbers bear a checker off", BearOff, rule="C3"),
    choice("bear_zone", "where all checkers must be before one is borne off", BearZone, rule="C3"),
    switch("first_half_lock", "with unentered checkers none may come past own 13", rule="C8"),
    choice(
        "scoring", "what a game is worth: levels, or checkers not borne off", Scoring, rule="C6"
    ),
    number("gammon_value", "points of a gammon before the cube", 1, 3, rule="C6"),
    number("backgammon_value", "points of a backgammon before the cube", 1, 3, rule="C6"),
)

_switch = partial(switch, scope=Scope.MATCH)
_number = partial(number, scope=Scope.MATCH)
_choice = partial(choice, scope=Scope.MATCH)
HIGHEST_CAP = 1 << 20

CUBE_OPTIONS = (
    _switch("cube", "the doubling cube is in play", rule="M12"),
    _number("cube_cap", "highest value of the cube", 1, HIGHEST_CAP, 64, optional=True, rule="M2"),
    _switch(
        "crawford",
        "no doubling in the game after a player comes to one point short",
        default=True,
        rule="M7",
    ),
    _switch(
        "dead_cube_rule", "in a match nobody doubles whose stake wins it with a single", rule="M2"
    ),
    _switch(
        "holland",
        "after the Crawford game no doubling before each side has completed two turns",
        rule="M2",
    ),
    _choice("holland_scope", "whom that binds", Bound, "trailing", rule="M2"),
    _switch("jacoby", "gammons count only once the cube was turned", money_default=True, rule="M5"),
    _number(
        "animals",
        "how many doubles on the spot may follow a double: 1 beaver, 2 raccoon, 3 otter, 4 monkey",
        0,
        16,
        0,
        optional=True,
        rule="M4",
    ),
    _switch("animals_refusable", "a beaver may be refused, at twice the stake", True, rule="M4"),
    _number(
        "auto_doubles",
        "how many ties of the opening throw double the stake of a game",
        0,
        16,
        0,
        optional=True,
        rule="M6",
    ),
    _choice("auto_double_66", "what a 6-6 among them does", Triple, "double", rule="M6"),
    _switch("auto_double_satisfies_jacoby", "such a tie counts as a turned cube", rule="M5"),
    _switch(
        "double_before_first_roll",
        "a game that starts without an opening throw may be doubled before its first roll",
        rule="M2",
    ),
    _choice("decline_cost", "what refusing a double costs", DeclineCost, "stake", rule="M3"),
    _choice(
        "money_rules_in_match",
        "whether Jacoby, animals and automatic doubles may be on in a match",
        MoneyRules,
        "reject",
        rule="M8",
    ),
)

MATCH_OPTIONS = (
    _number(
        "match_length",
        "points to play to; none is a money session",
        1,
        32767,
        optional=True,
        rule="M7",
    ),
    _choice("resign_when", "when resigning may be offered", ResignWhen, "any", rule="M9"),
    _switch(
        "resign_auto_accept",
        "resigning for the most that can still be lost ends the game at once",
        default=True,
        rule="M9",
    ),
    _choice(
        "illegal_moves",
        "an illegal play is refused, or stands and may be corrected until the next roll",
        IllegalMoves,
        "reject",
        rule="M11",
    ),
)

_table = partial(number, scope=Scope.TABLE, rule="M10")
_switch_here = partial(switch, scope=Scope.TABLE)
DAY = 24 * 60 * 60

TABLE_OPTIONS = (
    choice(
        "clock", "how thinking time is counted", ClockKind, "none", scope=Scope.TABLE, rule="M10"
    ),
    _table("bank_per_point", "seconds of each player for each point of the match", 0, DAY, 120),
    _table("bank_fixed", "seconds of each player, whatever the length", 0, 7 * DAY, optional=True),
    _table(
        "step",
        "seconds a turn: the delay of bronstein, the increment of fischer, all there is with per_turn",
        0,
        DAY,
        12,
    ),
    choice(
        "flag_loses",
        "what running out of time costs",
        FlagLoses,
        "match",
        scope=Scope.TABLE,
        rule="M10",
        money_default="game",
    ),
    _switch_here("auto_roll", "the server rolls where its player can do nothing else", rule="T1"),
    _switch_here("auto_play", "the server makes the play that is the only one", rule="T1"),
    _switch_here("auto_pass", "the server passes where nothing can be played", rule="T1"),
    _table(
        "absence",
        "seconds after which who must decide, and does not, is out of time, clock or none",
        1,
        30 * DAY,
        optional=True,
        rule="T2",
    ),
    _table(
        "abandonment",
        "seconds after which a table where nobody does anything is closed, and its match void",
        1,
        365 * DAY,
        optional=True,
        rule="T2",
    ),
    _switch_here(
        "undo",
        "a player's last action can be taken back if the other agrees and no dice have fallen since",
        default=True,
        rule="T3",
    ),
    switch(
        "options_locked",
        "the preset or bundle fixes the options: who makes a table may not change them",
        scope=Scope.TABLE,
        rule="M12",
    ),
)

CATALOGUE: Mapping[str, Option] = {
    o.name: o for o in GAME_OPTIONS + CUBE_OPTIONS + MATCH_OPTIONS + TABLE_OPTIONS
}
"""Options that variants share, by name."""


def narrowed(name: str, *values: str) -> Option:
    """A shared option, of which a variant takes only some words.

    >>> narrowed("doubles", "four", "ladder").expected
    'one of four, ladder'
    """
    return replace(CATALOGUE[name], values=values)
