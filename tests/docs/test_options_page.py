"""docs/options.md is what the engine has."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from bgcore import Variant
from bgcore.option import spelt
from bgcore.resolve import defaults_of, options_of
from tools.generate_options import PAGE, Page
from tools.pages import built_in

ROOT = Path(__file__).parents[2]
TEXT = PAGE.read_text(encoding="utf-8")
VARIANTS = [entry.variant for entry in built_in()]


def test_the_page_is_up_to_date() -> None:
    assert Page(built_in()).text() == TEXT, "run: make options"


def test_the_tool_says_so_too() -> None:
    command = [sys.executable, "tools/generate_options.py", "--check"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "")


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.id)
def test_every_option_of_a_variant_has_a_row_and_says_that_it_has_it(variant: Variant) -> None:
    for name, option in options_of(variant).items():
        [row] = re.findall(rf'^\| <a id="{name}"></a>.*$', TEXT, re.MULTILINE)
        assert option.meaning in row
        assert f"rules.md#{option.rule.lower()}" in row
        assert row.endswith("| all |") or variant.id in row.split("|")[-2]


def test_a_preset_shows_the_value_of_every_option_that_it_changes() -> None:
    registry = built_in()
    for variant in VARIANTS:
        _, _, after = TEXT.partition(f"### Presets of {variant.id}\n")
        rows = {
            cells[1].strip(" `"): cells[3:-1]
            for cells in (line.split("|") for line in after.split("\n### ")[0].splitlines())
            if len(cells) > 3
        }
        for number, preset in enumerate(registry.presets_of(variant)):
            options = registry.rules(variant.id, preset).options
            for name, usual in defaults_of(variant).items():
                if options[name] != usual:
                    assert rows[name][number].strip().startswith("**")


README = (ROOT / "README.md").read_text(encoding="utf-8")
CHOICES = re.findall(r"^\| [^|]+ \| `((?:\w+=\w+ ?)+)`", README, re.MULTILINE)


@pytest.mark.parametrize("choice", CHOICES)
def test_what_the_readme_says_to_choose_can_be_chosen(choice: str) -> None:
    chosen = dict(pair.split("=") for pair in choice.split())
    resolved = built_in().rules("western", options=chosen).options
    assert {name: spelt(resolved[name]) for name in chosen} == chosen
    usual = defaults_of(VARIANTS[0])
    assert all(spelt(usual[name]) != value for name, value in chosen.items())


def test_the_readme_names_several_choices_and_the_usual_lengths() -> None:
    assert len(CHOICES) == 6
    assert {one.match_length for one in VARIANTS} == {5, 7, 30, 31}


def test_the_list_of_the_games_is_complete() -> None:
    page = (ROOT / "docs" / "variants.md").read_text(encoding="utf-8")
    ids = {variant.id for variant in VARIANTS}
    rows = re.findall(r"^\| `([a-z0-9-]+)`(?: \*)? \| (.*) \|$", page, re.MULTILINE)
    rows = [row for row in rows if row[0] in ids]  # the page has other tables too
    assert rows == [(variant.id, variant.summary) for variant in VARIANTS]
