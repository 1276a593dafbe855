"""Every variant passes the conformance kit, under each of its options that changes play."""

from __future__ import annotations

import os
from pathlib import Path
from random import Random

import pytest

from bgcore import SeededDice, load
from bgcore.bot import GreedyBot, RandomBot
from bgcore.testing import VariantTests, check_variant
from bgcore.testing.contest import contest
from tests.engine.helpers import rules

VARIANTS = ("western", "tavla", "plakoto", "gul-bara")

UNDER_OPTIONS = [
    ("western", {}),
    ("western", {"higher_die_rule": False}),
    ("tavla", {}),
    ("tavla", {"home_hit_and_run": False}),
    ("plakoto", {}),
    ("plakoto", {"mother_rule": True}),
    ("plakoto", {"bear_off_while_pinned": True}),
    ("gul-bara", {}),
    ("gul-bara", {"layout": "contrary"}),
    ("moultezim", {"preset": "moultezim-alt"}),
    ("moultezim", {"restriction_timing": "end_of_play"}),
    ("fevga", {"unblock_duty": False, "prime_rule": "need_ahead"}),
    ("long-nardy", {"prime_path": "both", "head_limit": 2}),
    ("long-nardy", {"restriction_timing": "end_of_play"}),
    ("tabula", {"bear_zone": "second_half", "bear_off": "standard", "first_half_lock": False}),
    ("tawla-31", {"layout": "parallel"}),
    ("tapa", {"mother_rule": True}),
]


@pytest.mark.parametrize(("variant", "options"), UNDER_OPTIONS)
def test_a_variant_passes_the_conformance_kit(variant: str, options: dict[str, object]) -> None:
    preset = str(options.get("preset", ""))
    chosen = {name: value for name, value in options.items() if name != "preset"}
    report = check_variant(variant, preset, chosen, games=3)
    assert report.games == 3
    assert report.positions > 50


@pytest.mark.parametrize("variant", [entry.variant.id for entry in load()])
def test_every_variant_that_is_built_in_passes_it(variant: str) -> None:
    assert check_variant(variant, games=2, seed=2).failures == ()


EXAMPLES = Path(__file__).parents[1] / "data" / "examples"


class TestWestern(VariantTests):
    variant = "western"
    examples = EXAMPLES / "western.jsonl"


class TestPlakotoWithMothers(VariantTests):
    variant = "plakoto"
    options = {"mother_rule": True}  # noqa: RUF012  # as an author writes it


GAMES = int(os.environ.get("BGCORE_GAMES", "60"))
"""Games of greedy against random; the changelog's figures come from 1,000."""


@pytest.mark.parametrize("variant", VARIANTS)
def test_greedy_beats_random_beyond_the_margin_of_error(variant: str) -> None:
    bots = (GreedyBot(), RandomBot())
    standing = contest(rules(variant), bots, GAMES, SeededDice(2), Random(2))
    print(variant, standing)
    assert standing.ahead, standing
