"""A call that came over HTTP, from its first header to the end of its answer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from contextvars import ContextVar
from typing import Any

from bgcore.errors import BgcoreError
from bgcore_server.adapters.around import CANCELLED, OK, REQUEST_ID, Ongoing
from bgcore_server.adapters.http_request import Receive, Scope, Send
from bgcore_server.adapters.service import Method
from bgcore_server.errors import retry_after

STATUS_CODES = {
    401: "UNAUTHENTICATED",
    403: "PERMISSION_DENIED",
    404: "NOT_FOUND",
    408: "DEADLINE_EXCEEDED",
    429: "RESOURCE_EXHAUSTED",
    499: "CANCELLED",
    501: "UNIMPLEMENTED",
    503: "UNAVAILABLE",
    504: "DEADLINE_EXCEEDED",
}
"""What Connect's library means by a status where it refuses a call by itself."""


LONGEST_TIMEOUT = 10
"""Digits of the longest `connect-timeout-ms`; Connect has no longer ones."""


class ConnectCall(Ongoing):
    """A call that came over HTTP."""

    system = "connect_rpc"

    __slots__ = ("refused", "scope", "started_answer", "told")

    def __init__(self, method: Method, scope: Scope) -> None:
        self.scope = scope
        self.refused: BgcoreError | None = None
        self.started_answer = False
        self.told: Exception | None = None  # in the form in which connectrpc sends it
        super().__init__(method)

    def header(self, name: str) -> str:
        wanted = name.encode()
        for key, value in self.scope.get("headers", ()):
            if key == wanted:
                return bytes(value).decode(errors="replace")
        return ""

    def headers(self, name: str) -> str:
        wanted, found = name.encode(), self.scope.get("headers", ())
        values = (bytes(value).decode(errors="replace") for key, value in found if key == wanted)
        return ",".join(values)

    @property
    def address(self) -> str:
        host, _ = self.scope.get("client") or ("", 0)
        return str(host)

    @property
    def is_late(self) -> bool:
        limit = self.header("connect-timeout-ms")
        known = (
            len(limit) <= LONGEST_TIMEOUT and limit.isdecimal()
        )  # of any length Python reads none
        return known and self.seconds * 1000 >= int(limit)

    def sending(self, send: Send) -> Send:
        """Sends an answer that tells the id of the call, and when to come again where that alone helps."""

        async def function(message: Any) -> None:
            if message["type"] == "http.response.start":
                self.started_answer = True
                status, own = message["status"], (REQUEST_ID.encode(), self.request_id.encode())
                message["headers"] = [*message.get("headers", ()), own]
                if (seconds := retry_after(self.error)) is not None:
                    message["headers"].append((b"retry-after", b"%d" % seconds))
                if status != 200 and self.code in (OK, CANCELLED):
                    known = "INVALID_ARGUMENT" if status < 500 else "UNKNOWN"
                    self.code = STATUS_CODES.get(status, known)
            await send(message)

        return function


CALL: ContextVar[ConnectCall] = ContextVar("call")
"""The call in hand: what Connect's library calls back is not told."""


class Reading:
    """The requests of which part is still to come. A stop does not wait for it."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        self._stopping: Callable[[], Exception] | None = None

    def stop(self, error: Callable[[], Exception]) -> None:
        """Ends each of them, and those to come, with an error."""
        self._stopping = error
        for task in self._tasks:
            task.cancel()

    def receiving(self, receive: Receive) -> Receive:
        """Reads a request, until it is whole or somebody stops."""
        whole = False

        async def function() -> Any:
            nonlocal whole
            if whole:
                return await receive()
            message = await self._read(receive)
            whole = not message.get("more_body", False)
            return message

        return function

    def _error(self) -> Exception | None:
        return self._stopping() if self._stopping else None

    async def _read(self, receive: Receive) -> Any:
        task = asyncio.current_task()
        assert task is not None
        if error := self._error():  # what has come by now may be read, what has not may not
            with suppress(TimeoutError):
                return await asyncio.wait_for(receive(), 0.1)
            raise error
        self._tasks.add(task)
        try:
            return await receive()
        except asyncio.CancelledError:
            if stopping := self._error():
                task.uncancel()
                raise stopping from None
            raise
        finally:
            self._tasks.discard(task)
