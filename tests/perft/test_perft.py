"""Counts of reachable positions, from the `.perft` files beside this one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from bgcore import load
from bgcore.notation.board_text import read_board
from bgcore.perft import perft


class Count(NamedTuple):
    """One line of a file: the distinct results of a start, so many turns deep."""

    variant: str
    name: str
    start: str
    depth: int
    expected: int


def counts() -> Iterator[Count]:
    for file in sorted(Path(__file__).parent.glob("*.perft")):
        name = start = ""
        for line in file.read_text().splitlines():
            match line.split():
                case ["id", name]:
                    pass
                case ["start", *_]:
                    start = line.removeprefix("start ")
                case ["perft", depth, expected]:
                    yield Count(file.stem, name, start, int(depth), int(expected))


def known(count: Count) -> str:
    return f"{count.variant}-{count.name}-{count.depth}"


@pytest.mark.parametrize("count", list(counts()), ids=known)
def test_as_many_positions_are_reachable_as_others_count(count: Count) -> None:
    rules = load().rules(count.variant)
    start = rules.position(read_board(count.start))
    assert perft(rules, start, count.depth) == count.expected
