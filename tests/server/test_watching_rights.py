"""A watch ends when a new one would be refused, with the same words, and tells nothing after that."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_server.errors import NotFound
from bgcore_server.tables import Tables
from bgcore_server.tables.rights import ANYBODY, Caller
from bgcore_server.tokens import hashed
from tests.server.helpers import BLACK, WHITE, Client, Refused, Running, ref, refused, running
from tests.server.known_accounts import accounts, signed
from tests.server.test_private_tables import join, player, private
from tests.server.test_tables import channel

NEVER = 3600.0
SKEW = 30


@pytest.fixture
async def server() -> AsyncIterator[Running]:
    async with running(heartbeat=NEVER, **accounts()) as found:
        yield found
    assert not found.faults.found


def watch(client: Client, id: str, token: str = "", after: int | None = None) -> Any:
    return client.WatchTable(service.WatchTableRequest(table=id, after_revision=after), token=token)


async def end_of(stream: Any) -> tuple[list[Any], Refused]:
    """What else a watch tells, and what it ends with."""
    told = []
    try:
        async with asyncio.timeout(5):
            while (news := await stream.read()) is not grpc.aio.EOF:
                told.append(news)
    except grpc.aio.AioRpcError as error:
        return told, refused(error)
    raise AssertionError("it ended as if all were well")


async def refused_like_a_new_one(client: Client, id: str, token: str, stream: Any) -> Refused:
    """What a watch ends with at once; a new watch must be refused with the same."""
    told, why = await end_of(stream)
    assert not told
    told, anew = await end_of(watch(client, id, token))
    assert not told
    assert (why.code, why.reason, why.message) == (anew.code, anew.reason, anew.message)
    return why


async def kick(client: Client, id: str, seat: int, host: str) -> None:
    await client.LeaveTable(service.LeaveTableRequest(table=id, seat=seat), token=host)  # type: ignore[arg-type]


async def begun(client: Client, id: str, token: str, after: int | None = None) -> Any:
    """A watch that has told where the table stands."""
    stream = watch(client, id, token, after)
    assert (await stream.read()).HasField("snapshot")
    return stream


@pytest.mark.parametrize("account", ["", "ann"])
async def test_who_is_sent_away_from_a_private_table_hears_no_more(
    client: Client, account: str
) -> None:
    made = await private(client)
    name = made.table.id
    request = service.JoinTableRequest(table=name, seat=WHITE, invitation=made.invitation_token)
    joined = await client.JoinTable(request, token=signed(account) if account else "")
    token = signed(account) if account else joined.token
    gone = await begun(client, name, token)
    stays = [
        await begun(client, name, one)
        for one in (made.host_token, made.invitation_token, made.spectator_token)
    ]
    await kick(client, name, WHITE, made.host_token)
    await join(client, name, made.invitation_token, name="Eve")
    why = await refused_like_a_new_one(client, name, token, gone)
    assert (why.code, why.reason) == (grpc.StatusCode.NOT_FOUND, "UNKNOWN_TABLE")
    for stream in stays:
        assert (await stream.read()).event.seat_left.kicked
        assert (await stream.read()).event.seat_taken.player.name == "Eve"
        stream.cancel()


async def test_who_leaves_a_private_table_hears_no_more(client: Client) -> None:
    made = await private(client)
    joined = await join(client, made.table.id, made.invitation_token)
    stream = await begun(client, made.table.id, joined.token)
    request = service.LeaveTableRequest(table=made.table.id)
    await client.LeaveTable(request, token=joined.token)
    await refused_like_a_new_one(client, made.table.id, joined.token, stream)


async def test_who_is_far_behind_when_he_is_sent_away_gets_nothing_more(server: Running) -> None:
    tables = server.server._tables
    assert isinstance(tables, Tables)
    async with channel(server.grpc) as client:
        made = await private(client)
        live = await tables.get(made.table.id)
        for _ in range(3):
            await join(client, made.table.id, made.invitation_token, seat=BLACK)
            await kick(client, made.table.id, BLACK, made.host_token)
        joined = await join(client, made.table.id, made.invitation_token, seat=WHITE)
        caller = Caller(secret=hashed(joined.token))
        news = tables.watch(live, 0, lambda: caller)
        assert [(await anext(news)).event.revision for _ in range(2)] == [1, 2]  # type: ignore[union-attr]
        await kick(client, made.table.id, WHITE, made.host_token)
        with pytest.raises(NotFound, match="the id of a table"):
            await anext(news)
        assert live.watchers == 0


async def test_who_was_sent_away_from_a_public_table_may_look_on(client: Client) -> None:
    made = await client.CreateTable(service.CreateTableRequest(variant=ref()))
    joined = await join(client, made.table.id, "")
    stream = await begun(client, made.table.id, joined.token)
    await kick(client, made.table.id, joined.seat, made.host_token)
    assert (await stream.read()).event.seat_left.kicked
    stream.cancel()


async def test_an_account_for_which_the_seat_is_still_kept_may_look_on(client: Client) -> None:
    made = await private(client, black=player("kim"))
    await join(client, made.table.id, signed("kim"))
    stream = await begun(client, made.table.id, signed("kim"))
    await kick(client, made.table.id, BLACK, made.host_token)
    assert (await stream.read()).event.seat_left.kicked
    stream.cancel()


async def test_a_watch_of_an_account_ends_when_its_token_expires(client: Client) -> None:
    made = await private(client, black=player("kim"))
    token = signed("kim", lasts=2.5 - SKEW)
    stream = await begun(client, made.table.id, token)
    started = time.monotonic()
    why = await refused_like_a_new_one(client, made.table.id, token, stream)
    assert (why.code, why.reason) == (grpc.StatusCode.UNAUTHENTICATED, "TOKEN_EXPIRED")
    assert time.monotonic() - started < 4


async def test_what_everybody_may_see_asks_for_no_token(client: Client) -> None:
    made = await client.CreateTable(service.CreateTableRequest(variant=ref()))
    stream = await begun(client, made.table.id, signed("kim", lasts=-3600))
    await join(client, made.table.id, "", name="Ann")
    assert (await stream.read()).event.seat_taken.player.name == "Ann"
    stream.cancel()


async def test_a_watch_of_an_account_ends_when_the_key_is_withdrawn(tmp_path: Path) -> None:
    known = accounts()
    keys = tmp_path / "keys"
    keys.write_bytes(known["accounts"]["key_file"].read_bytes())
    known["accounts"]["key_file"] = keys
    async with running(heartbeat=0.2, **known) as server, channel(server.grpc) as client:
        made = await private(client, black=player("kim"))
        stream = await begun(client, made.table.id, signed("kim"))
        assert (await stream.read()).HasField("heartbeat")
        other = ed25519.Ed25519PrivateKey.generate().public_key()
        keys.write_bytes(other.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
        told, why = await end_of(stream)
        assert all(news.HasField("heartbeat") for news in told)
        assert why.reason == "TOKEN_SIGNATURE"


@pytest.mark.parametrize("visibility", [table.VISIBILITY_PUBLIC, table.VISIBILITY_PRIVATE])
async def test_a_watch_ends_when_its_table_is_forgotten(
    server: Running, client: Client, visibility: table.Visibility
) -> None:
    request = service.CreateTableRequest(variant=ref(), visibility=visibility)
    made = await client.CreateTable(request)
    stream = await begun(client, made.table.id, made.host_token)
    tables = server.server._tables
    assert isinstance(tables, Tables)
    live = await tables.get(made.table.id)
    await tables.store.delete(live.number)
    tables.loaded.forget(made.table.id)
    why = await refused_like_a_new_one(client, made.table.id, made.host_token, stream)
    assert why.reason == "UNKNOWN_TABLE"


async def test_a_watch_of_a_closed_table_goes_on(client: Client) -> None:
    made = await private(client)
    stream = await begun(client, made.table.id, made.spectator_token)
    await client.CloseTable(service.CloseTableRequest(table=made.table.id), token=made.host_token)
    assert (await stream.read()).event.HasField("closed")
    again = await begun(client, made.table.id, made.spectator_token)
    for one in (stream, again):
        one.cancel()


async def test_nobody_watches_a_private_table_without_proof(
    server: Running, client: Client
) -> None:
    made = await private(client)
    tables = server.server._tables
    assert isinstance(tables, Tables)
    live = await tables.get(made.table.id)
    with pytest.raises(NotFound, match="the id of a table"):
        await anext(tables.watch(live, None, lambda: ANYBODY))
