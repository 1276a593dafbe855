"""The statements of commands, for every engine, and what goes into them and comes out.

Placeholders are SQLite's; `percent` writes them as psycopg wants them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from bgcore_server.store.base import (
    Change,
    Event,
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

MAKE = (
    "INSERT INTO tables (id, created, updated, variant, rules_version, settings, status,"
    " visibility, revision) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
ADVANCE = (
    "UPDATE tables SET revision = ?, updated = ?, status = ? WHERE number = ? AND revision = ?"
)
LOG = (
    'INSERT INTO events ("table", revision, time, seat, request_id, body) VALUES (?, ?, ?, ?, ?, ?)'
)
REMEMBER = (
    'INSERT INTO requests ("table", scope, id, fingerprint, first, last) VALUES (?, ?, ?, ?, ?, ?)'
)
SEAT = (
    'INSERT INTO seats ("table", seat, name, bot, taken, token, salt) VALUES (?, ?, ?, ?, ?, ?, ?)'
    ' ON CONFLICT ("table", seat) DO UPDATE SET name = excluded.name, bot = excluded.bot,'
    " taken = excluded.taken, token = excluded.token, salt = excluded.salt"
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
    " t.status, t.visibility, t.revision,"
    " w.name, w.bot, w.taken, w.token, w.salt, b.name, b.bot, b.taken, b.token, b.salt"
    ' FROM tables t JOIN seats w ON w."table" = t.number AND w.seat = 0'
    ' JOIN seats b ON b."table" = t.number AND b.seat = 1'
)
TABLE = f"{TABLES} WHERE t.id = ?"


def percent(statement: str) -> bytes:
    """A statement with the placeholders of psycopg.

    >>> percent(REVISION)
    b'SELECT revision FROM tables WHERE number = %s'
    """
    return statement.replace("?", "%s").encode()


def listing(selection: Selection) -> tuple[str, Values]:
    """Public tables, the newest first."""
    wanted: dict[str, object] = {"t.visibility = ?": int(Visibility.PUBLIC)}
    if selection.before is not None:
        wanted["t.number < ?"] = selection.before
    if selection.variant is not None:
        wanted["t.variant = ?"] = selection.variant
    if selection.status is not None:
        wanted["t.status = ?"] = int(selection.status)
    where = " AND ".join(wanted)
    return f"{TABLES} WHERE {where} ORDER BY t.number DESC LIMIT ?", (
        *wanted.values(),
        selection.limit,
    )


def make(table: NewTable) -> Values:
    """What `MAKE` takes."""
    return (
        *(table.id, table.time, table.time, table.variant, table.rules_version, table.settings),
        *(int(table.status), int(table.visibility), len(table.events)),
    )


def advance(change: Change) -> Values:
    """What `ADVANCE` takes."""
    last = change.revision + len(change.events)
    return last, change.events[-1].time, int(change.status), change.table, change.revision


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
    return table, seat.number, seat.name, seat.bot, int(seat.taken), seat.token, seat.salt


def events(table: int, after: int, limit: int | None) -> Values:
    """What `EVENTS` takes."""
    return table, after, NO_LIMIT if limit is None else limit


def stored(row: Sequence[Any]) -> StoredTable:
    """A table from a row of `TABLES`."""
    number, name, created, updated, variant, rules, settings, *more = row[:10]
    status, visibility, revision = more
    return StoredTable(
        number=number,
        id=name,
        created=created,
        updated=updated,
        variant=variant,
        rules_version=rules,
        settings=settings,
        seats=(_seat(0, *row[-10:-5]), _seat(1, *row[-5:])),
        status=Status(status),
        visibility=Visibility(visibility),
        revision=revision,
    )


def event(row: Sequence[Any]) -> Event:
    """An event from a row of `EVENTS`."""
    return Event(*row)


def _seat(number: int, name: str, bot: str, taken: int, token: bytes, salt: bytes) -> Seat:
    return Seat(number, name, bot, bool(taken), token, salt)
