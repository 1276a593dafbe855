"""All tables of this server: loading, making, joining, acting, watching.

A command on a table holds its lock until the store has answered, so in one process nobody meets a
stale revision. Another process may; the store's compare-and-set finds out, and the log is read anew.
On a store that other servers share, a refusal holds only if nobody has acted meanwhile.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from bgcore import Action, BgcoreError, Kind, Match, Registry, Seat
from bgcore.errors import Fault, NotRegistered, OptionError
from bgcore_server import tokens
from bgcore_server.convert import table as convert
from bgcore_server.convert.clock import spoken
from bgcore_server.errors import Log, NotFound, NotNow, Stale, TimeOver, Unavailable
from bgcore_server.settings import Settings
from bgcore_server.slices import sliced
from bgcore_server.store import (
    Appended,
    Change,
    Event,
    NewEvent,
    NewTable,
    Repeated,
    RequestKey,
    Status,
    Store,
    StoredTable,
    Visibility,
)
from bgcore_server.store import Seat as StoredSeat
from bgcore_server.store.errors import reused, stale
from bgcore_server.tables.bots import Bots
from bgcore_server.tables.dice import thrown
from bgcore_server.tables.follow import Follower
from bgcore_server.tables.live import Moment, State, Table, rules_changed

T = TypeVar("T")

LIVE = 4096
"""Tables kept in memory; those not used for longest go first, unless somebody watches."""

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


class Tables:
    """The tables of a store, those in use in memory."""

    def __init__(
        self,
        store: Store,
        registry: Registry,
        log: Log,
        heartbeat: float = 15.0,
        now: Callable[[], int] = now,
    ) -> None:
        self.store = store
        self.heartbeat = heartbeat
        self.now = now
        self._registry = registry
        self._log = log
        self._live: OrderedDict[str, Table] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Table]] = {}
        self._bots = Bots(self.act, registry, log)
        self._follower = Follower(store, self.catch_up, self._bots.wake, log)
        self._stopping = False

    # -- finding ------------------------------------------------------------------------------------

    async def get(self, id: str, *, fresh: bool = True) -> Table:
        """The table of an id, with all that any server has answered by now.

        Unless it need not be `fresh`: for a command, which finds out by itself.
        """
        table = self._live.get(id)
        if table is None:
            loading = self._loading.get(id)
            if loading is None:
                loading = self._loading[id] = asyncio.create_task(self._load(id))
                loading.add_done_callback(lambda done: self._loaded(id, done))
            return await asyncio.shield(loading)
        self._live.move_to_end(id)
        if fresh and self.store.shared:
            last = (await self.store.revisions((table.number,))).get(table.number, 0)
            await self.catch_up(table, last)
        return table

    def _loaded(self, id: str, done: asyncio.Task[Table]) -> None:
        self._loading.pop(id, None)
        if not done.cancelled():
            done.exception()  # whoever waits is told; if nobody does any more, that is no fault

    async def _load(self, id: str) -> Table:
        stored = await self.store.table(id)
        if stored is None:
            raise not_found(id)
        table = self._table(stored)
        async for event in sliced(await self.store.events(table.number, 0, None)):
            if not table.read_log((event,)):
                break
        self._keep(table)
        return table

    def _table(self, stored: StoredTable) -> Table:
        settings = Settings.from_json(stored.settings)
        try:
            rules = self._registry.rules(stored.variant, settings.preset, settings.options)
            return Table(stored, rules)
        except (NotRegistered, OptionError, BgcoreError) as changed:
            what = f"table {stored.id} cannot be opened: {changed}"
            raise NotNow(rules_changed(stored.id, what)) from changed

    def _keep(self, table: Table) -> None:
        self._live[table.id] = table
        self._follower.add(table)
        while len(self._live) > LIVE:
            oldest = next((t for t in self._live.values() if not self._in_use(t)), None)
            if oldest is None:
                return
            del self._live[oldest.id]
            self._follower.drop(oldest)

    def _in_use(self, table: Table) -> bool:
        return bool(table.watchers) or table.lock.locked() or self._bots.playing(table)

    async def stored(self, id: str) -> StoredTable:
        """What the store has of a table, without its match."""
        found = await self.store.table(id)
        if found is None:
            raise not_found(id)
        return found

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
        convert.check_stake(Match.new(rules, settings.start_of(rules)))
        taken = all(seat.taken for seat in settings.seats)
        time = self.now()
        new = NewTable(
            id=secrets.token_hex(12),
            time=time,
            variant=entry.variant.id,
            rules_version=entry.variant.rules_version,
            settings=settings.to_json(),
            seats=settings.seats,
            status=Status.PLAYING if taken else Status.WAITING,
            visibility=visibility,
            events=[NewEvent(time, one.seat, compact(one.to_json())) for one in past],
        )
        created = await self.store.create(new, request)
        table = await self.get(created.id)
        self._bots.wake(table)
        if not past:
            return table, table.first_state()
        if table.revision == len(past):
            return table, table.state
        [moment] = await self.moments(table, len(past), len(past))
        return table, moment.state

    # -- joining ------------------------------------------------------------------------------------

    async def join(
        self, table: Table, wanted: Seat | None, name: str, request_id: str, seed: str = ""
    ) -> Joined:
        """Take a seat, or be given the same one again; `seed` is for committed dice."""
        request = None
        if request_id:
            # Who knows the id can ask for the token, so it is not kept as it is.
            secret = hashlib.sha256(request_id.encode()).hexdigest()
            asked = f"{wanted!r} {name}" + (f"\n{seed}" if seed else "")
            request = RequestKey(JOIN, secret, fingerprint(asked.encode()))
        joined = await self._up_to_date(
            table, None, lambda: self._join(table, wanted, name, request, request_id, seed)
        )
        self._bots.wake(table)
        return joined

    async def _join(
        self,
        table: Table,
        wanted: Seat | None,
        name: str,
        request: RequestKey | None,
        request_id: str,
        seed: str,
    ) -> Joined:
        table.check_usable()
        if request and (known := await self.store.request(table.number, JOIN, request.id)):
            return await self._joined_again(table, request, known, request_id)
        seat = free_seat(table, wanted)
        expected = table.state.seats[seat].name
        salt = tokens.new_salt()
        token = tokens.new_token(salt, request_id)
        taken = StoredSeat(
            number=seat,
            name=name or expected,
            taken=True,
            token=tokens.hashed(token),
            salt=salt,
        )
        body = {"kind": convert.SEAT_TAKEN, "seat": str(seat), "name": taken.name}
        if seed:
            body["dice_seed"] = seed
        state = table.state.joined(seat, taken.name, seed, self._time(table))
        event = NewEvent(state.updated, seat, compact(body))
        change = Change(table.number, table.revision, (event,), state.status, request, seat=taken)
        done = await self._carry_out(table, change, (state,), (None,))
        if isinstance(done, Repeated):
            return await self._joined_again(table, request, done, request_id)
        return Joined(seat, token, done[0])

    async def _joined_again(
        self, table: Table, request: RequestKey | None, done: Repeated, request_id: str
    ) -> Joined:
        if request and done.fingerprint != request.fingerprint:
            raise reused(request_id)
        stored = await self.stored(table.id)
        [moment] = await self.moments(table, done.first, done.last)
        seat = Seat(moment.event.seat or 0)
        return Joined(seat, tokens.new_token(stored.seats[seat].salt, request_id), moment)

    def seat_of(self, table: Table, token: str) -> Seat | None:
        """The seat whose token it is."""
        found = tokens.hashed(token)
        return next((s for s, kept in table.tokens.items() if tokens.same(found, kept)), None)

    # -- acting -------------------------------------------------------------------------------------

    async def act(
        self,
        table: Table,
        seat: Seat,
        action: Action,
        *,
        expected: int | None = None,
        request: RequestKey | None = None,
        view: int = convert.NONE,
    ) -> Done:
        """Do what a player wants, or tell what the same request did before."""
        done = await self._up_to_date(
            table, expected, lambda: self._act(table, seat, action, expected, request, view)
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
                    await self._catch_up(table)
                    if table.revision == seen:
                        raise

    def _may_be_behind(self, refused: BgcoreError) -> bool:
        if isinstance(refused, Unavailable):
            return False
        return self.store.shared or isinstance(refused, Stale)

    async def _act(
        self,
        table: Table,
        seat: Seat,
        action: Action,
        expected: int | None,
        request: RequestKey | None,
        view: int,
    ) -> Done:
        when = self._time(table)
        try:
            proposed = self.proposed(table, action, expected, when)
        except BgcoreError as refused:
            # A repetition is answered as the first time, though it may not be possible now.
            if done := await self._known(table, request):
                return done
            if isinstance(refused, TimeOver):
                await self._flag(table, when)
            raise
        states = [table.state]
        for action, match in proposed:
            states.append(states[-1].acted(action, match, when))
        last = states[-1]
        # The answer is made first: what cannot be told must not happen.
        answer = last.message(view)
        events = [NewEvent(when, seat, compact(action.to_json())) for action, _ in proposed]
        change = Change(table.number, table.revision, events, last.status, request)
        actions = [action for action, _ in proposed]
        made = await self._carry_out(table, change, states[1:], actions)
        if isinstance(made, Repeated):
            return await self._again(table, request, made)
        made[-1].remember(view, answer)
        return Done(made)

    async def _flag(self, table: Table, when: int) -> None:
        """Put into the log that the time of who must decide has run out; nobody's doing."""
        state = table.state
        assert state.clock is not None and state.clock.running is not None
        action = Action.flag(state.clock.running)
        after = state.acted(action, state.match.after(action), when)
        event = NewEvent(when, None, compact(action.to_json()))
        change = Change(table.number, table.revision, (event,), after.status)
        await self._carry_out(table, change, (after,), (action,))

    def proposed(
        self, table: Table, action: Action, expected: int | None, when: int | None = None
    ) -> list[tuple[Action, Match]]:
        """What an action would amount to; whatever speaks against it raises. Nothing is done."""
        table.check_usable()
        check_time(table.state, action, self._time(table) if when is None else when)
        if expected is not None and expected != table.revision:
            raise stale(expected, table.revision)
        if table.state.status is Status.WAITING:
            free = " and ".join(str(Seat(s.number)) for s in table.state.seats if not s.taken)
            what = f"{action.kind}: expected both seats to be taken first; free: {free}"
            raise NotNow(Fault("WAITING_FOR_PLAYERS", "table", table.id, "both seats taken", what))
        return list(thrown(table.state.match, action, table.state.dice))

    async def _carry_out(
        self,
        table: Table,
        change: Change,
        states: Sequence[State],
        actions: Sequence[Action | None],
    ) -> list[Moment] | Repeated:
        """Log first, then fan out; nothing when the store knew the request already."""
        cancelled, answer = None, self.store.append(change)
        try:
            await answer
        except asyncio.CancelledError as error:
            # The log decides what happened, not the caller's patience.
            cancelled = error
        done = answer.result()
        if isinstance(done, Appended):
            request_id = change.request.id if change.request and not change.seat else ""
            moments = [
                Moment(Event(s.revision, new.time, new.seat, request_id, new.body), s, action)
                for new, s, action in zip(change.events, states, actions, strict=True)
            ]
            if change.seat:
                table.set_token(change.seat)
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
        return Done(await self.moments(table, done.first, done.last))

    async def catch_up(self, table: Table, revision: int) -> None:
        """Read what other servers have added to the log, if the table is not yet at a revision."""
        if table.revision < revision and not table.fault:
            async with table.lock:
                if table.revision < revision:
                    await self._catch_up(table)

    async def _catch_up(self, table: Table) -> None:
        """Read what other servers have added to the log. Needs the lock."""
        events = await self.store.events(table.number, table.revision, None)
        if events:
            stored = await self.stored(table.id)
            for seat in stored.seats:
                table.set_token(seat)
            table.follow(events)

    def _time(self, table: Table) -> int:
        return max(self.now(), table.state.updated)

    # -- looking ------------------------------------------------------------------------------------

    async def moments(self, table: Table, first: int, last: int) -> list[Moment]:
        """The moments from a revision to another, from memory or from the log."""
        # The store may be further than the table in memory: it is told first.
        recent = table.recent(first - 1) if last <= table.revision else None
        if recent is not None:
            return recent[: last - first + 1]
        events = await self.store.events(table.number, 0, last)
        history = sliced(table.history(events))
        return [moment async for moment in history if moment.event.revision >= first]

    async def watch(self, table: Table, after: int | None) -> AsyncIterator[State | Moment | int]:
        """Every moment after a revision, or the state now and every moment after it.

        In between comes the revision, when nothing happens for long.
        """
        if after is not None:
            table.check_reached(after)
        table = self._live.get(table.id, table)
        table.watchers += 1  # from here on it stays in memory
        self._keep(table)
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
                async for moment in self._after(table, after):
                    self._check_running()
                    yield moment
                    after = moment.event.revision
        finally:
            table.watchers -= 1

    async def _after(self, table: Table, after: int) -> AsyncIterator[Moment]:
        recent = table.recent(after)
        if recent is not None:
            for moment in recent:
                yield moment
            return
        # Far behind: the log has it.
        events = await self.store.events(table.number, 0, table.revision)
        async for moment in sliced(table.history(events)):
            if moment.event.revision > after:
                yield moment

    def _check_running(self) -> None:
        if self._stopping:
            what, expected = "the server stops; try again", "a server that runs"
            raise Unavailable(Fault("SERVER_STOPPING", "", "stopping", expected, what))

    def follow(self) -> None:
        """From now on hear of what other servers do on the same store."""
        self._follower.start()

    async def resume_bots(self) -> None:
        """After a start: let the bots go on where they are to act."""
        for name in await self.store.bot_tables():
            try:
                self._bots.wake(await self.get(name))
            except BgcoreError as error:
                self._log.error("table not resumed", table=name, reason=error.reason)

    # -- stopping -----------------------------------------------------------------------------------

    async def stop(self) -> None:
        """End every watch and every bot; what is being committed is."""
        self._stopping = True
        for table in self._live.values():
            table.wake()
        await self._follower.stop()
        await self._bots.stop()


