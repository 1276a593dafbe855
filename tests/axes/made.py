"""Variants made for these tests, as the rule files have their data (C10)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, get_type_hints

from bgcore import Rules, load
from bgcore.axes import (
    Axis,
    BearOff,
    Contact,
    Doubles,
    Entry,
    HeadFirstTurn,
    Layout,
    PrimeRule,
    Runner,
)
from bgcore.position import Position
from bgcore.setup import Setup, SideSetup
from bgcore.variant import Variant

WESTERN = load().variant("western")
BLOCK = replace(
    WESTERN, layout=Layout.PARALLEL, contact=Contact.BLOCK, start={24: 15}, backgammon_value=2
)
ENTERING = replace(WESTERN, entry=Entry.FREELY, start={})
NARDY = replace(
    BLOCK,
    id="long-nardy",
    head_limit=1,
    head_first_turn=HeadFirstTurn.LISTED_DOUBLES,
    prime_rule=PrimeRule.NEED_AHEAD,
)
VARIANTS: dict[str, Variant] = {
    "long-nardy": NARDY,
    "crazy-narde": replace(
        NARDY, id="crazy-narde", doubles=Doubles.LADDER, bear_off=BearOff.EXACT_STATIC
    ),
    "moultezim": replace(BLOCK, id="moultezim", runner=Runner.PASS_START, opp_start_quarter_max=4),
    "fevga": replace(BLOCK, id="fevga", runner=Runner.PASS_START, own_start_quarter_max=5),
    "jacquet": replace(BLOCK, id="jacquet", runner=Runner.REACH_HOME),
    "tawla-31": replace(BLOCK, id="tawla-31", layout=Layout.CONTRARY, runner=Runner.REACH_HOME),
    "gioul": replace(BLOCK, id="gioul", layout=Layout.CONTRARY),
    "acey-deucey": replace(ENTERING, id="acey-deucey"),
    "european-acey-deucey": replace(ENTERING, id="european-acey-deucey", bear_off=BearOff.EXACT),
    "russian-backgammon": replace(
        ENTERING, id="russian-backgammon", layout=Layout.SAME, entry=Entry.FIRST
    ),
    "tabula": replace(
        ENTERING,
        id="tabula",
        layout=Layout.SAME,
        dice=3,
        doubles=Doubles.NONE,
        first_half_lock=True,
        bear_off=BearOff.EXACT,
    ),
    "dutch": replace(ENTERING, id="dutch", no_hit_before_home=True),
    "portes": replace(WESTERN, id="portes"),
    "tapa": replace(WESTERN, id="tapa", contact=Contact.PIN, start={24: 15}),
    "hypergammon": replace(WESTERN, id="hypergammon", checkers=3, start={24: 1, 23: 1, 22: 1}),
    "nackgammon": replace(WESTERN, id="nackgammon", start={24: 2, 23: 2, 13: 4, 8: 3, 6: 4}),
    "longgammon": replace(WESTERN, id="longgammon", start={24: 15}),
}
KINDS = get_type_hints(Variant)


def made(variant: str | Variant, kind: type[Rules] = Rules, **options: Any) -> Rules:
    """The rules of a variant under options, which need not be in the catalogue."""
    if isinstance(variant, str):
        variant = VARIANTS.get(variant) or load().variant(variant)
    values = {name: word(name, value) for name, value in options.items()}
    return kind(replace(variant, **values))


def word(name: str, value: Any) -> Any:
    """The value of an axis from its word."""
    kind = KINDS[name]
    return kind(value) if isinstance(kind, type) and issubclass(kind, Axis) else value


def board(rules: Rules, mine: dict[int, int], theirs: dict[int, int]) -> Position:
    """A position of these checkers, the rest off."""
    return rules.position(Setup(SideSetup(mine), SideSetup(theirs)))
