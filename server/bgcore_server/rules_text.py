"""A variant's rules in words, made from its data: what a player must know to choose it.

What a variant's own code adds stands in its summary.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bgcore import Rules
from bgcore.axes import (
    Axis,
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
)

ALL_SIX = 6
"""Points of a quarter: a limit that is none."""

WORDS: Mapping[str, Mapping[Axis, str]] = {
    "layout": {
        Layout.CONTRARY: "The two sides run against each other: "
        "my 24-point is the opponent's 1-point.",
        Layout.PARALLEL: "Both sides run the same way round: "
        "my 24-point is the opponent's 12-point.",
        Layout.SAME: "Both sides run the same way round and from the same point.",
    },
    "contact": {
        Contact.HIT: "A lone opposing checker may be hit and goes to the bar; two close a point. "
        "Checkers on the bar must enter before any other step.",
        Contact.PIN: "A lone opposing checker may be pinned: it stays below until the checkers on "
        "top have left. Two close a point.",
        Contact.BLOCK: "One checker closes a point; nothing is hit or pinned.",
    },
    "entry": {
        Entry.NONE: "",
        Entry.FREELY: "Checkers that start off the board enter when their player likes.",
        Entry.FIRST: "Every checker must have entered before any other step.",
    },
    "doubles": {
        Doubles.FOUR: "A double is played four times.",
        Doubles.LADDER: "A double is played four times; from a player's roll number {from_roll} on "
        "it brings the higher doubles after it.",
        Doubles.COMPLEMENT: "A double is followed by its complement to seven, "
        "each played four times.",
        Doubles.NONE: "A double is worth no more than its dice.",
    },
    "unplayed": {
        Unplayed.LOST: "Numbers that cannot be used are lost.",
        Unplayed.OPPONENT_PLAYS: "The opponent plays what could not be used.",
    },
    "bear_zone": {
        BearZone.LAST_QUARTER: "Checkers are borne off once all are on the points 6 to 1",
        BearZone.SECOND_HALF: "Checkers are borne off once all are on the points 12 to 1",
    },
    "bear_off": {
        BearOff.STANDARD: "; a number larger than needed bears off where nobody stands higher.",
        BearOff.EXACT: ", by the exact number only.",
        BearOff.EXACT_STATIC: ", by the exact number only, and then none moves inside them.",
    },
    "runner": {
        Runner.NONE: "",
        Runner.PASS_START: "Until one checker has passed the opponent's start point, "
        "no second one may leave.",
        Runner.REACH_START_QUARTER: "Until one checker has come to its 12-point, "
        "no second one may leave.",
        Runner.REACH_HOME: "Until one checker has come to its 6-point, no second one may leave.",
    },
    "head_first_turn": {
        HeadFirstTurn.NONE: "",
        HeadFirstTurn.LISTED_DOUBLES: ", on a player's first roll two with 3-3, 4-4 and 6-6",
        HeadFirstTurn.WHEN_NEEDED: ", on a player's first roll two where one cannot play all of it",
        HeadFirstTurn.ANY_ROLL: ", on a player's first roll two",
    },
    "opp_start_quarter_scope": {
        QuarterScope.ALWAYS: "",
        QuarterScope.WHILE_START_OCCUPIED: " while the opponent has a checker on his 24-point",
    },
    "prime_rule": {
        PrimeRule.NONE: "",
        PrimeRule.NEED_AHEAD: "Six points in a row, along {path}, "
        "may be held only with an opposing checker ahead of them.",
    },
    "prime_path": {
        PrimePath.OPPONENT: "the opponent's way",
        PrimePath.OWN: "one's own way",
        PrimePath.BOTH: "either way",
    },
    "restriction_timing": {
        Timing.PER_STEP: "That is looked at after every step.",
        Timing.END_OF_PLAY: "That is looked at where a play ends.",
    },
    "opening_roll": {
        OpeningRoll.PLAY_DICE: "Each side throws one die; the higher starts and plays both numbers.",
        OpeningRoll.REROLL: "Each side throws one die; the higher starts and rolls anew.",
        OpeningRoll.STARTER_CHOOSES: "Each side throws one die; the higher starts and plays both "
        "numbers or rolls anew.",
    },
    "later_starter": {
        LaterStarter.OPENING_ROLL: "Later games begin in the same way.",
        LaterStarter.PREVIOUS_WINNER: "The winner starts the next game.",
        LaterStarter.ALTERNATE: "Later games are started by turns.",
    },
}
"""What each axis means to a player, by its name and value."""


def rules_text(rules: Rules) -> str:
    """The rules as Markdown, a paragraph a line."""
    parts = (
        ("", rules.variant.summary),
        ("Start", _start(rules)),
        ("Opening", f"{_word(rules, 'opening_roll')} {_word(rules, 'later_starter')}"),
        ("Board", _word(rules, "layout")),
        ("Contact", f"{_word(rules, 'contact')} {_word(rules, 'entry')}"),
        ("Numbers", " ".join(_numbers(rules))),
        ("Limits", " ".join(_limits(rules))),
        ("Bearing off", _word(rules, "bear_zone") + _word(rules, "bear_off")),
        ("Winning", " ".join(_winning(rules))),
        ("Cube", _cube(rules)),
    )
    told = (f"**{title}.** {text}" if title else text for title, text in parts if text)
    return "\n\n".join(line.strip() for line in told)


def _word(rules: Rules, axis: str) -> str:
    return WORDS[axis][getattr(rules.variant, axis)]


def _start(rules: Rules) -> str:
    variant = rules.variant
    places = [f"{count} on the {point}-point" for point, count in sorted(variant.start.items())]
    if variant.unentered:
        places.insert(0, f"{variant.unentered} not entered")
    return f"Each side has {variant.checkers} checkers: {', '.join(places[::-1])}."


def _numbers(rules: Rules) -> Iterator[str]:
    variant = rules.variant
    yield f"A roll has {variant.dice} dice. As many numbers as possible must be used."
    if variant.higher_die_rule:
        yield "If only one of two can be, it must be the larger."
    yield _word(rules, "doubles").format(from_roll=variant.ladder_from_roll)
    yield _word(rules, "unplayed")


def _limits(rules: Rules) -> Iterator[str]:
    variant = rules.variant
    if variant.runner is not Runner.NONE:
        yield _word(rules, "runner")
    if variant.head_limit is not None:
        first = _word(rules, "head_first_turn")
        yield f"At most {variant.head_limit} may leave the 24-point in a turn{first}."
    if variant.first_half_lock:
        yield "With checkers to enter, none may come past its 13-point."
    if variant.no_hit_before_home:
        yield "Nobody hits before one of his own checkers is home."
    formations = tuple(_formations(rules))
    yield from formations
    if formations:
        yield _word(rules, "restriction_timing")


def _formations(rules: Rules) -> Iterator[str]:
    variant = rules.variant
    if (most := variant.own_start_quarter_max) < ALL_SIX:
        yield f"At most {most} of one's own points 24 to 19 may be held at once."
    if (most := variant.opp_start_quarter_max) < ALL_SIX:
        scope = _word(rules, "opp_start_quarter_scope")
        yield f"At most {most} of one's own points 12 to 7 may be held at once{scope}."
    if variant.prime_rule is not PrimeRule.NONE:
        yield _word(rules, "prime_rule").format(path=_word(rules, "prime_path"))


def _winning(rules: Rules) -> Iterator[str]:
    variant = rules.variant
    if type(rules).won is Rules.won:
        yield "Who first bears off every checker wins."
    if variant.scoring is Scoring.LEVELS:
        worth = ", ".join(f"a {level} {rules.value(level)}" for level in rules.levels)
        yield f"Points: {worth}."
    else:
        yield "A win counts the checkers that the loser has left."
    if variant.mother_rule:
        points = variant.mother_points
        yield f"Pinning the last checker on the opponent's start point wins {points} at once."
    length = rules.options.get("match_length")
    yield f"A match goes to {length}." if length else "Games are played for points, without an end."


def _cube(rules: Rules) -> str:
    options = rules.options
    if not options.get("cube"):
        return "None."
    cap = options.get("cube_cap")
    told = ["Before rolling, a player may offer to double the stake; who declines loses the game."]
    told.append(f"It goes up to {cap}." if cap else "It has no limit.")
    if options.get("crawford") and options.get("match_length"):
        told.append(
            "Nobody doubles in the game after a player comes to one point short (Crawford)."
        )
    if options.get("jacoby"):
        told.append("Gammons count only once the cube was turned (Jacoby).")
    return " ".join(told)