def check_time(state: State, action: Action, when: int) -> None:
    """`TimeOver` when the time of who must decide is over; `NotNow` when a player says so too early (M10)."""
    clock = state.clock
    if clock is None or clock.running is None:
        return
    seat, left, claimed = clock.running, clock.left(when), action.kind is Kind.FLAG
    if left < 0 and not (claimed and action.seat is seat):
        what = f"{action.kind}: {seat}'s time was over {spoken(left)} ago"
        expected = "an act before the clock's deadline"
        raise TimeOver(Fault("TIME_OVER", "action", str(action.kind), expected, what, rule="M10"))
    if left >= 0 and claimed and action.seat is seat:
        what = f"flag: {seat} has {spoken(left)} left"
        expected = "a claim after the clock's deadline"
        raise NotNow(Fault("NOT_OUT_OF_TIME", "action", spoken(left), expected, what, rule="M10"))


def free_seat(table: Table, wanted: Seat | None) -> Seat:
    """The seat that a player may take."""
    seats = table.state.seats
    free = [seat for seat in Seat if not seats[seat].taken]
    if wanted is None:
        if free:
            return free[0]
        raise NotNow(Fault("TABLE_FULL", "table", table.id, "a free seat"))
    if wanted not in free:
        expected = f"a free seat: {', '.join(map(str, free)) or 'none is'}"
        raise NotNow(Fault("SEAT_TAKEN", "seat", str(wanted), expected))
    return wanted


def fingerprint(content: bytes) -> bytes:
    """What tells a repeated request from another one with its id."""
    return hashlib.sha256(content).digest()[:16]


compact = json.JSONEncoder(separators=(",", ":")).encode
"""JSON without blanks."""


def not_found(id: str) -> NotFound:
    """The error of a table that does not exist."""
    return NotFound(Fault("UNKNOWN_TABLE", "table", id, "the id of a table"))
