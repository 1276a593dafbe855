"""T2: who does nothing for too long, and tables where nobody does. Time is passed in."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grpc
import pytest

from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from tests.server.helpers import (
    BLACK,
    DOUBLE,
    FLAG,
    NEXT_GAME,
    WHITE,
    AtTable,
    Client,
    Running,
    at_table,
    ref,
    refusal_of,
)
from tests.server.test_clocks import SECOND, Time
from tests.server.wanting import VOID, events, rematch, tables_of, timed

if TYPE_CHECKING:
    from tests.postgres import Postgres

NOT_NOW = grpc.StatusCode.FAILED_PRECONDITION


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
async def timely(time: Time) -> AsyncIterator[tuple[Running, Client]]:
    async with timed(time) as found:
        yield found


async def swept(found: Running) -> None:
    """One round of the sweep."""
    await tables_of(found)._upkeep.sweep()


async def test_who_must_decide_and_does_nothing_is_out_of_time(
    timely: tuple[Running, Client], time: Time
) -> None:
    found, client = timely
    at = await at_table(client, ref(match_length=3, absence=60))
    await at.throw(1, 3)
    assert not at.state.HasField("clock")
    assert at.state.deadline.ToMicroseconds() == time.shown + 60 * SECOND
    time.passes(60)
    await swept(found)
    assert not (await at.get()).state.match.winner  # to use it up is in time
    time.passes(0.000_001)
    await swept(found)
    state = (await at.get()).state
    assert state.match.winner == WHITE
    last = (await events(at))[-1]
    assert (last.action.flag.seat, last.seat) == (BLACK, 0)
    assert not state.HasField("deadline")


async def test_the_other_may_say_so_himself(timely: tuple[Running, Client], time: Time) -> None:
    _, client = timely
    at = await at_table(client, ref(match_length=3, absence=60))
    await at.throw(1, 3)
    assert (await at.refused(WHITE, **FLAG)).reason == "NOT_OUT_OF_TIME"
    time.passes(61)
    await at.act(WHITE, **FLAG)
    assert at.state.match.winner == WHITE


async def test_it_costs_what_a_clock_that_runs_out_costs(
    timely: tuple[Running, Client], time: Time
) -> None:
    found, client = timely
    at = await at_table(client, ref(match_length=3, absence=60, flag_loses="game"))
    await at.throw(1, 3)
    time.passes(61)
    await swept(found)
    at.state = (await at.get()).state
    assert (at.state.match.white_score, at.state.match.winner) == (1, 0)
    # Between two games nobody must decide.
    assert not at.state.HasField("deadline")
    time.passes(1000)
    await swept(found)
    await at.act(WHITE, **NEXT_GAME)
    await at.throw(1, 3)
    assert at.state.deadline.ToMicroseconds() == time.shown + 60 * SECOND


async def test_the_shorter_of_clock_and_absence_counts(
    timely: tuple[Running, Client], time: Time
) -> None:
    _, client = timely
    clocked = ref(match_length=3, absence=20, clock="bronstein", bank_fixed=20, step=12)
    at = await at_table(client, clocked)
    await at.throw(1, 3)
    assert at.state.deadline.ToMicroseconds() == time.shown + 20 * SECOND
    assert at.state.clock.deadline.ToMicroseconds() == time.shown + 32 * SECOND
    time.passes(19)
    await at.play("8/5 6/5")
    for seconds in (19, 19, 1):
        time.passes(seconds)
        await at.act(**DOUBLE) if at.state.decision.seat == WHITE else await at.act(
            take=table.TakeAction()
        )
        if at.state.game.cube.value == 2:
            break
    assert at.state.deadline.ToMicroseconds() <= time.shown + 20 * SECOND


async def test_an_opening_throw_waits_for_nobody_in_particular(
    timely: tuple[Running, Client], time: Time
) -> None:
    found, client = timely
    at = await at_table(client, ref(absence=60))
    assert not at.state.HasField("deadline")
    time.passes(10_000)
    await swept(found)
    assert not (await at.get()).state.match.winner


async def test_an_act_that_comes_too_late_is_refused_and_the_time_is_over(
    timely: tuple[Running, Client], time: Time
) -> None:
    _, client = timely
    at = await at_table(client, ref(match_length=3, absence=60))
    await at.throw(1, 3)
    time.passes(61)
    found = await refusal_of(at.play("8/5 6/5"))
    assert (found.code, found.reason) == (NOT_NOW, "TIME_OVER")
    assert (await at.get()).state.match.winner == WHITE


async def test_a_sweep_and_an_act_at_the_same_moment_do_one_thing(
    timely: tuple[Running, Client], time: Time
) -> None:
    found, client = timely
    for after in (60, 60.000_001):
        at = await at_table(client, ref(match_length=3, absence=60))
        await at.throw(1, 3)
        time.passes(after)
        results = await asyncio.gather(
            swept(found), at.play("8/5 6/5"), swept(found), return_exceptions=True
        )
        played = not isinstance(results[1], BaseException)
        assert played == (after == 60)
        kinds = [one.action.WhichOneof("kind") for one in await events(at)]
        assert kinds.count("flag") == (not played)
        assert kinds.count("play") == played


# -- abandonment ------------------------------------------------------------------------------------


async def test_a_table_where_nobody_does_anything_is_closed(
    timely: tuple[Running, Client], time: Time
) -> None:
    found, client = timely
    at = await at_table(client, ref(abandonment=600))
    assert at.state.deadline.ToMicroseconds() == time.shown + 600 * SECOND
    time.passes(500)
    await at.act(WHITE, **VOID)  # to ask is to do something
    time.passes(500)
    await swept(found)
    assert not (await at.get()).state.HasField("closed")
    time.passes(101)
    await swept(found)
    state = (await at.get()).state
    assert (state.closed.reason, state.closed.void) == (table.CLOSE_REASON_ABANDONED, True)
    assert not state.match.winner
    assert not state.HasField("deadline")
    assert (await events(at))[-1].seat == 0


async def test_so_is_one_where_nobody_has_sat_down(
    timely: tuple[Running, Client], time: Time
) -> None:
    found, client = timely
    made = await client.CreateTable(service.CreateTableRequest(variant=ref(abandonment=600)))
    assert made.state.deadline.ToMicroseconds() == time.shown + 600 * SECOND
    time.passes(599)
    join = service.JoinTableRequest(table=made.table.id)
    joined = await client.JoinTable(join)
    time.passes(599)
    await swept(found)
    leave = service.LeaveTableRequest(table=made.table.id)
    left = await client.LeaveTable(leave, token=joined.token)
    assert left.state.deadline.ToMicroseconds() == time.shown + 600 * SECOND
    time.passes(601)
    await swept(found)
    asked = await client.GetTable(service.GetTableRequest(table=made.table.id))
    assert asked.state.closed.reason == table.CLOSE_REASON_ABANDONED
    assert (await refusal_of(client.JoinTable(join))).reason == "TABLE_CLOSED"


async def test_a_match_that_is_over_is_not_abandoned(
    timely: tuple[Running, Client], time: Time
) -> None:
    found, client = timely
    at = await at_table(client, ref(match_length=1, abandonment=600))
    await at.act(WHITE, resign_match=table.ResignMatchAction())
    assert not at.state.HasField("deadline")
    time.passes(10_000)
    await swept(found)
    await at.act(WHITE, **rematch())
    await at.act(BLACK, **rematch())
    assert at.state.deadline.ToMicroseconds() == time.shown + 600 * SECOND


@pytest.mark.parametrize(("absence", "abandonment"), [(60, 600), (600, 60), (60, 60)])
async def test_what_was_due_first_happens_however_late_somebody_looks(
    timely: tuple[Running, Client], time: Time, absence: int, abandonment: int
) -> None:
    found, client = timely
    variant = ref(match_length=3, absence=absence, abandonment=abandonment)
    at = await at_table(client, variant)
    await at.throw(1, 3)
    time.passes(10_000)
    await swept(found)
    state = (await at.get()).state
    if abandonment < absence:
        assert state.closed.reason == table.CLOSE_REASON_ABANDONED
    else:
        assert state.match.winner == WHITE


async def test_a_bot_that_could_not_act_is_absent_too(
    timely: tuple[Running, Client], time: Time
) -> None:
    found, client = timely
    made = await client.CreateTable(
        service.CreateTableRequest(
            variant=ref(match_length=3, absence=60),
            dice_mode=table.DICE_MODE_SEEDED,
            black=table.Occupant(bot=table.Bot(id="random")),
        )
    )
    joined = await client.JoinTable(service.JoinTableRequest(table=made.table.id))
    at = AtTable(client, made.table.id, {WHITE: joined.token}, joined.state)
    await at.act(throw=table.ThrowAction())
    async with asyncio.timeout(20):
        while (await at.get()).state.decision.seat != WHITE:
            await asyncio.sleep(0.01)
    time.passes(61)
    await swept(found)
    assert (await at.get()).state.match.winner == BLACK


async def test_a_server_that_was_down_finds_what_is_due(tmp_path: Path, time: Time) -> None:
    database = f"sqlite:///{tmp_path}/a.db"
    async with timed(time, database) as (_, client):
        at = await at_table(client, ref(match_length=3, absence=60))
        await at.throw(1, 3)
        idle = await at_table(client, ref(abandonment=60))
        before = await at.get()
    time.passes(30)
    async with timed(time, database) as (found, client):
        at.client = idle.client = client
        await swept(found)
        assert await at.get() == before
    time.passes(31)
    async with timed(time, database) as (found, client):
        at.client = idle.client = client
        await swept(found)
        assert (await at.get()).state.match.winner == WHITE
        assert (await idle.get()).state.closed.reason == table.CLOSE_REASON_ABANDONED


@pytest.mark.needs_postgres
async def test_another_server_on_the_database_sees_to_it_once(
    postgres: Postgres, time: Time
) -> None:
    url = postgres.new_url()
    async with timed(time, url) as (one, first), timed(time, url) as (two, second):
        tables = []
        for number in range(12):
            fields: dict[str, Any] = {"absence": 60} if number % 2 else {"abandonment": 60}
            at = await at_table(first if number % 3 else second, ref(match_length=3, **fields))
            await at.throw(1, 3)
            tables.append(at)
        streams = []
        for at in tables[:4]:
            at.client = second
            watch = service.WatchTableRequest(table=at.id, after_revision=at.state.revision)
            streams.append(second.WatchTable(watch))
        time.passes(61)
        await asyncio.gather(*(swept(server) for server in (one, two, one, two)))
        for stream in streams:
            event = (await asyncio.wait_for(stream.read(), 20)).event
            assert event.seat == 0
            stream.cancel()
        for at in tables:
            for client in (first, second):
                at.client = client
                state = (await at.get()).state
                assert state.revision == at.state.revision + 1
                assert state.match.winner == WHITE or state.closed.void
        # Acts and sweeps at once, at both: of each table one thing is true.
        races = [await at_table(first, ref(match_length=3, absence=60)) for _ in range(8)]
        for at in races:
            await at.throw(1, 3)
        time.passes(61)
        works: list[Any] = [swept(one), swept(two)]
        for at in races:
            at.client = second
            works.append(at.play("8/5 6/5"))
        await asyncio.gather(*works, return_exceptions=True)
        for at in races:
            kinds = [event.action.WhichOneof("kind") for event in await events(at)]
            assert kinds.count("flag") == 1
            assert "play" not in kinds
