"""Connect, gRPC-Web and JSON over HTTP/1.1, for browsers and `curl`; and the probes of an operator.

connectrpc brings the protocols. Its own messages are of another library than ours, so the codecs
here read and write ours; error details are packed into its `Any`.
"""

from __future__ import annotations

import asyncio
import socket
import time
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar, cast

import uvicorn
from connectrpc.code import Code as ConnectCode
from connectrpc.codec import Codec
from connectrpc.compression.gzip import GzipCompression
from connectrpc.errors import ConnectError
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.request import RequestContext
from connectrpc.server import ConnectASGIApplication, Endpoint
from google.protobuf import json_format
from google.protobuf.message import Message

from bgcore.errors import BgcoreError, Fault
from bgcore_server.adapters.around import Around, let_go
from bgcore_server.adapters.cors import Cors
from bgcore_server.adapters.details import Detail
from bgcore_server.adapters.http_body import Body
from bgcore_server.adapters.http_connection import Connections
from bgcore_server.adapters.http_frame import framed
from bgcore_server.adapters.http_request import Receive, Scope, Send, refuse, wrong
from bgcore_server.adapters.json_request import parse
from bgcore_server.adapters.service import (
    HARD_LIMIT,
    LARGEST_REQUEST,
    UNKNOWN,
    Method,
    Service,
    check_size,
    methods,
    read,
    too_large,
)
from bgcore_server.adapters.web_call import CALL, ConnectCall, Reading
from bgcore_server.errors import Malformed, code_of, refusal, stopping
from bgcore_server.metrics import Metrics
from bgcore_server.tls import Tls

if TYPE_CHECKING:
    from connectrpc._server_shared import EndpointServerStream, EndpointUnary

    AnyEndpoint = EndpointUnary[Any, Any] | EndpointServerStream[Any, Any]

M = TypeVar("M", bound=Message)
Context = RequestContext[Any, Any]


class ConnectApp(ConnectASGIApplication[None]):
    """Serves plain services over Connect, gRPC-Web and JSON."""

    def __init__(self, services: Sequence[Service], around: Around) -> None:
        table: dict[str, AnyEndpoint] = {m.path: _endpoint(m, around) for m in methods(services)}
        super().__init__(
            service=None,
            endpoints=lambda _: dict(table),
            read_max_bytes=HARD_LIMIT,
            codecs=(BinaryCodec(), JsonCodec()),
            compressions=(Gzip(),),
        )

    @property
    def path(self) -> str:
        """Where it is mounted."""
        return "/"


class BinaryCodec(Codec[Message, Any]):
    """Messages as protobuf's bytes."""

    def name(self) -> str:
        return "proto"

    def encode(self, message: Message) -> bytes:
        return message.SerializeToString()

    def decode(self, data: bytes | bytearray, message_class: type[M]) -> M:
        try:
            check_admitted()
            return read(message_class, bytes(data))
        except BgcoreError as error:
            raise refused(error) from None


class JsonCodec(Codec[Message, Any]):
    """Messages as protobuf's JSON. Fields that we do not know are refused: people write them."""

    def name(self) -> str:
        return "json"

    def encode(self, message: Message) -> bytes:
        return json_format.MessageToJson(message, indent=None).encode()

    def decode(self, data: bytes | bytearray, message_class: type[M]) -> M:
        try:
            check_admitted()
            check_size(len(data))
            return parse(bytes(data), message_class)
        except BgcoreError as error:
            raise refused(error) from None


class Gzip(GzipCompression):
    """gzip, of which errors are told in our words."""

    def decompress(
        self, data: bytes | bytearray | memoryview, read_max_bytes: int | None = None
    ) -> bytes:
        try:
            return super().decompress(data, LARGEST_REQUEST)
        except (zlib.error, EOFError):
            fault = Fault("BAD_COMPRESSION", "request", f"of {len(data)} bytes", "gzip")
            raise refused(Malformed(fault)) from None
        except ConnectError:  # it grows beyond that; nobody looks how far
            raise refused(too_large(f"of more than {LARGEST_REQUEST} bytes")) from None


def check_admitted() -> None:
    """Raises what a step before the call refused it with: from here it is told in the caller's protocol."""
    if error := CALL.get().refused:
        raise error


def refused(error: BgcoreError) -> ConnectError:
    """An error before the service is called, noted at the call in hand."""
    let_go(error)
    call = CALL.get()
    call.error, call.code = error, code_of(type(error)).name
    return connect_error(error)


def connect_error(raised: BgcoreError, request: Message | None = None) -> ConnectError:
    """An error in the form that connectrpc sends."""
    told = refusal(raised, request)
    details = [Detail(detail) for detail in told.details]
    CALL.get().told = error = ConnectError(
        ConnectCode(told.code.name.lower()), told.message, details
    )
    return error


def _endpoint(method: Method, around: Around) -> AnyEndpoint:
    service, _, name = method.path[1:].partition("/")
    info: MethodInfo[Any, Any] = MethodInfo(
        name=name,
        service_name=service,
        input=method.request,
        output=method.response,
        idempotency_level=IdempotencyLevel.UNKNOWN,
        stream_type=StreamType.SERVER_STREAM if method.streams else StreamType.UNARY,
    )
    if method.streams:
        return Endpoint.server_stream(info, _streaming(method, around))
    return Endpoint.unary(info, _unary(method, around))


