"""Requests that are spoilt after they were made: as bytes, as JSON, as trees."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

WORDS = (
    "NaN",
    "-Infinity",
    "1e999",
    "-0.0",
    "1" * 5000,
    "1." + "0" * 5000,
    "1e-999999999",
    '"\\ud800"',
    '"\\u0000"',
    '"\\udc00\\ud800"',
    "null",
    "true",
    "[]",
    "{}",
    "[[]]",
    '""',
    '"9007199254740993"',
    '"1e1"',
    '" 1 "',
    '"٣"',
    '"SEAT_WHITE "',
    "-1",
    "4294967296",
    "18446744073709551616",
    "0.5",
    '{"":0}',
    '{"\\ud800":{}}',
    '{"@type":"type.googleapis.com/google.protobuf.Any"}',
    '"0001-01-01T00:00:00Z"',
    '"99999-01-01T00:00:00Z"',
    '"-315576000001s"',
    '"NaNs"',
)
"""Values of JSON, or nearly."""
MARK = '"@@here@@"'


def spoilt_json(text: str, chance: random.Random) -> bytes:
    """A request as JSON with something wrong in it."""
    tree = json.loads(text)
    places = list(_places(tree))
    if places and chance.random() < 0.7:
        holder, key = chance.choice(places)
        holder[key] = json.loads(MARK)
        text = json.dumps(tree).replace(MARK, chance.choice(WORDS))
    return _spoilt_text(text, chance)


def _spoilt_text(text: str, chance: random.Random) -> bytes:
    raw = text.encode("utf-8", "surrogatepass")
    match chance.randrange(12):
        case 0:
            return raw[: chance.randrange(len(raw) + 1)]
        case 1:
            return b"\xef\xbb\xbf" + raw
        case 2:
            return text.encode("utf-16", "surrogatepass")
        case 3:
            return raw + raw
        case 4:
            return b"\xff\xfe\x00" + raw
        case 5:
            return chance.choice(WORDS).encode()
        case 6:
            return raw[:1] + b'"table":1,"table":2,"variant":{},"variant":{},' + raw[1:]
    return raw


def spoilt_bytes(raw: bytes, chance: random.Random) -> bytes:
    """A request as bytes with something wrong in it."""
    match chance.randrange(6):
        case 0:
            return raw[: chance.randrange(len(raw) + 1)]
        case 1:
            return chance.randbytes(chance.choice((0, 1, 7, 64, 1000)))
        case 2 if raw:
            changed = bytearray(raw)
            for _ in range(chance.choice((1, 1, 3, 10))):
                changed[chance.randrange(len(changed))] = chance.randrange(256)
            return bytes(changed)
        case 3:
            return raw + chance.choice(TAILS)
        case 4:
            return raw * chance.choice((2, 3))
    return raw


TAILS = (
    b"\xff" * 11,  # a tag without an end
    b"\x0b" * 200,  # groups in groups
    b"\x0a\xff\xff\xff\xff\x0f",  # a length that is not there
    b"\xfa\xff\xff\xff\x0f\x00",  # the largest field number
    b"\x0a\x02\xc0\x80",  # NUL, too long
    b"\x12\x03\xed\xa0\x80",  # half a character
)


def nested_json(depth: int, open_: str, close: str, core: str = "{}") -> bytes:
    """JSON in JSON."""
    return (open_ * depth + core + close * depth).encode()


def nested_bytes(field: int, depth: int) -> bytes:
    """A message of one field in itself, so often."""
    raw = b""
    for _ in range(depth):
        raw = bytes([field << 3 | 2]) + _varint(len(raw)) + raw
    return raw


def _varint(number: int) -> bytes:
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def _places(tree: Any) -> Iterator[tuple[Any, Any]]:
    """Every value inside, as what holds it and the key."""
    pairs = tree.items() if isinstance(tree, dict) else enumerate(tree)
    if isinstance(tree, dict | list):
        for key, value in list(pairs):
            yield tree, key
            if isinstance(value, dict | list):
                yield from _places(value)
