"""What only a store that is a server of its own can do: be away, be shared, be somebody else's."""

from __future__ import annotations

import asyncio
import importlib.util
import random
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import grpc
import pytest

from bgcore_proto.v1 import table_pb2 as pb
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_server.errors import Malformed, Stale, Unavailable
from bgcore_server.store import (
    Appended,
    Change,
    Created,
    NewEvent,
    Repeated,
    Store,
    open_store,
)
from tests.server.helpers import WHITE, at_table, refusal_of, running
from tests.server.test_store import WRITER, change, key, made, new_table
from tests.server.test_tables import channel

pytestmark = pytest.mark.needs_postgres

if importlib.util.find_spec("psycopg") and importlib.util.find_spec("psycopg_pool"):
    from bgcore_server.store import hints, postgres_together
    from bgcore_server.store import postgres as engine
    from bgcore_server.store.hints import CHANNEL, Hints
    from bgcore_server.store.place import Place
    from tests.postgres import DATABASE, PASSWORD, USER, schema_of
    from tests.wire.proxy import Proxy

if TYPE_CHECKING:
    from tests.postgres import Postgres


@pytest.fixture
def url(postgres: Postgres) -> str:
    return postgres.new_url()


@pytest.fixture
async def stores(url: str) -> AsyncIterator[list[Store]]:
    """Four servers' stores on one database."""
    opened = [await open_store(url) for _ in range(4)]
    yield opened
    for store in opened:
        await store.close()


def via(line: Proxy, url: str, postgres: Postgres) -> str:
    """The same database, by another way."""
    return url.replace(f"127.0.0.1:{postgres.port}", line.target)


# -- races ------------------------------------------------------------------------------------------


async def test_of_many_with_one_request_id_one_acts_and_all_hear_what_it_did(
    stores: list[Store],
) -> None:
    table = await made(stores[0], "a")
    for revision in range(5):
        name = f"r{revision}"
        tries = [
            stores[n % 4].append(change(table.number, revision, 1, key(name))) for n in range(40)
        ]
        answers = await asyncio.gather(*tries)
        first = revision + 1
        assert Counter(answers) == {Appended(first, first): 1, Repeated(first, first, b"what"): 39}
    assert len(await stores[1].events(table.number, 0, None)) == 5


async def test_of_many_on_one_revision_one_wins(stores: list[Store]) -> None:
    table = await made(stores[0], "a")
    for revision in range(0, 15, 3):
        wanted = [change(table.number, revision, 3, key(f"{revision} {n}")) for n in range(40)]
        tries = [stores[n % 4].append(one) for n, one in enumerate(wanted)]
        answers = await asyncio.gather(*tries, return_exceptions=True)
        assert [a for a in answers if not isinstance(a, Stale)] == [
            Appended(revision + 1, revision + 3)
        ]
    events = await stores[3].events(table.number, 0, None)
    assert [event.revision for event in events] == list(range(1, 16))


async def test_of_many_that_make_a_table_with_one_request_id_one_does(
    stores: list[Store],
) -> None:
    for number in range(4):
        tries = [
            stores[n % 4].create(new_table(f"{number}-{n}"), key(f"r{number}")) for n in range(24)
        ]
        answers = await asyncio.gather(*tries)
        [made_one] = [answer for answer in answers if not answer.repeated]
        assert Counter(answers) == {made_one: 1, Created(made_one.id, repeated=True): 23}
    others = [stores[n % 4].create(new_table(f"x{n}"), key("r0", b"other")) for n in range(4)]
    refused = await asyncio.gather(*others, return_exceptions=True)
    assert all(isinstance(one, Malformed) for one in refused)


async def test_changes_of_many_tables_go_together_and_each_is_answered_for_itself(
    url: str, stores: list[Store], postgres: Postgres
) -> None:
    store = stores[0]
    tables = [await made(store, f"t{n}") for n in range(40)]
    await store.append(change(tables[7].number, 0, 2, key("before")))
    wanted = [change(table.number, 0, 1, key(f"r{n}")) for n, table in enumerate(tables)]
    wanted[7] = change(tables[7].number, 0, 2, key("before"))  # once more
    wanted[21] = change(tables[21].number, 5)  # which it has not come to
    answers = await asyncio.gather(*map(store.append, wanted), return_exceptions=True)
    assert answers[7] == Repeated(1, 2, b"what")
    assert isinstance(answers[21], Stale)
    others = [answer for n, answer in enumerate(answers) if n not in (7, 21)]
    assert others == [Appended(1, 1)] * 38
    more = [change(table.number, 1) for n, table in enumerate(tables) if n not in (7, 21)]
    assert await asyncio.gather(*map(store.append, more)) == [Appended(2, 2)] * 38
    with postgres.connect(schema_of(url)) as db:
        [(count,)] = db.execute(
            'SELECT count(DISTINCT xmin::text) FROM events WHERE revision = 2 AND "table" <> %s',
            (tables[7].number,),
        )
    assert count < 10, "transactions of 38 changes"


