"""What happens around every call, whatever brought it: it gets an id, steps before it, steps after it.

Both adapters call `begin`, then the service, then `failed` or `left` if need be, and always `end`.

A further step is a function of the call in hand. One that looks at a call before the service does, and may
refuse it by raising a `BgcoreError`, such as a quota, goes to the end of `before`; one that wants to
know how it ended goes into `after`. `server.py` lists both. Every step of `after` runs for every call, even
one that a step of `before` refused. They are on the path of the fastest calls: a microsecond is much.
"""

from __future__ import annotations

import itertools
import re
import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

from bgcore.errors import BgcoreError
from bgcore_server.adapters.service import Guard, Method
from bgcore_server.errors import code_of
from bgcore_server.quotas import Place

REQUEST_ID = "x-request-id"
"""The header, or metadata, with the id of a call: the caller's if it sends one, and told in every answer."""

SANE = re.compile(r"[A-Za-z0-9._:/+=-]{1,64}")

OK, CANCELLED, DEADLINE_EXCEEDED = "OK", "CANCELLED", "DEADLINE_EXCEEDED"

_numbers = itertools.count(1)
_start = secrets.token_hex(5)


class Ongoing(ABC):
    """A call in hand. Services see it as a `Call`; each adapter has its own kind."""

    system = ""
    """What brought it, in OpenTelemetry's words."""

    __slots__ = ("code", "error", "method", "peer", "place", "request_id", "span", "started")

    def __init__(self, method: Method) -> None:
        self.method = method
        self.started = perf_counter()
        self.code = OK
        self.error: BgcoreError | None = None
        self.span: Any = None
        self.peer = self.address  # behind trusted proxies the one that they tell (admission.py)
        self.place: Place | None = None  # of a watch, among those that its caller may have
        given = self.header(REQUEST_ID)
        sane = given and SANE.fullmatch(given)
        self.request_id = given if sane else f"{_start}-{next(_numbers)}"

    @abstractmethod
    def header(self, name: str) -> str:
        """A header, or metadata, by its name in small letters; empty when there is none."""

    @abstractmethod
    def headers(self, name: str) -> str:
        """All headers of a name, with commas between them."""

    @property
    @abstractmethod
    def address(self) -> str:
        """The address at the other end, without a port."""

    @property
    @abstractmethod
    def is_late(self) -> bool:
        """Whether the caller's deadline has passed."""

    @property
    def authorization(self) -> str:
        """The `authorization` header; empty when there is none."""
        return self.header("authorization")

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        return perf_counter() - self.started


def let_go(error: BaseException | None) -> None:
    """Keep an error without the frames it came through.

    They hold the call, which holds the error: a large request would stay until such circles are looked for.
    """
    while error is not None:
        error.__traceback__ = None
        error = error.__cause__ or error.__context__


Step = Callable[[Ongoing], None]


class Around:
    """The steps before and after each call."""

    def __init__(
        self, guard: Guard, before: Sequence[Step] = (), after: Sequence[Step] = ()
    ) -> None:
        self._guard = guard
        self._before = tuple(before)
        self._after = tuple(after)
        self.open = 0
        """Calls that have begun and not ended."""

    def begin(self, call: Ongoing) -> None:
        """The steps before it; a `BgcoreError` of one of them refuses the call."""
        self.open += 1
        for step in self._before:
            step(call)

    def failed(self, call: Ongoing, raised: Exception) -> BgcoreError:
        """The error to send for what was raised."""
        error = self._guard.error(call.method, raised, call.request_id)
        let_go(error)
        call.error = error
        call.code = code_of(type(error)).name
        return error

    def left(self, call: Ongoing) -> None:
        """Nobody waits for the answer any more."""
        call.code = DEADLINE_EXCEEDED if call.is_late else CANCELLED

    def end(self, call: Ongoing) -> None:
        """The steps after it."""
        self.open -= 1
        for step in self._after:
            step(call)
