"""Count anew, with the oracle, what the `.perft` files say.

    python -m tests.perft.by_oracle [--depth 2] [NAME …]

It knows nothing of the engine. A turn is all its parts: a rung of the ladder or a double that is played in
full is followed by the next one, or by its complement. Slow: depth 2 takes minutes for some games.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from functools import partial
from itertools import combinations_with_replacement
from multiprocessing import Pool
from pathlib import Path

from tests.oracle.formations import wall
from tests.oracle.model import BAR, OFF, RESERVE, START, Facts, Rules, Side, State, rules_of
from tests.oracle.oracle import legal_lines, opening
from tests.oracle.steps import ended

from .counts import Count, counts

LADDERS = {"gul-bara-bulgarian", "gioul", "crazy-narde", "plakoto-express"}
COMPLEMENTS = {"european-acey-deucey", "russian-backgammon"}
THREE_DICE = {"tabula"}
PLACES = {"bar": BAR, "off": OFF, "in": RESERVE}


def side(text: str, checkers: int) -> Side:
    """One side of a position text; what is not on it is off."""
    words = dict(word.split(":") for word in text.split())
    held = {PLACES.get(name) or int(name): int(count) for name, count in words.items()}
    held.setdefault(OFF, checkers - sum(held.values()))
    return Side.of(held)


def parts(variant: str, roll: tuple[int, ...], state: State, rules: Rules) -> list[tuple[int, ...]]:
    """What a roll is worth, part by part."""
    low, high = roll[0], roll[-1]
    if variant in THREE_DICE or low != high:
        return [roll]
    if variant in LADDERS:
        return [(rung,) * 4 for rung in range(low, 7)]
    first = rules.entry == "first" and state.me.counts.get(RESERVE)
    if variant in COMPLEMENTS and not first:
        return [(low,) * 4, (7 - low,) * 4]
    return [(low,) * 4]


def played(
    state: State, numbers: tuple[int, ...], rules: Rules, left: int
) -> Iterator[tuple[bool, State, int]]:
    """Where a part leads: whether it was played in full, the state, and how many have left the head."""
    facts = Facts(left_head=left)
    lines = legal_lines(opening(state, numbers, rules, facts), numbers, rules)
    trap = wall(state, rules)
    opened = [
        line for line in lines if trap and not all(line.moment.state.me.holds(p) for p in trap)
    ]
    for line in opened or lines:
        after = line.moment.state
        gone = state.me.counts.get(START, 0) - after.me.counts.get(START, 0)
        yield len(line.used) == len(numbers), after, left + gone
    if not lines:
        yield False, state, left


def turns(variant: str, state: State, roll: tuple[int, ...], rules: Rules) -> set[State]:
    """Every state that a turn leads to."""
    done: set[State] = set()
    here = {(state, 0)}
    for numbers in parts(variant, roll, state, rules):
        there: set[tuple[State, int]] = set()
        for start, left in here:
            for full, after, gone in played(start, numbers, rules, left):
                if full and not ended(after, rules):
                    there.add((after, gone if rules.head_limit else 0))
                else:
                    done.add(after)
        here = there
    return done | {after for after, _ in here}


def perft(variant: str, rules: Rules, depth: int, state: State, lowest: int = 1) -> int:
    """The sum over all rolls of distinct results, so many turns deep; without doubles below `lowest`."""
    if depth == 0 or ended(state, rules):
        return 1
    dice = 3 if variant in THREE_DICE else 2
    total = 0
    for roll in combinations_with_replacement(range(1, 7), dice):
        if roll[0] == roll[-1] < lowest:
            continue
        after = turns(variant, state, roll, rules)
        total += sum(perft(variant, rules, depth - 1, one.flipped(), lowest) for one in after)
    return total


def plays(variant: str, rules: Rules, depth: int, state: State) -> int:
    """The sum over all rolls of distinct results, so many plays deep: a rung, or whatever else is one part."""
    if depth == 0 or ended(state, rules):
        return 1
    rolls = combinations_with_replacement(range(1, 7), 3 if variant in THREE_DICE else 2)
    return sum(
        plays_of_parts(variant, rules, depth, (state, 0), parts(variant, roll, state, rules))
        for roll in rolls
    )


def plays_of_parts(
    variant: str, rules: Rules, depth: int, here: tuple[State, int], to_play: list[tuple[int, ...]]
) -> int:
    """The same of a turn whose parts are to be played, from a state and what has left the head."""
    state, left = here
    first, *later = to_play
    found = {after: (full, gone) for full, after, gone in played(state, first, rules, left)}
    if depth == 1:
        return len(found)
    return sum(
        plays_of_parts(variant, rules, depth - 1, (after, gone), later)
        if full and later and not ended(after, rules)
        else plays(variant, rules, depth - 1, after.flipped())
        for after, (full, gone) in found.items()
    )


def counted(count: Count) -> int:
    """The oracle's own count."""
    rules = rules_of(count.variant)
    mine, theirs = (side(text, rules.checkers) for text in count.start.split("/"))
    state = State(mine, theirs)
    if count.unit == "play":
        return plays(count.variant, rules, count.depth, state)
    if count.roll:
        return len(turns(count.variant, state, count.roll, rules))
    return perft(count.variant, rules, count.depth, state, count.lowest)


def main() -> int:
    """Count and compare; the status is 1 if anything differs."""
    parser = argparse.ArgumentParser(description="Count with the oracle what .perft files say.")
    parser.add_argument("--depth", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument(
        "names", nargs="*", help="files without their ending; all where none is named"
    )
    chosen = parser.parse_args()
    asked = [
        c for c in counts(Path(__file__).parent) if not chosen.names or c.variant in chosen.names
    ]
    asked = [count for count in asked if count.depth <= chosen.depth]
    wrong = 0
    with Pool(chosen.processes) as pool:
        for count, found in zip(asked, pool.imap(partial(counted), asked), strict=True):
            same = found == count.expected
            wrong += not same
            print(count.label, found, "" if same else f"DIFFERS from {count.expected}", flush=True)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
