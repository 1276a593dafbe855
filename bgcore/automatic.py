"""What the rules leave no choice about, for tables that want it done without asking (T1)."""

from __future__ import annotations

from bgcore.action import Action, Kind
from bgcore.axes import IllegalMoves
from bgcore.match import Match
from bgcore.play import Plays

ANY_TIME = frozenset({Kind.RESIGN, Kind.RESIGN_MATCH})
"""What can be done at any time, and so is no reason to wait."""


def automatic(match: Match) -> Action | None:
    """The action that the match's options `auto_roll`, `auto_play` and `auto_pass` ask for now.

    A roll comes without dice. `None`: somebody has to decide, or nobody wants it done for him. Nothing is
    done while a play can still be corrected: to roll would take that away.

    >>> from bgcore import load
    >>> rules = load().rules("western", options={"match_length": 1, "auto_roll": True})
    >>> match = Match.new(rules)
    >>> automatic(match).kind.value
    'throw'
    >>> automatic(match.after(Action.throw(3, 1)))
    """
    options = match.rules.options
    if not (options.get("auto_roll") or options.get("auto_play") or options.get("auto_pass")):
        return None
    decision, game = match.decision, match.game
    if game.correctable is not None:
        return None
    match [kind for kind in decision.kinds if kind not in ANY_TIME]:
        case [Kind.THROW] if options.get("auto_roll"):
            return Action(Kind.THROW)
        case [Kind.ROLL] if options.get("auto_roll"):
            return Action(Kind.ROLL, decision.seat)
        case [Kind.PLAY] if (plays := decision.plays) is not None and _wanted(match, plays):
            assert decision.seat is not None
            return Action.play(decision.seat, plays[0])
    return None


def _wanted(match: Match, plays: Plays) -> bool:
    """Whether there is one play only, and the options want that made."""
    options = match.rules.options
    if len(plays) != 1 or options.get("illegal_moves") != IllegalMoves.REJECT:
        return False
    return bool(options.get("auto_play" if plays.numbers_used else "auto_pass"))
