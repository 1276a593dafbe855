"""A position in a match: what a Match ID, an XGID or a drawn board says, seat by seat."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from bgcore.action import Action
from bgcore.cube import NEW_CUBE, Cube
from bgcore.errors import Fault, NotationError, shown
from bgcore.match import Crawford, Match, Start, one_short
from bgcore.option import Value
from bgcore.outcome import Ending, Level, Result
from bgcore.phase import Phase
from bgcore.position import Position
from bgcore.resolve import options_of
from bgcore.rules import Rules
from bgcore.seat import Seat
from bgcore.setup import Setup, SideSetup
from bgcore.variant import Variant


class State(StrEnum):
    """Whether a game is on, and how the last one ended."""

    NONE = "none"
    PLAYING = "playing"
    OVER = "over"
    RESIGNED = "resigned"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Situation:
    """A position in a match as somebody tells it. It proves nothing: `match(rules)` does.

    `setup` is the board seen by `seat`, who is on roll; `None` where a text has no board. It is a `Setup`
    with the side on roll first, as that is what `rules.position` proves and a Position ID holds; `side`
    gives the checkers of a seat. `decider` is the other seat while a double or a resignation waits.

    `cube` lies as it did before a double that waits; `raised` says how far that has gone: 0 no double,
    1 doubled, 2 beavered, 3 raccooned and so on. `resigned` is the level on offer, or given up where
    `state` is resigned. Once a game has ended, `score` has its points and `crawford` is about the next.

    `length = None`: a money session; `cube_cap = None`: no cap, or none is told. `score` is White's, then
    Black's. `dice` are empty before the roll. In texts that number or place the players White is GNU
    Backgammon's player 0 and sits at the top (O), Black is player 1 and sits at the bottom (X).
    """

    setup: Setup | None = None
    seat: Seat
    decider: Seat
    cube: Cube = NEW_CUBE
    cube_cap: int | None = None
    dice: tuple[int, ...] = ()
    length: int | None = None
    score: tuple[int, int] = (0, 0)
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False
    raised: int = 0
    resigned: Level | None = None
    state: State = State.PLAYING

    @classmethod
    def of(cls, match: Match) -> Situation:
        """Where a match stands.

        >>> from bgcore import Action, load
        >>> match = Match.new(load().rules("western")).after(Action.throw(1, 3))
        >>> here = Situation.of(match)
        >>> here.seat, here.dice, here.length
        (<Seat.BLACK: 1>, (1, 3), 7)
        """
        game, seat = match.game, match.game.seat
        here = cls(
            setup=game.position.setup,
            seat=seat,
            decider=seat if game.decider is None else game.decider,
            cube=game.cube,
            cube_cap=game.terms.cube_cap,
            dice=game.dice,
            length=match.length,
            score=match.score,
            crawford=_crawford(match),
            jacoby=game.terms.jacoby,
            beavers=game.terms.animals != 0,
            raised=game.raised,
            resigned=game.offer.level if game.offer else None,
            state=State.NONE if game.phase is Phase.THROW else State.PLAYING,
        )
        if game.result:
            return _ended(here, game.result)
        if match.winner is not None:  # the whole match was given up
            return replace(here, raised=0, resigned=None, state=State.OVER)
        return here

    @property
    def running(self) -> bool:
        """Whether a game is on. GNU Backgammon's analysis has the first roll of a match with no state."""
        return self.state is State.PLAYING or (self.state is State.NONE and bool(self.dice))

    def side(self, seat: Seat) -> SideSetup:
        """The checkers of a seat; `NotationError` where there is no board."""
        if self.setup is None:
            expected = "one, such as a Position ID beside a Match ID"
            raise NotationError(Fault("NO_BOARD", "board", "missing", expected))
        return self.setup.mover if seat is self.seat else self.setup.opponent

    def position(self, rules: Rules) -> Position:
        """The proven board, seen by who is on roll.

        `NotationError` where there is no board, `IllegalPosition` where the rules have none such.
        """
        return rules.position(Setup(self.side(self.seat), self.side(self.seat.other)))

    def options(self, variant: Variant) -> dict[str, Value]:
        """What a table of this variant must choose to go on from here; other options are its own.

        >>> from bgcore import load
        >>> money = Situation(seat=Seat.WHITE, decider=Seat.WHITE, cube_cap=1024, jacoby=True)
        >>> money.options(load().variant("western"))
        {'match_length': None, 'cube_cap': 1024, 'jacoby': True, 'animals': 0}
        """
        chosen: dict[str, Value] = {"match_length": self.length, "cube_cap": self.cube_cap}
        if self.length is None:
            chosen |= {"jacoby": self.jacoby, "animals": max(int(self.beavers), self.raised - 1)}
        elif self.raised > 1:
            chosen |= {"money_rules_in_match": "allow", "animals": self.raised - 1}
        if self.crawford:
            chosen["crawford"] = True
        known = options_of(variant)
        return {name: value for name, value in chosen.items() if name in known}

    def start(self, rules: Rules) -> Start:
        """Where a match begins that goes on from here, with an offer that waits not yet made.

        Without a game that is on it begins with a new one, at this score. `NotationError` where a game is
        on and there is no board, `IllegalPosition` where the rules have no such position.
        """
        if not self.running:
            return Start(score=self.score, crawford=self._stage)
        return Start(self.position(rules), self.seat, self.cube, self.dice, self.score, self._stage)

    @property
    def pending(self) -> tuple[Action, ...]:
        """The offers that wait for an answer, as the actions that make them after `start`."""
        if not self.running:
            return ()
        doubles = (Action.double(self.seat),) if self.raised else ()
        seats = (self.seat.other, self.seat)  # the one who was doubled may raise it first
        animals = tuple(Action.animal(seats[number % 2]) for number in range(self.raised - 1))
        resigns = (
            () if self.resigned is None else (Action.resign(self.decider.other, self.resigned),)
        )
        return doubles + animals + resigns

    def match(self, rules: Rules) -> Match:
        """The match that stands here, under rules with these `options`.

        `IllegalAction` or `IllegalPosition` where no match of theirs can, `NotationError` without a board.

        >>> from bgcore import load
        >>> western = load().rules("western", options={"match_length": 5})
        >>> here = Situation(setup=western.start.setup, seat=Seat.WHITE, decider=Seat.WHITE, length=5)
        >>> Situation.of(here.match(western)).score
        (0, 0)
        """
        return Match.replay(rules, self.pending, self.start(rules))

    @property
    def _stage(self) -> Crawford:
        if not one_short(self.score, self.length):
            return Crawford.BEFORE
        return Crawford.NOW if self.crawford else Crawford.AFTER


