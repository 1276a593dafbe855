"""From a variant and what a table chose to the values that hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from typing import Any

from bgcore.axes import Axis, ClockKind, FlagLoses, MoneyRules
from bgcore.catalogue import CATALOGUE, CUBE_OPTIONS, MATCH_OPTIONS, TABLE_OPTIONS
from bgcore.errors import Fault, OptionError, shown
from bgcore.nearest import meant, nearest_first
from bgcore.option import Option, Value, Values, spelt
from bgcore.spec_words import AXES
from bgcore.variant import Variant

DATA = frozenset(axis.name for axis in fields(Variant))
"""Options with such a name change the variant's data; the others are kept beside it."""


def options_of(variant: Variant) -> dict[str, Option]:
    """Every option that a table of this variant may set, by name."""
    known = known_options(variant)
    return {name: one for name, one in known.items() if name not in variant.fixed_options}


def known_options(variant: Variant) -> dict[str, Option]:
    """Every option that has a value in this variant, also those that no table may set, by name."""
    shared = [CATALOGUE[name] for name in variant.options]
    cube = CUBE_OPTIONS if variant.cube or "cube" in variant.options else ()
    return {
        o.name: o for o in (*shared, *cube, *MATCH_OPTIONS, *TABLE_OPTIONS, *variant.own_options)
    }


def defaults_of(variant: Variant, chosen: Values | None = None) -> dict[str, Value]:
    """What holds where a table chooses nothing; some of it is another in money sessions (M12)."""
    options = known_options(variant)
    money = (chosen or {}).get("match_length", variant.match_length) is None
    return {name: _default(variant, option, money=money) for name, option in options.items()}


def _default(variant: Variant, option: Option, *, money: bool) -> Value:
    if money and option.money_default is not None:
        return option.money_default
    return _word(getattr(variant, option.name)) if option.name in DATA else option.default


def _word(value: Value | Axis) -> Value:
    return value.value if isinstance(value, Axis) else value


def resolve(variant: Variant, given: Mapping[str, object]) -> tuple[Variant, dict[str, Value]]:
    """The variant with the chosen data, and every option's value; `OptionError` lists every fault.

    An option that is fixed may be given, as long as it is the value that it has.
    """
    options, usual = known_options(variant), defaults_of(variant)
    faults: list[Fault] = []
    chosen: dict[str, Value] = {}
    for name, value in sorted(given.items(), key=lambda item: str(item[0])):
        option = options.get(name)
        if option is None:
            faults.append(Fault("UNKNOWN_OPTION", "option", shown(name), _known(name, variant)))
            continue
        if name in variant.fixed_options:
            if str(value).strip().lower() != spelt(usual[name]):
                expected = f"{spelt(usual[name])}: {variant.id} leaves no choice of it"
                faults.append(
                    Fault("OPTIONS_LOCKED", f"option {name}", shown(value), expected, rule="M12")
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


def _known(name: object, variant: Variant) -> str:
    """What is expected instead of an option that a variant does not have."""
    known = sorted(options_of(variant))
    if name in AXES:
        by_table = ", or at a table if the variant's options name it" if name in CATALOGUE else ""
        return f"an option of {variant.id}: {name} is an axis, chosen in a spec{by_table}"
    return meant(name, known) or (
        f"an option of {variant.id}: {', '.join(nearest_first(name, known))}"
    )


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
    if values["match_length"] is None:
        yield from _money_clashes(values)
    else:
        yield from _match_clashes(variant, values)
    gammon, backgammon = (
        values.get("gammon_value", variant.gammon_value),
        values.get("backgammon_value"),
    )
    if isinstance(gammon, int) and isinstance(backgammon, int) and backgammon < gammon:
        yield _clash("backgammon_value", backgammon, f"at least gammon_value, {gammon}", "C6")
    if values.get("holland") and not values.get("crawford"):
        expected = "false without crawford, as it speaks of the games after the Crawford game"
        yield _clash("holland", "true", expected, "M2")


def _match_clashes(variant: Variant, values: Values) -> Iterator[Fault]:
    """Rules of money play in a match that does not allow them (M8)."""
    if values.get("money_rules_in_match") != MoneyRules.REJECT:
        return
    length = values["match_length"]
    tail = f"in a match (match_length {length}) unless money_rules_in_match is allow"
    if values.get("jacoby") and not variant.jacoby:
        yield _clash("jacoby", "true", f"false {tail}; money sessions have match_length none", "M8")
    for name in ("animals", "auto_doubles"):
        if (value := values.get(name, 0)) != 0:
            yield _clash(name, "none" if value is None else value, f"0 {tail}", "M8")


def _money_clashes(values: Values) -> Iterator[Fault]:
    """What a session without an end cannot have (M10)."""
    if values["clock"] in (ClockKind.BRONSTEIN, ClockKind.FISCHER) and values["bank_fixed"] is None:
        yield _clash("bank_fixed", "none", "seconds, as a money session has no length", "M10")
    if values["flag_loses"] == FlagLoses.MATCH:
        yield _clash("flag_loses", "match", "game, as a money session is no match", "M10")


def _clash(name: str, value: object, expected: str, rule: str) -> Fault:
    return Fault("OPTIONS_CLASH", f"option {name}", str(value), expected, rule=rule)