async def test_a_table_that_somebody_holds_holds_up_no_other(
    url: str, stores: list[Store], postgres: Postgres
) -> None:
    store = stores[0]
    tables = [await made(store, f"t{n}") for n in range(6)]
    others = [change(table.number, 0) for table in tables[1:]]
    with postgres.connect(schema_of(url)) as db, db.transaction():
        db.execute("SELECT 1 FROM tables WHERE number = %s FOR UPDATE", (tables[0].number,))
        held = store.append(change(tables[0].number, 0))
        assert await asyncio.gather(*map(store.append, others)) == [Appended(1, 1)] * 5
        again = [store.append(change(table.number, 1)) for table in tables[1:]]
        assert await asyncio.gather(*again) == [Appended(2, 2)] * 5
        assert not held.done()
    assert await held == Appended(1, 1)


async def test_together_with_a_table_that_somebody_holds_the_others_are_appended(
    url: str, stores: list[Store], postgres: Postgres
) -> None:
    store = stores[0]
    tables = [await made(store, f"t{n}") for n in range(6)]
    with postgres.connect(schema_of(url)) as db, db.transaction():
        db.execute("SELECT 1 FROM tables WHERE number = %s FOR UPDATE", (tables[3].number,))
        answers = [store.append(change(table.number, 0)) for table in tables]
        held = answers.pop(3)
        assert await asyncio.gather(*answers) == [Appended(1, 1)] * 5
        assert not held.done()
    assert await held == Appended(1, 1)


