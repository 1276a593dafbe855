"""The store on PostgreSQL: many servers share it.

What commands are is in `postgres_work`, how they get there in `postgres_line`; changes of several tables go
together (`postgres_together`). Only where the database stays away the answer says that it is not known what
was done (`Unavailable`).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Mapping, Sequence
from typing import Any, TypeVar

import structlog

from bgcore.errors import BgcoreError, Fault
from bgcore_server.errors import Unavailable
from bgcore_server.store import postgres_work as work
from bgcore_server.store import statements as sql
from bgcore_server.store.base import (
    Answer,
    Appended,
    Archive,
    Change,
    Created,
    Event,
    Extent,
    NewTable,
    Repeated,
    RequestKey,
    Selection,
    Status,
    StoredTable,
)
from bgcore_server.store.errors import check_texts, silent
from bgcore_server.store.hints import Hints
from bgcore_server.store.place import Place
from bgcore_server.store.postgres_line import FAILURES, Lines, ask
from bgcore_server.store.postgres_together import Together

T = TypeVar("T")

ANSWER_SECONDS = 10.0
"""After so long a command is answered, whatever the database does."""

EXTENTS = "SELECT number, revision, compacted FROM tables WHERE number = ANY(?)"

log = structlog.get_logger()


class PostgresStore:
    """A store that many servers share."""

    shared = True

    def __init__(self, place: Place) -> None:
        self._place = place
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False
        self._lines = Lines(place)
        self._hints = Hints(self._lines.another, self._lines.execute)
        self._together = Together(self._lines, self._refusal, self._hints.tell)

    @classmethod
    async def open(cls, url: str) -> PostgresStore:
        """Open a database, and make or upgrade its tables.

        `Unavailable` when it cannot be had, `Malformed` when the URL is none or the tables are not ours.
        """
        place = Place.read(url)
        await asyncio.to_thread(place.prepare)
        store = cls(place)
        await store._lines.open()
        return store

    # -- commands -----------------------------------------------------------------------------------

    async def create(self, table: NewTable, request: RequestKey | None) -> Created:
        """Make a table."""
        check_texts(table.seats, request)
        return await self._answer(
            self._lines.carry_out(lambda db, again: work.create(db, table, request, again))
        )

    def append(self, change: Change) -> Answer[Appended | Repeated]:
        """Append events."""
        check_texts((change.seat,), change.request)
        self._check_open()
        return self._together.append(change, ANSWER_SECONDS)

    async def compact(self, table: int, revision: int, archive: Archive) -> None:
        """Keep an archive in the place of the events that are in it."""
        await self._answer(
            self._lines.carry_out(lambda db, _: work.compact(db, table, revision, archive))
        )

    async def delete(self, table: int, revision: int | None = None) -> None:
        """Forget a table, its events and requests."""
        await self._answer(self._lines.carry_out(lambda db, _: work.delete(db, table, revision)))

    # -- questions ----------------------------------------------------------------------------------

    async def request(self, table: int, scope: str, id: str) -> Repeated | None:
        """What a request did before, if anything."""
        rows = await self._ask(sql.REQUEST, (table, scope, id)) if "\0" not in id else ()
        return Repeated(*rows[0]) if rows else None

    async def table(self, id: str) -> StoredTable | None:
        """A table, by its id."""
        rows = await self._ask(sql.TABLE, (id,)) if "\0" not in id else ()
        return sql.stored(rows[0]) if rows else None

    async def tables(self, selection: Selection) -> list[StoredTable]:
        """Public tables, the newest first."""
        return list(map(sql.stored, await self._ask(*sql.listing(selection))))

    async def bot_tables(self) -> list[str]:
        """The ids of the tables in play at which a bot sits."""
        return await self._names(sql.BOT_TABLES, (int(Status.PLAYING),))

    async def events(self, table: int, after: int, limit: int | None) -> list[Event]:
        """The events of a table after a revision, in order."""
        return list(map(sql.event, await self._ask(sql.EVENTS, sql.events(table, after, limit))))

    async def archive(self, table: int) -> Archive | None:
        """What a table's log was compacted to, if it was."""
        rows = await self._ask(sql.ARCHIVE, (table,))
        return Archive(*rows[0]) if rows else None

    async def due(self, time: int, limit: int) -> list[str]:
        """The ids of tables whose deadline is before a time."""
        return await self._names(sql.DUE, (time, limit))

    async def idle(self, statuses: Sequence[Status], before: int, limit: int) -> list[str]:
        """The ids of tables that nothing has happened at since a time."""
        return await self._names(*sql.idle(statuses, before, limit)) if statuses else []

    async def lengthy(self, events: int, limit: int) -> list[str]:
        """The ids of tables of which more than so many events are kept one by one."""
        return await self._names(*sql.lengthy(events, limit))

    async def settled(self, before: int, limit: int) -> list[str]:
        """The ids of tables that have been over for long and have not been compacted."""
        return await self._names(sql.SETTLED, (before, limit))

    async def extents(self, tables: Sequence[int]) -> dict[int, Extent]:
        """How far the log of each of these tables goes."""
        rows = await self._ask(EXTENTS, (list(tables),))
        return {number: Extent(*extent) for number, *extent in rows}

    def hints(self) -> AsyncIterator[Mapping[int, int]]:
        """Tables that other servers have just changed."""
        return self._hints.heard()

    async def _names(self, question: str, values: sql.Values) -> list[str]:
        return [name for (name,) in await self._ask(question, values)]

    async def _ask(self, question: str, values: sql.Values) -> list[tuple[Any, ...]]:
        return await self._answer(self._lines.carry_out(lambda db, _: ask(db, question, values)))

    # -- answering ----------------------------------------------------------------------------------

    def _answer(self, asked: Coroutine[Any, Any, T]) -> Answer[T]:
        """The answer to a command or question, in time whatever the database does."""
        try:
            self._check_open()
        except Unavailable:
            asked.close()
            raise
        answer: Answer[T] = Answer(loop=self._loop)
        task = self._loop.create_task(asked)
        self._tasks.add(task)
        timer = self._loop.call_later(ANSWER_SECONDS, self._late, answer, task)

        def tell(task: asyncio.Task[T]) -> None:
            timer.cancel()
            self._tasks.discard(task)
            if answer.done():
                return
            error = asyncio.CancelledError() if task.cancelled() else task.exception()
            if error is None:
                answer.set_result(task.result())
            else:
                answer.set_exception(self._refusal(error))

        task.add_done_callback(tell)
        return answer

    def _check_open(self) -> None:
        if self._closed:
            what = "the store is closed"
            raise Unavailable(Fault("STORE_CLOSED", "", "closed", "an open store", what))

    def _late(self, answer: Answer[Any], task: asyncio.Task[Any]) -> None:
        answer.set_exception(self._refusal(TimeoutError(f"no answer for {ANSWER_SECONDS} s")))
        task.cancel()

    def _refusal(self, error: BaseException) -> BaseException:
        if isinstance(error, BgcoreError) or not isinstance(error, FAILURES):
            return error
        # Strangers need not know what our database is called and how it feels; the operator must.
        log.warning("store unavailable", database=self._place.name, error=self._place.told(error))
        return silent()

    async def close(self) -> None:
        """Carry out what is waiting, and let go of the connections."""
        self._closed = True
        await self._together.close()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._hints.close()
        await self._lines.close()
