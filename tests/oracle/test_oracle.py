"""The oracle against every answer that is known from elsewhere. Nothing here imports bgcore."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from .examples import from_example, read_play, side, to_example
from .model import OFF, State, rules_of
from .oracle import legal, moved, reason
from .position_id import decode, encode
from .steps import ended

DATA = Path(__file__).resolve().parent.parent / "data"
KNOWN_FILES = sorted(path.stem for path in (DATA / "examples").glob("*.jsonl"))

Example = dict[str, Any]


def lines(path: str) -> list[Example]:
    return [json.loads(line) for line in (DATA / path).read_text(encoding="utf-8").splitlines()]


EXAMPLES = [example for name in KNOWN_FILES for example in lines(f"examples/{name}.jsonl")]
FAULTS = lines("cases/faults.jsonl")
CASES = [case for case in FAULTS if "dice" in case]


def label(example: Example) -> str:
    return str(example["id"])


def result(example: Example, play: str) -> State | None:
    state, _, rules, _ = from_example(example)
    return moved(state, read_play(play), rules)


@pytest.mark.parametrize("example", EXAMPLES + CASES, ids=label)
def test_the_oracle_finds_the_plays_of_an_example(example: Example) -> None:
    used, results = legal(*from_example(example))
    if "dice_used" in example:
        assert used == example["dice_used"]
    if "legal_count" in example:
        assert len(results) == example["legal_count"]
    if "legal" in example:
        assert results == {result(example, play) for play in example["legal"]}
    for play in example.get("legal_includes", []):
        assert result(example, play) in results


@pytest.mark.parametrize("example", EXAMPLES + CASES, ids=label)
def test_the_oracle_gives_the_reason_of_an_example(example: Example) -> None:
    state, numbers, rules, facts = from_example(example)
    plays = example.get("illegal", [])
    assert [reason(state, numbers, read_play(play), rules, facts) for play in plays] == example.get(
        "why", []
    )
    for play in example.get("legal", []) + example.get("legal_includes", []):
        assert reason(state, numbers, read_play(play), rules, facts) is None


@pytest.mark.parametrize("case", [case for case in CASES if "after" in case], ids=label)
def test_a_play_of_a_case_leads_to_the_position_it_names(case: Example) -> None:
    assert [
        to_example(after) if (after := result(case, play)) else None for play in case["after"]
    ] == list(case["after"].values())


@pytest.mark.parametrize("case", [case for case in FAULTS if "contact" in case], ids=label)
def test_sides_that_still_have_to_pass_are_in_contact(case: Example) -> None:
    rules = rules_of(case["variant"])
    mine, theirs = (side(case, name, rules) for name in ("me", "opp"))
    rearmost = max(point for point, _ in mine.free)
    passed = all(25 - point > rearmost for point, _ in theirs.free if point != OFF)
    assert case["contact"] is not passed


@pytest.mark.parametrize(
    "case", [case for case in FAULTS if "position_id" in case and "me" in case], ids=label
)
def test_a_position_id_of_a_case_can_be_read_and_written(case: Example) -> None:
    rules = rules_of(case["variant"])
    state = State(side(case, "me", rules), side(case, "opp", rules))
    assert decode(case["position_id"]) == state
    assert encode(state) == case["position_id"]


@pytest.mark.parametrize(
    "case", [case for case in FAULTS if "position_id" in case and "why" in case], ids=label
)
def test_a_position_id_that_describes_no_position_is_refused(case: Example) -> None:
    with pytest.raises(ValueError, match=case["why"]):
        decode(case["position_id"])


@pytest.mark.parametrize(
    ("variant", "file"),
    [("western", "western"), ("hypergammon", "hyper"), ("nackgammon", "nack")],
)
def test_the_oracle_answers_the_vectors(variant: str, file: str) -> None:
    rules = rules_of(variant)
    for vector in lines(f"vectors/{file}-legal.jsonl"):
        state = decode(vector["id"], rules.checkers)
        assert encode(state) == vector["id"]
        dice = vector["dice"]
        used, results = legal(state, dice * 2 if dice[0] == dice[1] else dice, rules)
        ids = sorted(encode(after) for after in results) or [vector["id"]]
        assert (used, len(ids), ids) == (vector["used"], vector["n"], vector["to"]), vector["id"]


@pytest.mark.parametrize("vector", lines("vectors/position-id-check.jsonl"), ids=label)
def test_position_ids_are_accepted_as_the_vectors_say(vector: Example) -> None:
    if vector["ok"]:
        assert encode(decode(vector["id"])) == vector["id"]
    else:
        with pytest.raises(ValueError, match=r"too many|both"):
            decode(vector["id"])


def test_a_step_after_the_end_of_the_game_is_refused_in_any_order() -> None:
    example = next(one for one in EXAMPLES if one["id"] == "PLK-09")
    state, numbers, rules, _ = from_example(example)
    assert reason(state, numbers, read_play("4/1^ 5/4"), rules) == "GAME_ENDED"
    assert reason(state, numbers, read_play("5/4 4/1^"), rules) is None


def test_leaving_the_start_point_wins_once_the_opposing_mother_is_pinned() -> None:
    """PLK-R1: the game ends with the step, so nothing else is played."""
    state, numbers, rules, _ = from_example(
        {
            "variant": "plakoto",
            "options": {"mother_rule": True},
            "me": {"24": 1, "10": 4, "1": 1},
            "opp": {"13": 5},
            "opp_pinned": [24],
            "dice": [3, 2],
        }
    )
    won = moved(state, [(24, 21)], rules)
    assert won is not None
    assert ended(won, rules)
    assert won in legal(state, numbers, rules)[1]


def test_the_order_of_written_steps_does_not_matter() -> None:
    example = next(one for one in EXAMPLES if one["id"] == "WES-01")
    state, numbers, rules, _ = from_example(example)
    assert reason(state, numbers, read_play("18/13 24/18"), rules) is None
    assert reason(state, numbers, [], rules) == "MUST_USE_MORE_NUMBERS"


def test_an_empty_play_is_right_where_nothing_can_be_played() -> None:
    example = next(one for one in EXAMPLES if one["id"] == "WES-08")
    state, numbers, rules, _ = from_example(example)
    assert reason(state, numbers, [], rules) is None
