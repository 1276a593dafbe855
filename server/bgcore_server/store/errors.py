"""The errors that every store raises alike."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

import structlog

from bgcore.errors import Fault, shown
from bgcore_server.errors import Malformed, Stale, Unavailable
from bgcore_server.store.base import RequestKey, Seat

REUSED = "REQUEST_ID_REUSED"

log = structlog.get_logger()


def stale(seen: int, now: object) -> Stale:
    """The error of a client, or a server, that has not seen the newest events."""
    return Stale(Fault("STALE_REVISION", "expected_revision", str(seen), str(now)))


def compacted(asked: int, revision: int, before: int) -> Stale:
    """The error of who wants to compact a table that others have acted at, or compacted, meanwhile."""
    expected = f"after {before}, at revision {revision}"
    return Stale(Fault("STALE_REVISION", "archive.revision", str(asked), expected))


def reused(request_id: str) -> Malformed:
    """The error of two different commands with one request id."""
    expected = "an id that no other request has had"
    return Malformed(Fault(REUSED, "request_id", request_id, expected))


def check_texts(seats: Iterable[Seat | None], request: RequestKey | None) -> None:
    """`Malformed` for what somebody typed and PostgreSQL cannot keep: a NUL."""
    sitting = [seat for seat in seats if seat is not None]
    names = [("name", seat.name) for seat in sitting]
    accounts = [("account", seat.account) for seat in sitting]
    for field, text in (*names, *accounts, ("request_id", request.id if request else "")):
        if "\0" in text:
            raise Malformed(Fault("NUL_IN_TEXT", field, repr(text), "a text without NUL"))


def cannot_open(error: Exception) -> Unavailable:
    """The error of a file that cannot be had; it is told to who starts the server, with the reason."""
    return Unavailable(
        Fault("STORE_UNAVAILABLE", "", shown(error), "a store that answers", f"the store: {error}")
    )


def refused(error: Exception) -> Unavailable:
    """The error of SQLite that did not do what it was asked: why is for the operator, in the log."""
    with suppress(OSError):  # the log may be kept on the same full disk
        log.warning("store unavailable", database="SQLite", error=shown(error))
    return silent()


def silent() -> Unavailable:
    """The error of a database that did not answer; what was asked may have been done or not."""
    what = (
        "the store does not answer; the same request with the same request_id tells what was done,"
        " and without one the revision of the table"
    )
    return Unavailable(Fault("STORE_UNAVAILABLE", "", "silence", "a store that answers", what))
