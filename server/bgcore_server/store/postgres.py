"""The store on PostgreSQL: many servers share it, and each command is a transaction of its own.

An act goes out as one message, all its statements together: no lock waits for a server that is held
up in the middle of it. If the line breaks before the answer is there nobody knows what happened: then it is
sent once more, and what the database says to that tells. Only where the database stays away the answer
says that it is not known (`Unavailable`).
"""

from __future__ import annotations

import asyncio
import select
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import psycopg
import structlog
from psycopg import errors
from psycopg.pq import TransactionStatus
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from bgcore.errors import BgcoreError, Fault
from bgcore_server.errors import Unavailable
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
from bgcore_server.store.errors import check_texts, compacted, reused, silent, stale
from bgcore_server.store.hints import Hints
from bgcore_server.store.place import Place

T = TypeVar("T")
Connection = psycopg.AsyncConnection[tuple[Any, ...]]
Cursor = psycopg.AsyncCursor[tuple[Any, ...]]

CONNECTIONS = 16
"""At most so many at once. Commits that wait for the disk share a flush, so more than cores helps."""

CONNECTION_SECONDS = 5.0
"""How long a command waits for a connection, such as while the database starts again."""

WAIT_SECONDS = 0.5
"""How long it waits at a time."""

RECONNECT_SECONDS = 2.0
"""After so long an attempt to connect is given up; whoever needs a connection next makes a new one."""

STATEMENT_SECONDS = 8
IDLE_SECONDS = 4
"""How long the database lets a server be silent in the middle of making a table."""

ANSWER_SECONDS = 10.0
"""After so long a command is answered, whatever the database does."""

ATTEMPTS = 5

MAKE = f"BEGIN; {sql.MAKE} RETURNING number"
COMMIT = "COMMIT"
ADVANCE = f"WITH moved AS ({sql.ADVANCE} RETURNING 1) SELECT 1 / count(*) FROM moved"
COMPACT = f"WITH moved AS ({sql.COMPACT} RETURNING 1) SELECT 1 / count(*) FROM moved"
"""Fail where the table has another revision, so that nothing else of the message is done either."""

HOLD = "SELECT 1 FROM tables WHERE number = ? FOR UPDATE"
HOLD_AT = (
    "SELECT 1 / count(*) FROM"
    " (SELECT 1 FROM tables WHERE number = ? AND revision = ? FOR UPDATE) AS held"
)
"""Acts and what forgets their table wait for each other."""

EXTENTS = "SELECT number, revision, compacted FROM tables WHERE number = ANY(?)"

SESSION = (
    f"SET statement_timeout = '{STATEMENT_SECONDS}s'",
    "SET default_transaction_isolation = 'read committed'",
    f"SET idle_in_transaction_session_timeout = '{IDLE_SECONDS}s'",
    (
        "SELECT set_config('synchronous_commit', 'on', false)"
        " WHERE current_setting('synchronous_commit') = 'off'"
    ),
)

OVERTAKEN = (errors.UniqueViolation, errors.DivisionByZero)
"""Somebody else got ahead: the request is known, or the table has moved on. Nothing was done."""

LEFT_OPEN = (TransactionStatus.INTRANS, TransactionStatus.INERROR)

UNLUCKY = (errors.SerializationFailure, errors.DeadlockDetected)
"""Nothing was done, and nobody knows why; once more."""

log = structlog.get_logger()


class Undecided(Exception):
    """The line broke while a transaction was being committed."""


class Again(Exception):
    """Somebody got in the way and is gone now."""


