"""The movement record: every rule of movement that the kernel knows, as one value and as bytes.

All axes of the design have a place here, so that a new variant changes numbers and not the shape.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

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
    Timing,
)


@dataclass(frozen=True, slots=True)
class Movement:
    """How checkers move, with the defaults of rules C10; docs/axes.md has the words of each.

    Attributes:
        layout: how the opponent numbers my points (C1).
        contact: what happens where two sides meet (C4).
        checkers: how many checkers each side has (C10).
        entry: whether checkers start off the board, and what may be played before all are in; number n enters
            on own 25 − n (R2).
        bear_off: which numbers bear a checker off (C3).
        bear_zone: where all checkers must be before one is borne off (C3).
        bear_off_while_pinned: a pinned own checker at home does not stop bearing off (C8).
        higher_die_rule: if only one of two numbers can be used, the larger must be (R3).
        home_hit_and_run: a checker that hit at home may move on in the same turn (C8).
        mother_rule: pinning the last opposing start checker wins (C8).
        no_hit_before_home: nobody hits before one of his own checkers is home (C8).
        first_half_lock: with unentered checkers none may come past own 13 (C8).
        head_limit: how many checkers may leave the start point in a turn (C8).
        runner: how far the first checker must come before a second may leave (C8).
        own_start_quarter_max: how many of own 24 to 19 may be held at once (C8).
        opp_start_quarter_max: how many of own 12 to 7 may be held at once (C8).
        opp_start_quarter_scope: how long the limit on own 12 to 7 lasts (C8).
        prime_rule: whether six in a row need an opposing checker ahead (C8).
        prime_path: along whose path six in a row are counted (C8).
        restriction_timing: when limits on formations are tested (C8).
    """

    layout: Layout = Layout.CONTRARY
    contact: Contact = Contact.HIT
    checkers: int = 15
    entry: Entry = Entry.NONE
    bear_off: BearOff = BearOff.STANDARD
    bear_zone: BearZone = BearZone.LAST_QUARTER
    bear_off_while_pinned: bool = False
    higher_die_rule: bool = True
    home_hit_and_run: bool = True
    mother_rule: bool = False
    no_hit_before_home: bool = False
    first_half_lock: bool = False
    head_limit: int | None = None
    runner: Runner = Runner.NONE
    own_start_quarter_max: int = 6
    opp_start_quarter_max: int = 6
    opp_start_quarter_scope: QuarterScope = QuarterScope.ALWAYS
    prime_rule: PrimeRule = PrimeRule.NONE
    prime_path: PrimePath = PrimePath.OPPONENT
    restriction_timing: Timing = Timing.PER_STEP

    @property
    def packed(self) -> bytes:
        """The record as the kernel reads it (see `pack`)."""
        return pack(self)


RECORD_SIZE = 17
"""Bytes of a packed record."""

ANY_NUMBER = 255
"""The head limit that is none."""

PASSED = {
    Runner.NONE: 0,
    Runner.PASS_START: 11,
    Runner.REACH_START_QUARTER: 12,
    Runner.REACH_HOME: 6,
}
"""The own point that the first checker must reach."""


@lru_cache(1024)  # clients make up rules, without end if they like
def pack(movement: Movement) -> bytes:
    """The record as the kernel reads it; `ValueError` for a number that no byte holds.

    The head limit in it is that of ordinary turns; what is said of first turns, and what has left the head
    already, is the context's.

    >>> pack(Movement(checkers=3)).hex()
    '01000003000000000101000000060600ff'
    """
    for name, lowest, highest in (
        ("checkers", 1, 255),
        ("own_start_quarter_max", 1, 6),
        ("opp_start_quarter_max", 1, 6),
        ("head_limit", 1, ANY_NUMBER - 1),
    ):
        if getattr(movement, name) is None:
            continue
        if not lowest <= (value := getattr(movement, name)) <= highest:
            raise ValueError(f"{name} {value}: expected {lowest} to {highest}")
    six = movement.prime_rule is PrimeRule.NEED_AHEAD
    return bytes(
        (
            1,
            list(Layout).index(movement.layout),
            list(Contact).index(movement.contact),
            movement.checkers,
            list(Entry).index(movement.entry),
            list(BearOff).index(movement.bear_off),
            list(BearZone).index(movement.bear_zone),
            movement.bear_off_while_pinned,
            movement.higher_die_rule,
            movement.home_hit_and_run,
            movement.mother_rule,
            movement.first_half_lock | movement.no_hit_before_home << 1,
            PASSED[movement.runner],
            movement.own_start_quarter_max,
            movement.opp_start_quarter_max,
            (movement.opp_start_quarter_scope is QuarterScope.WHILE_START_OCCUPIED)
            | (six and movement.prime_path is not PrimePath.OWN) << 1
            | (six and movement.prime_path is not PrimePath.OPPONENT) << 2
            | (movement.restriction_timing is Timing.END_OF_PLAY) << 3,
            ANY_NUMBER if movement.head_limit is None else movement.head_limit,
        )
    )
