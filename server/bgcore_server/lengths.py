"""How many values a field may have. Who sends thousands is told once, before anybody looks at them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from bgcore_server.errors import malformed

ROOM = 100
"""Values of any field that pass here: who reads the field knows better what was expected of a few more."""

SMALL = 256
"""Bytes of a request in which nobody need look: a value takes one at least."""


@dataclass(frozen=True, slots=True)
class Length:
    """The most values of a field, and the reason of more. `inside`: whether they are looked into as well."""

    most: int
    reason: str = "TOO_MANY_VALUES"
    inside: bool = True


LENGTHS: Mapping[str, Length] = {
    "bgcore.v1.VariantRef.options": Length(100, "TOO_MANY_OPTIONS"),
    "bgcore.v1.RotationRef.games": Length(20, "ROTATION_LENGTH"),
    "bgcore.v1.RotationRef.options": Length(100, "TOO_MANY_OPTIONS"),
    "bgcore.v1.VariantSpec.axes": Length(100, "TOO_MANY_OPTIONS"),
    "bgcore.v1.VariantSpec.bundles": Length(8, "TOO_MANY_VALUES"),
    "bgcore.v1.SpecStart.points": Length(24, "POINTS_COUNT"),
    "bgcore.v1.SpecOptions.names": Length(100, "TOO_MANY_OPTIONS"),
    "bgcore.v1.SpecBundle.options": Length(100, "TOO_MANY_OPTIONS"),
    "bgcore.v1.OptionList.values": Length(100, "LIST_TOO_LONG"),
    "bgcore.v1.Side.points": Length(24, "POINTS_COUNT"),
    "bgcore.v1.Side.pinned": Length(24, "POINTS_COUNT"),
    "bgcore.v1.Part.numbers": Length(4, "NUMBERS_COUNT"),
    "bgcore.v1.PlaySteps.origins": Length(24, "TOO_MANY_STEPS"),
    "bgcore.v1.PlaySteps.numbers": Length(24, "TOO_MANY_STEPS"),
    "bgcore.v1.ListPlaysRequest.dice": Length(3, "DICE_COUNT"),
    "bgcore.v1.ListStepsRequest.dice": Length(3, "DICE_COUNT"),
    "bgcore.v1.ListStepsRequest.steps": Length(24, "TOO_MANY_STEPS"),
    "bgcore.v1.CheckPlayRequest.dice": Length(3, "DICE_COUNT"),
    "bgcore.v1.Situation.dice": Length(3, "DICE_COUNT"),
    "bgcore.v1.Start.dice": Length(3, "DICE_COUNT"),
    "bgcore.v1.ThrowAction.dice": Length(3, "DICE_COUNT"),
    "bgcore.v1.RollAction.dice": Length(3, "DICE_COUNT"),
    "bgcore.v1.ConvertPositionRequest.target_formats": Length(20, "TOO_MANY_FORMATS"),
    "bgcore.v1.ConvertPositionRequest.target_notations": Length(20, "TOO_MANY_FORMATS"),
    "bgcore.v1.ReplayedMatch.headers": Length(100, "TOO_MANY_HEADERS"),
    # Whole matches are looked into where they are read, beside the other calls.
    "bgcore.v1.ReplayedMatch.actions": Length(100_000, "TOO_MANY_ACTIONS", inside=False),
    # Answers that come back; nobody reads these.
    "bgcore.v1.ReplayedMatch.options": Length(1000, inside=False),
    "bgcore.v1.ReplayedMatch.games": Length(2000, "TOO_MANY_GAMES", inside=False),
    "bgcore.v1.ReplayedMatch.faults": Length(10_000, inside=False),
    "bgcore.v1.ReplayedGame.flags": Length(100),
}
"""Every field of a request that may have several values. A test checks that none is missing."""


def check_lengths(message: Message, path: str = "") -> None:
    """`Malformed` at the first field of a request that has far more values than it may have."""
    for field, value in message.ListFields():
        length = LENGTHS.get(field.full_name)
        if length is not None:
            check_length(field, len(value), path + field.name)
            if length.inside and field.message_type is not None:
                _check_inside(field, value, path + field.name)
        elif field.message_type is not None:
            check_lengths(value, f"{path}{field.name}.")


def check_length(field: FieldDescriptor, count: int, path: str) -> None:
    """`Malformed` for far more values than a field may have."""
    length = LENGTHS.get(field.full_name)
    if length is not None and count > max(length.most, ROOM):
        raise malformed(length.reason, path, f"of {count} values", f"at most {length.most}")


def _check_inside(field: FieldDescriptor, values: object, path: str) -> None:
    if isinstance(values, Mapping):
        named = [(json.dumps(name, ensure_ascii=False), one) for name, one in values.items()]
    else:
        named = [(str(index), one) for index, one in enumerate(values)]  # type: ignore[arg-type,var-annotated]
    for name, one in named:
        if isinstance(one, Message):
            check_lengths(one, f"{path}[{name}].")
