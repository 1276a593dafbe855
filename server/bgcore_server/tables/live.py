"""A table in memory: the state that its log leads to, and its latest moments for those who watch."""

from __future__ import annotations

import asyncio
import json
import random
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from bgcore import Action, BgcoreError, Dice, Match, Rules, Seat
from bgcore.clock import Clock, TimeControl
from bgcore.dice_proof import DiceProof
from bgcore.errors import Fault
from bgcore_proto.v1 import table_pb2 as pb
from bgcore_proto.v1 import table_service_pb2
from bgcore_server.convert import table as convert
from bgcore_server.convert.dice import MODES as DICE_MODES
from bgcore_server.errors import NotNow, OutOfRange
from bgcore_server.settings import Seeds, Settings
from bgcore_server.store import Event, Status, StoredTable
from bgcore_server.store import Seat as StoredSeat

RECENT = 64
"""Moments kept for watchers; who is further behind reads the log."""

Seats = tuple[StoredSeat, StoredSeat]


@dataclass(frozen=True, slots=True)
class State:
    """Where a table stands after so many events: who sits there, the match, the clock.

    A clock stands still until both seats are taken. Times are those of the events, so the log alone
    gives the same clock again.
    """

    settings: Settings = field(repr=False)
    match: Match
    revision: int
    updated: int
    seats: Seats
    clock: Clock | None  # None: time is not counted here
    seeds: Seeds  # of committed dice
    thrown: int = 0  # throws of dice at this table so far

    @classmethod
    def first(cls, stored: StoredTable, settings: Settings, rules: Rules) -> State:
        """The state before the first event."""
        match = Match.new(rules, settings.start_of(rules))
        control = TimeControl.of(rules.options)
        clock = Clock(control, (control.bank, control.bank)) if control else None
        white, black = settings.dice_seeds  # a list, as a store keeps it
        seats, seeds = settings.seats, (white, black)
        return cls(settings, match, 0, stored.created, seats, clock, seeds)._begun()

    @property
    def status(self) -> Status:
        """Whether it waits, plays or is done."""
        if not all(seat.taken for seat in self.seats):
            return Status.WAITING
        return Status.FINISHED if self.match.over else Status.PLAYING

    def acted(self, action: Action, match: Match, time: int) -> State:
        """The state after an action that led to `match`."""
        revision, clock, thrown = self.revision + 1, self.clock, self.thrown
        told = revision <= self.settings.past  # by a record: it took no time, and no dice of ours
        if not told:
            thrown += bool(action.dice)
            clock = clock and clock.after(self.match, match, time)
        settings, seats, seeds = self.settings, self.seats, self.seeds
        state = State(settings, match, revision, time, seats, clock, seeds, thrown)
        return state._begun() if revision == settings.past else state

    def joined(self, seat: Seat, name: str, seed: str, time: int) -> State:
        """The state after a player sat down, with a seed where dice are committed."""
        seats, seeds = list(self.seats), list(self.seeds)
        seats[seat] = replace(self.seats[seat], name=name, taken=True)
        seeds[seat] = seed
        return replace(
            self,
            revision=self.revision + 1,
            updated=time,
            seats=(seats[0], seats[1]),
            seeds=(seeds[0], seeds[1]),
        )._begun()

    def _begun(self) -> State:
        """The same with the clock running, if all that it waits for is there."""
        ready = self.status is Status.PLAYING and self.revision >= self.settings.past
        if self.clock is None or not ready:
            return self
        return replace(self, clock=Clock.start(self.clock.control, self.match, self.updated))

    @property
    def proof(self) -> DiceProof | None:
        """What may be told of committed dice; `None` where the dice are others."""
        return self.settings.proof(self.seeds, over=self.match.over)

    @property
    def told_dice(self) -> DiceProof | None:
        """What a record tells of the dice; `None` where some fell before the table was made."""
        if self.settings.past:
            return None
        return self.proof or DiceProof(DICE_MODES[self.settings.dice_mode])

    @property
    def dice(self) -> Dice | None:
        """The dice for the next throw; `None`: the players type them in."""
        return self.settings.dice(self.thrown, self.seeds)

    def message(self, view: int) -> pb.TableState:
        """The state as the wire tells it, with the plays that a view asks for."""
        return convert.state_message(self.match, self.revision, view, self.clock, self.proof)

    def after(self, event: Event) -> State:
        """The state after one more event of the log; what the rules refuse raises."""
        body = json.loads(event.body)
        if body["kind"] == convert.SEAT_TAKEN:
            seat, seed = Seat.read(body["seat"]), body.get("dice_seed", "")
            return self.joined(seat, body["name"], seed, event.time)
        action = Action.from_json(body)
        return self.acted(action, self.match.after(action), event.time)

    def stored(self, table: StoredTable) -> StoredTable:
        """The table as a store would tell of it in this state."""
        return replace(
            table,
            revision=self.revision,
            updated=self.updated,
            seats=self.seats,
            status=self.status,
        )


