"""One description of a call, two ways to make it.

A class of descriptions says what each call sends and gives. It is mixed with `Sync` or `Async`, and a
method of it then answers at once, or is awaited; types and docstrings follow.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from copy import copy
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, overload

from bgcore_client.call import Account, Call, Chain, Pages
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
        return _over(self, self._transport.within(seconds))

    def with_account(self, account: Account) -> Self:
        """The same for an account: its token is shown wherever no other token is, of a table or a seat.

        A function is asked for it at each call, since such tokens do not last.
        """
        return _over(self, self._transport.with_account(account))


class Async:
    """Calls are awaited."""

    _transport: AsyncTransport

    def within(self, seconds: float) -> Self:
        """The same with another time for each call, trying again included.

        `DeadlineExceeded` or `Unavailable` when it has passed.
        """
        return _over(self, self._transport.within(seconds))

    def with_account(self, account: Account) -> Self:
        """The same for an account: its token is shown wherever no other token is, of a table or a seat.

        A function is asked for it at each call, since such tokens do not last.
        """
        return _over(self, self._transport.with_account(account))


Side = TypeVar("Side", bound=Sync | Async)


def _over(side: Side, transport: Any) -> Side:
    """The same over another transport of its kind."""
    other = copy(side)
    other._transport = transport
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
        gives = _gives(build)
        self._gives = _named(sync, gives), _named(other, gives)
        _described(self, build, self._gives[0])

    @overload
    def __get__(self, owner: None, kind: type) -> Self: ...
    @overload
    def __get__(self, owner: Sync, kind: type) -> Callable[P, S]: ...
    @overload
    def __get__(self, owner: Async, kind: type) -> Callable[P, Coroutine[Any, Any, A]]: ...
    def __get__(self, owner: Any, kind: type) -> Any:
        match owner:
            case Sync():
                make = functools.partial(self._make, owner)
                return _told(self.build, self._gives[0], make)
            case Async():
                make_async = functools.partial(self._make_async, owner)
                return _told(self.build, self._gives[1], make_async)
        return self

    def __call__(self, owner: Any, *args: P.args, **kwargs: P.kwargs) -> Any:
        """The call of an owner, as a function of the class."""
        return self.__get__(owner, type(owner))(*args, **kwargs)

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
        self._item = _gives(build)
        _described(self, build, f"Iterator[{self._item}]")

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
            f"{'' if isinstance(owner, Sync) else 'Async'}Iterator[{self._item}]",
            lambda *args, **kwargs: make(owner._transport, self.build(owner, *args, **kwargs)),
        )

    def __call__(self, owner: Any, *args: P.args, **kwargs: P.kwargs) -> Any:
        """The call of an owner, as a function of the class."""
        return self.__get__(owner, type(owner))(*args, **kwargs)


# -- what `help` and `inspect` tell ------------------------------------------------------------------


def _told(build: Callable[..., Any], gives: str, make: Callable[..., T]) -> Callable[..., T]:
    """A call of an owner with the name, the arguments and the words of its description."""

    def call(*args: Any, **kwargs: Any) -> T:
        return make(*args, **kwargs)

    _described(call, build, gives)
    _, *own = call.__signature__.parameters.values()  # type: ignore[attr-defined]  # made so just now
    call.__signature__ = inspect.Signature(own, return_annotation=gives)  # type: ignore[attr-defined]
    return call


def _described(one: Any, build: Callable[..., Any], gives: str) -> None:
    """Gives an object the name, the words and the signature of a description, but for what it gives."""
    functools.update_wrapper(one, build)
    one.__signature__ = inspect.signature(build).replace(return_annotation=gives)


def _gives(build: Callable[..., Any]) -> str:
    """What the call of a description gives: `Table` of one that is said to be a `Call[Table]`."""
    said = str(build.__annotations__["return"])
    wrapped = re.fullmatch(r"(?:Call|Pages)\[(.*)\]", said)
    return wrapped[1] if wrapped else "News"


def _named(make: Callable[..., Any], gives: str) -> str:
    """The class in which an answer is given, where it is not given as it is."""
    return make.__name__ if isinstance(make, type) else gives


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
