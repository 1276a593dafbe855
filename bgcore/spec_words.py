"""What a spec may say: its keys, and what each of them takes."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from typing import Any

from bgcore.axes import Axis
from bgcore.catalogue import CATALOGUE, GAME_OPTIONS, choice, number, switch
from bgcore.option import Option
from bgcore.start_faults import MOST_CHECKERS
from bgcore.variant import Variant

MOST_BUNDLES = 8
MOST_OPTIONS = 100

TEXTS = {"id": 64, "title": 100, "summary": 400}
"""Texts, and how long they may be."""

_OTHER_WAYS = {
    *("id", "title", "summary", "rules_version", "source"),
    *("aliases", "own_options", "fixed_options"),
}
_SHAPED = ("start", "options", "bundles")
_LIMITS = {"checkers": (1, MOST_CHECKERS), "dice": (2, 3)}
_HIGHEST = 255
_MEANING = "an axis of variants"


def _axis(axis: Field[Any]) -> Option:
    """What an axis takes: what its option does, if it has one; else by the type of its default."""
    if axis.name in CATALOGUE:
        return CATALOGUE[axis.name]
    kind = type(axis.default)
    if issubclass(kind, Axis):
        return choice(axis.name, _MEANING, kind)
    if kind is bool:
        return switch(axis.name, _MEANING)
    low, high = _LIMITS.get(axis.name, (0, _HIGHEST))
    return number(axis.name, _MEANING, low, high, optional=axis.default is None)


AXES = {
    axis.name: _axis(axis)
    for axis in fields(Variant)
    if axis.name not in {*_OTHER_WAYS, *_SHAPED} and axis.default is not MISSING
}
"""Every axis on which variants differ, by name, and what it takes."""

KEYS = ("parent", *TEXTS, *_SHAPED, *AXES)
"""Every key of a spec."""

ELSEWHERE = {
    "base": "parent, most likely",
    "axes": "each axis as a key of its own, such as bear_off",
}
"""Keys of house rules in a request that are none here, and what is meant by them."""

OFFERED = tuple(dict.fromkeys([*(option.name for option in GAME_OPTIONS), "cube"]))
"""Options that a spec may leave to who makes a table, beside those that its parent alone has."""
