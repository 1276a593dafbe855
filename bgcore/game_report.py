"""What a game of a match file came to."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from bgcore.outcome import Ending, Result
from bgcore.rules import Rules
from bgcore.seat import Seat

ENDED_BY = {Ending.BORNE_OFF: "bearoff", Ending.DROPPED: "drop", Ending.RESIGNED: "resign"}
BROKEN, UNFINISHED = "broken", "unfinished"
UNKNOWN = "?"
"""The word for a level that the points do not tell."""


@dataclass(frozen=True, slots=True)
class GameReport:
    """What one game came to.

    `points` are those recorded, `points_by_rule` what cube and level make (`None` where the game was
    given up, since then only the recorded ones are known). `level` is a level's word, or `?`.
    """

    number: int
    score: tuple[int, int]  # before the game
    winner: Seat | None
    points: int | None
    points_by_rule: int | None
    ended_by: str
    level: str
    cube: int
    rolls: int
    doubles: int
    flags: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        """The form that `bgcore replay --json` prints."""
        return {
            "winner": number_of(self.winner),
            "points": self.points,
            "points_by_rule": self.points_by_rule,
            "ended_by": self.ended_by,
            "cube": self.cube,
            "rolls": self.rolls,
            "flags": list(self.flags),
        }


def level_word(result: Result) -> str:
    """The level of a result as reports tell it."""
    return UNKNOWN if result.level is None else str(result.level)


def points_by_rule(rules: Rules, result: Result) -> int:
    """What cube and level alone make of a game; a drop, a flag or a draw costs what it did."""
    if result.ending is Ending.MOTHER_PINNED:
        return rules.variant.mother_points * result.cube
    if result.level is not None and result.ending in (Ending.BORNE_OFF, Ending.RESIGNED):
        return rules.value(result.level) * result.cube
    return result.points


_FLAGS = (
    "money-single-game",
    "????",
    "absurd-points",
    "capped-at-length",
    "jacoby",
    "losses-row",
    "losses-line",
    "row-number-inside-row",
)


def _order(flag: str) -> tuple[int, str]:
    return (_FLAGS.index(flag) if flag in _FLAGS else len(_FLAGS), flag)


def in_order(flags: Iterable[str]) -> tuple[str, ...]:
    """What was odd about a game, as reports list it."""
    return tuple(sorted(flags, key=_order))


def number_of(seat: Seat | None) -> int | None:
    """A player as match files count them, from 1."""
    return None if seat is None else seat + 1
