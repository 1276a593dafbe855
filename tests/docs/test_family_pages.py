"""docs/family is what the variants say, small enough, and every link in it leads somewhere."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from bgcore import load
from tests.docs.test_examples import ROOT, anchors
from tools.generate_family import FOLDER, difference, every_example, family

LARGEST = 1_500_000
PAGES = sorted(path.name for path in FOLDER.glob("*.md"))


def test_the_folder_is_up_to_date() -> None:
    assert difference(family()) == [], "run: make family"


def test_the_tool_says_so_too() -> None:
    command = [sys.executable, "tools/generate_family.py", "--check"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "")


def test_it_is_not_too_large() -> None:
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < LARGEST


def test_every_game_has_a_page_that_the_index_lists_and_every_example_is_on_one() -> None:
    ids = [entry.variant.id for entry in load(["none"])]
    index = (FOLDER / "index.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| \[[^]]+\]\(([a-z0-9-]+)\.md\)", index, re.MULTILINE) == ids
    assert {*PAGES} == {"index.md", *(f"{name}.md" for name in ids)}
    titles = {
        title
        for page in PAGES
        for title in re.findall(r"^### ([A-Z0-9]+-\d+)$", (FOLDER / page).read_text(), re.MULTILINE)
    }
    assert titles == {example["id"] for example in every_example()}


@pytest.mark.parametrize("page", PAGES)
def test_the_links_of_a_page_lead_somewhere(page: str) -> None:
    text = (FOLDER / page).read_text(encoding="utf-8")
    for target, place in set(re.findall(r"\]\(([^)#]*)#?([^)]*)\)", text)):
        there = FOLDER / (target or page)
        assert there.is_file(), target
        if place:
            assert place in anchors(there.read_text(encoding="utf-8")), f"{target}#{place}"
