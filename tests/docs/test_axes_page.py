"""docs/axes.md is what the engine has, and the docstrings say something of every field and word."""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from bgcore import Variant
from bgcore.catalogue import CATALOGUE
from bgcore.option import words
from bgcore.spec_words import AXES
from tools.generate_axes import MEANINGS, PAGE, axes, meanings, said, text, words_of
from tools.pages import built_in

ROOT = Path(__file__).parents[2]
TEXT = PAGE.read_text(encoding="utf-8")
WORDED = {name: kind for name, field in axes().items() if (kind := words_of(field))}


def test_the_page_is_up_to_date() -> None:
    assert text(built_in()) == TEXT, "run: make axes"


def test_the_tool_says_so_too() -> None:
    command = [sys.executable, "tools/generate_axes.py", "--check"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "")


def test_help_of_a_variant_says_what_each_field_is() -> None:
    assert {field.name for field in fields(Variant)} <= MEANINGS.keys()


@pytest.mark.parametrize("name", AXES)
def test_an_axis_has_a_row_with_its_rule(name: str) -> None:
    meaning, rule = said(name)
    [row] = re.findall(rf"^\| \[?`{name}`.*rules\.md#.*$", TEXT, re.MULTILINE)
    assert meaning in row
    assert f"rules.md#{rule.lower()}" in row


@pytest.mark.parametrize("name", sorted(AXES.keys() & CATALOGUE.keys()))
def test_an_axis_is_said_as_its_option_is(name: str) -> None:
    option = CATALOGUE[name]
    assert said(name) == (option.meaning, option.rule)


@pytest.mark.parametrize("name", WORDED)
def test_every_word_of_an_axis_is_explained_and_no_other(name: str) -> None:
    kind = WORDED[name]
    assert tuple(meanings(kind)) == words(kind)
    for word, meaning in meanings(kind).items():
        assert f"| `{name}` | `{word}` | {meaning} |" in TEXT
