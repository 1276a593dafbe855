"""Bodies of requests over HTTP: large ones take turns, and what no request may be is not kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bgcore.errors import BgcoreError
from bgcore_server.adapters.http_request import Receive
from bgcore_server.adapters.service import HARD_LIMIT, LARGEST_REQUEST, too_large
from bgcore_server.adapters.web_call import ConnectCall
from bgcore_server.turns import Turns

SMALL_BODY = 64 << 10
"""Bytes up to which a body waits for no turn; what of a request is in memory anyway."""

LONGEST_LENGTH = 20
"""Digits of a length that anybody may mean."""

Raising = Callable[[BgcoreError], Exception]
"""An error in the form in which connectrpc sends it."""


class Body:
    """Receives the body of a call. To be closed when the call is over."""

    head = 0
    """Bytes at its beginning that are no part of the request."""

    def __init__(self, call: ConnectCall, receive: Receive, raising: Raising, turns: Turns) -> None:
        self._call = call
        self._receive = receive
        self._raising = raising
        self._turns = turns
        self._turn: str | None = None
        self._size = 0
        self._is_large = length_of(call.header("content-length")) > SMALL_BODY

    async def __call__(self) -> Any:
        """The next part; raises when it is too large, or too many wait."""
        try:
            # One that says how large it is waits before more of it is taken in, others when that is seen.
            if self._is_large:
                await self._take_turn()
            message = await self._next()
            if self._size > SMALL_BODY:
                await self._take_turn()
            if self._size - self.head > LARGEST_REQUEST:
                del message["body"]
                raise await self._too_large(message)
        except BgcoreError as error:
            raise self._raising(self._call.refused or error) from None
        return message

    def close(self) -> None:
        """It is another's turn."""
        if self._turn is not None:
            self._turns.give(self._turn)

    async def _take_turn(self) -> None:
        if self._turn is None:
            self._turn = await self._turns.take(self._call.peer)

    async def _next(self) -> Any:
        message = await self._receive()
        self._size += len(message.get("body", b""))
        return message

    async def _too_large(self, message: Any) -> BgcoreError:
        """Hear the rest: who is still sending would not read an answer that comes before the end."""
        while message.get("more_body", False) and self._size <= HARD_LIMIT:
            message = await self._next()
        size = self._size - self.head
        within = size <= HARD_LIMIT
        return too_large(f"of {size} bytes" if within else f"of more than {HARD_LIMIT} bytes")


def length_of(header: str) -> int:
    """The bytes that a request says it has; 0 where it does not say.

    >>> length_of("1048576"), length_of(""), length_of("-1")
    (1048576, 0, 0)
    """
    return int(header) if header.isdecimal() and len(header) <= LONGEST_LENGTH else 0
