"""A server that answers as a test tells it, and remembers what it was asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Self

import grpc
from google.protobuf.any_pb2 import Any as Packed
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import ErrorInfo
from google.rpc.status_pb2 import Status

from bgcore_client import messages
from bgcore_client.call import METHODS, Method
from bgcore_client.errors import DETAILS, DOMAIN

Answer = Callable[[Any, grpc.ServicerContext], Any]


@dataclass
class FakeServer:
    """Each rpc named in `answers` is a function of request and context; all others give an empty answer."""

    answers: Mapping[str, Answer] = field(default_factory=dict)
    requests: list[Message] = field(default_factory=list)
    headers: list[dict[str, str | bytes]] = field(default_factory=list)

    def __enter__(self) -> Self:
        self._server = grpc.server(ThreadPoolExecutor(8), options=(("grpc.so_reuseport", 0),))
        self._server.add_generic_rpc_handlers((_Handlers(self),))
        self.target = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"
        self._server.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.stop(0).wait()

    def answer(self, method: Method, request: Message, context: grpc.ServicerContext) -> Any:
        self.requests.append(request)
        self.headers.append(dict(context.invocation_metadata()))
        told = self.answers.get(method.path.rpartition("/")[2])
        if told:
            return told(request, context)
        return iter(()) if method.streams else method.response()


class _Handlers(grpc.GenericRpcHandler):
    def __init__(self, server: FakeServer) -> None:
        self._server = server

    def service(self, details: grpc.HandlerCallDetails) -> Any:
        method = next(one for one in METHODS.values() if one.path == details.method)
        make: Any = (
            grpc.unary_stream_rpc_method_handler
            if method.streams
            else grpc.unary_unary_rpc_method_handler
        )
        return make(
            lambda request, context: self._server.answer(method, request, context),
            request_deserializer=method.request.FromString,
            response_serializer=method.response.SerializeToString,
        )


def refuse(
    context: grpc.ServicerContext,
    code: grpc.StatusCode,
    reason: str = "",
    message: str = "no",
    *details: Message,
    **metadata: str,
) -> None:
    """Ends a call as bgcore's server does."""
    status = Status(code=code.value[0], message=message)
    info = ErrorInfo(domain=DOMAIN, reason=reason, metadata=metadata)
    for detail in (info, *details):
        packed = Packed()
        packed.Pack(detail)
        status.details.append(packed)
    context.set_trailing_metadata(((DETAILS, status.SerializeToString()),))
    context.abort(code, message)


def once(first: Answer, later: Answer) -> Answer:
    """One answer for the first call, another for all after it."""
    answers: Iterator[Answer] = iter([first])
    return lambda request, context: next(answers, later)(request, context)


def unavailable(request: object, context: grpc.ServicerContext) -> None:
    refuse(context, grpc.StatusCode.UNAVAILABLE, "STOPPING", "the server stops")


def snapshot(revision: int) -> messages.WatchTableResponse:
    state = messages.TableState(revision=revision)
    return messages.WatchTableResponse(snapshot=messages.Snapshot(state=state))


def event(revision: int) -> messages.WatchTableResponse:
    state = messages.TableState(revision=revision)
    return messages.WatchTableResponse(event=messages.Event(revision=revision, state=state))


def heartbeat(revision: int) -> messages.WatchTableResponse:
    return messages.WatchTableResponse(heartbeat=messages.Heartbeat(revision=revision))