class PostgresStore:
    """A store that many servers share."""

    shared = True

    def __init__(self, place: Place) -> None:
        self._place = place
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._closed = False
        parameters = place.parameters | {"autocommit": True}
        self._pool: AsyncConnectionPool[Connection] = AsyncConnectionPool(
            kwargs=parameters,
            configure=_configure,
            check=_check,
            min_size=1,
            max_size=CONNECTIONS,
            timeout=CONNECTION_SECONDS,
            reconnect_timeout=RECONNECT_SECONDS,
            name=place.name,
            open=False,
        )
        self._hints = Hints(
            lambda: psycopg.AsyncConnection.connect(**parameters),
            lambda statement, values: self._execute(statement, values),
        )

    @classmethod
    async def open(cls, url: str) -> PostgresStore:
        """Open a database, and make or upgrade its tables.

        `Unavailable` when it cannot be had, `Malformed` when the URL is none or the tables are not ours.
        """
        place = Place.read(url)
        await asyncio.to_thread(place.prepare)
        store = cls(place)
        await store._pool.open()
        return store

    # -- commands -----------------------------------------------------------------------------------

    async def create(self, table: NewTable, request: RequestKey | None) -> Created:
        """Make a table."""
        check_texts(table.seats, request)
        return await self._answer(
            self._command(lambda db, again: _create(db, table, request, again))
        )

    def append(self, change: Change) -> Answer[Appended | Repeated]:
        """Append events."""
        check_texts((change.seat,), change.request)
        return self._answer(self._append(change))

    async def compact(self, table: int, revision: int, archive: Archive) -> None:
        """Keep an archive in the place of the events that are in it."""
        await self._answer(self._command(lambda db, _: _compact(db, table, revision, archive)))

    async def delete(self, table: int, revision: int | None = None) -> None:
        """Forget a table, its events and requests."""
        await self._answer(self._command(lambda db, _: _delete(db, table, revision)))

    async def _append(self, change: Change) -> Appended | Repeated:
        done = await self._command(lambda db, again: _append(db, change, again))
        if isinstance(done, Appended):
            self._hints.tell(change.table, done.last)
        return done

    async def _command(self, command: Callable[[Connection, bool], Awaitable[T]]) -> T:
        """Have a command carried out; once more where it was not, or where nobody knows, which it is told."""
        again = False
        for left in reversed(range(ATTEMPTS)):
            db = await self._line()
            try:
                return await command(db, again)
            except Undecided:
                if not (left and db.closed):
                    raise
                again = True
            except (Again, *OVERTAKEN, *UNLUCKY):
                if not left:
                    raise
            except psycopg.OperationalError:
                if not (left and db.closed):
                    raise
            finally:
                await self._let_go(db)
        raise AssertionError("the last attempt returns or raises")

    async def _line(self) -> Connection:
        """A connection. It is asked for anew now and then, since the pool gives up trying for those who wait."""
        end = self._loop.time() + CONNECTION_SECONDS
        while True:
            try:
                return await self._pool.getconn(WAIT_SECONDS)
            except PoolTimeout:
                if self._loop.time() >= end:
                    raise

    async def _let_go(self, db: Connection) -> None:
        """Give a connection back; a transaction that a command left open is undone."""
        # psycopg's own `async with` would commit it, and takes as long again as the pool does.
        try:
            if db.pgconn.transaction_status in LEFT_OPEN:
                with suppress(psycopg.Error):  # then it is of no use, which the pool sees
                    await db.rollback()
        finally:
            await self._pool.putconn(db)

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
        return await self._answer(self._command(lambda db, _: _rows(db, question, values)))

    async def _execute(self, statement: bytes, values: sql.Values) -> None:
        db = await self._line()
        try:
            await db.execute(statement, values)
        finally:
            await self._let_go(db)

    # -- answering ----------------------------------------------------------------------------------

    def _answer(self, work: Coroutine[Any, Any, T]) -> Answer[T]:
        """The answer to a command or question, in time whatever the database does."""
        if self._closed:
            work.close()
            raise Unavailable(
                Fault("STORE_CLOSED", "", "closed", "an open store", "the store is closed")
            )
        answer: Answer[T] = Answer(loop=self._loop)
        task = self._loop.create_task(work)
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

    def _late(self, answer: Answer[Any], task: asyncio.Task[Any]) -> None:
        answer.set_exception(self._refusal(TimeoutError(f"no answer for {ANSWER_SECONDS} s")))
        task.cancel()

    def _refusal(self, error: BaseException) -> BaseException:
        if isinstance(error, BgcoreError) or not isinstance(error, KNOWN):
            return error
        # Strangers need not know what our database is called and how it feels; the operator must.
        log.warning("store unavailable", database=self._place.name, error=self._place.told(error))
        return silent()

    async def close(self) -> None:
        """Carry out what is waiting, and let go of the connections."""
        self._closed = True
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._hints.close()
        await self._pool.close()


KNOWN = (psycopg.Error, Undecided, Again, TimeoutError, asyncio.CancelledError, OSError)


async def _configure(db: Connection) -> None:
    for statement in SESSION:
        await db.execute(statement.encode())


async def _check(db: Connection) -> None:
    """Nothing comes unasked on a line that is in order; if something does, perhaps it is the end."""
    heard = select.poll()
    heard.register(db.fileno(), select.POLLIN)
    if heard.poll(0):
        await AsyncConnectionPool.check_connection(db)


async def _rows(db: Connection, question: str, values: sql.Values) -> list[tuple[Any, ...]]:
    return await (await db.execute(sql.percent(question), values)).fetchall()


