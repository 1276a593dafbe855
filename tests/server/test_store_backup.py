"""The backups that docs/operations.md describes: taken while it is played, each is one whole moment."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bgcore_server.store import Store, open_store
from tests.server.test_store import change, key, made

if TYPE_CHECKING:
    from tests.postgres import Postgres

TABLES = 6


class Played:
    """A store whose tables grow all the time."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.acknowledged = 0
        self._stop = asyncio.Event()

    async def play(self) -> None:
        await asyncio.gather(*(self._table(n) for n in range(TABLES)))

    async def _table(self, number: int) -> None:
        table = await made(self.store, f"t{number}")
        revision = 0
        while not self._stop.is_set():
            await self.store.append(change(table.number, revision, 1, key(f"r{revision}")))
            revision += 1
            self.acknowledged += 1

    async def reached(self, acts: int) -> None:
        while self.acknowledged < acts:
            await asyncio.sleep(0.01)

    def stop(self) -> None:
        self._stop.set()


async def check_whole(url: str, at_least: int) -> None:
    """The store of a backup opens, has every act up to its moment once, and goes on."""
    store = await open_store(url)
    acts = 0
    for number in range(TABLES):
        table = await store.table(f"t{number}")
        assert table is not None
        events = await store.events(table.number, 0, None)
        assert [event.revision for event in events] == list(range(1, table.revision + 1))
        for revision in range(table.revision):
            assert await store.request(table.number, "white", f"r{revision}")
        await store.append(change(table.number, table.revision))
        acts += table.revision
    assert acts >= at_least
    assert (await made(store, "another")).number > TABLES
    await store.close()


async def test_a_copy_of_a_busy_sqlite_file_is_whole(tmp_path: Path) -> None:
    store = await open_store(f"sqlite:///{tmp_path}/a.db")
    played = Played(store)
    playing = asyncio.create_task(played.play())
    await played.reached(60)

    def copy() -> None:
        db = sqlite3.connect(tmp_path / "a.db")
        db.execute("VACUUM INTO ?", (str(tmp_path / "backup.db"),))
        db.close()

    await asyncio.to_thread(copy)
    played.stop()
    await playing
    await store.close()
    await check_whole(f"sqlite:///{tmp_path}/backup.db", 60)


@pytest.mark.needs_postgres
async def test_a_dump_of_a_busy_postgresql_is_whole(postgres: Postgres, tmp_path: Path) -> None:
    from tests.postgres import USER, program

    for name in ("busy", "restored"):
        postgres.execute(f"CREATE DATABASE {name} OWNER {USER}", "public")
    store = await open_store(postgres.url("busy"))
    played = Played(store)
    playing = asyncio.create_task(played.play())
    await played.reached(60)
    dump = str(tmp_path / "backup.dump")

    def run(name: str, *arguments: str) -> None:
        subprocess.run([str(program(name)), *arguments], check=True, timeout=120)

    run_dump = ("pg_dump", "--format", "custom", "--file", dump, postgres.url("busy"))
    await asyncio.to_thread(run, *run_dump)
    played.stop()
    await playing
    await store.close()
    run("pg_restore", "--no-owner", "--dbname", postgres.url("restored"), dump)
    await check_whole(postgres.url("restored"), 60)
