"""Requests over gRPC are read a few of one caller at a time, and not for ever; nothing of a refused one stays."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest

from bgcore_proto.v1 import rules_service_pb2 as rules
from bgcore_server import turns
from bgcore_server.limit_settings import GrpcSettings, QuotaSettings
from tests.server.helpers import ANYWHERE, Running, refusal_of, running
from tests.server.test_quotas import question
from tests.server.test_web import PLAYS, call

A, B = (("x-forwarded-for", "192.0.2.1"),), (("x-forwarded-for", "192.0.2.2"),)
"""Two callers, as a proxy tells them."""

LARGE = b"\xfa\x3f\x00" * 300_000
"""900 kB of a field that no request has."""


@asynccontextmanager
async def reading(
    at_once: int = 16, request_time: float = 30.0
) -> AsyncIterator[tuple[Running, grpc.aio.Channel]]:
    """A server whose callers are told apart by what a proxy says, and a line to it."""
    quota = QuotaSettings.model_validate(
        {"unlimited": "none", "trusted_proxies": "127.0.0.0/8", "address_reading": at_once}
    )
    limits = GrpcSettings(request_time=request_time)
    async with (
        running(quota=quota, grpc=limits, http=ANYWHERE) as server,
        grpc.aio.insecure_channel(str(server.grpc)) as channel,
    ):
        yield server, channel
    assert not server.faults.found


def begun(channel: grpc.aio.Channel, who: Any = A) -> Any:
    """A call of which no request comes."""

    async def nothing() -> AsyncIterator[bytes]:
        await asyncio.Event().wait()
        yield b""

    rpc: Any = channel.stream_unary(PLAYS)
    return rpc(nothing(), metadata=who)


def asked(channel: grpc.aio.Channel, who: Any = A) -> Any:
    """A call with a request that is answered."""
    rpc: Any = channel.unary_unary(PLAYS)
    return rpc(question().SerializeToString(), metadata=who)


async def reason(call: Any) -> str:
    """Why a call is refused."""
    return (await refusal_of(call)).reason


async def test_a_request_that_does_not_come_in_is_given_up() -> None:
    async with reading(request_time=0.5) as (_, channel):
        assert await asyncio.wait_for(reason(begun(channel)), 20) == "REQUEST_TOO_SLOW"
        await asked(channel)


async def test_who_sends_nothing_holds_up_nobody_else() -> None:
    async with reading(at_once=2, request_time=2.0) as (_, channel):
        slow = [begun(channel) for _ in range(2)]
        await asyncio.sleep(0.3)
        own = asyncio.ensure_future(asked(channel))
        for _ in range(5):
            await asked(channel, B)
        assert not own.done()
        assert [await reason(one) for one in slow] == ["REQUEST_TOO_SLOW"] * 2
        await own


async def test_of_one_address_only_so_many_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "MOST_WAITING", 3)
    async with reading(at_once=1, request_time=60) as (_, channel):
        first = begun(channel)
        await asyncio.sleep(0.3)
        waiting = [asyncio.ensure_future(asked(channel)) for _ in range(3)]
        await asyncio.sleep(0.3)
        assert await reason(asked(channel)) == "TOO_MANY_UNREAD"
        waiting.pop().cancel()  # who leaves makes room
        await asyncio.sleep(0.3)
        waiting.append(asyncio.ensure_future(asked(channel)))
        await asyncio.sleep(0.3)
        assert not any(one.done() for one in waiting)
        first.cancel()
        await asyncio.gather(*waiting)


async def test_many_at_once_are_all_read() -> None:
    async with reading(at_once=3) as (_, channel):
        await asyncio.gather(*(asked(channel) for _ in range(300)))


async def test_a_call_without_a_request_is_refused() -> None:
    async with reading() as (_, channel):
        rpc: Any = channel.stream_unary(PLAYS)
        assert await reason(rpc(iter(()), metadata=A)) == "NO_REQUEST"


async def test_a_stop_waits_for_no_request_of_which_nothing_comes() -> None:
    async with reading(request_time=60) as (server, channel):
        slow = begun(channel)
        await asyncio.sleep(0.3)
        stopping = asyncio.ensure_future(server.server.stop())
        assert await asyncio.wait_for(reason(slow), 20) == "SERVER_STOPPING"
        await stopping


@pytest.mark.parametrize("port", ["grpc", "http"])
async def test_nothing_of_a_refused_request_stays(port: str) -> None:
    """Not even until Python looks for circles, which it does by their number and not by their size."""
    async with reading() as (server, channel):
        gc.collect()
        gc.disable()
        try:
            for _ in range(3):
                if port == "grpc":
                    rpc: Any = channel.unary_unary(PLAYS)
                    assert await reason(rpc(LARGE, metadata=A)) == "VARIANT_MISSING"
                else:
                    answer = await call(server, PLAYS, LARGE, "application/proto")
                    assert answer.info.reason == "VARIANT_MISSING"
            await asyncio.sleep(0.2)
            found = (one for one in gc.get_objects() if isinstance(one, rules.ListPlaysRequest))
            kept = [one.ByteSize() for one in found if one.ByteSize() >= len(LARGE)]
        finally:
            gc.enable()
        assert kept == []


# -- the web port -------------------------------------------------------------------------------------


HEAD = f"POST {PLAYS} HTTP/1.1\r\nhost: test\r\ncontent-type: application/proto\r\n"


@pytest.mark.parametrize("sent", [0, 200_000])
async def test_large_bodies_take_turns_and_small_ones_do_not(sent: int) -> None:
    """One that says how large it is takes its turn before anything of it comes."""
    async with reading(at_once=1) as (server, _):
        assert server.http is not None
        reader, writer = await asyncio.open_connection(server.http.host, server.http.port)
        writer.write(f"{HEAD}content-length: {len(LARGE)}\r\n\r\n".encode() + LARGE[:sent])
        await asyncio.sleep(0.3)
        other = asyncio.ensure_future(call(server, PLAYS, LARGE, "application/proto"))
        small = await call(server, PLAYS, question().SerializeToString(), "application/proto")
        assert small.status == 200
        await asyncio.sleep(0.2)
        assert not other.done()
        writer.write(LARGE[sent:])
        assert (await reader.readline()).startswith(b"HTTP/1.1 400")
        writer.close()
        assert (await other).info.reason == "VARIANT_MISSING"


async def test_a_body_that_does_not_say_how_large_it_is_takes_its_turn_when_that_is_seen() -> None:
    async with reading(at_once=1) as (server, _):
        assert server.http is not None
        reader, writer = await asyncio.open_connection(server.http.host, server.http.port)
        writer.write(f"{HEAD}transfer-encoding: chunked\r\n\r\n".encode())
        await asyncio.sleep(0.2)
        assert (await call(server, PLAYS, LARGE, "application/proto")).status == 400
        writer.write(f"{len(LARGE):x}\r\n".encode() + LARGE[:200_000])
        await asyncio.sleep(0.3)
        other = asyncio.ensure_future(call(server, PLAYS, LARGE, "application/proto"))
        await asyncio.sleep(0.3)
        assert not other.done()
        writer.write(LARGE[200_000:] + b"\r\n0\r\n\r\n")
        assert (await reader.readline()).startswith(b"HTTP/1.1 400")
        writer.close()
        assert (await other).info.reason == "VARIANT_MISSING"


@pytest.mark.parametrize("size", [1 << 20 | 1, 4 << 20])
async def test_a_body_that_is_too_large_is_told_when_it_has_been_heard(size: int) -> None:
    async with reading() as (server, _):
        for kind in ("application/proto", "application/json"):
            answer = await call(server, PLAYS, b" " * size, kind)
            assert answer.info.reason == "MESSAGE_TOO_LARGE"
            assert answer.info.metadata["value"] == f"of {size} bytes"
