"""`bgcore variants ID --page FOLDER` writes the page of any variant."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from . import faulty
from .runner import bgcore

EXAMPLES = Path(__file__).parents[1] / "data" / "examples"


def test_a_page_and_its_pictures_are_written(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "pages"
    ran = bgcore("variants", "Gul_Bara", "--page", str(folder))
    assert (ran.status, ran.output) == (0, f"{folder}/gul-bara.md, and 2 pictures\n")
    names = {path.name for path in folder.iterdir()}
    assert names == {"gul-bara.md", "gul-bara-start.svg", "gul-bara-track.svg"}


def test_examples_come_with_it_and_those_of_other_variants_do_not(tmp_path: Path) -> None:
    examples = EXAMPLES / "hyper_nack_long.jsonl"
    ran = bgcore("variants", "nackgammon", "--page", str(tmp_path), "--examples", str(examples))
    assert ran.output == f"{tmp_path}/nackgammon.md, and 4 pictures\n"
    assert "### NCK-02" in (tmp_path / "nackgammon.md").read_text(encoding="utf-8")


def test_house_rules_have_a_page(tmp_path: Path) -> None:
    house = tmp_path / "house"
    house.mkdir()
    (house / "exactly.toml").write_text('parent = "western"\nbear_off = "exact"\n')
    pages = str(tmp_path / "pages")
    ran = bgcore("variants", "exactly", "--variants", str(house), "--page", pages)
    assert ran.status == 0
    written = (tmp_path / "pages" / "exactly.md").read_text(encoding="utf-8")
    assert "[exactly.toml](../house/exactly.toml), 2 lines" in written
    assert "A larger one bears nothing off." in written


def test_nothing_is_overwritten_unless_that_is_wanted(tmp_path: Path) -> None:
    (tmp_path / "tavla-track.svg").write_text("mine")
    ran = bgcore("variants", "tavla", "--page", str(tmp_path))
    assert (ran.status, ran.output) == (1, "")
    assert "tavla-track.svg exists already; --overwrite replaces it" in ran.errors
    assert [path.name for path in tmp_path.iterdir()] == ["tavla-track.svg"]
    assert bgcore("variants", "tavla", "--page", str(tmp_path), "--overwrite").status == 0
    assert (tmp_path / "tavla-track.svg").read_text() != "mine"


def test_a_folder_that_is_none_is_a_message(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    for place in (file, file / "below", Path("/proc/nowhere")):
        ran = bgcore("variants", "tavla", "--page", str(place))
        assert (ran.status, ran.output) == (1, "")
        assert f"Error: --page {place}: " in ran.errors


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["chess", "--page", "x"], "variant chess: expected one of western"),
        (["--page", "x"], "--page: expected an ID, and no --json"),
        (["tavla", "--page", "x", "--json"], "--page: expected an ID, and no --json"),
        (["tavla", "--examples", __file__], "expected with --page"),
        (["tavla", "--overwrite"], "expected with --page"),
        (["tavla", "--page", "x", "--examples", __file__], f"--examples {__file__}: "),
        (["tavla", "--page", "x", "--examples", "nothing"], "'nothing' does not exist"),
    ],
)
def test_wrong_usage_says_what_was_expected(
    arguments: list[str], what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = bgcore("variants", *arguments)
    assert (ran.status, ran.output) == (2, "")
    assert what in ran.errors
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (json.dumps([{"id": "one", "me": {"6": 2}}]), "example one does not hold: "),
        ("[" * 100_000, "--examples "),
        ("[1]", "example 1: expected an object"),
        ('{"id": "one"}\n{', "--examples "),
        ("\udcff", "--examples "),
    ],
)
def test_examples_that_are_none_are_a_message(text: str, what: str, tmp_path: Path) -> None:
    file = tmp_path / "examples.json"
    file.write_text(text, encoding="utf-8", errors="surrogateescape")
    ran = bgcore("variants", "tavla", "--page", str(tmp_path), "--examples", str(file))
    assert (ran.status, ran.output) == (2, "")
    assert what in ran.errors


def test_a_variant_whose_code_fails_is_a_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bgcore.load", faulty.registry)
    ran = bgcore("variants", "unmade", "--page", str(tmp_path))
    assert (ran.status, ran.output) == (1, "")
    assert "PLUGIN_FAILED: " in ran.errors
    assert "LookupError: no such thing" in ran.errors
