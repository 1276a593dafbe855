"""Rules as a table or a rematch asks for them: a variant, house rules, or games that change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from google.protobuf.message import Message

from bgcore import Registry, Spec
from bgcore.cycle import Cycle
from bgcore.rotation import Rotation
from bgcore_proto.v1 import common_pb2
from bgcore_server.convert.options import arguments, variant_ref
from bgcore_server.convert.rotations import asked as asked_rotation
from bgcore_server.convert.rotations import rotation_message
from tests.server.model.refused import malformed

Options = tuple[tuple[str, Any], ...]
"""The options that were chosen, in alphabetical order."""


@dataclass(frozen=True)
class Named:
    """Rules by name, or house rules. With a rotation the options are those of match and table."""

    which: str | Spec
    preset: str = ""
    options: Options = ()
    rotation: Rotation | None = None

    def games(self, registry: Registry) -> Cycle:
        """The games that it comes to."""
        if self.rotation is not None:
            return registry.cycle(self.rotation, dict(self.options))
        return Cycle.of(registry.rules(self.which, self.preset, dict(self.options)))

    def meant(self, registry: Registry) -> object:
        """The same for all words that mean the same: every option has a value."""
        games = self.games(registry)
        each = [(rules.variant.id, rules.spec, dict(rules.options)) for rules in games.games]
        return games.draw_policy, games.start_index, each

    def fill(self, message: Any) -> None:
        """Into a message that has a variant or a rotation."""
        if self.rotation is not None:
            message.rotation.CopyFrom(rotation_message(self.rotation, dict(self.options)))
        else:
            ref = variant_ref(self.which, self.preset, dict(self.options))
            message.variant.CopyFrom(ref)


def wanted(field: str, given: Message, registry: Registry) -> Named:
    """What a message with a variant or a rotation asks for; `field` is where the rotation stands."""
    variant: common_pb2.VariantRef = given.variant  # type: ignore[attr-defined]
    if not given.HasField("rotation"):
        which, preset, options = arguments(variant)
        rules = registry.rules(which, preset, options)
        kept = rules.spec if isinstance(which, Spec) and rules.spec else rules.variant.id
        return Named(kept, preset, tuple(sorted(options.items())))
    if given.HasField("variant"):
        at = "" if field == "rotation" else "action.rematch."
        raise malformed("VARIANT_BESIDE_ROTATION", f"{at}variant.id")
    rotation: common_pb2.RotationRef = given.rotation  # type: ignore[attr-defined]
    games, found, chosen = asked_rotation(field, rotation, registry)
    return Named(games.variant.id, "", tuple(sorted(chosen.items())), found)
