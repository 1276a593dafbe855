"""A command on a table: judged by what the table is now, logged, and only then told.

It holds the table's lock until the store has answered, so in one process nobody meets a stale revision.
Another process may; the store's compare-and-set finds out, and the log is read anew. On a store that
other servers share, a refusal holds only if nobody has acted meanwhile.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from bgcore import BgcoreError, Seat
from bgcore_server.entries import Acted, Entry, Started, written
from bgcore_server.errors import NotAllowed, Stale, Unavailable
from bgcore_server.store import Appended, Change, Event, NewEvent, Repeated, RequestKey, Store
from bgcore_server.store import Seat as StoredSeat
from bgcore_server.store.errors import reused
from bgcore_server.store.statements import logged_id
from bgcore_server.tables.live import Moment, Table
from bgcore_server.tables.loaded import Loaded
from bgcore_server.tables.wishes import Made

T = TypeVar("T")


def now() -> int:
    """Microseconds since 1970."""
    return time.time_ns() // 1000


@dataclass(frozen=True, slots=True)
class Done:
    """What an act has done: its events, and the state after the last."""

    moments: Sequence[Moment]

    @property
    def last(self) -> Moment:
        """The last event and the state after it."""
        return self.moments[-1]


class Commands:
    """Carries out commands on the tables of a store. `wake` lets a table's bots act."""

    def __init__(
        self, store: Store, loaded: Loaded, now: Callable[[], int], wake: Callable[[Table], None]
    ) -> None:
        self._store = store
        self._loaded = loaded
        self._now = now
        self._wake = wake

    async def up_to_date(
        self, table: Table, expected: int | None, command: Callable[[], Awaitable[T]]
    ) -> T:
        """Carry out a command; once more whenever another server has acted at the table meanwhile."""
        async with table.lock:
            if table.doubtful:
                await self._loaded.settle(table)
            while True:
                try:
                    return await command()
                except BgcoreError as refused:
                    seen = table.revision
                    old = expected is not None and expected < seen
                    if old or not self._may_be_behind(refused):
                        raise
                    await self._loaded.read_on(table)
                    if table.revision == seen:
                        raise

    def _may_be_behind(self, refused: BgcoreError) -> bool:
        if isinstance(refused, (Unavailable, NotAllowed)):
            return False
        return self._store.shared or isinstance(refused, Stale)

    async def carry_out(
        self,
        table: Table,
        made: Made,
        actor: Seat | None,
        request: RequestKey | None = None,
        *,
        seat: StoredSeat | None = None,
    ) -> list[Moment] | Repeated:
        """Log first, then fan out; nothing when the store knew the request already."""
        last = made[-1][1]
        events = [NewEvent(s.updated, whose(entry, actor), written(entry)) for entry, s in made]
        change = Change(
            table.number,
            table.revision,
            events,
            last.status,
            request,
            seat,
            deadline=last.deadline,
            later=next((e.rules for e, _ in made if isinstance(e, Started)), None),
        )
        cancelled, answer = None, self._store.append(change)
        try:
            try:
                await answer
            except asyncio.CancelledError as error:
                # The log decides what happened, not the caller's patience.
                cancelled = error
            done = answer.result()
        except Exception as refused:
            if isinstance(refused, Unavailable):
                table.doubtful = True  # whoever comes next finds out, before anything else is done
            if cancelled:  # nobody asks any more, so it is not tried again either
                raise cancelled from refused
            raise
        if isinstance(done, Repeated) and done.last > table.revision:
            # Somebody asked the same at another server first: who watches here must hear of it.
            await self._loaded.read_on(table)
        if isinstance(done, Appended):
            request_id = logged_id(change)
            moments = [
                Moment(Event(s.revision, new.time, new.seat, request_id, new.body), s, entry)
                for new, (entry, s) in zip(events, made, strict=True)
            ]
            if seat:
                table.set_token(seat)
            table.publish(moments)
        if cancelled:
            self._wake(table)
            raise cancelled
        return done if isinstance(done, Repeated) else moments

    async def known(self, table: Table, request: RequestKey | None) -> Done | None:
        if request is None:
            return None
        done = await self._store.request(table.number, request.scope, request.id)
        return await self.again(table, request, done) if done else None

    async def again(self, table: Table, request: RequestKey | None, done: Repeated) -> Done:
        if request and done.fingerprint != request.fingerprint:
            raise reused(request.id)
        return Done(await self._loaded.moments(table, done.first, done.last))

    def time(self, table: Table) -> int:
        return max(self._now(), table.state.updated)


def whose(entry: Entry, actor: Seat | None) -> Seat | None:
    """Whose doing an entry is: an automatic action's is its player's; the table's own nobody's."""
    if isinstance(entry, Acted):
        return entry.seat if entry.automatic else actor
    return entry.seat


def fingerprint(content: bytes) -> bytes:
    """What tells a repeated request from another one with its id."""
    return hashlib.sha256(content).digest()[:16]


def concealed(request_id: str) -> str:
    """What is kept of a request id with which secrets can be asked for again."""
    return hashlib.sha256(request_id.encode()).hexdigest()
