"""From the URL of a database to the store behind it."""

from __future__ import annotations

from bgcore.errors import Fault
from bgcore_server.errors import Malformed
from bgcore_server.store.base import Store
from bgcore_server.store.sqlite import SQLiteStore

SQLITE = "sqlite://"
MEMORY = ":memory:"


async def open_store(url: str) -> Store:
    """The store of a URL: `sqlite:///file.db`, `sqlite:////full/path.db`, or `sqlite://` for none."""
    if not url.startswith(SQLITE):
        expected = "sqlite:///FILE, or sqlite:// to keep nothing"
        raise Malformed(Fault("UNKNOWN_DATABASE", "db", url.partition(":")[0], expected))
    path = url.removeprefix(SQLITE).removeprefix("/")
    return await SQLiteStore.open(path or MEMORY)
