"""A page is whole: what it links to is there, what it shows holds, and nobody's words break it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from bgcore import Spec, load
from bgcore.catalogue import switch
from bgcore.examples import Example
from bgcore.page.origin import origin_of
from bgcore.page.page import Page
from bgcore.page.worked import ExampleError, worked
from bgcore.plugin import Plugin
from bgcore.registry import Registry

CLOSED: Example = {
    "id": "closed",
    "note": "24/19 is closed.",
    "me": {"24": 2, "13": 5, "8": 3, "6": 5},
    "opp": {"24": 2, "13": 5, "8": 3, "6": 5},
    "dice": [6, 5],
    "legal_count": 7,
    "legal_includes": ["24/13"],
    "illegal": ["24/19", ""],
    "why": ["POINT_CLOSED", "MUST_USE_MORE_NUMBERS"],
}
SHUT_OUT: Example = {
    "me": {"6": 2},
    "me_bar": 1,
    "me_off": 12,
    "opp": {str(point): 2 for point in range(1, 7)},
    "dice": [6, 5],
    "legal": [],
}
FIRST: Example = {
    "variant": "long_nardy",
    "turn": {"own_roll": 1},
    "options": {"head_first_turn": "none"},
    "me": {"24": 15},
    "opp": {"24": 15},
    "dice": [6, 6],
    "legal": ["24/18"],
}


PART: Example = {"board": "3:1 off:14 / 24:1 off:14", "numbers": [1, 1, 1, 1], "dice_used": 3}


def page(*examples: Example, id: str = "western", registry: Registry | None = None) -> Page:
    return Page(registry or load(), id, Path.cwd(), examples)


def text(*examples: Example, id: str = "western") -> str:
    one = page(*examples, id=id)
    return one.files()[one.name]


@pytest.mark.parametrize("entry", [*load()], ids=lambda entry: entry.variant.id)
def test_a_page_shows_every_picture_and_every_option(entry: Any) -> None:
    files = page(id=entry.variant.id).files()
    written = files.pop(f"{entry.variant.id}.md")
    assert set(re.findall(r"!\[[^]]*\]\(([^)]*)\)", written)) == files.keys()
    for picture in files.values():
        ElementTree.fromstring(picture)
    rules = load().rules(entry.variant.id)
    assert all(f"| `{name}` |" in written for name in rules.options)
    assert all(f"| `{name}` |" in written for name in load().presets_of(entry.variant))


def test_an_example_is_shown_with_what_is_legal_and_why_something_is_not() -> None:
    written = text(CLOSED)
    _, _, shown = written.partition("### closed\n")
    assert "24/19 is closed.\n" in shown
    assert "6-5: 7 plays, " not in shown  # so few are listed
    assert "6-5: the 7 plays are `24/13`, " in shown
    assert "* not `24/19`: 24/19: 19 is closed by the opponent, expected an open point" in shown
    assert "* not a pass: " in shown


def test_an_example_without_a_play_says_so() -> None:
    assert "### Example 1\n" in text(SHUT_OUT)
    assert "6-5: nothing can be played." in text(SHUT_OUT)


def test_what_is_not_as_usual_in_an_example_is_said() -> None:
    written = text(FIRST, id="long-nardy")
    assert "With head_first_turn none, your roll number 1 of the game." in written
    assert "6-6: the only play is `24/18`." in written


def test_examples_of_one_position_share_a_picture() -> None:
    files = page(CLOSED, {**CLOSED, "id": "again"}).files()
    assert [name for name in files if "example" in name] == ["western-example-1.svg"]


def test_an_example_of_another_variant_is_left_out() -> None:
    assert "## Examples" not in text(FIRST)
    assert "## Examples" not in text({**FIRST, "variant": 7})


@pytest.mark.parametrize(
    ("wrong", "what"),
    [
        ({"legal_count": 8}, "legal_count is 7: expected 8"),
        ({"illegal": ["24/13"], "why": []}, "24/13 is legal: expected to be refused"),
        ({"options": {"weather": True}}, "option weather"),
        ({"dice": [7, 1]}, "die 7: expected 1 to 6"),
        ({"me": 5}, "me 5"),
        ({"turn": 4}, "turn"),
        ({"options": 5}, "example closed does not hold"),
    ],
)
def test_what_does_not_hold_is_not_shown(wrong: dict[str, Any], what: str) -> None:
    with pytest.raises(ExampleError, match="example closed does not hold: ") as refused:
        page({**CLOSED, **wrong}).files()
    assert what in str(refused.value)


def test_many_plays_are_not_all_listed() -> None:
    start = {"24": 2, "13": 5, "8": 3, "6": 5}
    many: Example = {"me": start, "opp": start, "dice": [3, 1], "legal_count": 16}
    rules = load().rules("western")
    [named] = worked([{**many, "legal_includes": ["8/5 6/5"]}], rules.variant, lambda *_: rules)
    assert named.legal == ["8/5 6/5"]
    [unnamed] = worked([many], rules.variant, lambda *_: rules)
    assert len(unnamed.legal) == 6


def test_nobodys_words_break_the_page() -> None:
    registry = load().using(Plugin("mine"))
    nasty = "a | b <script> [x](y) & more"
    registry.add(
        replace(registry.variant("western"), id="nasty", aliases=(), title=nasty, summary=nasty)
    )
    one = page(id="nasty", registry=registry)
    files = one.files()
    assert "<script>" not in files[one.name]
    assert files[one.name].startswith("# a \\| b &lt;script&gt; \\[x\\](y) &amp; more\n")
    for name in ("nasty-start.svg", "nasty-track.svg"):
        ElementTree.fromstring(files[name])


def test_an_option_of_a_games_own_links_to_no_rule() -> None:
    registry = load().using(Plugin("mine"))
    own = (switch("peace", "nobody hits at home"),)
    registry.add(replace(registry.variant("western"), id="ours", aliases=(), own_options=own))
    one = replace(page(id="ours", registry=registry), rules_page="rules.md")
    assert "| `peace` | true, false | false | nobody hits at home |  |\n" in one.files()[one.name]


def test_house_rules_have_a_page_which_says_what_they_are_made_of(tmp_path: Path) -> None:
    spec = Spec.of({"parent": "western", "id": "ours", "bear_off": "exact"})
    registry = load().with_spec(spec, Plugin("house/ours.toml"))
    written = page(id="ours", registry=registry).files()["ours.md"]
    assert '"bear_off": "exact"' in written
    assert "A larger one bears nothing off." in written
    assert "written in" not in written
    file = tmp_path / "ours.toml"
    file.write_text('parent = "western"\nbear_off = "exact"\n')
    written = replace(page(id="ours", registry=registry), folder=tmp_path, file=file).files()[
        "ours.md"
    ]
    assert "| written in | [ours.toml](ours.toml), 2 lines |" in written


@pytest.mark.parametrize("entry", [*load(["none"])], ids=lambda entry: entry.variant.id)
def test_a_variant_is_found_in_the_file_that_defines_it(entry: Any) -> None:
    origin = origin_of(entry)
    assert origin is not None
    assert f'id="{entry.variant.id}"' in origin.file.read_text(encoding="utf-8")
    assert origin.name == f"bgcore_variants/{origin.file.name}"


def test_a_variant_that_no_module_defines_has_no_origin() -> None:
    registry = load().using(Plugin("mine"))
    registry.add(replace(registry.variant("western"), id="made-up", aliases=()))
    assert origin_of(registry.entry("made-up")) is None
    assert "written in" not in page(id="made-up", registry=registry).files()["made-up.md"]


def test_an_example_may_be_about_the_numbers_of_one_part() -> None:
    told = text({**PART, "turn": None, "id": "the second part"})
    assert "### the second part\n" in told
    assert (
        "1-1-1-1: the only play is `3/2 2/1 1/off`" in told or "1-1-1-1: the only play is" in told
    )
