"""What an example may say, and what is wrong with one before anybody has played it (rules C7)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

from bgcore.errors import NotationError
from bgcore.nearest import one_of
from bgcore.notation.board_json import (
    BOARD_KEYS,
    read_board_json,
    read_numbers_json,
    read_turn_json,
)
from bgcore.notation.json_line import text_of, texts_of, whole_of, wrong

Example = Mapping[str, Any]
Read = Callable[[object], object]
"""Takes a value of a key; `NotationError` says what was expected of it."""


def _dice(value: object) -> None:
    """How many there must be, and of which numbers, is for the rules to say."""
    if not isinstance(value, list | tuple):
        wrong("dice", value, "a list of numbers such as [6, 3]")


def _options(value: object) -> None:
    if not isinstance(value, Mapping):
        wrong("options", value, 'an object such as {"cube": false}')


def _board(key: str, value: object) -> None:
    read_board_json({key: value})


PLAYS = 'a list of plays such as ["8/5 6/5"]'
REASONS = 'a list of reasons such as ["POINT_CLOSED"]'

QUESTIONS: Mapping[str, Read] = {
    **{key: partial(text_of, key) for key in ("id", "note", "variant", "preset")},
    "options": _options,
    "turn": read_turn_json,
    "dice": _dice,
    "numbers": read_numbers_json,
    "board": partial(text_of, "board"),
    **{key: partial(_board, key) for key in sorted(BOARD_KEYS)},
}
"""The keys of a question, and what reads the value of each."""
ANSWERS: Mapping[str, Read] = {
    **{key: partial(texts_of, key, expected=PLAYS) for key in ("legal", "legal_includes")},
    **{key: partial(whole_of, key) for key in ("legal_count", "dice_used")},
    "illegal": partial(texts_of, "illegal", expected=PLAYS),
    "why": partial(texts_of, "why", expected=REASONS),
}
"""The keys of an answer."""
READERS: Mapping[str, Read] = {**QUESTIONS, **ANSWERS}


def unknown_keys(example: Example) -> Iterator[str]:
    """Keys that no example has, and what is missing of an answer."""
    for key in sorted(example.keys() - READERS.keys()):
        yield f"{key}: expected {one_of(key, READERS)}"
    if not example.keys() & ANSWERS.keys():
        yield f"it answers nothing: expected one of {', '.join(ANSWERS)}"


def wrong_values(example: Example) -> Iterator[str]:
    """Values of another kind than their keys take, and what is missing of the question, or said twice."""
    for key, read in READERS.items():
        try:
            if key in example:
                read(example[key])
        except NotationError as error:
            yield str(error)
    sides = [key for key in example if key in BOARD_KEYS]
    yield from _one_of_two("dice", "numbers", "dice" in example, "numbers" in example)
    yield from _one_of_two(
        "board", sides[0] if sides else "me and opp", "board" in example, bool(sides)
    )


def _one_of_two(one: str, other: str, has_one: bool, has_other: bool) -> Iterator[str]:
    if has_one and has_other:
        yield f"{other}: expected none beside {one}, as it is one or the other"
    elif not has_one and not has_other:
        yield f"{one} (or {other}) is missing"
