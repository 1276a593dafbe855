"""Made-up positions and movement rules for the kernel's tests, from a seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace

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

from .reference import opposite

BLOCK = Movement(contact=Contact.BLOCK, layout=Layout.PARALLEL)
RULES = {
    "western": Movement(),
    "without the larger number": Movement(higher_die_rule=False),
    "no hit and run": Movement(home_hit_and_run=False),
    "three checkers": Movement(checkers=3),
    "hit, same": Movement(layout=Layout.SAME, checkers=8),
    "hit, parallel": Movement(layout=Layout.PARALLEL, home_hit_and_run=False, checkers=10),
    "pin": Movement(contact=Contact.PIN),
    "pin, mother": Movement(contact=Contact.PIN, mother_rule=True),
    "pin, bearing off while pinned": Movement(contact=Contact.PIN, bear_off_while_pinned=True),
    "pin, parallel": Movement(contact=Contact.PIN, layout=Layout.PARALLEL, mother_rule=True),
    "block": BLOCK,
    "block, contrary": Movement(contact=Contact.BLOCK, higher_die_rule=False),
    "entering freely": Movement(entry=Entry.FREELY),
    "entering first": Movement(entry=Entry.FIRST, layout=Layout.SAME),
    "tabula": Movement(
        entry=Entry.FREELY, layout=Layout.SAME, first_half_lock=True, bear_off=BearOff.EXACT
    ),
    "second half": Movement(bear_zone=BearZone.SECOND_HALF, bear_off=BearOff.EXACT),
    "second half, standard": Movement(bear_zone=BearZone.SECOND_HALF),
    "dutch": Movement(entry=Entry.FREELY, no_hit_before_home=True),
    "much that changes on the way": Movement(
        entry=Entry.FREELY,
        layout=Layout.SAME,
        no_hit_before_home=True,
        first_half_lock=True,
        home_hit_and_run=False,
        bear_off=BearOff.EXACT_STATIC,
    ),
    "exact static": Movement(bear_off=BearOff.EXACT_STATIC),
    "static": replace(BLOCK, bear_off=BearOff.EXACT_STATIC),
    "runner": replace(BLOCK, runner=Runner.PASS_START, opp_start_quarter_max=4),
    "runner, entering": replace(BLOCK, runner=Runner.PASS_START, entry=Entry.FREELY),
    "runner home": replace(BLOCK, runner=Runner.REACH_HOME, own_start_quarter_max=3),
    "quarter while occupied": replace(
        BLOCK,
        opp_start_quarter_max=2,
        opp_start_quarter_scope=QuarterScope.WHILE_START_OCCUPIED,
    ),
    "six": replace(BLOCK, prime_rule=PrimeRule.NEED_AHEAD),
    "six, both paths": replace(BLOCK, prime_rule=PrimeRule.NEED_AHEAD, prime_path=PrimePath.BOTH),
    "six, own path": replace(BLOCK, prime_rule=PrimeRule.NEED_AHEAD, prime_path=PrimePath.OWN),
}


def position(rng: random.Random, rules: Movement) -> bytes:
    """A proper position, often near its end, where the rules get interesting."""
    spread = rng.choice([(1, 6), (1, 8), (1, 14), (1, 24), (1, 24), (18, 24)])
    sides = [bytearray(32), bytearray(32)]
    pinned = [0, 0]
    few = rng.random() < 0.6
    for mine, theirs in ((0, 1), (1, 0)):
        own, other = sides[mine], sides[theirs]
        left = rng.randint(1, min(5, rules.checkers)) if few else rules.checkers
        own[0] = rules.checkers - left
        reach = spread if mine == 0 else (1, 24)
        while left:
            point = rng.randint(*reach)
            if rules.prime_rule is PrimeRule.NEED_AHEAD and rng.random() < 0.7:
                point = rng.randint(4, 12)
            there = opposite(point, rules.layout)
            if rules.contact is Contact.HIT and rng.random() < 0.08:
                point = 25
            elif rules.entry is not Entry.NONE and rng.random() < 0.15:
                point = 26
            elif pinned[mine] >> point & 1 or (other[there] and mine == 0):
                continue
            elif other[there] or pinned[theirs] >> there & 1:
                if rules.contact is not Contact.PIN or other[there] > 1:
                    reach = (1, 24)
                    continue
                if other[there] == 1 and not pinned[mine] >> point & 1:
                    pinned[theirs] |= 1 << there
                    other[there] = 0
            count = min(left, rng.choice([1, 1, 2, 3]))
            own[point] += count
            left -= count
    for side, mask in zip(sides, pinned, strict=True):
        side[28:32] = mask.to_bytes(4, "little")
    return bytes(sides[0] + sides[1]) if rng.random() < 0.5 else bytes(sides[1] + sides[0])


def numbers(rng: random.Random) -> bytes:
    """A roll, sometimes a leftover, sometimes three dice."""
    kind = rng.random()
    if kind < 0.1:
        return bytes([rng.randint(1, 6)])
    if kind < 0.2:
        return bytes(rng.randint(1, 6) for _ in range(3))
    if kind < 0.4:
        return bytes([rng.randint(1, 6)]) * rng.choice([2, 3, 4, 4, 4])
    return bytes(rng.sample(range(1, 7), 2))


def questions(seed: int, rules: Movement, count: int) -> Iterator[tuple[bytes, bytes]]:
    rng = random.Random(seed)
    for _ in range(count):
        yield position(rng, rules), numbers(rng)
