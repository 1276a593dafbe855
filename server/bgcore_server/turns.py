"""Turns to send something large: a few of one caller at a time, and others wait."""

from __future__ import annotations

import asyncio
from collections import Counter, deque
from collections.abc import Callable

from bgcore.errors import Fault
from bgcore_server.errors import Busy

MOST_WAITING = 2000
"""Of one caller."""


class Turns:
    """Who may have his request read. `block` tells what an address counts as, "" where nothing is counted."""

    def __init__(self, most: int, block: Callable[[str], str]) -> None:
        """`most` at once of one caller; 0 for any number."""
        self._most = most
        self._block = block
        self._now: Counter[str] = Counter()
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    async def take(self, peer: str) -> str:
        """Wait for a turn, to be given back with `give`; `Busy` where too many wait."""
        who = self._block(peer) if self._most else ""
        if not who:
            return ""
        if self._now[who] < self._most:
            self._now[who] += 1
            return who
        waiting = self._waiting.setdefault(who, deque())
        if len(waiting) >= MOST_WAITING:
            expected = f"at most {self._most} that are read at once, and {MOST_WAITING} that wait"
            raise Busy(Fault("TOO_MANY_UNREAD", "request", "one more of one address", expected))
        turn = asyncio.get_running_loop().create_future()
        waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self.give(who)  # it had just come
            elif turn in waiting:
                waiting.remove(turn)
            raise
        return who

    def give(self, who: str) -> None:
        """Give a turn back: it is the next one's."""
        if not who:
            return
        waiting = self._waiting.get(who)
        while waiting:
            turn = waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                return
        self._waiting.pop(who, None)
        self._now[who] -= 1
        if not self._now[who]:
            del self._now[who]
