"""The statements of commands, for every engine, and what goes into them and comes out.

Placeholders are SQLite's; `percent` writes them as psycopg wants them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from bgcore_server.store.base import (
    Archive,
    Change,
    Event,
    Later,
    NewEvent,
    NewTable,
    RequestKey,
    Seat,
    Selection,
    Status,
    StoredTable,
    Visibility,
)

Values = tuple[object, ...]

MAKING = 0
"""The table of requests that make tables; `first` is then the table's number."""

NO_LIMIT = (1 << 63) - 1

STATEMENTS = 256
"""Messages of which the text for psycopg is remembered; an act with the same number of events has the same."""

MAKE = (
    "INSERT INTO tables (id, created, updated, variant, rules_version, settings, status,"
    " visibility, revision, deadline) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
ADVANCE = (
    "UPDATE tables SET revision = ?, updated = ?, status = ?, deadline = ?"
    " WHERE number = ? AND revision = ?"
)
LATER = (
    "UPDATE tables SET later_variant = ?, later_rules_version = ?, later_settings = ?"
    " WHERE number = ?"
)
LOG = (
    'INSERT INTO events ("table", revision, time, seat, request_id, body) VALUES (?, ?, ?, ?, ?, ?)'
)
REMEMBER = (
    'INSERT INTO requests ("table", scope, id, fingerprint, first, last) VALUES (?, ?, ?, ?, ?, ?)'
)
SEAT = (
    'INSERT INTO seats ("table", seat, name, bot, taken, token, salt, account)'
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
    ' ON CONFLICT ("table", seat) DO UPDATE SET name = excluded.name, bot = excluded.bot,'
    " taken = excluded.taken, token = excluded.token, salt = excluded.salt,"
    " account = excluded.account"
)

REQUEST = 'SELECT first, last, fingerprint FROM requests WHERE "table" = ? AND scope = ? AND id = ?'
REVISION = "SELECT revision FROM tables WHERE number = ?"
NAME = "SELECT id FROM tables WHERE number = ?"
EVENTS = (
    'SELECT revision, time, seat, request_id, body FROM events WHERE "table" = ? AND revision > ?'
    " ORDER BY revision LIMIT ?"
)
BOT_TABLES = (
    'SELECT id FROM tables WHERE status = ? AND number IN (SELECT "table" FROM seats'
    " WHERE bot <> '') ORDER BY number"
)
TABLES = (
    "SELECT t.number, t.id, t.created, t.updated, t.variant, t.rules_version, t.settings,"
    " t.status, t.visibility, t.revision, t.compacted,"
    " t.later_variant, t.later_rules_version, t.later_settings,"
    " w.name, w.bot, w.taken, w.token, w.salt, w.account,"
    " b.name, b.bot, b.taken, b.token, b.salt, b.account"
    ' FROM tables t JOIN seats w ON w."table" = t.number AND w.seat = 0'
    ' JOIN seats b ON b."table" = t.number AND b.seat = 1'
)
TABLE = f"{TABLES} WHERE t.id = ?"

# -- looking for what is to be done, and making room ----------------------------------------------------

DUE = "SELECT id FROM tables WHERE deadline < ? ORDER BY deadline, number LIMIT ?"
SETTLED = (
    "SELECT id FROM tables WHERE status >= 3 AND compacted < revision AND updated < ?"
    " ORDER BY updated, number LIMIT ?"
)
INDEXED = 1024
"""Tables with more events than this that are kept one by one have an index."""

COMPACT = (
    "UPDATE tables SET compacted = ?"
    " WHERE number = ? AND revision = ? AND compacted < ? AND revision >= ?"
)
KEEP = (
    'INSERT INTO archives ("table", revision, time, body) VALUES (?, ?, ?, ?)'
    ' ON CONFLICT ("table") DO UPDATE SET revision = excluded.revision, time = excluded.time,'
    " body = excluded.body"
)
DROP = 'DELETE FROM events WHERE "table" = ? AND revision <= ?'
ARCHIVE = 'SELECT revision, time, body FROM archives WHERE "table" = ?'
COMPACTED = "SELECT revision, compacted FROM tables WHERE number = ?"
FORGET = (
    'DELETE FROM events WHERE "table" = ?',
    'DELETE FROM archives WHERE "table" = ?',
    'DELETE FROM seats WHERE "table" = ?',
    'DELETE FROM requests WHERE "table" = ?',
    'DELETE FROM requests WHERE "table" = 0 AND first = ?',
    "DELETE FROM tables WHERE number = ?",
)
"""All that is kept of a table; each takes its number."""


@lru_cache(STATEMENTS)
def percent(statement: str) -> bytes:
    """A statement with the placeholders of psycopg.

    >>> percent(REVISION)
    b'SELECT revision FROM tables WHERE number = %s'
    """
    return statement.replace("?", "%s").encode()


def listing(selection: Selection) -> tuple[str, Values]:
    """Public tables, the newest first."""
    wanted: dict[str, object] = {}
    if selection.before is not None:
        wanted["t.number < ?"] = selection.before
    if selection.variant is not None:
        wanted["COALESCE(t.later_variant, t.variant) = ?"] = selection.variant
    if selection.status is not None:
        wanted["t.status = ?"] = int(selection.status)
    # With the very words of the indexes, for an engine that takes them for nothing else.
    where = " AND ".join((f"t.visibility = {int(Visibility.PUBLIC)}", *wanted))
    return f"{TABLES} WHERE {where} ORDER BY t.number DESC LIMIT ?", (
        *wanted.values(),
        selection.limit,
    )


def idle(statuses: Sequence[Status], before: int, limit: int) -> tuple[str, Values]:
    """Tables in one of these states that nothing has happened at, the oldest first."""
    where = f"status IN ({', '.join('?' * len(statuses))}) AND updated < ?"
    question = f"SELECT id FROM tables WHERE {where} ORDER BY updated, number LIMIT ?"
    return question, (*map(int, statuses), before, limit)


def lengthy(events: int, limit: int) -> tuple[str, Values]:
    """Tables of which many events are kept one by one."""
    # With the very words of the index, for an engine that takes it for nothing else.
    indexed = f"revision - compacted > {INDEXED} AND " if events >= INDEXED else ""
    where = f"{indexed}revision - compacted > ?"
    return f"SELECT id FROM tables WHERE {where} ORDER BY number LIMIT ?", (events, limit)


def make(table: NewTable) -> Values:
    """What `MAKE` takes."""
    return (
        *(table.id, table.time, table.time, table.variant, table.rules_version, table.settings),
        *(int(table.status), int(table.visibility), len(table.events), table.deadline),
    )


def advance(change: Change) -> Values:
    """What `ADVANCE` takes."""
    last, time = change.revision + len(change.events), change.events[-1].time
    return last, time, int(change.status), change.deadline, change.table, change.revision


def later(table: int, later: Later) -> Values:
    """What `LATER` takes."""
    return later.variant, later.rules_version, later.settings, table


def log(table: int, first: int, events: Sequence[NewEvent], request_id: str = "") -> list[Values]:
    """What `LOG` takes, for each event."""
    return [
        (table, revision, event.time, event.seat, request_id, event.body)
        for revision, event in enumerate(events, first)
    ]


def logged_id(change: Change) -> str:
    """The request id that the log shows; who knows the id of a join can ask for the token."""
    return change.request.id if change.request and change.seat is None else ""


def remember(table: int, request: RequestKey, first: int, last: int) -> Values:
    """What `REMEMBER` takes."""
    return table, request.scope, request.id, request.fingerprint, first, last


def seat(table: int, seat: Seat) -> Values:
    """What `SEAT` takes."""
    taken = int(seat.taken)
    return table, seat.number, seat.name, seat.bot, taken, seat.token, seat.salt, seat.account


def events(table: int, after: int, limit: int | None) -> Values:
    """What `EVENTS` takes."""
    return table, after, NO_LIMIT if limit is None else limit


def compact(table: int, revision: int, archive: Archive) -> Values:
    """What `COMPACT` takes."""
    last = archive.revision
    return last, table, revision, last, last


def keep(table: int, archive: Archive) -> Values:
    """What `KEEP` takes."""
    return table, archive.revision, archive.time, archive.body


STATUSES = frozenset(map(int, Status))
VISIBILITIES = frozenset(map(int, Visibility))


def stored(row: Sequence[Any]) -> StoredTable:
    """A table from a row of `TABLES`."""
    number, name, created, updated, variant, rules, settings, *more = row[:-12]
    status, visibility, revision, compacted, *later = more
    return StoredTable(
        number=number,
        id=name,
        created=created,
        updated=updated,
        variant=variant,
        rules_version=rules,
        settings=settings,
        seats=(_seat(0, *row[-12:-6]), _seat(1, *row[-6:])),
        status=Status(status) if status in STATUSES else Status.UNKNOWN,
        # One that only newer servers know of is seen by nobody here.
        visibility=Visibility(visibility) if visibility in VISIBILITIES else Visibility.PRIVATE,
        revision=revision,
        compacted=compacted,
        later=Later(*later) if later[0] is not None else None,
    )


def event(row: Sequence[Any]) -> Event:
    """An event from a row of `EVENTS`."""
    return Event(*row)


def _seat(
    number: int, name: str, bot: str, taken: int, token: bytes, salt: bytes, account: str
) -> Seat:
    return Seat(number, name, bot, bool(taken), token, salt, account)
