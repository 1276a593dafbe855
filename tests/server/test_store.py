"""The store: what it has answered it never forgets."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bgcore_server.errors import Malformed, Stale, Unavailable
from bgcore_server.store import (
    Appended,
    Archive,
    Change,
    Created,
    Event,
    Extent,
    NewEvent,
    NewTable,
    Repeated,
    RequestKey,
    Seat,
    Selection,
    Status,
    Store,
    StoredTable,
    Visibility,
    open_store,
)
from bgcore_server.store.sqlite import SQLiteStore

if TYPE_CHECKING:
    from tests.postgres import Postgres


def new_table(
    name: str, variant: str = "western", visibility: Visibility = Visibility.PUBLIC
) -> NewTable:
    return NewTable(
        id=name,
        time=1,
        variant=variant,
        rules_version="1",
        settings="{}",
        seats=(Seat(0, "Ann"), Seat(1, bot="greedy", taken=True)),
        status=Status.WAITING,
        visibility=visibility,
    )


def key(name: str, what: bytes = b"what", scope: str = "white") -> RequestKey:
    return RequestKey(scope, name, what)


def change(table: int, revision: int, count: int = 1, request: RequestKey | None = None) -> Change:
    events = [NewEvent(10, 0, json.dumps({"n": revision + i + 1})) for i in range(count)]
    return Change(table, revision, events, Status.PLAYING, request)


async def made(store: Store, name: str) -> StoredTable:
    await store.create(new_table(name), None)
    table = await store.table(name)
    assert table is not None
    return table


def url_of(request: pytest.FixtureRequest, folder: Path) -> str:
    """A database of its own, of the engine that a fixture is asked for."""
    if request.param == "postgres":
        postgres: Postgres = request.getfixturevalue("postgres")
        return postgres.new_url()
    return "sqlite://" if request.param == "memory" else f"sqlite:///{folder}/a.db"


@pytest.fixture(params=["file", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database that outlives a store."""
    return url_of(request, tmp_path)


