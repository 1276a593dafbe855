"""The variants of the tests of turns and ends: the built-in ones, and a plain game with a last roll."""

from __future__ import annotations

from dataclasses import replace

from bgcore import Registry, Rules, load
from bgcore_variants.gul_bara import GUL_BARA
from bgcore_variants.long_nardy import LONG_NARDY, LongNardyRules
from bgcore_variants.russian_backgammon import RUSSIAN_BACKGAMMON as RUSSIAN
from bgcore_variants.tawla_31 import TAWLA_31

__all__ = ["REGISTRY", "RUSSIAN", "TAWLA_31", "made", "registry"]

LAST_ROLL = replace(
    GUL_BARA,
    id="last-roll",
    title="Gul Bara with a last roll",
    aliases=(),
    opening_roll=LONG_NARDY.opening_roll,
    options=("opening_roll", "later_starter"),
    own_options=LONG_NARDY.own_options,
    bundles={},
)


def registry() -> Registry:
    """The built-in variants and this one."""
    known = load().using(load().plugins[0])
    known.add(LAST_ROLL, LongNardyRules)
    return known


REGISTRY = registry()


def made(name: str, **options: object) -> Rules:
    """The rules of a variant; `russian` is short for that game's id."""
    return REGISTRY.rules(RUSSIAN.id if name == "russian" else name, "", options)
