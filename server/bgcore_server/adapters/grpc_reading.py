"""Requests over gRPC are read when it is known whose they are: a few of one caller at a time, and not for ever.

What is not read yet stays at the client, but for the first 64 KiB. So a caller who sends thousands of large
requests at once, or halves of them, takes up no more room than a few whole ones.
"""

from __future__ import annotations

import asyncio
import math
from typing import TYPE_CHECKING

import grpc

from bgcore.errors import BgcoreError, Fault
from bgcore_server.errors import Malformed, TooLate, stopping
from bgcore_server.limit_settings import GrpcSettings
from bgcore_server.turns import Turns

if TYPE_CHECKING:
    Context = grpc.aio.ServicerContext[bytes, bytes]
    Task = asyncio.Task[object]

LOOK_SECONDS = 1.0
"""How often it is looked whether some take too long."""


class Reading:
    """Reads requests, each when it is its caller's turn."""

    def __init__(self, settings: GrpcSettings, turns: Turns) -> None:
        self._seconds = settings.request_time or math.inf
        self._loop = asyncio.get_running_loop()
        self._turns = turns
        self._ends: dict[Task, float] = {}  # the first is the first to end
        self._ended: dict[Task, BgcoreError] = {}
        self._stopping = False
        self._look: asyncio.TimerHandle | None = None

    async def message(self, peer: str, context: Context) -> bytes:
        """The request of a call; `Busy` for one too many, `TooLate` for one that does not come in."""
        task = asyncio.current_task(self._loop)
        assert task is not None
        if self._stopping:
            raise stopping()
        self._watch(task)
        try:
            who = await self._turns.take(peer)
            try:
                raw = await context.read()
            finally:
                self._turns.give(who)
        except asyncio.CancelledError:
            if (why := self._ended.pop(task, None)) is None:
                raise
            task.uncancel()
            raise why from None
        finally:
            self._ends.pop(task, None)
        if not isinstance(raw, bytes):
            raise Malformed(Fault("NO_REQUEST", "request", "none", "one message"))
        return raw

    def stop(self) -> None:
        """Wait for no request of which part is still to come."""
        self._stopping = True
        for task in list(self._ends):
            self._end(task, stopping())

    def _watch(self, task: Task) -> None:
        self._ends[task] = self._loop.time() + self._seconds
        if self._look is None and self._seconds < math.inf:
            self._look = self._loop.call_later(LOOK_SECONDS, self._end_slow)

    def _end_slow(self) -> None:
        now = self._loop.time()
        found, expected = "a request that did not come in", f"all of it in {self._seconds:g} s"
        for task, end in list(self._ends.items()):
            if end > now:
                break
            self._end(task, TooLate(Fault("REQUEST_TOO_SLOW", "request", found, expected)))
        self._look = None
        if self._ends:
            self._look = self._loop.call_later(LOOK_SECONDS, self._end_slow)

    def _end(self, task: Task, why: BgcoreError) -> None:
        del self._ends[task]
        self._ended[task] = why
        task.cancel()
