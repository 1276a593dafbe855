"""gRPC: generic handlers over the services' descriptors, reflection, a stop in the right order.

Requests come in as bytes and are read here, since a reader that raises inside grpc makes it answer
INTERNAL by itself. Every handler is one of streams: only such a one is called before a request has been taken in.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

import grpc
from google.protobuf.message import Message
from grpc_reflection.v1alpha import reflection, reflection_pb2

from bgcore.errors import BgcoreError, Fault
from bgcore_server.adapters.around import REQUEST_ID, Around, Ongoing
from bgcore_server.adapters.grpc_reading import Reading
from bgcore_server.adapters.service import (
    HARD_LIMIT,
    UNKNOWN,
    Method,
    Service,
    methods,
    read,
)
from bgcore_server.errors import NotBuilt, Refusal, refusal
from bgcore_server.limit_settings import GrpcSettings
from bgcore_server.peers import address_of
from bgcore_server.tls import Tls

if TYPE_CHECKING:
    Context = grpc.aio.ServicerContext[bytes, bytes]
    Handler = grpc.RpcMethodHandler[bytes, bytes]

DETAILS = "grpc-status-details-bin"
CODES = {code.value[0]: code for code in grpc.StatusCode}

NO_LIMIT = 2**31 - 1

HEADERS = 16 << 10
"""Bytes of the headers of a call."""

HANDSHAKE_MS = 20_000
"""For who connects and then says nothing."""


def options(settings: GrpcSettings) -> list[tuple[str, int]]:
    """What grpc is told of the connections it is to hold."""
    return [
        ("grpc.max_receive_message_length", HARD_LIMIT),
        # A token of an account, which may be long, is refused by us, who say why.
        ("grpc.max_metadata_size", HEADERS),
        ("grpc.absolute_max_metadata_size", HEADERS + 1024),
        # Two servers must not share a port unawares.
        ("grpc.so_reuseport", 0),
        ("grpc.max_concurrent_streams", settings.streams),
        # Else what is taken in of requests that nobody reads yet grows with the speed of the line.
        ("grpc.http2.bdp_probe", 0),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_recv_ping_interval_without_data_ms", _ms(settings.min_ping)),
        ("grpc.keepalive_time_ms", _ms(settings.ping)),
        ("grpc.keepalive_timeout_ms", _ms(settings.ping_timeout)),
        ("grpc.max_connection_idle_ms", _ms(settings.max_idle) or NO_LIMIT),
        ("grpc.max_connection_age_ms", _ms(settings.max_age) or NO_LIMIT),
        ("grpc.max_connection_age_grace_ms", _ms(settings.age_grace)),
        ("grpc.server_handshake_timeout_ms", HANDSHAKE_MS),
    ]


def _ms(seconds: float) -> int:
    return round(seconds * 1000)


REFLECTION = replace(
    UNKNOWN, path="/grpc.reflection.v1.ServerReflection/ServerReflectionInfo", streams=True
)
"""What stands for reflection, which grpc's library answers."""

FLUSH_SECONDS = 1.0
"""How long a stop waits for connections when no call runs any more."""


class GrpcCall(Ongoing):
    """A call that came over gRPC."""

    system = "grpc"

    __slots__ = ("_address", "_context", "_metadata")

    def __init__(self, method: Method, context: Context) -> None:
        self._context = context
        self._metadata = context.invocation_metadata() or ()
        self._address = address_of(
            context.peer()
        )  # not later: asked when the call is over, grpc crashes
        super().__init__(method)

    def header(self, name: str) -> str:
        for key, value in self._metadata:
            if key == name:
                return value if isinstance(value, str) else ""
        return ""

    def headers(self, name: str) -> str:
        return ",".join(str(value) for key, value in self._metadata if key == name)

    @property
    def address(self) -> str:
        return self._address

    @property
    def is_late(self) -> bool:
        left = self._context.time_remaining()
        return left is not None and left <= 0


class GrpcServer:
    """Serves plain services over gRPC."""

    def __init__(
        self,
        services: Sequence[Service],
        around: Around,
        settings: GrpcSettings,
        reading: Reading,
        tls: Tls | None = None,
    ) -> None:
        self._around = around
        self._reading = reading
        self._tls = tls
        self._server = grpc.aio.server(options=options(settings))
        names = [service.descriptor.full_name for service in services]
        handlers: dict[str, Handler] = {
            m.path: _handler(m, around, reading) for m in methods(services)
        }
        self._server.add_generic_rpc_handlers(
            (_Known(handlers | dict(_reflection(names, around))), _Unknown(around))
        )

    async def start(self, address: str) -> int:
        """Listen, and tell on which port; `OSError` when the address cannot be had."""
        try:
            if self._tls:
                port = self._server.add_secure_port(address, self._tls.grpc_credentials())
            else:
                port = self._server.add_insecure_port(address)
        except RuntimeError as error:
            raise OSError(f"cannot listen on {address}: {error}") from None
        if not port:
            raise OSError(f"cannot listen on {address}")
        await self._server.start()
        return port

    async def stop(self, grace: float) -> None:
        """Take no new calls, and give those that run some seconds. End endless ones before."""
        stopping = asyncio.ensure_future(self._server.stop(grace))
        self._reading.stop()
        while self._around.open and not stopping.done():
            await asyncio.sleep(0.02)
        # What was answered is on its way. A connection on which nothing runs and whose other end is silent
        # would be waited for, too; a second stop may only shorten the first.
        await self._server.stop(min(grace, FLUSH_SECONDS))
        await stopping


