"""A sentence about a rule: what each value of an axis means to a player, and where it is worth saying."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Final


class Other(Enum):
    """The key of what is said of every value that has no sentence of its own."""

    VALUE = "other"


OTHER: Final = Other.VALUE
Conditions = Mapping[str, tuple[object, ...]]
NO_CONDITIONS: Conditions = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class About:
    """What is said of one fact, an axis of the variant, an option, or what follows from them, by its value.

    An empty text: nothing, as a player would miss nothing. `where` and `but` say for which values of
    other facts anything is said; `unless` is a method of `Rules`: a game that has its own says it itself.
    Texts name facts in braces.

    >>> dice = About("dice", "C2", {2: "Two dice.", OTHER: "{dice} dice."})
    >>> dice.said({"dice": 3}), dice.said({"dice": 2})
    ('3 dice.', 'Two dice.')
    """

    fact: str
    rule: str
    says: Mapping[object, str]
    where: Conditions = field(default_factory=lambda: NO_CONDITIONS)
    but: Conditions = field(default_factory=lambda: NO_CONDITIONS)
    unless: str = ""

    def said(self, facts: Mapping[str, object]) -> str:
        """The sentence for these facts; empty where it has nothing to say of them."""
        if self.fact not in facts or not self._suits(facts):
            return ""
        value = facts[self.fact]
        text = self.says.get(value, self.says.get(OTHER, ""))
        return text.format_map(facts)

    def _suits(self, facts: Mapping[str, object]) -> bool:
        here = all(facts.get(name) in values for name, values in self.where.items())
        return here and not any(facts.get(name) in values for name, values in self.but.items())


@dataclass(frozen=True, slots=True)
class Chapter:
    """Sentences that belong together."""

    title: str
    abouts: tuple[About, ...]
