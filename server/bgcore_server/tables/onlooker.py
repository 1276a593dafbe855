"""Who watches a table: let in once, and asked again for as long as the watch is open."""

from __future__ import annotations

import time
from collections.abc import Callable

from bgcore_server.tables.live import Table
from bgcore_server.tables.rights import Caller, check_look

SOON = 0.001
"""Seconds that a watch sleeps at least, lest it spin while a clock has not quite got there."""


class Onlooker:
    """A caller with an open watch, who sees what he may see at the moment at which it is sent.

    `prove` reads what he has shown; it is asked every so many seconds, since keys are withdrawn, and
    when his token has expired. What everybody may see asks for nothing.
    """

    def __init__(self, prove: Callable[[], Caller], seconds: float) -> None:
        self._prove = prove
        self._seconds = seconds
        self._caller: Caller | None = None
        self._again = 0.0

    def check(self, table: Table) -> None:
        """What a new watch would be refused with: `NotFound`, `Unauthenticated`."""
        if table.private:
            check_look(table.door, self._proved())

    def patience(self, seconds: float) -> float:
        """For how long he need not be looked at, at most so many seconds: his token may expire before."""
        if self._caller is None:
            return seconds
        return max(SOON, min(seconds, self._caller.until - time.time()))

    def _proved(self) -> Caller:
        now = time.time()
        if self._caller is None or now >= min(self._again, self._caller.until):
            self._caller, self._again = self._prove(), now + self._seconds
        return self._caller
