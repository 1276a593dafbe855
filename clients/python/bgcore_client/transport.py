"""The two ways in which calls are made: at once, and awaited. Both do the same, line by line."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Generator, Sequence
from copy import copy
from typing import Any, Protocol, Self, TypeVar

import grpc
import grpc.aio

from bgcore_client import messages
from bgcore_client.call import METHODS, Account, Call, Chain, Method, Pages, Patience
from bgcore_client.errors import error_of
from bgcore_client.watch import ENDED, ROUND, Gap, News, Watch

R = TypeVar("R")
T = TypeVar("T")

TIMEOUT = 10.0
"""Seconds that a call may take, trying again included."""

OPTIONS: tuple[tuple[str, Any], ...] = (
    # A server that is started again should be found soon.
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 50),
    ("grpc.max_reconnect_backoff_ms", 1000),
)

ChannelOptions = Sequence[tuple[str, Any]]


class Transport:
    """What both have in common."""

    def __init__(self, timeout: float) -> None:
        self.timeout = timeout
        self.account: Account = ""

    def within(self, seconds: float) -> Self:
        """The same connection with another time for each call."""
        other = copy(self)
        other.timeout = seconds
        return other

    def with_account(self, account: Account) -> Self:
        """The same connection for an account."""
        other = copy(self)
        other.account = account
        return other


def check_target(target: str) -> None:
    """`ValueError` for what is no address of a gRPC server, which would only show as a long silence.

    >>> check_target("http://127.0.0.1:8080")
    Traceback (most recent call last):
    ValueError: target http://127.0.0.1:8080: expected HOST:PORT of the server's gRPC
    """
    scheme, _, rest = target.partition("://")
    port = target.rpartition(":")[2]
    if (scheme in ("http", "https") and rest) or (
        not target.startswith("unix:") and not port.isdigit()
    ):
        raise ValueError(f"target {target}: expected HOST:PORT of the server's gRPC")


class SyncTransport(Transport):
    """Makes a call and waits for it."""

    def __init__(self, channel: grpc.Channel, timeout: float = TIMEOUT) -> None:
        super().__init__(timeout)
        self.channel = channel
        self._rpcs = {method: rpc(channel, method) for method in METHODS.values()}

    @classmethod
    def to(
        cls,
        target: str,
        credentials: grpc.ChannelCredentials | None,
        options: ChannelOptions,
        timeout: float,
    ) -> SyncTransport:
        """A connection to a server."""
        settings = (*OPTIONS, *options)
        check_target(target)
        if credentials is None:
            return cls(grpc.insecure_channel(target, settings), timeout)
        return cls(grpc.secure_channel(target, credentials, settings), timeout)

    def ask(self, call: Call[R] | Chain[R]) -> R:
        """The answer to a call."""
        if isinstance(call, Chain):
            call = call.next(self.ask(call.first))
        make = self._rpcs[METHODS[type(call.request)]]
        patience = Patience(self.timeout)
        while True:
            try:
                metadata = call.metadata(self.account)
                answer = make(call.request, timeout=patience.left, metadata=metadata)
                return call.read(answer)
            except grpc.RpcError as failed:
                error = error_of(failed)
                if call.done(error, patience):
                    return call.read(None)
                pause = patience.pause(error, call.repetition)
            time.sleep(pause)

    def items(self, pages: Pages[T]) -> Generator[T, None, None]:
        """The items of a list, page after page."""
        for call in pages:
            yield from self.ask(call)

    def watch(self, watch: Watch) -> Generator[News, None, None]:
        """The news of a table, without an end."""
        make = self._rpcs[METHODS[messages.WatchTableRequest]]
        while True:
            metadata = watch.call.metadata(self.account)
            stream = make(watch.call.request, timeout=ROUND, metadata=metadata)
            try:
                for message in stream:
                    if news := watch.news(message):
                        yield news
                pause = watch.lost(ENDED)
            except Gap as gap:
                pause = watch.lost(gap)
            except grpc.RpcError as failed:
                pause = watch.lost(error_of(failed))
            finally:
                stream.cancel()
            time.sleep(pause)


class AsyncTransport(Transport):
    """Makes a call that is awaited."""

    def __init__(self, channel: grpc.aio.Channel, timeout: float = TIMEOUT) -> None:
        super().__init__(timeout)
        self.channel = channel
        self._rpcs = {method: rpc(channel, method) for method in METHODS.values()}

    @classmethod
    def to(
        cls,
        target: str,
        credentials: grpc.ChannelCredentials | None,
        options: ChannelOptions,
        timeout: float,
    ) -> AsyncTransport:
        """A connection to a server."""
        settings = (*OPTIONS, *options)
        check_target(target)
        if credentials is None:
            return cls(grpc.aio.insecure_channel(target, settings), timeout)
        return cls(grpc.aio.secure_channel(target, credentials, settings), timeout)

    async def ask(self, call: Call[R] | Chain[R]) -> R:
        """The answer to a call."""
        if isinstance(call, Chain):
            call = call.next(await self.ask(call.first))
        make = self._rpcs[METHODS[type(call.request)]]
        patience = Patience(self.timeout)
        while True:
            try:
                metadata = call.metadata(self.account)
                answer = await make(call.request, timeout=patience.left, metadata=metadata)
                return call.read(answer)
            except grpc.RpcError as failed:
                error = error_of(failed)
                if call.done(error, patience):
                    return call.read(None)
                pause = patience.pause(error, call.repetition)
            await asyncio.sleep(pause)

    async def items(self, pages: Pages[T]) -> AsyncGenerator[T, None]:
        """The items of a list, page after page."""
        for call in pages:
            for item in await self.ask(call):
                yield item

    async def watch(self, watch: Watch) -> AsyncGenerator[News, None]:
        """The news of a table, without an end."""
        make = self._rpcs[METHODS[messages.WatchTableRequest]]
        while True:
            metadata = watch.call.metadata(self.account)
            stream = make(watch.call.request, timeout=ROUND, metadata=metadata)
            try:
                async for message in stream:
                    if news := watch.news(message):
                        yield news
                pause = watch.lost(ENDED)
            except Gap as gap:
                pause = watch.lost(gap)
            except grpc.RpcError as failed:
                pause = watch.lost(error_of(failed))
            finally:
                stream.cancel()
            await asyncio.sleep(pause)


class AnyChannel(Protocol):
    """A channel of either kind."""

    def unary_unary(self, *args: Any, **kwargs: Any) -> Any: ...
    def unary_stream(self, *args: Any, **kwargs: Any) -> Any: ...


def rpc(channel: AnyChannel, method: Method) -> Any:
    """What makes the calls of one rpc."""
    kind = channel.unary_stream if method.streams else channel.unary_unary
    return kind(
        method.path,
        request_serializer=method.request.SerializeToString,
        response_deserializer=method.response.FromString,
    )
