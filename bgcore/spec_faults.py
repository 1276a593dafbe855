"""What is wrong with the values of a spec that are each of their kind: what is not played, alone or together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from bgcore.errors import BgcoreError, Fault, IllegalPosition, OptionError, PluginFailed
from bgcore.errors import shown as _shown
from bgcore.option import Value
from bgcore.resolve import clashes, defaults_of, resolve
from bgcore.rules import Rules
from bgcore.spec_words import KEYS
from bgcore.start_faults import Wrong
from bgcore.variant import Variant

UNKNOWN_KEY, WRONG_VALUE, BAD_START, NOT_PLAYED, UNKNOWN_PARENT, ID_TAKEN = (
    "SPEC_UNKNOWN_KEY",
    "SPEC_WRONG_VALUE",
    "SPEC_BAD_START",
    "SPEC_NOT_PLAYED",
    "SPEC_UNKNOWN_PARENT",
    "SPEC_ID_TAKEN",
)


def fault(reason: str, key: str, value: object, expected: str) -> Fault:
    """A fault of a key; "" is the spec as a whole."""
    return Fault(reason, f"spec {key}".rstrip(), _shown(value), expected)


def beside(table: str, key: str) -> str:
    """Where a key stands that was found inside of a table."""
    return f"{key} stands beside {table.partition('.')[0]}, in a file above [{table}]"


def point_fault(name: str, value: object, wrong: Wrong) -> Fault:
    """The fault of a point of the start, which is said once, or of its checkers; a key of specs stands elsewhere."""
    _, _, expected, of_the_point = wrong
    where = f"start.{_shown(name)}"
    if name in KEYS:
        return fault(BAD_START, where, value, f"{expected}: {beside('start', name)}")
    if not of_the_point:
        return fault(BAD_START, where, value, expected)
    told = f"spec {where}: expected {expected}"
    return replace(fault(BAD_START, where, name, expected), message=told)


def level_faults(variant: Variant) -> Iterator[Fault]:
    """Values that do not go together as those of options do not."""
    levels = {"gammon_value": variant.gammon_value, "backgammon_value": variant.backgammon_value}
    for one in clashes(variant, {**defaults_of(variant), **levels}):
        yield replace(one, field="spec " + one.field.removeprefix("option "), message="")


def combined(
    variant: Variant,
    parent: Variant,
    data: Mapping[str, Any],
    rules: type[Rules],
    *,
    whole: bool,
) -> Iterator[Fault]:
    """What is not played, each value by itself if that is it; else the values together.

    `whole`: nothing else is wrong, so that the start and what goes together can be judged, too.
    """
    try:
        rules(variant, defaults_of(variant))
    except PluginFailed:
        raise
    except IllegalPosition as error:
        for one in error.faults if whole else ():
            yield replace(one, reason=BAD_START, field="spec start", message=f"spec start: {one}")
    except (ValueError, BgcoreError) as error:
        alone = list(blamed(parent, data, rules))
        yield from alone
        if whole and not alone:
            what = f"spec: these values are not played together: {error}"
            yield Fault(NOT_PLAYED, "spec", "", "others", what)


def blamed(parent: Variant, data: Mapping[str, Any], rules: type[Rules]) -> Iterator[Fault]:
    """The values that are not played even alone."""
    for key, value in data.items():
        if key in ("start", "checkers") or value == getattr(parent, key):
            continue
        alone = replace(parent, **{key: value}, bundles={})
        try:
            rules(alone, defaults_of(alone))
        except PluginFailed:
            raise
        except (ValueError, BgcoreError) as error:
            if not isinstance(error, IllegalPosition):
                yield fault(NOT_PLAYED, key, value, f"another value: {error}")


def bundle_faults(
    variant: Variant, rules: type[Rules] | None, name: str, values: Mapping[str, object]
) -> list[Fault]:
    """What is wrong with option values that go together under a name; `None`: not whether they are played."""
    try:
        resolved = resolve(variant, values)
        if rules is not None:
            rules(*resolved)
    except PluginFailed:
        raise
    except OptionError as error:
        return [_of_bundle(name, one) for one in error.faults]
    except (ValueError, BgcoreError) as error:
        return [fault(NOT_PLAYED, f"bundles.{name}", name, f"other values: {error}")]
    return []


def _of_bundle(name: str, one: Fault) -> Fault:
    """The fault of an option, at its place; a name that is no option is said once."""
    unknown = one.reason == "UNKNOWN_OPTION"
    field = f"spec bundles.{name}.{one.value if unknown else one.field.removeprefix('option ')}"
    if not unknown:
        return replace(one, field=field, message="")
    misplaced = one.value in KEYS
    expected = f"an option: {beside(f'bundles.{name}', one.value)}" if misplaced else one.expected
    return replace(one, field=field, expected=expected, message=f"{field}: expected {expected}")


def inherited(
    variant: Variant, rules: type[Rules], parent: Variant
) -> dict[str, Mapping[str, Value]]:
    """The parent's bundles, but for those that do not go with what has changed."""
    bundles = parent.bundles.items()
    return {
        name: values for name, values in bundles if not bundle_faults(variant, rules, name, values)
    }