async def _send(db: Connection, work: Sequence[tuple[str, sql.Values]]) -> Cursor:
    """Send statements as one message. They are one transaction, unless they say otherwise."""
    cursor = psycopg.AsyncClientCursor(db)
    text = ";".join(statement for statement, _ in work)
    await cursor.execute(sql.percent(text), [value for _, values in work for value in values])
    return cursor


async def _commit(db: Connection, work: Sequence[tuple[str, sql.Values]]) -> None:
    """Send what ends with a commit; `Undecided` when nobody knows whether that was done."""
    try:
        await _send(db, work)
    except (*OVERTAKEN, *UNLUCKY):
        raise
    except psycopg.Error as error:
        raise Undecided(str(error)) from error


async def _create(
    db: Connection, table: NewTable, request: RequestKey | None, again: bool
) -> Created:
    try:
        made = await _send(db, [(MAKE, sql.make(table))])
    except errors.UniqueViolation:
        if not again:
            raise
        await db.rollback()
        return Created(table.id, repeated=False)  # nobody else calls one so: it was ours
    made.nextset()  # from BEGIN's
    [[number]] = await made.fetchall()
    await db.cursor().executemany(sql.percent(sql.LOG), sql.log(number, 1, table.events))
    work = [(sql.SEAT, sql.seat(number, seat)) for seat in table.seats]
    if request:
        work.append((sql.REMEMBER, sql.remember(sql.MAKING, request, number, number)))
    try:
        await _commit(db, [*work, (COMMIT, ())])
    except OVERTAKEN:
        await db.rollback()
        return await _made_before(db, request)
    return Created(table.id, repeated=False)


async def _made_before(db: Connection, request: RequestKey | None) -> Created:
    """The answer to a request whose table has been made, perhaps a moment ago."""
    key = (sql.MAKING, request.scope, request.id) if request else None
    rows = await _rows(db, sql.REQUEST, key) if key else []
    if request is None or not rows:
        raise Again
    number, _, fingerprint = rows[0]
    if fingerprint != request.fingerprint:
        raise reused(request.id)
    names = await _rows(db, sql.NAME, (number,))
    if not names:
        raise Again  # it has just been forgotten
    return Created(names[0][0], repeated=True)


async def _append(db: Connection, change: Change, again: bool) -> Appended | Repeated:
    request = change.request
    first, last = change.revision + 1, change.revision + len(change.events)
    events = sql.log(change.table, first, change.events, sql.logged_id(change))
    work = [(ADVANCE, sql.advance(change)), *((sql.LOG, values) for values in events)]
    if change.seat is not None:
        work.append((sql.SEAT, sql.seat(change.table, change.seat)))
    if change.later is not None:
        work.append((sql.LATER, sql.later(change.table, change.later)))
    if request:
        work.append((sql.REMEMBER, sql.remember(change.table, request, first, last)))
    try:
        await _commit(db, work)
    except OVERTAKEN:
        if again and await _rows(db, sql.EVENTS, (change.table, first - 1, len(events))) == [
            row[1:] for row in events
        ]:
            return Appended(first, last)  # it was us, before the line broke
        return await _overtaken(db, change)
    return Appended(first, last)


async def _overtaken(db: Connection, change: Change) -> Repeated:
    """The answer to an act that was not done: what the same request did before, or `Stale`."""
    if request := change.request:
        key = (change.table, request.scope, request.id)
        if rows := await _rows(db, sql.REQUEST, key):
            return Repeated(*rows[0])
    rows = await _rows(db, sql.REVISION, (change.table,))
    now = rows[0][0] if rows else "gone"
    if now == change.revision:
        raise Again
    raise stale(change.revision, now)


async def _compact(db: Connection, table: int, revision: int, archive: Archive) -> None:
    work = [
        (COMPACT, sql.compact(table, revision, archive)),
        (sql.KEEP, sql.keep(table, archive)),
        (sql.DROP, (table, archive.revision)),
    ]
    try:
        await _commit(db, work)
    except OVERTAKEN:
        rows = await _rows(db, sql.COMPACTED, (table,))
        raise (compacted(archive.revision, *rows[0]) if rows else stale(revision, "gone")) from None


async def _delete(db: Connection, table: int, revision: int | None) -> None:
    hold = (HOLD, (table,)) if revision is None else (HOLD_AT, (table, revision))
    try:
        await _commit(db, [hold, *((statement, (table,)) for statement in sql.FORGET)])
    except OVERTAKEN:
        if rows := await _rows(db, sql.REVISION, (table,)):
            raise stale(revision or 0, rows[0][0]) from None
