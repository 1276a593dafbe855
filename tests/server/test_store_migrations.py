"""A database of any age becomes one of this version, or is left as it was."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import grpc
import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import create_engine
from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex

from bgcore_proto.v1 import table_pb2 as table
from bgcore_server.errors import Malformed
from bgcore_server.store import Archive, Selection, Status, Store, open_store
from bgcore_server.store.migrate import HEAD, SCHEMA_TABLE, prepare_sqlite
from bgcore_server.store.schema import metadata
from bgcore_server.store.statements import listing
from tests.server.helpers import BLACK, DOUBLE, TAKE, WHITE, AtTable, Client, running

if TYPE_CHECKING:
    from tests.postgres import Postgres

TABLES = {"tables", "seats", "events", "requests", "archives", SCHEMA_TABLE}
VERSION_1 = Path(__file__).parent / "data" / "version-1.sql"
TABLE = "7d7ab81867948aad48dde582"
TOKENS: dict[int, str] = {
    WHITE: "es5NxZEYAcVKe4OxCbxOj3o9egIudBlykw-TrPt9o9Q",
    BLACK: "yKzjXM_lXof0RSkDuvAH-PKCQiarbg5L9KY62fXpWLc",
}


def version_1(path: Path) -> str:
    """A database of bgcore 0.1, and its URL."""
    with sqlite3.connect(path) as db:
        db.executescript(VERSION_1.read_text(encoding="utf-8"))
    db.close()
    return f"sqlite:///{path}"


def contents(path: Path) -> list[str]:
    db = sqlite3.connect(path)
    found = list(db.iterdump())
    db.close()
    return found


# An index on an expression is not compared on SQLite; the test after this one does that.
@pytest.mark.filterwarnings("ignore:Skipped unsupported reflection of expression-based index")
@pytest.mark.filterwarnings("ignore:autogenerate skipping metadata-specified")
def test_the_steps_lead_to_the_schema(tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    prepare_sqlite(db)
    db.close()
    engine = create_engine(f"sqlite:///{tmp_path}/a.db")
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": SCHEMA_TABLE})
        assert context.get_current_heads() == (HEAD,)
        assert compare_metadata(context, metadata) == []
    engine.dispose()


def test_the_steps_make_the_indexes_of_the_schema(tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    prepare_sqlite(db)
    made = dict(
        db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql <> ''")
    )
    db.close()
    indexes = [index for table in metadata.tables.values() for index in table.indexes]
    wanted = {i.name: str(CreateIndex(i).compile(dialect=sqlite.dialect())) for i in indexes}
    assert made == wanted


@pytest.mark.parametrize(
    ("variant", "index"), [(None, "tables_public"), ("western", "tables_public_by_variant")]
)
@pytest.mark.parametrize("before", [None, 7])
def test_a_list_looks_at_no_table_that_it_does_not_show(
    variant: str | None, index: str, before: int | None, tmp_path: Path
) -> None:
    db = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    prepare_sqlite(db)
    question, values = listing(Selection(50, before, variant))
    plan = [step for *_, step in db.execute(f"EXPLAIN QUERY PLAN {question}", values)]
    db.close()
    assert f"USING INDEX {index}" in plan[0]
    assert not any("TEMP B-TREE" in step for step in plan), "they are in order already"


def test_the_newest_step_is_the_one_that_a_start_looks_for() -> None:
    config = Config()
    config.set_main_option("script_location", "bgcore_server.store:migrations")
    assert ScriptDirectory.from_config(config).get_heads() == [HEAD]


async def test_tables_of_version_1_go_on(tmp_path: Path) -> None:
    database = version_1(tmp_path / "old.db")
    async with (
        running(database) as server,
        grpc.aio.insecure_channel(str(server.grpc)) as channel,
    ):
        at = AtTable(Client(channel), TABLE, TOKENS, table.TableState())
        at.state = (await at.get()).state
        assert at.state.revision == 5
        # The request id of an act before the upgrade is remembered.
        done = await at.act(BLACK, **DOUBLE, request_id="an id of a double")
        assert done.last_revision == 5
        await at.act(WHITE, **TAKE)
        await at.act(BLACK, roll=table.RollAction(dice=(6, 4)))
        assert at.state.revision == 7


async def test_an_adopted_file_has_the_columns_of_a_new_one(tmp_path: Path) -> None:
    version_1(tmp_path / "old.db")
    found, indexes = [], []
    for name in ("old.db", "new.db"):
        await (await open_store(f"sqlite:///{tmp_path}/{name}")).close()
        db = sqlite3.connect(tmp_path / name)
        found.append({table: columns(db, table) for table in names(db)})
        indexes.append(set(db.execute("SELECT name, sql FROM sqlite_master WHERE type = 'index'")))
        db.close()
    assert found[0] == found[1]
    assert indexes[0] == indexes[1]
    assert set(found[0]) == TABLES


async def test_what_version_1_knows_nothing_of_is_as_if_it_had_never_been(tmp_path: Path) -> None:
    store = await open_store(version_1(tmp_path / "old.db"))
    found = await store.table(TABLE)
    assert found is not None
    assert (found.compacted, found.later, found.seats[0].account) == (0, None, "")
    assert await store.archive(found.number) is None
    assert await store.due(1 << 60, 9) == []
    assert await store.idle([Status.PLAYING], 1 << 60, 9) == [TABLE]
    await store.compact(found.number, 5, Archive(5, 1, b"log"))
    done = await store.request(found.number, "black", "an id of a double")
    assert done is not None and done.last == 5
    await store.delete(found.number)
    assert await store.table(TABLE) is None
    await store.close()


# What the version before says to make a table, to act and to take a seat.
BEFORE = """
INSERT INTO tables (id, created, updated, variant, rules_version, settings, status, visibility, revision)
VALUES ('old', 1, 1, 'western', '1', '{}', 1, 1, 0);
INSERT INTO seats ("table", seat, name, bot, taken, token, salt)
SELECT number, seat, '', '', 0, '', '' FROM tables, (SELECT 0 AS seat UNION SELECT 1) AS places WHERE true
ON CONFLICT ("table", seat) DO UPDATE SET name = excluded.name;
UPDATE tables SET revision = 1, updated = 5, status = 2 WHERE id = 'old' AND revision = 0;
"""


async def check_written_by_the_version_before(store: Store) -> None:
    found = await store.table("old")
    assert found is not None
    assert (found.revision, found.compacted, found.seats[1].account) == (1, 0, "")
    assert await store.idle([Status.PLAYING], 6, 9) == ["old"]


async def test_the_version_before_serves_on_beside_a_new_one(tmp_path: Path) -> None:
    store = await open_store(f"sqlite:///{tmp_path}/a.db")
    with sqlite3.connect(tmp_path / "a.db") as db:
        db.executescript(BEFORE)
    db.close()
    await check_written_by_the_version_before(store)
    await store.close()


@pytest.mark.needs_postgres
async def test_on_postgresql_the_version_before_serves_on_beside_a_new_one(
    postgres: Postgres,
) -> None:
    url = postgres.new_url()
    store = await open_store(url)
    postgres.execute(BEFORE, schema_of(url))
    await check_written_by_the_version_before(store)
    await store.close()


def names(db: sqlite3.Connection) -> set[str]:
    rows = db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    return {name for (name,) in rows} - {"sqlite_sequence"}


def columns(db: sqlite3.Connection, table: str) -> list[tuple[str, str, bool, int]]:
    # What is in a key is never null, whether the schema says so or not.
    return [
        (name, kind, bool(not_null or key), key)
        for _, name, kind, not_null, _, key in db.execute(f"PRAGMA table_info({table})")
    ]


# -- killed in the middle ---------------------------------------------------------------------------

KILLED = """
import asyncio, os, signal, sys
from sqlalchemy import Engine, event
from bgcore_server.store import open_store

