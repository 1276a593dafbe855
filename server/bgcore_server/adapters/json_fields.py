"""What the fields of messages may hold as JSON, and which names come near to one that does not exist."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor

from bgcore.errors import shown
from bgcore.nearest import nearest_first
from bgcore_server.adapters.json_text import LONGEST_NUMBER

INT32, INT64 = 1 << 31, 1 << 63
RANGES: Mapping[int, tuple[int, int]] = {
    FieldDescriptor.CPPTYPE_INT32: (-INT32, INT32 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-INT64, INT64 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2 * INT32 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2 * INT64 - 1),
}
LARGEST = {
    FieldDescriptor.CPPTYPE_FLOAT: 3.4028234663852886e38,
    FieldDescriptor.CPPTYPE_DOUBLE: 1.7976931348623157e308,
}
NO_NUMBERS = ("NaN", "Infinity", "-Infinity")

NUMBER = re.compile(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")
DIGITS = re.compile(r"-?[0-9]+")
BASE64 = re.compile(r"[A-Za-z0-9+/_-]*={0,2}")

WELL_KNOWN = {
    f"google/protobuf/{name}.proto": expected
    for name, expected in {
        "timestamp": 'a time, such as "2026-01-31T12:00:00Z"',
        "duration": 'seconds, such as "12.5s"',
        "field_mask": 'names of fields, such as "name,diceMode"',
        "wrappers": "a value",
        "struct": "a value",
        "any": 'an object with "@type"',
    }.items()
}
"""Messages that have a form of their own in JSON, by their files, and what it is."""

MAPS_KEYS = {
    (FieldDescriptor.CPPTYPE_BOOL, "true"): True,
    (FieldDescriptor.CPPTYPE_BOOL, "false"): False,
}
"""Keys are texts in JSON, whatever they are in a message. Numbers may be texts anywhere."""

FARTHEST = 3
MOST_PLACES = 3


@cache
def fields_by_name(kind: Descriptor) -> Mapping[str, FieldDescriptor]:
    """The fields of a message by both of their names, `diceMode` and `dice_mode`."""
    named = {one.name: one for one in kind.fields}
    return named | {one.json_name: one for one in kind.fields}


def is_map(kind: FieldDescriptor) -> bool:
    """Whether a field holds values by name."""
    return kind.message_type is not None and bool(kind.message_type.GetOptions().map_entry)


def entry_fields(kind: FieldDescriptor) -> tuple[FieldDescriptor, FieldDescriptor]:
    """The fields for the key and the value of a map."""
    assert kind.message_type is not None  # a map is a list of messages with these two
    return kind.message_type.fields_by_name["key"], kind.message_type.fields_by_name["value"]


def is_repeated(kind: FieldDescriptor) -> bool:
    """Whether a field holds a list, or values by name."""
    newer = getattr(kind, "is_repeated", None)
    if newer is None:  # the oldest protobuf that we run with
        return bool(getattr(kind, "label", 0) == FieldDescriptor.LABEL_REPEATED)
    return bool(newer)


# -- values -----------------------------------------------------------------------------------------


def misfit(kind: FieldDescriptor, given: Any) -> tuple[str, str] | None:
    """Why a field that holds no message cannot hold a value: the reason, and what was expected."""
    match kind.cpp_type:
        case FieldDescriptor.CPPTYPE_ENUM:
            return _no_word(kind.enum_type, given)
        case FieldDescriptor.CPPTYPE_BOOL:
            fits, expected = isinstance(given, bool), "true or false"
        case FieldDescriptor.CPPTYPE_STRING if kind.type == FieldDescriptor.TYPE_BYTES:
            fits, expected = _is_base64(given), "bytes as base64"
        case FieldDescriptor.CPPTYPE_STRING:
            fits, expected = _is_text(given), "a text in quotes, of whole characters"
        case FieldDescriptor.CPPTYPE_FLOAT | FieldDescriptor.CPPTYPE_DOUBLE:
            largest = LARGEST[kind.cpp_type]
            number = _number(given)
            fits = given in NO_NUMBERS if number is None else abs(number) <= largest
            expected = f"a number from {-largest} to {largest}"
        case _:
            return _no_whole_number(RANGES[kind.cpp_type], given)
    return None if fits else ("WRONG_TYPE", expected)


def form(kind: FieldDescriptor, given: Any) -> bool:
    """Whether a value has the form of what a field holds; deeper than its surface is not looked."""
    if is_map(kind):
        return isinstance(given, dict)
    return isinstance(given, list) if is_repeated(kind) else holds(kind, given)


def holds(kind: FieldDescriptor, given: Any) -> bool:
    """The same for one value of a field that may hold many."""
    if kind.message_type is not None:
        return isinstance(given, dict)
    return misfit(kind, given) is None


def told(given: Any) -> str:
    """A value as JSON, cut where it is long.

    >>> told("western"), told(True), told({"a": 1})
    ('"western"', 'true', 'an object')
    """
    match given:
        case dict():
            return "an object"
        case list():
            return "a list"
        case str():
            return json.dumps(shown(given), ensure_ascii=False)
    return shown(json.dumps(given))


def _no_word(words: EnumDescriptor | None, given: Any) -> tuple[str, str] | None:
    assert words is not None  # as the field's kind says
    number = None if isinstance(given, str) else _whole(given)
    if isinstance(given, str):
        fits = given in words.values_by_name
    else:
        fits = number is not None and number in words.values_by_number
    if fits:
        return None
    names = [value.name for value in words.values]
    known = isinstance(given, str) or number is not None
    return "UNKNOWN_WORD" if known else "WRONG_TYPE", ", ".join(nearest(str(given), names))


def _no_whole_number(limits: tuple[int, int], given: Any) -> tuple[str, str] | None:
    low, high = limits
    number = _whole(given)
    if number is not None and low <= number <= high:
        return None
    reason = "WRONG_TYPE" if number is None else "NUMBER_OUT_OF_RANGE"
    return reason, f"a whole number, {low} to {high}"


def _whole(given: Any) -> int | None:
    """The whole number that a value is, as a number or as its text."""
    if isinstance(given, str) and len(given) <= LONGEST_NUMBER and DIGITS.fullmatch(given):
        return int(given)
    if isinstance(given, int) and not isinstance(given, bool):
        return given
    number = _number(given)
    return int(number) if number is not None and number.is_integer() else None


def _number(given: Any) -> float | None:
    match given:
        case bool():
            return None
        case int() | float():
            return float(given)
        case str() if len(given) <= LONGEST_NUMBER and NUMBER.fullmatch(given):
            return float(given)
    return None


def _is_text(given: Any) -> bool:
    if not isinstance(given, str):
        return False
    try:
        given.encode()
    except UnicodeEncodeError:  # half of a pair
        return False
    return True


def _is_base64(given: Any) -> bool:
    if not isinstance(given, str) or not BASE64.fullmatch(given):
        return False
    return len(given.rstrip("=")) % 4 != 1


# -- names ------------------------------------------------------------------------------------------


def nearest(name: str, names: Sequence[str]) -> list[str]:
    """Names, those first that are most like another one.

    >>> nearest("BLACK", ["SEAT_UNSPECIFIED", "SEAT_WHITE", "SEAT_BLACK"])[0]
    'SEAT_BLACK'
    >>> nearest("FULL", ["PLAY_VIEW_NONE", "PLAY_VIEW_TEXT", "PLAY_VIEW_FULL"])[0]
    'PLAY_VIEW_FULL'
    >>> nearest("expectedRevison", ["table", "expectedRevision"])[0]
    'expectedRevision'
    """
    # The words of an enumeration begin alike, with its name, which is easily left out.
    letters = enumerate(zip(*names, strict=False))
    alike = next((place for place, found in letters if len(set(found)) > 1), 0)
    words = {word: one for one in names for word in (one[alike:], one)}
    return list(dict.fromkeys(words[word] for word in nearest_first(name, words)))


def places_of(name: str, given: Any, kind: Descriptor) -> Iterator[str]:
    """Where, below a message, a field of this name stands that could hold the value; the nearest ones.

    >>> from bgcore_proto.v1 import table_service_pb2 as tables
    >>> list(places_of("preset", "vog", tables.CreateTableRequest.DESCRIPTOR))
    ['variant.preset']
    """
    level: list[tuple[str, Descriptor]] = [("", kind)]
    seen = {kind.full_name}
    for _ in range(FARTHEST):
        level = list(_below(level, seen))
        found = [
            path + one.name
            for path, kind in level
            if (one := fields_by_name(kind).get(name)) is not None and form(one, given)
        ]
        if found:
            yield from found[:MOST_PLACES]
            return


def _below(
    level: Iterable[tuple[str, Descriptor]], seen: set[str]
) -> Iterator[tuple[str, Descriptor]]:
    """The messages in some messages, one of each kind, with their paths."""
    for path, kind in level:
        for one in kind.fields:
            inner = one.message_type
            if inner is None or is_repeated(one) or inner.full_name in seen:
                continue
            if inner.file.name in WELL_KNOWN:
                continue
            seen.add(inner.full_name)
            yield f"{path}{one.name}.", inner
