"""How much requests may say: values of a field, characters of a name, the size of a number.

Who sends thousands of values is told once, before anybody looks at them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from bgcore.position import POINTS
from bgcore.rotation import MOST_GAMES as MOST_OF_ROTATION
from bgcore.spec_words import MOST_BUNDLES
from bgcore.spec_words import MOST_OPTIONS as MOST_OF_SPEC
from bgcore_server.errors import malformed

LONGEST_NAME = 100
"""Characters of a player's name."""

LONGEST_ACCOUNT = 128
"""Characters of the id of an account."""

LARGEST_STAKE = 1 << 30
LARGEST_SCORE = 1 << 30
"""With which a match may begin."""

LARGEST_UINT32 = (1 << 32) - 1

MOST_OPTIONS = 100
MOST_ITEMS = 100
"""Values of an option that is a list."""

MOST_DICE = 3
MOST_NUMBERS = 4
"""Numbers of a part of a turn."""

MOST_LOCKED = 6
"""Points of a home board, where a hit may lock."""

MOST_STEPS = 24
MOST_TARGETS = 20
"""Ways of writing a position that one request may ask for."""

MOST_GAMES = 2000
MOST_HEADERS = 100
MOST_ACTIONS = 100_000
"""All three of a whole match."""

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
    "bgcore.v1.VariantRef.options": Length(MOST_OPTIONS, "TOO_MANY_OPTIONS"),
    "bgcore.v1.RotationRef.games": Length(MOST_OF_ROTATION, "ROTATION_LENGTH"),
    "bgcore.v1.RotationRef.options": Length(MOST_OPTIONS, "TOO_MANY_OPTIONS"),
    "bgcore.v1.VariantSpec.axes": Length(MOST_OF_SPEC, "TOO_MANY_OPTIONS"),
    "bgcore.v1.VariantSpec.bundles": Length(MOST_BUNDLES),
    "bgcore.v1.SpecStart.points": Length(POINTS, "POINTS_COUNT"),
    "bgcore.v1.SpecOptions.names": Length(MOST_OF_SPEC, "TOO_MANY_OPTIONS"),
    "bgcore.v1.SpecBundle.options": Length(MOST_OF_SPEC, "TOO_MANY_OPTIONS"),
    "bgcore.v1.OptionList.values": Length(MOST_ITEMS, "LIST_TOO_LONG"),
    "bgcore.v1.Side.points": Length(POINTS, "POINTS_COUNT"),
    "bgcore.v1.Side.pinned": Length(POINTS, "POINTS_COUNT"),
    "bgcore.v1.Part.numbers": Length(MOST_NUMBERS, "NUMBERS_COUNT"),
    "bgcore.v1.TurnContext.locked": Length(MOST_LOCKED, "POINTS_COUNT"),
    "bgcore.v1.PlaySteps.origins": Length(MOST_STEPS, "TOO_MANY_STEPS"),
    "bgcore.v1.PlaySteps.numbers": Length(MOST_STEPS, "TOO_MANY_STEPS"),
    "bgcore.v1.ListPlaysRequest.dice": Length(MOST_DICE, "DICE_COUNT"),
    "bgcore.v1.ListStepsRequest.dice": Length(MOST_DICE, "DICE_COUNT"),
    "bgcore.v1.ListStepsRequest.steps": Length(MOST_STEPS, "TOO_MANY_STEPS"),
    "bgcore.v1.CheckPlayRequest.dice": Length(MOST_DICE, "DICE_COUNT"),
    "bgcore.v1.Situation.dice": Length(MOST_DICE, "DICE_COUNT"),
    "bgcore.v1.Start.dice": Length(MOST_DICE, "DICE_COUNT"),
    "bgcore.v1.ThrowAction.dice": Length(MOST_DICE, "DICE_COUNT"),
    "bgcore.v1.RollAction.dice": Length(MOST_DICE, "DICE_COUNT"),
    "bgcore.v1.ConvertPositionRequest.target_formats": Length(MOST_TARGETS, "TOO_MANY_FORMATS"),
    "bgcore.v1.ConvertPositionRequest.target_notations": Length(MOST_TARGETS, "TOO_MANY_FORMATS"),
    "bgcore.v1.ReplayedMatch.headers": Length(MOST_HEADERS, "TOO_MANY_HEADERS"),
    # Whole matches are looked into where they are read, beside the other calls.
    "bgcore.v1.ReplayedMatch.actions": Length(MOST_ACTIONS, "TOO_MANY_ACTIONS", inside=False),
    # Answers that come back; nobody reads these.
    "bgcore.v1.ReplayedMatch.options": Length(1000, inside=False),
    "bgcore.v1.ReplayedMatch.games": Length(MOST_GAMES, "TOO_MANY_GAMES", inside=False),
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
