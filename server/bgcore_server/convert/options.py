"""Variants, presets and options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bgcore import Registry, Rules
from bgcore.errors import Fault
from bgcore.option import Value
from bgcore_proto.v1 import common_pb2 as pb
from bgcore_server.errors import NOTHING, NotBuilt, malformed
from bgcore_server.fields import option_path

MOST_OPTIONS = 100
MOST_ITEMS = 100
CACHED = 1024
LONGEST_KEY = 1024
"""Bytes of the longest reference that is remembered; longer ones are looked up each time."""


class Shelf:
    """The rules of references, remembered by their bytes, so that most requests cost one look-up."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self._known: dict[bytes, Rules] = {}

    def rules(self, ref: pb.VariantRef) -> Rules:
        """The rules that a reference means."""
        key = ref.SerializeToString()
        found = self._known.get(key)
        if found is None:
            found = self.registry.rules(*arguments(ref))
            if len(self._known) >= CACHED:
                self._known.clear()
            if len(key) <= LONGEST_KEY:
                self._known[key] = found
        return found


def arguments(ref: pb.VariantRef) -> tuple[str, str, dict[str, Value]]:
    """What `registry.rules` wants to know of a reference."""
    match ref.WhichOneof("kind"):
        case None:
            raise malformed("VARIANT_MISSING", "variant", NOTHING, "an id, such as western")
        case "spec":
            expected = "an id: rules made up in a request are not built yet"
            raise NotBuilt(Fault("SPEC_NOT_BUILT", "variant.spec", ref.spec.base, expected))
    if len(ref.options) > MOST_OPTIONS:
        expected = f"at most {MOST_OPTIONS}"
        raise malformed("TOO_MANY_OPTIONS", "variant.options", len(ref.options), expected)
    options = {name: value(option_path(name), given) for name, given in ref.options.items()}
    return ref.id, ref.preset, options


def value(field: str, given: pb.OptionValue) -> Value:
    """The value of an option; whether it is allowed is for the engine to say."""
    match given.WhichOneof("kind"):
        case "flag":
            return given.flag
        case "integer":
            return given.integer
        case "text":
            return given.text
        case "none":
            return None
        case "list":
            return tuple(_items(field, given.list))
    expected = "a flag, an integer, a text, a list or none"
    raise malformed("OPTION_VALUE_MISSING", field, NOTHING, expected)


def _items(field: str, given: pb.OptionList) -> Iterator[str]:
    """The texts of a list, which holds no lists: a few bytes can nest them without end."""
    if len(given.values) > MOST_ITEMS:
        expected = f"at most {MOST_ITEMS}"
        raise malformed("LIST_TOO_LONG", f"{field}.list.values", len(given.values), expected)
    for index, one in enumerate(given.values):
        at = f"{field}.list.values[{index}]"
        if one.WhichOneof("kind") == "list":
            raise malformed("LIST_IN_LIST", f"{at}.list", "a list", "a value that is no list")
        yield str(value(at, one))


def option_value(given: object) -> pb.OptionValue:
    """The message of an option's value."""
    match given:
        case None:
            return pb.OptionValue(none=pb.OptionNone())
        case bool():
            return pb.OptionValue(flag=given)
        case int():
            return pb.OptionValue(integer=given)
        case tuple() | list():
            return pb.OptionValue(list=pb.OptionList(values=map(option_value, given)))
    return pb.OptionValue(text=str(given))


def option_values(values: Mapping[str, object]) -> dict[str, pb.OptionValue]:
    """The messages of options, by name."""
    return {name: option_value(given) for name, given in values.items()}


def variant_ref(id: str, preset: str, options: Mapping[str, object]) -> pb.VariantRef:
    """The message that refers to a variant."""
    return pb.VariantRef(id=id, preset=preset, options=option_values(options))
