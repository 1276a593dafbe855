from __future__ import annotations

import asyncio
from contextlib import aclosing

import grpc.aio
import pytest

from bgcore.replay import ReplayedMatch
from bgcore_client import (
    BLACK,
    WHITE,
    AsyncClient,
    Client,
    NotFound,
    OutOfRange,
    Plays,
    messages,
)
from bgcore_client.call import METHODS
from bgcore_client.transport import rpc
from tests.wire.matches import PlayedMatch, ends_as_recorded, watched, without_state
from tests.wire.process import ServerProcess
from tests.wire.proxy import Proxy

FULL, NONE = messages.PLAY_VIEW_FULL, messages.PLAY_VIEW_NONE


async def test_a_watch_begins_with_the_table_as_it_is(async_client: AsyncClient) -> None:
    table = await async_client.create_table("tavla", white="Ann")
    await table.join(WHITE)
    first = await anext(table.watch())
    assert first.event is None
    assert first.revision == 1
    now = await table.get()
    assert (first.table, first.state) == (now.table, now.state)


async def test_it_tells_every_event_in_order_with_the_state_after_it(
    async_client: AsyncClient, sample: ReplayedMatch
) -> None:
    match = await PlayedMatch.begin(async_client, sample)
    watch = asyncio.create_task(watched(match.table, match.last_revision))
    await match.play()
    events = await watch
    assert [event.revision for event in events] == list(range(1, match.last_revision + 1))
    # The answers to the acts have told the same, and so does the log.
    assert [event.state for event in events[2:]] == [answer.state for answer in match.answers]
    assert [without_state(event) for event in events[2:]] == [
        event for answer in match.answers for event in answer.events
    ]
    states = match.table.events(states=True, view=NONE, page_size=100)
    assert [event async for event in states] == events


async def test_two_who_watch_see_the_same(
    server: ServerProcess, async_client: AsyncClient, sample: ReplayedMatch
) -> None:
    match = await PlayedMatch.begin(async_client, sample)
    async with AsyncClient(server.grpc) as other:
        both = asyncio.gather(
            watched(match.table, match.last_revision),
            watched(other.table(match.table.id), match.last_revision),
        )
        await match.play()
        first, second = await both
    assert first == second
    # Somebody who comes when all is over is told the same again, from the log.
    assert await watched(match.table, match.last_revision) == first


async def test_it_goes_on_where_it_was_when_the_line_is_cut(
    server: ServerProcess, async_client: AsyncClient, sample: ReplayedMatch
) -> None:
    match = await PlayedMatch.begin(async_client, sample)
    async with Proxy(server.grpc) as line, AsyncClient(line.target) as cut_off:
        watch = asyncio.create_task(watched(cut_off.table(match.table.id), match.last_revision))
        for until in range(50, len(match.actions), 50):
            await match.play(until)
            line.cut()
        await match.play()
        events = await watch
        assert line.connections > 5
    assert list(map(without_state, events)) == [event async for event in match.table.events()]
    assert ends_as_recorded(match)


async def test_it_may_begin_after_any_revision(
    async_client: AsyncClient, sample: ReplayedMatch
) -> None:
    match = await PlayedMatch.begin(async_client, sample)
    await match.play(until=100)  # more than a server may keep in memory
    for after in (0, 1, 50, 101):
        assert (await anext(match.table.watch(after))).revision == after + 1
    coming = asyncio.ensure_future(anext(match.table.watch(102)))
    await asyncio.sleep(0.05)
    assert not coming.done()
    await match.act()
    assert (await coming).revision == 103


async def test_a_revision_not_reached_is_out_of_range(async_client: AsyncClient) -> None:
    table = await async_client.create_table("western")
    with pytest.raises(OutOfRange) as raised:
        await anext(table.watch(1))
    error = raised.value
    assert (error.reason, error.field, error.value) == (
        "REVISION_NOT_REACHED",
        "after_revision",
        "1",
    )
    assert error.expected == "at most 0"


async def test_a_table_that_does_not_exist_is_not_found(async_client: AsyncClient) -> None:
    with pytest.raises(NotFound, match=r"UNKNOWN_TABLE.*nowhere"):
        await anext(async_client.table("nowhere").watch())


@pytest.mark.parametrize("view", [NONE, messages.PLAY_VIEW_COLUMNS, FULL])
async def test_plays_come_as_asked_for(async_client: AsyncClient, view: messages.PlayView) -> None:
    table = await async_client.create_table("western", dice=messages.DICE_MODE_MANUAL)
    white = await table.join(WHITE)
    await table.join(BLACK)
    async with aclosing(table.watch(2, view=view)) as watch:
        await white.throw(3, 1)
        state = (await anext(watch)).state
    plays = Plays(state.decision.plays)
    assert state.decision.kinds[0] == messages.ACTION_KIND_PLAY
    assert len(plays) == (0 if view == NONE else 16)
    if view == FULL:
        assert {play.text for play in plays} >= {"8/5 6/5"}
        mover, opponent = plays[0].after
        assert sum(mover.points) == sum(opponent.points) == 15


def test_who_blocks_sees_the_same(client: Client) -> None:
    table = client.create_table("western", dice=messages.DICE_MODE_SEEDED, seed=3)
    white = table.join(WHITE)
    table.join(BLACK)
    events = white.throw().events
    watch = table.watch(0)
    revisions = [next(watch).revision for _ in range(2 + len(events))]
    assert revisions == list(range(1, 3 + len(events)))


async def test_a_quiet_watch_is_told_that_all_is_well(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("quiet")
    process = ServerProcess(folder, ("--heartbeat", "0.1")).start()
    try:
        async with AsyncClient(process.grpc) as client:
            table = await client.create_table("western")
        async with grpc.aio.insecure_channel(process.grpc) as channel:
            # The stream as it is, heartbeats too.
            watch = rpc(channel, METHODS[messages.WatchTableRequest])
            stream = watch(messages.WatchTableRequest(table=table.id))
            kinds = [(await stream.read()).WhichOneof("kind") for _ in range(4)]
            stream.cancel()
        assert kinds == ["snapshot", "heartbeat", "heartbeat", "heartbeat"]
    finally:
        process.kill()
