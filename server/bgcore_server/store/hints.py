"""Servers on one PostgreSQL tell each other which tables have changed, so that nobody waits for the poll.

A hint is told after the commit and not in it: PostgreSQL commits transactions with a NOTIFY one after
another, which would cost a busy database most of its commits. A hint that is lost does no harm. Who is alone
tells nobody: servers say now and then that they are there, in a hint of no tables.
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

THERE_SECONDS = 10.0
"""How often a server says that it is there."""

GONE_SECONDS = 3.5 * THERE_SECONDS
"""After such a silence another server is taken to be gone, and is told nothing until it is heard again."""

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
        self._introductions: set[asyncio.Task[None]] = set()
        self._clock = asyncio.get_running_loop().time
        self._others: dict[str, float] = {}  # when each was heard last

    def tell(self, table: int, revision: int) -> None:
        """Let the others know, soon, if there are any."""
        if not self._accompanied():
            return
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

    def _accompanied(self) -> bool:
        """Whether another server has been heard of late."""
        since = self._clock() - GONE_SECONDS
        for other in [other for other, heard in self._others.items() if heard < since]:
            del self._others[other]
        return bool(self._others)

    async def _be_there(self) -> None:
        """Say so again and again, for as long as somebody listens here."""
        while True:
            await self._say_there()
            await asyncio.sleep(THERE_SECONDS)

    async def _say_there(self) -> None:
        with suppress(psycopg.Error):
            await self._execute(TELL, (CHANNEL, self._me))

    async def heard(self) -> AsyncIterator[Mapping[int, int]]:
        """What others tell, for as long as somebody listens. Ends where the engine has no such thing."""
        while True:
            with suppress(psycopg.OperationalError):
                async with await self._connect() as db:
                    try:
                        await db.execute(f"LISTEN {CHANNEL}")
                    except NOT_BUILT:
                        return
                    there = asyncio.create_task(self._be_there())
                    try:
                        async for notice in db.notifies():
                            if hint := self._taken(notice.payload):
                                yield hint
                    finally:
                        there.cancel()
            await asyncio.sleep(AGAIN_SECONDS)

    def _taken(self, payload: str) -> Mapping[int, int]:
        """What another server tells; who is new here hears at once that we are there."""
        sender, revisions = read(payload)
        if sender in ("", self._me):
            return {}
        if sender not in self._others:
            task = asyncio.create_task(self._say_there())
            self._introductions.add(task)
            task.add_done_callback(self._introductions.discard)
        self._others[sender] = self._clock()
        return revisions

    async def close(self) -> None:
        """Tell no more."""
        tasks = [*self._introductions, *([self._telling] if self._telling else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


def written(sender: str, revisions: Mapping[int, int]) -> str:
    """A hint as a text.

    >>> written("a1", {7: 12, 9: 3})
    'a1 7:12 9:3'
    """
    return " ".join((sender, *(f"{table}:{last}" for table, last in revisions.items())))


def read(payload: str) -> tuple[str, dict[int, int]]:
    """Who tells what; anything else is nobody's.

    >>> read("a1 7:12 9:3"), read("a1"), read("a1 x")
    (('a1', {7: 12, 9: 3}), ('a1', {}), ('', {}))
    """
    sender, *told = payload.split()[: MOST + 1] or [""]
    pairs = [one.split(":") for one in told]
    if not all(len(p) == 2 and all(map(str.isdecimal, p)) for p in pairs):
        return "", {}
    return sender, {int(table): int(last) for table, last in pairs}
