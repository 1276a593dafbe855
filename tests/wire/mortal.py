"""`bgcore`, but for one thing: at a chosen point of an act it kills itself, when a signal has asked for that.

    python mortal.py serve …

`armed(point)` is the signal for a point.
"""

from __future__ import annotations

import functools
import importlib.util
import inspect
import os
import signal
from collections.abc import Callable
from typing import Any

BEFORE_COMMIT = "before the commit"
AFTER_COMMIT = "between commit and answer of the store"
BEFORE_FAN_OUT = "between append and fan-out"
BEFORE_ANSWER = "between fan-out and answer"
POINTS = (BEFORE_COMMIT, AFTER_COMMIT, BEFORE_FAN_OUT, BEFORE_ANSWER)


def armed(point: str) -> int:
    """The signal after which a server kills itself as soon as it gets to a point."""
    return signal.SIGRTMIN + 1 + POINTS.index(point)


class Fate:
    """Where the process is to end."""

    def __init__(self) -> None:
        self._points: set[str] = set()
        for point in POINTS:
            signal.signal(armed(point), self._told)

    def _told(self, number: int, frame: object) -> None:
        self._points |= {point for point in POINTS if armed(point) == number}

    def reached(self, point: str) -> None:
        """Not get further than this, if it is to be."""
        if point in self._points:
            os.kill(os.getpid(), signal.SIGKILL)

    def around(
        self, owner: Any, name: str, before: str | None = None, after: str | None = None
    ) -> None:
        """Make points of the begin and the end of a function."""
        inner: Callable[..., Any] = getattr(owner, name)

        @functools.wraps(inner)
        def plain(*given: Any, **named: Any) -> Any:
            if before:
                self.reached(before)
            done = inner(*given, **named)
            if after:
                self.reached(after)
            return done

        @functools.wraps(inner)
        async def awaited(*given: Any, **named: Any) -> Any:
            if before:
                self.reached(before)
            done = await inner(*given, **named)
            if after:
                self.reached(after)
            return done

        is_async = inspect.iscoroutinefunction(inner)
        setattr(owner, name, awaited if is_async else plain)


def main() -> None:
    """Put the points where they belong, and be `bgcore`."""
    from bgcore_server.cli import main as bgcore
    from bgcore_server.store import sqlite, writer
    from bgcore_server.tables.live import Table

    fate = Fate()
    fate.around(sqlite, "_append", after=BEFORE_COMMIT)
    fate.around(writer.Writer, "_carry_out", after=AFTER_COMMIT)
    if importlib.util.find_spec("psycopg"):
        from bgcore_server.store import postgres_work as work

        fate.around(work, "commit", before=BEFORE_COMMIT)
        fate.around(work, "append", after=AFTER_COMMIT)
        fate.around(work, "append_all", after=AFTER_COMMIT)
    fate.around(Table, "publish", before=BEFORE_FAN_OUT, after=BEFORE_ANSWER)
    bgcore()


if __name__ == "__main__":
    main()
