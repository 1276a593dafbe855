"""The errors that every store raises alike."""

from __future__ import annotations

from bgcore.errors import Fault, shown
from bgcore_server.errors import Malformed, Stale, Unavailable


def stale(seen: int, now: object) -> Stale:
    """The error of a client, or a server, that has not seen the newest events."""
    return Stale(Fault("STALE_REVISION", "expected_revision", str(seen), str(now)))


def reused(request_id: str) -> Malformed:
    """The error of two different commands with one request id."""
    expected = "an id that no other request has had"
    return Malformed(Fault("REQUEST_ID_REUSED", "request_id", request_id, expected))


def unavailable(error: Exception) -> Unavailable:
    """The error of an engine that did not do what it was asked."""
    return Unavailable(
        Fault("STORE_UNAVAILABLE", "", shown(error), "a store that answers", f"the store: {error}")
    )
