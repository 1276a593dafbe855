"""Variants, presets and options."""

from __future__ import annotations

from collections.abc import Mapping

from bgcore import Registry, Rules, Spec
from bgcore.option import Value
from bgcore_proto.v1 import common_pb2 as pb
from bgcore_server.convert.specs import spec_message, spec_of
from bgcore_server.convert.values import option_value, option_values, value
from bgcore_server.errors import NOTHING, malformed
from bgcore_server.fields import option_path
from bgcore_server.lengths import MOST_OPTIONS

__all__ = ["Shelf", "arguments", "option_value", "option_values", "value", "variant_ref"]

CACHED = 1024
CACHED_SPECS = 256
"""References to house rules that are remembered, apart from the others."""
LONGEST_KEY = 1024
"""Bytes of the longest reference that is remembered; longer ones are looked up each time."""


class Shelf:
    """The rules of references, remembered by their bytes, so that most requests cost one look-up."""

    def __init__(self, registry: Registry) -> None:
        self.registry = registry
        self._known: dict[bytes, Rules] = {}
        self._specs: dict[bytes, Rules] = {}

    def rules(self, ref: pb.VariantRef) -> Rules:
        """The rules that a reference means."""
        key = ref.SerializeToString()
        made_up = ref.WhichOneof("kind") == "spec"
        known, most = (self._specs, CACHED_SPECS) if made_up else (self._known, CACHED)
        found = known.get(key)
        if found is None:
            found = self.registry.rules(*arguments(ref))
            if len(known) >= most:
                known.clear()
            if len(key) <= LONGEST_KEY:
                known[key] = found
        return found


def arguments(ref: pb.VariantRef) -> tuple[str | Spec, str, dict[str, Value]]:
    """What `registry.rules` wants to know of a reference."""
    kind = ref.WhichOneof("kind")
    if kind is None:
        raise malformed("VARIANT_MISSING", "variant", NOTHING, "an id, such as western")
    if len(ref.options) > MOST_OPTIONS:
        expected = f"at most {MOST_OPTIONS}"
        raise malformed("TOO_MANY_OPTIONS", "variant.options", len(ref.options), expected)
    options = {name: value(option_path(name), given) for name, given in ref.options.items()}
    return spec_of(ref.spec) if kind == "spec" else ref.id, ref.preset, options


def variant_ref(which: str | Spec, preset: str, options: Mapping[str, object]) -> pb.VariantRef:
    """The message that refers to a variant, or holds house rules."""
    if isinstance(which, Spec):
        spec = spec_message(which)
        return pb.VariantRef(spec=spec, preset=preset, options=option_values(options))
    return pb.VariantRef(id=which, preset=preset, options=option_values(options))
