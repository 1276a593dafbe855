"""`--variants FOLDER` at every command that takes a variant."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from bgcore import Action, Match, load
from bgcore.notation.record_text import write_record
from bgcore.record import Record
from bgcore.spec_folder import with_folder

from .runner import bgcore

NACK = """\
parent = "western"
title = "Nackgammon at home"
[start]
24 = 2
23 = 2
13 = 4
8 = 3
6 = 4
"""


@pytest.fixture
def folder(tmp_path: Path) -> str:
    (tmp_path / "nack.toml").write_text(NACK)
    (tmp_path / "bad.toml").write_text('parent = "western"\ncontcat = "pin"\ngammon_value = 9\n')
    return str(tmp_path)


def test_variants_lists_them_with_their_files_and_all_that_is_wrong(folder: str) -> None:
    ran = bgcore("variants", "--variants", folder)
    assert ran.status == 0
    name = Path(folder).name
    [line] = [line for line in ran.output.splitlines() if line.startswith("nack ")]
    assert re.match(rf"nack +Nackgammon at home +1\+[0-9a-f]{{8}} +{name}/nack.toml  ", line)
    assert ran.errors.splitlines() == [
        f"plugin {name}/bad.toml is broken:",
        "  spec contcat pin: expected contact, most likely",
        "  spec gammon_value 9: expected a number from 1 to 3",
    ]
    told = json.loads(bgcore("variants", "--json", "--variants", folder).output)
    [nack] = [one for one in told["variants"] if one["id"] == "nack"]
    assert nack["plugin"]["name"] == f"{Path(folder).name}/nack.toml"
    assert nack["rulesVersion"].startswith("1+")
    assert bgcore("variants", "nack", "--variants", folder).output.startswith("nack: Nackgammon")


def test_who_asks_for_a_broken_file_hears_of_that_file_alone(folder: str) -> None:
    (Path(folder) / "worse.toml").write_text('parent = "western"\ndice = 9\n')
    ran = bgcore("variants", "bad", "--variants", folder)
    assert (ran.status, ran.output) == (2, "")
    assert "bad.toml is broken:\n  spec contcat pin: expected contact, most likely\n" in ran.errors
    assert "worse" not in ran.errors
    other = bgcore("check-variant", "bda", "--variants", folder).errors
    assert "bad.toml; " in other
    assert "contcat" not in other
    name = bgcore("check-variant", "bad", "--variants", folder).errors
    assert "contcat pin" in name
    assert "dice 9" not in name


def test_they_are_counted_checked_and_played(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    counted = bgcore("perft", "--variants", folder, "--variant", "nack", "--depth", "1")
    assert counted.status == 0
    assert int(counted.output) > 0
    checked = bgcore("check-variant", "nack", "--games", "1", "--variants", folder)
    assert "all is well" in checked.output
    monkeypatch.setenv("BGCORE_VARIANTS", folder)
    line = json.dumps({"variant": "nack", "board": "24:2 23:2 / 24:2", "dice": [3, 1]})
    assert bgcore("plays", given=line).objects[0]["legal_count"] > 0


def test_strictly_a_broken_file_is_fatal(folder: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BGCORE_STRICT_PLUGINS", "1")
    ran = bgcore("variants", "--variants", folder)
    assert ran.status == 1
    assert "bad.toml: spec contcat pin" in ran.errors


def test_a_folder_that_is_not_there_is_said_so(folder: str) -> None:
    ran = bgcore("variants", "--variants", f"{folder}/nowhere")
    assert ran.status == 1
    assert "nowhere" in ran.errors


def test_a_record_of_them_replays_without_the_folder(folder: str, tmp_path: Path) -> None:
    registry = with_folder(load(), Path(folder))
    match = Match.new(registry.rules("nack")).after(Action.throw(3, 1))
    file = tmp_path / "match.jsonl"
    file.write_text(write_record(Record.of(match), registry))
    assert bgcore("replay", str(file)).status == 0
