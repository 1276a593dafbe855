"""The examples of the documentation run."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    page.relative_to(ROOT).as_posix() for page in (ROOT / "README.md", *ROOT.glob("docs/*.md"))
)


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_of_a_page_run(page: str) -> None:
    failures, _ = doctest.testfile(str(ROOT / page), module_relative=False)
    assert failures == 0


def test_the_readme_has_examples() -> None:
    examples = doctest.DocTestParser().get_examples((ROOT / "README.md").read_text())
    assert len(examples) > 8


LINKED = [*PAGES, "clients/python/README.md"]


@pytest.mark.parametrize("page", LINKED)
def test_the_links_of_a_page_lead_somewhere(page: str) -> None:
    at = (ROOT / page).parent
    for target in re.findall(r"\]\(([^)#]+)\)", (ROOT / page).read_text()):
        assert target.startswith("http") or (at / target).exists(), target


def anchors(text: str) -> set[str]:
    """What a link may name after a #: headings as they are turned into ids, and ids of their own."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    slugs = (re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings)
    return {*slugs, *re.findall(r'<a id="([^"]+)">', text)}


@pytest.mark.parametrize("page", LINKED)
def test_the_places_that_a_link_names_are_there(page: str) -> None:
    at = (ROOT / page).parent
    for target, place in re.findall(r"\]\(([^)#]*\.md|)#([^)]+)\)", (ROOT / page).read_text()):
        there = (at / target if target else ROOT / page).read_text(encoding="utf-8")
        assert place in anchors(there), f"{target}#{place}"
