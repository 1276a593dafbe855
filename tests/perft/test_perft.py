"""Counts of reachable positions, from the `.perft` files beside this one."""

from __future__ import annotations

from pathlib import Path

import pytest

from bgcore import Position, Roll, Rules, load
from bgcore.notation.board_text import read_board
from bgcore.perft import perft, results_of_turns, rolls_of
from bgcore.turn import HAND_OVER, Next, Played

from .by_oracle import counted
from .counts import Count, counts

COUNTS = list(counts(Path(__file__).parent))
FEW = 60
"""Results that the oracle counts in no time."""


@pytest.mark.parametrize("count", COUNTS, ids=lambda count: count.label)
def test_as_many_positions_are_reachable_as_others_count(count: Count) -> None:
    rules = load().rules(count.variant)
    start = rules.position(read_board(count.start))
    if count.roll:
        assert len(results_of_turns(rules, start, Roll.of(*count.roll))) == count.expected
    elif count.lowest > 1:
        assert perft_from(count.lowest, rules, start, count.depth) == count.expected
    else:
        assert perft(rules, start, count.depth) == count.expected


def perft_from(lowest: int, rules: Rules, here: Position, depth: int) -> int:
    """`perft` without the doubles below `lowest`, which bring millions of results where they climb."""
    if depth == 0 or rules.outcome(here):
        return 1
    rolls = [roll for roll in rolls_of(rules.variant.dice) if roll.dice[0] != roll.dice[-1]]
    rolls += [Roll.of(double, double) for double in range(lowest, 7)]
    return sum(
        perft_from(lowest, rules, after.flipped(), depth - 1)
        for roll in rolls
        for after in results_of_turns(rules, here, roll)
    )


@pytest.mark.parametrize(
    "count",
    [c for c in COUNTS if c.depth == 1 and c.expected <= FEW],
    ids=lambda count: count.label,
)
def test_the_oracle_counts_the_same(count: Count) -> None:
    assert counted(count) == count.expected


def test_every_variant_is_counted_from_its_start() -> None:
    depths = {(c.variant, c.depth) for c in COUNTS if c.name == "opening"}
    for entry in load():
        variant = entry.variant
        start = load().rules(variant.id).start
        [text] = {c.start for c in COUNTS if (c.variant, c.name) == (variant.id, "opening")}
        assert load().rules(variant.id).position(read_board(text)) == start
        assert {(variant.id, 1), (variant.id, 2)} <= depths


class OneRung(Rules):
    """A ladder of which only the first rung is played."""

    def after_part(self, played: Played) -> Next:
        return HAND_OVER


def test_what_follows_a_part_is_for_the_rules_to_say() -> None:
    whole, first = load().rules("gioul"), OneRung(load().variant("gioul"))
    for number in (4, 5):  # lower ones climb to millions
        roll = Roll.of(number, number)
        turns = set(results_of_turns(first, first.start, roll))
        assert turns == set(first.plays(first.start, roll).positions())
        assert turns != set(results_of_turns(whole, whole.start, roll))
