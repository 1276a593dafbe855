"""Options of a table: declared as data, so that a client can draw a form for a variant it never heard of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from bgcore.axes import Axis, BearOff, Contact, Doubles, LaterStarter, Layout, OpeningRoll, Unplayed

Value = bool | int | str | tuple[str, ...] | None
"""What an option holds; `None` is written `none` and means unlimited."""

Values = Mapping[str, Value]

NONE_WORDS = ("none", "null", "unlimited")


class Scope(StrEnum):
    """Who gives an option its meaning: the variant, the match that the engine keeps, or the table."""

    GAME = "game"
    MATCH = "match"
    TABLE = "table"


class OptionType(StrEnum):
    """What kind of value an option takes."""

    BOOL = "bool"
    INT = "int"
    WORD = "word"


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that a table may choose.

    `values` are the words of a WORD, the lowest and highest number of an INT; `optional` allows `none`.
    `rule` is the sentence of the rule book that describes it.

    >>> Option("cube_cap", OptionType.INT, "highest value", values=(1, 64), optional=True).read("none")
    >>> Option("cube", OptionType.BOOL, "cube in play").read("TRUE")
    True
    """

    name: str
    type: OptionType
    meaning: str
    values: tuple[str, ...] | tuple[int, int] = ()
    optional: bool = False
    scope: Scope = Scope.GAME
    rule: str = "C8"

    @property
    def expected(self) -> str:
        """What may be given, in words."""
        if self.type is OptionType.BOOL:
            words = "true or false"
        elif self.type is OptionType.INT:
            words = f"a number from {self.values[0]} to {self.values[1]}"
        else:
            words = "one of " + ", ".join(map(str, self.values))
        return f"{words}, or none" if self.optional else words

    def read(self, value: object) -> Value:
        """The value that was meant, also from its text; `ValueError` when it is not one."""
        text = value.strip().lower() if isinstance(value, str) else None
        if value is None or (text in NONE_WORDS and "none" not in self.values):
            return self._checked(None, self.optional)
        if self.type is OptionType.BOOL:
            if text in ("true", "false"):
                return text == "true"
            return self._checked(value, isinstance(value, bool))
        if self.type is OptionType.INT:
            return self._checked(_int(value), in_range(_int(value), self.values))
        return self._checked(text, text in self.values)

    def _checked(self, value: object, fits: bool) -> Value:
        if not fits:
            raise ValueError(self.expected)
        return value  # type: ignore[return-value]  # `fits` has proved it to be of the option's type


def _int(value: object) -> int | None:
    """The whole number that a value is or spells."""
    if isinstance(value, str):
        digits = value.strip().removeprefix("-")
        return int(value) if digits.isascii() and digits.isdigit() and len(digits) < 20 else None
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def in_range(value: int | None, limits: tuple[object, ...]) -> bool:
    """Whether a number lies between two others, both included."""
    low, high = limits
    return (
        value is not None
        and isinstance(low, int)
        and isinstance(high, int)
        and low <= value <= high
    )


def words(axis: type[Axis]) -> tuple[str, ...]:
    """The words of an axis."""
    return tuple(choice.value for choice in axis)


def switch(name: str, meaning: str, scope: Scope = Scope.GAME, rule: str = "C8") -> Option:
    """An option that is on or off."""
    return Option(name, OptionType.BOOL, meaning, scope=scope, rule=rule)


def number(
    name: str,
    meaning: str,
    low: int,
    high: int,
    *,
    optional: bool = False,
    scope: Scope = Scope.GAME,
    rule: str = "C8",
) -> Option:
    """An option that is a whole number from `low` to `high`."""
    return Option(name, OptionType.INT, meaning, (low, high), optional, scope, rule)


def choice(
    name: str, meaning: str, axis: type[Axis], scope: Scope = Scope.GAME, rule: str = "C8"
) -> Option:
    """An option that is a word of an axis."""
    return Option(name, OptionType.WORD, meaning, words(axis), scope=scope, rule=rule)


GAME_OPTIONS = (
    choice(
        "opening_roll", "what the throw that decides who starts is good for", OpeningRoll, rule="C5"
    ),
    choice("later_starter", "who starts the second and later games", LaterStarter, rule="C5"),
    switch(
        "higher_die_rule", "if only one of two numbers can be used, the larger must be", rule="R3"
    ),
    choice("layout", "how the opponent numbers my points", Layout, rule="C1"),
    choice("contact", "what happens where two sides meet", Contact, rule="C4"),
    switch("home_hit_and_run", "a checker that hit at home may move on in the same turn"),
    switch("mother_rule", "pinning the last opposing start checker wins"),
    number("mother_points", "what that win is worth", 1, 3),
    switch("bear_off_while_pinned", "a pinned own checker at home does not stop bearing off"),
    choice("doubles", "what a double is worth", Doubles),
    number(
        "ladder_from_roll", "a player's first roll of the game on which the ladder applies", 1, 100
    ),
    choice("unplayed", "what becomes of numbers that could not be used", Unplayed),
    choice("bear_off", "which numbers bear a checker off", BearOff, rule="C3"),
    number("gammon_value", "points of a gammon before the cube", 1, 3, rule="C6"),
    number("backgammon_value", "points of a backgammon before the cube", 1, 3, rule="C6"),
)

CUBE_OPTIONS = (
    switch("cube", "the doubling cube is in play", scope=Scope.MATCH, rule="M12"),
    number(
        "cube_cap",
        "highest value of the cube",
        1,
        1 << 20,
        optional=True,
        scope=Scope.MATCH,
        rule="M2",
    ),
    switch(
        "crawford",
        "no doubling in the game after a player comes to one point short",
        scope=Scope.MATCH,
        rule="M7",
    ),
    switch("jacoby", "gammons count only once the cube was turned", scope=Scope.MATCH, rule="M5"),
    switch(
        "double_before_first_roll",
        "a game that starts without an opening throw may be doubled before its first roll",
        scope=Scope.MATCH,
        rule="M2",
    ),
)

MATCH_OPTIONS = (
    number(
        "match_length",
        "points to play to; none is a money session",
        1,
        32767,
        optional=True,
        scope=Scope.MATCH,
        rule="M7",
    ),
    switch(
        "resign_auto_accept",
        "resigning for the most that can still be lost ends the game at once",
        scope=Scope.MATCH,
        rule="M9",
    ),
)

CATALOGUE: Mapping[str, Option] = {o.name: o for o in GAME_OPTIONS + CUBE_OPTIONS + MATCH_OPTIONS}
"""Options that variants share, by name."""


def narrowed(name: str, *values: str) -> Option:
    """A shared option, of which a variant takes only some words.

    >>> narrowed("doubles", "four", "ladder").expected
    'one of four, ladder'
    """
    return replace(CATALOGUE[name], values=values)
