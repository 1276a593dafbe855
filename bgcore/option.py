"""Options of a table: declared as data, so that a client can draw a form for a variant it never heard of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum

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
    `rule` is the rule of docs/rules.md that describes it, for those that are there; a variant's own need none.

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
    rule: str = ""
    default: Value = None  # where the variant's data does not say
    money_default: Value = None  # in money sessions, where that is another

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


def spelt(value: Value) -> str:
    """A value as it is given on a command line or in a header, which `Option.read` takes back.

    >>> spelt(None), spelt(True), spelt(("a", "b"))
    ('none', 'true', 'a, b')
    """
    if isinstance(value, tuple):
        return ", ".join(value)
    return (
        "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    )


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


def members(kind: type[Enum], given: object) -> str:
    """What is expected, in Python, in place of a value that is none of an enumeration: the one that it spells, or all.

    >>> members(OptionType, "word"), members(OptionType, 3)
    ('OptionType.WORD', 'one of OptionType.BOOL, OptionType.INT, OptionType.WORD')
    """
    spelt = [f"{kind.__name__}.{one.name}" for one in kind if one.value == given]
    return (
        spelt[0] if spelt else f"one of {', '.join(f'{kind.__name__}.{one.name}' for one in kind)}"
    )


def words(axis: type[Enum]) -> tuple[str, ...]:
    """The words of an axis."""
    return tuple(choice.value for choice in axis)
