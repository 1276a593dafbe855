"""What a store's commands are on PostgreSQL: statements that go out together, and what their answer tells."""

from __future__ import annotations

from collections.abc import Sequence

from psycopg import errors

from bgcore_server.store import statements as sql
from bgcore_server.store.base import (
    Appended,
    Archive,
    Change,
    Created,
    NewTable,
    Repeated,
    RequestKey,
)
from bgcore_server.store.errors import compacted, reused, stale
from bgcore_server.store.postgres_line import OVERTAKEN, Again, Connection, Work, ask, commit, send

MAKE = f"BEGIN; {sql.MAKE} RETURNING number"
COMMIT = "COMMIT"
ADVANCE = f"WITH moved AS ({sql.ADVANCE} RETURNING 1) SELECT 1 / count(*) FROM moved"
COMPACT = f"WITH moved AS ({sql.COMPACT} RETURNING 1) SELECT 1 / count(*) FROM moved"
"""Fail where the table has another revision, so that nothing else of the message is done either."""

BRIEFLY = "SELECT set_config('lock_timeout', '200ms', true)"
"""In this transaction nobody waits longer than that for who holds a table."""

HOLD = "SELECT 1 FROM tables WHERE number = ? FOR UPDATE"
HOLD_AT = (
    "SELECT 1 / count(*) FROM"
    " (SELECT 1 FROM tables WHERE number = ? AND revision = ? FOR UPDATE) AS held"
)
"""Acts and what forgets their table wait for each other."""


async def create(
    db: Connection, table: NewTable, request: RequestKey | None, again: bool
) -> Created:
    """Make a table; `again`: perhaps it has been made before."""
    try:
        made = await send(db, [(MAKE, sql.make(table))])
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
        await commit(db, [*work, (COMMIT, ())])
    except OVERTAKEN:
        await db.rollback()
        return await _made_before(db, request)
    return Created(table.id, repeated=False)


async def _made_before(db: Connection, request: RequestKey | None) -> Created:
    """The answer to a request whose table has been made, perhaps a moment ago."""
    key = (sql.MAKING, request.scope, request.id) if request else None
    rows = await ask(db, sql.REQUEST, key) if key else []
    if request is None or not rows:
        raise Again
    number, _, fingerprint = rows[0]
    if fingerprint != request.fingerprint:
        raise reused(request.id)
    names = await ask(db, sql.NAME, (number,))
    if not names:
        raise Again  # it has just been forgotten
    return Created(names[0][0], repeated=True)


async def append(db: Connection, change: Change, again: bool) -> Appended | Repeated:
    """Append events; `again`: perhaps they have been appended before."""
    try:
        await commit(db, appending(change))
    except OVERTAKEN:
        if again and await _is_done(db, change):
            return appended(change)  # it was us, before the line broke
        return await _overtaken(db, change)
    return appended(change)


async def append_all(db: Connection, changes: Sequence[Change]) -> None:
    """Append to several tables as one transaction: all of it is done, or nothing.

    `LockNotAvailable` where somebody holds one of the tables: the others are not to wait for that.
    """
    # In the order of the tables, so that servers that wait for each other's do so one way round.
    works = map(appending, sorted(changes, key=lambda change: change.table))
    await commit(db, [(BRIEFLY, ())], *works)


def appending(change: Change) -> Work:
    """The statements that append events."""
    events = sql.log(change.table, change.revision + 1, change.events, sql.logged_id(change))
    work = [(ADVANCE, sql.advance(change)), *((sql.LOG, values) for values in events)]
    if change.seat is not None:
        work.append((sql.SEAT, sql.seat(change.table, change.seat)))
    if change.later is not None:
        work.append((sql.LATER, sql.later(change.table, change.later)))
    if request := change.request:
        done = appended(change)
        work.append((sql.REMEMBER, sql.remember(change.table, request, done.first, done.last)))
    return work


def appended(change: Change) -> Appended:
    """The answer to a change that is in the log."""
    return Appended(change.revision + 1, change.revision + len(change.events))


async def _is_done(db: Connection, change: Change) -> bool:
    """Whether the log has these very events where they were to go."""
    events = sql.log(change.table, change.revision + 1, change.events, sql.logged_id(change))
    there = await ask(db, sql.EVENTS, (change.table, change.revision, len(events)))
    return there == [row[1:] for row in events]


async def _overtaken(db: Connection, change: Change) -> Repeated:
    """The answer to an act that was not done: what the same request did before, or `Stale`."""
    if request := change.request:
        key = (change.table, request.scope, request.id)
        if rows := await ask(db, sql.REQUEST, key):
            return Repeated(*rows[0])
    rows = await ask(db, sql.REVISION, (change.table,))
    now = rows[0][0] if rows else "gone"
    if now == change.revision:
        raise Again
    raise stale(change.revision, now)


async def compact(db: Connection, table: int, revision: int, archive: Archive) -> None:
    """Keep an archive in the place of the events that are in it."""
    work = [
        (COMPACT, sql.compact(table, revision, archive)),
        (sql.KEEP, sql.keep(table, archive)),
        (sql.DROP, (table, archive.revision)),
    ]
    try:
        await commit(db, work)
    except OVERTAKEN:
        rows = await ask(db, sql.COMPACTED, (table,))
        raise (compacted(archive.revision, *rows[0]) if rows else stale(revision, "gone")) from None


async def delete(db: Connection, table: int, revision: int | None) -> None:
    """Forget a table, its events and requests."""
    hold = (HOLD, (table,)) if revision is None else (HOLD_AT, (table, revision))
    try:
        await commit(db, [hold, *((statement, (table,)) for statement in sql.FORGET)])
    except OVERTAKEN:
        if rows := await ask(db, sql.REVISION, (table,)):
            raise stale(revision or 0, rows[0][0]) from None
