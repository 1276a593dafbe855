"""From a variant and what a table chose to the values that hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from bgcore.axes import Axis
from bgcore.errors import Fault, OptionError, shown
from bgcore.option import CATALOGUE, CUBE_OPTIONS, MATCH_OPTIONS, Option, Value, Values
from bgcore.variant import Variant

DATA = frozenset(axis.name for axis in fields(Variant))
"""Options with such a name change the variant's data; the others are kept beside it."""

MATCH_DEFAULTS: Values = {
    "cube_cap": 64,
    "crawford": True,
    "double_before_first_roll": False,
    "resign_auto_accept": True,
}


def options_of(variant: Variant) -> dict[str, Option]:
    """Every option that a table of this variant may set, by name."""
    shared = [CATALOGUE[name] for name in variant.options]
    cube = CUBE_OPTIONS if "cube" in variant.options else ()
    return {o.name: o for o in (*shared, *cube, *MATCH_OPTIONS, *variant.own_options)}


def defaults_of(variant: Variant, chosen: Values | None = None) -> dict[str, Value]:
    """What holds where a table chooses nothing. Jacoby is on in money sessions (M12)."""
    options = options_of(variant)
    plain = {
        name: _word(getattr(variant, name)) if name in DATA else MATCH_DEFAULTS.get(name)
        for name in options
    }
    length = (chosen or {}).get("match_length", variant.match_length)
    if "jacoby" in plain and length is None:
        plain["jacoby"] = True
    return plain


def _word(value: Value | Axis) -> Value:
    return value.value if isinstance(value, Axis) else value


def resolve(variant: Variant, given: Mapping[str, object]) -> tuple[Variant, dict[str, Value]]:
    """The variant with the chosen data, and every option's value; `OptionError` lists every fault."""
    options = options_of(variant)
    faults: list[Fault] = []
    chosen: dict[str, Value] = {}
    for name, value in sorted(given.items(), key=lambda item: str(item[0])):
        option = options.get(name)
        if option is None:
            known = ", ".join(sorted(options))
            faults.append(
                Fault(
                    "UNKNOWN_OPTION", "option", shown(name), f"an option of {variant.id}: {known}"
                )
            )
            continue
        try:
            chosen[name] = option.read(value)
        except ValueError as expected:
            faults.append(
                Fault(
                    "OPTION_OUT_OF_RANGE",
                    f"option {name}",
                    shown(value),
                    str(expected),
                    rule=option.rule,
                )
            )
    values = defaults_of(variant, chosen) | chosen
    faults += clashes(variant, values)
    if faults:
        raise OptionError(*faults)
    return replace(variant, **_data(variant, values)), values


def _data(variant: Variant, values: Values) -> dict[str, Any]:
    """The values that change the variant's data, as the types of its fields."""
    changed: dict[str, Any] = {}
    for name, value in values.items():
        if name in DATA:
            now = getattr(variant, name)
            changed[name] = type(now)(value) if isinstance(value, str) else value
    return changed


def clashes(variant: Variant, values: Values) -> Iterator[Fault]:
    """Options that do not go together."""
    length = values["match_length"]
    if values.get("jacoby") and length is not None and not variant.jacoby:
        yield Fault(
            "OPTIONS_CLASH",
            "option jacoby",
            "true",
            f"false in a match (match_length {length}); money sessions have match_length none",
            rule="M8",
        )
    gammon, backgammon = (
        values.get("gammon_value", variant.gammon_value),
        values.get("backgammon_value"),
    )
    if isinstance(gammon, int) and isinstance(backgammon, int) and backgammon < gammon:
        yield Fault(
            "OPTIONS_CLASH",
            "option backgammon_value",
            str(backgammon),
            f"at least gammon_value, {gammon}",
            rule="C6",
        )
