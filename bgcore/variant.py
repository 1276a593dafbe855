"""Variants as data on shared axes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType

from bgcore.axes import (
    BearOff,
    BearZone,
    Contact,
    Doubles,
    Entry,
    HeadFirstTurn,
    LaterStarter,
    Layout,
    OpeningRoll,
    PrimePath,
    PrimeRule,
    QuarterScope,
    Runner,
    Scoring,
    Timing,
    Unplayed,
    UnplayedScope,
)
from bgcore.kernel.record import Movement
from bgcore.option import Option, Value
from bgcore.setup import NOTHING

NO_BUNDLES: Mapping[str, Mapping[str, Value]] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """A game of the family: who it is, and its value on every axis (rules C10).

    What two variants share is a field here. What one game alone needs is a method of its `Rules`.
    `options` names what a table may set; `bundles` are option values that go together under a name.
    Another variant is `dataclasses.replace(WESTERN, id=..., start=...)`.
    """

    id: str
    title: str
    summary: str
    rules_version: str
    source: str
    start: Mapping[int, int]
    checkers: int
    aliases: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    own_options: tuple[Option, ...] = ()
    bundles: Mapping[str, Mapping[str, Value]] = field(default_factory=lambda: NO_BUNDLES)

    # the board and how checkers move; these are the kernel's record too
    layout: Layout = Layout.CONTRARY
    contact: Contact = Contact.HIT
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

    # dice and turns
    dice: int = 2
    doubles: Doubles = Doubles.FOUR
    ladder_from_roll: int = 1
    unplayed: Unplayed = Unplayed.LOST
    unplayed_scope: UnplayedScope = UnplayedScope.LADDER
    head_first_turn: HeadFirstTurn = HeadFirstTurn.NONE
    opening_roll: OpeningRoll = OpeningRoll.PLAY_DICE
    later_starter: LaterStarter = LaterStarter.OPENING_ROLL

    # what a game is worth, and matches
    scoring: Scoring = Scoring.LEVELS
    gammon_value: int = 2
    backgammon_value: int = 2
    mother_points: int = 2
    cube: bool = False
    jacoby: bool = False
    match_length: int | None = 5

    @property
    def movement(self) -> Movement:
        """The part of the data that is about moving checkers."""
        return Movement(**{axis.name: getattr(self, axis.name) for axis in fields(Movement)})

    @property
    def unentered(self) -> int:
        """Checkers of a side that start off the board."""
        return self.checkers - sum(self.start.values())


EMPTY_START = NOTHING
"""The start of games in which every checker has still to be entered."""
