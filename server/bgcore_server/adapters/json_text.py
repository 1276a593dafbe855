"""The text of a request as JSON: what it says, or why it says nothing."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any, NoReturn

from bgcore.errors import Fault, shown
from bgcore_server.errors import Malformed

DEEPEST = 100
"""Messages inside messages, as many as protobuf reads."""

TOO_DEEP, NOT_SO_DEEP = "objects in objects", f"at most {DEEPEST} inside each other"

LONGEST_NUMBER = 40
"""Digits of the longest whole number that is read as one; no field holds half as many."""


class Doubled(dict[str, Any]):
    """An object in which a key stood twice."""

    key: str


def read(data: bytes, doubled: list[Doubled]) -> Any:
    """What the JSON says; objects with a key that stands twice are listed."""

    def made(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) == len(pairs):
            return found
        counts = Counter(key for key, _ in pairs)
        twice = Doubled(found)
        twice.key = next(key for key in counts if counts[key] > 1)
        doubled.append(twice)
        return twice

    try:
        text = data.decode()
        return json.loads(
            text, object_pairs_hook=made, parse_int=_whole_number, parse_constant=_no_number
        )
    except UnicodeDecodeError as problem:
        _bad_json(f"byte {problem.start + 1}", "UTF-8")
    except json.JSONDecodeError as problem:
        place = f"line {problem.lineno}, column {problem.colno}"
        found = shown(problem.doc[problem.pos : problem.pos + 20].strip()) or "the end"
        how = problem.msg[:1].lower() + problem.msg[1:]
        what = f"request, {place}: {how}: {found}, expected JSON"
        _bad_json(found, f"JSON at {place}", what)
    except _NoNumber as problem:
        _bad_json(str(problem), "a number, or a text in quotes")
    except RecursionError:
        _bad_json(TOO_DEEP, NOT_SO_DEEP)


class _NoNumber(Exception):
    """A word that JavaScript takes for a number, and JSON does not know."""


def _no_number(word: str) -> NoReturn:
    raise _NoNumber(word)


def _whole_number(digits: str) -> int | float:
    return int(digits) if len(digits) <= LONGEST_NUMBER else float(digits)


def _bad_json(value: str, expected: str, message: str = "") -> NoReturn:
    raise Malformed(fault("BAD_JSON", "request", value, expected, message)) from None


def fault(reason: str, where: str, value: str, expected: str, message: str = "") -> Fault:
    """A fault with texts that can be sent: JSON can hold halves of characters."""
    message = message or f"{where} {value}: expected {expected}"
    where, value, expected, message = (
        text.encode(errors="replace").decode() for text in (where, shown(value), expected, message)
    )
    return Fault(reason, where, value, expected, message)
