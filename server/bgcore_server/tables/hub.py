"""Commands on tables: making one, sitting down and getting up, acting, closing; and all that runs beside.

A command on a table holds its lock until the store has answered, so in one process nobody meets a
stale revision. Another process may; the store's compare-and-set finds out, and the log is read anew.
On a store that other servers share, a refusal holds only if nobody has acted meanwhile.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from bgcore import Action, BgcoreError, Match, Registry, Seat
from bgcore.errors import Fault
from bgcore_server import tokens
from bgcore_server.convert.states import NONE, check_stake
from bgcore_server.entries import Acted, Entry, SeatLeft, SeatTaken, Started, Why, written
from bgcore_server.errors import Log, NotAllowed, NotNow, Stale, TimeOver, Unavailable, stopping
from bgcore_server.settings import Settings
from bgcore_server.slices import sliced
from bgcore_server.store import (
    Appended,
    Archive,
    Change,
    Event,
    NewEvent,
    NewTable,
    Repeated,
    RequestKey,
    Status,
    Store,
    Visibility,
)
from bgcore_server.store import Seat as StoredSeat
from bgcore_server.store.archive import pack
from bgcore_server.store.errors import reused, stale
from bgcore_server.tables.bots import Bots
from bgcore_server.tables.follow import Follower
from bgcore_server.tables.house import House
from bgcore_server.tables.live import RECENT, Moment, Table
from bgcore_server.tables.loaded import Loaded, check_kept
from bgcore_server.tables.rights import Caller
from bgcore_server.tables.state import State, seconds
from bgcore_server.tables.upkeep import Upkeep, UpkeepSettings
from bgcore_server.tables.wishes import Course, Made, Want, check_open, check_time

T = TypeVar("T")

JOIN = "join"
CREATE = "create"


def now() -> int:
    """Microseconds since 1970."""
    return time.time_ns() // 1000


@dataclass(frozen=True, slots=True)
class Done:
    """What an act has done: its events, and the state after the last."""

    moments: Sequence[Moment]

    @property
    def last(self) -> Moment:
        """The last event and the state after it."""
        return self.moments[-1]


@dataclass(frozen=True, slots=True)
class Joined:
    """A seat, the secret with which to act for it, and the table at that moment."""

    seat: Seat
    token: str
    moment: Moment


@dataclass(frozen=True, slots=True)
class Sitting:
    """Who wants to sit down, where, and under which name."""

    seat: Seat | None  # None: any
    name: str
    caller: Caller
    request_id: str = ""
    dice_seed: str = ""

    @property
    def request(self) -> RequestKey | None:
        """What makes it repeatable. Who knows the id can ask for the token, so it is not kept as it is."""
        if not self.request_id:
            return None
        asked = f"{self.seat!r} {self.name}" + (f"\n{self.dice_seed}" if self.dice_seed else "")
        if self.caller.account:
            asked += f"\0{self.caller.account}"
        return RequestKey(JOIN, concealed(self.request_id), fingerprint(asked.encode()))


class Tables:
    """The tables of a store, those in use in memory."""

    def __init__(
        self,
        store: Store,
        registry: Registry,
        log: Log,
        heartbeat: float = 15.0,
        now: Callable[[], int] = now,
        upkeep: UpkeepSettings | None = None,
    ) -> None:
        self.store = store
        self.heartbeat = heartbeat
        self.now = now
        self.house = House(registry)
        self._registry = registry
        self._log = log
        self._bots = Bots(self.act, registry, log)
        self.loaded = Loaded(store, self.house.rules_of, log, self._bots.playing)
        self.get = self.loaded.get
        self.catch_up = self.loaded.catch_up
        self._follower = Follower(store, self.catch_up, self._bots.wake, log)
        self.loaded.came, self.loaded.went = self._follower.add, self._follower.drop
        self._limits = upkeep or UpkeepSettings()
        self._upkeep = Upkeep(
            store,
            self._limits,
            log,
            now,
            attend=self.attend,
            expire=self.expire,
            compact=self.compact,
            forgotten=self.loaded.forget,
        )
        self._stopping = False

    # -- making -------------------------------------------------------------------------------------

    async def create(
        self,
        variant: str,
        settings: Settings,
        visibility: Visibility,
        request: RequestKey | None,
        past: Sequence[Action] = (),
    ) -> tuple[Table, State]:
        """A new table, or the one that the same request made; with its first state.

        `past` are the actions of a record that its match goes on from.
        """
        entry = self._registry.entry(variant)
        # Whatever the rules refuse of the settings, they refuse before anything is kept.
        rules = self._registry.rules(entry.variant.id, settings.preset, settings.options)
        check_stake(Match.new(rules, settings.start_of(rules)))
        taken = all(seat.taken for seat in settings.seats)
        time = self.now()
        abandonment = seconds(rules, "abandonment")
        new = NewTable(
            id=secrets.token_hex(12),
            time=time,
            variant=entry.variant.id,
            rules_version=entry.variant.rules_version,
            settings=settings.to_json(),
            seats=settings.seats,
            status=Status.PLAYING if taken else Status.WAITING,
            visibility=visibility,
            events=[NewEvent(time, one.seat, written(Acted(one))) for one in past],
            # Where bots alone sit, the first of them to act sets it right.
            deadline=None if abandonment is None else time + abandonment,
        )
        created = await self.store.create(new, request)
        table = await self.get(created.id)
        self._bots.wake(table)
        if not past:
            return table, table.first_state()
        if table.revision == len(past):
            return table, table.state
        [moment] = await self.loaded.moments(table, len(past), len(past))
        return table, moment.state

    # -- sitting down and getting up ----------------------------------------------------------------

    async def join(self, table: Table, sitting: Sitting) -> Joined:
        """Take a seat, or be given the same one again."""
        joined = await self._up_to_date(table, None, lambda: self._join(table, sitting))
        self._bots.wake(table)
        return joined

    async def _join(self, table: Table, sitting: Sitting) -> Joined:
        table.check_usable()
        request = sitting.request
        if request and (known := await self.store.request(table.number, JOIN, request.id)):
            return await self._joined_again(table, sitting, known)
        if table.state.closed:
            raise NotNow(Fault("TABLE_CLOSED", "table", table.id, "a table that is open"))
        seat = free_seat(table, sitting.seat, sitting.caller.account)
        name = sitting.name or table.state.seats[seat].name or sitting.caller.name
        salt = tokens.new_salt()
        token = tokens.new_token(salt, sitting.request_id)
        taken = SeatTaken(seat, name, sitting.dice_seed, sitting.caller.account)
        kept = StoredSeat(
            number=seat,
            name=name,
            taken=True,
            token=tokens.hashed(token),
            salt=salt,
            account=taken.account,
        )
        course = Course(table.state, self._time(table), self.house)
        made = course.want(taken)
        done = await self._carry_out(table, made, seat, request, seat=kept)
        if isinstance(done, Repeated):
            return await self._joined_again(table, sitting, done)
        return Joined(seat, token, done[0])

    async def _joined_again(self, table: Table, sitting: Sitting, done: Repeated) -> Joined:
        request = sitting.request
        if request and done.fingerprint != request.fingerprint:
            raise reused(sitting.request_id)
        stored = await self.loaded.stored(table.id)
        moment = (await self.loaded.moments(table, done.first, done.last))[0]
        seat = Seat(moment.event.seat or 0)
        token = tokens.new_token(stored.seats[seat].salt, sitting.request_id)
        return Joined(seat, token, moment)

    async def leave(self, table: Table, seat: Seat, *, kicked: bool) -> State:
        """Free a seat, as long as the match has not begun."""
        return await self._up_to_date(table, None, lambda: self._leave(table, seat, kicked=kicked))

    async def _leave(self, table: Table, seat: Seat, *, kicked: bool) -> State:
        table.check_usable()
        state = table.state
        if state.status is not Status.WAITING:
            found, expected = state.status.name.lower(), "a seat that is still free beside it"
            what = f"table {table.id} is {found}: expected {expected}; a match can be given up"
            raise NotNow(Fault("MATCH_BEGUN", "table", table.id, expected, what))
        if not state.seats[seat].taken or state.seats[seat].bot:
            raise NotNow(Fault("SEAT_FREE", "seat", str(seat), "a seat where a player sits"))
        left, when = SeatLeft(seat, kicked), self._time(table)
        after = state.then(left, when, self.house.rules_of)
        await self._carry_out(table, [(left, after)], seat, seat=after.seats[seat])
        return after

    # -- acting -------------------------------------------------------------------------------------

    async def act(
        self,
        table: Table,
        seat: Seat,
        want: Want,
        *,
        expected: int | None = None,
        request: RequestKey | None = None,
        view: int = NONE,
    ) -> Done:
        """Do what a player wants, or tell what the same request did before."""
        done = await self._up_to_date(
            table, expected, lambda: self._act(table, seat, want, expected, request, view)
        )
        self._bots.wake(table)
        return done

    async def _up_to_date(
        self, table: Table, expected: int | None, command: Callable[[], Awaitable[T]]
    ) -> T:
        """Carry out a command; once more whenever another server has acted at the table meanwhile."""
        async with table.lock:
            while True:
                try:
                    return await command()
                except BgcoreError as refused:
                    seen = table.revision
                    old = expected is not None and expected < seen
                    if old or not self._may_be_behind(refused):
                        raise
                    await self.loaded.read_on(table)
                    if table.revision == seen:
                        raise

    def _may_be_behind(self, refused: BgcoreError) -> bool:
        if isinstance(refused, (Unavailable, NotAllowed)):
            return False
        return self.store.shared or isinstance(refused, Stale)

    async def _act(
        self,
        table: Table,
        seat: Seat,
        want: Want,
        expected: int | None,
        request: RequestKey | None,
        view: int,
    ) -> Done:
        when = self._time(table)
        try:
            made = self.proposed(table, want, expected, when)
        except BgcoreError as refused:
            # A repetition is answered as the first time, though it may not be possible now.
            if done := await self._known(table, request):
                return done
            if isinstance(refused, TimeOver):
                await self._attend(table, when)
            raise
        last = made[-1][1]
        # The answer is made first: what cannot be told must not happen.
        answer = Moment(Event(last.revision, when, None, "", ""), last).state_message(view)
        done_now = await self._carry_out(table, made, seat, request)
        if isinstance(done_now, Repeated):
            return await self._again(table, request, done_now)
        done_now[-1].remember(view, answer)
        return Done(done_now)

    def proposed(
        self, table: Table, want: Want, expected: int | None, when: int | None = None
    ) -> Made:
        """What a wish would amount to; whatever speaks against it raises. Nothing is done."""
        table.check_usable()
        time = self._time(table) if when is None else when
        check_time(table.state, want, time)
        if expected is not None and expected != table.revision:
            raise stale(expected, table.revision)
        check_open(table.state, table.id, want)
        return Course(table.state, time, self.house).want(want)

    async def _carry_out(
        self,
        table: Table,
        made: Made,
        actor: Seat | None,
        request: RequestKey | None = None,
        *,
        seat: StoredSeat | None = None,
    ) -> list[Moment] | Repeated:
        """Log first, then fan out; nothing when the store knew the request already."""
        last = made[-1][1]
        events = [NewEvent(s.updated, whose(entry, actor), written(entry)) for entry, s in made]
        change = Change(
            table.number,
            table.revision,
            events,
            last.status,
            request,
            seat,
            deadline=last.deadline,
            later=next((e.rules for e, _ in made if isinstance(e, Started)), None),
        )
        cancelled, answer = None, self.store.append(change)
        try:
            await answer
        except asyncio.CancelledError as error:
            # The log decides what happened, not the caller's patience.
            cancelled = error
        done = answer.result()
        if isinstance(done, Appended):
            request_id = request.id if request and seat is None else ""
            moments = [
                Moment(Event(s.revision, new.time, new.seat, request_id, new.body), s, entry)
                for new, (entry, s) in zip(events, made, strict=True)
            ]
            if seat:
                table.set_token(seat)
            table.publish(moments)
        if cancelled:
            self._bots.wake(table)
            raise cancelled
        return done if isinstance(done, Repeated) else moments

    async def _known(self, table: Table, request: RequestKey | None) -> Done | None:
        if request is None:
            return None
        done = await self.store.request(table.number, request.scope, request.id)
        return await self._again(table, request, done) if done else None

    async def _again(self, table: Table, request: RequestKey | None, done: Repeated) -> Done:
        if request and done.fingerprint != request.fingerprint:
            raise reused(request.id)
        return Done(await self.loaded.moments(table, done.first, done.last))

    def _time(self, table: Table) -> int:
        return max(self.now(), table.state.updated)

    # -- what nobody asked for ----------------------------------------------------------------------

    async def attend(self, id: str) -> None:
        """Do at a table what is due because nobody did anything in time, if it still is."""
        table = await self.get(id)
        await self._up_to_date(table, None, lambda: self._attend(table, self._time(table)))
        self._bots.wake(table)

    async def _attend(self, table: Table, when: int) -> None:
        table.check_usable()
        if made := Course(table.state, when, self.house).overdue():
            await self._carry_out(table, made, None)

    async def close(self, table: Table, why: Why, note: str = "") -> State:
        """Close a table for good; a match that runs is void. Nothing happens at one that is closed."""
        return await self._up_to_date(table, None, lambda: self._close(table, why, note))

    async def _close(self, table: Table, why: Why, note: str) -> State:
        # Even a table whose rules are gone can be closed: nothing is asked of them.
        if not table.state.closed:
            made = Course(table.state, self._time(table), self.house).close(why, note)
            await self._carry_out(table, made, None)
        return table.state

    async def expire(self, id: str) -> None:
        """Close a table at which nothing has happened for longer than such tables are kept."""
        table = await self.get(id)
        await self._up_to_date(table, None, lambda: self._expire(table))

    async def _expire(self, table: Table) -> None:
        state = table.state
        limit = {
            Status.WAITING: self._limits.expire_waiting,
            Status.PLAYING: self._limits.expire_playing,
        }.get(state.status)
        if limit is not None and state.updated + limit * 1_000_000 < self.now():
            await self._close(table, Why.EXPIRED, "")

    async def compact(self, id: str) -> None:
        """Keep the log of a table as one piece, but for the events that somebody may still be about to read."""
        table = await self.get(id)
        async with table.lock:
            table.check_usable()
            state = table.state
            until = state.revision if state.over else state.revision - RECENT
            if until <= table.stored.compacted:
                return
            history = table.history(await self.loaded.log(table, until))
            moments = [moment async for moment in sliced(history)]
            body = pack([moment.event for moment in moments], moments[-1].state.digest())
            archive = Archive(until, self.now(), body)
            await self.store.compact(table.number, table.revision, archive)
            table.stored = await self.loaded.stored(id)

    # -- looking ------------------------------------------------------------------------------------

    async def watch(self, table: Table, after: int | None) -> AsyncIterator[State | Moment | int]:
        """Every moment after a revision, or the state now and every moment after it.

        In between comes the revision, when nothing happens for long.
        """
        if after is not None:
            table.check_reached(after)
            check_kept(table.stored, after)
        table = self.loaded.current(table)
        table.watchers += 1  # from here on it stays in memory
        self.loaded.keep(table)
        try:
            if after is None:
                after = table.revision
                yield table.state
            while True:
                self._check_running()
                if after == table.revision:
                    if not await table.wait(self.heartbeat):
                        yield table.revision
                    continue
                async for moment in self.loaded.moments_after(table, after):
                    self._check_running()
                    yield moment
                    after = moment.event.revision
        finally:
            table.watchers -= 1

    def _check_running(self) -> None:
        if self._stopping:
            raise stopping()

    # -- starting and stopping ----------------------------------------------------------------------

    def start(self) -> None:
        """From now on hear of what other servers do on the same store, and do what is due."""
        self._follower.start()
        self._upkeep.start()

    async def resume_bots(self) -> None:
        """After a start: let the bots go on where they are to act."""
        for name in await self.store.bot_tables():
            try:
                self._bots.wake(await self.get(name))
            except BgcoreError as error:
                self._log.error("table not resumed", table=name, reason=error.reason)

    async def stop(self) -> None:
        """End every watch and every bot; what is being committed is."""
        self._stopping = True
        for table in self.loaded:
            table.wake()
        await self._upkeep.stop()
        await self._follower.stop()
        await self._bots.stop()


def whose(entry: Entry, actor: Seat | None) -> Seat | None:
    """Whose doing an entry is: an automatic action's is its player's; the table's own nobody's."""
    if isinstance(entry, Acted):
        return entry.seat if entry.automatic else actor
    return entry.seat


def free_seat(table: Table, wanted: Seat | None, account: str) -> Seat:
    """The seat that a player may take: not one that is kept for another account."""
    seats = table.state.seats
    free = [seat for seat in Seat if not seats[seat].taken]
    mine = [seat for seat in free if seats[seat].account in ("", account)]
    if wanted is None:
        kept = (seat for seat in mine if account and seats[seat].account)
        if mine:
            return next(kept, mine[0])
        if free:
            raise seat_kept(free[0])
        raise NotNow(Fault("TABLE_FULL", "table", table.id, "a free seat"))
    if wanted not in free:
        expected = f"a free seat: {', '.join(map(str, free)) or 'none is'}"
        raise NotNow(Fault("SEAT_TAKEN", "seat", str(wanted), expected))
    if wanted not in mine:
        raise seat_kept(wanted)
    return wanted


def seat_kept(seat: Seat) -> NotAllowed:
    """The error of a seat that waits for somebody else."""
    return NotAllowed(Fault("SEAT_KEPT", "seat", str(seat), "the account that it is kept for"))


def fingerprint(content: bytes) -> bytes:
    """What tells a repeated request from another one with its id."""
    return hashlib.sha256(content).digest()[:16]


def concealed(request_id: str) -> str:
    """What is kept of a request id with which secrets can be asked for again."""
    return hashlib.sha256(request_id.encode()).hexdigest()