def _unary(method: Method, around: Around) -> Callable[[Message, Context], Awaitable[Message]]:
    async def function(request: Message, context: Context) -> Message:
        call = CALL.get()
        try:
            answer = method.call(request, call)
            if method.is_async:
                answer = await answer
            return decoded(method, answer)
        except Exception as raised:
            raise connect_error(around.failed(call, raised), request) from None
        except BaseException:
            around.left(call)
            raise

    return function


def _streaming(
    method: Method, around: Around
) -> Callable[[Message, Context], AsyncIterator[Message]]:
    async def function(request: Message, context: Context) -> AsyncIterator[Message]:
        call = CALL.get()
        try:
            async for answer in method.call(request, call):
                yield decoded(method, answer)
        except Exception as raised:
            raise connect_error(around.failed(call, raised), request) from None
        except BaseException:
            around.left(call)
            raise

    return function


def decoded(method: Method, answer: Message | bytes) -> Message:
    """An answer as a message, which may have to be sent as JSON."""
    return method.response.FromString(answer) if isinstance(answer, bytes) else answer


TAKEN_IN = 64 << 10
"""Bytes that a connection with TLS takes in at once; the kernel makes it twice as many."""

LEAVING = 0.5
"""Seconds in which those who keep a connection send what they were about to send on it."""


class WebServer:
    """An HTTP port for browsers, `curl` and probes. It leaves the signals alone."""

    def __init__(
        self,
        services: Sequence[Service],
        around: Around,
        ready: Callable[[], bool],
        grace: float,
        cors: Cors,
        connections: Connections,
        tls: Tls | None = None,
        metrics: Metrics | None = None,
    ) -> None:
        self._app = ConnectApp(services, around)
        self._methods = {method.path: method for method in methods(services)}
        self._streams = {path: method.streams for path, method in self._methods.items()}
        self._around = around
        self._ready = ready
        self._metrics = metrics
        self._reading = Reading()
        self._connections = connections
        self._tls = tls
        config = uvicorn.Config(
            cors.around(self._answer),
            interface="asgi3",
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=False,  # it would believe whoever is on this machine; peers.py asks the operator
            http=cast(Any, connections.protocol),
            limit_concurrency=connections.settings.connections or None,
            timeout_keep_alive=max(1, round(connections.settings.keep_alive)),
            h11_max_incomplete_event_size=connections.settings.headers,
            ssl_context_factory=(lambda *_: tls.context()) if tls else None,
            timeout_graceful_shutdown=max(1, round(grace)),
        )
        self._server = _Quiet(config)
        self._serving: asyncio.Task[None] | None = None

    async def start(self, host: str, port: int) -> int:
        """Listen, and tell on which port; `OSError` when the address cannot be had."""
        bound = socket.create_server((host, port), family=_family(host), backlog=2048)
        # Accepted sockets inherit it. With it off a kept-alive call waits 40 ms for an acknowledgement.
        bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        if self._tls:
            # What is taken in at once is held three times: as it came, in TLS, and as it was meant.
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, TAKEN_IN)
        found: int = bound.getsockname()[1]
        self._serving = asyncio.create_task(self._server.serve(sockets=[bound]))
        while not self._server.started and not self._serving.done():
            await asyncio.sleep(0.005)
        if self._serving.done():
            await self._serving
        return found

    async def leave(self) -> None:
        """Take no new connections. Those that are there end with their next answer, for which there is a moment.

        A proxy that keeps connections sends a call on one of them without asking. Where it was closed at that moment,
        the call may have been carried out, for all the proxy knows, and is not repeated.
        """
        for listening in self._server.servers:
            listening.close()
        self._connections.leaving = True
        end = time.monotonic() + LEAVING
        while self._server.server_state.connections and time.monotonic() < end:
            await asyncio.sleep(0.01)

    async def stop(self) -> None:
        """Take no new calls, and wait for those that run. End endless ones before."""
        self._reading.stop(lambda: refused(stopping()))
        self._server.should_exit = True
        if self._serving is not None:
            await self._serving

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        path, send = scope.get("path", ""), self._connections.sending(send)
        if path in PROBES:
            good = PROBES[path] is ALIVE or self._ready()
            await _send(send, 200 if good else 503, TEXT, b"ok\n" if good else b"stopping\n")
        elif path == METRICS and self._metrics:
            kind, body = self._metrics.exposition()
            await _send(send, 200, kind, body)
        else:
            await self._call(ConnectCall(self._methods.get(path, UNKNOWN), scope), receive, send)

    async def _call(self, call: ConnectCall, receive: Receive, send: Send) -> None:
        CALL.set(call)
        sending = call.sending(send)
        try:
            try:
                self._around.begin(call)
            except BgcoreError as error:
                call.refused = error
            if found := wrong(call.scope, self._streams):
                self._around.failed(call, found[1])
                await refuse(sending, *found)
            else:
                reading = self._reading.receiving(receive)
                body = Body(call, reading, refused, self._connections.turns)
                try:
                    await self._app(*framed(call, body, refused), sending)
                finally:
                    body.close()
        except asyncio.CancelledError:
            # The grace of a stop is over. uvicorn would log it as a fault.
            self._around.left(call)
            if not call.started_answer:
                await refuse(sending, 503, stopping())
        finally:
            let_go(call.told)  # connectrpc's frames hold it, and the request
            self._around.end(call)


async def _send(send: Send, status: int, kind: bytes, body: bytes) -> None:
    headers = [(b"content-type", kind)]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


TEXT = b"text/plain; charset=utf-8"
METRICS = "/metrics"
ALIVE, READY = "alive", "ready"
PROBES = {"/healthz": ALIVE, "/readyz": READY}


class _Quiet(uvicorn.Server):
    """uvicorn without its signal handlers: the process has its own."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET
