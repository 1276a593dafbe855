"""What callers give: messages of it, or an error that names what was wrong and what was expected."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ParamSpec, SupportsIndex, TypeVar

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

P = ParamSpec("P")
M = TypeVar("M", bound=Message)

LONGEST_SHOWN = 100
"""Characters of a value in an error."""

CHECKERS = "points and their checkers, such as {24: 2, 13: 5}"
PLAY = 'a text such as "8/5 6/5", a play of a list, or pairs of origin and number such as [(8, 3), (6, 1)]'

NUMBERS = "whole numbers, such as 3, 1"
TEXTS = "texts"

MADE_BY = {
    "Action": "an action, such as actions.roll() makes",
    "Occupant": "a name, or what player() or bot() makes",
    "Position": "a position, such as position({24: 2, 13: 5}, {24: 2, 13: 5}) makes",
    "RotationRef": "a rotation, such as rotation() makes",
    "Side": "a side, such as side({24: 2, 13: 5}) makes",
    "VariantRef": "a variant, such as variant() makes",
    "VariantSpec": "house rules, such as house() makes",
}
"""What is expected as a message, for those that a helper makes."""


def refused(
    what: str, value: object, expected: str, kind: type[Exception] = TypeError
) -> Exception:
    """The error of a value that is not what it must be: `TypeError`, or another kind.

    >>> refused("dice", "31", "whole numbers")
    TypeError("dice '31': expected whole numbers")
    """
    shown = " ".join(repr(value).split())
    if len(shown) > LONGEST_SHOWN:
        shown = shown[: LONGEST_SHOWN - 1] + "…"
    return kind(f"{what} {shown}: expected {expected}")


def made(kind: Callable[P, M], *args: P.args, **fields: P.kwargs) -> M:
    """A message of these fields; `TypeError`, or `ValueError` for a number out of range, names the one that is wrong.

    >>> from bgcore_client import messages
    >>> made(messages.RollAction, dice=["3"])
    Traceback (most recent call last):
    TypeError: dice ['3']: expected whole numbers, such as 3, 1
    """
    descriptors: Mapping[str, FieldDescriptor] = kind.DESCRIPTOR.fields_by_name  # type: ignore[attr-defined]
    for name, value in fields.items():
        # A text is a list of its letters, too, and a mapping one of its keys.
        if isinstance(value, str | Mapping) and _is_list(descriptors[name]):
            raise refused(name, value, _expected(descriptors[name]))
    try:
        return kind(*args, **fields)
    except (TypeError, ValueError, AttributeError):
        for name, value in fields.items():
            if wrong := _misfit(kind, name, value):
                raise refused(name, value, _expected(descriptors[name]), wrong) from None
        raise


def by_point(what: str, given: object) -> Mapping[int, int]:
    """Checkers by point; `TypeError` for anything else, such as a text, `ValueError` for fewer than none.

    >>> by_point("start", "24:2 13:5")
    Traceback (most recent call last):
    TypeError: start '24:2 13:5': expected points and their checkers, such as {24: 2, 13: 5}
    """
    if not isinstance(given, Mapping):
        raise refused(what, given, CHECKERS)
    for point, count in given.items():
        if not (_whole(point) and _whole(count)):
            raise refused(what, {point: count}, CHECKERS)
        if min(point, count) < 0:
            raise refused(what, {point: count}, CHECKERS, ValueError)
    return given


def _whole(value: object) -> bool:
    return isinstance(value, SupportsIndex) and not isinstance(value, bool)


def _misfit(kind: Callable[..., Message], name: str, value: object) -> type[Exception] | None:
    """The kind of error that a field's value is; `None` for one that fits."""
    try:
        kind(**{name: value})
    except ValueError:
        # Names of fields are texts: whoever gave points for them meant something else.
        return TypeError if isinstance(value, Mapping) else ValueError
    except (TypeError, AttributeError):
        return TypeError
    return None


def _is_list(field: FieldDescriptor) -> bool:
    message = field.message_type
    return _repeated(field) and not (message is not None and message.GetOptions().map_entry)


def _repeated(field: FieldDescriptor) -> bool:
    newer: Any = getattr(field, "is_repeated", None)
    if newer is None:  # the oldest protobuf that we run with
        return bool(getattr(field, "label", 0) == FieldDescriptor.LABEL_REPEATED)
    return bool(newer)


def _expected(field: FieldDescriptor) -> str:
    """What a field takes, in words."""
    one = _one(field)
    if not _repeated(field):
        return one
    if not _is_list(field):
        return "values by name"
    plain = {FieldDescriptor.CPPTYPE_UINT32: NUMBERS, FieldDescriptor.CPPTYPE_STRING: TEXTS}
    return plain.get(field.cpp_type, f"a list, each of it {one}")


def _one(field: FieldDescriptor) -> str:
    match field.cpp_type:
        case FieldDescriptor.CPPTYPE_MESSAGE:
            name = str(getattr(field.message_type, "name", ""))
            return MADE_BY.get(name, f"a message, messages.{name}")
        case FieldDescriptor.CPPTYPE_STRING:
            return "bytes" if field.type == FieldDescriptor.TYPE_BYTES else "a text"
        case FieldDescriptor.CPPTYPE_BOOL:
            return "True or False"
        case FieldDescriptor.CPPTYPE_ENUM:
            return f"one of messages.{getattr(field.enum_type, 'name', '')}"
        case FieldDescriptor.CPPTYPE_UINT32 | FieldDescriptor.CPPTYPE_UINT64:
            return "a whole number, not below 0"
    return "a whole number from -2^63 to 2^63 - 1"
