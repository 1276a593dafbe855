"""Connections that are slow, idle, rude or too many are not held on to; others are served."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest

from bgcore_client import AsyncClient
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_server.adapters import grpc as adapter
from bgcore_server.limit_settings import GrpcSettings, QuotaSettings, WebSettings
from tests.server.helpers import ANYWHERE, Client, Running, ref, refusal_of, running
from tests.server.http2 import MAX_HEADERS, MAX_STREAMS, PING, Http2, frame
from tests.server.test_quotas import NOBODY, question
from tests.server.test_web import PLAYS, QUESTION, call

BODY = json.dumps(QUESTION).encode()
HEAD = b"POST " + PLAYS.encode() + b" HTTP/1.1\r\nhost: test\r\ncontent-type: application/json\r\n"
ENHANCE_YOUR_CALM = 11


@asynccontextmanager
async def web(quota: QuotaSettings | None = None, **limits: Any) -> AsyncIterator[Running]:
    """A server with limits for the connections of its web port."""
    more: dict[str, Any] = {"quota": quota} if quota else {}
    async with running(http=ANYWHERE, web=WebSettings(**limits), **more) as server:
        yield server
        assert (await call(server, PLAYS, BODY)).status == 200, "others are served"
    assert not server.faults.found


async def connect(server: Running) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    assert server.http is not None
    return await asyncio.open_connection(server.http.host, server.http.port)


async def listens(server: Running) -> bool:
    """Whether somebody new could connect."""
    try:
        (await connect(server))[1].close()
    except ConnectionError:
        return False
    return True


async def rest(reader: asyncio.StreamReader) -> bytes:
    """What comes before the server hangs up."""
    found = b""
    try:
        while part := await reader.read(65536):
            found += part
    except ConnectionError:
        pass
    return found


# -- the web port -------------------------------------------------------------------------------------


async def test_who_connects_and_says_nothing_is_hung_up_on() -> None:
    async with web(request_time=0.2) as server:
        reader, writer = await connect(server)
        assert await rest(reader) == b""
        writer.close()


async def test_a_call_on_a_kept_connection_is_answered_though_the_server_has_begun_to_stop() -> (
    None
):
    """As a proxy sends it, who cannot know."""
    whole = HEAD + b"content-length: %d\r\n\r\n" % len(BODY) + BODY
    async with running(http=ANYWHERE) as server:
        reader, writer = await connect(server)
        writer.write(whole)
        head = await reader.readuntil(b"\r\n\r\n")
        assert b"connection: close" not in head
        stopping = asyncio.create_task(server.server.stop())
        while await listens(server):
            await asyncio.sleep(0.001)
        writer.write(whole)
        last = (await rest(reader)).rpartition(b"HTTP/1.1 ")[2]
        assert last.startswith(b"200 ")
        assert b"connection: close" in last
        writer.close()
        await stopping
    assert not server.faults.found


@pytest.mark.parametrize(
    "first", [b"", HEAD, HEAD + b"content-length: 100000\r\n\r\n", HEAD + b"x: "]
)
async def test_who_sends_a_byte_now_and_then_is_hung_up_on(first: bytes) -> None:
    async with web(request_time=0.3) as server:
        reader, writer = await connect(server)
        writer.write(first)
        hung_up = asyncio.create_task(rest(reader))
        while not hung_up.done():
            writer.write(b"x")
            await asyncio.sleep(0.02)
        assert await hung_up == b""
        writer.close()


async def test_the_second_request_of_a_connection_must_come_in_time_too() -> None:
    async with web(request_time=0.3) as server:
        reader, writer = await connect(server)
        for _ in range(2):
            writer.write(HEAD + b"content-length: %d\r\n\r\n" % len(BODY) + BODY)
            await reader.readuntil(b"HTTP/1.1 200 OK")
        hung_up = asyncio.create_task(rest(reader))
        for byte in HEAD * 100:
            if hung_up.done():
                break
            writer.write(bytes([byte]))
            await asyncio.sleep(0.02)
        assert b"HTTP/1.1" not in await hung_up
        writer.close()


async def test_a_watch_is_not_a_slow_request() -> None:
    async with web(request_time=0.1, keep_alive=1) as server, channel_of(server) as channel:
        made = await Client(channel).CreateTable(service.CreateTableRequest(variant=ref()))
        reader, writer = await connect(server)
        body = json.dumps({"table": made.table.id}).encode()
        framed = bytes([0]) + len(body).to_bytes(4, "big") + body
        head = HEAD.replace(PLAYS.encode(), b"/bgcore.v1.TableService/WatchTable")
        head = head.replace(b"application/json", b"application/connect+json")
        writer.write(head + b"content-length: %d\r\n\r\n" % len(framed) + framed)
        await reader.readuntil(b"snapshot")
        await asyncio.sleep(0.3)
        assert not reader.at_eof()
        writer.close()


async def test_who_does_not_read_what_he_asked_for_is_hung_up_on() -> None:
    async with web(send_time=0.2) as server:
        assert server.http is not None
        plain = socket.socket()
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        plain.connect((server.http.host, server.http.port))
        reader, writer = await asyncio.open_connection(sock=plain)
        assert reader  # which nobody reads
        with pytest.raises(ConnectionError):
            await ask_forever(writer)
        writer.close()


async def ask_forever(writer: asyncio.StreamWriter) -> None:
    head = HEAD.replace(PLAYS.encode(), b"/bgcore.v1.VariantService/GetVariant")
    body = b'{"id": "western"}'
    while True:
        writer.write(head + b"content-length: %d\r\n\r\n" % len(body) + body)
        await writer.drain()


async def test_an_idle_connection_is_closed() -> None:
    async with web(keep_alive=1) as server:
        reader, writer = await connect(server)
        writer.write(HEAD + b"content-length: %d\r\n\r\n" % len(BODY) + BODY)
        assert (await rest(reader)).startswith(b"HTTP/1.1 200 OK")
        writer.close()


async def test_headers_have_a_limit() -> None:
    async with web(headers=2048) as server:
        reader, writer = await connect(server)
        writer.write(HEAD + b"x: " + b"y" * 3000)
        assert (await rest(reader)).startswith(b"HTTP/1.1 400 Bad Request")
        writer.close()


async def test_one_address_has_only_so_many_connections() -> None:
    async with running(
        http=ANYWHERE, web=WebSettings(address_connections=3), quota=QuotaSettings(**NOBODY)
    ) as server:
        held = [await connect(server) for _ in range(3)]
        while len(server.server._web._server.server_state.connections) < 3:  # type: ignore[union-attr]
            await asyncio.sleep(0.001)
        reader, writer = await connect(server)
        assert await rest(reader) == b""
        writer.close()
        held.pop()[1].close()
        while len(server.server._web._server.server_state.connections) > 2:  # type: ignore[union-attr]
            await asyncio.sleep(0.001)
        assert (await call(server, PLAYS, BODY)).status == 200
        for _, writer in held:
            writer.close()


async def test_more_connections_than_there_are_places_for_are_told_so() -> None:
    async with web(connections=4) as server:
        held = [await connect(server) for _ in range(4)]
        answer = await call(server, PLAYS, BODY)
        assert answer.status == 503
        for _, writer in held:
            writer.close()
        while server.server._web._server.server_state.connections:  # type: ignore[union-attr]
            await asyncio.sleep(0.001)


# -- gRPC ---------------------------------------------------------------------------------------------


@asynccontextmanager
async def rpc(**limits: Any) -> AsyncIterator[Running]:
    """A server with limits for the connections of its gRPC port."""
    async with running(grpc=GrpcSettings(**limits), heartbeat=0.1) as server:
        yield server
        async with channel_of(server) as channel:
            await Client(channel).ListPlays(question())
    assert not server.faults.found


def channel_of(server: Running) -> grpc.aio.Channel:
    return grpc.aio.insecure_channel(str(server.grpc))


async def test_a_client_is_told_how_much_it_may() -> None:
    async with rpc(streams=7) as server:
        http2 = await Http2.to(server.grpc)
        allowed = await http2.settings()
        assert allowed[MAX_STREAMS] == 7
        assert adapter.HEADERS <= allowed[MAX_HEADERS] <= 2 * adapter.HEADERS
        http2.close()


async def test_who_pings_too_much_is_hung_up_on() -> None:
    async with rpc(min_ping=10) as server:
        http2 = await Http2.to(server.grpc)
        await http2.settings()
        http2.writer.write(frame(PING, b"12345678") * 6)
        code, words = await http2.gone()
        assert (code, words) == (ENHANCE_YOUR_CALM, b"too_many_pings")
        http2.close()


async def test_a_connection_without_calls_is_closed() -> None:
    async with rpc(max_idle=1) as server:
        http2 = await Http2.to(server.grpc)
        await http2.settings()
        _, words = await http2.gone()
        assert b"idle" in words
        http2.close()


async def test_who_connects_to_grpc_and_says_nothing_is_hung_up_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(adapter, "HANDSHAKE_MS", 300)
    async with rpc() as server:
        reader, writer = await asyncio.open_connection(server.grpc.host, server.grpc.port)
        await rest(reader)
        writer.close()


async def test_an_old_connection_ends_and_watches_go_on() -> None:
    async with rpc(max_age=1, age_grace=0.2) as server, channel_of(server) as channel:
        client = Client(channel)
        made = await client.CreateTable(service.CreateTableRequest(variant=ref()))
        watch = client.WatchTable(service.WatchTableRequest(table=made.table.id))
        with pytest.raises(grpc.aio.AioRpcError) as ended:
            async for _ in watch:
                pass
        assert ended.value.code() is grpc.StatusCode.UNAVAILABLE
        await client.ListPlays(question())  # on a new connection
        async with AsyncClient(str(server.grpc)) as ours:
            table = ours.table(made.table.id)
            white, black = [await table.join(seat) for seat in ("white", "black")]
            news = table.watch()
            await anext(news)
            await asyncio.sleep(2)  # longer than a connection lives
            await white.throw()
            await anext(news)
            await news.aclose()
            assert black.key.table == made.table.id


async def test_more_calls_than_a_connection_may_have_wait() -> None:
    async with rpc(streams=3) as server, channel_of(server) as channel:
        client = Client(channel)
        made = await client.CreateTable(service.CreateTableRequest(variant=ref()))
        request = service.WatchTableRequest(table=made.table.id)
        watches = [client.WatchTable(request) for _ in range(3)]
        for watch in watches:
            await watch.read()
        call = asyncio.ensure_future(client.ListPlays(question()))
        apart = (("grpc.use_local_subchannel_pool", 1),)  # else it would share the connection
        async with grpc.aio.insecure_channel(str(server.grpc), apart) as another:
            await Client(another).ListPlays(question())
        assert not call.done()
        watches[0].cancel()
        await call
        for watch in watches[1:]:
            watch.cancel()


async def test_headers_that_are_too_large_are_refused_by_grpc_itself() -> None:
    async with rpc() as server, channel_of(server) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await Client(channel).ListPlays(question(), token="x" * 20_000)
        assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        large = "x" * 9000
        found = await refusal_of(Client(channel).Act(service.ActRequest(table="none"), token=large))
        assert found.code is not grpc.StatusCode.RESOURCE_EXHAUSTED
