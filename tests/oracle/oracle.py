"""Legal plays by trying everything, and the reason against a play that is not legal.

`legal` and `reason` are the whole of it; rules R1 to R8 and C7 of the rule files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

from .examples import Question, from_example, to_example
from .model import BAR, OFF, Rules, Side, State, rules_of
from .steps import Moment, ended_by_mother, refusal, stepped

__all__ = [
    "Question",
    "Rules",
    "Side",
    "State",
    "from_example",
    "legal",
    "reason",
    "rules_of",
    "to_example",
]

Step = tuple[int, int]  # from, to


class Line(NamedTuple):
    """A sequence of legal steps: where it leads, which numbers it used, which are left."""

    moment: Moment
    used: tuple[int, ...] = ()
    left: tuple[int, ...] = ()


def longer(line: Line, rules: Rules) -> Iterator[Line]:
    """The line with every legal step that may follow."""
    for number in set(line.left):
        left = list(line.left)
        left.remove(number)
        for source, _ in line.moment.state.me.free:
            if refusal(line.moment, source, number, rules) is None:
                after = stepped(line.moment, source, number, rules)
                yield Line(after, (*line.used, number), tuple(left))


def all_lines(start: Moment, numbers: Sequence[int], rules: Rules) -> Iterator[Line]:
    """Every sequence of legal steps, the empty one too; equal ones once."""
    lines = {Line(start, (), tuple(numbers))}
    while lines:
        yield from lines
        lines = {after for line in lines for after in longer(line, rules)}


def worth(line: Line, rules: Rules) -> int:
    """How many numbers the line counts as having used (R6)."""
    if line.used and ended_by_mother(line.moment.state, rules):
        return len(line.used) + len(line.left)
    return len(line.used)


def legal_lines(start: Moment, numbers: Sequence[int], rules: Rules) -> list[Line]:
    """The lines that R3 leaves; none when nothing can be played."""
    lines = list(all_lines(start, numbers, rules))
    best = max(worth(line, rules) for line in lines)
    if best == 0:
        return []
    kept = [line for line in lines if worth(line, rules) == best]
    if best == 1 and rules.higher_die_rule:
        largest = max(line.used[0] for line in kept)
        kept = [line for line in kept if line.used[0] == largest]
    return kept


def legal(state: State, numbers: Sequence[int], rules: Rules) -> tuple[int, frozenset[State]]:
    """How many numbers a legal play uses at most, and every state that one leads to.

    A double's four numbers are all in `numbers`. Nothing playable: 0 and no state.
    """
    lines = legal_lines(Moment(state), numbers, rules)
    used = max((len(line.used) for line in lines), default=0)
    return used, frozenset(line.moment.state for line in lines)


def number_for(step: Step, left: Sequence[int]) -> int | None:
    """The number that a step as written uses, if it is left (C7)."""
    source, target = step
    if target == OFF:
        return min((number for number in left if number >= source), default=None)
    return source - target if source - target in left else None


def moved(state: State, steps: Sequence[Step], rules: Rules) -> State | None:
    """Where the steps lead if nobody asks whether they may be made.

    A closed point changes nothing. `None` when a step starts where no free checker stands.
    """
    moment = Moment(state)
    for source, target in steps:
        if not moment.state.me.counts.get(source) or not OFF <= target < source <= BAR:
            return None
        moment = stepped(moment, source, source - target, rules)
    return moment.state


def reason(state: State, numbers: Sequence[int], steps: Sequence[Step], rules: Rules) -> str | None:
    """Why the play is not legal, `None` when it is.

    A play is judged by its result, whatever the order of its steps (R6). One exception: a play
    that goes on after the game has ended is refused, whatever another order would lead to (C7).
    """
    _, results = legal(state, numbers, rules)
    failure, line = None, Line(Moment(state), (), tuple(numbers))
    for step in steps:
        number = number_for(step, line.left)
        if failure := refusal(line.moment, step[0], number, rules):
            break
        assert number is not None
        left = list(line.left)
        left.remove(number)
        after = stepped(line.moment, step[0], number, rules)
        line = Line(after, (*line.used, number), tuple(left))

    if failure == "GAME_ENDED":
        return failure
    if not steps and not results:
        return None
    if any(moved(state, order, rules) in results for order in set(permutations(steps))):
        return None
    if failure:
        return failure
    best = max(worth(line, rules) for line in all_lines(Moment(state), numbers, rules))
    return "MUST_USE_MORE_NUMBERS" if worth(line, rules) < best else "MUST_USE_LARGER_NUMBER"
