"""The plugin of docs/variants.md is what the page says."""

from __future__ import annotations

import inspect
import json
import os
import re
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bgcore import IllegalAction, Roll, Rules, Setup, SideSetup, load
from bgcore.crossing import OWED
from tests.docs.pages import blocks
from tests.docs.test_examples import ROOT
from tests.packages import install

FILES = {block.file: block.text for block in blocks(ROOT / "docs" / "variants.md")}


def test_the_plugin_of_the_page_is_a_variant(tmp_path: Path) -> None:
    described = tomllib.loads(FILES["pyproject.toml"])
    assert described["project"]["entry-points"]["bgcore"] == {"deep-game": "my_deep_game"}
    install(tmp_path, "my-deep-game", FILES["my_deep_game.py"], "1", "deep-game")
    variables = {**os.environ, "PYTHONPATH": str(tmp_path), "BGCORE_CACHE": str(tmp_path / "c")}
    code = (
        "from bgcore import load\n"
        "from bgcore.testing import check_variant\n"
        "check_variant('deep-game', games=1)\n"
        "print(load().entry('deep-game').plugin.name)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=variables, check=False
    )
    assert (ran.returncode, ran.stdout) == (0, "deep-game\n"), ran.stderr
    (tmp_path / "test_my_deep_game.py").write_text(FILES["test_my_deep_game.py"])
    asked = {"me": {"6": 1}, "opp": {"6": 1}, "dice": [6, 5], "legal_count": 1}
    (tmp_path / "examples.json").write_text(json.dumps([asked]))
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."]
    ran = subprocess.run(
        command, capture_output=True, text=True, env=variables, cwd=tmp_path, check=False
    )
    assert ran.returncode == 0, ran.stdout


def test_the_step_that_the_page_forbids_is_refused_for_its_reason() -> None:
    shown: dict[str, Any] = {}
    exec(compile(FILES["last_man.py"], "last_man.py", "exec"), shown)
    rules: Rules = shown["LastManRules"](replace(load().variant("western"), id="my-game"))
    waits = rules.position(Setup(SideSetup({24: 1, 13: 2}), SideSetup({2: 2})))
    with pytest.raises(IllegalAction) as refused:
        rules.plays(waits, Roll.of(3, 2)).find("24/21 13/11")
    assert refused.value.reason == "MY_GAME_LAST_MAN"
    home = rules.position(Setup(SideSetup({24: 1, 6: 2}), SideSetup({2: 2})))
    assert rules.plays(home, Roll.of(3, 2)).find("24/21 6/4")


def test_the_point_that_the_page_closes_stays_closed_where_nothing_else_can_be_played() -> None:
    shown: dict[str, Any] = {}
    exec(compile(FILES["strict_peace.py"], "strict_peace.py", "exec"), shown)
    rules: Rules = shown["StrictPeaceRules"](replace(load().variant("western"), id="my-game"))
    blot = rules.position(Setup(SideSetup({8: 1}), SideSetup({21: 1, 19: 2})))
    plays = rules.plays(blot, Roll.of(4, 2))
    assert plays.nothing_playable
    with pytest.raises(IllegalAction) as refused:
        plays.find("8/4*/2")
    assert refused.value.reason == "MY_GAME_PEACE"


def test_the_tests_that_the_page_shows_hold() -> None:
    shown: dict[str, Any] = {}
    exec(compile(FILES["test_ends.py"], "test_ends.py", "exec"), shown)
    tests = [held for name, held in shown.items() if name.startswith("test_")]
    assert len(tests) == 3
    for held in tests:
        held()


def test_the_page_has_every_method_that_is_looked_at_where_it_comes_into_the_engine() -> None:
    page = (ROOT / "docs" / "variants.md").read_text(encoding="utf-8")
    table = page.partition("### The doors\n")[2].partition("\n## ")[0]
    doors = re.findall(r"^\| `(\w+)\(", table, re.MULTILINE)
    assert {*doors} - {"board", "caught", "most"} <= {*OWED}
    assert all(callable(getattr(Rules, name)) for name in doors)
    seldom = {"steps", "plays", "plays_of", "position", "proved", "after", "after_step"}
    assert {*OWED} - seldom <= {*doors, "level", "possible_levels", "left"}


def test_the_doors_with_their_types_are_those_of_the_table_and_what_they_are_without_a_game() -> (
    None
):
    shown: dict[str, Any] = {}
    exec(compile(FILES["every_door.py"], "every_door.py", "exec"), shown)
    kind: type[Rules] = shown["EveryDoor"]
    page = (ROOT / "docs" / "variants.md").read_text(encoding="utf-8")
    table = page.partition("### The doors\n")[2].partition("\n## ")[0]
    doors = re.findall(r"^\| `(\w+)\(", table, re.MULTILINE)
    assert [name for name in vars(kind) if not name.startswith("_")] == doors
    for name in doors:
        own, engines = (
            inspect.signature(getattr(one, name), eval_str=False) for one in (kind, Rules)
        )
        assert [*own.parameters] == [*engines.parameters], name
    western = load().variant("western")
    mine, plain = kind(western), Rules(western)
    assert (
        mine.plays(mine.start, Roll.of(3, 1)).codes == plain.plays(plain.start, Roll.of(3, 1)).codes
    )


def test_no_example_stands_outside_a_block() -> None:
    page = (ROOT / "docs" / "variants.md").read_text(encoding="utf-8")
    outside = re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)
    assert ">>>" not in outside
