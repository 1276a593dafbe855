"""The store on SQLite: one thread that writes, and commits together whatever is waiting.

Full durability: an answer leaves only after the log is on the disk. Commands that come in while a
commit is under way share the next one, so a busy server needs far less than one flush a command.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

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
from bgcore_server.store.errors import check_texts, compacted, refused, reused, stale
from bgcore_server.store.migrate import prepare_sqlite
from bgcore_server.store.writer import Writer

T = TypeVar("T")

MEMORY = ":memory:"

WAL_PAGES = 16384
"""Pages of log (64 MiB) after which SQLite copies them by itself; the writer does so earlier, when
idle, so that the flushes of a copy are in nobody's way."""

EXTENTS = "SELECT number, revision, compacted FROM tables WHERE number IN (SELECT value FROM json_each(?))"


class SQLiteStore:
    """A store in one file, or in memory and gone with the process. One server has it to itself."""

    shared = False

    def __init__(self, path: str) -> None:
        self._loop = asyncio.get_running_loop()
        self._writer = Writer(lambda: ready(path), self._loop)
        self._in_memory = path == MEMORY
        self._reader = ThreadPoolExecutor(1, "bgcore-store-reader")
        self._path = path
        self._read_connection: sqlite3.Connection | None = None

    @classmethod
    async def open(cls, path: str) -> SQLiteStore:
        """Open or make the file; `Malformed` when it is not ours, `Unavailable` when it cannot be had."""
        store = cls(path)
        try:
            await store._writer.run(lambda db: None)
        except BaseException:
            await store.close()
            raise
        return store

    async def create(self, table: NewTable, request: RequestKey | None) -> Created:
        """Make a table."""
        check_texts(table.seats, request)
        return await self._writer.run(lambda db: _create(db, table, request))

    def append(self, change: Change) -> Answer[Appended | Repeated]:
        """Append events."""
        check_texts((change.seat,), change.request)
        return self._writer.submit(lambda db: _append(db, change))

    async def compact(self, table: int, revision: int, archive: Archive) -> None:
        """Keep an archive in the place of the events that are in it."""
        await self._writer.run(lambda db: _compact(db, table, revision, archive))

    async def delete(self, table: int, revision: int | None = None) -> None:
        """Forget a table, its events and requests."""
        await self._writer.run(lambda db: _delete(db, table, revision))

    async def request(self, table: int, scope: str, id: str) -> Repeated | None:
        """What a request did before, if anything."""
        return await self._read(lambda db: _request(db, table, scope, id))

    async def table(self, id: str) -> StoredTable | None:
        """A table, by its id."""
        return await self._read(lambda db: _table(db, id))

    async def tables(self, selection: Selection) -> list[StoredTable]:
        """Public tables, the newest first."""
        return await self._read(lambda db: _tables(db, selection))

    async def bot_tables(self) -> list[str]:
        """The ids of the tables in play at which a bot sits."""
        return await self._names(sql.BOT_TABLES, (Status.PLAYING,))

    async def events(self, table: int, after: int, limit: int | None) -> list[Event]:
        """The events of a table after a revision, in order."""
        return await self._read(lambda db: _events(db, table, after, limit))

    async def archive(self, table: int) -> Archive | None:
        """What a table's log was compacted to, if it was."""
        return await self._read(lambda db: _archive(db, table))

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
        return await self._read(lambda db: _extents(db, tables))

    async def hints(self) -> AsyncIterator[Mapping[int, int]]:
        """None: nobody else writes here."""
        nobody: tuple[Mapping[int, int], ...] = ()
        for hint in nobody:
            yield hint

    async def close(self) -> None:
        """Carry out what is waiting, and let go of the file."""
        await self._loop.run_in_executor(None, self._writer.stop)
        await self._loop.run_in_executor(self._reader, self._close_reader)
        self._reader.shutdown()

    @property
    def commits(self) -> int:
        """Transactions committed so far; each flushes the log once."""
        return self._writer.commits

    async def _names(self, question: str, values: sql.Values) -> list[str]:
        return await self._read(lambda db: [name for (name,) in db.execute(question, values)])

    async def _read(self, question: Callable[[sqlite3.Connection], T]) -> T:
        if self._in_memory:  # there is only the writer's connection
            return await self._writer.run(question)
        try:
            return await self._loop.run_in_executor(self._reader, self._ask, question)
        except sqlite3.Error as error:
            raise refused(error) from error

    def _ask(self, question: Callable[[sqlite3.Connection], T]) -> T:
        if self._read_connection is None:
            self._read_connection = _connect(self._path)
            self._read_connection.execute("PRAGMA query_only = ON")
        return question(self._read_connection)

    def _close_reader(self) -> None:
        if self._read_connection is not None:
            self._read_connection.close()


