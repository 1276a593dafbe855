"""The facts that sentences speak of: every axis of a variant, every option, and what follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields

from bgcore.axes import Contact, Entry, PrimeRule
from bgcore.rules import Rules
from bgcore.variant import Variant

QUARTER = 6


def facts_of(rules: Rules) -> dict[str, object]:
    """What holds under these rules, by name; the variant's axes are those with the options resolved.

    Besides: `start` in words, `pips`, `unentered`, how it all `begins`, the `levels` that exist, how far
    `behind` a backgammon is lost, whether any `formations` are forbidden, and whether the game says itself who
    is `caught`.
    """
    variant = rules.variant
    axes = {axis.name: getattr(variant, axis.name) for axis in fields(Variant)}
    return {
        **rules.options,
        **axes,
        "start": in_words(variant.start),
        "begins": begins(variant),
        "unentered": variant.unentered,
        "pips": rules.start.mover.pips,
        "levels": " ".join(rules.levels),
        "behind": behind(variant),
        "formations": limits_formations(variant),
        "caught": type(rules).caught is not Rules.caught,
    }


def in_words(start: Mapping[int, int]) -> str:
    """Where checkers stand, the farthest first.

    >>> in_words({6: 5, 24: 2})
    '2 on 24, 5 on 6'
    """
    return ", ".join(f"{start[point]} on {point}" for point in sorted(start, reverse=True))


def begins(variant: Variant) -> str:
    """Whether the checkers are placed at the start, unentered, or mixed."""
    if not variant.unentered:
        return "placed"
    return "mixed" if variant.start else "unentered"


def limits_formations(variant: Variant) -> bool:
    """Whether there are points that may not be held together."""
    quarters = (variant.own_start_quarter_max, variant.opp_start_quarter_max)
    return variant.prime_rule is PrimeRule.NEED_AHEAD or min(quarters) < QUARTER


def behind(variant: Variant) -> str:
    """Where a checker makes its side lose a backgammon (C6), where the game has none of its own.

    >>> from bgcore import load
    >>> behind(load().variant("western"))
    "on the bar or in the winner's home board"
    """
    waiting = {
        "on the bar": variant.contact is Contact.HIT,
        "not entered": variant.entry is not Entry.NONE,
    }
    places = ", ".join(place for place, there in waiting.items() if there)
    return f"{places} or in the winner's home board".removeprefix(" or ")