left = int(sys.argv[2])

def count(*_):
    global left
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)

async def main():
    await (await open_store(sys.argv[1])).close()

event.listen(Engine, "before_cursor_execute", count)
asyncio.run(main())
"""


def killed_after(statements: int, url: str) -> bool:
    """Start to migrate, and be killed after so many statements; false: it was done before that."""
    done = subprocess.run(
        [sys.executable, "-c", KILLED, url, str(statements)],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": ":".join(sys.path)},
        check=False,
        timeout=60,
    )
    assert done.returncode in (0, -signal.SIGKILL), done.stderr
    return done.returncode != 0


@pytest.mark.slow
@pytest.mark.parametrize("old", [False, True], ids=["empty", "version-1"])
async def test_a_migration_that_is_killed_anywhere_is_finished_by_the_next_start(
    old: bool, tmp_path: Path
) -> None:
    at, statements = 0, 0
    while True:
        path = tmp_path / f"{at}.db"
        url = version_1(path) if old else f"sqlite:///{path}"
        if not killed_after(at, url):
            break
        before = contents(path)
        assert not any(SCHEMA_TABLE in line for line in before)
        assert any("an id of a double" in line for line in before) == old
        store = await open_store(url)
        await check_usable(store, old)
        await store.close()
        at, statements = at + 3, at
    assert statements > 10


async def check_usable(store: Store, old: bool) -> None:
    found = await store.table(TABLE)
    assert (found is not None) == old
    if found:
        assert len(await store.events(found.number, 0, None)) == found.revision == 5
    assert await store.request(1, "black", "another") is None


@pytest.mark.parametrize("old", [False, True], ids=["empty", "version-1"])
async def test_servers_that_start_at_once_wait_for_each_other(old: bool, tmp_path: Path) -> None:
    url = version_1(tmp_path / "a.db") if old else f"sqlite:///{tmp_path}/a.db"
    stores = await asyncio.gather(*(open_store(url) for _ in range(6)))
    for store in stores:
        await check_usable(store, old)
        await store.close()


@pytest.mark.slow
@pytest.mark.needs_postgres
async def test_on_postgresql_a_migration_that_is_killed_anywhere_is_finished_by_the_next_start(
    postgres: Postgres,
) -> None:
    url, statements = postgres.new_url(), 0
    while killed_after(statements, url):
        assert tables_of(postgres, url) == set()
        statements += 4
    assert statements > 10
    assert tables_of(postgres, url) == TABLES
    store = await open_store(url)
    await check_usable(store, old=False)
    await store.close()


def schema_of(url: str) -> str:
    return url.rpartition("%3D")[2]


def tables_of(postgres: Postgres, url: str) -> set[str]:
    with postgres.connect(schema_of(url)) as db:
        rows = db.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
        return {name for (name,) in rows}


@pytest.mark.needs_postgres
async def test_on_postgresql_the_steps_lead_to_the_schema_and_servers_wait_for_each_other(
    postgres: Postgres,
) -> None:
    url = postgres.new_url()
    stores = await asyncio.gather(*(open_store(url) for _ in range(6)))
    for store in stores:
        await check_usable(store, old=False)
        await store.close()
    engine = create_engine(url.replace("postgresql", "postgresql+psycopg"))
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"version_table": SCHEMA_TABLE})
        assert context.get_current_heads() == (HEAD,)
        assert compare_metadata(context, metadata) == []
    engine.dispose()
    postgres.execute(f"UPDATE {SCHEMA_TABLE} SET version_num = '9999'", schema_of(url))
    with pytest.raises(Malformed) as refused:
        await open_store(url)
    assert refused.value.faults[0].value == "version 9999"


# -- not ours ---------------------------------------------------------------------------------------


async def test_a_database_of_a_later_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/a.db"
    await (await open_store(url)).close()
    with sqlite3.connect(tmp_path / "a.db") as db:
        db.execute(f"UPDATE {SCHEMA_TABLE} SET version_num = '9999'")
    db.close()
    before = contents(tmp_path / "a.db")
    with pytest.raises(Malformed) as refused:
        await open_store(url)
    assert refused.value.reason == "UNKNOWN_SCHEMA"
    assert refused.value.faults[0].value == "version 9999"
    assert contents(tmp_path / "a.db") == before


async def test_a_version_before_the_first_is_refused(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "a.db") as db:
        db.execute("CREATE TABLE schema_version (version INTEGER)")
        db.execute("INSERT INTO schema_version VALUES (0)")
    db.close()
    with pytest.raises(Malformed) as refused:
        await open_store(f"sqlite:///{tmp_path}/a.db")
    assert refused.value.faults[0].value == "version 0"
