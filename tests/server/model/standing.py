"""Where a table of the model stands after one of its events, and what follows from that alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from bgcore import Action, Kind, Match, Seat, Start
from bgcore.clock import Clock, TimeControl
from bgcore.cycle import Cycle
from bgcore.match import NEW
from bgcore_proto.v1 import common_pb2
from bgcore_proto.v1 import table_pb2 as pb
from tests.server.model.named import Named

SECOND = 1_000_000

UNDO, REMATCH, VOID = pb.ACTION_KIND_UNDO, pb.ACTION_KIND_REMATCH, pb.ACTION_KIND_VOID
ANSWER_UNDO = pb.ACTION_KIND_ANSWER_UNDO
WAITING, PLAYING = pb.TABLE_STATUS_WAITING, pb.TABLE_STATUS_PLAYING
FINISHED, CLOSED = pb.TABLE_STATUS_FINISHED, pb.TABLE_STATUS_CLOSED

TAKEN_BACK = {"play", "correct", "double", "animal", "take", "drop"}
IN_BETWEEN = {"resign", "answer_resignation"}


@dataclass(frozen=True)
class Sitter:
    """A seat. `account`: for which it is kept, or who has proved to sit there."""

    name: str = ""
    bot: str = ""
    taken: bool = False
    account: str = ""


@dataclass(frozen=True)
class Deed:
    """An action of a match, with the match before and after it."""

    action: Action
    before: Match
    after: Match
    automatic: bool


@dataclass(frozen=True)
class Wish:
    """Something that a seat waits for. `rules` and `seed` are a rematch's."""

    kind: pb.ActionKind
    seat: Seat
    revision: int
    rules: Named | None = None
    seed: str = ""


@dataclass(frozen=True)
class Terms:
    """What a match is played under."""

    games: Cycle = field(repr=False)
    named: Named
    start: Start = NEW
    commitment: str = ""
    next_commitment: str = ""
    given: int = 0  # throws that nobody made at the table


@dataclass(frozen=True)
class Behind:
    """A match that is over, at a table where another one has begun."""

    match: Match
    terms: Terms
    seeds: tuple[str, str]
    first: int  # the event before it
    told: int  # events of a record


