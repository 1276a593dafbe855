"""What a server does while its store does not answer."""

from __future__ import annotations

import asyncio
import gc
from typing import Any

import pytest
import structlog

import bgcore
from bgcore_server.errors import Unavailable
from bgcore_server.settings import Settings
from bgcore_server.store import Visibility, open_store
from bgcore_server.store.errors import silent
from bgcore_server.tables import Tables
from bgcore_server.tables import bots as bots_module


@pytest.fixture
async def tables() -> Any:
    store = await open_store("sqlite://")
    tables = Tables(store, bgcore.load(), structlog.get_logger())
    yield tables
    await tables.stop()
    await store.close()


async def test_a_table_that_cannot_be_loaded_is_nobodys_fault_when_its_caller_has_gone(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = Settings(options={"match_length": 3})
    made, _ = await tables.create("western", settings, Visibility.LINK, None)
    tables.loaded.forget(made.id)  # as after a restart
    told: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, what: told.append(what))
    away = asyncio.Event()

    async def events(*_: object) -> list[Any]:
        await away.wait()
        raise silent()

    monkeypatch.setattr(tables.store, "events", events)
    caller, patient = (asyncio.create_task(tables.get(made.id)) for _ in range(2))
    await asyncio.sleep(0.01)
    caller.cancel()
    away.set()
    with pytest.raises(Unavailable):
        await patient
    away.clear()
    caller = asyncio.create_task(tables.get(made.id))
    await asyncio.sleep(0.01)
    caller.cancel()
    away.set()
    await asyncio.gather(caller, return_exceptions=True)
    await asyncio.sleep(0.01)
    del caller
    gc.collect()
    assert told == []


@pytest.fixture
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots_module, "AGAIN_SECONDS", 0.01)


async def test_a_bot_tries_again_when_the_store_has_not_answered(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, soon: None
) -> None:
    real, tried, done = tables.store.append, 0, 0

    def append(change: Any) -> Any:
        nonlocal tried, done
        tried += 1
        if tried % 2:
            raise silent()
        done += 1
        return real(change)

    monkeypatch.setattr(tables.store, "append", append)
    settings = Settings(options={"match_length": 1}, bots=("greedy", "greedy"))
    table, _ = await tables.create("western", settings, Visibility.LINK, None)
    async with asyncio.timeout(60):
        while not table.state.match.over:
            await asyncio.sleep(0.01)
    assert tried == 2 * done  # a tie and the throw after it are done at once
