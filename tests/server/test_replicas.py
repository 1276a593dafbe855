"""Two servers on one database, calls cut off, and logs that are not legal any more."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import grpc
import pytest

import bgcore
from bgcore import Action, Seat
from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_server import tokens
from bgcore_server.settings import Settings
from bgcore_server.store import Visibility, open_store
from bgcore_server.tables import Tables
from bgcore_server.tables.rights import ANYBODY, Caller, seat_of
from bgcore_server.tables.seating import Sitting
from tests.server.helpers import (
    DOUBLE,
    ROLL,
    THROW,
    WHITE,
    Faults,
    at_table,
    ref,
    refusal_of,
    running,
)
from tests.server.test_tables import channel


async def test_two_servers_on_one_database_do_not_lose_or_double_anything(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/a.db"
    async with (
        running(database) as one,
        running(database) as two,
        channel(one.grpc) as first,
        channel(two.grpc) as second,
    ):
        at = await at_table(first, ref("tavla"), table.DICE_MODE_SYSTEM)
        at.client = second
        await at.get()  # both have the table in memory
        clients = [first, second]
        at.client = first
        await at.act(**THROW)
        for number in range(30):
            at.client = clients[number % 2]
            if table.ACTION_KIND_PLAY in at.state.decision.kinds:
                await at.any_play()
            else:
                await at.act(**ROLL)
        # A repetition is known wherever it arrives.
        at.client = first
        seen = at.state.revision
        again = ROLL if table.ACTION_KIND_ROLL in at.state.decision.kinds else None
        if again is None:
            await at.any_play()
            seen = at.state.revision
        seat = at.decider
        done = await at.act(seat, **ROLL, request_id="once")
        at.client = second
        assert await at.act(seat, **ROLL, request_id="once", expected_revision=seen) == done
        listed = await second.ListEvents(service.ListEventsRequest(table=at.id, page_size=500))
        numbers = [event.revision for event in listed.events]
        assert numbers == list(range(1, done.last_revision + 1))


async def test_a_call_that_is_cut_off_leaves_a_whole_table() -> None:
    store = await open_store("sqlite://")
    registry = bgcore.load()
    tables = Tables(store, registry, Faults())
    settings = Settings(dice_mode=table.DICE_MODE_MANUAL, resolved={})
    live, _ = await tables.create("western", settings, Visibility.PUBLIC, None)
    for seat in Seat:
        await tables.join(live, Sitting(seat, "", ANYBODY))
    for white, black in ((3, 3), (4, 4), (5, 5)):
        seen = live.revision
        call = asyncio.create_task(tables.act(live, Seat.WHITE, Action.throw(white, black)))
        await asyncio.sleep(0)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        # What was on its way to the log is in memory, too.
        stored = await store.table(live.id)
        assert stored is not None
        assert live.revision == stored.revision == seen + 1
    await tables.act(live, Seat.WHITE, Action.throw(6, 1))
    await store.close()


async def test_a_join_that_is_cut_off_can_be_repeated() -> None:
    store = await open_store("sqlite://")
    tables = Tables(store, bgcore.load(), Faults())
    live, _ = await tables.create("western", Settings(), Visibility.PUBLIC, None)
    sitting = Sitting(Seat.BLACK, "Ann", ANYBODY, "a secret request")
    call = asyncio.create_task(tables.join(live, sitting))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    call.cancel()
    with pytest.raises(asyncio.CancelledError):
        await call
    joined = await tables.join(live, sitting)
    assert joined.seat is Seat.BLACK
    caller = Caller(tokens.hashed(joined.token))
    assert seat_of(live.door, caller, None) is Seat.BLACK
    await store.close()


async def test_reading_the_log_while_it_grows_disturbs_nobody(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/a.db"
    async with running(database) as server, channel(server.grpc) as client:
        at = await at_table(client, ref("tavla"), table.DICE_MODE_SYSTEM)
        stream = client.WatchTable(service.WatchTableRequest(table=at.id, after_revision=0))
        done = asyncio.Event()

        async def reader() -> None:
            while not done.is_set():
                request = service.ListEventsRequest(
                    table=at.id, after_revision=max(0, at.state.revision - 2), states=True
                )
                listed = await client.ListEvents(request)
                assert [e.revision for e in listed.events] == [
                    e.state.revision for e in listed.events
                ]

        readers = [asyncio.create_task(reader()) for _ in range(8)]
        await at.act(**THROW)
        for _ in range(60):
            if table.ACTION_KIND_PLAY in at.state.decision.kinds:
                await at.any_play()
            else:
                await at.act(**ROLL)
        done.set()
        await asyncio.gather(*readers)
        seen = [(await stream.read()).event.revision for _ in range(at.state.revision)]
        assert seen == list(range(1, at.state.revision + 1))
        stream.cancel()


async def test_a_deadline_ends_a_watch(tmp_path: Path) -> None:
    async with running() as server, channel(server.grpc) as client:
        at = await at_table(client)
        stream = client.WatchTable(service.WatchTableRequest(table=at.id), timeout=0.2)
        await stream.read()
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await stream.read()
        assert caught.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED


async def test_a_log_that_is_not_legal_any_more_is_read_but_not_played(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/a.db"
    async with running(database) as server, channel(server.grpc) as client:
        at = await at_table(client)
        await at.throw(3, 1)
        await at.play("8/5 6/5")
        await at.act(**DOUBLE)
    with sqlite3.connect(tmp_path / "a.db") as db:
        db.execute(
            "UPDATE events SET body = ? WHERE revision = 4",
            ('{"kind":"play","seat":"white","play":"8/2 6/5"}',),
        )
    db.close()
    async with running(database) as server, channel(server.grpc) as client:
        at.client = client
        found = await at.get()
        assert found.state.revision == 3
        refusal = await at.refused(WHITE, **DOUBLE)
        assert refusal.code is grpc.StatusCode.FAILED_PRECONDITION
        assert refusal.reason == "RULES_CHANGED"
        listed = await client.ListEvents(service.ListEventsRequest(table=at.id))
        assert len(listed.events) == 5
        other = await at_table(client)
        await other.throw(3, 1)


async def test_a_table_of_a_variant_that_is_gone_is_refused(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/a.db"
    async with running(database) as server, channel(server.grpc) as client:
        at = await at_table(client)
    with sqlite3.connect(tmp_path / "a.db") as db:
        db.execute("UPDATE tables SET variant = 'gone'")
    db.close()
    async with running(database) as server, channel(server.grpc) as client:
        request = service.GetTableRequest(table=at.id)
        assert (await refusal_of(client.GetTable(request))).reason == "RULES_CHANGED"
        listed = await client.ListEvents(service.ListEventsRequest(table=at.id))
        assert len(listed.events) == 2
