"""gRPC: generic handlers over the services' descriptors, reflection, a stop in the right order.

Requests come in as bytes and are read here, since a reader that raises inside grpc makes it answer
INTERNAL by itself.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

import grpc
from google.protobuf.message import Message
from grpc_reflection.v1alpha import reflection, reflection_pb2

from bgcore.errors import BgcoreError, Fault
from bgcore_server.adapters.around import REQUEST_ID, Around, Ongoing
from bgcore_server.adapters.service import (
    HARD_LIMIT,
    UNKNOWN,
    Method,
    Service,
    methods,
    read,
)
from bgcore_server.errors import NotBuilt, Refusal, refusal

if TYPE_CHECKING:
    Context = grpc.aio.ServicerContext[bytes, bytes]
    Handler = grpc.RpcMethodHandler[bytes, bytes]

DETAILS = "grpc-status-details-bin"
CODES = {code.value[0]: code for code in grpc.StatusCode}

OPTIONS = (
    ("grpc.max_receive_message_length", HARD_LIMIT),
    # Two servers must not share a port unawares.
    ("grpc.so_reuseport", 0),
)


FLUSH_SECONDS = 1.0
"""How long a stop waits for connections when no call runs any more."""


class GrpcCall(Ongoing):
    """A call that came over gRPC."""

    system = "grpc"

    __slots__ = ("_context", "_metadata", "_peer")

    def __init__(self, method: Method, context: Context) -> None:
        self._context = context
        self._metadata = context.invocation_metadata() or ()
        self._peer = context.peer()  # not later: asked when the call is over, grpc crashes
        super().__init__(method)

    def header(self, name: str) -> str:
        for key, value in self._metadata:
            if key == name:
                return value if isinstance(value, str) else ""
        return ""

    @property
    def peer(self) -> str:
        return self._peer

    @property
    def is_late(self) -> bool:
        left = self._context.time_remaining()
        return left is not None and left <= 0


class GrpcServer:
    """Serves plain services over gRPC."""

    def __init__(self, services: Sequence[Service], around: Around) -> None:
        self._around = around
        self._server = grpc.aio.server(options=OPTIONS)
        names = [service.descriptor.full_name for service in services]
        handlers: dict[str, Handler] = {m.path: _handler(m, around) for m in methods(services)}
        self._server.add_generic_rpc_handlers(
            (_Known(handlers | dict(_reflection(names))), _Unknown(around))
        )

    async def start(self, address: str) -> int:
        """Listen, and tell on which port; `OSError` when the address cannot be had."""
        try:
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


def _handler(method: Method, around: Around) -> Handler:
    if method.streams:
        return grpc.unary_stream_rpc_method_handler(_streaming(method, around))
    return grpc.unary_unary_rpc_method_handler(_unary(method, around))


def _unary(method: Method, around: Around) -> Callable[[bytes, Context], Any]:
    request, serve, is_async = method.request, method.call, method.is_async
    begin, end = around.begin, around.end

    async def behaviour(raw: bytes, context: Context) -> bytes:
        asked: Message | None = None
        call = GrpcCall(method, context)
        try:
            begin(call)
            asked = read(request, raw)
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
        await _abort(context, refusal(error, asked), call.request_id)
        return b""

    return behaviour


def _streaming(method: Method, around: Around) -> Callable[[bytes, Context], AsyncIterator[bytes]]:
    async def behaviour(raw: bytes, context: Context) -> AsyncIterator[bytes]:
        asked: Message | None = None
        call = GrpcCall(method, context)
        try:
            around.begin(call)
            asked = read(method.request, raw)
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
        await _abort(context, refusal(error, asked), call.request_id)

    return behaviour


def encoded(answer: Message | bytes) -> bytes:
    """The bytes of an answer."""
    return answer if isinstance(answer, bytes) else answer.SerializeToString()


async def _abort(context: Context, refused: Refusal, request_id: str = "") -> None:
    details: tuple[tuple[str, str | bytes], ...] = ((DETAILS, refused.status.SerializeToString()),)
    if request_id:
        details = (*details, (REQUEST_ID, request_id))
    await context.abort(CODES[refused.code.value], refused.message, details)


def _reflection(names: Sequence[str]) -> Iterable[tuple[str, Handler]]:
    """Reflection under both names: the library knows the older one only, the messages are the same."""
    v1 = "grpc.reflection.v1.ServerReflection"
    servicer = reflection.aio.ReflectionServicer((*names, reflection.SERVICE_NAME, v1))

    async def behaviour(raw: AsyncIterator[bytes], context: Context) -> AsyncIterator[bytes]:
        async def requests() -> AsyncIterator[reflection_pb2.ServerReflectionRequest]:
            async for message in raw:
                yield read(reflection_pb2.ServerReflectionRequest, message)

        answers = servicer.ServerReflectionInfo(requests(), context)
        try:
            async for response in cast(
                AsyncIterator[reflection_pb2.ServerReflectionResponse], answers
            ):
                yield response.SerializeToString()
            return
        except BgcoreError as raised:
            error = raised
        await _abort(context, refusal(error))

    for name in (reflection.SERVICE_NAME, v1):
        yield f"/{name}/ServerReflectionInfo", grpc.stream_stream_rpc_method_handler(behaviour)
