"""Notations as plugins bring them: two that work, and some that do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from bgcore import NotationError, Registry, load
from bgcore.errors import Fault
from bgcore.notation.board_text import write_board
from bgcore.notation.formats import FORMATS, Format, MatchFormat, PositionFormat
from bgcore.notation.situation import Situation
from bgcore.plugin import Plugin
from bgcore.rules import Rules

BOARD: Any = FORMATS["text"]
RECORD: Any = FORMATS["record"]

PLUGIN = Plugin("shouting", "bgcore-shouting", "1.2", value="tests.notation.brought")


def read_shout(text: str, rules: Rules) -> Situation:
    if not text.startswith("BOARD! "):
        raise NotationError(Fault("NOT_SHOUTED", "text", text, "BOARD! before it"))
    found: Situation = BOARD.read(text.removeprefix("BOARD! "), rules)
    return found


def write_shout(here: Situation, rules: Rules) -> str:
    assert here.setup is not None
    return f"BOARD! {write_board(here.setup)}"


def shouts(word: str) -> Callable[[str], bool]:
    return lambda text: text.startswith(word)


def read_shouted(text: str, *given: Any, **named: Any) -> Iterator[Any]:
    yield from RECORD.read(text.removeprefix("MATCH!\n"), *given, **named)


def write_shouted(record: Any, registry: Registry) -> str:
    return f"MATCH!\n{RECORD.write(record, registry)}"


SHOUT = PositionFormat(
    "shout", "a board, shouted", (".shout",), shouts("BOARD!"), read_shout, write_shout
)
SHOUTED = MatchFormat(
    "shouted", "a match, shouted", (".shouted",), shouts("MATCH!"), read_shouted, write_shouted
)


def raises(*_: object, **__: object) -> Any:
    raise LookupError("lost for words")


def later(text: str, *given: Any, **named: Any) -> Iterator[Any]:
    """One match, and then nothing that makes sense."""
    yield from read_shouted(text, *given, **named)
    raise LookupError("lost for words")


HOARSE = replace(SHOUT, id="hoarse", suits=raises, read=raises, write=raises)
HOARSE_MATCH = replace(SHOUTED, id="hoarse-match", suits=raises, read=later, write=raises)


def mumbles(*_: object, **__: object) -> Any:
    return ["mumble"]


MUMBLE = replace(SHOUT, id="mumble", read=mumbles, write=mumbles)
MUMBLE_MATCH = replace(SHOUTED, id="mumble-match", read=mumbles, write=lambda *_: "\ud800")
BAD = (HOARSE, HOARSE_MATCH, MUMBLE, MUMBLE_MATCH)


def registry(*more: Format) -> Registry:
    """All that is installed, these, and some more."""
    found = load().using(PLUGIN)
    for one in (SHOUT, SHOUTED, *BAD, *more):
        found.add_notation(one)
    return found
