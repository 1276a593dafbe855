"""A match as any notation tells it: for each game where it began, what happened, how it ended.

What leaves no trace is not in it (ties of an opening throw, declined resignations, in which of many ways
a play was written), so two matches with equal stories differ in nothing that a notation should keep.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from bgcore.action import Action, Kind
from bgcore.cube import Cube
from bgcore.cycle import Cycle
from bgcore.game import Game
from bgcore.match import NEW, Crawford, Match, Start
from bgcore.outcome import Ending, Result
from bgcore.play import Play
from bgcore.position import Position
from bgcore.rules import Rules
from bgcore.seat import Seat

CUBE = (Kind.DOUBLE, Kind.ANIMAL, Kind.TAKE, Kind.DROP)


@dataclass(frozen=True, slots=True)
class Event:
    """A roll (an opening throw is its winner's), a play, or an action with the cube.

    Dice come the highest first. Two plays are equal when they lead to the same position; `None` is an
    illegal one that stands (M11).
    """

    kind: Kind
    seat: Seat
    dice: tuple[int, ...] = ()
    play: Play | None = None

    def __str__(self) -> str:
        what = "".join(map(str, self.dice)) if self.dice else self.play
        return f"{self.seat} {self.kind} {'' if what is None else what}".strip()


@dataclass(frozen=True, slots=True)
class End:
    """How a game ended; Jacoby can make the level that was lost unknown, so it is not told."""

    winner: Seat | None
    points: int
    ending: Ending
    cube: int

    @classmethod
    def of(cls, result: Result) -> End:
        return cls(result.winner, result.points, result.ending, result.cube)


@dataclass(frozen=True, slots=True)
class GameStory:
    """One game. `cube` and `position` (seen by `seat`) are those at its first event.

    `position` is `None` for a game from its beginning, the cube's value then what ties made of it.
    """

    score: tuple[int, int]
    crawford: bool
    cube: Cube
    position: Position | None
    seat: Seat
    events: tuple[Event, ...]
    end: End | None


@dataclass(frozen=True, slots=True)
class Story:
    """A match with its games, the one that is on included.

    >>> from bgcore import Action, Match, load
    >>> match = Match.new(load().rules("western")).after(Action.throw(2, 2)).after(Action.throw(1, 3))
    >>> [game] = Story.of(match.after(Action.play(Seat.BLACK, "8/5 6/5"))).games
    >>> print(*game.events, sep=", ")
    black roll 31, black play 8/5 6/5
    """

    match: Match
    games: tuple[GameStory, ...]

    @classmethod
    def of(cls, match: Match) -> Story:
        """The story of a match that was played."""
        return cls.replay(match.cycle, match.actions, match.start)

    @classmethod
    def replay(cls, games: Rules | Cycle, actions: Iterable[Action], start: Start = NEW) -> Story:
        """The story of a record; `IllegalAction` at the first action that is not legal."""
        teller = _Teller(Match.new(games, start), start)
        told = []
        for action in actions:
            if action.kind is Kind.NEXT_GAME:
                told.append(teller.game())
                teller = _Teller(teller.match.after(action))
            else:
                teller.take(action)
        return cls(teller.match, (*told, teller.game()))


class _Teller:
    """One game that is being told."""

    def __init__(self, match: Match, start: Start = NEW) -> None:
        self.begun = self.match = match
        self.cube = match.game.cube
        self.start = start
        self.events = [_roll(start.seat, start.dice)] if start.position and start.dice else []

    def take(self, action: Action) -> None:
        before, self.match = self.match, self.match.after(action)
        if not self.events:
            self.cube = before.game.cube
        if action.kind is Kind.CORRECT:
            self.events.pop()  # the illegal play, which is as if it had never been made
        self.events += _events(before.game, self.match.game, action)

    def game(self) -> GameStory:
        result = self.match.game.result
        cube = self.cube if self.events else self.match.game.cube
        return GameStory(
            self.begun.score,
            self.begun.crawford is Crawford.NOW,
            replace(cube, turned=cube.owner is not None),
            self.start.position,
            self.start.seat if self.start.position else Seat.WHITE,
            tuple(self.events),
            End.of(result) if result else None,
        )


def _roll(seat: Seat, dice: tuple[int, ...]) -> Event:
    return Event(Kind.ROLL, seat, tuple(sorted(dice, reverse=True)))


def _events(before: Game, after: Game, action: Action) -> Iterator[Event]:
    """What an action is in the story: nothing, or one event."""
    seat = action.seat
    if action.kind is Kind.THROW and after.dice:
        yield _roll(after.seat, action.dice)
    if seat is None:
        return
    if action.kind is Kind.ROLL:
        yield _roll(seat, action.dice)
    elif action.kind is Kind.PLAY:
        yield Event(Kind.PLAY, seat, play=None if after.correctable else before.play_of(action))
    elif action.kind is Kind.CORRECT and before.correctable:
        yield Event(Kind.PLAY, seat, play=before.correctable.play_of(action))
    elif action.kind in CUBE:
        yield Event(action.kind, seat)
