"""What a side may not hold: too many points of a quarter, six in a row, a wall that traps everything."""

from __future__ import annotations

from collections.abc import Iterator

from .model import OFF, START, Rules, State

OWN_QUARTER = range(19, 25)
OPPONENTS_QUARTER = range(7, 13)
BOARD = range(1, 25)


def held_of(state: State, points: range) -> int:
    """How many of these points I hold."""
    return sum(state.me.holds(point) for point in points)


def limits(state: State, rules: Rules) -> Iterator[tuple[range, int]]:
    """The quarters that are limited now, and how many points of each may be held."""
    yield OWN_QUARTER, rules.own_start_quarter_max
    if rules.opp_start_quarter_scope == "always" or state.opp.holds(START):
        yield OPPONENTS_QUARTER, rules.opp_start_quarter_max


def windows(rules: Rules) -> Iterator[list[int]]:
    """Six points in a row, in my numbering, that need an opposing checker ahead of them."""
    for first in range(1, 20):
        row = range(first, first + 6)
        if rules.prime_path in ("opponent", "both"):
            yield [rules.across(his) for his in row]
        if rules.prime_path in ("own", "both"):
            yield list(row)


def six_with_nobody_ahead(state: State, rules: Rules) -> bool:
    """Whether I hold six in a row that no opposing checker has passed (`long_nardy.md`)."""
    if rules.prime_rule == "none" or state.opp.holds(OFF):
        return False
    for window in windows(rules):
        if all(state.me.holds(point) for point in window):
            lowest = min(rules.across(point) for point in window)
            if not any(state.opp.holds(his) for his in range(1, lowest)):
                return True
    return False


def forbidden_step(before: State, after: State, target: int, rules: Rules) -> bool:
    """Whether a step to `target` makes what may not be, tested per step."""
    for quarter, most in limits(before, rules):
        fresh = target in quarter and not before.me.holds(target)
        if fresh and held_of(after, quarter) > most:
            return True
    return six_with_nobody_ahead(after, rules)


def forbidden_end(state: State, rules: Rules) -> bool:
    """Whether no play may end here, where that is what is tested (R7)."""
    if rules.restriction_timing != "end_of_play":
        return False
    crowded = any(held_of(state, quarter) > most for quarter, most in limits(state, rules))
    return crowded or six_with_nobody_ahead(state, rules)


def wall(state: State, rules: Rules) -> list[int]:
    """My six points that trap every opposing checker (`fevga.md`); none where they do not."""
    stand = [point for point in BOARD if state.opp.holds(point)]
    if not rules.unblock_duty or len(stand) != 1 or stand[0] < 7:
        return []
    ahead = [rules.across(stand[0] - distance) for distance in range(1, 7)]
    return ahead if all(state.me.holds(point) for point in ahead) else []
