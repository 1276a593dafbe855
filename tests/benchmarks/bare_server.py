"""A grpc.aio server with next to nothing behind it, for bench_server to compare with.

    python -m tests.benchmarks.bare_server [DATABASE]

`/bare/Empty` answers no bytes. `/bare/Act` answers no bytes after the statements of an act, in one
transaction on a database with the store's schema and pragmas. DATABASE is a file of SQLite, or the URL of a
PostgreSQL database that a server has got ready. It runs on asyncio's own loop, or with BARE_LOOP=server on
the one that the server has.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import grpc

from bgcore_server.event_loop import new_event_loop
from bgcore_server.store import sqlite
from bgcore_server.store import statements as sql

TABLE = 1
BODY = '{"kind":"play","seat":"white","steps":[[13,6],[8,3]]}'

CONNECTIONS = 16
"""As many as the store has at most."""

COLUMNS = (
    "number, id, created, updated, variant, rules_version, settings, status, visibility, revision"
)
"""What a table has; the rest may be left out."""

EMPTY, ACT = "/bare/Empty", "/bare/Act"


class Acts:
    """A table's log and nothing else."""

    def __init__(self, path: str) -> None:
        self.db = sqlite.ready(path)
        self.revision = 0
        self.db.execute(
            f"INSERT INTO tables ({COLUMNS}) VALUES (?, 'bare', 0, 0, 'western', '1', '{{}}', 2, 1, 0)",
            (TABLE,),
        )

    async def act(self) -> None:
        """What the store does of an act."""
        db, before, now = self.db, self.revision, time.time_ns() // 1000
        after, seat = before + 1, before % 2
        scope, request, fingerprint = ("white", "black")[seat], secrets.token_hex(16), b"f" * 16
        db.execute("BEGIN IMMEDIATE")
        assert db.execute(sql.REQUEST, (TABLE, scope, request)).fetchone() is None
        assert db.execute(sql.ADVANCE, (after, now, 2, None, TABLE, before)).rowcount == 1
        db.execute(sql.LOG, (TABLE, after, now, seat, request, BODY))
        db.execute(sql.REMEMBER, (TABLE, scope, request, fingerprint, after, after))
        db.execute("COMMIT")
        self.revision = after


class PostgresActs:
    """Some connections, each with a table of its own."""

    def __init__(self, free: Sequence[tuple[Any, int]]) -> None:
        self._free = list(free)
        self._revisions = {table: 0 for _, table in free}

    @classmethod
    async def open(cls, url: str, count: int) -> PostgresActs:
        """Make the tables."""
        import psycopg

        free = []
        for table in range(TABLE, TABLE + count):
            db = await psycopg.AsyncConnection.connect(url, autocommit=True)
            row = (table, f"bare {table}", 0, 0, "western", "1", "{}", 2, 1, 0)
            places = ", ".join(["%s"] * len(row))
            await db.execute(f"INSERT INTO tables ({COLUMNS}) VALUES ({places})", row)
            free.append((db, table))
        return cls(free)

    async def act(self) -> None:
        """What the store does of an act: one message."""
        import psycopg

        db, table = self._free.pop()
        statements, values = self.work(table, self._revisions[table])
        text = sql.percent(";".join(statements))
        await psycopg.AsyncClientCursor(db).execute(text, values)
        self._revisions[table] += 1
        self._free.append((db, table))

    @staticmethod
    def work(table: int, before: int) -> tuple[list[str], list[object]]:
        """The statements of an act, and all that goes into them."""
        from bgcore_server.store.postgres_work import ADVANCE

        after, now, seat = before + 1, time.time_ns() // 1000, before % 2
        scope, request, fingerprint = ("white", "black")[seat], secrets.token_hex(16), b"f" * 16
        advance = (after, now, 2, None, table, before)
        log = (table, after, now, seat, request, BODY)
        remember = (table, scope, request, fingerprint, after, after)
        return [ADVANCE, sql.LOG, sql.REMEMBER], [*advance, *log, *remember]


class Bare(grpc.GenericRpcHandler):
    """Both rpcs."""

    def __init__(self, acts: Acts | PostgresActs | None) -> None:
        async def empty(request: bytes, context: Any) -> bytes:
            return b""

        async def act(request: bytes, context: Any) -> bytes:
            assert acts
            await acts.act()
            return b""

        self._handlers = {path: _unary(call) for path, call in ((EMPTY, empty), (ACT, act))}

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Any:
        return self._handlers.get(handler_call_details.method)


def _unary(call: Callable[[bytes, Any], Awaitable[bytes]]) -> Any:
    return grpc.unary_unary_rpc_method_handler(call)


async def acts_on(path: str) -> Acts | PostgresActs:
    """The acts of a database."""
    if path.startswith("postgresql://"):
        return await PostgresActs.open(path, CONNECTIONS)
    return Acts(path)


async def serve(path: str | None) -> None:
    """Until a signal comes."""
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((Bare(await acts_on(path) if path else None),))
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    print(f"listening grpc=127.0.0.1:{port}", flush=True)
    await stop.wait()
    await server.stop(1)


if __name__ == "__main__":
    factory = new_event_loop if os.environ.get("BARE_LOOP") == "server" else None
    with asyncio.Runner(loop_factory=factory) as runner:
        runner.run(serve(sys.argv[1] if len(sys.argv) > 1 else None))
