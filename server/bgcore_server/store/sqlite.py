"""The store on SQLite: one thread that writes, and commits together whatever is waiting.

Full durability: an answer leaves only after the log is on the disk. Commands that come in while a
commit is under way share the next one, so a busy server needs far less than one flush a command.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, TypeVar

from bgcore.errors import BgcoreError, Fault
from bgcore_server.errors import Malformed, Stale, Unavailable
from bgcore_server.store.base import (
    Answer,
    Appended,
    Change,
    Created,
    Event,
    NewEvent,
    NewTable,
    Repeated,
    RequestKey,
    Seat,
    Selection,
    Status,
    StoredTable,
    Visibility,
)
from bgcore_server.store.errors import reused, stale, unavailable

T = TypeVar("T")
Command = Callable[[sqlite3.Connection], Any]
Waiting = tuple[Command, Answer[Any]]

VERSION = 1

SCHEMA = """
CREATE TABLE tables (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    created INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    variant TEXT NOT NULL,
    rules_version TEXT NOT NULL,
    settings TEXT NOT NULL,
    status INTEGER NOT NULL,
    visibility INTEGER NOT NULL,
    revision INTEGER NOT NULL
);
CREATE TABLE seats (
    "table" INTEGER NOT NULL REFERENCES tables (number),
    seat INTEGER NOT NULL,
    name TEXT NOT NULL,
    bot TEXT NOT NULL,
    taken INTEGER NOT NULL,
    token BLOB NOT NULL,
    salt BLOB NOT NULL,
    PRIMARY KEY ("table", seat)
) WITHOUT ROWID;
CREATE TABLE events (
    "table" INTEGER NOT NULL REFERENCES tables (number),
    revision INTEGER NOT NULL,
    time INTEGER NOT NULL,
    seat INTEGER,
    request_id TEXT NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY ("table", revision)
) WITHOUT ROWID;
CREATE TABLE requests (
    "table" INTEGER NOT NULL,
    scope TEXT NOT NULL,
    id TEXT NOT NULL,
    fingerprint BLOB NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    PRIMARY KEY ("table", scope, id)
) WITHOUT ROWID;
CREATE TABLE schema_version (version INTEGER NOT NULL);
"""
# `requests.table` is 0 for requests that make tables; `first` is then the table's number.
MAKING = 0

TABLE_COLUMNS = (
    "number, id, created, updated, variant, rules_version, settings, status, visibility, revision"
)

WAL_PAGES = 16384
"""Pages of log (64 MiB) after which SQLite copies them by itself; the writer does so earlier, when
idle, so that the flushes of a copy are in nobody's way."""

IDLE_SECONDS = 0.5

GATHER_SECONDS = 0.002
"""How long a busy writer waits for more commands, so that a fast disk is not flushed for each."""

BUSY_BATCHES = 16
"""Batches for which a writer counts as busy after one of several commands."""


class SQLiteStore:
    """A store in one file, or in memory and gone with the process."""

    def __init__(self, path: str) -> None:
        self._loop = asyncio.get_running_loop()
        self._writer = Writer(lambda: _connect(path), self._loop)
        self._in_memory = path == ":memory:"
        self._reader = ThreadPoolExecutor(1, "bgcore-store-reader")
        self._path = path
        self._read_connection: sqlite3.Connection | None = None

    @classmethod
    async def open(cls, path: str) -> SQLiteStore:
        """Open or make the file; `Malformed` when it is not ours, `Unavailable` when it cannot be had."""
        store = cls(path)
        try:
            await store._writer.run(_prepare)
        except BaseException:
            await store.close()
            raise
        return store

    async def create(self, table: NewTable, request: RequestKey | None) -> Created:
        """Make a table."""
        return await self._writer.run(lambda db: _create(db, table, request))

    def append(self, change: Change) -> Answer[Appended | Repeated]:
        """Append events."""
        return self._writer.submit(lambda db: _append(db, change))

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
        return await self._read(_bot_tables)

    async def events(self, table: int, after: int, limit: int | None) -> list[Event]:
        """The events of a table after a revision, in order."""
        return await self._read(lambda db: _events(db, table, after, limit))

    async def close(self) -> None:
        """Carry out what is waiting, and let go of the file."""
        await self._loop.run_in_executor(None, self._writer.stop)
        await self._loop.run_in_executor(self._reader, self._close_reader)
        self._reader.shutdown()

    @property
    def commits(self) -> int:
        """Transactions committed so far; each flushes the log once."""
        return self._writer.commits

    async def _read(self, question: Callable[[sqlite3.Connection], T]) -> T:
        if self._in_memory:  # there is only the writer's connection
            return await self._writer.run(question)
        try:
            return await self._loop.run_in_executor(self._reader, self._ask, question)
        except sqlite3.Error as error:
            raise unavailable(error) from error

    def _ask(self, question: Callable[[sqlite3.Connection], T]) -> T:
        if self._read_connection is None:
            self._read_connection = _connect(self._path)
            self._read_connection.execute("PRAGMA query_only = ON")
        return question(self._read_connection)

    def _close_reader(self) -> None:
        if self._read_connection is not None:
            self._read_connection.close()


