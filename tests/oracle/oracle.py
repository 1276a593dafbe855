"""Legal plays by trying everything, and the reason against a play that is not legal.

`legal` and `reason` are the whole of it; rules R1 to R8 and C7 of the rule files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import NamedTuple

from .examples import Question, from_example, to_example
from .formations import forbidden_end, wall
from .model import BAR, OFF, ORDINARY, RESERVE, Facts, Rules, Side, State, rules_of
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


def ending_lines(start: Moment, numbers: Sequence[int], rules: Rules) -> Iterator[Line]:
    """The lines that may end where they do; the empty one always."""
    for line in all_lines(start, numbers, rules):
        if not line.used or not forbidden_end(line.moment.state, rules):
            yield line


def worth(line: Line, rules: Rules) -> int:
    """How many numbers the line counts as having used (R6)."""
    if line.used and ended_by_mother(line.moment.state, rules):
        return len(line.used) + len(line.left)
    return len(line.used)


def legal_lines(start: Moment, numbers: Sequence[int], rules: Rules) -> list[Line]:
    """The lines that R3 leaves; none when nothing can be played.

    Those whose ends are forbidden are removed before (R7).
    """
    lines = list(ending_lines(start, numbers, rules))
    best = max(worth(line, rules) for line in lines)
    if best == 0:
        return []
    kept = [line for line in lines if worth(line, rules) == best]
    if best == 1 and rules.higher_die_rule:
        largest = max(line.used[0] for line in kept)
        kept = [line for line in kept if line.used[0] == largest]
    return kept


def opening(state: State, numbers: Sequence[int], rules: Rules, facts: Facts = ORDINARY) -> Moment:
    """The moment before the first step, which knows how many checkers may leave own 24."""
    if rules.head_limit is None:
        return Moment(state, facts.locked)
    limit = rules.head_limit
    if facts.own_roll == 1 and two_may_leave(state, numbers, rules, facts):
        limit = max(limit, 2)
    return Moment(state, facts.locked, head=max(limit - facts.left_head, 0))


def two_may_leave(state: State, numbers: Sequence[int], rules: Rules, facts: Facts) -> bool:
    """Whether two checkers may leave the head on a first turn (`long_nardy.md`)."""
    if rules.head_first_turn == "when_needed":
        one = Moment(state, facts.locked, head=max(1 - facts.left_head, 0))
        lines = legal_lines(one, numbers, rules)
        return max((len(line.used) for line in lines), default=0) < len(numbers)
    if rules.head_first_turn == "listed_doubles":
        return len(numbers) > 1 and set(numbers) in ({3}, {4}, {6})
    return rules.head_first_turn == "any_roll"


def legal(
    state: State, numbers: Sequence[int], rules: Rules, facts: Facts = ORDINARY
) -> tuple[int, frozenset[State]]:
    """How many numbers a legal play uses at most, and every state that one leads to.

    A double's four numbers are all in `numbers`. Nothing playable: 0 and no state.
    """
    lines = legal_lines(opening(state, numbers, rules, facts), numbers, rules)
    used = max((len(line.used) for line in lines), default=0)
    results = frozenset(line.moment.state for line in lines)
    trap = wall(state, rules)
    open_again = {one for one in results if not all(one.me.holds(point) for point in trap)}
    return used, frozenset(open_again) if trap and open_again else results


def number_for(step: Step, left: Sequence[int]) -> int | None:
    """The number that a step as written uses, if it is left (C7)."""
    source, target = step
    if target == OFF:
        return min((number for number in left if number >= source), default=None)
    number = min(source, BAR) - target
    return number if number in left else None


def moved(state: State, steps: Sequence[Step], rules: Rules) -> State | None:
    """Where the steps lead if nobody asks whether they may be made.

    A closed point changes nothing. `None` when a step starts where no free checker stands.
    """
    moment = Moment(state)
    for source, target in steps:
        if not moment.state.me.counts.get(source) or not OFF <= target < source <= RESERVE:
            return None
        moment = stepped(moment, source, min(source, BAR) - target, rules)
    return moment.state


def reason(
    state: State,
    numbers: Sequence[int],
    steps: Sequence[Step],
    rules: Rules,
    facts: Facts = ORDINARY,
) -> str | None:
    """Why the play is not legal, `None` when it is.

    A play is judged by its result, whatever the order of its steps (R6). One exception: a play
    that goes on after the game has ended is refused, whatever another order would lead to (C7).
    """
    _, results = legal(state, numbers, rules, facts)
    start = opening(state, numbers, rules, facts)
    failure, line = None, Line(start, (), tuple(numbers))
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
    if steps and forbidden_end(line.moment.state, rules):
        return "FORMATION_FORBIDDEN"
    best = max(worth(line, rules) for line in ending_lines(start, numbers, rules))
    if worth(line, rules) < best:
        return "MUST_USE_MORE_NUMBERS"
    by_count = {kept.moment.state for kept in legal_lines(start, numbers, rules)}
    return "MUST_UNBLOCK" if line.moment.state in by_count else "MUST_USE_LARGER_NUMBER"
