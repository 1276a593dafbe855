"""Watches: a thousand of them, readers that do not read, storms, calls that are given up at any moment."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable
from typing import Any

import grpc

from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import rules_service_pb2 as rules
from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from tests.hostile.answers import framed
from tests.hostile.attacks.wires import request_headers
from tests.hostile.http1 import HungUp, answer, connected, hang_up, post
from tests.hostile.port import Streams
from tests.hostile.senders import path_of
from tests.hostile.stage import BY_NAME, Stage
from tests.server.helpers import opening, ref
from tests.server.http2 import Http2, frame

WATCH = path_of(BY_NAME["WatchTable"])
PLAYS = path_of(BY_NAME["ListPlays"])
OWN_CONNECTION = (("grpc.use_local_subchannel_pool", 1),)


def _watch(stage: Stage) -> bytes:
    return service.WatchTableRequest(table=stage.maker.known["table"][0]).SerializeToString()


def _open(channel: grpc.aio.Channel, asked: bytes) -> Any:
    rpc: Any = channel.unary_stream(WATCH)
    return rpc(asked)


async def a_thousand_watches(stage: Stage) -> None:
    """A thousand on one connection, a hundred on connections of their own, a hundred over HTTP."""
    before = await stage.victim.open_calls(), stage.victim.files()
    await _thousand(stage, _watch(stage))
    await stage.settled(*before)


async def _thousand(stage: Stage, asked: bytes) -> None:
    async with (
        stage.victim.grpc.channel(options=OWN_CONNECTION) as one,
        contextlib.AsyncExitStack() as stack,
    ):
        watches, found = [], list[bool]()
        for n in range(1100):
            channel = one
            if n >= 1000:
                lone = stage.victim.grpc.channel(options=OWN_CONNECTION)
                channel = await stack.enter_async_context(lone)
            watches.append(_open(channel, asked))
            if n % 100 == 99:  # of more that come at once grpc's library cancels some
                found += await asyncio.gather(*(_first(watch) for watch in watches[-100:]))
        stage.tally.counts["grpc", "watch"] += sum(found)
        if stage.generous:
            assert all(found)
        raw = post(WATCH, framed(asked), ("content-type", "application/connect+proto"))
        for _ in range(100):
            reader, writer = await stack.enter_async_context(connected(stage.victim.web))
            writer.write(raw)
            with contextlib.suppress(HungUp):
                await answer(reader, part=True)
                stage.tally.counts["connect", "watch"] += 1
        await stage.witness.go_on()
        for _ in range(50):  # hangs up without a word
            http2 = Http2.over(*await stage.victim.grpc.open())
            stack.push_async_callback(hang_up, http2.writer)
            body = frame(0, framed(asked), 1, 1)
            http2.writer.write(frame(1, request_headers(WATCH.encode()), 4, 1) + body)
        for watch in watches:
            watch.cancel()


async def slow_readers(stage: Stage) -> None:
    """Who asks and asks and never reads; who opens a watch and half closes; who sends a byte at a time."""
    before = await stage.victim.open_calls(), stage.victim.files()
    plays = rules.ListPlaysRequest(
        variant=ref(), position=opening(1), dice=[3, 3], view=pb.PLAY_VIEW_FULL
    )
    large = post(PLAYS, plays.SerializeToString(), ("content-type", "application/proto"))
    watch = post(WATCH, framed(_watch(stage)), ("content-type", "application/connect+proto"))
    async with contextlib.AsyncExitStack() as stack:
        streams: list[Streams] = []
        for n in range(60):
            reader, writer = await stack.enter_async_context(connected(stage.victim.web))
            reader._transport.pause_reading()  # type: ignore[attr-defined]
            streams.append((reader, writer))
            writer.write((large * 20, watch, watch[: len(watch) // 2], large[:20])[n % 4])
            if n % 8 == 1 and writer.can_write_eof():  # not through TLS
                writer.write_eof()
        for turn in range(20):
            for _, writer in streams[3::4]:
                writer.write(large[20 + turn : 21 + turn])
            await asyncio.sleep(0.02)
        async with stage.victim.grpc.channel(options=OWN_CONNECTION) as one:
            deaf = [_open(one, _watch(stage)) for _ in range(100)]
            await _acts(stage)
            await stage.witness.go_on()
            for call in deaf:
                call.cancel()
    await stage.settled(*before)


async def storms(stage: Stage) -> None:
    """Connections that come and go, and calls that are given up a moment after they began."""
    before = await stage.victim.open_calls(), stage.victim.files()
    for _ in stage.times(6):
        await asyncio.gather(*(_knock(stage) for _ in range(60)))
        await asyncio.gather(*(_give_up(stage) for _ in range(60)))
        if stage.over:
            break
    await stage.settled(*before)


async def _knock(stage: Stage) -> None:
    ports = (stage.victim.web, stage.victim.grpc)
    port = stage.chance.choice((*ports, *(port.plain for port in ports)))
    with contextlib.suppress(OSError):
        async with connected(port) as (_, writer):
            writer.write(
                stage.chance.choice((b"", b"P", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"POST "))
            )
            await asyncio.sleep(stage.chance.random() * 0.02)
    stage.tally.counts["raw", "storm"] += 1


async def _give_up(stage: Stage) -> None:
    chance = stage.chance
    name = chance.choice(("WatchTable", "ListPlays", "Act", "CreateTable", "ListTables", "Check"))
    rpc = BY_NAME.get(name) or BY_NAME["CheckPlay"]
    body = stage.maker.request(rpc.input_type).SerializeToString()
    protocol = chance.choice(list(stage.senders))
    if protocol == "grpc":
        await _in_time(stage.senders[protocol](rpc, body, ()), chance.random() * 0.03)
    else:
        async with connected(stage.victim.web) as (_, writer):
            writer.write(post(path_of(rpc), body, ("content-type", "application/proto")))
            await asyncio.sleep(chance.random() * 0.03)
    stage.tally.counts[protocol, "given up"] += 1


async def _in_time(call: Awaitable[object], seconds: float) -> None:
    with contextlib.suppress(TimeoutError, asyncio.CancelledError):
        await asyncio.wait_for(call, seconds)


async def _first(watch: Any) -> bool:
    try:
        async with asyncio.timeout(60):
            return bool(await watch.read())
    except grpc.aio.AioRpcError as error:
        if error.code() is grpc.StatusCode.RESOURCE_EXHAUSTED:
            return False
        raise


async def _acts(stage: Stage) -> None:
    """Something for the watchers to hear."""
    known = stage.maker.known
    action = table.Action(undo=table.UndoAction())
    for token in known["token"] * 3:
        await stage.call("Act", service.ActRequest(table=known["table"][0], action=action), token)