class Writer:
    """A thread with a connection. It takes all commands that are waiting, runs each, commits once.

    A command that refuses (`BgcoreError`) must do so before it has written anything; then it does not
    disturb those that share its transaction.
    """

    def __init__(
        self, connect: Callable[[], sqlite3.Connection], loop: asyncio.AbstractEventLoop
    ) -> None:
        self.commits = 0
        self._connect = connect
        self._loop = loop
        self._waiting: SimpleQueue[Waiting | None] = SimpleQueue()  # None: nothing will follow
        self._stopping = False
        self._thread = threading.Thread(target=self._work, name="bgcore-store-writer", daemon=True)
        self._thread.start()

    async def run(self, command: Callable[[sqlite3.Connection], T]) -> T:
        """Have a command carried out; returns when it is on the disk."""
        return await self.submit(command)

    def submit(self, command: Callable[[sqlite3.Connection], T]) -> Answer[T]:
        """Have a command carried out soon."""
        if self._stopping:
            raise Unavailable(
                Fault("STORE_CLOSED", "", "closed", "an open store", "the store is closed")
            )
        future: Answer[T] = Answer(loop=self._loop)
        self._waiting.put((command, future))
        return future

    def stop(self) -> None:
        """Carry out what is waiting, and end the thread."""
        self._stopping = True
        self._waiting.put(None)
        self._thread.join()

    def _work(self) -> None:
        try:
            db = self._connect()
        except Exception as error:
            while (one := self._waiting.get()) is not None:
                self._answer([(one[1], unavailable(error))])
            return
        for batch in self._batches(db):
            self._answer(self._carry_out(db, batch))
        db.close()

    def _batches(self, db: sqlite3.Connection) -> Iterator[list[Waiting]]:
        """All that is waiting, again and again; in between, when idle, the log is copied."""
        written, busy = False, 0
        while True:
            try:
                first = self._waiting.get(timeout=IDLE_SECONDS if written else None)
            except Empty:
                db.execute("PRAGMA wal_checkpoint(PASSIVE)")
                written, busy = False, 0
                continue
            if busy:
                # Several came together lately: those who were answered are about to come again.
                time.sleep(GATHER_SECONDS)
            more = [self._waiting.get_nowait() for _ in range(self._waiting.qsize())]
            if batch := [one for one in (first, *more) if one is not None]:
                yield batch
                written, busy = True, BUSY_BATCHES if len(batch) > 1 else max(busy - 1, 0)
            if None in (first, *more):
                return

    def _carry_out(
        self, db: sqlite3.Connection, batch: Sequence[Waiting]
    ) -> list[tuple[Answer[Any], Any]]:
        answers: list[tuple[Answer[Any], Any]] = []
        try:
            db.execute("BEGIN IMMEDIATE")
            for command, future in batch:
                try:
                    answers.append((future, command(db)))
                except BgcoreError as refused:
                    answers.append((future, refused))
            db.execute("COMMIT")
            self.commits += 1
        except Exception as error:
            if db.in_transaction:
                db.execute("ROLLBACK")
            if len(batch) == 1:
                return [(batch[0][1], unavailable(error))]
            # One of them is at fault: each by itself.
            return [answer for one in batch for answer in self._carry_out(db, [one])]
        return answers

    def _answer(self, answers: list[tuple[Answer[Any], Any]]) -> None:
        def tell() -> None:
            for future, answer in answers:
                if isinstance(answer, BgcoreError):
                    future.set_exception(answer)
                else:
                    future.set_result(answer)

        self._loop.call_soon_threadsafe(tell)


def _connect(path: str) -> sqlite3.Connection:
    if path != ":memory:":
        Path(path).parent.mkdir(parents=True, exist_ok=True)
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = FULL")
    db.execute(f"PRAGMA wal_autocheckpoint = {WAL_PAGES}")
    return db


def _prepare(db: sqlite3.Connection) -> None:
    names = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not names:
        for statement in SCHEMA.split(";"):
            db.execute(statement)
        db.execute("INSERT INTO schema_version VALUES (?)", (VERSION,))
        return
    found = db.execute("SELECT version FROM schema_version").fetchone() if _ours(names) else None
    if found != (VERSION,):
        what = f"version {found[0]}" if found else "another program's tables"
        raise Malformed(Fault("UNKNOWN_SCHEMA", "db", what, f"version {VERSION}"))


def _ours(names: Iterable[str]) -> bool:
    return "schema_version" in names


