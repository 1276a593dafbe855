"""What SQLite cannot do: the operator is told why, nobody else is, and the server goes on."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bgcore_server.errors import Unavailable
from bgcore_server.store import Appended, Change, NewEvent, Status, Store, open_store
from bgcore_server.store.sqlite import SQLiteStore
from tests.server.test_store import made


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = await open_store(f"sqlite:///{tmp_path}/a.db")
    yield store
    await store.close()


def take(tmp_path: Path, what: str) -> None:
    """Have another program damage the file."""
    db = sqlite3.connect(tmp_path / "a.db")
    db.execute(f"ALTER TABLE {what} RENAME TO elsewhere")
    db.commit()
    db.close()


def act(table: int, revision: int) -> Change:
    return Change(table, revision, [NewEvent(2, 0, "{}")], Status.PLAYING)


async def test_why_it_cannot_read_is_in_the_log_and_not_in_the_answer(
    store: Store, tmp_path: Path
) -> None:
    table = await made(store, "a")
    take(tmp_path, "events")
    with capture_logs() as log, pytest.raises(Unavailable) as told:
        await store.events(table.number, 0, None)
    assert [(one["event"], one["log_level"]) for one in log] == [("store unavailable", "warning")]
    assert "no such table: events" in log[0]["error"]
    assert told.value.reason == "STORE_UNAVAILABLE"
    assert "events" not in str(told.value)


async def test_why_it_cannot_write_is_in_the_log_and_not_in_the_answer(
    store: Store, tmp_path: Path
) -> None:
    table = await made(store, "a")
    take(tmp_path, "events")
    with capture_logs() as log, pytest.raises(Unavailable) as told:
        await store.append(act(table.number, 0))
    assert [one["event"] for one in log] == ["store unavailable"]
    assert "no such table: events" in log[0]["error"]
    assert "events" not in str(told.value)


@pytest.mark.parametrize("others", [0, 5])
async def test_a_fault_of_our_own_in_the_writer_is_told_as_one_and_hurts_nobody_else(
    store: Store, others: int
) -> None:
    assert isinstance(store, SQLiteStore)
    tables = [await made(store, f"t{index}") for index in range(others + 1)]

    def wrong(db: sqlite3.Connection) -> None:
        db.execute("UPDATE tables SET revision = 99")
        raise ZeroDivisionError("of ours")

    with capture_logs() as log:
        before = [store.append(act(table.number, 0)) for table in tables[:others]]
        answer = store._writer.submit(wrong)
        with pytest.raises(Unavailable) as told:
            await answer
        assert [await one for one in before] == [Appended(1, 1)] * others
    assert [(one["event"], one["log_level"]) for one in log] == [("store failed", "error")]
    assert isinstance(log[0]["exc_info"], ZeroDivisionError)
    assert "of ours" not in str(told.value)
    kept = await store.extents([table.number for table in tables])
    assert [kept[table.number].revision for table in tables] == [1] * others + [0]
    assert await store.append(act(tables[-1].number, 0)) == Appended(1, 1)
