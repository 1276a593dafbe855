"""Requests as JSON: what was written is understood or refused, never dropped.

protobuf's own reader drops what it does not know, or refuses it in Python's words. So what was written is
first held against the message's description, and every difference is told with its path in the request.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from google.protobuf import json_format
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from bgcore.errors import Fault, shown
from bgcore_server.adapters.json_fields import (
    MAPS_KEYS,
    WELL_KNOWN,
    entry_fields,
    fields_by_name,
    form,
    holds,
    is_map,
    is_repeated,
    misfit,
    nearest,
    places_of,
    told,
)
from bgcore_server.adapters.json_text import DEEPEST, NOT_SO_DEEP, TOO_DEEP, Doubled, fault, read
from bgcore_server.errors import MOST_VIOLATIONS, Malformed
from bgcore_server.lengths import check_length

M = TypeVar("M", bound=Message)


def parse(data: bytes, message: type[M]) -> M:
    """The request that some JSON holds; nothing at all is `{}`.

    Names of fields are read in both of protobuf's spellings, `dice_mode` and `diceMode`, words in their
    full one, `SEAT_WHITE`. `Malformed` names what is not JSON, fields and words that do not exist, values of
    the wrong kind, keys that are there twice and fields that exclude each other, at most twelve of them.
    """
    made, kind = message(), cast(Descriptor, message.DESCRIPTOR)
    objects: list[Doubled] = []
    tree = read(data or b"{}", objects)
    check = _Check(kind)
    with suppress(_Enough):
        check.message(kind, tree, TOP, 1)
        if objects and not check.faults:  # inside a value that may hold any JSON
            check.doubled(objects[0].key, TOP.key(objects[0].key))
    if check.faults:
        raise Malformed(*check.faults)
    try:
        return json_format.ParseDict(tree, made)
    except (json_format.ParseError, ValueError, TypeError, RecursionError):
        # Nothing that we know of; if there is something, its words are Python's.
        size, expected = f"of {len(data)} bytes", f"a {kind.full_name} as JSON"
        raise Malformed(Fault("BAD_JSON", "request", size, expected)) from None


@dataclass(frozen=True, slots=True)
class Place:
    """A place in a request, as a chain: its text is only made for what is wrong.

    >>> print(Place(Place(Place(TOP, "variant"), "options"), '["cube"]'))
    variant.options["cube"]
    """

    above: Place | None
    part: str

    def __str__(self) -> str:
        parts: list[str] = []
        place: Place | None = self
        while place is not None:
            parts.append(place.part if place.part.startswith("[") else f".{place.part}")
            place = place.above
        return "".join(reversed(parts)).lstrip(".") or "request"

    def key(self, name: str) -> Place:
        """The place of a key that is no field's name."""
        return Place(self, shown(name)) if name.isidentifier() else self.entry(name)

    def entry(self, name: str) -> Place:
        """The place of a value in a map."""
        return Place(self, f"[{told(name)}]")


TOP = Place(None, "")


class _Enough(Exception):
    """As many faults as are told."""


