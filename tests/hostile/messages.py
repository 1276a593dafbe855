"""Requests made from the descriptors: every field at its extremes, some of it nearly right.

A new rpc, or a new field, is covered by itself.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from bgcore_proto.v1 import common_pb2 as pb
from tests.server.helpers import opening, ref

DEEPEST = 6
VARIANTS = ("western", "plakoto", "gul-bara", "fevga", "tavla", "hyper", "WESTERN", "gul_bara", "x")
NAMES = (
    "",
    "ann",
    "\x00",
    "\u202egnu\u2066",  # right to left, isolated
    "e" + "\u0301" * 60,  # one letter under a tower of accents
    "🎲" * 100,
    "\ufeff\ufffe\uffff",
    "\U0010ffff" * 101,
    "ı İ ß ﷽ 0️⃣",
    "../../etc/passwd",
    "%00%s%n{0}${jndi:x}",
    "'; drop table tables; --",
    "a\r\nx-evil: 1",
    "8/5 6/5",
    "bar/20*",
    "0/0(9999999999)",
    "24/18*/18*/18*/18",
    "/".join(["24"] * 60),
    "9" * 250,
    "x" * 5000,
)
WHOLE = (0, 1, 2, 3, 5, 6, 7, 24, 25, 26, 27, 63, 64, 127, 128, 255, 256, 10_000, 65_535, 1 << 20)
LIMITS = {
    FieldDescriptor.CPPTYPE_INT32: (-(1 << 31), -1, (1 << 31) - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(1 << 63), -1, (1 << 63) - 1, 1 << 53),
    FieldDescriptor.CPPTYPE_UINT32: (1 << 31, (1 << 32) - 1),
    FieldDescriptor.CPPTYPE_UINT64: (1 << 63, (1 << 64) - 1, (1 << 53) - 1, 1 << 53),
}
NUMBERS = (0.0, -0.0, float("nan"), float("inf"), float("-inf"), 5e-324, 1.8e308, 1e22)
SECONDS = (0, 1, -1, 253402300799, 253402300800, -62135596801, 1 << 62, -(1 << 63))
NANOS = (0, 1, -1, 999_999_999, 1_000_000_000, -(1 << 31), (1 << 31) - 1)
COUNTS = (0, 1, 2, 3, 4, 12, 23, 24, 25, 26, 101)

Known = dict[str, list[Any]]
"""Values that fields of a name have had, such as ids of tables: what a guesser knows."""


@dataclass
class Maker:
    """Makes requests; `known` has values that are nearly right, by the names of fields."""

    chance: random.Random
    known: Known = field(default_factory=dict)

    def request(self, kind: Descriptor, mild: bool = True) -> Message:
        """A request. A mild one is right in many places, so that it gets far."""
        return self._message(kind, 0, 0.75 if mild else 0.15)

    def _message(self, kind: Descriptor, depth: int, mild: float) -> Message:
        message = GetMessageClass(kind)()
        if kind.full_name in ("google.protobuf.Timestamp", "google.protobuf.Duration"):
            message.seconds = self.chance.choice(SECONDS)  # type: ignore[attr-defined]
            message.nanos = self.chance.choice(NANOS)  # type: ignore[attr-defined]
            return message
        for one in kind.fields:
            keep = 0.8 if depth == 0 else 0.55
            if depth > DEEPEST or self.chance.random() > keep:
                continue
            self._fill(message, one, depth, mild)
        return message

    def _fill(self, message: Message, one: FieldDescriptor, depth: int, mild: float) -> None:
        held = getattr(message, one.name)
        if one.message_type is not None and one.message_type.GetOptions().map_entry:
            self._map(held, one.message_type, depth, mild)
        elif hasattr(held, "extend"):
            most = COUNTS if one.message_type is None else COUNTS[:4]
            given = self._dice(one, mild)
            count = self.chance.choice(most)
            held.extend(given or [self._value(one, depth, mild) for _ in range(count)])
        elif one.message_type is not None:
            held.CopyFrom(self._value(one, depth, mild))
        else:
            setattr(message, one.name, self._value(one, depth, mild))

    def _dice(self, one: FieldDescriptor, mild: float) -> list[int]:
        if one.name != "dice" or self.chance.random() > mild:
            return []
        return [self.chance.randint(1, 6) for _ in range(self.chance.choice((2, 2, 2, 3)))]

    def _map(self, held: Any, entry: Descriptor, depth: int, mild: float) -> None:
        key, value = entry.fields_by_name["key"], entry.fields_by_name["value"]
        options = ("match_length", "cube", "cube_cap", "jacoby", "abandonment", "clock")
        for _ in range(self.chance.choice(COUNTS[:3])):
            name = self._value(key, depth, mild)
            if isinstance(name, str) and self.chance.random() < mild:
                name = self.chance.choice(options)
            if value.message_type is not None:
                held[name].CopyFrom(self._value(value, depth, mild))
            else:
                held[name] = self._value(value, depth, mild)

    def _value(self, one: FieldDescriptor, depth: int, mild: float) -> Any:
        right = self.chance.random() < mild
        if one.message_type is not None:
            if right and (sample := SAMPLES.get(one.message_type.full_name)):
                return sample(self.chance)
            return self._message(one.message_type, depth + 1, mild)
        if right and (known := self.known.get(one.name)):
            choice = self.chance.choice(known)
            if isinstance(choice, str) != (one.cpp_type == FieldDescriptor.CPPTYPE_STRING):
                return self._scalar(one)
            return choice.encode() if one.type == FieldDescriptor.TYPE_BYTES else choice
        return self._scalar(one)

    def _scalar(self, one: FieldDescriptor) -> Any:
        chance = self.chance
        match one.cpp_type:
            case FieldDescriptor.CPPTYPE_STRING:
                if one.type == FieldDescriptor.TYPE_BYTES:
                    return chance.randbytes(chance.choice((0, 1, 2, 63, 64, 65, 128, 4096)))
                return chance.choice(NAMES)
            case FieldDescriptor.CPPTYPE_BOOL:
                return chance.random() < 0.5
            case FieldDescriptor.CPPTYPE_ENUM:
                known = [value.number for value in one.enum_type.values] if one.enum_type else [0]
                return chance.choice([*known, *known, -1, 99, (1 << 31) - 1, -(1 << 31)])
            case FieldDescriptor.CPPTYPE_DOUBLE | FieldDescriptor.CPPTYPE_FLOAT:
                return chance.choice(NUMBERS)
        return chance.choice((*WHOLE, *LIMITS.get(one.cpp_type, ())))


def _position(chance: random.Random) -> Message:
    return opening(chance.choice((0, 1, 2, 2)))


SAMPLES: Mapping[str, Callable[[random.Random], Message]] = {
    "bgcore.v1.Position": _position,
    "bgcore.v1.VariantRef": lambda chance: ref(chance.choice(VARIANTS)),
    "bgcore.v1.OptionValue": lambda chance: pb.OptionValue(integer=chance.choice((1, 3, 7, 64))),
}
"""Messages that are right, so that what stands beside them is looked at."""
