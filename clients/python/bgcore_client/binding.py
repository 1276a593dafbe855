"""One description of a call, two ways to make it.

A class of descriptions says what each call sends and gives. It is mixed with `Sync` or `Async`, and a
method of it then answers at once, or is awaited; types and docstrings follow.
"""

from __future__ import annotations

import functools
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from copy import copy
from types import MethodType
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, overload

from bgcore_client.call import Call, Chain, Pages
from bgcore_client.transport import AsyncTransport, SyncTransport
from bgcore_client.watch import News, Watch

P = ParamSpec("P")
R = TypeVar("R")
C = TypeVar("C", bound=Call[Any] | Chain[Any])
S = TypeVar("S")
A = TypeVar("A")
T = TypeVar("T")


class Sync:
    """Calls answer at once."""

    _transport: SyncTransport

    def within(self, seconds: float) -> Self:
        """The same with another time for each call, trying again included.

        `DeadlineExceeded` or `Unavailable` when it has passed.
        """
        return _within(self, seconds)


class Async:
    """Calls are awaited."""

    _transport: AsyncTransport

    def within(self, seconds: float) -> Self:
        """The same with another time for each call, trying again included.

        `DeadlineExceeded` or `Unavailable` when it has passed.
        """
        return _within(self, seconds)


Side = TypeVar("Side", bound=Sync | Async)


def _within(side: Side, seconds: float) -> Side:
    other = copy(side)
    other._transport = side._transport.within(seconds)
    return other


class One(Generic[P, C, S, A]):
    """A call with one answer, given as `S` in the blocking classes and as `A` in the others."""

    def __init__(
        self,
        build: Callable[Concatenate[Any, P], C],
        sync: Callable[[SyncTransport, Any], S],
        other: Callable[[AsyncTransport, Any], A],
    ) -> None:
        self.build = build
        self._sync = sync
        self._async = other
        self.__doc__ = build.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> Self: ...
    @overload
    def __get__(self, owner: Sync, kind: type) -> Callable[P, S]: ...
    @overload
    def __get__(self, owner: Async, kind: type) -> Callable[P, Coroutine[Any, Any, A]]: ...
    def __get__(self, owner: Any, kind: type) -> Any:
        match owner:
            case Sync():
                return _told(self.build, owner, functools.partial(self._make, owner))
            case Async():
                return _told(self.build, owner, functools.partial(self._make_async, owner))
        return self

    def _make(self, owner: Sync, *args: P.args, **kwargs: P.kwargs) -> S:
        transport = owner._transport
        return self._sync(transport, transport.ask(self.build(owner, *args, **kwargs)))

    async def _make_async(self, owner: Async, *args: P.args, **kwargs: P.kwargs) -> A:
        transport = owner._transport
        return self._async(transport, await transport.ask(self.build(owner, *args, **kwargs)))


class Many(Generic[P, T]):
    """A call with any number of answers: a generator, or an asynchronous one.

    Who leaves an asynchronous one before its end closes it, best with `contextlib.aclosing`.
    """

    def __init__(
        self,
        build: Callable[Concatenate[Any, P], Any],
        sync: Callable[[SyncTransport, Any], Generator[T, None, None]],
        other: Callable[[AsyncTransport, Any], AsyncGenerator[T, None]],
    ) -> None:
        self.build = build
        self._sync = sync
        self._async = other
        self.__doc__ = build.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> Self: ...
    @overload
    def __get__(self, owner: Sync, kind: type) -> Callable[P, Generator[T, None, None]]: ...
    @overload
    def __get__(self, owner: Async, kind: type) -> Callable[P, AsyncGenerator[T, None]]: ...
    def __get__(self, owner: Any, kind: type) -> Any:
        make = self._sync if isinstance(owner, Sync) else self._async
        if owner is None:
            return self
        return _told(
            self.build,
            owner,
            lambda *args, **kwargs: make(owner._transport, self.build(owner, *args, **kwargs)),
        )


def _told(build: Callable[..., Any], owner: object, make: Callable[..., T]) -> Callable[..., T]:
    """A call with the name, the arguments and the words of its description, for `help`."""

    def call(*args: Any, **kwargs: Any) -> T:
        return make(*args, **kwargs)

    return functools.update_wrapper(call, MethodType(build, owner))


def one(build: Callable[Concatenate[Any, P], Call[R]]) -> One[P, Call[R], R, R]:
    """A call that gives what it reads."""
    return One(build, _second, _second)


def giving(
    sync: Callable[[SyncTransport, R], S], other: Callable[[AsyncTransport, R], A]
) -> Callable[[Callable[Concatenate[Any, P], Call[R] | Chain[R]]], One[P, Any, S, A]]:
    """A call that gives an object to go on with, of one class or the other."""
    return lambda build: One(build, sync, other)


def pages(build: Callable[Concatenate[Any, P], Pages[T]]) -> Many[P, T]:
    """A list, page after page."""
    return Many(build, SyncTransport.items, AsyncTransport.items)


def watching(build: Callable[Concatenate[Any, P], Watch]) -> Many[P, News]:
    """A watch."""
    return Many(build, SyncTransport.watch, AsyncTransport.watch)


def _second(_: object, answer: R) -> R:
    return answer
