"""Who must decide, and what is legal."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bgcore.action import Kind
from bgcore.outcome import Level
from bgcore.phase import Phase
from bgcore.play import Plays
from bgcore.seat import Seat

if TYPE_CHECKING:
    from bgcore.game import Game


Levels = tuple[tuple[Level, ...], tuple[Level, ...]]
"""White's, then Black's."""


@dataclass(frozen=True, slots=True)
class Decision:
    """`seat` must choose one of `kinds`; `None`: either seat may. `other_kinds`: what the other may do meanwhile.

    `levels` are those at which White and Black may offer to resign now, the lowest first.
    """

    seat: Seat | None
    kinds: tuple[Kind, ...]
    other_kinds: tuple[Kind, ...] = ()
    game: Game | None = None
    levels: Levels = ((), ())

    @classmethod
    def of(cls, game: Game) -> Decision:
        """The decision of a game's state."""
        seat, kinds = game.decider, _kinds(game)
        levels = game.levels(Seat.WHITE), game.levels(Seat.BLACK)
        white, black = _meanwhile(game, Seat.WHITE, levels), _meanwhile(game, Seat.BLACK, levels)
        if seat is None:
            kinds += (Kind.RESIGN,) if Kind.RESIGN in white + black else ()
            return cls(None, kinds, kinds, game, levels)
        own, others = (white, black) if seat is Seat.WHITE else (black, white)
        return cls(seat, kinds + own, others, game, levels)

    def with_kind(self, kind: Kind) -> Decision:
        """The same with something that either seat may do at any time."""
        kinds, other_kinds = (*self.kinds, kind), (*self.other_kinds, kind)
        return Decision(self.seat, kinds, other_kinds, self.game, self.levels)

    @property
    def plays(self) -> Plays | None:
        """The legal plays, where a play is among the kinds."""
        return self.game.plays if self.game and Kind.PLAY in self.kinds else None


def _meanwhile(game: Game, seat: Seat, levels: Levels) -> tuple[Kind, ...]:
    """What a seat may do whether or not it must decide."""
    resign = (Kind.RESIGN,) if levels[seat] or game.points_to_resign(seat) else ()
    return (*resign, Kind.CORRECT) if game.may_correct(seat) else resign


def _kinds(game: Game) -> tuple[Kind, ...]:
    if game.offer:
        return (Kind.ANSWER_RESIGNATION,)
    if game.phase is Phase.ROLL or (game.phase is Phase.PLAY and game.may_reroll):
        rolled = (Kind.PLAY, Kind.ROLL) if game.phase is Phase.PLAY else (Kind.ROLL,)
        return rolled if game.why_no_double(game.seat) else (*rolled, Kind.DOUBLE)
    if game.phase is Phase.DOUBLED:
        return tuple(_answers(game))
    return KINDS.get(game.phase, ())


KINDS = {
    Phase.THROW: (Kind.THROW,),
    Phase.PLAY: (Kind.PLAY,),
    Phase.NAME_DOUBLE: (Kind.NAME_DOUBLE,),
}
"""What there is to do in the phases that leave no choice of kind."""


def _answers(game: Game) -> Iterator[Kind]:
    """What may be said to a double, or to the beaver or raccoon that followed it (M3, M4)."""
    yield Kind.TAKE
    if game.refusable:
        yield Kind.DROP
    if game.why_no_animal(game.seat_of_answer) is None:
        yield Kind.ANIMAL