@dataclass(frozen=True)
class Standing:
    """A table after `revision` events, the last of them at `updated`."""

    terms: Terms
    match: Match
    seats: tuple[Sitter, Sitter]
    clock: Clock | None
    updated: int
    revision: int = 0
    told: int = 0  # the first so many events are a record's
    seeds: tuple[str, str] = ("", "")
    thrown: int = 0
    since: int = 0  # since when somebody must decide
    deeds: tuple[Deed, ...] = ()
    wishes: tuple[Wish, ...] = ()
    behind: tuple[Behind, ...] = ()
    first: int = 0  # the event before this match
    closed: pb.Closed | None = None

    @property
    def status(self) -> pb.TableStatus:
        if self.closed is not None:
            return CLOSED
        if not all(seat.taken for seat in self.seats):
            return WAITING
        return FINISHED if self.match.over else PLAYING

    @property
    def decider(self) -> Seat | None:
        """Whose time could run."""
        if self.status != PLAYING or self.match.game.result is not None:
            return None
        return self.match.game.decider

    @property
    def out_of_time(self) -> int | None:
        """The last moment at which who must decide is in time."""
        if self.status != PLAYING:
            return None
        found = []
        if self.clock is not None and self.clock.running is not None:
            found.append(self.clock.since + self.clock.left(self.clock.since))
        absence = self.match.rules.options["absence"]
        if isinstance(absence, int) and self.decider is not None:
            found.append(self.since + absence * SECOND)
        return min(found, default=None)

    @property
    def abandoned(self) -> int | None:
        """The last moment before the table is closed, as nobody does anything."""
        idle = self.match.rules.options["abandonment"]
        if isinstance(idle, int) and self.status in (WAITING, PLAYING):
            return self.updated + idle * SECOND
        return None

    @property
    def deadline(self) -> int | None:
        moments = (self.out_of_time, self.abandoned)
        return min((moment for moment in moments if moment is not None), default=None)

    def wish(self, kind: pb.ActionKind, seat: Seat) -> Wish | None:
        for one in self.wishes:
            if (one.kind, one.seat) == (kind, seat):
                return one
        return None

    def last_deed(self, seat: Seat) -> int | None:
        """The place of the last thing that a seat did, if that may still be taken back (T3)."""
        if self.match.over or not self.match.rules.options["undo"]:
            return None
        for place, deed in reversed(list(enumerate(self.deeds))):
            ended = deed.before.game.result is None and deed.after.game.result is not None
            if deed.action.dice or deed.action.kind.value not in TAKEN_BACK | IN_BETWEEN:
                return None
            if deed.automatic:
                continue
            if deed.action.kind.value in IN_BETWEEN:
                if ended:
                    return None
                continue
            if deed.action.seat is seat:
                return place
        return None

    def beside(self, seat: Seat) -> Iterator[pb.ActionKind]:
        """What a seat may do beside what the decision lists."""
        if self.seats[seat].bot:
            return
        if self.status == FINISHED and not self.wish(REMATCH, seat):
            yield REMATCH
        if self.status != PLAYING:
            return
        if self.last_deed(seat) is not None and not self.wish(UNDO, seat):
            yield UNDO
        if self.wish(UNDO, seat.other):
            yield ANSWER_UNDO
        if not self.wish(VOID, seat):
            yield VOID

    # -- what becomes of it -------------------------------------------------------------------------

    def next(self, time: int, **fields: Any) -> Standing:
        return replace(self, revision=self.revision + 1, updated=time, **fields)

    def begun(self) -> Standing:
        """With time running, once everybody is there and the record is told."""
        if self.status != PLAYING or self.revision < self.told:
            return self
        clock = self.clock and Clock.start(self.clock.control, self.match, self.updated)
        return replace(self, clock=clock, since=self.updated)

    def seated(self, seat: Seat, sitter: Sitter, seed: str, time: int) -> Standing:
        seats, seeds = list(self.seats), list(self.seeds)
        seats[seat], seeds[seat] = sitter, seed
        after = self.next(time, seats=tuple(seats), seeds=tuple(seeds))
        return after.begun()

    def acted(self, action: Action, time: int, *, automatic: bool = False) -> Standing:
        match = self.match.after(action)
        past = self.revision < self.told
        deed = Deed(action, self.match, match, automatic)
        after = self.next(
            time,
            match=match,
            clock=self.clock if past or not self.clock else self._charged(match, time),
            thrown=self.thrown + bool(action.dice and not past),
            since=time,
            deeds=(*self.deeds, deed),
            wishes=(),
        )
        return after.begun() if after.revision == after.told else after

    def _charged(self, match: Match, time: int) -> Clock | None:
        return self.clock and self.clock.after(self.match, match, time)

    def wished(self, wish: Wish, time: int) -> Standing:
        kept = (w for w in self.wishes if (w.kind, w.seat) != (wish.kind, wish.seat))
        return self.next(time, wishes=(*kept, wish))

    def undone(self, asker: Seat, time: int) -> Standing:
        place = self.last_deed(asker)
        assert place is not None
        match, deeds = self.deeds[place].before, self.deeds[:place]
        clock = self.clock and self.clock.taken_back(self.match, match, time)
        return self.next(time, match=match, clock=clock, since=time, deeds=deeds, wishes=())

    def not_undone(self, asker: Seat, time: int) -> Standing:
        kept = tuple(w for w in self.wishes if (w.kind, w.seat) != (UNDO, asker))
        return self.next(time, wishes=kept)

    def started(self, terms: Terms, seeds: tuple[str, str], time: int, *, seeded: bool) -> Standing:
        this = Behind(self.match, self.terms, self.seeds, self.first, self.told)
        after = self.next(
            time,
            terms=terms,
            match=Match.new(terms.games),
            clock=full_clock(terms.games),
            seeds=seeds,
            thrown=self.thrown if seeded else 0,
            deeds=(),
            wishes=(),
            behind=(*self.behind, this),
            first=self.revision + 1,
            told=0,
        )
        return after.begun()

    def ended(self, reason: pb.CloseReason, note: str, time: int) -> Standing:
        closed = pb.Closed(reason=reason, void=not self.match.over, note=note)
        clock = self.clock and self.clock.stopped(time)
        return self.next(time, closed=closed, clock=clock, wishes=(), deeds=())


def full_clock(games: Cycle) -> Clock | None:
    control = TimeControl.of(games.first.options)
    return Clock(control, (control.bank, control.bank)) if control else None


def without_choice(match: Match) -> Action | None:
    """What the server does for a player (T1); a roll comes without dice."""
    options, decision = match.rules.options, match.decision
    kinds = {kind.value for kind in decision.kinds} - {"resign", "resign_match"}
    if match.game.correctable is not None:
        return None
    if options["auto_roll"] and kinds == {"throw"}:
        return Action(Kind.THROW)
    if options["auto_roll"] and kinds == {"roll"}:
        return Action(Kind.ROLL, decision.seat)
    if kinds == {"play"} and options["illegal_moves"] == "reject" and decision.plays is not None:
        only = list(decision.plays)[:2]
        wanted = "auto_play" if decision.plays.numbers_used else "auto_pass"
        if len(only) == 1 and options[wanted] and decision.seat is not None:
            return Action.play(decision.seat, only[0])
    return None


SEAT_OF: dict[int, Seat] = {common_pb2.SEAT_WHITE: Seat.WHITE, common_pb2.SEAT_BLACK: Seat.BLACK}
NUMBER_OF: dict[Seat | None, common_pb2.Seat] = {
    Seat.WHITE: common_pb2.SEAT_WHITE,
    Seat.BLACK: common_pb2.SEAT_BLACK,
    None: common_pb2.SEAT_UNSPECIFIED,
}
