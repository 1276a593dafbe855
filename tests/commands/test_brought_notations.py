"""Notations of plugins on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.notation import brought
from tests.notation.test_record_text import SMALL

from .runner import Ran, bgcore

START = "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"


@pytest.fixture(autouse=True)
def _brought(monkeypatch: pytest.MonkeyPatch) -> None:
    for command in ("convert", "replay"):
        monkeypatch.setattr(f"bgcore_server.commands.{command}.load", brought.registry)
    monkeypatch.setattr("bgcore.load", brought.registry)


def convert(*arguments: str, given: str = "") -> Ran:
    return bgcore("convert", *arguments, given=given)


def test_a_position_is_written_and_read() -> None:
    ran = convert("--to", "shout", given="4HPwATDgc/ABMA")
    assert (ran.status, ran.output) == (0, f"BOARD! {START}\n")
    for flags in ((), ("--from", "shout")):
        back = convert("--to", "position-id", *flags, given=ran.output)
        assert (back.status, back.output) == (0, "4HPwATDgc/ABMA\n")


def test_a_match_is_written_read_and_replayed(tmp_path: Path) -> None:
    ran = convert("--to", "shouted", given=SMALL)
    assert ran.output.startswith("MATCH!\n")
    for flags in ((), ("--from", "shouted")):
        back = convert("--to", "record", *flags, given=ran.output)
        assert back.output.splitlines()[-1] == SMALL.splitlines()[-1]
    file = tmp_path / "a.shouted"
    file.write_text(ran.output)
    assert bgcore("replay", str(file)).status == 0
    into = convert("--to", "shouted", "--output-folder", str(tmp_path / "out"), str(file))
    assert into.status == 0
    assert (tmp_path / "out" / "a.shouted").read_text() == ran.output


@pytest.mark.parametrize("name", ["hoarse", "mumble", "hoarse-match", "mumble-match"])
@pytest.mark.parametrize("flag", ["--to", "--from"])
def test_one_that_fails_is_told_in_a_line(name: str, flag: str) -> None:
    other = "--to" if flag == "--from" else "--from"
    of_match = name.endswith("match")
    theirs = f"MATCH!\n{SMALL}" if of_match else f"BOARD! {START}"
    given = theirs if flag == "--from" else SMALL if of_match else START
    ran = convert(flag, name, other, "record" if of_match else "text", given=given)
    assert ran.status == 1
    assert f"PLUGIN_FAILED: notation {name}" in ran.errors
    assert "Traceback" not in ran.errors


def test_one_that_is_not_there_is_a_usage_error_that_lists_them() -> None:
    ran = convert("--to", "whisper", given=START)
    assert ran.status == 2
    assert "--to: format whisper: expected one of record" in ran.errors
    assert "shout" in ran.errors
    ran = convert("--from", "svg", "--to", "text", given=START)
    assert ran.status == 2
    assert "only written" in ran.errors


def test_they_are_listed_with_where_they_come_from() -> None:
    output = bgcore("variants").output
    assert "notation shout: a board, shouted (positions; from bgcore-shouting 1.2)" in output
    assert "notation shouted: a match, shouted (matches; from bgcore-shouting 1.2)" in output
    assert "notation xgid" not in output
