"""All tables of a server: what can be done with one, and what runs beside."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import suppress

from bgcore import Action, BgcoreError, Kind, Match, Registry, Seat
from bgcore.errors import PluginFailed
from bgcore_server.convert.states import NONE, check_stake, state_bytes
from bgcore_server.entries import Acted, Closed, Why, written
from bgcore_server.errors import Log, Stale, TimeOver, Unavailable, stopping
from bgcore_server.settings import Settings
from bgcore_server.slices import sliced
from bgcore_server.store import (
    Archive,
    Change,
    NewEvent,
    NewTable,
    Repeated,
    RequestKey,
    Status,
    Store,
    StoredTable,
    Visibility,
)
from bgcore_server.store.archive import pack
from bgcore_server.store.errors import stale
from bgcore_server.store.statements import MAKING
from bgcore_server.tables.bots import Bots
from bgcore_server.tables.command import Commands, Done, now
from bgcore_server.tables.follow import Follower
from bgcore_server.tables.house import House, ruleset
from bgcore_server.tables.live import RECENT, Moment, Table
from bgcore_server.tables.loaded import ATTEMPTS, Loaded, check_kept, reloaded, unreadable
from bgcore_server.tables.onlooker import Onlooker
from bgcore_server.tables.rights import Caller, check_sits
from bgcore_server.tables.seating import Joined, Seating, Sitting
from bgcore_server.tables.state import State, seconds
from bgcore_server.tables.upkeep import Upkeep
from bgcore_server.tables.wishes import Course, Made, Want, check_open, check_time
from bgcore_server.upkeep_settings import UpkeepSettings

CREATE = "create"


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
        self._log = log
        self._bots = Bots(self.act, registry, log)
        self.loaded = Loaded(store, self.house.rules_of, log, self._bots.playing)
        self.get = self.loaded.get
        self.catch_up = self.loaded.catch_up
        self._follower = Follower(store, self.catch_up, self._bots.wake, self.loaded.let_go, log)
        self.loaded.came, self.loaded.went = self._follower.add, self._follower.drop
        self._commands = Commands(store, self.loaded, now, self._bots.wake)
        self._seating = Seating(store, self.loaded, self._commands, self.house)
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
        # Whatever the rules refuse of the settings, they refuse before anything is kept.
        games = self.house.games(ruleset(variant, settings))
        check_stake(Match.new(games, settings.start_of(games.first)))
        taken = all(seat.taken for seat in settings.seats)
        time = self.now()
        abandonment = seconds(games, "abandonment")
        new = NewTable(
            id=secrets.token_hex(12),
            time=time,
            variant=games.variant.id,
            rules_version=games.rules_version,
            settings=settings.to_json(),
            seats=settings.seats,
            status=Status.PLAYING if taken else Status.WAITING,
            visibility=visibility,
            events=[NewEvent(time, told(one), written(Acted(one))) for one in past],
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

    async def has_made(self, request: RequestKey | None) -> bool:
        """Whether a request has made a table before."""
        if request is None:
            return False
        done = await self.store.request(MAKING, request.scope, request.id)
        return done is not None and done.fingerprint == request.fingerprint

    # -- sitting down and getting up ----------------------------------------------------------------

    async def join(self, table: Table, sitting: Sitting) -> Joined:
        """Take a seat, or be given the same one again."""
        joined = await self._seating.join(table, sitting)
        self._bots.wake(table)
        return joined

    async def leave(self, table: Table, seat: Seat, caller: Caller) -> State:
        """Free a seat, as long as the match has not begun."""
        return await self._seating.leave(table, seat, caller)

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
        caller: Caller | None = None,
    ) -> Done:
        """Do what a player wants, or tell what the same request did before.

        `caller` must sit there at that moment, not only when he was let in; `None`: one of ours.
        """
        done = await self._commands.up_to_date(
            table,
            expected,
            lambda: self._act(table, seat, want, expected, request, view, caller),
        )
        self._bots.wake(table)
        return done

    async def _act(
        self,
        table: Table,
        seat: Seat,
        want: Want,
        expected: int | None,
        request: RequestKey | None,
        view: int,
        caller: Caller | None,
    ) -> Done:
        if caller is not None:
            check_sits(table.door, seat, caller)
        when = self._commands.time(table)
        try:
            made = self.proposed(table, want, expected, when)
        except BgcoreError as refused:
            # A repetition is answered as the first time, though it may not be possible now.
            if done := await self._commands.known(table, request):
                return done
            if isinstance(refused, TimeOver):
                await self._attend(table, when)
            raise
        last = made[-1][1]
        # The answer is made first: what cannot be told must not happen.
        answer = state_bytes(last, view)
        done_now = await self._commands.carry_out(table, made, seat, request)
        if isinstance(done_now, Repeated):
            return await self._commands.again(table, request, done_now)
        done_now[-1].remember(view, answer)
        return Done(done_now)

    def proposed(
        self, table: Table, want: Want, expected: int | None, when: int | None = None
    ) -> Made:
        """What a wish would amount to; whatever speaks against it raises. Nothing is done."""
        table.check_usable()
        time = self._commands.time(table) if when is None else when
        check_time(table.state, want, time)
        if expected is not None and expected != table.revision:
            raise stale(expected, table.revision)
        check_open(table.state, table.id, want)
        return Course(table.state, time, self.house).want(want)

    # -- what nobody asked for ----------------------------------------------------------------------

    async def attend(self, id: str) -> None:
        """Do at a table what is due because nobody did anything in time, if it still is."""
        table = await self.get(id)
        await self._commands.up_to_date(
            table, None, lambda: self._attend(table, self._commands.time(table))
        )
        self._bots.wake(table)

    async def _attend(self, table: Table, when: int) -> None:
        table.check_usable()
        if made := Course(table.state, when, self.house).overdue():
            await self._commands.carry_out(table, made, None)

    async def close(self, table: Table, why: Why, note: str = "") -> State:
        """Close a table for good; a match that runs is void. Nothing happens at one that is closed."""
        return await self._commands.up_to_date(table, None, lambda: self._close(table, why, note))

    async def _close(self, table: Table, why: Why, note: str) -> State:
        # Even a table whose rules are gone can be closed: nothing is asked of them.
        if not table.state.closed:
            if table.fault:
                stored = await self.loaded.stored(table.id)
                table.skip(stored.revision, stored.updated)
            made = Course(table.state, self._commands.time(table), self.house).close(why, note)
            await self._commands.carry_out(table, made, None)
        return table.state

    async def close_unread(self, id: str, why: Why, note: str = "") -> StoredTable:
        """Close a table whose log cannot be read, as its rules are gone or fail: they are not asked."""
        for _ in range(ATTEMPTS):
            stored = await self.loaded.stored(id)
            if stored.status is Status.CLOSED:
                break
            entry = Closed(why, void=stored.status is not Status.FINISHED, note=note)
            time = max(self.now(), stored.updated)
            event = NewEvent(time, None, written(entry))
            change = Change(stored.number, stored.revision, [event], Status.CLOSED)
            with suppress(Stale):  # somebody else did something: once more
                await self.store.append(change)
        self.loaded.forget(id)
        return await self.loaded.stored(id)

    async def expire(self, id: str) -> None:
        """Close a table at which nothing has happened for longer than such tables are kept."""
        try:
            table = await self.get(id)
        except Exception as problem:
            if not unreadable(problem):
                raise
            stored = await self.loaded.stored(id)
            if self._is_idle(stored.status, stored.updated):
                await self.close_unread(id, Why.EXPIRED)
            return
        await self._commands.up_to_date(table, None, lambda: self._expire(table))

    async def _expire(self, table: Table) -> None:
        if self._is_idle(table.state.status, table.state.updated):
            await self._close(table, Why.EXPIRED, "")

    def _is_idle(self, status: Status, updated: int) -> bool:
        limit = {
            Status.WAITING: self._limits.expire_waiting,
            Status.PLAYING: self._limits.expire_playing,
        }.get(status)
        return limit is not None and updated + limit * 1_000_000 < self.now()

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
            events, digest = [moment.event for moment in moments], moments[-1].state.digest()
            body = await asyncio.to_thread(pack, events, digest)
            archive = Archive(until, self.now(), body)
            await self.store.compact(table.number, table.revision, archive)
            table.stored = await self.loaded.stored(id)

    # -- looking ------------------------------------------------------------------------------------

    async def watch(
        self, table: Table, after: int | None, prove: Callable[[], Caller]
    ) -> AsyncIterator[State | Moment | int]:
        """Every moment after a revision, or the state now and every moment after it.

        In between comes the revision, when nothing happens for long. It ends with the error that a new
        watch would get as soon as there would be one: `prove` tells who watches, and raises when what he has
        shown does not hold any more.
        """
        onlooker = Onlooker(prove, self.heartbeat)
        if after is not None:
            table.check_reached(after)
            check_kept(table.stored, after)
        table = self.loaded.current(table)
        table.watchers += 1  # from here on it stays in memory
        self.loaded.keep(table)
        try:
            if after is None:
                self._check_watch(table, onlooker)
                after = table.revision
                yield table.state
            while self._check_watch(table, onlooker):
                if after == table.revision:
                    if not await table.wait(onlooker.patience(self.heartbeat)):
                        await self._settle(table)
                        self._check_watch(table, onlooker)
                        yield after
                    continue
                async for moment in self.loaded.moments_after(table, after):
                    if not self._check_watch(table, onlooker):
                        break
                    yield moment
                    after = moment.event.revision
        finally:
            table.watchers -= 1
        await self.get(table.id)  # which says why it has gone
        raise reloaded(table.id)

    async def _settle(self, table: Table) -> None:
        """Find out what the store did not tell, if nobody else has asked for it."""
        if table.doubtful and not table.lock.locked():
            with suppress(Unavailable):
                async with table.lock:
                    await self.loaded.settle(table)

    def _check_watch(self, table: Table, onlooker: Onlooker) -> bool:
        """Whether the table is still the one that is in memory; raises what ends the watch otherwise."""
        if self._stopping:
            raise stopping()
        onlooker.check(table)
        return not table.gone

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
            except PluginFailed as failed:
                self._log.error("table not resumed", table=name, exc_info=failed)
            except BgcoreError as error:
                self._log.error("table not resumed", table=name, reason=error.reason)
            except Exception as error:  # the rules of one table must not keep the others waiting
                self._log.error("table not resumed", table=name, exc_info=error)

    async def stop(self) -> None:
        """End every watch and every bot; what is being committed is."""
        self._stopping = True
        for table in self.loaded:
            table.wake()
        await self._upkeep.stop()
        await self._follower.stop()
        await self._bots.stop()


def told(action: Action) -> Seat | None:
    """Whose doing an action of a record was. A flag's seat is whose time had run out; he did nothing."""
    return None if action.kind is Kind.FLAG else action.seat
