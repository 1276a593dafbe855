"""A table in memory: the state that its log leads to, and its latest moments for those who watch."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from bgcore import BgcoreError, Seat
from bgcore.errors import Fault, PluginFailed
from bgcore_proto.v1 import table_pb2 as pb
from bgcore_proto.v1 import table_service_pb2
from bgcore_server.convert.entries import fill_event
from bgcore_server.convert.states import state_bytes
from bgcore_server.convert.wire import piece, tag
from bgcore_server.entries import Closed, Entry, read_entry
from bgcore_server.errors import NotNow, OutOfRange, TooNew
from bgcore_server.settings import Settings
from bgcore_server.store import Event, Later, StoredTable, Visibility
from bgcore_server.store import Seat as StoredSeat
from bgcore_server.tables.rights import Door
from bgcore_server.tables.state import RulesOf, Seats, State

if TYPE_CHECKING:
    from dataclasses import replace as changed
else:
    from bgcore.changed import changed

RULES_CHANGED = "RULES_CHANGED"

RECENT = 64
"""Moments kept for watchers; who is further behind reads the log."""

WARM = 4
"""Of these, so many keep the messages that were made of them."""

STATE, TOLD = tag(pb.Event, "state"), tag(table_service_pb2.WatchTableResponse, "event")


@dataclass(slots=True)
class Messages:
    """What was made of a moment, by view, as long as many may ask for it."""

    states: dict[int, bytes] = field(default_factory=dict)
    told: dict[int, bytes] = field(default_factory=dict)
    warm: bool = True


@dataclass(frozen=True, slots=True)
class Moment:
    """An event and the state after it. Its messages are made once for all who watch, while it is new."""

    event: Event
    state: State
    entry: Entry | None = None  # where it is known without reading the event
    _messages: Messages = field(default_factory=Messages, repr=False, compare=False)

    def state_bytes(self, view: int) -> bytes:
        """The state, with the plays that a view asks for, as the wire has it."""
        found = self._messages.states.get(view)
        if found is None:
            found = state_bytes(self.state, view)
            self.remember(view, found)
        return found

    def remember(self, view: int, state: bytes) -> None:
        """Keep the bytes of the state, which have been made already."""
        if self._messages.warm:
            self._messages.states[view] = state

    def forget_messages(self) -> None:
        """Make them anew whenever somebody asks: few will."""
        self._messages.warm = False
        self._messages.states.clear()
        self._messages.told.clear()

    def event_alone(self) -> bytes:
        """The event without the state after it, as the wire has it."""
        message = pb.Event()
        fill_event(self.event, self.entry, message)
        return message.SerializeToString()

    def event_bytes(self, view: int) -> bytes:
        """The event with the state after it, as the wire has it."""
        return self.event_alone() + piece(STATE, self.state_bytes(view))

    def told(self, view: int) -> bytes:
        """The bytes of the `WatchTableResponse` with the event, for all who watch."""
        found = self._messages.told.get(view)
        if found is None:
            found = piece(TOLD, self.event_bytes(view))
            if self._messages.warm:
                self._messages.told[view] = found
        return found


class Table:
    """A table in use. Whoever changes it holds `lock`; what is read is always a whole state."""

    def __init__(self, stored: StoredTable, rules_of: RulesOf) -> None:
        self.id = stored.id
        self.number = stored.number
        self.stored = stored
        self.rules_of = rules_of
        self.settings = Settings.from_json(stored.settings)
        self.has_bots = any(seat.bot for seat in stored.seats)
        self.tokens: dict[Seat, bytes] = {}
        self.lock = asyncio.Lock()
        self.watchers = 0
        self.others = 0  # events that came from other servers
        self.gone = (
            False  # deleted, or to be read anew: whoever watches this one must look elsewhere
        )
        self.fault: Fault | None = None
        self.log_end = 0  # the last event that was found in the log, if it could be read or not
        self.doubtful = False  # the store has not told whether the last command was carried out
        self.state = self.first_state()
        self._door: tuple[Seats, Door] | None = None
        self._recent: deque[Moment] = deque(maxlen=RECENT)
        self._news: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        for seat in stored.seats:
            self.set_token(seat)

    def first_state(self) -> State:
        """The state before the first event."""
        first = Later(self.stored.variant, self.stored.rules_version, self.stored.settings)
        return State.first(self.stored, self.settings, self.rules_of(first))

    def set_token(self, seat: StoredSeat) -> None:
        """Remember the hash of a seat's token; a seat that was left has none."""
        self._door = None
        self.tokens.pop(Seat(seat.number), None)
        if seat.token:
            self.tokens[Seat(seat.number)] = seat.token

    def read_log(self, events: Iterable[Event]) -> bool:
        """Go on to where the log leads; if the rules no longer allow that, the table is frozen there.

        Whether it got to the end.
        """
        try:
            for event in events:
                self.state = self.state.after(event, self.rules_of)
        except (PluginFailed, TooNew):  # perhaps it will not, the next time, or elsewhere
            raise
        except BgcoreError as changed:
            self.freeze(f"its log is not legal any more: {changed}")
            return False
        return True

    def skip(self, revision: int, time: int) -> None:
        """Take the events up to one for read: nothing but the end of the table can come of it."""
        self.state = changed(self.state, revision=revision, updated=time)

    def read_end(self, last: Event) -> None:
        """Of a table that is frozen: whether it was closed, which asks nothing of the rules."""
        entry = read_entry(last.body)
        if isinstance(entry, Closed):
            self.skip(last.revision - 1, last.time)
            self.state = self.state.then(entry, last.time, self.rules_of)

    def freeze(self, why: str) -> None:
        """From now on it may be read only."""
        self.fault = rules_changed(self.id, f"table {self.id} cannot go on: {why}")

    def follow(self, events: Iterable[Event]) -> None:
        """Events that another process has added: read them, and let everybody hear."""
        moments = []
        for event in events:
            self.log_end = event.revision
            if not self.fault and self.read_log((event,)):
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
            state = state.after(event, self.rules_of)
            yield Moment(event, state)

    @property
    def private(self) -> bool:
        """Whether not everybody may see it."""
        return self.stored.visibility is Visibility.PRIVATE

    @property
    def door(self) -> Door:
        """What it compares with what callers prove. It is looked at several times an act, and rarely another."""
        seats = self.state.seats
        if self._door is None or self._door[0] is not seats:
            tokens = self.tokens.get(Seat.WHITE, b""), self.tokens.get(Seat.BLACK, b"")
            self._door = seats, Door.at(self.stored, self.settings, seats, tokens)
        return self._door[1]

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
        for old in islice(reversed(self._recent), WARM, WARM + len(moments)):
            old.forget_messages()
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
    return Fault(RULES_CHANGED, "table", id, "the rules that it was made with", what)
