"""The rules of movement once more, slowly: sets of positions, every order of steps tried.

Written from rules C1 to C4 and R1 to R6 without a look at the kernel, to be compared with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from bgcore.axes import (
    BearOff,
    BearZone,
    Contact,
    Entry,
    Layout,
    PrimePath,
    PrimeRule,
    QuarterScope,
    Runner,
)
from bgcore.kernel.record import Movement

Points = tuple[int, ...]  # 0 off, 1..24, 25 bar, 26 unentered


@dataclass(frozen=True)
class Board:
    """Both sides' free checkers, both sides' pinned ones, and the points locked in this turn."""

    mine: Points
    theirs: Points
    my_pins: frozenset[int] = frozenset()
    their_pins: frozenset[int] = frozenset()
    locked: frozenset[int] = frozenset()

    def packed(self) -> bytes:
        return half(self.mine, self.my_pins) + half(self.theirs, self.their_pins)

    @staticmethod
    def of(position: bytes) -> Board:
        def mask(at: int) -> frozenset[int]:
            bits = int.from_bytes(position[at : at + 4], "little")
            return frozenset(point for point in range(32) if bits >> point & 1)

        return Board(tuple(position[:27]), tuple(position[32:59]), mask(28), mask(60))


def half(points: Points, pinned: frozenset[int]) -> bytes:
    return bytes(points).ljust(28, b"\0") + sum(1 << point for point in pinned).to_bytes(
        4, "little"
    )


def opposite(point: int, layout: Layout) -> int:
    match layout:
        case Layout.CONTRARY:
            return 25 - point
        case Layout.PARALLEL:
            return (point + 11) % 24 + 1
        case Layout.SAME:
            return point


def changed(points: Points, point: int, by: int) -> Points:
    return tuple(count + by if n == point else count for n, count in enumerate(points))


def mother_ends(board: Board, rules: Movement) -> bool:
    mine, theirs = 24 in board.my_pins, 24 in board.their_pins
    if mine and theirs:
        return True
    if not rules.mother_rule:
        return False
    return (theirs and not board.mine[24]) or (mine and not board.theirs[24])


def finished(board: Board, rules: Movement) -> bool:
    if rules.contact is Contact.PIN and mother_ends(board, rules):
        return True
    return not (
        (any(board.mine[1:]) or board.my_pins) and (any(board.theirs[1:]) or board.their_pins)
    )


def may_bear_off(board: Board, rules: Movement, point: int, number: int) -> bool:
    last = 12 if rules.bear_zone is BearZone.SECOND_HALF else 6
    if any(board.mine[last + 1 :]) or any(pinned > last for pinned in board.my_pins):
        return False
    if board.my_pins and not rules.bear_off_while_pinned:
        return False
    behind = any(board.mine[point + 1 :]) or any(pinned > point for pinned in board.my_pins)
    larger = number > point and rules.bear_off is BearOff.STANDARD and not behind
    return number == point or larger


def movable(board: Board, rules: Movement) -> list[int]:
    """The places from which a checker may move at all."""
    if board.mine[25]:
        return [25]
    if board.mine[26] and rules.entry is Entry.FIRST:
        return [26]
    places = [place for place in range(1, 27) if board.mine[place]]
    passed = {
        Runner.PASS_START: 11,
        Runner.REACH_START_QUARTER: 12,
        Runner.REACH_HOME: 6,
        Runner.NONE: 24,
    }[rules.runner]
    if not any(board.mine[: passed + 1]) and any(board.mine[1:24]):
        places = [place for place in places if place not in (24, 26)]
    return [p for p in places if not (p in board.locked and board.mine[p] == 1)]


def six_with_nobody_ahead(board: Board, rules: Movement) -> bool:
    """Six in a row, along his path or mine, with none of his checkers ahead of them or off."""
    if rules.prime_rule is PrimeRule.NONE or board.theirs[0]:
        return False
    rows = []
    if rules.prime_path is not PrimePath.OWN:
        rows += [
            [(opposite(his + k, rules.layout), his + k) for k in range(6)] for his in range(1, 20)
        ]
    if rules.prime_path is not PrimePath.OPPONENT:
        rows += [
            [(own + k, opposite(own + k, rules.layout)) for k in range(6)] for own in range(1, 20)
        ]
    return any(
        all(board.mine[own] for own, _ in row)
        and not any(board.theirs[1 : min(his for _, his in row)])
        for row in rows
    )


def too_many(board: Board, after: Board, rules: Movement, target: int) -> bool:
    """Whether landing there holds more points of a quarter than may be held at once."""
    scope = rules.opp_start_quarter_scope is QuarterScope.ALWAYS or board.theirs[24]
    for quarter, most in (
        (range(19, 25), rules.own_start_quarter_max),
        (range(7, 13), rules.opp_start_quarter_max if scope else 6),
    ):
        fresh = target in quarter and not board.mine[target]
        if fresh and sum(after.mine[p] > 0 for p in quarter) > most:
            return True
    return False


def stepped(board: Board, rules: Movement, number: int) -> Iterator[Board]:
    """The boards after one step by a number."""
    if finished(board, rules):
        return
    everything_home = not any(board.mine[7:])
    for origin in movable(board, rules):
        if not board.mine[origin]:
            continue
        target = max(min(origin, 25) - number, 0)
        if target == 0 and not may_bear_off(board, rules, origin, number):
            continue
        if target and everything_home and rules.bear_off is BearOff.EXACT_STATIC:
            continue
        if rules.first_half_lock and board.mine[26] and target <= 12:
            continue
        mine, theirs = changed(board.mine, origin, -1), board.theirs
        pins = board.their_pins
        freed = opposite(origin, rules.layout)
        if origin <= 24 and not mine[origin] and freed in pins:
            theirs, pins = changed(theirs, freed, 1), pins - {freed}
        locked = board.locked
        if target:
            there = opposite(target, rules.layout)
            met = theirs[there]
            match rules.contact:
                case Contact.HIT:
                    if met > 1:
                        continue
                    if met and rules.no_hit_before_home and not any(board.mine[:7]):
                        continue
                    if met:
                        theirs = changed(changed(theirs, there, -1), 25, 1)
                        if target <= 6 and not rules.home_hit_and_run:
                            locked |= {target}
                case Contact.PIN:
                    if met > 1 or (met and target in board.my_pins):
                        continue
                    if met:
                        theirs, pins = changed(theirs, there, -1), pins | {there}
                case Contact.BLOCK:
                    if met:
                        continue
        after = replace(
            board,
            mine=changed(mine, target, 1),
            theirs=theirs,
            their_pins=pins,
            locked=locked,
        )
        if not too_many(board, after, rules, target) and not six_with_nobody_ahead(after, rules):
            yield after


def lines(
    board: Board, rules: Movement, left: tuple[int, ...], used: tuple[int, ...] = ()
) -> Iterator[tuple[tuple[int, ...], bool, bytes]]:
    """Every sequence of steps: the numbers it used, whether a mother ended it, the position."""
    over = bool(used) and rules.contact is Contact.PIN and mother_ends(board, rules)
    yield used, over, board.packed()
    for index, number in enumerate(left):
        if number not in left[:index]:
            for after in stepped(board, rules, number):
                yield from lines(after, rules, left[:index] + left[index + 1 :], (*used, number))


def legal(
    position: bytes, rules: Movement, numbers: bytes, locked: frozenset[int] = frozenset()
) -> tuple[int, set[bytes]]:
    """How many numbers are used, and every position that a legal play leads to."""
    board = replace(Board.of(position), locked=locked)
    every = [
        (len(numbers) if over else len(used), used, after)
        for used, over, after in set(lines(board, rules, tuple(numbers)))
        if used
    ]
    most = max((rank for rank, _, _ in every), default=0)
    best = [(used, after) for rank, used, after in every if rank == most]
    if most == 1 and len(numbers) > 1 and rules.higher_die_rule:
        largest = max(used for used, _ in best)
        best = [(used, after) for used, after in best if used == largest]
    return max((len(used) for used, _ in best), default=0), {after for _, after in best}
