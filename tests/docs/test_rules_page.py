"""Every rule that a message can name stands on docs/rules.md."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path

import pytest

from bgcore import load
from bgcore.action import RULE_OF
from bgcore.refusal import SENTENCES
from bgcore.resolve import options_of

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
RULE = re.compile(r"[CRGMT][0-9]{1,2}")
FOLDERS = ("bgcore", "variants", "server", "clients/python")
HEADINGS = re.findall(r"^### (.*)$", PAGE, re.MULTILINE)


def named_in_code() -> dict[str, str]:
    """Every text of the code that is the number of a rule and nothing else, with a place where it stands."""
    return {
        node.value: f"{path.relative_to(ROOT)}:{node.lineno}"
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and RULE.fullmatch(node.value)
    }


def named_in_data() -> set[str]:
    """The rules of refused plays, of actions that come at the wrong moment, and of options."""
    options = (options_of(entry.variant).values() for entry in load())
    return {
        *(rule for _, _, rule in SENTENCES.values()),
        *RULE_OF.values(),
        *(option.rule for known in options for option in known),
    }


def test_every_rule_that_the_code_can_name_is_on_the_page() -> None:
    missing = {rule: at for rule, at in named_in_code().items() if rule not in HEADINGS}
    assert missing == {}
    assert named_in_data() <= {*HEADINGS}


def test_the_search_of_the_code_finds_what_the_data_names() -> None:
    # What is handed on by name is found as well.
    assert named_in_data() <= {*named_in_code()}
    assert {"C4", "R3", "M2", "G1"} <= {*named_in_code()}


def test_every_heading_is_one_rule_once_and_says_something() -> None:
    assert all(RULE.fullmatch(heading) for heading in HEADINGS)
    assert [rule for rule, count in Counter(HEADINGS).items() if count > 1] == []
    for text in re.split(r"^##+ .*$", PAGE, flags=re.MULTILINE)[1:]:
        assert not text.strip() or text.strip().startswith("**")


@pytest.mark.parametrize(
    "page",
    sorted(path.relative_to(ROOT).as_posix() for path in ROOT.glob("docs/*.md")),
)
def test_every_rule_that_a_page_names_is_there(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    # Not the ids of sentences and examples, such as GUL-R3, nor GM[6].
    found = re.findall(rf"(?<![\w-])({RULE.pattern})(?![\w-])", text)
    assert {*found} <= {*HEADINGS}
