"""Giving up a game: what may be offered, and when (rules M9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgcore.action import Action, Kind
from bgcore.errors import IllegalAction, illegal
from bgcore.offer import Offer
from bgcore.outcome import Level
from bgcore.phase import Phase
from bgcore.seat import Seat

if TYPE_CHECKING:
    from bgcore.game import Game

ON_TURN = (Phase.ROLL, Phase.PLAY, Phase.NAME_DOUBLE)


def why_no_resignation(game: Game, seat: Seat) -> IllegalAction | None:
    """What speaks against `seat` resigning at any level now; `None`: nothing."""
    if game.offer or game.phase is Phase.DOUBLED:
        return game.offer_pending(Kind.RESIGN)
    on_turn = game.phase in ON_TURN and game.seat is seat
    if game.terms.resign_on_own_turn and not on_turn:
        why = f"it is not {seat}'s turn, and only then may one resign here"
        return illegal("NOT_YOUR_TURN", "action", Kind.RESIGN, why, f"{seat}'s turn", "M9")
    return None


def offered(game: Game, action: Action) -> Offer:
    """The resignation that an action offers; `IllegalAction` says why it may not."""
    seat, level, points = action.seat, action.level, action.points
    counted = not game.rules.levels
    if seat is None or (level is None and points is None):
        expected = "a seat and points" if counted else "a seat and a level"
        raise illegal("SEAT_MISSING", "action", Kind.RESIGN, "incomplete", expected, "M9")
    if counted and level is not None:
        why, expected = "checkers are counted here", "points"
        raise illegal("LEVEL_NOT_TAKEN", "level", level, why, expected, "M9")
    if not counted and points is not None:
        why, expected = "here a level is resigned", " or ".join(game.rules.levels)
        raise illegal("POINTS_NOT_TAKEN", "points", points, why, expected, "M9")
    offer = Offer(seat, level, game.rules.value(level) if level is not None else points or 0)
    if refusal := why_not_offered(game, offer):
        raise refusal
    return offer


def why_not_offered(game: Game, offer: Offer) -> IllegalAction | None:
    """What speaks against offering to lose so much now; `None`: nothing."""
    seat, level = offer.seat, offer.level
    if refusal := why_no_resignation(game, seat):
        return refusal
    possible = game.possible_levels(seat)
    if level is not None and level not in possible:
        why = f"{seat} cannot lose that much any more"
        return illegal("LEVEL_NOT_POSSIBLE", "level", level, why, " or ".join(possible), "M9")
    if level is None and not 1 <= offer.points <= game.most(seat):
        why = f"{seat} has {game.most(seat)} checkers left"
        expected = f"1 to {game.most(seat)}"
        return illegal("POINTS_NOT_POSSIBLE", "points", offer.points, why, expected, "M9")
    if offer in game.declined:
        what, value = ("level", level) if level is not None else ("points", offer.points)
        expected = (
            f"{'another level' if level else 'other points'}, or one more turn to be played first"
        )
        return illegal("LEVEL_DECLINED", what, value, "just declined", expected, "M9")
    return None


def levels(game: Game, seat: Seat) -> tuple[Level, ...]:
    """The levels at which `seat` may offer to resign now, the lowest first."""
    if game.phase is Phase.OVER or why_no_resignation(game, seat):
        return ()
    possible = game.possible_levels(seat)
    if not game.declined:
        return possible
    declined = {offer.level for offer in game.declined if offer.seat is seat}
    return tuple(level for level in possible if level not in declined)


def points_to_resign(game: Game, seat: Seat) -> int:
    """The most points that `seat` may offer to lose now, where checkers are counted; 0: none."""
    if game.rules.levels or game.phase is Phase.OVER or why_no_resignation(game, seat):
        return 0
    declined = {offer.points for offer in game.declined if offer.seat is seat}
    return max((n for n in range(1, game.most(seat) + 1) if n not in declined), default=0)
