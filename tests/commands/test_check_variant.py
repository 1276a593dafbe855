from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from . import faulty
from .runner import bgcore

EXAMPLE = {
    "id": "one",
    "me": {"20": 1},
    "me_off": 14,
    "opp": {"14": 2},
    "opp_off": 13,
    "dice": [6, 3],
    "dice_used": 1,
    "legal": ["20/14"],
}


def timeless(output: str) -> str:
    return re.sub(r"[\d.]+ µs", "", output)


def test_a_variant_that_holds_is_told_with_what_was_checked() -> None:
    ran = bgcore("check-variant", "tavla", "--games", "2")
    assert (ran.status, ran.errors) == (0, "")
    first, *checks = ran.output.splitlines()
    assert re.fullmatch(r"tavla: 2 games, \d+ positions, \d+ plays, [\d.]+ µs a position", first)
    assert "  ok      checkers are conserved" in checks
    assert "FAILED" not in ran.output
    assert checks[-1] == "tavla: all is well"
    again = bgcore("check-variant", "tavla", "--games", "2")
    other = bgcore("check-variant", "tavla", "--games", "2", "--seed", "2")
    assert timeless(again.output) == timeless(ran.output) != timeless(other.output)


@pytest.mark.parametrize(
    "arguments",
    [
        *(("nope",), (), ("tavla", "--games", "0"), ("tavla", "x")),
        *(("tavla", "--option", "wings=2"), ("tavla", "--preset", "x")),
        ("tavla", "--examples", "no-such-file"),
        ("tavla", "--examples", __file__, "--games", "1"),
    ],
)
def test_wrong_usage_is_status_2(arguments: tuple[str, ...]) -> None:
    ran = bgcore("check-variant", *arguments)
    assert (ran.status, ran.output) == (2, "")
    assert "Error" in ran.errors


def test_a_variant_that_cannot_be_made_is_a_message_and_status_1(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("bgcore.load", faulty.registry)
    ran = bgcore("check-variant", "unmade")
    assert (ran.status, ran.output) == (1, "")
    assert re.fullmatch(
        r"Error: PLUGIN_FAILED: \S+FailsLater.__init__ raised LookupError: no such thing \(faulty.py:\d+\)\n",
        ran.errors,
    )


def test_what_does_not_hold_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bgcore.load", faulty.registry)
    ran = bgcore("check-variant", "faulty")
    assert ran.status == 1
    told = r"  FAILED  every game ends\n +\S+FailsAtWork.outcome raised LookupError: no such thing \(faulty.py:\d+\)\n"
    assert re.search(told, ran.output)
    assert re.fullmatch(r"Error: faulty: \d of \d+ checks failed\n", ran.errors)
    # Where there was no position to look at, nothing is called well.
    assert "  not run checkers are conserved\n" in ran.output
    well = [line for line in ran.output.splitlines() if line.startswith("  ok  ")]
    assert well == ["  ok      what the rules bring is asked"]
    shown = bgcore("check-variant", "faulty", "--traceback").errors
    assert "Traceback (most recent call last)" in shown
    assert 'raise LookupError("no such thing")' in shown


@pytest.mark.parametrize(
    ("example", "says"),
    [
        ({"board": "20:1 off:14 / 14:2 off:13", "dice": [6, 3], "legal": ["20/14"]}, ""),
        ({"board": "3:1 off:14 / 24:1 off:14", "numbers": [1, 1, 1, 1], "dice_used": 3}, ""),
        ({"board": "3:1 off:14 / 24:1 off:14", "dice": [1], "legal": ["3/2"]}, ""),
        ({**EXAMPLE, "leagl": []}, "leagl: expected legal, most likely"),
    ],
)
def test_an_example_is_a_board_and_a_roll_or_the_numbers_of_a_later_part(
    example: dict[str, object], says: str, tmp_path: Path
) -> None:
    file = tmp_path / "examples.json"
    file.write_text(json.dumps([example]))
    ran = bgcore("check-variant", "western", "--games", "1", "--examples", str(file))
    assert says in ran.output if says else ran.status == 0, ran.output


@pytest.mark.parametrize("text", ["", "[]"])
def test_a_file_that_has_no_examples_is_wrong_usage(text: str, tmp_path: Path) -> None:
    file = tmp_path / "examples.json"
    file.write_text(text)
    ran = bgcore("check-variant", "western", "--games", "1", "--examples", str(file))
    assert ran.status == 2
    assert f"Error: --examples {file}: expected at least one example\n" in ran.errors
    page = ("--page", str(tmp_path / "pages"), "--examples", str(file))
    ran = bgcore("variants", "western", *page)
    assert (ran.status, "expected at least one example" in ran.errors) == (2, True)


def test_examples_that_are_nested_too_deep_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "examples.json"
    file.write_text("[" * 100_000, encoding="utf-8")
    ran = bgcore("check-variant", "western", "--games", "1", "--examples", str(file))
    assert ran.status == 2
    assert "not nested so deep" in ran.errors


def test_worked_examples_are_checked_under_their_options(tmp_path: Path) -> None:
    file = tmp_path / "examples.json"
    file.write_text(json.dumps([EXAMPLE]))
    ran = bgcore("check-variant", "western", "--games", "1", "--examples", str(file))
    assert (ran.status, ran.errors) == (0, "")
    assert ", 1 examples, " in ran.output
    free = ("--option", "higher_die_rule=false")
    ran = bgcore("check-variant", "western", "--games", "1", "--examples", str(file), *free)
    assert ran.status == 1
    assert "20/17: legal, and not in the list\n            at example one" in ran.output
