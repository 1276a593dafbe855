"""A connection of the web port that a slow or greedy client cannot hold for as long as he likes.

uvicorn waits for a request as long as something of it comes in, and with an answer until it has been read.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from bgcore_server.adapters.http_request import Send
from bgcore_server.limit_settings import WebSettings
from bgcore_server.turns import Turns

READ_AHEAD = 16 << 10
"""Bytes that a connection with TLS takes in before anybody reads them."""

RECEIVED = frozenset({h11.DONE, h11.MUST_CLOSE, h11.CLOSED, h11.ERROR})


@dataclass
class Connections:
    """The connections of a port, and what each may take; `block` tells callers apart, "" is not counted.

    `turns` are for large requests.
    """

    settings: WebSettings
    block: Callable[[str], str]
    turns: Turns
    leaving: bool = False  # each connection ends with its next answer
    _open: Counter[str] = field(default_factory=Counter)

    def take(self, address: str) -> str | None:
        """A place for a connection, to be given back with `leave`; `None` where the caller has too many."""
        block, most = self.block(address), self.settings.address_connections
        if not block or not most:
            return ""
        if self._open[block] >= most:
            return None
        self._open[block] += 1
        return block

    def leave(self, block: str) -> None:
        """Give a place back."""
        self._open[block] -= 1
        if self._open[block] <= 0:
            del self._open[block]

    def sending(self, send: Send) -> Send:
        """Sends an answer that says so, if it is the last one: who keeps connections must not choose this one again."""

        async def function(message: Any) -> None:
            if self.leaving and message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), (b"connection", b"close")]
            await send(message)

        return function

    def protocol(self, **given: Any) -> TimedProtocol:
        """A new connection, as uvicorn asks for one."""
        return TimedProtocol(self, **given)


class TimedProtocol(H11Protocol):
    """uvicorn's connection with two clocks: for a request to come in, and for an answer to be read."""

    def __init__(self, connections: Connections, **given: Any) -> None:
        super().__init__(**given)
        self._limits = connections
        self._place: str | None = None
        self._receiving: asyncio.TimerHandle | None = None
        self._sending: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if limit := getattr(transport, "set_read_buffer_limits", None):  # TLS, which reads ahead
            limit(high=READ_AHEAD, low=0)
        self._place = self._limits.take(self.client[0] if self.client else "")
        if self._place is None:
            transport.abort()
        else:
            self._receive_in_time()

    def connection_lost(self, exc: Exception | None) -> None:
        if self._place:
            self._limits.leave(self._place)
        self._receiving = _cancelled(self._receiving)
        self._sending = _cancelled(self._sending)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._receive_in_time()
        super().data_received(data)

    def handle_events(self) -> None:
        super().handle_events()
        if self.conn.their_state in RECEIVED:
            self._receiving = _cancelled(self._receiving)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._send_in_time()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._sending = _cancelled(self._sending)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self.transport.is_closing():  # when the rest has been read
            self._send_in_time()

    def timeout_keep_alive_handler(self) -> None:
        super().timeout_keep_alive_handler()
        self._send_in_time()

    def _receive_in_time(self) -> None:
        seconds = self._limits.settings.request_time
        if self._receiving is None and seconds:
            self._receiving = self.loop.call_later(seconds, self.transport.abort)

    def _send_in_time(self) -> None:
        seconds = self._limits.settings.send_time
        if self._sending is None and seconds:
            self._sending = self.loop.call_later(seconds, self.transport.abort)


def _cancelled(timer: asyncio.TimerHandle | None) -> asyncio.TimerHandle | None:
    """What is left of a timer."""
    if timer is not None:
        timer.cancel()
    return None
