"""Presets: option values that go together, as a function of the variant's data."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from bgcore.catalogue import CATALOGUE
from bgcore.crossing import asked
from bgcore.errors import Fault, OptionError, shown
from bgcore.option import Value, Values
from bgcore.variant import Variant


def nothing(values: Values) -> Values:
    """What follows from the values of most presets."""
    return {}


@dataclass(frozen=True, slots=True)
class Preset:
    """Written once for every variant and listed resolved; `values` is `None` where it makes no sense.

    `follows` are values that others bring with them: automatic doubles may mean Jacoby, say. A preset
    whose values have `options_locked` cannot be changed by who makes a table, save for what it leaves open.
    """

    id: str
    title: str
    values: Callable[[Variant], Values | None]
    follows: Callable[[Values], Values] = nothing

    def chosen(
        self,
        values: Values,
        given: Mapping[str, object],
        beside: Mapping[str, object] = MappingProxyType({}),
    ) -> dict[str, object]:
        """The preset's `values` with those `given`; `OptionError` for what the preset does not allow.

        What stands `beside` them holds in any case, and a preset that locks its options says nothing of it.
        """
        if _read(values).get("options_locked"):
            faults = [self._locked(name, values[name]) for name in given if name in values]
            if faults:
                raise OptionError(*faults)
        given = {**given, **beside}
        chosen: dict[str, object] = {**values, **given}
        read = _read(given)
        for name, value in asked(self.follows, {**values, **read}).items():
            if read.get(name, value) != value:
                raise OptionError(self._follows(name, given[name], value))
            chosen[name] = value
        return chosen

    def _locked(self, name: str, value: Value) -> Fault:
        expected = f"it to stay {shown(value)}: preset {self.id} locks its options"
        return Fault("OPTIONS_LOCKED", "option", name, expected, rule="M12")

    def _follows(self, name: str, found: object, value: Value) -> Fault:
        expected = f"{shown(value)}: under preset {self.id} it follows from the other options"
        return Fault("OPTIONS_CLASH", f"option {name}", shown(found), expected, rule="M12")


def bundle(name: str, values: Values) -> Preset:
    """A variant's own bundle of options as a preset, which is what it is for who makes a table."""
    return Preset(name, name, lambda variant: values)


def _read(given: Mapping[str, object]) -> dict[str, Value]:
    """What was given, as values; what cannot be read is left to who resolves it."""
    found: dict[str, Value] = {}
    for name, value in given.items():
        try:
            found[name] = CATALOGUE[name].read(value)
        except (KeyError, ValueError):
            continue
    return found