def _ended(here: Situation, result: Result) -> Situation:
    """The same once its game has ended: who is on roll and who decides as GNU Backgammon has them."""
    winner = here.seat if result.winner is None else result.winner
    if result.ending is Ending.DROPPED:
        return replace(here, decider=winner.other, state=State.DROPPED)
    if result.ending is Ending.RESIGNED:
        return replace(here, decider=winner, resigned=result.level, state=State.RESIGNED)
    if result.ending is Ending.FLAGGED:
        return replace(here, decider=here.seat, state=State.OVER)
    seat = here.seat.other  # the last play was handed over like any other
    setup = Setup(here.side(seat), here.side(here.seat))
    return replace(here, setup=setup, seat=seat, decider=seat, dice=(), state=State.OVER)


def _crawford(match: Match) -> bool:
    """Whether this is the Crawford game; once it has ended, whether the next one is."""
    if match.game.result is None:
        return match.crawford is Crawford.NOW
    if match.length is None or match.winner is not None:
        return False
    return match.after(Action.next_game()).crawford is Crawford.NOW


def exponent(name: str, value: int, most: int) -> int:
    """How often a cube was turned to come to a value; `NotationError` if never, or too often.

    >>> exponent("cube", 8, 15)
    3
    >>> exponent("cube", 3, 15)
    Traceback (most recent call last):
    bgcore.errors.NotationError: cube 3: expected 1, 2, 4 and so on to 32768, as IDs write no other
    """
    power = value.bit_length() - 1
    if value < 1 or value != 1 << power or power > most:
        expected = f"1, 2, 4 and so on to {1 << most}, as IDs write no other"
        raise NotationError(Fault("CUBE_NOT_WRITABLE", name, shown(value), expected))
    return power
