"""Stores: what a server must not forget. The log of a table is the truth; all else follows from it.

A command is one transaction that compares the table's revision, appends events and remembers the request id.
A store knows nothing of rules: events are JSON texts to it.
"""

from bgcore_server.store.base import (
    Answer,
    Appended,
    Archive,
    Change,
    Created,
    Event,
    Extent,
    Later,
    NewEvent,
    NewTable,
    Repeated,
    RequestKey,
    Seat,
    Selection,
    Status,
    Store,
    StoredTable,
    Visibility,
)
from bgcore_server.store.open import open_store

__all__ = [
    "Answer",
    "Appended",
    "Archive",
    "Change",
    "Created",
    "Event",
    "Extent",
    "Later",
    "NewEvent",
    "NewTable",
    "Repeated",
    "RequestKey",
    "Seat",
    "Selection",
    "Status",
    "Store",
    "StoredTable",
    "Visibility",
    "open_store",
]
