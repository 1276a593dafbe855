"""One step: whether it may be made, why not, and what it leads to."""

from __future__ import annotations

from typing import NamedTuple

from .formations import forbidden_step, six_with_nobody_ahead
from .model import BAR, HOME, OFF, RESERVE, START, Rules, Side, State

PASSED = {"pass_start": 11, "reach_start_quarter": 12, "reach_home": 6}


class Moment(NamedTuple):
    """A state inside a turn.

    Own points on which one checker is locked (tavla) belong to it, and how many checkers may still
    leave own 24 (`None`: any number).
    """

    state: State
    locked: frozenset[int] = frozenset()
    head: int | None = None


def ended_by_mother(state: State, rules: Rules) -> bool:
    """Both mothers pinned (a draw), or under `mother_rule` one of them lost (`plakoto.md`)."""
    if rules.contact != "pin":
        return False
    mine, theirs = START in state.me.pinned, START in state.opp.pinned
    if mine and theirs:
        return True
    if not rules.mother_rule:
        return False
    return (theirs and not state.me.holds(START)) or (mine and not state.opp.holds(START))


def ended(state: State, rules: Rules) -> bool:
    """Whether the game is over in this state."""
    borne_off = rules.checkers in (state.me.counts.get(OFF), state.opp.counts.get(OFF))
    return borne_off or ended_by_mother(state, rules)


def closed(state: State, point: int, rules: Rules) -> bool:
    """Whether I may not land there (C4)."""
    theirs = state.opp.counts.get(rules.across(point), 0)
    if rules.contact == "block":
        return theirs >= 1
    if rules.contact == "pin":
        return theirs >= 2 or (theirs == 1 and point in state.me.pinned)
    return theirs >= 2


def refusal(moment: Moment, source: int, number: int | None, rules: Rules) -> str | None:
    """The first reason of the list against this step, `None` where there is none.

    `number` is `None` when no number that is left fits the step.
    """
    state, locked, head = moment
    if ended(state, rules):
        return "GAME_ENDED"
    mine = state.me.counts
    mine.pop(OFF, None)
    if source not in mine and source not in state.me.pinned:
        return "NO_CHECKER_THERE"
    if number is None:
        return "NUMBER_NOT_ROLLED"
    if BAR in mine and source != BAR:
        return "CHECKER_ON_BAR"
    if rules.entry == "first" and RESERVE in mine and source < BAR:
        return "MUST_ENTER_FIRST"
    if source not in mine:
        return "CHECKER_PINNED"
    if source == START and head == 0:
        return "HEAD_LIMIT"
    if source in behind(rules) and runner_is_under_way(state, rules):
        return "RUNNER_FIRST"
    target = min(source, BAR) - number
    if rules.first_half_lock and RESERVE in mine and 0 < target <= 12:
        return "FIRST_HALF_ONLY"
    if source in locked and mine[source] == 1:
        return "LOCKED_AFTER_HIT"
    if target > 0:
        return landing_refusal(moment, source, target, rules)
    if rules.restriction_timing == "per_step":  # six in a row are tested after every step
        if six_with_nobody_ahead(stepped(moment, source, number, rules).state, rules):
            return "FORMATION_FORBIDDEN"
    return bear_off_refusal(mine, state.me.pinned, source, number, rules)


def runner_is_under_way(state: State, rules: Rules) -> bool:
    """Whether a checker has gone on from 24 and none has come far enough for a second (`moultezim.md`)."""
    if rules.runner == "none":
        return False
    away = [point for point, _ in state.me.free if point < START]
    return bool(away) and min(away) > PASSED[rules.runner]


def behind(rules: Rules) -> tuple[int, ...]:
    """Where the others wait for the runner; where all have to enter first, nobody waits to enter."""
    return (START, RESERVE) if rules.entry == "freely" else (START,)


def landing_refusal(moment: Moment, source: int, target: int, rules: Rules) -> str | None:
    """What stands against a checker from `source` landing on a point of the board."""
    state = moment.state
    if closed(state, target, rules):
        return "POINT_CLOSED"
    if rules.no_hit_before_home and rules.contact == "hit":
        arrived = any(state.me.holds(point) for point in (OFF, *HOME))
        if state.opp.holds(rules.across(target)) and not arrived:
            return "HIT_NOT_ALLOWED_YET"
    if rules.restriction_timing == "per_step":
        after = stepped(moment, source, min(source, BAR) - target, rules).state
        if forbidden_step(state, after, target, rules):
            return "FORMATION_FORBIDDEN"
    if rules.bear_off == "exact_static" and all_within(state, HOME):
        return "EXACT_NUMBER_ONLY"
    return None


def all_within(state: State, points: range) -> bool:
    """Whether every checker of mine that is not off stands on these points."""
    occupied = [point for point, _ in state.me.free if point != OFF]
    return all(point in points for point in [*occupied, *state.me.pinned])


def bear_off_refusal(
    mine: dict[int, int], pinned: tuple[int, ...], source: int, number: int, rules: Rules
) -> str | None:
    """What stands against bearing off from `source` with `number`, which is large enough (C3)."""
    occupied = [*mine, *pinned]
    zone = HOME if rules.bear_zone == "last_quarter" else range(1, 13)
    all_home = all(point in zone for point in occupied)
    if pinned and all_home and not rules.bear_off_while_pinned:
        return "NO_BEARING_OFF_WHILE_PINNED"
    if not all_home:
        return "NOT_ALL_HOME"
    if number > source and max(occupied) > source:
        return "HIGHER_CHECKER_FIRST"
    if number > source and rules.bear_off != "standard":
        return "EXACT_NUMBER_ONLY"
    return None


def stepped(moment: Moment, source: int, number: int, rules: Rules) -> Moment:
    """The moment after a step from a point where a free checker stands.

    Whether it may be made is not asked: on a closed point both sides would stand.
    """
    state, locked, head = moment
    mine, theirs = state.me.counts, state.opp.counts
    their_pinned = set(state.opp.pinned)
    target = max(min(source, BAR) - number, OFF)

    mine[source] -= 1
    if source == START and head is not None:
        head = max(head - 1, 0)
    below = rules.across(source)
    if not mine[source] and below in their_pinned:  # my last one leaves: free again
        their_pinned.remove(below)
        theirs[below] = 1
    mine[target] = mine.get(target, 0) + 1

    if target != OFF and theirs.get(rules.across(target), 0) == 1:
        theirs[rules.across(target)] = 0
        if rules.contact == "hit":
            theirs[BAR] = theirs.get(BAR, 0) + 1
            if target in HOME and not rules.home_hit_and_run:
                locked |= {target}
        else:
            their_pinned.add(rules.across(target))
    after = State(Side.of(mine, state.me.pinned), Side.of(theirs, their_pinned))
    return Moment(after, locked, head)