@pytest.fixture(params=["file", "memory", "postgres"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    opened = await open_store(url_of(request, tmp_path))
    yield opened
    await opened.close()


async def test_a_table_comes_back_as_it_was_made(store: Store) -> None:
    assert await store.create(new_table("a"), None) == Created("a", repeated=False)
    table = await store.table("a")
    assert table is not None
    assert (table.id, table.variant, table.revision, table.status) == ("a", "western", 0, 1)
    assert table.seats == (Seat(0, "Ann"), Seat(1, bot="greedy", taken=True))
    assert await store.table("b") is None


async def test_the_same_request_makes_one_table(store: Store) -> None:
    await store.create(new_table("a"), key("r"))
    assert await store.create(new_table("b"), key("r")) == Created("a", repeated=True)
    assert await store.table("b") is None
    with pytest.raises(Malformed) as refused:
        await store.create(new_table("c"), key("r", b"other"))
    assert refused.value.reason == "REQUEST_ID_REUSED"


async def test_events_are_appended_without_gaps(store: Store) -> None:
    table = await made(store, "a")
    assert await store.append(change(table.number, 0, 2)) == Appended(1, 2)
    assert await store.append(change(table.number, 2)) == Appended(3, 3)
    events = await store.events(table.number, 0, None)
    assert [event.revision for event in events] == [1, 2, 3]
    assert await store.events(table.number, 1, 1) == events[1:2]


async def test_a_table_may_be_made_with_events(store: Store) -> None:
    told = (NewEvent(1, None, '{"n": 1}'), NewEvent(1, 1, '{"n": 2}'))
    await store.create(replace(new_table("one"), events=told), None)
    table = await store.table("one")
    assert table is not None
    assert (table.revision, table.updated) == (2, 1)
    events = await store.events(table.number, 0, None)
    assert events == [Event(1, 1, None, "", told[0].body), Event(2, 1, 1, "", told[1].body)]
    assert await store.append(change(table.number, 2)) == Appended(3, 3)


async def test_a_stale_revision_changes_nothing(store: Store) -> None:
    table = await made(store, "a")
    await store.append(change(table.number, 0))
    with pytest.raises(Stale) as refused:
        await store.append(change(table.number, 0, request=key("r")))
    assert refused.value.faults[0].value == "0"
    assert refused.value.faults[0].expected == "1"
    assert await store.request(table.number, "white", "r") is None
    assert len(await store.events(table.number, 0, None)) == 1


async def test_a_repeated_request_tells_what_it_did(store: Store) -> None:
    table = await made(store, "a")
    await store.append(change(table.number, 0, 2, key("r")))
    assert await store.append(change(table.number, 2, 1, key("r"))) == Repeated(1, 2, b"what")
    assert await store.request(table.number, "white", "r") == Repeated(1, 2, b"what")
    assert await store.append(change(table.number, 2, 1, key("r", scope="black"))) == Appended(3, 3)
    found = await store.table("a")
    assert found is not None
    assert found.revision == 3


async def test_a_seat_changes_with_the_event_that_says_so(store: Store) -> None:
    table = await made(store, "a")
    seat = Seat(0, "Bea", taken=True, token=b"hash", salt=b"salt")
    await store.append(replace(change(table.number, 0, request=key("secret")), seat=seat))
    found = await store.table("a")
    assert found is not None
    assert found.seats[0] == seat
    [event] = await store.events(table.number, 0, None)
    assert event.request_id == ""  # who knows the id of a join can ask for the token


async def test_tables_are_listed_newest_first_in_pages(store: Store) -> None:
    for n in range(5):
        await store.create(new_table(f"t{n}", "tavla" if n % 2 else "western"), None)
    await store.create(new_table("hidden", visibility=Visibility.LINK), None)
    first = await store.tables(Selection(limit=3))
    assert [t.id for t in first] == ["t4", "t3", "t2"]
    rest = await store.tables(Selection(limit=3, before=first[-1].number))
    assert [t.id for t in rest] == ["t1", "t0"]
    assert [t.id for t in await store.tables(Selection(9, variant="tavla"))] == ["t3", "t1"]
    assert await store.tables(Selection(9, status=Status.FINISHED)) == []


async def test_tables_in_play_with_a_bot_are_found_after_a_restart(store: Store) -> None:
    table = await made(store, "a")
    assert await store.bot_tables() == []
    await store.append(change(table.number, 0))
    assert await store.bot_tables() == ["a"]


async def test_commands_that_wait_share_a_commit(tmp_path: Path) -> None:
    store = await SQLiteStore.open(f"{tmp_path}/a.db")
    tables = [await made(store, f"t{n}") for n in range(16)]
    before = store.commits
    for turn in range(20):
        await asyncio.gather(*(store.append(change(table.number, turn)) for table in tables))
    assert store.commits - before <= 16 * 20 // 2
    await store.close()


async def test_a_command_that_refuses_does_not_disturb_its_neighbours(store: Store) -> None:
    tables = [await made(store, f"t{n}") for n in range(8)]
    changes = [change(table.number, table.number % 2) for table in tables]
    answers = await asyncio.gather(*map(store.append, changes), return_exceptions=True)
    assert [isinstance(answer, Stale) for answer in answers] == [c.revision == 1 for c in changes]


async def test_a_caller_that_goes_away_hears_what_happened_first(store: Store) -> None:
    table = await made(store, "a")
    answer = store.append(change(table.number, 0))

    async def caller() -> None:
        await answer

    task = asyncio.create_task(caller())
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert answer.result() == Appended(1, 1)
    assert await store.append(change(table.number, 1)) == Appended(2, 2)


async def test_nothing_is_taken_once_it_is_closed(url: str) -> None:
    store = await open_store(url)
    await store.close()
    with pytest.raises(Unavailable):
        await store.create(new_table("a"), None)


async def test_how_far_logs_go_is_told_together(store: Store) -> None:
    tables = [await made(store, name) for name in "abc"]
    await store.append(change(tables[1].number, 0, 2))
    numbers = [table.number for table in tables]
    await store.compact(numbers[1], 2, Archive(1, 99, b"log"))
    far, new = Extent(2, 1), Extent(0)
    assert await store.extents(numbers) == dict(zip(numbers, (new, far, new), strict=True))
    assert await store.extents([*numbers[1:2], 1 << 40]) == {numbers[1]: far}
    assert await store.extents([]) == {}


@pytest.mark.parametrize("text", ["\0", "Ann\0", "a\0b"])
async def test_what_one_engine_cannot_keep_no_engine_takes(store: Store, text: str) -> None:
    table = await made(store, "a")
    with pytest.raises(Malformed) as refused:
        await store.create(replace(new_table("b"), seats=(Seat(0, text), Seat(1))), None)
    assert refused.value.reason == "NUL_IN_TEXT"
    for wanted in (
        change(table.number, 0, request=key(text)),
        replace(change(table.number, 0), seat=Seat(0, text)),
    ):
        with pytest.raises(Malformed):
            await store.append(wanted)
    assert await store.table(text) is None
    assert await store.request(table.number, "white", text) is None
    assert await store.extents([table.number]) == {table.number: Extent(0)}


async def test_it_opens_only_what_it_knows(tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "other.db") as other:
        other.execute("CREATE TABLE birds (name TEXT)")
    other.close()
    (tmp_path / "text.db").write_text("not a database, whatever it is called" * 100)
    with pytest.raises(Malformed) as refused:
        await open_store(f"sqlite:///{tmp_path}/other.db")
    assert refused.value.reason == "UNKNOWN_SCHEMA"
    with pytest.raises(Unavailable):
        await open_store(f"sqlite:///{tmp_path}/text.db")
    with pytest.raises(Malformed) as refused:
        await open_store("mysql://somewhere")
    assert refused.value.reason == "UNKNOWN_DATABASE"


# -- beside a model ---------------------------------------------------------------------------------


@dataclass
class Model:
    """The plainest store: dictionaries, no disk."""

    events: dict[int, list[str]] = field(default_factory=dict)
    requests: dict[tuple[int, str, str], Repeated] = field(default_factory=dict)

    def append(self, wanted: Change) -> Appended | Repeated | None:
        """`None`: stale."""
        log = self.events.setdefault(wanted.table, [])
        request = wanted.request
        if request and (found := self.requests.get((wanted.table, request.scope, request.id))):
            return found
        if len(log) != wanted.revision:
            return None
        log += [event.body for event in wanted.events]
        first, last = wanted.revision + 1, len(log)
        if request:
            done = Repeated(first, last, request.fingerprint)
            self.requests[wanted.table, request.scope, request.id] = done
        return Appended(first, last)


@pytest.mark.parametrize("seed", range(5))
async def test_random_commands_and_restarts_give_what_a_model_gives(seed: int, url: str) -> None:
    chance, model = random.Random(seed), Model()
    store = await open_store(url)
    tables = [await made(store, f"t{n}") for n in range(4)]
    for _ in range(400):
        if chance.random() < 0.02:
            await store.close()
            store = await open_store(url)
        table = chance.choice(tables).number
        known = len(model.events.get(table, []))
        seen = max(0, known - (chance.random() < 0.2))
        request = key(f"r{chance.randrange(60)}") if chance.random() < 0.6 else None
        wanted = change(table, seen, chance.randint(1, 3), request)
        expected = model.append(wanted)
        try:
            answer = await store.append(wanted)
        except Stale:
            assert expected is None
        else:
            assert answer == expected
    for table_ in tables:
        events = await store.events(table_.number, 0, None)
        assert [event.body for event in events] == model.events.get(table_.number, [])
        assert [event.revision for event in events] == list(range(1, len(events) + 1))
    await store.close()


# -- killed -----------------------------------------------------------------------------------------

WRITER = """
import asyncio, sys
from bgcore_server.store import Appended, Change, NewEvent, Status, open_store

async def main():
    store = await open_store(sys.argv[1])
    async def act(name):
        table = await store.table(name)
        revision = table.revision
        while True:
            events = [NewEvent(1, 0, str(revision + 1))]
            done = await store.append(Change(table.number, revision, events, Status.PLAYING))
            revision = done.last
            print(name, revision, flush=True)  # acknowledged
    await asyncio.gather(*(act(f"t{n}") for n in range(4)))

asyncio.run(main())
"""


async def test_what_was_acknowledged_survives_kill_9(url: str) -> None:
    store = await open_store(url)
    names = [(await made(store, f"t{n}")).id for n in range(4)]
    await store.close()
    for wait in (0.05, 0.1, 0.15, 0.2, 0.25):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, url],
            stdout=subprocess.PIPE,
            text=True,
            env={"PYTHONPATH": ":".join(sys.path)},
        ) as writer:
            assert writer.stdout is not None
            said = [writer.stdout.readline()]  # it writes
            time.sleep(wait)
            writer.kill()
            said += writer.stdout.read().splitlines()
        acknowledged = dict(line.split() for line in said if len(line.split()) == 2)
        store = await open_store(url)
        for name in names:
            table = await store.table(name)
            assert table is not None
            events: list[Event] = await store.events(table.number, 0, None)
            assert [event.body for event in events] == [str(n + 1) for n in range(table.revision)]
            assert table.revision >= int(acknowledged.get(name, 0))
        await store.close()