class _Known(grpc.GenericRpcHandler):
    """The rpcs that there are."""

    def __init__(self, handlers: dict[str, Handler]) -> None:
        self._handlers = handlers

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Handler | None:
        return self._handlers.get(handler_call_details.method)


class _Unknown(grpc.GenericRpcHandler):
    """Any other rpc; grpc refuses them too, but without details."""

    def __init__(self, around: Around) -> None:
        self._around = around

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Handler:
        path = handler_call_details.method

        async def refuse(_: object, context: Context) -> AsyncIterator[bytes]:
            call = GrpcCall(UNKNOWN, context)
            fault = Fault("UNKNOWN_RPC", "rpc", path, "an rpc that reflection lists")
            try:
                self._around.begin(call)
                raise NotBuilt(fault)
            except BgcoreError as raised:
                error = self._around.failed(call, raised)
            self._around.end(call)
            await _abort(context, refusal(error), call.request_id)
            yield b""

        return grpc.stream_stream_rpc_method_handler(refuse)


def _handler(method: Method, around: Around, reading: Reading) -> Handler:
    if method.streams:
        return grpc.stream_stream_rpc_method_handler(_streaming(method, around, reading))
    return grpc.stream_unary_rpc_method_handler(_unary(method, around, reading))


def _unary(method: Method, around: Around, reading: Reading) -> Callable[[object, Context], Any]:
    request, serve, is_async = method.request, method.call, method.is_async
    begin, message, end = around.begin, reading.message, around.end

    async def behaviour(_: object, context: Context) -> bytes:
        asked: Message | None = None
        call = GrpcCall(method, context)
        try:
            begin(call)
            asked = read(request, await message(call.peer, context))
            answer = serve(asked, call)
            if is_async:
                answer = await answer
            sent = encoded(answer)
        except Exception as raised:
            error = around.failed(call, raised)
        except BaseException:
            around.left(call)
            raise
        else:
            context.set_trailing_metadata(((REQUEST_ID, call.request_id),))
            return sent
        finally:
            end(call)
        refused = refusal(error, asked)
        asked = None  # grpc keeps this frame until circles are looked for
        await _abort(context, refused, call.request_id)
        return b""

    return behaviour


def _streaming(
    method: Method, around: Around, reading: Reading
) -> Callable[[object, Context], AsyncIterator[bytes]]:
    async def behaviour(_: object, context: Context) -> AsyncIterator[bytes]:
        asked: Message | None = None
        call = GrpcCall(method, context)
        try:
            around.begin(call)
            asked = read(method.request, await reading.message(call.peer, context))
            context.set_trailing_metadata(((REQUEST_ID, call.request_id),))
            async for answer in method.call(asked, call):
                yield encoded(answer)
            return
        except Exception as raised:
            error = around.failed(call, raised)
        except BaseException:
            around.left(call)
            raise
        finally:
            around.end(call)
        refused = refusal(error, asked)
        asked = None  # grpc keeps this frame until circles are looked for
        await _abort(context, refused, call.request_id)

    return behaviour


def encoded(answer: Message | bytes) -> bytes:
    """The bytes of an answer."""
    return answer if isinstance(answer, bytes) else answer.SerializeToString()


async def _abort(context: Context, refused: Refusal, request_id: str = "") -> None:
    details: tuple[tuple[str, str | bytes], ...] = ((DETAILS, refused.status.SerializeToString()),)
    if request_id:
        details = (*details, (REQUEST_ID, request_id))
    await context.abort(CODES[refused.code.value], refused.message, details)


def _reflection(names: Sequence[str], around: Around) -> Iterable[tuple[str, Handler]]:
    """Reflection under both names: the library knows the older one only, the messages are the same."""
    v1 = "grpc.reflection.v1.ServerReflection"
    servicer = reflection.aio.ReflectionServicer((*names, reflection.SERVICE_NAME, v1))

    async def behaviour(raw: AsyncIterator[bytes], context: Context) -> AsyncIterator[bytes]:
        async def requests() -> AsyncIterator[reflection_pb2.ServerReflectionRequest]:
            async for message in raw:
                yield read(reflection_pb2.ServerReflectionRequest, message)

        answers = cast(
            AsyncIterator[reflection_pb2.ServerReflectionResponse],
            servicer.ServerReflectionInfo(requests(), context),
        )
        call = GrpcCall(REFLECTION, context)
        try:
            around.begin(call)
            async for response in answers:
                yield response.SerializeToString()
            return
        except BgcoreError as raised:
            error = around.failed(call, raised)
        except BaseException:
            around.left(call)
            raise
        finally:
            around.end(call)
        await _abort(context, refusal(error), call.request_id)

    for name in (reflection.SERVICE_NAME, v1):
        yield f"/{name}/ServerReflectionInfo", grpc.stream_stream_rpc_method_handler(behaviour)
