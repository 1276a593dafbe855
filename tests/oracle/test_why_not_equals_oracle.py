"""The engine gives the oracle's reason against plays written at random, legal ones and not."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any

import pytest

from bgcore import Step, load
from bgcore.notation.board_json import read_board_json, read_turn_json
from bgcore.rules import Rules
from tests.axes.made import made

from .compare import unpacked
from .examples import Question, from_example
from .oracle import legal, reason
from .random_positions import STARTS, random_examples

POSITIONS = int(os.environ.get("BGCORE_ORACLE_N", "2000")) // 4
PLAYS = 6
OFF = 0


def rules_for(variant: str, example: dict[str, Any]) -> Rules:
    """The engine's rules of a question, also under options that the variant does not offer."""
    return made(variant, **example.get("options", {}))


def written_at_random(question: Question, rng: Random) -> list[Step]:
    """Steps by the numbers of the roll, mostly from where checkers stand, mostly not legal."""
    numbers = list(question.numbers)
    rng.shuffle(numbers)
    places = [place for place, _ in question.state.me.free] or [6]
    steps: list[Step] = []
    for number in numbers[: rng.randint(0, len(numbers))]:
        stand = [*places, *(step.target for step in steps if step.target)]
        origin = rng.choice(stand) if rng.random() < 0.95 else rng.randint(1, 25)
        steps.append(Step.of(origin, number))
    return steps


def ours(rules: Rules, example: dict[str, Any], steps: list[Step]) -> str | None:
    position = rules.position(read_board_json(example))
    numbers = tuple(from_example(example).numbers)
    turn = read_turn_json(example.get("turn"))
    refusal = rules.why_not(position, numbers, steps, turn)
    return refusal.reason if refusal else None


@pytest.mark.parametrize("variant", STARTS)
def test_the_engine_refuses_a_play_for_the_oracles_reason(variant: str) -> None:
    rng = Random(5)
    refused = 0
    for example in islice(random_examples(variant, seed=5), POSITIONS):
        question = from_example(example)
        rules = rules_for(variant, example)
        for _ in range(PLAYS):
            steps = written_at_random(question, rng)
            # The oracle reads points, so a bear-off is by the number that C7 gives it.
            if any(step.target == OFF and step.number != step.origin for step in steps):
                continue
            moves = [(step.origin, step.target) for step in steps]
            expected = reason(
                question.state, question.numbers, moves, question.rules, question.facts
            )
            assert ours(rules, example, steps) == expected, (example, moves)
            refused += expected is not None
    assert refused > POSITIONS


def test_the_wall_must_be_opened_where_the_oracle_says_so() -> None:
    """Fevga's duty, which is no rule of the kernel's: the engine with its filter, and the oracle's."""
    opened = 0
    for example in islice(random_examples("fevga", seed=6), POSITIONS):
        state, numbers, rules, facts = from_example(example)
        ours = rules_for("fevga", example)
        plays = ours.plays_of(ours.position(read_board_json(example)), numbers)
        used, results = legal(state, numbers, rules, facts)
        found = {unpacked(after.packed) for after in plays.positions()}
        assert plays.numbers_used == used
        assert found == (results or {state}), example
        without = legal(state, numbers, replace(rules, unblock_duty=False))[1]
        opened += len(without) > len(results)
    assert opened > POSITIONS // 100


def test_a_win_by_the_mother_counts_as_every_number() -> None:
    """R6: a one-step win is worth more than another one-step play."""
    example = {
        "me": {"3": 1},
        "me_off": 14,
        "opp": {
            "24": 1, "23": 1, "21": 1, "20": 1, "17": 1, "16": 2, "15": 1, "11": 1, "6": 1, "5": 1,
        },
        "opp_pinned": [22],
        "opp_off": 3,
        "dice": [4, 2],
        "options": {"mother_rule": True},
        "variant": "plakoto",
    }  # fmt: skip
    rules = load().rules("plakoto", options={"mother_rule": True})
    assert ours(rules, example, [Step.of(3, 4)]) == "MUST_USE_MORE_NUMBERS"
    assert ours(rules, example, [Step.of(3, 2)]) is None


def test_a_play_is_judged_by_where_it_leads() -> None:
    """C7: 6/1 1/off leads where 6/4 4/off does, though a checker on 6 stands above the 1."""
    example = {
        "me": {"6": 1, "2": 1},
        "me_off": 13,
        "opp": {"14": 5, "9": 4, "2": 6},
        "opp_off": 0,
        "dice": [5, 2],
        "variant": "western",
    }
    assert ours(load().rules("western"), example, [Step.of(6, 5), Step.of(1, 2)]) is None