async def test_a_change_that_is_late_refuses_none_of_those_that_wait(
    url: str, stores: list[Store], postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = stores[0]
    late, held, other = [(await made(store, f"t{n}")).number for n in range(3)]
    monkeypatch.setattr(engine, "ANSWER_SECONDS", 2.0)
    monkeypatch.setattr(postgres_together, "PATIENCE", 1.0)
    with postgres.connect(schema_of(url)) as db, db.transaction():
        db.execute("SELECT 1 FROM tables WHERE number IN (%s, %s) FOR UPDATE", (late, held))
        given_up = store.append(change(late, 0))
        await asyncio.sleep(1.2)  # nobody waits for it any longer, and it is not late yet
        in_the_way = store.append(change(held, 0))
        await asyncio.sleep(0.1)  # so that the two do not go together
        waiting = store.append(change(other, 0))
        with pytest.raises(Unavailable):
            await given_up
        assert await waiting == Appended(1, 1)
        assert not in_the_way.done()
    assert await in_the_way == Appended(1, 1)


async def test_a_change_that_cannot_be_written_spoils_no_other(stores: list[Store]) -> None:
    store = stores[0]
    tables = [await made(store, f"t{n}") for n in range(6)]
    wanted = [change(table.number, 0) for table in tables]
    wanted[2] = replace(wanted[2], events=[NewEvent(1, 0, "\ud800")])
    answers = await asyncio.gather(*map(store.append, wanted), return_exceptions=True)
    assert isinstance(answers.pop(2), UnicodeEncodeError)
    assert answers == [Appended(1, 1)] * 5


async def test_a_change_that_comes_as_an_earlier_one_is_done_is_carried_out(
    stores: list[Store],
) -> None:
    table = await made(stores[0], "a")
    async with asyncio.timeout(60):
        for revision in range(120):
            await stores[0].append(change(table.number, revision))
            for _ in range(revision % 30):  # at whatever step of what is done after an answer
                await asyncio.sleep(0)


# -- away -------------------------------------------------------------------------------------------


async def insisted(store: Store, wanted: Change) -> Appended | Repeated:
    """As a client that tries until it is answered, with the same request id."""
    while True:
        with suppress(Unavailable):
            return await store.append(wanted)
        await asyncio.sleep(0.05)


@pytest.mark.slow
async def test_nothing_is_lost_or_done_twice_though_the_database_is_killed_under_load(
    postgres: Postgres, stores: list[Store]
) -> None:
    chance = random.Random(1)
    tables = [await made(stores[0], f"t{n}") for n in range(20)]
    stop = asyncio.Event()
    acknowledged: dict[int, list[str]] = {table.number: [] for table in tables}

    async def play(number: int) -> None:
        revision = 0
        while not stop.is_set():
            store, name = stores[chance.randrange(4)], f"{number}-{revision}"
            done = await insisted(store, change(number, revision, 1, key(name)))
            assert (done.first, done.last) == (revision + 1, revision + 1)
            acknowledged[number].append(name)
            revision += 1

    playing = [asyncio.create_task(play(table.number)) for table in tables]
    for _ in range(4):
        await asyncio.sleep(0.4)
        before = sum(map(len, acknowledged.values()))
        await asyncio.to_thread(postgres.restart)
        while sum(map(len, acknowledged.values())) < before + 20:  # it goes on by itself
            await asyncio.sleep(0.01)
    stop.set()
    await asyncio.gather(*playing)
    for number, names in acknowledged.items():
        events = await stores[0].events(number, 0, None)
        assert [event.request_id for event in events] == names
        assert [event.revision for event in events] == list(range(1, len(names) + 1))


COMMITS = (b"UPDATE tables", b"COMMIT")


class LosesCommits(Proxy if TYPE_CHECKING else globals().get("Proxy", object)):  # type: ignore[misc]
    """A line that breaks when a command goes through: before it does, or before its answer comes back."""

    passes_on = True
    armed = False
    lets_nobody_in = False
    meanwhile: Callable[[], Awaitable[object]] | None = None

    async def _accept(self, near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        if self.lets_nobody_in:
            back.transport.abort()
        else:
            await super()._accept(near, back)

    async def _pass_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answers: bool = False
    ) -> None:
        with suppress(OSError):
            while data := await reader.read(1 << 16):
                if self.armed and not answers and any(map(data.__contains__, COMMITS)):
                    self.loses_answers = True
                    if self.passes_on:
                        writer.write(data)
                        await asyncio.sleep(0.1)
                    if self.meanwhile:
                        await self.meanwhile()
                    self.armed = self.loses_answers = False
                    self.cut()
                    break
                if not (answers and self.loses_answers):
                    writer.write(data)
        writer.transport.abort()
        self._open.discard(writer)


@pytest.mark.parametrize("passes_on", [True, False], ids=["committed", "not committed"])
@pytest.mark.parametrize("named", [True, False], ids=["with a request id", "without"])
async def test_a_commit_without_an_answer_is_found_out(
    url: str, postgres: Postgres, passes_on: bool, named: bool
) -> None:
    async with LosesCommits(f"127.0.0.1:{postgres.port}") as line:
        store = await open_store(via(line, url, postgres))
        table = await made(store, "a")
        line.passes_on = passes_on
        for revision in (0, 2, 4):
            line.armed = True
            wanted = change(table.number, revision, 2, key(f"r{revision}") if named else None)
            assert await store.append(wanted) == Appended(revision + 1, revision + 2)
            assert not line.armed
        line.armed = True
        making = key("making") if named else None
        assert await store.create(new_table("b"), making) == Created("b", repeated=False)
        events = await store.events(table.number, 0, None)
        assert [event.revision for event in events] == list(range(1, 7))
        await store.close()


async def test_a_commit_that_another_got_ahead_of_is_stale_though_its_line_broke(
    url: str, postgres: Postgres
) -> None:
    async with LosesCommits(f"127.0.0.1:{postgres.port}") as line:
        store, other = await open_store(via(line, url, postgres)), await open_store(url)
        table = await made(store, "a")
        line.passes_on, line.armed = False, True
        line.meanwhile = lambda: other.append(change(table.number, 0, 1, key("theirs")))
        with pytest.raises(Stale):
            await store.append(change(table.number, 0))
        line.armed = True
        line.meanwhile = lambda: other.append(change(table.number, 1, 1, key("both")))
        done = await store.append(change(table.number, 1, 1, key("both")))
        assert done in (Repeated(2, 2, b"what"), Appended(2, 2))
        assert len(await store.events(table.number, 0, None)) == 2
        await other.close()
        await store.close()


@pytest.mark.parametrize("passes_on", [True, False], ids=["committed", "not committed"])
async def test_changes_that_went_together_over_a_line_that_broke_are_there_once(
    url: str, postgres: Postgres, passes_on: bool
) -> None:
    async with LosesCommits(f"127.0.0.1:{postgres.port}") as line:
        store = await open_store(via(line, url, postgres))
        tables = [await made(store, f"t{n}") for n in range(20)]
        line.passes_on, line.armed = passes_on, True
        tries = [store.append(change(table.number, 0)) for table in tables]
        assert await asyncio.gather(*tries) == [Appended(1, 1)] * 20
        for table in tables:
            assert len(await store.events(table.number, 0, None)) == 1
        await store.close()


async def test_a_commit_without_an_answer_is_told_as_such_where_the_database_stays_away(
    url: str, postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with LosesCommits(f"127.0.0.1:{postgres.port}") as line:
        store = await open_store(via(line, url, postgres))
        table = await made(store, "a")
        monkeypatch.setattr(engine, "ANSWER_SECONDS", 1.0)
        line.armed, line.lets_nobody_in = True, True
        wanted = change(table.number, 0, 1, key("r"))
        with pytest.raises(Unavailable) as told:
            await store.append(wanted)
        assert told.value.reason == "STORE_UNAVAILABLE"
        line.lets_nobody_in = False
        monkeypatch.undo()
        assert (await insisted(store, wanted)).last == 1
        await store.close()


@pytest.mark.parametrize("passes_on", [True, False], ids=["committed", "not committed"])
async def test_an_act_without_a_request_id_is_found_out_when_it_is_back(
    url: str, postgres: Postgres, monkeypatch: pytest.MonkeyPatch, passes_on: bool
) -> None:
    async with (
        LosesCommits(f"127.0.0.1:{postgres.port}") as line,
        running(via(line, url, postgres)) as server,
        channel(server.grpc) as client,
    ):
        at = await at_table(client)
        act = service.ActRequest(table=at.id, action=pb.Action(throw=pb.ThrowAction(dice=(3, 1))))
        with monkeypatch.context() as hasty:
            hasty.setattr(engine, "ANSWER_SECONDS", 1.0)
            line.passes_on, line.armed, line.lets_nobody_in = passes_on, True, True
            lost = await refusal_of(client.Act(act, token=at.tokens[WHITE]))
            assert (lost.code, lost.reason) == (
                grpc.StatusCode.UNAVAILABLE,
                "STORE_UNAVAILABLE",
            )
        line.lets_nobody_in = False
        if passes_on:  # they lie there already
            again = await refusal_of(client.Act(act, token=at.tokens[WHITE]))
            assert again.code is grpc.StatusCode.FAILED_PRECONDITION
        else:
            await client.Act(act, token=at.tokens[WHITE])
        assert server.server._tables is not None
        live = await server.server._tables.get(at.id)
        log = await server.server._tables.store.events(live.number, 0, None)
        assert [event.revision for event in log] == [1, 2, 3]
        assert live.revision == 3
        assert not live.doubtful
        assert live.state.match.game.dice == (3, 1)


async def test_a_line_that_breaks_between_commands_is_nobodys_business(
    url: str, postgres: Postgres
) -> None:
    async with Proxy(f"127.0.0.1:{postgres.port}") as line:
        store = await open_store(via(line, url, postgres))
        tables = [await made(store, f"t{n}") for n in range(30)]
        await asyncio.gather(*(store.append(change(table.number, 0)) for table in tables))
        for revision in range(1, 4):
            line.cut()
            await asyncio.gather(
                *(store.append(change(table.number, revision)) for table in tables)
            )
        assert line.connections > 3
        await store.close()


async def test_a_database_that_hangs_is_answered_for_in_time_and_comes_back(
    postgres: Postgres, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = await open_store(url)
    table = await made(store, "a")
    monkeypatch.setattr(engine, "ANSWER_SECONDS", 0.5)
    postgres.pause()
    try:
        tries = [store.append(change(table.number, 0, 1, key("r"))), store.table("a")]
        answers = await asyncio.gather(*tries, return_exceptions=True)
        assert [type(answer) for answer in answers] == [Unavailable, Unavailable]
        # While the database lets go of those nobody else waits for it.
        more = [store.append(change(table.number, 0)) for _ in range(3)]
        async with asyncio.timeout(5):
            refused = await asyncio.gather(*more, return_exceptions=True)
        assert [type(answer) for answer in refused] == [Unavailable] * 3
    finally:
        postgres.resume()
    monkeypatch.undo()
    done = await insisted(store, change(table.number, 0, 1, key("r")))
    assert (done.first, done.last) == (1, 1)
    assert len(await store.events(table.number, 0, None)) == 1
    await store.close()


async def append_one(store: Store, name: str) -> None:
    """Append an event to whatever is there."""
    table = await store.table(name)
    assert table is not None
    number, revision = table.number, table.revision
    try:
        done = await store.append(change(number, revision))
    except Stale as stale:  # what another had sent has come in just before
        revision = int(stale.faults[0].expected)
        done = await store.append(change(number, revision))
    assert done == Appended(revision + 1, revision + 1)


@pytest.mark.slow
async def test_a_server_that_is_stopped_at_any_moment_holds_up_no_table(
    url: str, stores: list[Store]
) -> None:
    chance, store = random.Random(3), stores[0]
    names = [(await made(store, f"t{n}")).id for n in range(4)]
    for _ in range(12):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, url],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={"PYTHONPATH": ":".join(sys.path)},
        ) as writer:
            assert writer.stdout is not None
            try:
                assert writer.stdout.readline()  # it writes
                await asyncio.sleep(chance.uniform(0, 0.02))
                writer.send_signal(signal.SIGSTOP)
                for name in names:
                    await append_one(store, name)
            finally:
                writer.kill()
    for name in names:
        table = await store.table(name)
        assert table is not None
        events = await store.events(table.number, 0, None)
        assert [event.revision for event in events] == list(range(1, table.revision + 1))


# -- somebody else's --------------------------------------------------------------------------------


async def refused_url(url: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What opening a database is refused with; its password must not be told anywhere."""
    with pytest.raises((Malformed, Unavailable)) as refused:
        await open_store(url)
    printed = capsys.readouterr()
    cause = refused.value.__cause__
    for text in (str(refused.value), repr(refused.value.faults), repr(cause), *printed):
        assert PASSWORD not in text
        assert "another-secret" not in text
    return str(refused.value)


async def test_a_database_that_cannot_be_used_is_refused_by_name_and_without_its_password(
    url: str, postgres: Postgres, capsys: pytest.CaptureFixture[str]
) -> None:
    port = postgres.port
    address = f"127.0.0.1:{port}"
    told = await refused_url(f"postgresql://{USER}:{PASSWORD}@127.0.0.1:1/tables", capsys)
    assert "127.0.0.1:1/tables cannot be used" in told
    assert "refused" in told
    told = await refused_url(f"postgresql://{USER}:another-secret@{address}/{DATABASE}", capsys)
    assert "password authentication failed" in told
    told = await refused_url(f"postgresql://{USER}@{address}/{DATABASE}", capsys)
    assert "no password supplied" in told
    told = await refused_url(f"postgresql://{USER}:{PASSWORD}@{address}/nowhere", capsys)
    assert '"nowhere" does not exist' in told
    told = await refused_url(f"postgresql://{USER}:{PASSWORD}@no-such-host.invalid/x", capsys)
    assert "no-such-host.invalid/x cannot be used" in told
    told = await refused_url(f"{postgres.url()}?options=-csearch_path%3Dnowhere", capsys)
    assert "names no schema that exists" in told


@pytest.mark.parametrize(
    "rest",
    [
        "@127.0.0.1:port/x",
        "@h/x?sslmode=odd",
        "@h/x?unknown=1",
        "@h/%zz",
        "@[::1/x",
        "/w@h/x",
        "@h:1,x/y",
    ],
)
async def test_a_url_that_is_none_is_refused_without_its_password(
    rest: str, capsys: pytest.CaptureFixture[str]
) -> None:
    await refused_url(f"postgresql://{USER}:{PASSWORD}{rest}", capsys)


async def test_another_programs_tables_are_refused_and_left_alone(
    url: str, postgres: Postgres, capsys: pytest.CaptureFixture[str]
) -> None:
    postgres.execute("CREATE TABLE birds (name text)", schema_of(url))
    assert "another program's tables" in await refused_url(url, capsys)
    with postgres.connect(schema_of(url)) as db:
        rows = db.execute("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
        assert rows.fetchall() == [("birds",)]


async def test_another_encoding_is_refused(
    postgres: Postgres, capsys: pytest.CaptureFixture[str]
) -> None:
    options = "ENCODING 'LATIN1' TEMPLATE template0"
    postgres.execute(f"CREATE DATABASE latin OWNER {USER} {options}", "public")
    assert "LATIN1, expected UTF8" in await refused_url(postgres.url("latin"), capsys)


async def test_without_psycopg_the_error_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    find: Any = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *more: None if "psycopg" in name else find(name)
    )
    with pytest.raises(Malformed) as refused:
        await open_store("postgresql://db/tables")
    assert refused.value.reason == "DRIVER_MISSING"
    assert "pip install '.[postgres]' in a checkout" in str(refused.value)


def test_a_place_shows_no_password() -> None:
    place = Place.read(f"postgresql://{USER}:{PASSWORD}@db:5433/tables?sslpassword=another-secret")
    assert PASSWORD not in repr(place)
    error = ValueError(f"cannot use {PASSWORD}\nnor another-secret")
    assert place.told(error) == "cannot use *** nor ***"


# -- hints ------------------------------------------------------------------------------------------


async def next_hint(hints: AsyncIterator[Mapping[int, int]]) -> Mapping[int, int]:
    return await asyncio.wait_for(anext(hints), 20)


async def listening(postgres: Postgres, url: str, count: int) -> None:
    """Wait until so many listen."""
    question = "SELECT count(*) FROM pg_stat_activity WHERE query = %s"
    with postgres.connect(schema_of(url)) as db:
        while db.execute(question, (f"LISTEN {CHANNEL}",)).fetchone() != (count,):
            await asyncio.sleep(0.02)


async def acquainted(*stores: Store) -> None:
    """Wait until each knows of another."""
    async with asyncio.timeout(20):
        while not all(hints_of(store)._accompanied() for store in stores):
            await asyncio.sleep(0.02)


def hints_of(store: Store) -> Hints:
    assert isinstance(store, engine.PostgresStore)
    return store._hints


async def test_who_is_alone_tells_nobody(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    async with AsyncExitStack() as stack:
        one, two = [await open_store(url) for _ in range(2)]
        for store in (one, two):
            stack.push_async_callback(store.close)
        table = await made(one, "a")
        heard = asyncio.create_task(next_hint(one.hints()))
        await one.append(change(table.number, 0))
        assert hints_of(one)._telling is None
        other = two.hints()
        told = asyncio.create_task(next_hint(other))
        await acquainted(one, two)  # whichever listened first
        await one.append(change(table.number, 1))
        assert await told == {table.number: 2}
        # A server that is not heard for long has gone.
        monkeypatch.setattr(hints, "GONE_SECONDS", 0.0)
        await asyncio.sleep(0.1)
        await one.append(change(table.number, 2))
        assert hints_of(one)._telling is None
        heard.cancel()
        await asyncio.gather(heard, return_exceptions=True)
        await other.aclose()  # type: ignore[attr-defined]


async def test_the_others_hear_what_one_has_done_and_not_the_one_itself(
    postgres: Postgres, url: str
) -> None:
    async with AsyncExitStack() as stack:
        one, two = [await open_store(url) for _ in range(2)]
        stack.push_async_callback(one.close)
        stack.push_async_callback(two.close)
        table = await made(one, "a")
        listeners = {store: store.hints() for store in (one, two)}
        heard = {store: asyncio.create_task(next_hint(listeners[store])) for store in (one, two)}
        await listening(postgres, url, 2)
        await acquainted(one, two)
        postgres.execute(f"NOTIFY {CHANNEL}, 'what is this'", schema_of(url))
        await one.append(change(table.number, 0, 3))
        assert await heard[two] == {table.number: 3}
        assert not heard[one].done()
        # Whoever lost his line listens anew.
        with postgres.connect(schema_of(url)) as db:
            db.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = %s",
                (f"LISTEN {CHANNEL}",),
            )
        heard[two] = asyncio.create_task(next_hint(listeners[two]))
        await listening(postgres, url, 2)
        await one.append(change(table.number, 3))
        assert await heard[two] == {table.number: 4}
        heard[one].cancel()
        await asyncio.gather(heard[one], return_exceptions=True)
        for listener in listeners.values():
            await listener.aclose()  # type: ignore[attr-defined]
