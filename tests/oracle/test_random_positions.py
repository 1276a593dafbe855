"""Random questions are proper ones: only then does a comparison on them mean anything."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from .examples import from_example, to_example
from .random_positions import BOARD, STARTS, random_examples
from .steps import ended

EVERY_VARIANT = pytest.mark.parametrize("variant", STARTS)


def first(variant: str, seed: int, n: int = 500) -> list[dict[str, Any]]:
    return list(itertools.islice(random_examples(variant, seed), n))


@EVERY_VARIANT
def test_a_seed_always_gives_the_same_questions(variant: str) -> None:
    assert first(variant, 1) == first(variant, 1) != first(variant, 2)


@EVERY_VARIANT
def test_a_question_survives_json_both_ways(variant: str) -> None:
    for example in first(variant, 3):
        state, *_ = from_example(json.loads(json.dumps(example)))
        assert to_example(state).items() <= example.items()


@EVERY_VARIANT
def test_nobody_has_won_yet(variant: str) -> None:
    for example in first(variant, 4):
        state, _, rules, _ = from_example(example)
        assert not ended(state, rules)


@EVERY_VARIANT
def test_a_point_is_held_by_one_side_and_a_pinned_checker_lies_under_it(variant: str) -> None:
    for example in first(variant, 5):
        state, _, rules, _ = from_example(example)
        for one, other in (state, state.flipped()):
            theirs = {rules.across(point) for point in other.counts if point in BOARD}
            assert theirs.isdisjoint(one.counts)
            assert theirs.issuperset(one.pinned)
            assert rules.contact == "pin" or not one.pinned
