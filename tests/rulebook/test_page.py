"""docs/rulebook.md is up to date, and every sentence is proved by a test or explained."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from bgcore.catalogue import CATALOGUE
from tests.rulebook.data import lines
from tools.generate_rulebook import Book, Proof

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "rulebook.md").read_text(encoding="utf-8")
COUNTS = {"S0": 35, "S1": 27, "S2": 19, "S3": 31, "S4": 38}
"""Sentences of each rulebook; `cube-and-match.md` has as many."""


def test_the_page_is_what_the_tests_give_and_leaves_no_sentence_out() -> None:
    # In a process of its own, as it collects tests.
    environment = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    command = [sys.executable, "tools/generate_rulebook.py", "--check"]
    ran = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert ran.stdout == "212 sentences and examples, each proved or explained\n", ran.stderr
    assert ran.returncode == 0


def test_every_sentence_of_every_rulebook_is_there() -> None:
    ids = [line["id"] for line in lines("sentences")]
    assert ids == [
        f"{book}-{number:02}" for book, count in COUNTS.items() for number in range(1, count + 1)
    ]
    assert [line["id"] for line in lines("cube_examples")] == [f"CUB-{n:02}" for n in range(1, 23)]


@cache
def functions(file: Path) -> set[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


ROWS = re.findall(r"^\| ([A-Z0-9]+-\S+) \| (.*)$", PAGE, re.MULTILINE)
TESTS = dict(re.findall(r"^- ([A-Z0-9]+-\S+): (.*)$", PAGE, re.MULTILINE))


@pytest.mark.parametrize("row", ROWS)
def test_every_test_that_the_page_names_exists_and_is_counted(row: tuple[str, str]) -> None:
    sentence, cells = row
    named = [
        (file, function)
        for file, names in re.findall(r"\]\(\.\./(tests/[^)]+)\): ([^;]*)", TESTS.get(sentence, ""))
        for function in re.findall(r"`(test_\w+)`", names)
    ]
    assert named or "not a rule: " in cells, sentence
    for file, function in named:
        assert function in functions(ROOT / file)
    counts = re.findall(r"\]\(\.\./(tests/[^)]+)\) (\d+)", cells)
    assert Counter(file for file, _ in named) == {file: int(count) for file, count in counts}


def test_what_needs_another_option_says_so() -> None:
    for name in {name for _, cells in ROWS for name in re.findall(r"`(\w+) = ", cells)}:
        assert name in CATALOGUE or all(
            "yet" in cells for _, cells in ROWS if f"`{name} = " in cells
        ), name


def test_jacoby_says_what_a_match_needs() -> None:
    sentences = {one for one, cells in ROWS if re.match("Jacoby(:| for)", cells)}
    assert sentences == {"S0-29", "S1-21", "S2-19", "S4-24"}
    assert all("`money_rules_in_match = allow`" in dict(ROWS)[one] for one in sentences)


def test_a_note_needs_its_sentence() -> None:
    one = replace(book({}, "X-1", "X-2"), notes={"X-3": "c"})
    assert list(one.faults()) == ["X-3: a note, and no sentence has this id"]


def book(reasons: dict[str, str], *proved: str) -> Book:
    sentences = [
        {"id": one, "rulebook": "a", "text": "b", "reading": "c"} for one in ("X-1", "X-2")
    ]
    proofs = {one: [Proof("tests/test_x.py", "test_x")] for one in proved}
    return Book(sentences, reasons, {}, [], proofs)


def test_a_sentence_needs_a_test_or_a_reason_and_not_both() -> None:
    assert list(book({"X-2": "wood"}, "X-1").faults()) == []
    assert list(book({}, "X-1").faults()) == [
        "X-2: no test proves it, and no reason says why none does"
    ]
    assert list(book({"X-2": "wood"}, "X-1", "X-2").faults()) == [
        "X-2: a test proves it, and tests/data/rulebook/equipment.jsonl says why none does"
    ]


def test_a_marker_with_an_unknown_id_is_a_fault() -> None:
    assert list(book({}, "X-1", "X-2", "X-3").faults()) == [
        "X-3: no sentence or example has this id"
    ]


def test_a_sentence_that_comes_twice_is_a_fault() -> None:
    one = book({}, "X-1", "X-2")
    twice = Book(one.sentences * 2, {}, {}, [], one.proofs)
    assert "X-1 is there 2 times" in list(twice.faults())
