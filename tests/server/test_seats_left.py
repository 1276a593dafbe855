"""Getting up, and being sent away, before a match has begun."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import grpc
import pytest

from bgcore import Action, Seat
from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_server import tokens
from bgcore_server.errors import NotAllowed
from bgcore_server.tables.rights import Caller
from bgcore_server.tables.seating import Sitting
from tests.server.helpers import (
    BLACK,
    RESIGN_MATCH,
    THROW,
    WHITE,
    AtTable,
    Client,
    ref,
    refusal_of,
    request_id,
    running,
)
from tests.server.test_tables import channel
from tests.server.wanting import events, tables_of

if TYPE_CHECKING:
    from tests.postgres import Postgres

DENIED = grpc.StatusCode.PERMISSION_DENIED


@pytest.fixture
async def made(client: Client) -> service.CreateTableResponse:
    made: service.CreateTableResponse = await client.CreateTable(
        service.CreateTableRequest(variant=ref())
    )
    return made


async def join(client: Client, id: str, seat: int = 0, **more: str) -> service.JoinTableResponse:
    request = service.JoinTableRequest(table=id, seat=seat, **more)  # type: ignore[arg-type]
    joined: service.JoinTableResponse = await client.JoinTable(request)
    return joined


async def leave(client: Client, id: str, token: str, seat: int = 0) -> service.LeaveTableResponse:
    request = service.LeaveTableRequest(table=id, seat=seat)  # type: ignore[arg-type]
    left: service.LeaveTableResponse = await client.LeaveTable(request, token=token)
    return left


async def test_who_gets_up_leaves_the_seat_free(
    client: Client, made: service.CreateTableResponse
) -> None:
    name = made.table.id
    joined = await join(client, name, WHITE, name="Ann")
    left = await leave(client, name, joined.token)
    assert not left.table.white.taken
    assert left.table.white.player.name == ""
    assert left.table.status == table.TABLE_STATUS_WAITING
    event = (await client.ListEvents(service.ListEventsRequest(table=name))).events[-1]
    assert (event.seat, event.seat_left.kicked) == (WHITE, False)
    again = await join(client, name, WHITE, name="Bea")
    assert again.table.white.player.name == "Bea"
    assert again.token != joined.token


async def test_the_token_is_lost_with_the_seat(
    client: Client, made: service.CreateTableResponse
) -> None:
    joined = await join(client, made.table.id)
    await leave(client, made.table.id, joined.token)
    found = await refusal_of(leave(client, made.table.id, joined.token))
    assert (found.code, found.reason) == (DENIED, "TOKEN_UNKNOWN")
    await join(client, made.table.id)
    await join(client, made.table.id)
    request = service.ActRequest(table=made.table.id, action=table.Action(**THROW))
    found = await refusal_of(client.Act(request, token=joined.token))
    assert (found.code, found.reason) == (DENIED, "TOKEN_UNKNOWN")


async def test_a_join_repeated_after_that_does_not_bring_it_back(
    client: Client, made: service.CreateTableResponse
) -> None:
    again = request_id()
    joined = await join(client, made.table.id, request_id=again)
    await leave(client, made.table.id, joined.token)
    found = await refusal_of(join(client, made.table.id, request_id=again))
    assert (found.code, found.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "SEAT_LEFT")
    await join(client, made.table.id, WHITE)
    found = await refusal_of(join(client, made.table.id, request_id=again))
    assert found.reason == "SEAT_LEFT"


async def test_the_host_sends_somebody_away(
    client: Client, made: service.CreateTableResponse
) -> None:
    joined = await join(client, made.table.id, BLACK)
    left = await leave(client, made.table.id, made.host_token, BLACK)
    assert not left.table.black.taken
    event = (await client.ListEvents(service.ListEventsRequest(table=made.table.id))).events[-1]
    assert (event.seat, event.seat_left.kicked) == (BLACK, True)
    assert (await refusal_of(leave(client, made.table.id, joined.token))).code == DENIED


async def test_the_host_names_the_seat(client: Client, made: service.CreateTableResponse) -> None:
    await join(client, made.table.id, BLACK)
    assert (await refusal_of(leave(client, made.table.id, made.host_token))).code == DENIED
    found = await refusal_of(leave(client, made.table.id, made.host_token, WHITE))
    assert found.reason == "SEAT_FREE"


async def test_nobody_leaves_a_match(client: Client, made: service.CreateTableResponse) -> None:
    white = await join(client, made.table.id, WHITE)
    black = await join(client, made.table.id, BLACK)
    for token, seat in ((white.token, 0), (made.host_token, BLACK)):
        found = await refusal_of(leave(client, made.table.id, token, seat))
        assert (found.code, found.reason) == (
            grpc.StatusCode.FAILED_PRECONDITION,
            "MATCH_BEGUN",
        )
    both: dict[int, str] = {WHITE: white.token, BLACK: black.token}
    at = AtTable(client, made.table.id, both, black.state)
    await at.act(WHITE, **RESIGN_MATCH)
    assert (await refusal_of(leave(client, at.id, white.token))).reason == "MATCH_BEGUN"


async def test_a_bot_is_not_sent_away(client: Client) -> None:
    bot = table.Occupant(bot=table.Bot(id="random"))
    request = service.CreateTableRequest(variant=ref(), black=bot)
    made = await client.CreateTable(request)
    found = await refusal_of(leave(client, made.table.id, made.host_token, BLACK))
    assert found.reason == "SEAT_FREE"


async def test_a_seed_of_committed_dice_goes_with_its_player(client: Client) -> None:
    made = await client.CreateTable(
        service.CreateTableRequest(variant=ref(), dice_mode=table.DICE_MODE_COMMITTED)
    )
    one = await join(client, made.table.id, WHITE, dice_seed="one")
    left = await leave(client, made.table.id, one.token)
    assert left.state.dice.white_seed == ""
    two = await join(client, made.table.id, WHITE, dice_seed="two")
    assert two.state.dice.white_seed == "two"
    assert two.state.dice.commitment == made.state.dice.commitment


async def test_a_restart_keeps_who_has_left(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/a.db"
    async with running(database) as one, channel(one.grpc) as client:
        made = await client.CreateTable(service.CreateTableRequest(variant=ref()))
        joined = await join(client, made.table.id)
        await leave(client, made.table.id, joined.token)
        before = await client.GetTable(service.GetTableRequest(table=made.table.id))
    async with running(database) as two, channel(two.grpc) as client:
        get = service.GetTableRequest(table=made.table.id)
        assert await client.GetTable(get) == before
        assert (await refusal_of(leave(client, made.table.id, joined.token))).code == DENIED


async def test_whoever_has_left_while_he_waited_acts_for_nobody() -> None:
    """All of it waits for one lock: the seat is another's when the act's turn comes."""
    async with running() as found:
        tables = tables_of(found)
        async with channel(found.grpc) as client:
            made = await client.CreateTable(
                service.CreateTableRequest(variant=ref(), dice_mode=table.DICE_MODE_MANUAL)
            )
            joined = await join(client, made.table.id, WHITE)
        live = await tables.get(made.table.id)
        old = Caller(secret=tokens.hashed(joined.token))
        async with live.lock:
            tasks = [
                asyncio.create_task(one)
                for one in (
                    tables.leave(live, Seat.WHITE, old),
                    tables.join(live, Sitting(Seat.WHITE, "Bea", Caller())),
                    tables.join(live, Sitting(Seat.BLACK, "Cid", Caller())),
                    tables.act(live, Seat.WHITE, Action.throw(6, 1), caller=old),
                    tables.leave(live, Seat.WHITE, old),
                )
            ]
            await asyncio.sleep(0)
        results = await asyncio.gather(*tasks, return_exceptions=True)
        assert [isinstance(one, NotAllowed) for one in results] == [False] * 3 + [True] * 2
        assert live.revision == 4


@pytest.mark.needs_postgres
async def test_nor_at_a_server_that_has_not_heard_of_it(postgres: Postgres) -> None:
    url = postgres.new_url()
    async with (
        running(url) as one,
        running(url) as two,
        channel(one.grpc) as first,
        channel(two.grpc) as second,
    ):
        made = await first.CreateTable(
            service.CreateTableRequest(variant=ref(), dice_mode=table.DICE_MODE_MANUAL)
        )
        ann = await join(second, made.table.id, WHITE)
        await second.GetTable(service.GetTableRequest(table=made.table.id))
        await leave(first, made.table.id, made.host_token, WHITE)
        await join(first, made.table.id, WHITE)
        black = await join(first, made.table.id, BLACK)
        throw = table.Action(throw=table.ThrowAction(dice=(6, 1)))
        request = service.ActRequest(table=made.table.id, action=throw)
        found = await refusal_of(second.Act(request, token=ann.token))
        assert (found.code, found.reason) == (DENIED, "TOKEN_UNKNOWN")
        at = AtTable(second, made.table.id, {BLACK: black.token}, black.state)
        assert len(await events(at)) == 4
