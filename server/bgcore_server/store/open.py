"""From the URL of a database to the store behind it."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from bgcore.errors import Fault
from bgcore_server.errors import Malformed
from bgcore_server.extras import how_to_install
from bgcore_server.store.base import Store
from bgcore_server.store.sqlite import MEMORY, SQLiteStore

SQLITE = "sqlite://"
POSTGRES = ("postgresql://", "postgres://")


def file_of(url: str) -> Path | None:
    """The file behind a URL; `None` where there is none. `Malformed` for a URL of another kind.

    >>> file_of("sqlite:///data/tables.db"), file_of("sqlite://"), file_of("postgresql://db/tables")
    (PosixPath('data/tables.db'), None, None)
    """
    if url.startswith(POSTGRES):
        return None
    if not url.startswith(SQLITE):
        expected = "sqlite:///FILE, sqlite:// to keep nothing, or postgresql://USER@HOST/DATABASE"
        raise Malformed(Fault("UNKNOWN_DATABASE", "db", url.partition(":")[0], expected))
    path = url.removeprefix(SQLITE).removeprefix("/")
    return Path(path) if path else None


def kept(url: str) -> str:
    """Where the tables of a URL are kept, for a person to read; without a password."""
    if url.startswith(POSTGRES):
        check_psycopg()
        from bgcore_server.store.place import Place

        return f"in PostgreSQL, {Place.read(url).name}"
    file = file_of(url)
    return f"in {file.resolve()}" if file else "nowhere"


async def open_store(url: str) -> Store:
    """The store of a URL.

    `sqlite:///file.db`, `sqlite:////full/path.db`, `sqlite://` for none, or `postgresql://…` as libpq
    takes it.
    """
    if url.startswith(POSTGRES):
        check_psycopg()
        from bgcore_server.store.postgres import PostgresStore

        return await PostgresStore.open(url)
    return await SQLiteStore.open(str(file_of(url) or MEMORY))


def check_psycopg() -> None:
    """`Malformed` when what talks to PostgreSQL is not installed."""
    absent = [n for n in ("psycopg", "psycopg_pool") if importlib.util.find_spec(n) is None]
    if absent:
        expected = how_to_install("postgres")
        what = f"PostgreSQL needs {' and '.join(absent)}: {expected}"
        raise Malformed(Fault("DRIVER_MISSING", "db", "postgresql", expected, what))
