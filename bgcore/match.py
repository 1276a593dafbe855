"""A match or money session: games, the score, and who starts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain
from typing import TYPE_CHECKING

from bgcore.action import Action, Kind, no_action
from bgcore.axes import ClockKind, FlagLoses, LaterStarter
from bgcore.chain import Chain
from bgcore.cube import NEW_CUBE, Cube
from bgcore.cycle import Cycle
from bgcore.decision import Decision
from bgcore.errors import IllegalAction, illegal
from bgcore.game import Game
from bgcore.outcome import Ending, Result
from bgcore.position import Position
from bgcore.rules import Rules
from bgcore.seat import Seat
from bgcore.terms import Terms

if TYPE_CHECKING:
    from dataclasses import replace as changed
else:
    from bgcore.changed import changed


class Crawford(StrEnum):
    """Where a match stands with its Crawford game (M7)."""

    BEFORE = "before"
    NOW = "now"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class Start:
    """Where a match begins when it does not begin at nil-nil with a new game.

    `position` is seen by `seat`, who is on turn; `dice` when he has rolled. Seat, cube and dice belong to a
    position: `Match.new` refuses them without one.
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
class Conceded:
    """A match lost otherwise than by points: who lost it, and how (M9, M10)."""

    loser: Seat
    ending: Ending