def ready(path: str) -> sqlite3.Connection:
    """A connection to write with; the tables have the schema of this version."""
    db = _connect(path)
    try:
        prepare_sqlite(db)
        # Changes nothing; but a file that may only be read says so here, and not to the first player.
        db.execute("UPDATE tables SET revision = revision WHERE number IS NULL")
    except BaseException:
        db.close()
        raise
    return db


def _connect(path: str) -> sqlite3.Connection:
    if path != MEMORY:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        db.execute(f"PRAGMA wal_autocheckpoint = {WAL_PAGES}")
    except BaseException:
        db.close()
        raise
    return db


def _create(db: sqlite3.Connection, table: NewTable, request: RequestKey | None) -> Created:
    if request and (earlier := _request(db, sql.MAKING, request.scope, request.id)):
        if earlier.fingerprint != request.fingerprint:
            raise reused(request.id)
        (found,) = db.execute(sql.NAME, (earlier.first,)).fetchone()
        return Created(found, repeated=True)
    number = db.execute(sql.MAKE, sql.make(table)).lastrowid or 0
    db.executemany(sql.LOG, sql.log(number, 1, table.events))
    db.executemany(sql.SEAT, [sql.seat(number, seat) for seat in table.seats])
    if request:
        db.execute(sql.REMEMBER, sql.remember(sql.MAKING, request, number, number))
    return Created(table.id, repeated=False)


def _append(db: sqlite3.Connection, change: Change) -> Appended | Repeated:
    request = change.request
    if request and (earlier := _request(db, change.table, request.scope, request.id)):
        return earlier
    if not db.execute(sql.ADVANCE, sql.advance(change)).rowcount:
        row = db.execute(sql.REVISION, (change.table,)).fetchone()
        raise stale(change.revision, row[0] if row else "gone")
    first, last = change.revision + 1, change.revision + len(change.events)
    db.executemany(sql.LOG, sql.log(change.table, first, change.events, sql.logged_id(change)))
    if change.seat is not None:
        db.execute(sql.SEAT, sql.seat(change.table, change.seat))
    if change.later is not None:
        db.execute(sql.LATER, sql.later(change.table, change.later))
    if request:
        db.execute(sql.REMEMBER, sql.remember(change.table, request, first, last))
    return Appended(first, last)


def _compact(db: sqlite3.Connection, table: int, revision: int, archive: Archive) -> None:
    if not db.execute(sql.COMPACT, sql.compact(table, revision, archive)).rowcount:
        row = db.execute(sql.COMPACTED, (table,)).fetchone()
        raise compacted(archive.revision, *row) if row else stale(revision, "gone")
    db.execute(sql.KEEP, sql.keep(table, archive))
    db.execute(sql.DROP, (table, archive.revision))


def _delete(db: sqlite3.Connection, table: int, revision: int | None) -> None:
    row = db.execute(sql.REVISION, (table,)).fetchone()
    if row and revision is not None and row[0] != revision:
        raise stale(revision, row[0])
    for statement in sql.FORGET:
        db.execute(statement, (table,))


def _archive(db: sqlite3.Connection, table: int) -> Archive | None:
    row = db.execute(sql.ARCHIVE, (table,)).fetchone()
    return Archive(*row) if row else None


def _request(db: sqlite3.Connection, table: int, scope: str, id: str) -> Repeated | None:
    row = db.execute(sql.REQUEST, (table, scope, id)).fetchone()
    return Repeated(*row) if row else None


def _table(db: sqlite3.Connection, id: str) -> StoredTable | None:
    row = db.execute(sql.TABLE, (id,)).fetchone()
    return sql.stored(row) if row else None


def _tables(db: sqlite3.Connection, selection: Selection) -> list[StoredTable]:
    return list(map(sql.stored, db.execute(*sql.listing(selection))))


def _events(db: sqlite3.Connection, table: int, after: int, limit: int | None) -> list[Event]:
    return list(map(sql.event, db.execute(sql.EVENTS, sql.events(table, after, limit))))


def _extents(db: sqlite3.Connection, tables: Sequence[int]) -> dict[int, Extent]:
    rows = db.execute(EXTENTS, (json.dumps(tables),))
    return {number: Extent(*extent) for number, *extent in rows}
