"""The rules of obligation, searched in the plainest way over `rules.steps`."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from bgcore import kernel
from bgcore.outcome import Ending
from bgcore.position import Position
from bgcore.rules import Rules
from bgcore.turn import ORDINARY_TURN, Numbers, Turn

Lines = Collection[tuple[Numbers, Position]]
"""Steps one after the other: the numbers they use, and where they lead."""


def legal_results(
    rules: Rules,
    start: Position,
    numbers: Numbers,
    turn: Turn = ORDINARY_TURN,
    lines: Lines | None = None,
) -> set[Position]:
    """Every position that a legal play leads to; the start alone when nothing can be played.

    It knows R3 and R6 and nothing of movement: what a single step may do is asked of `rules.steps`, and of
    the kernel where no play may end (R7). Filters over whole plays (`rules.keep`) are left out.
    `lines` are those of `lines_of`, where somebody has them already.
    """
    lines = lines_of(rules, start, numbers, turn) if lines is None else lines
    best = max(rank(used, rules) for used, _ in lines)
    return {after for used, after in lines if rank(used, rules) == best}


def lines_of(rules: Rules, start: Position, numbers: Numbers, turn: Turn = ORDINARY_TURN) -> Lines:
    """Every line of steps that may be a play, each once."""
    every = set(walk(rules, start, numbers, rules.opened(start, numbers, turn)))
    return {
        (used, after)
        for used, after in every
        if not used or not kernel.barred(after.packed, rules.record)
    }


def most_used(lines: Lines) -> int:
    """The most numbers that any of them uses."""
    return max(len(used) for used, _ in lines)


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
