"""Connections to PostgreSQL, and what is sent over them.

A command goes out as one message, all its statements together: no lock waits for a server that is held
up in the middle of it. If the line breaks before the answer is there nobody knows what happened: then it is
sent once more, and what the database says to that tells.
"""

from __future__ import annotations

import asyncio
import select
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import psycopg
from psycopg import errors
from psycopg.pq import TransactionStatus
from psycopg_pool import AsyncConnectionPool, PoolTimeout

from bgcore_server.store import statements as sql
from bgcore_server.store.place import Place

T = TypeVar("T")
Cursor = psycopg.AsyncCursor[tuple[Any, ...]]
Work = Sequence[tuple[str, sql.Values]]
"""Statements, each with what goes into it."""

CONNECTIONS = 16
"""At most so many at once. Commits that wait for the disk share a flush, so more than cores helps."""

CONNECTION_SECONDS = 5.0
"""How long a command waits for a connection, such as while the database starts again."""

WAIT_SECONDS = 0.5
"""How long it waits at a time."""

AT_HAND_SECONDS = 0.5
"""How long a line that was let go may stay at hand for who comes next, before the pool has it again."""

RECONNECT_SECONDS = 2.0
"""After so long an attempt to connect is given up; whoever needs a connection next makes a new one."""

STATEMENT_SECONDS = 8
IDLE_SECONDS = 4
"""How long the database lets a server be silent in the middle of making a table."""

ATTEMPTS = 5

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

UNLUCKY = (errors.SerializationFailure, errors.DeadlockDetected, errors.LockNotAvailable)
"""Nothing was done, since somebody was in the way; once more."""


class Connection(psycopg.AsyncConnection[tuple[Any, ...]]):
    """A connection to the database, and since when the pool has not had it, by the loop's clock."""

    away_since = 0.0


class Undecided(Exception):
    """The line broke while a transaction was being committed."""


class Again(Exception):
    """Somebody got in the way and is gone now."""


FAILURES = (psycopg.Error, Undecided, Again, TimeoutError, asyncio.CancelledError, OSError)
"""What says no more than that the database did not do its work."""


class Lines:
    """The connections of a server to its database."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._loop = asyncio.get_running_loop()
        self._parameters = place.parameters | {"autocommit": True}
        self._at_hand: Connection | None = None
        self._asking = 0
        self._closing = False
        self._tasks: set[asyncio.Task[None]] = set()
        self._timer: asyncio.TimerHandle | None = None
        self._pool: AsyncConnectionPool[Connection] = AsyncConnectionPool(
            kwargs=self._parameters,
            connection_class=Connection,
            configure=_configure,
            check=_check,
            min_size=1,
            max_size=CONNECTIONS,
            timeout=CONNECTION_SECONDS,
            reconnect_timeout=RECONNECT_SECONDS,
            name=place.name,
            open=False,
        )

    async def open(self) -> None:
        """Connect."""
        await self._pool.open()

    async def close(self) -> None:
        """Let go of the connections."""
        self._closing = True
        self._put_back()
        await asyncio.gather(*self._tasks)
        await self._pool.close()
        await asyncio.gather(*self._tasks)  # a closed pool closes what it gets

    def another(self) -> Awaitable[Connection]:
        """A connection beside these, for who keeps it."""
        return Connection.connect(**self._parameters)

    async def carry_out(
        self, command: Callable[[Connection, bool], Awaitable[T]], *, again: bool = False
    ) -> T:
        """Have a command carried out; once more where it was not, or where nobody knows, which it is told.

        `again`: nobody knows whether it has been carried out before.
        """
        for left in reversed(range(ATTEMPTS)):
            db = await self.line()
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
                await self.let_go(db)
        raise AssertionError("the last attempt returns or raises")

    async def line(self) -> Connection:
        """A connection: the one at hand, if it is in order, or one of the pool's."""
        if (db := self._at_hand) is not None:
            self._at_hand = None
            try:
                await _check(db)
            except BaseException as problem:
                self._give_back(db)  # to the pool, which sees whether it is of any use
                if not isinstance(problem, psycopg.Error):
                    raise
            else:
                return db
        self._asking += 1
        try:
            return await self._from_pool()
        finally:
            self._asking -= 1

    async def _from_pool(self) -> Connection:
        # It is asked anew now and then, since the pool gives up trying for those who wait.
        end = self._loop.time() + CONNECTION_SECONDS
        while True:
            try:
                db = await self._pool.getconn(WAIT_SECONDS)
            except PoolTimeout:
                if self._loop.time() >= end:
                    raise
            else:
                db.away_since = self._loop.time()
                return db

    async def let_go(self, db: Connection) -> None:
        """Give a connection back; a transaction that a command left open is undone."""
        # psycopg's own `async with` would commit it, and takes as long again as the pool does.
        try:
            if db.pgconn.transaction_status in LEFT_OPEN:
                with suppress(psycopg.Error):  # then it is of no use, which the pool sees
                    await db.rollback()
        finally:
            if not self._keep_at_hand(db):
                self._give_back(db)

    def _keep_at_hand(self, db: Connection) -> bool:
        """Keep a line for who comes next, unless somebody waits for one, or the pool is to look at it again."""
        taken = self._closing or self._asking or self._at_hand is not None
        late = self._loop.time() > db.away_since + AT_HAND_SECONDS
        if taken or late or db.pgconn.transaction_status != TransactionStatus.IDLE:
            return False
        self._at_hand = db
        if self._timer is None:
            self._timer = self._loop.call_later(AT_HAND_SECONDS, self._put_back)
        return True

    def _put_back(self) -> None:
        """Let the pool have the line at hand."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if (db := self._at_hand) is not None:
            self._at_hand = None
            self._give_back(db)

    def _give_back(self, db: Connection) -> None:
        # By itself: a command that is called off while the pool takes it back would lose it.
        task = self._loop.create_task(self._pool.putconn(db))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def execute(self, statement: bytes, values: sql.Values) -> None:
        """Have a statement carried out by itself."""
        db = await self.line()
        try:
            await db.execute(statement, values)
        finally:
            await self.let_go(db)


async def _configure(db: Connection) -> None:
    for statement in SESSION:
        await db.execute(statement.encode())


async def _check(db: Connection) -> None:
    """Nothing comes unasked on a line that is in order; if something does, perhaps it is the end."""
    heard = select.poll()
    heard.register(db.fileno(), select.POLLIN)
    if heard.poll(0):
        await AsyncConnectionPool.check_connection(db)


async def ask(db: Connection, question: str, values: sql.Values) -> list[tuple[Any, ...]]:
    """The rows that answer a question."""
    return await (await db.execute(sql.percent(question), values)).fetchall()


async def send(db: Connection, *works: Work) -> Cursor:
    """Send statements as one message. They are one transaction, unless they say otherwise."""
    cursor = psycopg.AsyncClientCursor(db)
    if len(works) == 1:
        await cursor.execute(*_worded(works[0]))
    else:
        # One by one, since psycopg keeps what it has read of a text that comes often and is short.
        await cursor.execute(";".join(cursor.mogrify(*_worded(work)) for work in works).encode())
    return cursor


def _worded(work: Work) -> tuple[bytes, list[object]]:
    text = ";".join(statement for statement, _ in work)
    return sql.percent(text), [value for _, values in work for value in values]


async def commit(db: Connection, *works: Work) -> None:
    """Send what ends with a commit; `Undecided` when nobody knows whether that was done."""
    try:
        await send(db, *works)
    except (*OVERTAKEN, *UNLUCKY):
        raise
    except psycopg.Error as error:
        raise Undecided(str(error)) from error
