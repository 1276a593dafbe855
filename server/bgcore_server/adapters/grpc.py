"""gRPC: generic handlers over the services' descriptors, reflection, a stop in the right order.

Requests come in as bytes and are read here, since a reader that raises inside grpc makes it answer
INTERNAL by itself.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, cast

import grpc
from google.protobuf.message import Message
from grpc_reflection.v1alpha import reflection, reflection_pb2

from bgcore.errors import BgcoreError, Fault
from bgcore_server.adapters.service import (
    HARD_LIMIT,
    Guard,
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


class GrpcCall:
    """A call that came over gRPC."""

    __slots__ = ("_context",)

    def __init__(self, context: Context) -> None:
        self._context = context

    @property
    def authorization(self) -> str:
        """The `authorization` header; empty when there is none."""
        for name, value in self._context.invocation_metadata() or ():
            if name == "authorization":
                return value if isinstance(value, str) else ""
        return ""


class GrpcServer:
    """Serves plain services over gRPC."""

    def __init__(self, services: Sequence[Service], guard: Guard) -> None:
        self._server = grpc.aio.server(options=OPTIONS)
        names = [service.descriptor.full_name for service in services]
        handlers: dict[str, Handler] = {m.path: _handler(m, guard) for m in methods(services)}
        self._server.add_generic_rpc_handlers(
            (_Known(handlers | dict(_reflection(names))), _Unknown())
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
        await self._server.stop(grace)


class _Known(grpc.GenericRpcHandler):
    """The rpcs that there are."""

    def __init__(self, handlers: dict[str, Handler]) -> None:
        self._handlers = handlers

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Handler | None:
        return self._handlers.get(handler_call_details.method)


class _Unknown(grpc.GenericRpcHandler):
    """Any other rpc; grpc refuses them too, but without details."""

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> Handler:
        path = handler_call_details.method

        async def refuse(_: object, context: Context) -> AsyncIterator[bytes]:
            fault = Fault("UNKNOWN_RPC", "rpc", path, "an rpc that reflection lists")
            await _abort(context, refusal(NotBuilt(fault)))
            yield b""

        return grpc.stream_stream_rpc_method_handler(refuse)


def _handler(method: Method, guard: Guard) -> Handler:
    if method.streams:
        return grpc.unary_stream_rpc_method_handler(_streaming(method, guard))
    return grpc.unary_unary_rpc_method_handler(_unary(method, guard))


def _unary(method: Method, guard: Guard) -> Callable[[bytes, Context], Any]:
    request, call, is_async = method.request, method.call, method.is_async

    async def behaviour(raw: bytes, context: Context) -> bytes:
        asked: Message | None = None
        try:
            asked = read(request, raw)
            answer = call(asked, GrpcCall(context))
            if is_async:
                answer = await answer
            return encoded(answer)
        except Exception as raised:
            error = guard.error(method, raised)
        await _abort(context, refusal(error, asked))
        return b""

    return behaviour


def _streaming(method: Method, guard: Guard) -> Callable[[bytes, Context], AsyncIterator[bytes]]:
    async def behaviour(raw: bytes, context: Context) -> AsyncIterator[bytes]:
        asked: Message | None = None
        try:
            asked = read(method.request, raw)
            async for answer in method.call(asked, GrpcCall(context)):
                yield encoded(answer)
            return
        except Exception as raised:
            error = guard.error(method, raised)
        await _abort(context, refusal(error, asked))

    return behaviour


def encoded(answer: Message | bytes) -> bytes:
    """The bytes of an answer."""
    return answer if isinstance(answer, bytes) else answer.SerializeToString()


async def _abort(context: Context, refused: Refusal) -> None:
    details = ((DETAILS, refused.status.SerializeToString()),)
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
