"""What a store keeps and how it is asked, whatever engine is behind it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Protocol, TypeVar

T = TypeVar("T")


class Answer(asyncio.Future[T]):
    """An answer that is on its way and cannot be called off.

    Whoever waits for it and is cancelled hears of that only when the answer is there. So he knows what
    happened, and can bring his own books in order before he goes.
    """

    def cancel(self, msg: object = None) -> bool:
        """Not possible."""
        return False


class Status(IntEnum):
    """Whether a table waits, plays or is done; the numbers are the wire's."""

    UNKNOWN = 0  # something that only newer servers know of
    WAITING = 1
    PLAYING = 2
    FINISHED = 3
    CLOSED = 4


class Visibility(IntEnum):
    """Who may see a table; the numbers are the wire's."""

    PUBLIC = 1
    LINK = 2
    PRIVATE = 3


@dataclass(frozen=True, slots=True)
class RequestKey:
    """What makes a command repeatable: an id within a scope, and what was asked for.

    `fingerprint` tells a repetition from another command that took the same id.
    """

    scope: str
    id: str
    fingerprint: bytes


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat of a table. `token` is a hash; it and `salt` are empty where no player sits."""

    number: int  # 0 white, 1 black
    name: str = ""
    bot: str = ""
    taken: bool = False
    token: bytes = b""
    salt: bytes = field(default=b"", repr=False)  # with the request id it gives the token again
    account: str = ""  # who has proved to sit here; empty: nobody had to


@dataclass(frozen=True, slots=True)
class NewTable:
    """A table to be made. `settings` is all that its events do not say, as a JSON text.

    `events` are there from the start, where its match goes on from a record.
    """

    id: str
    time: int  # microseconds since 1970
    variant: str
    rules_version: str
    settings: str = field(repr=False)  # it may hold secrets
    seats: tuple[Seat, Seat]
    status: Status
    visibility: Visibility
    events: Sequence[NewEvent] = ()
    deadline: int | None = None  # as in `Change`


@dataclass(frozen=True, slots=True)
class StoredTable:
    """A table as it stands. `number` rises with each table made."""

    number: int
    id: str
    created: int
    updated: int
    variant: str
    rules_version: str
    settings: str = field(repr=False)  # it may hold secrets
    seats: tuple[Seat, Seat]
    status: Status
    visibility: Visibility
    revision: int
    compacted: int = 0  # the last event that is kept in the archive only
    later: Later | None = None

    @property
    def current(self) -> Later:
        """The rules of the match that is on."""
        return self.later or Later(self.variant, self.rules_version, self.settings)


@dataclass(frozen=True, slots=True)
class Later:
    """Rules of a match at a table that has had others before. `settings` are like a table's."""

    variant: str
    rules_version: str
    settings: str = field(repr=False)  # it may hold secrets


@dataclass(frozen=True, slots=True)
class Extent:
    """How far the log of a table goes, and up to which event it is kept in the archive only."""

    revision: int
    compacted: int = 0


@dataclass(frozen=True, slots=True)
class Archive:
    """The first events of a table, as one piece: what a long log is compacted to.

    `body` is made and read by whoever compacts; a store keeps it as it is.
    """

    revision: int  # the last event in it
    time: int  # when it was made
    body: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class NewEvent:
    """Something that has just happened; `seat` is `None` where it was nobody's doing."""

    time: int
    seat: int | None
    body: str


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened at a table: event number `revision` of its log."""

    revision: int
    time: int
    seat: int | None
    request_id: str
    body: str


@dataclass(frozen=True, slots=True)
class Change:
    """Events to be appended to a table that must still have `revision` of them."""

    table: int
    revision: int
    events: Sequence[NewEvent]
    status: Status
    request: RequestKey | None = None
    seat: Seat | None = None  # a seat as it is from now on
    deadline: int | None = None  # when something happens by itself, from now on; None: nothing will
    later: Later | None = None  # the rules from now on, where another match begins


@dataclass(frozen=True, slots=True)
class Created:
    """A table was made, or the same request had made it before."""

    id: str
    repeated: bool


@dataclass(frozen=True, slots=True)
class Appended:
    """The events are in the log for good."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Repeated:
    """The same request had been carried out before; these were its events. Nothing was changed."""

    first: int
    last: int
    fingerprint: bytes


@dataclass(frozen=True, slots=True)
class Selection:
    """Which tables to list: newest first, from below `before`."""

    limit: int
    before: int | None = None
    variant: str | None = None
    status: Status | None = None


class Store(Protocol):
    """A store. Everything that returns is kept for good, whatever happens to the process.

    `Unavailable` is raised when the engine does not answer; the command may then have been carried
    out or not, and a repetition with the same request id tells. `Malformed` is raised for texts that
    not every engine can keep.
    """

    @property
    def shared(self) -> bool:
        """Whether other servers may write here, so that one must look at what they do."""
        ...

    async def create(self, table: NewTable, request: RequestKey | None) -> Created:
        """Make a table. `Malformed` when another one had been made with the request's id."""
        ...

    def append(self, change: Change) -> Answer[Appended | Repeated]:
        """Append events. `Stale` when the table has another revision."""
        ...

    async def request(self, table: int, scope: str, id: str) -> Repeated | None:
        """What a request did before, if anything."""
        ...

    async def table(self, id: str) -> StoredTable | None:
        """A table, by its id."""
        ...

    async def tables(self, selection: Selection) -> list[StoredTable]:
        """Public tables, the newest first."""
        ...

    async def bot_tables(self) -> list[str]:
        """The ids of the tables in play at which a bot sits: after a restart it must go on."""
        ...

    async def events(self, table: int, after: int, limit: int | None) -> list[Event]:
        """The events of a table after a revision, in order."""
        ...

    async def due(self, time: int, limit: int) -> list[str]:
        """The ids of tables whose deadline is before a time, the longest overdue first."""
        ...

    async def idle(self, statuses: Sequence[Status], before: int, limit: int) -> list[str]:
        """The ids of tables in one of these states whose last event is from before a time, the oldest first."""
        ...

    async def lengthy(self, events: int, limit: int) -> list[str]:
        """The ids of tables of which more than so many events are kept one by one."""
        ...

    async def settled(self, before: int, limit: int) -> list[str]:
        """The ids of tables that are over since before a time and not compacted, the oldest first.

        Over: finished or closed. Not compacted: any of their events are kept one by one.
        """
        ...

    async def archive(self, table: int) -> Archive | None:
        """What a table's log was compacted to, if it was."""
        ...

    async def compact(self, table: int, revision: int, archive: Archive) -> None:
        """Keep an archive in the place of the events that are in it.

        `Stale` when the table has another revision, or its archive has as many events already.
        """
        ...

    async def delete(self, table: int, revision: int | None = None) -> None:
        """Forget a table, its events and requests. Nothing happens if there is none.

        `Stale` when it must have a revision and has another.
        """
        ...

    async def extents(self, tables: Sequence[int]) -> dict[int, Extent]:
        """How far the log of each of these tables goes, by their numbers."""
        ...

    def hints(self) -> AsyncIterator[Mapping[int, int]]:
        """Tables that other servers have just changed, by number, and their revisions. Some get lost."""
        ...

    async def close(self) -> None:
        """Carry out what is waiting, and let go."""
        ...
