"""What the oracle talks about: a state, the rules that it knows, and facts about the turn."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

BAR = 25
RESERVE = 26  # unentered checkers, who enter as if from the bar
OFF = 0
START = 24
HOME = range(1, 7)


class Side(NamedTuple):
    """One side's checkers in its own numbering: the bar is 25, off is 0, not yet entered is 26.

    A pinned checker is not counted on its point in `free`.
    """

    free: tuple[tuple[int, int], ...]  # (where, how many), by point, never zero
    pinned: tuple[int, ...] = ()

    @classmethod
    def of(cls, counts: Mapping[int, int], pinned: Iterable[int] = ()) -> Side:
        """The side with these free checkers; entries of zero do not matter."""
        return cls(tuple(sorted(kv for kv in counts.items() if kv[1])), tuple(sorted(pinned)))

    @property
    def counts(self) -> dict[int, int]:
        """Free checkers, as a dictionary that may be changed."""
        return dict(self.free)

    @property
    def checkers(self) -> int:
        """How many there are, wherever they are."""
        return sum(count for _, count in self.free) + len(self.pinned)

    def holds(self, point: int) -> bool:
        """Whether any checker of this side, free or pinned, is there."""
        return point in self.pinned or any(where == point for where, _ in self.free)


class State(NamedTuple):
    """Both sides; `me` is to play. After a play `me` is still the one who played."""

    me: Side
    opp: Side

    def flipped(self) -> State:
        """The same board for the other player."""
        return State(self.opp, self.me)


@dataclass(frozen=True, slots=True)
class Rules:
    """The axes that the oracle knows. A double is always one unit of four steps."""

    layout: str = "contrary"
    contact: str = "hit"
    checkers: int = 15
    higher_die_rule: bool = True
    home_hit_and_run: bool = True
    mother_rule: bool = False
    bear_off_while_pinned: bool = False
    entry: str = "none"
    bear_off: str = "standard"
    bear_zone: str = "last_quarter"
    first_half_lock: bool = False
    no_hit_before_home: bool = False
    head_limit: int | None = None
    head_first_turn: str = "none"
    runner: str = "none"
    own_start_quarter_max: int = 6
    opp_start_quarter_max: int = 6
    opp_start_quarter_scope: str = "always"
    prime_rule: str = "none"
    prime_path: str = "opponent"
    restriction_timing: str = "per_step"
    unblock_duty: bool = False

    def across(self, point: int) -> int:
        """The opponent's number for my point, which is also my number for his (C1)."""
        if self.layout == "contrary":
            return 25 - point
        if self.layout == "parallel":
            return point + 12 if point <= 12 else point - 12
        return point


class Facts(NamedTuple):
    """What a question tells of the turn (C7); without it, it is an ordinary later one."""

    own_roll: int | None = None
    left_head: int = 0
    locked: frozenset[int] = frozenset()


ORDINARY = Facts()
BLOCK: dict[str, Any] = {"layout": "parallel", "contact": "block"}
NARDY = {
    **BLOCK,
    "head_limit": 1,
    "head_first_turn": "listed_doubles",
    "prime_rule": "need_ahead",
}
VARIANTS: dict[str, dict[str, Any]] = {
    "western": {},
    "tavla": {},
    "portes": {},
    "plakoto": {"contact": "pin"},
    "tapa": {"contact": "pin"},
    "plakoto-express": {"contact": "pin"},
    "gul-bara": BLOCK,
    "gul-bara-bulgarian": BLOCK,
    "gioul": {"contact": "block"},
    "moultezim": {**BLOCK, "runner": "pass_start", "opp_start_quarter_max": 4},
    "fevga": {
        **BLOCK,
        "runner": "pass_start",
        "own_start_quarter_max": 5,
        "unblock_duty": True,
    },
    "long-nardy": NARDY,
    "crazy-narde": {**NARDY, "bear_off": "exact_static"},
    "jacquet": {**BLOCK, "runner": "reach_home"},
    "tawla-31": {"contact": "block", "runner": "reach_home"},
    "acey-deucey": {"entry": "freely"},
    "european-acey-deucey": {"entry": "freely", "bear_off": "exact"},
    "russian-backgammon": {"entry": "first", "layout": "same"},
    "tabula": {
        "entry": "freely",
        "layout": "same",
        "first_half_lock": True,
        "bear_off": "exact",
    },
    "dutch": {"entry": "freely", "no_hit_before_home": True},
    "misere": {},
    "hypergammon": {"checkers": 3},
    "nackgammon": {},
    "longgammon": {},
}
IN_PARALLEL = {"tawla-31": {"runner": "reach_start_quarter"}}
"""What else holds in a game that both sides play the same way round, if a table wants it so."""
KNOWN = {field.name for field in fields(Rules)} - {"checkers"}
NOT_ABOUT_ONE_UNIT = {
    "doubles",
    "ladder_from_roll",
    "unplayed",
    "unplayed_scope",
    "scoring",
    "opening_roll",
    "later_starter",
    "gammon_value",
    "backgammon_value",
    "mother_points",
    "match_length",
    "jacoby",
    "cube",
}


def rules_of(variant: str, options: Mapping[str, Any] | None = None) -> Rules:
    """The rules of a variant under options.

    An option without influence on a unit of steps is passed over, an unknown one refused.
    """
    chosen = dict(options or {})
    if unknown := chosen.keys() - KNOWN - NOT_ABOUT_ONE_UNIT:
        raise ValueError(f"the oracle does not know {sorted(unknown)}")
    known = {name: value for name, value in chosen.items() if name in KNOWN}
    name = variant.replace("_", "-")
    more = IN_PARALLEL.get(name, {}) if chosen.get("layout") == "parallel" else {}
    return Rules(**{**VARIANTS[name], **more, **known})
