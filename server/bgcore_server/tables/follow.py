"""Looking at what other servers do on the same store, at the tables that somebody watches here.

They give hints, and behind the hints is a poll: one question about all these tables. At a table
where a bot sits, the server through which its opponent plays lets it play; should that server go, the
others find that nothing happens, and whoever is first takes over.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from bgcore import BgcoreError
from bgcore_server.errors import Log, Unavailable
from bgcore_server.store import Status, Store
from bgcore_server.tables.live import Table

POLL_SECONDS = 1.0

STILL_SECONDS = 3.0
"""After so long, and up to as long again, a table at which nothing happens gets our bot's attention."""


@dataclass(slots=True)
class Seen:
    """What a poll found of a table with a bot, and since when."""

    revision: int
    since: float
    patience: float


class Follower:
    """Keeps the tables of this server up with the store.

    `catch_up` reads a table's log, `wake` its bots; `let_go` takes one that is not in the store any more.
    """

    def __init__(
        self,
        store: Store,
        catch_up: Callable[[Table, int], Awaitable[None]],
        wake: Callable[[Table], None],
        let_go: Callable[[Table], None],
        log: Log,
    ) -> None:
        self._store = store
        self._catch_up = catch_up
        self._wake = wake
        self._let_go = let_go
        self._log = log
        self._tables: dict[int, Table] = {}
        self._wanted: dict[int, int] = {}
        self._seen: dict[int, Seen] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        """Follow from now on, if there is anybody to follow."""
        if self._store.shared:
            self._do(self._poll())
            self._do(self._listen())

    async def stop(self) -> None:
        """Follow no more."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def add(self, table: Table) -> None:
        """A table is in memory now."""
        self._tables[table.number] = table

    def drop(self, table: Table) -> None:
        """It is no longer."""
        self._tables.pop(table.number, None)
        self._seen.pop(table.number, None)

    async def _listen(self) -> None:
        async for hint in self._store.hints():
            for number, revision in hint.items():
                self._heard(number, revision)

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            with suppress(Unavailable):  # whoever asks for something is told
                await self.look()

    async def look(self) -> None:
        """Ask for the revisions of all tables that matter here, once."""
        if numbers := [n for n, table in self._tables.items() if matters(table)]:
            found = await self._store.extents(numbers)
            for number in numbers:
                if now := found.get(number):
                    self._heard(number, now.revision)
                    self._attend(number, now.revision)
                elif table := self._tables.get(number):
                    self._let_go(table)  # deleted by another server

    def _heard(self, number: int, revision: int) -> None:
        table = self._tables.get(number)
        if table is None or not table.watchers or revision <= table.revision:
            return
        if number not in self._wanted:
            self._do(self._follow(table))
        self._wanted[number] = max(revision, self._wanted.get(number, 0))

    async def _follow(self, table: Table) -> None:
        """Read a table's log; what is heard meanwhile is read, too."""
        try:
            seen = -1
            # A hint may be wrong: whoever has not got on stops.
            while seen < table.revision < self._wanted[table.number]:
                seen = table.revision
                await self._catch_up(table, self._wanted[table.number])
        finally:
            del self._wanted[table.number]

    def _attend(self, number: int, revision: int) -> None:
        """Where a bot sits and nothing has happened for long, see whether it must act."""
        table, now = self._tables.get(number), asyncio.get_running_loop().time()
        if table is None or not table.has_bots:
            return
        seen = self._seen.get(number)
        if seen is None or seen.revision != revision:
            patience = STILL_SECONDS * (1 + random.random())
            self._seen[number] = Seen(revision, now, patience)
        elif now - seen.since >= seen.patience:
            seen.since = now
            self._do(self._take_over(table, revision))

    async def _take_over(self, table: Table, revision: int) -> None:
        await self._catch_up(table, revision)
        self._wake(table)

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._watched(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _watched(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except BgcoreError:
            pass  # the next poll will find the same
        except Exception as error:
            self._log.error("following failed", exc_info=error)


def matters(table: Table) -> bool:
    """Whether one must know of a table what others do there."""
    bots_play = table.has_bots and table.state.status is Status.PLAYING and not table.fault
    return bool(table.watchers) or bots_play
