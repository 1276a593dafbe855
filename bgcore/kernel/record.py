"""The movement record: every rule of movement that the kernel knows, as one value and as bytes.

All axes of the design have a place here, so that a new variant changes numbers and not the shape.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache

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
    """How checkers move, with the defaults of rules C10."""

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


PLAYED = frozenset(
    {
        "layout",
        "contact",
        "checkers",
        "bear_off_while_pinned",
        "higher_die_rule",
        "home_hit_and_run",
        "mother_rule",
    }
)
"""The fields whose every value the kernel plays."""

RECORD_SIZE = 16
"""Bytes of a packed record: a version, a byte a field, the rest 0."""

NO_LIMIT = 255


@cache
def pack(movement: Movement) -> bytes:
    """The record as the kernel reads it; `ValueError` for a rule that it does not play.

    >>> pack(Movement(checkers=3)).hex()
    '010000030000000001010000ff006600'
    """
    default = Movement()
    for field in fields(movement):
        value = getattr(movement, field.name)
        if field.name not in PLAYED and value != getattr(default, field.name):
            raise ValueError(f"{field.name} {value}: not played by this kernel yet")
    if not 1 <= movement.checkers <= 255:
        raise ValueError(f"checkers {movement.checkers}: expected 1 to 255")
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
            movement.no_hit_before_home | movement.first_half_lock << 1,
            NO_LIMIT if movement.head_limit is None else movement.head_limit,
            list(Runner).index(movement.runner),
            movement.own_start_quarter_max << 4 | movement.opp_start_quarter_max,
            list(QuarterScope).index(movement.opp_start_quarter_scope)
            | list(PrimeRule).index(movement.prime_rule) << 1
            | list(PrimePath).index(movement.prime_path) << 2
            | list(Timing).index(movement.restriction_timing) << 4,
        )
    )
