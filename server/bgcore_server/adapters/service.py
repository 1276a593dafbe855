"""What adapters share: a service's methods beside their descriptors, and requests read from bytes."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import DecodeError, Message
from google.protobuf.message_factory import GetMessageClass

from bgcore.errors import BgcoreError, Fault, PluginFailed
from bgcore_server.errors import Log, Malformed, TooMuch, unexpected
from bgcore_server.lengths import SMALL, check_lengths

M = TypeVar("M", bound=Message)

LARGEST_REQUEST = 1 << 20
"""Bytes of the largest request that is read."""

HARD_LIMIT = 4 << 20
"""Bytes that a transport takes in at all, after decompression; gRPC's own usual limit.

Between the two a request is refused with details, above it in the transport's own words.
"""


@dataclass(frozen=True, slots=True)
class Service:
    """A service's contract and the plain object that keeps it."""

    descriptor: ServiceDescriptor
    target: object


@dataclass(frozen=True, slots=True)
class Method:
    """One rpc: its path, its messages, and the plain method that answers it.

    An answer is a message, or the bytes of one where a service has written them itself.
    """

    path: str
    request: type[Message]
    response: type[Message]
    call: Callable[[Any, Any], Any]
    is_async: bool
    streams: bool


UNKNOWN = Method("/unknown", Message, Message, lambda _request, _call: None, False, False)
"""What stands for every rpc that there is not."""


def methods(services: Sequence[Service]) -> Iterator[Method]:
    """Every rpc of the services; `TypeError` where a service has no method for one."""
    for service in services:
        for rpc in service.descriptor.methods:
            yield _method(service, rpc)


def _method(service: Service, rpc: MethodDescriptor) -> Method:
    call = getattr(service.target, rpc.name, None)
    streams = bool(rpc.server_streaming)
    if call is None or streams != inspect.isasyncgenfunction(call):
        kind = "async generator" if streams else "method"
        raise TypeError(f"{type(service.target).__name__}: expected a {kind} {rpc.name}")

    def checked(request: Message, caller: object) -> Any:
        # A small request has no room for many values, and most requests are small.
        if request.ByteSize() > SMALL:
            check_lengths(request)
        return call(request, caller)

    return Method(
        path=f"/{service.descriptor.full_name}/{rpc.name}",
        request=GetMessageClass(rpc.input_type),
        response=GetMessageClass(rpc.output_type),
        call=checked,
        is_async=inspect.iscoroutinefunction(call),
        streams=streams,
    )


def read(message: type[M], raw: bytes) -> M:
    """The request that some bytes hold."""
    if len(raw) > LARGEST_REQUEST:
        check_size(len(raw))
    try:
        return message.FromString(raw)
    except DecodeError:
        name, size = message.DESCRIPTOR.full_name, f"of {len(raw)} bytes"
        raise Malformed(Fault("UNREADABLE_MESSAGE", "request", size, f"a {name}")) from None


def check_size(size: int) -> None:
    """`TooMuch` for a request of more bytes than are read."""
    if size > LARGEST_REQUEST:
        raise too_large(f"of {size} bytes")


def too_large(found: str) -> TooMuch:
    """The error of a request of more bytes than are read."""
    limit = f"at most {LARGEST_REQUEST} bytes"
    return TooMuch(Fault("MESSAGE_TOO_LARGE", "request", found, limit))


@dataclass(slots=True)
class Guard:
    """Turns whatever a service raises into an error to be sent, and logs what should not happen."""

    log: Log
    plugins: Collection[str] = field(default_factory=frozenset)

    def error(self, method: Method, raised: Exception, request_id: str) -> BgcoreError:
        """The error to send."""
        if isinstance(raised, BgcoreError) and not isinstance(raised, PluginFailed):
            return raised
        error = unexpected(raised, self.plugins)
        event = "plugin failed" if isinstance(error, PluginFailed) else "server fault"
        self.log.error(event, rpc=method.path, request_id=request_id, exc_info=raised)
        return error
