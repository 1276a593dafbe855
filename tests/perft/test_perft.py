"""Counts of reachable positions, from the `.perft` files beside this one."""

from __future__ import annotations

from pathlib import Path

import pytest

from bgcore import Position, Roll, Rules, load
from bgcore.notation.board_text import read_board
from bgcore.perft import goes_on, perft, results_of_turns, rolls_of
from bgcore.turn import HAND_OVER, ORDINARY_TURN, Next, Played, Turn

from .by_oracle import counted
from .counts import Count, counts

COUNTS = list(counts(Path(__file__).parent))
FEW = 60
FEW_PLAYS = 2500
"""Results that the oracle counts in no time: those of whole turns, and so many plays deep."""


@pytest.mark.parametrize("count", COUNTS, ids=lambda count: count.label)
def test_as_many_positions_are_reachable_as_others_count(count: Count) -> None:
    rules = load().rules(count.variant)
    start = rules.position(read_board(count.start))
    if count.unit == "play":
        assert perft_of_plays(rules, start, count.depth) == count.expected
    elif count.roll:
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


def perft_of_plays(rules: Rules, here: Position, depth: int) -> int:
    """The sum over all rolls of distinct results, so many plays deep: a rung, or whatever else is one part."""
    if depth == 0 or rules.outcome(here):
        return 1
    rolls = rolls_of(rules.variant.dice)
    parts = [(roll, rules.parts(roll, ORDINARY_TURN, here)) for roll in rolls]
    return sum(
        plays_of_turn(rules, here, Turn(parts=of_roll, dice=roll.dice), depth)
        for roll, of_roll in parts
    )


def plays_of_turn(rules: Rules, here: Position, turn: Turn, depth: int) -> int:
    """The same of a turn whose open part is to be played."""
    plays = rules.plays_of(here, turn.parts[0].numbers, turn)
    if depth == 1:
        return len(plays)
    return sum(
        plays_of_turn(rules, play.after, turn.next_part(play.left_head, play.locked), depth - 1)
        if goes_on(rules, turn, play)
        else perft_of_plays(rules, play.after.flipped(), depth - 1)
        for play in plays
    )


@pytest.mark.parametrize(
    "count",
    [c for c in COUNTS if c.expected <= (FEW_PLAYS if c.unit == "play" else FEW)],
    ids=lambda count: count.label,
)
def test_the_oracle_counts_the_same(count: Count) -> None:
    assert counted(count) == count.expected


def test_every_variant_is_counted_from_its_start() -> None:
    for entry in load():
        rules = load().rules(entry.variant.id)
        opening = [c for c in COUNTS if (c.variant, c.name) == (entry.variant.id, "opening")]
        [text] = {c.start for c in opening}
        assert rules.position(read_board(text)) == rules.start
        assert counted_whole(opening), entry.variant.id


def counted_whole(counts: list[Count]) -> bool:
    """Whether depths 1 and 2 are there, and without any roll left out, be it in plays."""
    some = {c.depth for c in counts if c.unit == "turn" and not c.roll}
    whole = [
        {c.depth for c in counts if c.complete and c.unit == unit} for unit in ("turn", "play")
    ]
    return {1, 2} <= some and any({1, 2} <= depths for depths in whole)


def test_a_count_that_leaves_rolls_out_is_no_whole_one() -> None:
    ladder = [c for c in COUNTS if (c.variant, c.name) == ("gioul", "opening")]
    assert counted_whole(ladder)
    assert not counted_whole([c for c in ladder if c.unit == "turn"])
    assert not counted_whole([c for c in ladder if c.depth != 2 or c.unit == "turn"])
    assert not counted_whole([c for c in ladder if c.unit == "play"])


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