@dataclass(frozen=True, slots=True)
class Moment:
    """An event and the state after it. Its messages are made once for all who watch."""

    event: Event
    state: State
    action: Action | None = None  # where it is known without reading the event
    _states: dict[int, pb.TableState] = field(default_factory=dict)
    _told: dict[int, bytes] = field(default_factory=dict)

    def state_message(self, view: int) -> pb.TableState:
        """The state, with the plays that a view asks for."""
        found = self._states.get(view)
        if found is None:
            found = self._states[view] = self.state.message(view)
        return found

    def remember(self, view: int, state: pb.TableState) -> None:
        """Keep a message of the state that has been made already."""
        self._states[view] = state

    def event_message(self, view: int) -> pb.Event:
        """The event with the state after it."""
        message = convert.event_message(self.event, self.action)
        message.state.CopyFrom(self.state_message(view))
        return message

    def told(self, view: int) -> bytes:
        """The bytes of the `WatchTableResponse` with the event, for all who watch."""
        found = self._told.get(view)
        if found is None:
            message = table_service_pb2.WatchTableResponse(event=self.event_message(view))
            found = self._told[view] = message.SerializeToString()
        return found


class Table:
    """A table in use. Whoever changes it holds `lock`; what is read is always a whole state."""

    def __init__(self, stored: StoredTable, rules: Rules) -> None:
        self.id = stored.id
        self.number = stored.number
        self.stored = stored
        self.rules = rules
        self.settings = Settings.from_json(stored.settings)
        self.has_bots = any(seat.bot for seat in stored.seats)
        self.tokens: dict[Seat, bytes] = {}
        self.lock = asyncio.Lock()
        self.watchers = 0
        self.others = 0  # events that came from other servers
        self.fault: Fault | None = None
        self.state = self.first_state()
        self._recent: deque[Moment] = deque(maxlen=RECENT)
        self._news: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        for seat in stored.seats:
            self.set_token(seat)

    def first_state(self) -> State:
        """The state before the first event."""
        return State.first(self.stored, self.settings, self.rules)

    def set_token(self, seat: StoredSeat) -> None:
        """Remember the hash of a seat's token."""
        if seat.token:
            self.tokens[Seat(seat.number)] = seat.token

    def read_log(self, events: Iterable[Event]) -> bool:
        """Go on to where the log leads; if the rules no longer allow that, the table is frozen there.

        Whether it got to the end.
        """
        try:
            for event in events:
                self.state = self.state.after(event)
        except BgcoreError as changed:
            what = f"table {self.id} cannot go on: its log is not legal any more: {changed}"
            self.fault = rules_changed(self.id, what)
            return False
        return True

    def follow(self, events: Iterable[Event]) -> None:
        """Events that another process has added: read them, and let everybody hear."""
        moments = []
        for event in events:
            self.read_log((event,))
            moments.append(Moment(event, self.state))
        self.others += len(moments)
        if moments:
            self.publish(moments)

    def random(self) -> random.Random:
        """Chance for a bot; at a table with seeded dice the same every time."""
        if self.settings.dice_mode == pb.DICE_MODE_SEEDED:
            return random.Random(f"{self.settings.seed}:{self.revision}")
        return random.SystemRandom()

    def history(self, events: Iterable[Event]) -> Iterator[Moment]:
        """Every moment of a log, from the first event on."""
        state = self.first_state()
        for event in events:
            state = state.after(event)
            yield Moment(event, state)

    def check_usable(self) -> None:
        """`NotNow` when the table may be read only."""
        if self.fault:
            raise NotNow(self.fault)

    @property
    def revision(self) -> int:
        """Number of its events."""
        return self.state.revision

    def publish(self, moments: Sequence[Moment]) -> None:
        """Events that are in the log: now they are the state, and everybody may hear."""
        self.state = moments[-1].state
        self._recent.extend(moments)
        self.wake()

    def wake(self) -> None:
        """Let those who watch look again."""
        if self.watchers:
            news, self._news = self._news, asyncio.get_running_loop().create_future()
            news.set_result(None)

    async def wait(self, seconds: float) -> bool:
        """Wait for news; false when there were none for so long."""
        done, _ = await asyncio.wait((self._news,), timeout=seconds)
        return bool(done)

    def recent(self, after: int) -> list[Moment] | None:
        """The moments after a revision, if they are still in memory."""
        missing = self.revision - after
        if missing > len(self._recent):
            return None
        return list(self._recent)[len(self._recent) - missing :]

    def check_reached(self, after: int) -> None:
        """`OutOfRange` for a revision that does not exist yet."""
        if after > self.revision:
            expected = f"at most {self.revision}"
            raise OutOfRange(Fault("REVISION_NOT_REACHED", "after_revision", str(after), expected))


def rules_changed(id: str, what: str) -> Fault:
    """The fault of a table that was made under rules that are no longer there."""
    return Fault("RULES_CHANGED", "table", id, "the rules that it was made with", what)