def _create(db: sqlite3.Connection, table: NewTable, request: RequestKey | None) -> Created:
    if request and (earlier := _request(db, MAKING, request.scope, request.id)):
        if earlier.fingerprint != request.fingerprint:
            raise reused(request.id)
        (found,) = db.execute("SELECT id FROM tables WHERE number = ?", (earlier.first,)).fetchone()
        return Created(found, repeated=True)
    number = db.execute(
        "INSERT INTO tables (id, created, updated, variant, rules_version, settings, status,"
        " visibility, revision) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            *(table.id, table.time, table.time, table.variant, table.rules_version),
            *(table.settings, table.status, table.visibility, len(table.events)),
        ),
    ).lastrowid
    _insert(db, number or 0, 1, table.events)
    for seat in table.seats:
        _seat(db, number or 0, seat)
    if request:
        _remember(db, MAKING, request, number or 0, number or 0)
    return Created(table.id, repeated=False)


def _append(db: sqlite3.Connection, change: Change) -> Appended | Repeated:
    request = change.request
    if request and (earlier := _request(db, change.table, request.scope, request.id)):
        return earlier
    first, last = change.revision + 1, change.revision + len(change.events)
    updated = db.execute(
        "UPDATE tables SET revision = ?, updated = ?, status = ? WHERE number = ? AND revision = ?",
        (last, change.events[-1].time, change.status, change.table, change.revision),
    )
    if not updated.rowcount:
        raise _stale(db, change)
    request_id = request.id if request and change.seat is None else ""
    _insert(db, change.table, first, change.events, request_id)
    if change.seat is not None:
        _seat(db, change.table, change.seat)
    if request:
        _remember(db, change.table, request, first, last)
    return Appended(first, last)


def _insert(
    db: sqlite3.Connection, table: int, first: int, events: Sequence[NewEvent], request_id: str = ""
) -> None:
    db.executemany(
        "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)",
        [
            (table, first + index, event.time, event.seat, request_id, event.body)
            for index, event in enumerate(events)
        ],
    )


def _stale(db: sqlite3.Connection, change: Change) -> Stale:
    row = db.execute("SELECT revision FROM tables WHERE number = ?", (change.table,)).fetchone()
    now = row[0] if row else "gone"
    return stale(change.revision, now)


def _remember(
    db: sqlite3.Connection, table: int, request: RequestKey, first: int, last: int
) -> None:
    db.execute(
        "INSERT INTO requests VALUES (?, ?, ?, ?, ?, ?)",
        (table, request.scope, request.id, request.fingerprint, first, last),
    )


def _request(db: sqlite3.Connection, table: int, scope: str, id: str) -> Repeated | None:
    row = db.execute(
        'SELECT first, last, fingerprint FROM requests WHERE "table" = ? AND scope = ? AND id = ?',
        (table, scope, id),
    ).fetchone()
    return Repeated(*row) if row else None


def _seat(db: sqlite3.Connection, table: int, seat: Seat) -> None:
    db.execute(
        "INSERT OR REPLACE INTO seats VALUES (?, ?, ?, ?, ?, ?, ?)",
        (table, seat.number, seat.name, seat.bot, seat.taken, seat.token, seat.salt),
    )


def _table(db: sqlite3.Connection, id: str) -> StoredTable | None:
    row = db.execute(f"SELECT {TABLE_COLUMNS} FROM tables WHERE id = ?", (id,)).fetchone()
    return _stored(db, row) if row else None


def _tables(db: sqlite3.Connection, selection: Selection) -> list[StoredTable]:
    wanted: dict[str, object] = {"visibility = ?": Visibility.PUBLIC}
    if selection.before is not None:
        wanted["number < ?"] = selection.before
    if selection.variant is not None:
        wanted["variant = ?"] = selection.variant
    if selection.status is not None:
        wanted["status = ?"] = selection.status
    rows = db.execute(
        f"SELECT {TABLE_COLUMNS} FROM tables WHERE {' AND '.join(wanted)}"
        " ORDER BY number DESC LIMIT ?",
        (*wanted.values(), selection.limit),
    )
    return [_stored(db, row) for row in rows.fetchall()]


def _stored(db: sqlite3.Connection, row: tuple[Any, ...]) -> StoredTable:
    seats = db.execute(
        'SELECT seat, name, bot, taken, token, salt FROM seats WHERE "table" = ? ORDER BY seat',
        (row[0],),
    )
    white, black = (Seat(n, name, bot, bool(taken), *rest) for n, name, bot, taken, *rest in seats)
    number, name, created, updated, variant, version, settings, status, visibility, revision = row
    return StoredTable(
        number,
        name,
        created,
        updated,
        variant,
        version,
        settings,
        (white, black),
        Status(status),
        Visibility(visibility),
        revision,
    )


def _bot_tables(db: sqlite3.Connection) -> list[str]:
    rows = db.execute(
        "SELECT id FROM tables WHERE status = ? AND number IN"
        " (SELECT \"table\" FROM seats WHERE bot <> '') ORDER BY number",
        (Status.PLAYING,),
    )
    return [name for (name,) in rows]


def _events(db: sqlite3.Connection, table: int, after: int, limit: int | None) -> list[Event]:
    rows = db.execute(
        'SELECT revision, time, seat, request_id, body FROM events WHERE "table" = ?'
        " AND revision > ? ORDER BY revision LIMIT ?",
        (table, after, -1 if limit is None else limit),
    )
    return [Event(*row) for row in rows]