@dataclass(frozen=True)  # without slots, for `changed`
class Match:
    """Games one after another, of one variant or in a cycle of several. `actions` and `start` alone replay it.

    In a money session `score` is what each seat has won so far, and it ends when the players say so.
    `conceded` is set where the whole match was given up; the score stays as it stood.
    """

    cycle: Cycle
    start: Start
    game: Game
    score: tuple[int, int]
    crawford: Crawford
    first_starter: Seat | None = None  # who started the game that is on; None: not thrown yet
    results: Chain[Result] = field(default_factory=Chain)
    conceded: Conceded | None = None
    closed: bool = False  # a money session that the players have ended
    before: Chain[tuple[Action, ...]] = field(
        default_factory=Chain
    )  # the games before the one that is on
    last: tuple[Action, ...] = ()  # what ended the match, where that is no action of a game
    index: int = 0  # of the game that is on, in the cycle

    @classmethod
    def new(cls, games: Rules | Cycle, start: Start = NEW) -> Match:
        """A match at its start; `IllegalAction` when that start is already decided or cannot be one."""
        cycle = Cycle.of(games)
        rules = cycle.first
        length = rules.options.get("match_length")
        _check_score(start.score, length)
        crawford = start.crawford
        if crawford is Crawford.NOW:
            _check_crawford_game(cycle, start.score, length)
        if one_short(start.score, length) and crawford is not Crawford.AFTER:
            crawford = Crawford.NOW if cycle.crawford else Crawford.AFTER
        terms = _terms(rules, start.score, crawford)
        if start.position is None:
            _check_bare(start)
            game = Game.start(rules, terms)
        else:
            game = Game.from_position(
                rules, terms, start.position, start.seat, start.cube, start.dice
            )
        return cls(cycle, start, game, start.score, crawford, index=cycle.start_index)

    @classmethod
    def replay(cls, games: Rules | Cycle, actions: Iterable[Action], start: Start = NEW) -> Match:
        """The match that a record leads to; `IllegalAction` at the first action that is not legal."""
        match = cls.new(games, start)
        for action in actions:
            match = match.after(action)
        return match

    @property
    def rules(self) -> Rules:
        """The rules of the game that is on; what they say of match and table holds for every game."""
        return self.game.rules

    @property
    def game_number(self) -> int:
        """Number of the game that is on, or of the last one; 1 the first."""
        return len(self.results) + (self.game.result is None)

    @property
    def next_index(self) -> int:
        """The place in the cycle of the next game; while a game runs, as if it will not be drawn."""
        result = self.game.result
        return self.cycle.after(self.index, drawn=result is not None and result.winner is None)

    @property
    def length(self) -> int | None:
        """Points to play to; `None`: a money session."""
        return self.game.terms.match_length

    @property
    def actions(self) -> tuple[Action, ...]:
        """All that was done, from the start on."""
        return (*chain.from_iterable(self.before), *self.game.actions, *self.last)

    @property
    def begun(self) -> bool:
        """Whether anything has been done."""
        return bool(self.before or self.game.actions or self.last)

    @property
    def over(self) -> bool:
        """Whether nothing more can be done."""
        if self.closed or self.conceded is not None:
            return True
        length = self.game.terms.match_length
        return length is not None and max(self.score) >= length

    @property
    def winner(self) -> Seat | None:
        """Who has won the match; `None` while it goes on, and in a money session."""
        if self.conceded:
            return self.conceded.loser.other
        if self.length is None or not self.over:
            return None
        return Seat.WHITE if self.score[0] > self.score[1] else Seat.BLACK

    @property
    def decision(self) -> Decision:
        """Who must decide, and what is legal; no kinds once the match is over."""
        if self.over:
            return Decision(None, ())
        if self.game.result is None:
            decision = self.game.decision
        else:
            ends = (Kind.END_SESSION,) if self.length is None else ()
            decision = Decision(None, (Kind.NEXT_GAME, *ends), (Kind.NEXT_GAME, *ends))
        return decision if self.length is None else decision.with_kind(Kind.RESIGN_MATCH)

    def after(self, action: Action) -> Match:
        """The match after a legal action; `IllegalAction` says why it is not one. Nothing changes here."""
        if not isinstance(action, Action):
            raise no_action(action)
        if self.over:
            what = "session" if self.closed else "match"
            why, expected = f"the {what} is over", "no more actions"
            raise illegal("MATCH_OVER", "action", action.kind, why, expected, "M7")
        if handler := _HANDLERS.get(action.kind):
            return handler(self, action)
        game = self.game.after(action)
        match = changed(self, game=game)
        if action.kind is Kind.THROW and game.phase is not self.game.phase:
            match = changed(match, first_starter=game.seat)
        return match._scored(game.result) if game.result else match

    def _resign_match(self, action: Action) -> Match:
        """The match given up; nobody has to accept it, and the score stays as it stands (M9)."""
        if self.length is None:
            why, expected = "a money session is no match", "the game to be resigned"
            raise illegal("NO_MATCH", "action", action.kind, why, expected, "M9")
        return self._conceded(action, Ending.RESIGNED)

    def _conceded(self, action: Action, ending: Ending) -> Match:
        if action.seat is None:
            why, expected = "nobody's", "a seat, white or black"
            raise illegal("SEAT_MISSING", "seat", action.kind, why, expected, "M9")
        return changed(self, conceded=Conceded(action.seat, ending), last=(action,))

    def _end_session(self, action: Action) -> Match:
        if self.length is not None:
            why, expected = (
                "a match ends by its points",
                "the next game, or the match to be resigned",
            )
            raise illegal("NO_SESSION", "action", action.kind, why, expected, "M8")
        if self.game.result is None:
            raise self._still_running(action, "M8")
        return changed(self, closed=True, last=(action,))

    def _flag(self, action: Action) -> Match:
        """The time of who must decide has run out; whoever holds the clock says so (M10)."""
        seat, options = action.seat, self.rules.options
        if options.get("clock", ClockKind.NONE) == ClockKind.NONE and not options.get("absence"):
            why, expected = "nobody's time is counted", "a clock, or a limit of absence"
            raise illegal("NO_CLOCK", "action", action.kind, why, expected, "M10")
        if seat is None or self.decision.seat is not seat:
            why = f"it is not {seat}'s time that runs" if seat is not None else "nobody's"
            expected = f"{self.decision.seat or 'nobody'}"
            raise illegal("CLOCK_NOT_RUNNING", "seat", action.kind, why, expected, "M10")
        if options.get("flag_loses") == FlagLoses.MATCH:
            return self._conceded(action, Ending.FLAGGED)
        game = self.game.flagged(seat)
        match = changed(self, game=changed(game, actions=(*game.actions, action)))
        assert game.result is not None
        return match._scored(game.result)

    def _scored(self, result: Result) -> Match:
        white, black = self.score
        if result.winner is Seat.WHITE:
            white += result.points
        elif result.winner is Seat.BLACK:
            black += result.points
        return changed(self, score=(white, black), results=self.results.then(result))

    def _next_game(self, action: Action) -> Match:
        if self.game.result is None:
            raise self._still_running(action, "M7")
        crawford, index = self._next_crawford(), self.next_index
        rules = self.cycle.games[index]
        starter = self._next_starter(self.game.result, rules.variant.later_starter)
        terms = _terms(rules, self.score, crawford)
        return changed(
            self,
            game=Game.start(rules, terms, starter),
            index=index,
            crawford=crawford,
            first_starter=starter,
            # A game apart, so that a long session is not copied with each.
            before=self.before.then((*self.game.actions, action)),
        )

    def _still_running(self, action: Action, rule: str) -> IllegalAction:
        why, expected = "the game is still running", "its end first"
        return illegal("NOT_NOW", "action", action.kind, why, expected, rule)

    def _next_crawford(self) -> Crawford:
        """The game after a player first comes to one point short is the Crawford game; there is only one."""
        if self.crawford is Crawford.NOW:
            return Crawford.AFTER
        if self.crawford is Crawford.BEFORE and one_short(self.score, self.length):
            return Crawford.NOW if self.cycle.crawford else Crawford.AFTER
        return self.crawford

    def _next_starter(self, last: Result, later: LaterStarter) -> Seat | None:
        """Who starts without a throw (C5); after a drawn game a throw is always made."""
        if later is LaterStarter.OPENING_ROLL or last.winner is None:
            return None
        if later is LaterStarter.PREVIOUS_WINNER:
            return last.winner
        return None if self.first_starter is None else self.first_starter.other


