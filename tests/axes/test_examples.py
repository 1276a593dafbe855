"""Every worked example of the rule files, and ours: plays, texts, reasons, and step by step."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bgcore import IllegalAction, Plays
from bgcore.notation.board_json import read_board_json, read_turn_json
from bgcore.testing.search import legal_results

from .made import made

FOLDER = Path(__file__).parents[1] / "data" / "examples"
EXAMPLES_OF_OURS = FOLDER / "ours.jsonl"
EXAMPLES = [
    example
    for path in sorted(FOLDER.glob("*.jsonl"))
    for example in map(json.loads, path.read_text(encoding="utf-8").splitlines())
]
EVERY_EXAMPLE = pytest.mark.parametrize("example", EXAMPLES, ids=lambda one: str(one["id"]))


def plays_of(example: dict[str, Any]) -> Plays:
    rules = made(example["variant"], **example.get("options", {}))
    dice = example["dice"]
    numbers = [dice[0]] * 4 if len(dice) == 2 and dice[0] == dice[1] else dice
    turn = read_turn_json(example.get("turn"))
    return rules.plays_of(rules.position(read_board_json(example)), numbers, turn)


def test_there_are_as_many_as_the_rule_files_have_and_ours() -> None:
    ours = EXAMPLES_OF_OURS.read_text(encoding="utf-8").splitlines()
    assert (len(EXAMPLES) - len(ours), len(ours)) == (132, 15)


@EVERY_EXAMPLE
def test_the_plays_of_an_example_are_the_legal_ones(example: dict[str, Any]) -> None:
    plays = plays_of(example)
    count = 0 if plays.nothing_playable else len(plays)
    assert (plays.numbers_used, count) == (example["dice_used"], example["legal_count"])
    found = [plays.find(text) for text in example.get("legal", example.get("legal_includes", []))]
    assert len(set(found)) == len(found)
    assert "legal" not in example or len(found) == count
    assert len(set(plays.positions())) == len(plays)


@EVERY_EXAMPLE
def test_an_illegal_play_of_an_example_is_refused_for_its_reason(example: dict[str, Any]) -> None:
    plays = plays_of(example)
    for text, why in zip(example.get("illegal", []), example.get("why", []), strict=True):
        with pytest.raises(IllegalAction) as refused:
            plays.find(text)
        assert refused.value.faults[0].reason == why


@EVERY_EXAMPLE
def test_a_play_of_an_example_is_made_of_steps_that_may_follow(example: dict[str, Any]) -> None:
    plays = plays_of(example)
    for play in plays[:6]:
        progress = plays.progress()
        for step in play.steps:
            assert step in progress.next_steps
            progress = progress.after(step)
        assert progress.may_end


@EVERY_EXAMPLE
def test_a_plain_search_over_steps_finds_the_plays_of_an_example(example: dict[str, Any]) -> None:
    plays = plays_of(example)
    numbers = tuple(plays.numbers)
    found = legal_results(plays.rules, plays.start, numbers, plays.turn)
    if example["variant"] != "fevga":
        assert found == set(plays.positions())
    else:  # the search knows no filter
        assert found >= set(plays.positions())
