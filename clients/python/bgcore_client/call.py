"""Calls that are not made yet: what to send, and what to make of the answer. No transport is known here."""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from bgcore_client.errors import BgcoreClientError, NotFound, NotYourSeat, TooMuch, Unavailable
from bgcore_proto.v1 import rules_service_pb2, table_service_pb2, variant_service_pb2

R = TypeVar("R")
S = TypeVar("S")
M = TypeVar("M", bound=Message)
T_co = TypeVar("T_co", covariant=True)

Metadata = tuple[tuple[str, str], ...]

Account: TypeAlias = str | Callable[[], str]
"""The token of an account, or what gives it for each call, as such tokens do not last. Empty: none."""


class Repetition(Enum):
    """What comes of a call that is made again because nobody knows whether it was done."""

    SAFE = auto()
    """Nothing, if it was; the answer is the same."""
    TELLS = auto()
    """It is refused if it was, since the token has gone with it."""
    HARMS = auto()
    """It might be done twice, to somebody else the second time. So it is not made again."""


@dataclass(frozen=True, slots=True)
class Method:
    """One rpc of the contract."""

    path: str
    request: type[Message]
    response: type[Message]
    streams: bool


METHODS: dict[type[Message], Method] = {
    method.request: method
    for file in (variant_service_pb2, rules_service_pb2, table_service_pb2)
    for service in file.DESCRIPTOR.services_by_name.values()
    for rpc in service.methods
    for method in [
        Method(
            f"/{service.full_name}/{rpc.name}",
            GetMessageClass(rpc.input_type),
            GetMessageClass(rpc.output_type),
            rpc.server_streaming,
        )
    ]
}
"""Every rpc by its request: each has its own, so a request says what it is for."""


@dataclass(frozen=True, slots=True)
class Call(Generic[R]):
    """A call. Most may be made again and again: they only read, or their request has an id, or they change nothing."""

    request: Message
    read: Callable[[Any], R]
    token: str = field(default="", repr=False)
    repetition: Repetition = Repetition.SAFE

    @classmethod
    def of(cls, request: Message, response: type[M], token: str = "") -> Call[M]:
        """The call of a request, which gives its response."""
        if METHODS[type(request)].response is not response:
            raise TypeError(f"{type(request).__name__} is not answered by {response.__name__}")
        return Call(request, _itself, token)

    def then(self, read: Callable[[R], S]) -> Call[S]:
        """The same call, giving what `read` makes of its answer."""
        before = self.read
        return replace(self, read=lambda answer: read(before(answer)))  # type: ignore[arg-type,return-value] # of S now

    def metadata(self, account: Account = "") -> Metadata:
        """What is sent beside the request: the call's own token, or else that of an account."""
        token = self.token or (account if isinstance(account, str) else account())
        return (("authorization", f"Bearer {token}"),) if token else ()

    def done(self, error: BgcoreClientError, patience: Patience) -> bool:
        """Whether a refusal says that an attempt before, which had no answer, has done it."""
        told = self.repetition is Repetition.TELLS and isinstance(error, NotYourSeat | NotFound)
        return told and patience.unanswered


def _itself(answer: M) -> M:
    return answer


@dataclass(frozen=True, slots=True)
class Chain(Generic[R]):
    """A call whose request needs the answer to another call, which comes first. Each may be made again."""

    first: Call[Any]
    next: Callable[[Any], Call[R]]


class Page(Protocol):
    """A page of a list."""

    next_page_token: str


class Pages(Generic[T_co]):
    """All items of a list: the call of one page after the other, as long as there are any."""

    def __init__(self, first: Call[Any], items: Callable[[Any], Sequence[T_co]]) -> None:
        self._first = first
        self._items = items

    def __iter__(self) -> Iterator[Call[Sequence[T_co]]]:
        """The calls. Each but the first needs the answer of the one before."""
        token = ""

        def items(page: Page) -> Sequence[T_co]:
            nonlocal token
            token = page.next_page_token
            return self._items(page)

        while True:
            yield self._page(token).then(items)
            if not token:
                return

    def _page(self, token: str) -> Call[Any]:
        request = type(self._first.request)()
        request.CopyFrom(self._first.request)
        request.page_token = token  # type: ignore[attr-defined] # every list has it
        return replace(self._first, request=request)


def new_request_id() -> str:
    """An id that makes a call repeatable."""
    return str(uuid.uuid4())


class Patience:
    """For how long something is tried again, and with which pauses.

    >>> patience = Patience(seconds=10)
    >>> 9 < patience.left <= 10
    True
    """

    FIRST, LONGEST = 0.05, 1.0

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self._pause = self.FIRST
        self.unanswered = False
        """Whether an attempt had no answer, so that nobody knows whether it was done."""

    @property
    def left(self) -> float:
        """Seconds that are left."""
        return self._end - time.monotonic()

    def pause(self, error: BgcoreClientError, repetition: Repetition = Repetition.SAFE) -> float:
        """Seconds to wait before trying again after an error; where that is no use, or not safe, it is raised."""
        # Somewhat at random, so that clients cut off together don't come back together.
        pause = self._pause * random.uniform(0.5, 1)
        if isinstance(error, TooMuch) and error.retry_after is not None:
            pause += error.retry_after  # it was refused, so nothing was done
        elif not isinstance(error, Unavailable) or repetition is Repetition.HARMS:
            raise error
        else:
            self.unanswered = True
        if pause >= self.left:
            raise error
        self._pause = min(2 * self._pause, self.LONGEST)
        return pause
