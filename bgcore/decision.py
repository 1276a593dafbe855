"""Who must decide, and what is legal; and the small values a game is made of."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from bgcore.action import Kind
from bgcore.outcome import Level
from bgcore.play import Plays
from bgcore.seat import Seat

if TYPE_CHECKING:
    from bgcore.game import Game


class Phase(StrEnum):
    """Where a game stands."""

    THROW = "throw"
    ROLL = "roll"
    PLAY = "play"
    DOUBLED = "doubled"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Terms:
    """What one game is played for: the options of the match, and where the match stands."""

    cube: bool = False
    cube_cap: int | None = 64
    jacoby: bool = False
    double_before_first_roll: bool = False
    resign_auto_accept: bool = True
    crawford: bool = False  # this is the Crawford game
    match_length: int | None = None  # None: a money session
    score: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Offer:
    """A resignation on offer."""

    seat: Seat
    level: Level


@dataclass(frozen=True, slots=True)
class Decision:
    """`seat` must choose one of `kinds`; `None`: either seat may. `other_kinds`: what the other may do meanwhile."""

    seat: Seat | None
    kinds: tuple[Kind, ...]
    other_kinds: tuple[Kind, ...] = ()
    game: Game | None = None

    @classmethod
    def of(cls, game: Game) -> Decision:
        """The decision of a game's state."""
        seat = game.decider
        kinds = _kinds(game)
        if seat is None:
            kinds += (Kind.RESIGN,) if any(game.levels(either) for either in Seat) else ()
            return cls(None, kinds, kinds, game)
        kinds += (Kind.RESIGN,) if game.levels(seat) else ()
        return cls(seat, kinds, (Kind.RESIGN,) if game.levels(seat.other) else (), game)

    @property
    def plays(self) -> Plays | None:
        """The legal plays, where a play is among the kinds."""
        return self.game.plays if self.game and Kind.PLAY in self.kinds else None


def _kinds(game: Game) -> tuple[Kind, ...]:
    if game.offer:
        return (Kind.ANSWER_RESIGNATION,)
    if game.phase is Phase.ROLL:
        return (Kind.ROLL, Kind.DOUBLE) if game.why_no_double(game.seat) is None else (Kind.ROLL,)
    if game.phase is Phase.PLAY:
        return (Kind.PLAY, Kind.ROLL) if game.may_reroll else (Kind.PLAY,)
    return {
        Phase.THROW: (Kind.THROW,),
        Phase.DOUBLED: (Kind.TAKE, Kind.DROP),
        Phase.OVER: (),
    }[game.phase]
