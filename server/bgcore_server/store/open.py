"""From the URL of a database to the store behind it."""

from __future__ import annotations

from pathlib import Path

from bgcore.errors import Fault
from bgcore_server.errors import Malformed
from bgcore_server.store.base import Store
from bgcore_server.store.sqlite import MEMORY, SQLiteStore

SQLITE = "sqlite://"


def file_of(url: str) -> Path | None:
    """The file behind a URL; `None` where nothing is kept. `Malformed` for a URL of another kind.

    >>> file_of("sqlite:///data/tables.db"), file_of("sqlite://")
    (PosixPath('data/tables.db'), None)
    """
    if not url.startswith(SQLITE):
        expected = "sqlite:///FILE, or sqlite:// to keep nothing"
        raise Malformed(Fault("UNKNOWN_DATABASE", "db", url.partition(":")[0], expected))
    path = url.removeprefix(SQLITE).removeprefix("/")
    return Path(path) if path else None


async def open_store(url: str) -> Store:
    """The store of a URL: `sqlite:///file.db`, `sqlite:////full/path.db`, or `sqlite://` for none."""
    return await SQLiteStore.open(str(file_of(url) or MEMORY))
