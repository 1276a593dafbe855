"""A match or money session: games, the score, and who starts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum

from bgcore.action import Action, Kind
from bgcore.axes import LaterStarter
from bgcore.cube import NEW_CUBE, Cube
from bgcore.decision import Decision, Terms
from bgcore.errors import illegal
from bgcore.game import Game
from bgcore.outcome import Result
from bgcore.position import Position
from bgcore.rules import Rules
from bgcore.seat import Seat


class Crawford(StrEnum):
    """Where a match stands with its Crawford game (M7)."""

    BEFORE = "before"
    NOW = "now"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class Start:
    """Where a match begins when it does not begin at nil-nil with a new game.

    `position` is seen by `seat`, who is on turn; `dice` when he has rolled.
    """

    position: Position | None = None
    seat: Seat = Seat.WHITE
    cube: Cube = NEW_CUBE
    dice: tuple[int, ...] = ()
    score: tuple[int, int] = (0, 0)
    crawford: Crawford = Crawford.BEFORE


NEW = Start()
"""A match from its beginning."""


@dataclass(frozen=True, slots=True)
class Match:
    """Games one after another under one set of rules. `actions` and `start` alone replay it.

    In a money session `score` is what each seat has won so far, and the match never ends by itself.
    """

    rules: Rules
    start: Start
    game: Game
    score: tuple[int, int]
    crawford: Crawford
    first_starter: Seat | None = None  # who started the game that is on; None: not thrown yet
    results: tuple[Result, ...] = ()
    actions: tuple[Action, ...] = ()

    @classmethod
    def new(cls, rules: Rules, start: Start = NEW) -> Match:
        """A match at its start; `IllegalAction` when that start is already decided."""
        length, allowed = rules.options.get("match_length"), bool(rules.options.get("crawford"))
        _check_score(start.score, length)
        crawford, short = start.crawford, _one_short(start.score, length)
        if crawford is Crawford.BEFORE and short:
            crawford = Crawford.NOW if allowed else Crawford.AFTER
        if crawford is Crawford.NOW and not (short and allowed):
            why = f"nobody is one point short at {start.score[0]}-{start.score[1]}"
            raise illegal("BAD_START", "crawford", crawford, why, "before or after", "M7")
        terms = _terms(rules, start.score, crawford)
        if start.position is None:
            game = Game.start(rules, terms)
        else:
            game = Game.from_position(
                rules, terms, start.position, start.seat, start.cube, start.dice
            )
        return cls(rules, start, game, start.score, crawford)

    @classmethod
    def replay(cls, rules: Rules, actions: Iterable[Action], start: Start = NEW) -> Match:
        """The match that a record leads to; `IllegalAction` at the first action that is not legal."""
        match = cls.new(rules, start)
        for action in actions:
            match = match.after(action)
        return match

    @property
    def length(self) -> int | None:
        """Points to play to; `None`: a money session."""
        length = self.rules.options.get("match_length")
        return length if isinstance(length, int) else None

    @property
    def winner(self) -> Seat | None:
        """Who has won the match; `None` while it goes on."""
        if self.length is None or max(self.score) < self.length:
            return None
        return Seat.WHITE if self.score[0] > self.score[1] else Seat.BLACK

    @property
    def decision(self) -> Decision:
        """Who must decide, and what is legal; no kinds once the match is over."""
        if self.game.result is None:
            return self.game.decision
        kinds = () if self.winner is not None else (Kind.NEXT_GAME,)
        return Decision(None, kinds, kinds)

    def after(self, action: Action) -> Match:
        """The match after a legal action; `IllegalAction` says why it is not one. Nothing changes here."""
        if self.winner is not None:
            raise illegal(
                "MATCH_OVER", "action", action.kind, "the match is over", "no more actions"
            )
        if action.kind is Kind.NEXT_GAME:
            return self._next_game(action)
        game = self.game.after(action)
        match = replace(self, game=game, actions=(*self.actions, action))
        if action.kind is Kind.THROW and game.phase is not self.game.phase:
            match = replace(match, first_starter=game.seat)
        return match._scored(game.result) if game.result else match

    def _scored(self, result: Result) -> Match:
        white, black = self.score
        if result.winner is Seat.WHITE:
            white += result.points
        elif result.winner is Seat.BLACK:
            black += result.points
        return replace(self, score=(white, black), results=(*self.results, result))

    def _next_game(self, action: Action) -> Match:
        if self.game.result is None:
            raise illegal(
                "NOT_NOW", "action", action.kind, "the game is still running", "its end first"
            )
        crawford = self._next_crawford()
        starter = self._next_starter(self.game.result)
        game = Game.start(self.rules, _terms(self.rules, self.score, crawford), starter)
        return replace(
            self,
            game=game,
            crawford=crawford,
            first_starter=starter,
            actions=(*self.actions, action),
        )

    def _next_crawford(self) -> Crawford:
        """The game after a player first comes to one point short is the Crawford game; there is only one."""
        if self.crawford is Crawford.NOW:
            return Crawford.AFTER
        if self.crawford is Crawford.BEFORE and _one_short(self.score, self.length):
            return Crawford.NOW if self.rules.options.get("crawford") else Crawford.AFTER
        return self.crawford

    def _next_starter(self, last: Result) -> Seat | None:
        """Who starts without a throw (C5); after a drawn game a throw is always made."""
        later = self.rules.variant.later_starter
        if later is LaterStarter.OPENING_ROLL or last.winner is None:
            return None
        if later is LaterStarter.PREVIOUS_WINNER:
            return last.winner
        return None if self.first_starter is None else self.first_starter.other


def _check_score(score: tuple[int, int], length: object) -> None:
    """`IllegalAction` when no match can go on from this score."""
    if len(score) != 2 or not all(type(points) is int and points >= 0 for points in score):
        raise illegal("BAD_SCORE", "score", list(score), "not a score", "two numbers from 0")
    if isinstance(length, int) and max(score) >= length:
        expected = f"below match_length {length}"
        raise illegal("MATCH_OVER", "score", list(score), "the match is over", expected)


def _one_short(score: tuple[int, int], length: object) -> bool:
    return isinstance(length, int) and length > 1 and max(score) == length - 1


def _terms(rules: Rules, score: tuple[int, int], crawford: Crawford) -> Terms:
    options = rules.options
    cap, length = options.get("cube_cap"), options.get("match_length")
    cube = bool(options.get("cube"))
    return Terms(
        cube=cube,
        cube_cap=cap if isinstance(cap, int) else None,
        jacoby=cube and bool(options.get("jacoby")),
        double_before_first_roll=bool(options.get("double_before_first_roll")),
        resign_auto_accept=bool(options.get("resign_auto_accept")),
        crawford=crawford is Crawford.NOW,
        match_length=length if isinstance(length, int) else None,
        score=score,
    )
