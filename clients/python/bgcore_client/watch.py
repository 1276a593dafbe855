"""Watching a table, whatever the transport: what to ask for next, and what of an answer is news."""

from __future__ import annotations

from dataclasses import dataclass

import grpc

from bgcore_client import messages
from bgcore_client.call import Call, Patience
from bgcore_client.errors import BgcoreClientError, DeadlineExceeded, OutOfRange, Unavailable
from bgcore_client.given import made

PATIENCE = 60.0
"""Seconds for which a watch that was cut off tries to come back."""

COMPACTED = "EVENTS_COMPACTED"
"""The reason of `OutOfRange` where events are not kept one by one any more."""

ROUND = 60.0
"""Seconds after which a watch is asked for anew, so that a connection that died in silence is noticed."""


@dataclass(frozen=True, slots=True)
class News:
    """What a watch tells: at first how a table stands (a snapshot), then each event.

    A snapshot also stands in the place of events that the server does not keep one by one any more.
    """

    state: messages.TableState
    event: messages.Event | None = None
    table: messages.Table | None = None  # with a snapshot

    @property
    def revision(self) -> int:
        """Number of the table's events, this one the last."""
        return self.state.revision


class Watch:
    """A watch of a table from a revision on, through any number of connections.

    `call` is what to ask of a new connection, `news` tells what is new in a message, and `lost`
    how long to wait before the next connection. Between them nothing is lost, and nothing told twice.
    """

    def __init__(
        self, table: str, after: int | None, view: messages.PlayView, token: str = ""
    ) -> None:
        self._table = table
        self._known = after
        self._view = view
        self._token = token
        self._patience: Patience | None = None
        self._began = False

    @property
    def call(self) -> Call[messages.WatchTableResponse]:
        """What a new connection asks for."""
        request = made(
            messages.WatchTableRequest,
            table=self._table,
            after_revision=self._known,
            view=self._view,
        )
        return Call.of(request, messages.WatchTableResponse, self._token)

    def news(self, message: messages.WatchTableResponse) -> News | None:
        """What a message tells; `None`: nothing new, such as a heartbeat. `Gap` where an event is missing."""
        self._patience = None
        self._began = True
        match message.WhichOneof("kind"):
            case "snapshot":
                self._known = message.snapshot.state.revision
                return News(message.snapshot.state, table=message.snapshot.table)
            case "event":
                return self._event(message.event)
        return None

    def _event(self, event: messages.Event) -> News | None:
        known = event.revision - 1 if self._known is None else self._known
        if event.revision <= known:
            return None
        if event.revision > known + 1:
            raise Gap(known + 1, event.revision)
        self._known = event.revision
        return News(event.state, event)

    def lost(self, error: BgcoreClientError) -> float:
        """Seconds to wait after a connection ended; where there is no way back, the error is raised."""
        if isinstance(error, OutOfRange) and self._gone(error):
            self._known = None  # the next connection begins with a snapshot
            return 0.0
        self._patience = self._patience or Patience(PATIENCE)
        if isinstance(error, DeadlineExceeded):  # only its round is over
            error = Unavailable(error.code, error.message)
        return self._patience.pause(error)

    def _gone(self, error: OutOfRange) -> bool:
        """Whether events are gone that were there. A revision that never was is the caller's mistake."""
        return self._known is not None and (self._began or error.reason == COMPACTED)


class Gap(Unavailable):
    """An event is missing in a stream."""

    def __init__(self, expected: int, found: int) -> None:
        super().__init__(
            grpc.StatusCode.UNAVAILABLE, f"event {found} of a watch: expected {expected}"
        )


ENDED = Unavailable(grpc.StatusCode.UNAVAILABLE, "the server ended the watch")
