"""Where a table stands after so many entries of its log: who sits there, the match, the clock, what is asked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from bgcore import Action, Dice, Kind, Match, Seat
from bgcore.clock import Clock, TimeControl
from bgcore.cycle import Cycle
from bgcore.dice import commitment
from bgcore.dice_proof import DiceProof
from bgcore.notation.board_text import write_board
from bgcore_proto.v1 import table_pb2 as pb
from bgcore_server.convert.dice import MODES as DICE_MODES
from bgcore_server.entries import (
    ANSWER_UNDO,
    Acted,
    Answered,
    Asked,
    Closed,
    Entry,
    SeatLeft,
    SeatTaken,
    Started,
    Wish,
    read_entry,
)
from bgcore_server.settings import Seeds, Settings
from bgcore_server.store import Event, Later, Status, StoredTable
from bgcore_server.store import Seat as StoredSeat

if TYPE_CHECKING:
    from dataclasses import replace as changed
else:
    from bgcore.changed import changed

Seats = tuple[StoredSeat, StoredSeat]
RulesOf = Callable[[Later], Cycle]
"""The rules that a table was given by name."""

SECOND = 1_000_000

UNDOABLE = frozenset({Kind.PLAY, Kind.CORRECT, Kind.DOUBLE, Kind.ANIMAL, Kind.TAKE, Kind.DROP})
"""What can be taken back (T3)."""

BESIDE = frozenset({Kind.RESIGN, Kind.ANSWER_RESIGNATION})
"""What leaves it possible to take back what was done before."""


@dataclass(frozen=True, slots=True)
class Before:
    """What taking back an action leads to: the match before it, and what could be taken back then."""

    match: Match
    back: Back


VOID: tuple[str, ...] = (Wish.VOID.value,)
UNDO_OR_VOID: tuple[str, ...] = (Wish.UNDO.value, *VOID)

Back = tuple[Before | None, Before | None]
NOTHING_BACK: Back = (None, None)


@dataclass(frozen=True, slots=True)
class Open:
    """Something that a player has asked for in event `revision` and that is not decided."""

    asked: Asked
    revision: int


@dataclass(frozen=True, slots=True)
class Played:
    """A match of a table, on or behind it: what it takes to write it down and to verify its dice."""

    match: Match
    settings: Settings = field(repr=False)
    seats: Seats
    seeds: Seeds
    began: int  # the last event before it
    over: bool  # until then the server's seed is a secret

    @property
    def proof(self) -> DiceProof | None:
        """What may be told of its dice; `None` where they are not committed."""
        return self.settings.proof(self.seeds, over=self.over)

    @property
    def told_dice(self) -> DiceProof | None:
        """What a record tells of the dice; `None` where some fell before the table was made."""
        if self.settings.past:
            return None
        return self.proof or DiceProof(DICE_MODES[self.settings.dice_mode])


@dataclass(frozen=True)  # without slots, for `changed`
class State:
    """Where a table stands. A clock stands still until both seats are taken.

    Times are those of the events, so the log alone gives the same state again.
    """

    settings: Settings = field(repr=False)
    match: Match
    revision: int
    updated: int
    seats: Seats
    clock: Clock | None  # None: time is not counted here
    seeds: Seeds  # of committed dice
    thrown: int = 0  # throws of dice in this match so far
    decided: int = 0  # when who must decide began to have to
    back: Back = NOTHING_BACK  # for each seat, what was before what it may ask to take back
    open: tuple[Open, ...] = ()
    played: tuple[Played, ...] = ()  # matches before the one that is on
    began: int = 0  # the last event before this match
    later: Later | None = None  # the rules of this match, if it is not the first
    closed: Closed | None = None

    @classmethod
    def first(cls, stored: StoredTable, settings: Settings, games: Cycle) -> State:
        """The state before the first event."""
        match = Match.new(games, settings.start_of(games.first))
        white, black = settings.dice_seeds  # a list, as a store keeps it
        clock, seats = new_clock(games), settings.seats
        return cls(settings, match, 0, stored.created, seats, clock, (white, black))._begun()

    # -- what it is ---------------------------------------------------------------------------------

    @property
    def status(self) -> Status:
        """Whether it waits, plays or is done."""
        if self.closed:
            return Status.CLOSED
        if not (self.seats[0].taken and self.seats[1].taken):
            return Status.WAITING
        return Status.FINISHED if self.match.over else Status.PLAYING

    @property
    def number(self) -> int:
        """Number of the match, 1 the first."""
        return len(self.played) + 1

    @property
    def over(self) -> bool:
        """Whether the match is over, or will never be."""
        return self.match.over or self.closed is not None

    @property
    def proof(self) -> DiceProof | None:
        """What may be told of committed dice; `None` where the dice are others."""
        return self.settings.proof(self.seeds, over=self.over)

    @property
    def dice(self) -> Dice | None:
        """The dice for the next throw; `None`: the players type them in."""
        return self.settings.dice(self.thrown, self.seeds)

    @property
    def decider(self) -> Seat | None:
        """Who must decide; `None`: either may, or nobody can."""
        match = self.match
        if self.status is not Status.PLAYING or match.game.result is not None:
            return None
        return match.game.decider

    @property
    def this_match(self) -> Played:
        """The match that is on, in the form of those that are behind."""
        return Played(self.match, self.settings, self.seats, self.seeds, self.began, self.over)

    def left(self, time: int) -> int | None:
        """Microseconds that who must decide has at a time before it is over; `None`: nobody looks at it."""
        clock, absence = self.clock, seconds(self.match.cycle, "absence")
        if (clock is None and absence is None) or self.status is not Status.PLAYING:
            return None
        limits = []
        if clock is not None and clock.running is not None:
            limits.append(clock.left(time))
        if absence is not None and self.decider is not None:
            limits.append(self.decided + absence - time)
        return min(limits, default=None)

    @property
    def abandoned(self) -> int | None:
        """When the table will be abandoned if nobody does anything; `None`: never."""
        idle = seconds(self.match.cycle, "abandonment")
        if idle is None or self.status not in (Status.WAITING, Status.PLAYING):
            return None
        return self.updated + idle

    @property
    def deadline(self) -> int | None:
        """The last moment before something happens by itself; `None`: nothing will."""
        left, abandoned = self.left(self.updated), self.abandoned
        times = [self.updated + left] if left is not None else []
        if abandoned is not None:
            times.append(abandoned)
        return min(times, default=None)

    def asked(self, wish: Wish, seat: Seat) -> Open | None:
        """What a seat has asked for, if it has and it is not decided."""
        for one in self.open:
            if one.asked.wish is wish and one.asked.seat is seat:
                return one
        return None

    def may(self, seat: Seat) -> tuple[str, ...]:
        """What a seat may do beside what the match asks for."""
        status = self.status
        if status is Status.FINISHED and not self.seats[seat].bot:
            return () if self.asked(Wish.REMATCH, seat) else (Wish.REMATCH,)
        if status is not Status.PLAYING or self.seats[seat].bot:
            return ()
        if not self.open:  # as it is nearly always
            return UNDO_OR_VOID if self.undoable(seat) else VOID
        kinds = []
        if self.undoable(seat) and not self.asked(Wish.UNDO, seat):
            kinds.append(Wish.UNDO.value)
        if self.asked(Wish.UNDO, seat.other):
            kinds.append(ANSWER_UNDO)
        if not self.asked(Wish.VOID, seat):
            kinds.append(Wish.VOID.value)
        return tuple(kinds)

    def undoable(self, seat: Seat) -> bool:
        """Whether there is something that a seat may ask to take back (T3)."""
        return self.back[seat] is not None and bool(self.match.rules.options.get("undo"))

    @property
    def next_commitment(self) -> str:
        """The commitment to the seed of the next match's dice; empty where dice are not committed."""
        return commitment(bytes.fromhex(seed)) if (seed := self.settings.next_seed) else ""

    def digest(self) -> dict[str, object]:
        """The same in a few readable words, to tell whether a log still leads to it."""
        game = self.match.game
        return {
            "revision": self.revision,
            "status": int(self.status),
            "match": self.number,
            "score": list(self.match.score),
            "games": len(self.match.results),
            "phase": str(game.phase),
            "seat": str(game.seat),
            "position": write_board(game.position),
            "cube": game.cube.value,
            "owner": str(game.cube.owner) if game.cube.owner is not None else None,
            "dice": list(game.dice),
            "thrown": self.thrown,
            "names": [seat.name or seat.bot for seat in self.seats],
            "banks": list(self.clock.banks) if self.clock else None,
        }

    def stored(self, table: StoredTable) -> StoredTable:
        """The table as a store would tell of it in this state."""
        return replace(
            table,
            revision=self.revision,
            updated=self.updated,
            seats=self.seats,
            status=self.status,
            later=self.later,
        )

    # -- what becomes of it -------------------------------------------------------------------------

    def after(self, event: Event, rules_of: RulesOf) -> State:
        """The state after one more event of the log; what the rules refuse raises."""
        return self.then(read_entry(event.body), event.time, rules_of)

    def then(self, entry: Entry, time: int, rules_of: RulesOf) -> State:
        """The state after an entry."""
        match entry:
            case Acted():
                after = self.match.after(entry.action)
                return self.acted(entry.action, after, time, automatic=entry.automatic)
            case SeatTaken():
                return self.joined(entry, time)
            case SeatLeft():
                return self._left(entry, time)
            case Asked():
                return self._asked(entry, time)
            case Answered():
                return self._answered(entry, time)
            case Started():
                return self._started(entry, time, rules_of(entry.rules))
            case Closed():
                clock = self.clock and self.clock.stopped(time)
                return self._next(time, closed=entry, clock=clock, open=(), back=NOTHING_BACK)

    def acted(self, action: Action, match: Match, time: int, *, automatic: bool = False) -> State:
        """The state after an action that led to `match`."""
        revision, clock, thrown = self.revision + 1, self.clock, self.thrown
        told = revision <= self.settings.past  # by a record: it took no time, and no dice of ours
        if not told:
            thrown += bool(action.dice)
            clock = clock and clock.after(self.match, match, time)
        state = changed(
            self,
            match=match,
            revision=revision,
            updated=time,
            clock=clock,
            thrown=thrown,
            decided=time,
            back=self._back(action, match, automatic=automatic),
            open=(),
        )
        return state._begun() if revision == self.settings.past else state

    def _back(self, action: Action, match: Match, *, automatic: bool) -> Back:
        """What each seat may ask to take back after an action: nothing that was before a throw (T3)."""
        if match.over or action.seat is None:
            return NOTHING_BACK
        if automatic and not action.dice:
            return self.back  # his own last action is the one before
        if action.kind in BESIDE and match.game.result is None:
            return self.back
        if action.kind not in UNDOABLE:
            return NOTHING_BACK
        white, black = self.back
        before = Before(self.match, self.back)
        return (before, black) if action.seat is Seat.WHITE else (white, before)

    def joined(self, taken: SeatTaken, time: int) -> State:
        """The state after a player sat down."""
        seat = self.seats[taken.seat]
        sits = replace(seat, name=taken.name, taken=True, account=taken.account)
        return self._seated(sits, taken.dice_seed, time)

    def _left(self, left: SeatLeft, time: int) -> State:
        return self._seated(self.settings.seats[left.seat], "", time)

    def _seated(self, sits: StoredSeat, seed: str, time: int) -> State:
        seats, seeds = list(self.seats), list(self.seeds)
        seats[sits.number], seeds[sits.number] = sits, seed
        white, black = seats
        return self._next(time, seats=(white, black), seeds=(seeds[0], seeds[1]))._begun()

    def _asked(self, asked: Asked, time: int) -> State:
        others = (
            one
            for one in self.open
            if one.asked.seat is not asked.seat or one.asked.wish is not asked.wish
        )
        return self._next(time, open=(*others, Open(asked, self.revision + 1)))

    def _answered(self, answered: Answered, time: int) -> State:
        """The match as it was before what is taken back, or as it is."""
        asked, before = answered.seat.other, self.back[answered.seat.other]
        if not answered.accept or before is None:
            answer_to = self.asked(Wish.UNDO, asked)
            return self._next(time, open=tuple(one for one in self.open if one is not answer_to))
        match, back = before.match, before.back
        clock = self.clock and self.clock.taken_back(self.match, match, time)
        return self._next(time, match=match, clock=clock, decided=time, back=back, open=())

    def _started(self, started: Started, time: int, games: Cycle) -> State:
        settings = Settings.from_json(started.rules.settings)
        white, black = settings.dice_seeds
        return self._next(
            time,
            settings=settings,
            match=Match.new(games, settings.start_of(games.first)),
            clock=new_clock(games),
            seeds=(white, black),
            thrown=self.thrown if settings.dice_mode == pb.DICE_MODE_SEEDED else 0,
            back=NOTHING_BACK,
            open=(),
            played=(*self.played, self.this_match),
            began=self.revision + 1,
            later=started.rules,
        )._begun()

    def _next(self, time: int, **fields: Any) -> State:
        return changed(self, revision=self.revision + 1, updated=time, **fields)

    def _begun(self) -> State:
        """The same with time running, if all that it waits for is there."""
        if self.status is not Status.PLAYING or self.revision < self.settings.past:
            return self
        clock = self.clock and Clock.start(self.clock.control, self.match, self.updated)
        return changed(self, clock=clock, decided=self.updated)


def new_clock(games: Cycle) -> Clock | None:
    """A clock that stands; `None` where time is not counted."""
    control = TimeControl.of(games.options)
    return Clock(control, (control.bank, control.bank)) if control else None


def seconds(games: Cycle, option: str) -> int | None:
    """A time that an option gives in seconds, in microseconds."""
    value = games.options.get(option)
    return value * SECOND if isinstance(value, int) else None
