"""JSON as it is read here: an object, each key once, and nothing that a hostile line could hide in it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import NoReturn

from bgcore.errors import Fault, NotationError, shown
from bgcore.nearest import one_of

LONGEST_LINE = 1 << 20
"""Bytes of a line of JSON; a command that reads lines need not hold more."""
DEEPEST = 20
"""Lists and objects inside one another; what is read here has some four."""
MOST_DIGITS = 20


def read_object(text: str, example: str) -> dict[str, object]:
    """The object that a line of JSON holds; `NotationError` says why it is none.

    `example` is what might have stood there. Refused beside broken JSON: a key that comes twice, `NaN`
    and `Infinity`, numbers of more than 20 digits, lists in lists more than 20 deep.

    >>> read_object('{"dice": [3, 1]}', "{}")
    {'dice': [3, 1]}
    >>> read_object('{"dice": NaN}', "{}")
    Traceback (most recent call last):
    bgcore.errors.NotationError: value NaN: expected a number, as JSON has no such word
    """
    try:
        value = json.loads(
            text.strip(), object_pairs_hook=_once, parse_constant=_no_constant, parse_int=_small
        )
    except json.JSONDecodeError as error:
        raise bad_json(f"a JSON object ({error.msg} at column {error.colno})") from None
    except RecursionError:
        raise bad_json("a JSON object that is not nested so deep") from None
    if not isinstance(value, dict):
        raise bad_json(f"a JSON object such as {example}")
    if text.count("[") + text.count("{") > DEEPEST and _depth(value) > DEEPEST:
        raise bad_json("a JSON object that is not nested so deep")
    return value


def bad_json(expected: str, reason: str = "BAD_JSON") -> NotationError:
    """The error of a line that is no JSON object."""
    return NotationError(Fault(reason, "line", "", expected))


def check_keys(
    form: Mapping[str, object], known: Iterable[str], needed: Iterable[str] = (), at: str = ""
) -> None:
    """`NotationError` for a key that nobody knows, and for one that is needed and not there."""
    wanted = tuple(known)
    for key in form:
        if key not in wanted:
            field = f"{at} field".strip()
            raise NotationError(
                Fault("UNKNOWN_FIELD", field, shown(key), one_of(key, sorted(wanted)))
            )
    for key in needed:
        if key not in form:
            field = f"{at} field".strip()
            raise NotationError(Fault("MISSING_FIELD", field, f"{key} missing", "it to be there"))


def wrong(field: str, value: object, expected: str) -> NoReturn:
    """Refuses a value of the wrong kind, which is shown as it stands in JSON: a text in quotes."""
    raise NotationError(Fault("BAD_FIELD", field, in_json(value), expected))


def in_json(value: object) -> str:
    """A value as JSON writes it, cut where it is long.

    >>> in_json("1"), in_json(None), in_json([True])
    ('"1"', 'null', '[true]')
    """
    try:
        return shown(json.dumps(value, ensure_ascii=False, default=str))
    except (TypeError, ValueError, RecursionError):  # no value of JSON, or one that is too deep
        return shown(value)


def object_of(field: str, value: object) -> dict[str, object]:
    """A value that must be an object; `NotationError` names the field."""
    if not isinstance(value, dict):
        wrong(field, value, "an object")
    return value


def whole_of(field: str, value: object) -> int:
    """A value that must be a whole number, at least 0; `NotationError` names the field."""
    if type(value) is not int or value < 0:
        wrong(field, value, "a whole number from 0")
    return value


def texts_of(field: str, value: object, expected: str = "a list of texts") -> Sequence[str]:
    """A value that must be a list of texts; `NotationError` names the field."""
    if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
        wrong(field, value, expected)
    return value


def text_of(field: str, value: object) -> str:
    """A value that must be a text; `NotationError` names the field."""
    if not isinstance(value, str):
        wrong(field, value, "a text")
    return value


def _once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    form: dict[str, object] = {}
    for key, value in pairs:
        if key in form:
            raise NotationError(Fault("DUPLICATE_FIELD", "field", shown(key), "each key once"))
        form[key] = value
    return form


def _no_constant(word: str) -> NoReturn:
    raise NotationError(Fault("BAD_JSON", "value", word, "a number, as JSON has no such word"))


def _small(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        expected = f"at most {MOST_DIGITS} digits"
        raise NotationError(Fault("BAD_JSON", "number", shown(digits), expected))
    return int(digits)


def _depth(value: object) -> int:
    """How deep lists and objects stand in one another, found without recursion."""
    depth, level = 0, [value]
    while level:
        inside: list[object] = []
        for one in level:
            if isinstance(one, dict):
                inside += one.values()
            elif isinstance(one, list):
                inside += one
        depth, level = depth + 1, inside
    return depth - 1
