"""Connections to PostgreSQL: who has which, and which of them is kept for whoever comes next."""

from __future__ import annotations

import asyncio
import importlib.util
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

import pytest

pytestmark = pytest.mark.needs_postgres

if importlib.util.find_spec("psycopg") and importlib.util.find_spec("psycopg_pool"):
    from psycopg.pq import TransactionStatus

    from bgcore_server.store import postgres_line
    from bgcore_server.store.place import Place
    from bgcore_server.store.postgres_line import CONNECTIONS, Lines

if TYPE_CHECKING:
    from tests.postgres import Postgres


@pytest.fixture
async def lines(postgres: Postgres) -> AsyncIterator[Lines]:
    opened = Lines(Place.read(postgres.new_url()))
    await opened.open()
    yield opened
    await opened.close()


async def test_the_line_that_was_let_go_last_is_taken_next_without_asking_the_pool(
    lines: Lines,
) -> None:
    first, second = await lines.line(), await lines.line()
    await lines.let_go(second)
    await lines.let_go(first)
    assert [await lines.line() for _ in range(2)] == [second, first]
    assert lines._pool.get_stats()["requests_num"] == 3
    await lines.let_go(first)
    await lines.let_go(second)


async def test_a_line_at_hand_is_the_pools_again_after_a_while(
    lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_line, "AT_HAND_SECONDS", 0.05)
    line = await lines.line()
    await lines.let_go(line)
    assert lines._at_hand is line
    await all_back(lines)
    assert lines._at_hand is None


async def test_a_line_in_constant_use_is_the_pools_again_after_a_while(
    lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which ends connections that are too old."""
    monkeypatch.setattr(postgres_line, "AT_HAND_SECONDS", 0.05)
    for _ in range(20):
        line = await lines.line()
        await asyncio.sleep(0.01)
        await lines.let_go(line)
    assert 3 <= lines._pool.get_stats()["requests_num"] <= 10


async def all_back(lines: Lines) -> None:
    """Wait until the pool has all its connections."""
    async with asyncio.timeout(20):
        while True:
            found = lines._pool.get_stats()
            if found["pool_size"] == found["pool_available"] > 0:
                return
            await asyncio.sleep(0.01)


async def test_who_waits_for_a_line_has_it_before_it_is_kept_for_who_comes_next(
    lines: Lines,
) -> None:
    taken = [await lines.line() for _ in range(CONNECTIONS)]
    waiting = asyncio.create_task(lines.line())
    await asyncio.sleep(0.1)
    assert not waiting.done()
    free = taken.pop()
    await lines.let_go(free)
    assert await asyncio.wait_for(waiting, 0.4) is free
    for line in (free, *taken):
        await lines.let_go(line)


async def test_a_line_at_hand_that_the_database_has_closed_is_not_used(lines: Lines) -> None:
    line, other = await lines.line(), await lines.line()
    gone = line.info.backend_pid
    await lines.let_go(line)
    await other.execute(b"SELECT pg_terminate_backend(%s, 5000)", (gone,))
    await asyncio.sleep(0.1)
    fresh = await lines.line()
    cursor = await fresh.execute(b"SELECT pg_backend_pid()")
    assert await cursor.fetchone() != (gone,)
    assert line.closed
    await lines.let_go(fresh)
    await lines.let_go(other)


async def test_a_line_that_was_being_looked_at_when_its_command_was_called_off_is_not_lost(
    lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hangs(_: object) -> None:
        await asyncio.sleep(60)

    await lines.let_go(await lines.line())
    with monkeypatch.context() as patched:
        patched.setattr(postgres_line, "_check", hangs)
        asking = asyncio.create_task(lines.line())
        await asyncio.sleep(0.05)
        asking.cancel()
        await asyncio.wait([asking])
    assert asking.cancelled()
    await all_back(lines)


async def test_a_line_whose_command_is_called_off_while_it_goes_back_is_not_lost(
    lines: Lines,
) -> None:
    async def used() -> None:
        line = await lines.line()
        await line.execute(b"BEGIN")
        await lines.let_go(line)

    for ticks in range(30):
        task = asyncio.create_task(used())
        for _ in range(ticks):
            await asyncio.sleep(0.0005)
        task.cancel()
        await asyncio.wait([task])
    await all_back(lines)


async def test_a_line_is_at_hand_without_the_transaction_that_somebody_left_open(
    lines: Lines,
) -> None:
    line = await lines.line()
    await line.execute(b"BEGIN")
    await lines.let_go(line)
    assert await lines.line() is line
    assert line.pgconn.transaction_status == TransactionStatus.IDLE
    await lines.let_go(line)


async def test_a_store_that_closes_closes_the_line_at_hand_too(postgres: Postgres) -> None:
    lines = Lines(Place.read(postgres.new_url()))
    await lines.open()
    line = await lines.line()
    await lines.let_go(line)
    await lines.close()
    assert line.closed
    late = asyncio.create_task(lines.line())
    with pytest.raises(postgres_line.FAILURES):
        await late
