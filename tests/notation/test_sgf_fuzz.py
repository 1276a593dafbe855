"""Anything at all as SGF: it is read, refused with its place, or a fault with its line.

BGCORE_FUZZ says how many inputs are tried; one million were, once.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from bgcore import NotationError, load
from bgcore.notation.sgf_match import read_sgf
from bgcore.replay import ReplayedMatch, replayed

from .random_matches import games_of

INPUTS = int(os.environ.get("BGCORE_FUZZ", "3000"))
SAMPLES = sorted((Path(__file__).parents[1] / "data/matches").glob("*.sgf"))
TREES = [
    "(;" + tree
    for file in SAMPLES
    for tree in file.read_text(encoding="utf-8").split("(;FF[4]")
    if len(tree) < 600
]
WORDS = (
    *"()[];:\\abhxyz0136é \n\r\t\0",
    *("(;", ";)", "][", "W[", "B[", "31", "66", "99999999", ";W[31hefe]", ";B[64agln]", ";PL[W]"),
    *(";W[double]", ";B[double]", ";B[take]", ";B[drop]", "AE[a:y]", "AW[a:f]", "AB[x][x]"),
    *("PL[B]", "DI[31]", "CV[2]", "CV[3]", "CP[w]", "CO[n]", "GM[6]", "FF[4]", "MI[length:3]"),
    *("MI[length:0]", "[game:1]", "[ws:2]", "[bs:2]", "RE[W+1]", "RE[B+2R]", "RE[W+99999999]"),
    *("RE[?]", "RU[Crawford]", "RU[Crawford:CrawfordGame]", "RU[Jacoby]", "RU[NoCube]"),
    *("RU[Nackgammon]", "PW[a]", "C[x\\]y]", "A[0][hefe]"),
)
REGISTRY = load()


def words(random: Random) -> str:
    """A tree of anything."""
    return (
        "(;GM[6]" + "".join(random.choices(WORDS, k=random.randint(0, 30))) + random.choice(")]; ")
    )


def damaged(random: Random) -> str:
    """A game with some of its characters changed, and maybe another behind it."""
    text = random.choice(TREES)
    for _ in range(random.randint(1, 4)):
        at, length = random.randrange(len(text) + 1), random.choice((0, 0, 1, 1, 2, 5, 40))
        source = random.choice(TREES)
        start = random.randrange(len(source))
        others = (
            random.choice(WORDS),
            chr(random.randrange(0x3000)),
            source[start : start + 30],
            "",
        )
        text = text[:at] + random.choice(others) + text[at + length :]
    return text + random.choice(("", "", random.choice(TREES)))


@pytest.mark.parametrize("make", [words, damaged])
def test_anything_is_read_refused_or_reported(make: Callable[[Random], str]) -> None:
    random = Random(6)
    outcomes = {tried(make(random)) for _ in range(INPUTS // 2)}
    assert outcomes == {True, False}


def tried(text: str) -> bool:
    """Whether a text can be read; its faults must have lines, and its record must hold."""
    matches: list[ReplayedMatch] = []
    refusal = None
    try:
        matches += replayed(text, REGISTRY, read=read_sgf)
    except NotationError as error:
        refusal = error
    for match in matches:
        assert all(fault.line >= 1 and fault.reason for fault in match.report.faults), text
        if match.match is not None:
            assert games_of(match.record.match(REGISTRY)) == games_of(match.match), text
    assert refusal is None or refusal.faults[0].field.startswith("line "), text
    return refusal is None