@dataclass(slots=True)
class _Check:
    """Holds what JSON says against the description of a message, and lists what does not fit."""

    root: Descriptor
    faults: list[Fault] = field(default_factory=list)

    def message(self, kind: Descriptor, given: Any, at: Place, depth: int) -> None:
        """Anything that stands where a message should."""
        if depth > DEEPEST:
            self.tell("BAD_JSON", at, TOO_DEEP, NOT_SO_DEEP, TOO_DEEP)
        elif kind.file.name in WELL_KNOWN:
            self.well_known(kind, given, at)
        elif isinstance(given, dict):
            self.fields(kind, given, at, depth)
        else:
            self.wrong(at, given, f"an object{_such_as(kind, given)}")

    def fields(self, kind: Descriptor, given: Mapping[str, Any], at: Place, depth: int) -> None:
        """The fields of a message, each once, and one of those that exclude each other."""
        known = fields_by_name(kind)
        if isinstance(given, Doubled):
            named = known.get(given.key)
            self.doubled(given.key, Place(at, named.name) if named else at.key(given.key))
        seen: dict[str, str] = {}
        for name, value in given.items():
            found = known.get(name)
            if found is None:
                self.unknown(kind, name, value, at)
                continue
            here = Place(at, found.name)
            if found.name in seen:
                self.tell(
                    "DUPLICATE_KEY", here, name, "each field once", f"as {seen[found.name]} too"
                )
                continue
            seen[found.name] = name
            if value is None:
                continue
            choice = found.containing_oneof
            if choice is not None:
                other = seen.setdefault(f"one of {choice.name}", name)
                if other != name:
                    names = ", ".join(one.json_name for one in choice.fields)
                    self.tell("ONE_OF_SEVERAL", here, name, f"one of {names}", f"beside {other}")
            self.field(found, value, here, depth)

    def field(self, kind: FieldDescriptor, given: Any, at: Place, depth: int) -> None:
        """The value of a field, which may be many."""
        if is_map(kind):
            self.map(kind, given, at, depth)
        elif not is_repeated(kind):
            self.one(kind, given, at, depth)
        elif isinstance(given, list):
            self.length(kind, len(given), at)
            plain = kind.message_type is None
            for index, value in enumerate(given):
                if not plain or misfit(kind, value):  # places cost time, and numbers may be many
                    self.one(kind, value, Place(at, f"[{index}]"), depth)
        else:
            alone = holds(kind, given)
            self.wrong(at, given, f"a list, such as [{told(given)}]" if alone else "a list")

    def map(self, kind: FieldDescriptor, given: Any, at: Place, depth: int) -> None:
        """Values by names that nobody but the sender chooses."""
        if not isinstance(given, dict):
            self.wrong(at, given, "an object: values by name")
            return
        self.length(kind, len(given), at)
        if isinstance(given, Doubled):
            self.doubled(given.key, at.entry(given.key))
        key, value = entry_fields(kind)
        for name, one in given.items():
            here = at.entry(name)
            self.one(key, MAPS_KEYS.get((key.cpp_type, name), name), here, depth)
            self.one(value, one, here, depth)

    def length(self, kind: FieldDescriptor, count: int, at: Place) -> None:
        """Far more values than a field may have: nobody looks at them, which would hold up everybody."""
        try:
            check_length(kind, count, str(at))
        except Malformed as error:
            self.faults.extend(error.faults)
            raise _Enough from None

    def one(self, kind: FieldDescriptor, given: Any, at: Place, depth: int) -> None:
        """One value."""
        if kind.message_type is not None:
            self.message(kind.message_type, given, at, depth + 1)
        elif wrong := misfit(kind, given):
            reason, expected = wrong
            value = given if reason == "UNKNOWN_WORD" and isinstance(given, str) else told(given)
            where = str(at)
            what = f"{where} {shown(value)}: expected {expected}"
            self.add(fault(reason, where, _plain(given), expected, what))

    def well_known(self, kind: Descriptor, given: Any, at: Place) -> None:
        """A message that has a form of its own in JSON, such as a time."""
        try:
            json_format.ParseDict(given, GetMessageClass(kind)())
        except Exception:  # the readers of these raise whatever comes
            self.wrong(at, given, WELL_KNOWN[kind.file.name])

    def unknown(self, kind: Descriptor, name: str, given: Any, at: Place) -> None:
        """A field that does not exist; where it does, if it does elsewhere."""
        names = [one.json_name for one in kind.fields]
        expected = ", ".join(nearest(name, names)) or "{}: there are no fields"
        below = [str(Place(at, path)) for path in places_of(name, given, kind)]
        if elsewhere := below or list(places_of(name, given, self.root)):
            expected = f"{' or '.join(elsewhere)}; here {', '.join(names)}"
        where = str(at.key(name))
        what = f"{where}: no such field, expected {expected}"
        self.add(fault("UNKNOWN_FIELD", where, name, expected, what))

    def doubled(self, name: str, at: Place) -> None:
        """A key that stands twice."""
        self.tell("DUPLICATE_KEY", at, name, "each key once", "twice")

    def wrong(self, at: Place, given: Any, expected: str) -> None:
        """A value of another kind than belongs there."""
        where = str(at)
        what = f"{where} {told(given)}: expected {expected}"
        self.add(fault("WRONG_TYPE", where, _plain(given), expected, what))

    def tell(self, reason: str, at: Place, value: str, expected: str, how: str) -> None:
        """Something that cannot stand there as it does."""
        where = str(at)
        self.add(fault(reason, where, value, expected, f"{where} {how}: expected {expected}"))

    def add(self, found: Fault) -> None:
        """One more; `_Enough` ends the search."""
        self.faults.append(found)
        if len(self.faults) >= MOST_VIOLATIONS:
            raise _Enough


def _plain(given: Any) -> str:
    """A value as the details have it: a text without quotes."""
    return given if isinstance(given, str) else told(given)


def _such_as(kind: Descriptor, given: Any) -> str:
    """An object that the value could stand in, else the names that one may have."""
    if isinstance(given, str) and (named := fields_by_name(kind).get(given)):
        if form(named, {}):
            return f', such as {{"{given}": {{}}}}'
    for one in kind.fields:
        if isinstance(given, list) and len(kind.fields) > 1:
            break  # a list of what could be said, but what it is a list of is not
        if not is_map(one) and form(one, given):
            value = "[…]" if isinstance(given, list) else told(given)
            return f', such as {{"{one.json_name}": {value}}}'
    return f" with {names}" if (names := ", ".join(one.json_name for one in kind.fields)) else " {}"
