"""The rules of obligation, searched in the plainest way over `rules.steps`."""

from __future__ import annotations

from collections.abc import Iterator

from bgcore import kernel
from bgcore.outcome import Ending
from bgcore.position import Position
from bgcore.rules import Rules
from bgcore.turn import ORDINARY_TURN, Numbers, Turn


def legal_results(
    rules: Rules, start: Position, numbers: Numbers, turn: Turn = ORDINARY_TURN
) -> set[Position]:
    """Every position that a legal play leads to; the start alone when nothing can be played.

    It knows R3 and R6 and nothing of movement: what a single step may do is asked of `rules.steps`, and of
    the kernel where no play may end (R7). Filters over whole plays (`rules.keep`) are left out.
    """
    every = set(walk(rules, start, numbers, rules.opened(start, numbers, turn)))
    lines = {
        (used, after)
        for used, after in every
        if not used or not kernel.barred(after.packed, rules.record)
    }
    best = max(rank(used, rules) for used, _ in lines)
    return {after for used, after in lines if rank(used, rules) == best}


def rank(used: Numbers, rules: Rules) -> tuple[int, int]:
    """As many numbers as possible must be used; of two single numbers, the larger."""
    return len(used), max(used) if len(used) == 1 and rules.variant.higher_die_rule else 0


def walk(
    rules: Rules, position: Position, numbers: Numbers, turn: Turn, used: Numbers = ()
) -> Iterator[tuple[Numbers, Position]]:
    """Every line of steps, cut off anywhere: the numbers it used and where it leads."""
    outcome = rules.outcome(position)
    if outcome and outcome.ending is not Ending.BORNE_OFF:
        yield used + numbers, position  # such an end counts as having used every number (R6)
        return
    yield used, position
    for step in rules.steps(position, numbers, turn):
        at = numbers.index(step.number)
        left = numbers[:at] + numbers[at + 1 :]
        after, then = rules.stepped(position, step, turn)
        yield from walk(rules, after, left, then, (*used, step.number))
