"""Giving up a game: what may be offered, and when (rules M9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgcore.action import Kind
from bgcore.decision import Offer, Phase
from bgcore.errors import IllegalAction, illegal
from bgcore.outcome import Level
from bgcore.seat import Seat

if TYPE_CHECKING:
    from bgcore.game import Game


def why_no_resignation(game: Game, seat: Seat) -> IllegalAction | None:
    """What speaks against `seat` resigning at any level now; `None`: nothing."""
    if game.offer or game.phase is Phase.DOUBLED:
        return game.offer_pending(Kind.RESIGN)
    on_turn = game.phase in (Phase.ROLL, Phase.PLAY) and game.seat is seat
    if game.terms.resign_on_own_turn and not on_turn:
        why = f"it is not {seat}'s turn, and only then may one resign here"
        return illegal("NOT_YOUR_TURN", "action", Kind.RESIGN, why, f"{seat}'s turn", "M9")
    return None


def why_no_level(game: Game, seat: Seat, level: Level) -> IllegalAction | None:
    """What speaks against `seat` offering to lose at this level now; `None`: nothing."""
    if refusal := why_no_resignation(game, seat):
        return refusal
    possible = game.possible_levels(seat)
    if level not in possible:
        why = f"{seat} cannot lose that much any more"
        return illegal("LEVEL_NOT_POSSIBLE", "level", level, why, " or ".join(possible), "M9")
    if Offer(seat, level) in game.declined:
        expected = "another level, or one more turn to be played first"
        return illegal("LEVEL_DECLINED", "level", level, "just declined", expected, "M9")
    return None


def levels(game: Game, seat: Seat) -> tuple[Level, ...]:
    """The levels at which `seat` may offer to resign now, the lowest first."""
    if game.phase is Phase.OVER or why_no_resignation(game, seat):
        return ()
    possible = game.possible_levels(seat)
    if not game.declined:
        return possible
    return tuple(level for level in possible if Offer(seat, level) not in game.declined)