def _check_score(score: tuple[int, int], length: object) -> None:
    """`IllegalAction` when no match can go on from this score."""
    if len(score) != 2 or not all(type(points) is int and points >= 0 for points in score):
        why, expected = "not a score", "two numbers from 0"
        raise illegal("BAD_SCORE", "score", list(score), why, expected, "M1")
    if isinstance(length, int) and max(score) >= length:
        expected = f"below match_length {length}"
        raise illegal("MATCH_OVER", "score", list(score), "the match is over", expected, "M7")


def _check_crawford_game(cycle: Cycle, score: tuple[int, int], length: object) -> None:
    """`IllegalAction` when no Crawford game can be on; without a cube it is a word that forbids nothing."""
    if not one_short(score, length):
        why = f"nobody is one point short at {score[0]}-{score[1]}"
    elif cycle.cube and not cycle.crawford:
        why = "the option crawford is false, so this match has no Crawford game"
    else:
        return
    raise illegal("BAD_START", "crawford", Crawford.NOW, why, "before or after", "M7")


def _check_bare(start: Start) -> None:
    """`IllegalAction` for what only a position can have, where there is none."""
    for name in ("seat", "cube", "dice"):
        if (value := getattr(start, name)) != getattr(NEW, name):
            shown = list(value) if name == "dice" else value.value if name == "cube" else value
            why = "only a game that is on has it"
            raise illegal("BAD_START", name, f"{name} {shown}", why, "a position with it", "C7")


def one_short(score: tuple[int, int], length: object) -> bool:
    """Whether a player needs one point more; nobody does from the beginning, in a match of one (M7).

    >>> one_short((4, 2), 5), one_short((0, 0), 1), one_short((4, 2), None)
    (True, False, False)
    """
    return isinstance(length, int) and length > 1 and max(score) == length - 1


def _terms(rules: Rules, score: tuple[int, int], crawford: Crawford) -> Terms:
    return Terms.of(
        rules.options,
        score,
        crawford=crawford is Crawford.NOW,
        after_crawford=crawford is Crawford.AFTER and bool(rules.options.get("crawford")),
    )


_HANDLERS: dict[Kind, Callable[[Match, Action], Match]] = {
    Kind.NEXT_GAME: Match._next_game,
    Kind.RESIGN_MATCH: Match._resign_match,
    Kind.END_SESSION: Match._end_session,
    Kind.FLAG: Match._flag,
}
