"""Watching a table: everything, once, in order."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import structlog

import bgcore
from bgcore import Action, Kind, Seat
from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_server.settings import Settings
from bgcore_server.store import Visibility, open_store
from bgcore_server.tables import Tables
from bgcore_server.tables.live import RECENT, WARM
from bgcore_server.tables.rights import ANYBODY
from bgcore_server.tables.seating import Sitting
from tests.server.helpers import (
    ROLL,
    THROW,
    AtTable,
    Client,
    Running,
    at_table,
    ref,
    refused,
    running,
)
from tests.server.test_tables import channel, finish

NONE, FULL = pb.PLAY_VIEW_NONE, pb.PLAY_VIEW_FULL


def watch(client: Client, at: AtTable, **more: Any) -> Any:
    return client.WatchTable(service.WatchTableRequest(table=at.id, **more))


async def revisions(stream: Any, count: int) -> list[int]:
    return [(await stream.read()).event.revision for _ in range(count)]


async def test_a_snapshot_comes_first_and_then_every_event(client: Client) -> None:
    at = await at_table(client)
    stream = watch(client, at)
    first = (await stream.read()).snapshot
    assert first.table.id == at.id
    assert first.state == at.state
    await at.throw(3, 1)
    event = (await stream.read()).event
    assert event.revision == at.state.revision
    assert list(event.action.throw.dice) == [3, 1]
    assert event.state.game.phase == table.PHASE_PLAY
    assert not event.state.decision.HasField("plays")
    await at.play("8/5 6/5")
    assert (await stream.read()).event.action.play.play.text == "8/5 6/5"
    stream.cancel()


async def test_plays_are_watched_when_asked_for(client: Client) -> None:
    at = await at_table(client)
    stream = watch(client, at, view=pb.PLAY_VIEW_TEXT)
    await stream.read()
    await at.throw(3, 1)
    assert "8/5 6/5" in (await stream.read()).event.state.decision.plays.texts
    stream.cancel()


async def test_joining_is_an_event(client: Client) -> None:
    made = await client.CreateTable(service.CreateTableRequest(variant=ref()))
    stream = client.WatchTable(service.WatchTableRequest(table=made.table.id))
    await stream.read()
    await client.JoinTable(service.JoinTableRequest(table=made.table.id, name="Ann"))
    event = (await stream.read()).event
    assert (event.revision, event.seat_taken.player.name) == (1, "Ann")
    assert event.request_id == ""
    stream.cancel()


async def test_a_watch_goes_on_after_a_revision(client: Client) -> None:
    at = await at_table(client)
    await at.throw(3, 1)
    await at.play("8/5 6/5")
    stream = watch(client, at, after_revision=0)
    assert await revisions(stream, 4) == [1, 2, 3, 4]
    await at.roll(6, 5)
    assert await revisions(stream, 1) == [5]
    stream.cancel()
    stream = watch(client, at, after_revision=5)
    await asyncio.sleep(0.05)
    await at.any_play()
    assert await revisions(stream, 1) == [6]
    stream.cancel()


async def test_a_quiet_watch_shows_signs_of_life() -> None:
    async with running(heartbeat=0.1) as server, channel(server.grpc) as client:
        at = await at_table(client)
        stream = watch(client, at)
        await stream.read()
        for _ in range(2):
            beat = (await stream.read()).heartbeat
            assert beat.revision == at.state.revision
            assert beat.time.seconds
        stream.cancel()


async def test_many_watch_and_each_sees_everything(client: Client) -> None:
    at = await at_table(client, ref("tavla", match_length=1), table.DICE_MODE_SEEDED, seed=3)
    streams = [watch(client, at) for _ in range(20)]
    for stream in streams:
        await stream.read()
    seen = at.state.revision
    await finish(at)
    count = at.state.revision - seen
    expected = list(range(seen + 1, at.state.revision + 1))
    for stream in streams:
        assert await revisions(stream, count) == expected
        stream.cancel()


async def test_a_slow_reader_misses_nothing_and_keeps_nobody_waiting(client: Client) -> None:
    at = await at_table(client, ref("tavla", match_length=3), table.DICE_MODE_SEEDED, seed=4)
    stream = watch(client, at, view=pb.PLAY_VIEW_FULL)
    await stream.read()
    seen = at.state.revision
    await finish(at)
    count = at.state.revision - seen
    assert count > RECENT
    assert await revisions(stream, count) == list(range(seen + 1, at.state.revision + 1))
    stream.cancel()


async def test_watches_end_when_the_server_stops() -> None:
    async with running() as server, channel(server.grpc) as client:
        at = await at_table(client)
        stream = watch(client, at)
        await stream.read()
        reading = asyncio.create_task(stream.read())
        await asyncio.sleep(0.05)
        started = asyncio.get_running_loop().time()
        await server.server.stop()
        assert asyncio.get_running_loop().time() - started < 1
        try:
            await reading
        except grpc.aio.AioRpcError as error:
            found = refused(error)
            assert found.code is grpc.StatusCode.UNAVAILABLE
            assert found.reason == "SERVER_STOPPING"


async def test_a_watcher_that_goes_away_is_forgotten(server: Running, client: Client) -> None:
    at = await at_table(client, ref("tavla"), table.DICE_MODE_SEEDED, seed=1)
    stream = watch(client, at)
    await stream.read()
    assert server.server._tables is not None
    live = await server.server._tables.get(at.id)
    assert live.watchers == 1
    stream.cancel()
    for _ in range(100):
        if not live.watchers:
            break
        await asyncio.sleep(0.01)
    assert live.watchers == 0
    await at.act(**THROW)
    await at.any_play()
    await at.act(**ROLL)


async def test_only_the_latest_moments_keep_what_was_made_of_them() -> None:
    store = await open_store("sqlite://")
    tables = Tables(store, bgcore.load(), structlog.get_logger())
    settings = Settings(dice_mode=table.DICE_MODE_MANUAL)
    made, _ = await tables.create("western", settings, Visibility.LINK, None)
    for _ in range(2):
        await tables.join(made, Sitting(None, "", ANYBODY))
    await tables.act(made, Seat.WHITE, Action.throw(3, 1))
    for seat, play in (
        (Seat.WHITE, "8/5 6/5"),
        (Seat.BLACK, "8/5 6/5"),
        (Seat.WHITE, "24/23 24/21"),
    ):
        await tables.act(made, seat, Action.play(seat, play))
        await tables.act(made, seat.other, Action(Kind.ROLL, seat.other, (3, 1)))
    moments = made.recent(0) or []
    for _ in range(2):  # as often as somebody asks
        told = [(one.told(NONE), one.state_bytes(FULL)) for one in moments]
    kept = [
        (one.told(NONE) is bytes_, one.state_bytes(FULL) is state)
        for one, (bytes_, state) in zip(moments, told, strict=True)
    ]
    assert kept == [(False, False)] * (len(moments) - WARM) + [(True, True)] * WARM
    assert [one.told(NONE) for one in moments] == [bytes_ for bytes_, _ in told]
    await tables.stop()
    await store.close()
