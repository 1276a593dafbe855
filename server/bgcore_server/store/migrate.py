"""Bringing a database to the schema of this version: all missing steps in one transaction.

Whoever is killed in the middle leaves the database as it was, and the next start does it again. Two
servers that start at once wait for each other. Where there is nothing to do, which is at nearly every
start, neither alembic nor SQLAlchemy is imported.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from bgcore.errors import Fault
from bgcore_server.errors import Malformed

if TYPE_CHECKING:
    import psycopg
    from sqlalchemy import Connection

HEAD = "0004"
"""The newest step of `migrations/`."""

FIRST = "0001"
SCHEMA_TABLE = "bgcore_schema"
OLD_SCHEMA_TABLE = "schema_version"
OLD_VERSION = 1

LOCK = int.from_bytes(b"bgcore")
"""The number of the lock that servers on PostgreSQL take while they migrate."""

# Alembic keeps what it is working on in global variables.
_one_at_a_time = threading.Lock()


def prepare_sqlite(db: sqlite3.Connection) -> None:
    """Make or upgrade the tables of a file; `Malformed` when they are not ours."""
    known = db.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (SCHEMA_TABLE,)).fetchone()
    if known and db.execute(f"SELECT version_num FROM {SCHEMA_TABLE}").fetchall() == [(HEAD,)]:
        return
    _migrate("sqlite://", lambda: db, "BEGIN IMMEDIATE")


def prepare_postgres(db: psycopg.Connection[Any]) -> None:
    """Make or upgrade the tables in the schema of a connection; `Malformed` when they are not ours."""
    known = db.execute(
        "SELECT 1 FROM information_schema.tables"
        " WHERE table_schema = current_schema() AND table_name = %s",
        (SCHEMA_TABLE,),
    ).fetchone()
    found = db.execute(f"SELECT version_num FROM {SCHEMA_TABLE}").fetchall() if known else []
    db.rollback()
    if found != [(HEAD,)]:
        _migrate("postgresql+psycopg://", lambda: db, f"SELECT pg_advisory_xact_lock({LOCK})")


def _migrate(url: str, connection: Callable[[], Any], lock: str) -> None:
    from sqlalchemy import create_engine, event
    from sqlalchemy.exc import DBAPIError
    from sqlalchemy.pool import StaticPool

    engine = create_engine(url, creator=connection, poolclass=StaticPool)
    # With the lock comes a look at what is there now: somebody may have just done it.
    event.listen(engine, "begin", lambda began: began.exec_driver_sql(lock))
    try:
        with _one_at_a_time, engine.begin() as began:
            _upgrade(began)
    except DBAPIError as error:
        raise error.orig or error from None  # what the engine said, without the statement


def _upgrade(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError
    from sqlalchemy import inspect

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", "bgcore_server.store:migrations")
    names = set(inspect(connection).get_table_names())
    if OLD_SCHEMA_TABLE in names and SCHEMA_TABLE not in names:
        found = connection.exec_driver_sql(f"SELECT version FROM {OLD_SCHEMA_TABLE}").scalar()
        if found != OLD_VERSION:
            raise unknown(f"version {found}")
        command.stamp(config, FIRST)
    elif names and SCHEMA_TABLE not in names:
        raise unknown("another program's tables")
    try:
        command.upgrade(config, "head")
    except CommandError:
        found = connection.exec_driver_sql(f"SELECT version_num FROM {SCHEMA_TABLE}").scalar()
        raise unknown(f"version {found}") from None


def unknown(found: str) -> Malformed:
    """The error of a database with tables that are not ours, or those of a later version."""
    expected = f"an empty database, or one of bgcore up to version {HEAD}"
    what = f"the database has {found}, expected {expected} (--db)"
    return Malformed(Fault("UNKNOWN_SCHEMA", "db", found, expected, what))
