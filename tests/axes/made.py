"""Variants under any values of their axes, also such as no option gives, and plain ones for these tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_type_hints

from bgcore import Rules, load
from bgcore.axes import (
    Axis,
    Contact,
    Entry,
    Layout,
)
from bgcore.position import Position
from bgcore.resolve import defaults_of
from bgcore.setup import Setup, SideSetup
from bgcore.variant import Variant

WESTERN = load().variant("western")
BLOCK = replace(
    WESTERN, layout=Layout.PARALLEL, contact=Contact.BLOCK, start={24: 15}, backgammon_value=2
)
ENTERING = replace(WESTERN, entry=Entry.FREELY, start={})
VARIANTS: dict[str, Variant] = {entry.variant.id: entry.variant for entry in load()}
KINDS = get_type_hints(Variant)


def made(variant: str, **options: Any) -> Rules:
    """The rules of a variant under options, which it need not offer."""
    entry = load().entry(variant)
    values = {name: word(name, value) for name, value in options.items()}
    return entry.rules(replace(entry.variant, **values), defaults_of(entry.variant))


def word(name: str, value: Any) -> Any:
    """The value of an axis from its word."""
    kind = KINDS[name]
    return kind(value) if isinstance(kind, type) and issubclass(kind, Axis) else value


def board(rules: Rules, mine: dict[int, int], theirs: dict[int, int]) -> Position:
    """A position of these checkers, the rest off."""
    return rules.position(Setup(SideSetup(mine), SideSetup(theirs)))
