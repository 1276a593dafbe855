"""The ways to send a request: gRPC, gRPC-Web, Connect with bytes and with JSON. Each takes any bytes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import grpc
from google.protobuf.descriptor import MethodDescriptor

from tests.hostile.answers import (
    Answer,
    framed,
    of_connect,
    of_connect_stream,
    of_grpc,
    of_grpc_web,
)
from tests.hostile.http1 import PATIENCE, HttpAnswer, HungUp, answer, hang_up, post
from tests.hostile.port import Port, Streams

Headers = tuple[tuple[str, str], ...]
Send = Callable[[MethodDescriptor, bytes, Headers], Awaitable[Answer]]

JSON = "connect json"
CONNECT, WEB, GRPC = "connect", "grpc-web", "grpc"
HUNG_UP = Answer("UNAVAILABLE", (), "hung up")


def path_of(rpc: MethodDescriptor) -> str:
    return f"/{rpc.containing_service.full_name}/{rpc.name}"


@dataclass
class GrpcSender:
    """Calls over HTTP/2 with grpc's own client."""

    channel: grpc.aio.Channel

    async def __call__(self, rpc: MethodDescriptor, body: bytes, headers: Headers) -> Answer:
        kind: Any = self.channel.unary_stream if rpc.server_streaming else self.channel.unary_unary
        call = kind(path_of(rpc))(body, metadata=headers, timeout=PATIENCE)
        try:
            if not rpc.server_streaming:
                await call
            else:
                await call.read()
            return Answer("OK")
        except grpc.aio.AioRpcError as error:
            return of_grpc(error)
        finally:
            call.cancel()


@dataclass
class WebSender:
    """Calls over HTTP/1.1, on a connection that is kept as long as the server does."""

    port: Port
    kind: str
    source: str = ""
    _open: Streams | None = field(default=None, repr=False)

    async def __call__(self, rpc: MethodDescriptor, body: bytes, headers: Headers) -> Answer:
        streams = bool(rpc.server_streaming)
        if self.kind == WEB:
            form, sent = "application/grpc-web+proto", framed(body)
        else:
            coding = "json" if self.kind == JSON else "proto"
            form = f"application/connect+{coding}" if streams else f"application/{coding}"
            sent = framed(body) if streams else body
        raw = post(path_of(rpc), sent, ("content-type", form), *headers)
        try:
            found = await self.raw(raw, part=streams)
        except HungUp:
            return HUNG_UP
        if self.kind == WEB:
            return of_grpc_web(found)
        return of_connect_stream(found) if streams else of_connect(found)

    async def raw(self, raw: bytes, part: bool = False) -> HttpAnswer:
        """The answer to some bytes; with `part` its beginning, and the connection is given up."""
        if self._open is None:
            self._open = await self.port.open(self.source)
        reader, writer = self._open
        writer.write(raw)
        try:
            found = await answer(reader, part)
        except BaseException:
            await self.close()
            raise
        if part or found.headers.get("connection") == "close":
            await self.close()
        return found

    async def close(self) -> None:
        """Hang up."""
        if self._open:
            _, writer = self._open
            self._open = None
            await hang_up(writer)
