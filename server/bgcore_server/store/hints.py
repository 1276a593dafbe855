"""Servers on one PostgreSQL tell each other which tables have changed, so that nobody waits for the poll.

A hint is told after the commit and not in it: PostgreSQL commits transactions with a NOTIFY one after
another, which would cost a busy database most of its commits. A hint that is lost does no harm.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any

import psycopg
from psycopg import errors

CHANNEL = "bgcore"
TELL = b"SELECT set_config('synchronous_commit', 'off', true), pg_notify(%s, %s)"

MOST = 150
"""Tables in one hint: PostgreSQL takes 8000 bytes."""

TOLD_SECONDS = 0.02
"""After something was told what follows may gather for so long: a busy server need not tell of each act."""

AGAIN_SECONDS = 1.0

NOT_BUILT = (errors.FeatureNotSupported, errors.UndefinedFunction, errors.SyntaxError)
"""What engines say that know no NOTIFY."""


class Hints:
    """What this server tells the others, and hears from them. `execute` runs a statement by itself."""

    def __init__(
        self,
        connect: Callable[[], Awaitable[psycopg.AsyncConnection[Any]]],
        execute: Callable[[bytes, tuple[object, ...]], Awaitable[object]],
    ) -> None:
        self._connect = connect
        self._execute = execute
        self._me = secrets.token_hex(8)
        self._untold: dict[int, int] = {}
        self._telling: asyncio.Task[None] | None = None

    def tell(self, table: int, revision: int) -> None:
        """Let the others know, soon."""
        self._untold[table] = max(revision, self._untold.get(table, 0))
        if self._telling is None:
            self._telling = asyncio.create_task(self._tell())

    async def _tell(self) -> None:
        try:
            while self._untold:
                some = [self._untold.popitem() for _ in range(min(MOST, len(self._untold)))]
                await self._execute(TELL, (CHANNEL, written(self._me, dict(some))))
                await asyncio.sleep(TOLD_SECONDS)
        except psycopg.Error:
            self._untold.clear()  # the others poll
        finally:
            self._telling = None

    async def heard(self) -> AsyncIterator[Mapping[int, int]]:
        """What others tell, for as long as somebody listens. Ends where the engine has no such thing."""
        while True:
            with suppress(psycopg.OperationalError):
                async with await self._connect() as db:
                    try:
                        await db.execute(f"LISTEN {CHANNEL}")
                    except NOT_BUILT:
                        return
                    async for notice in db.notifies():
                        if hint := read(self._me, notice.payload):
                            yield hint
            await asyncio.sleep(AGAIN_SECONDS)

    async def close(self) -> None:
        """Tell no more."""
        if self._telling:
            self._telling.cancel()
            await asyncio.gather(self._telling, return_exceptions=True)


def written(sender: str, revisions: Mapping[int, int]) -> str:
    """A hint as a text.

    >>> written("a1", {7: 12, 9: 3})
    'a1 7:12 9:3'
    """
    return " ".join((sender, *(f"{table}:{last}" for table, last in revisions.items())))


def read(me: str, payload: str) -> dict[int, int]:
    """A hint that is not our own; anything else is empty.

    >>> read("b2", "a1 7:12 9:3"), read("a1", "a1 7:12"), read("b2", "a1 x")
    ({7: 12, 9: 3}, {}, {})
    """
    sender, *told = payload.split()[: MOST + 1] or [me]
    pairs = [one.split(":") for one in told]
    if sender == me or not all(len(p) == 2 and all(map(str.isdecimal, p)) for p in pairs):
        return {}
    return {int(table): int(last) for table, last in pairs}
