"""Looking after tables that nobody else looks after just now: those that are due, idle, over or long.

Any server on a store may do all of it, and several at once do no harm: whatever is done to a table is a
command that compares its revision. So nobody has to be elected, and a server that goes is not missed.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from bgcore_server.errors import Log, NotFound, Stale, TooNew, Unavailable
from bgcore_server.store import Status, Store
from bgcore_server.upkeep_settings import UpkeepSettings

OVER = (Status.FINISHED, Status.CLOSED)

SOME = 100
"""Tables that are looked after in one round, of one kind."""

AT_ONCE = 8
"""Of these, at once. A table that takes long holds up only its own place."""

TABLE_SECONDS = 20.0
"""After so long a table is given up until its next turn."""

WAIT_SECONDS = 1.0
LONGEST_WAIT_SECONDS = 600.0
"""How long a table that is found again is left alone: the first time, then twice as long, at most so long."""

MOST_FOUND = 10_000
"""Tables that are asked for at most, those that are left alone included."""


@dataclass(slots=True)
class Turns:
    """Tables that were found and looked after, and are found again: each waits longer for its next turn.

    So one that cannot be helped neither fills the log nor keeps those behind it waiting.
    """

    _tried: dict[str, tuple[int, float]] = field(default_factory=dict)  # how often, and until when

    def __len__(self) -> int:
        return len(self._tried)

    def next(self, found: Collection[str], now: float) -> list[str]:
        """Whose turn it is of those found; first who never had one. Who is not found any more is forgotten."""
        self._tried = {table: self._tried[table] for table in found if table in self._tried}
        new = (0, now)
        ready = [table for table in found if self._tried.get(table, new)[1] <= now]
        return sorted(ready, key=lambda table: self._tried.get(table, new)[0])

    def had(self, table: str, now: float) -> None:
        """A table has had its turn. Whether it helped shows next time."""
        times, _ = self._tried.get(table, (0, now))
        wait = min(WAIT_SECONDS * 2.0 ** (times - 1), LONGEST_WAIT_SECONDS) if times else 0.0
        self._tried[table] = (times + 1, now + wait)


@dataclass(frozen=True, slots=True)
class Duty:
    """Something to be done to tables: how at most so many are found, and what is done to each."""

    name: str
    find: Callable[[int], Awaitable[Sequence[str]]]
    do: Callable[[str], Awaitable[object]]
    turns: Turns = field(default_factory=Turns)


class Upkeep:
    """Looks after the tables of a store, from `start` to `stop`.

    `attend` does what is due at a table, `expire` closes an idle one, `compact` makes an archive of its log.
    They take the table's id, find out by themselves whether it is still so, and may raise anything: `Stale`
    and `NotFound` mean that somebody else was there first. `forgotten` hears of tables that were deleted.
    """

    def __init__(
        self,
        store: Store,
        settings: UpkeepSettings,
        log: Log,
        now: Callable[[], int],  # microseconds since 1970
        *,
        attend: Callable[[str], Awaitable[object]],
        expire: Callable[[str], Awaitable[object]],
        compact: Callable[[str], Awaitable[object]],
        forgotten: Callable[[str], object] = lambda table: None,
    ) -> None:
        self._store = store
        self._settings = settings
        self._log = log
        self._now = now
        self._forgotten = forgotten
        self._tasks: list[asyncio.Task[None]] = []
        self._due = Duty("attend", lambda limit: store.due(now(), limit), attend)
        self._slow = list(self._slow_duties(expire, compact))

    def start(self) -> None:
        """Look after them from now on."""
        settings = self._settings
        rounds = ((settings.sweep_seconds, self.sweep), (settings.tidy_seconds, self.tidy))
        self._tasks = [asyncio.create_task(self._every(*one)) for one in rounds]

    async def stop(self) -> None:
        """Look after them no more. What is being committed is."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = []

    async def sweep(self) -> None:
        """One round of what is due. `Unavailable` when the store is away."""
        await self._round(self._due)

    async def tidy(self) -> None:
        """One round of everything else. `Unavailable` when the store is away."""
        for duty in self._slow:
            await self._round(duty)

    def _slow_duties(
        self,
        expire: Callable[[str], Awaitable[object]],
        compact: Callable[[str], Awaitable[object]],
    ) -> list[Duty]:
        store, settings, before = self._store, self._settings, self._before
        duties = []

        def idle(after: float, *statuses: Status) -> Callable[[int], Awaitable[list[str]]]:
            return lambda limit: store.idle(statuses, before(after), limit)

        if (waiting := settings.expire_waiting) is not None:
            duties.append(Duty("expire", idle(waiting, Status.WAITING), expire))
        if (playing := settings.expire_playing) is not None:
            duties.append(Duty("expire", idle(playing, Status.PLAYING), expire))
        if (forget := settings.forget_after) is not None:
            duties.append(
                Duty("forget", idle(forget, *OVER), lambda table: self._forget(table, forget))
            )
        if (events := settings.compact_events) is not None:
            duties.append(Duty("compact", lambda limit: store.lengthy(events, limit), compact))
        if (over := settings.compact_after) is not None:
            duties.append(
                Duty("compact", lambda limit: store.settled(before(over), limit), compact)
            )
        return duties

    async def _forget(self, id: str, after: float) -> None:
        table = await self._store.table(id)
        # Perhaps another match has begun there meanwhile; `revision` sees to it that it does not now.
        if table and table.status in OVER and table.updated < self._before(after):
            await self._store.delete(table.number, table.revision)
            self._forgotten(id)

    def _before(self, seconds: float) -> int:
        return self._now() - round(seconds * 1_000_000)

    async def _every(self, seconds: float, work: Callable[[], Awaitable[None]]) -> None:
        # Servers that were started together need not ask together.
        await asyncio.sleep(seconds * random.random())
        while True:
            with suppress(Unavailable):  # later
                await self._safely("upkeep", "", work())
            await asyncio.sleep(seconds * random.uniform(0.75, 1.25))

    async def _round(self, duty: Duty) -> None:
        clock = asyncio.get_running_loop().time
        found = await duty.find(min(SOME + len(duty.turns), MOST_FOUND))
        ready = duty.turns.next(found, clock())[:SOME]
        random.shuffle(ready)  # others have found the same
        waiting = iter(ready)

        away: list[Unavailable] = []

        async def look_after() -> None:
            for table in waiting:
                try:
                    await self._safely(duty.name, table, self._in_time(duty.do(table)))
                except Unavailable as error:
                    away.append(error)
                if away:  # which no table is to blame for; the rest of them can wait
                    return
                duty.turns.had(table, clock())

        async with asyncio.TaskGroup() as group:
            for _ in range(min(AT_ONCE, len(ready))):
                group.create_task(look_after())
        if away:
            raise away[0]

    async def _in_time(self, work: Awaitable[object]) -> None:
        async with asyncio.timeout(TABLE_SECONDS):
            await work

    async def _safely(self, what: str, id: str, work: Awaitable[object]) -> None:
        """Do something; whatever happens is told to the log, unless the store is away."""
        try:
            await work
        except (Stale, NotFound, TooNew):
            pass  # somebody else has done it, or will
        except Unavailable:
            raise
        except Exception as error:
            self._log.error("upkeep failed", duty=what, table=id, exc_info=error)
