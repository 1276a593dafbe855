"""Servers in this process without a port: one or two on a store, and a clock that the test sets."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any, TypeVar

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

import bgcore
from bgcore import BgcoreError, Registry
from bgcore.errors import Fault
from bgcore_proto.v1 import table_pb2 as pb
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_server.accounts import Account
from bgcore_server.callers import Callers
from bgcore_server.convert.options import Shelf
from bgcore_server.errors import Unauthenticated
from bgcore_server.limit_settings import QuotaSettings
from bgcore_server.quotas import Quotas
from bgcore_server.services.table import TableService
from bgcore_server.store import Store, open_store
from bgcore_server.tables import Tables
from bgcore_server.upkeep_settings import UpkeepSettings
from bgcore_server.workers import Workers
from tests.server.helpers import Faults
from tests.server.model.keeping import Habits
from tests.server.model.refused import Refused, told

T = TypeVar("T")

NEVER = 1e7
PATIENCE = 20.0
MODES = [mode for mode in pb.DiceMode.values() if mode]


@dataclass(frozen=True)
class Header:
    """A call, as far as a service looks at one."""

    authorization: str
    peer: str = "127.0.0.1"


class Accounts:
    """An issuer that everybody believes: `account.ann` is Ann's token."""

    required = False

    def account(self, token: str) -> Account:
        kind, _, name = token.partition(".")
        if kind != "account":
            raise Unauthenticated(Fault("TOKEN_INVALID", "authorization", "false", "a true one"))
        return Account(name, name.title())


@dataclass
class Clock:
    """Time stands still until it is set."""

    time: int = 1_700_000_000_000_000

    def __call__(self) -> int:
        return self.time


class Chance(Random):
    """What there is to be of the module `secrets`, from a seed."""

    def randbelow(self, limit: int) -> int:
        return self.randrange(limit)

    def token_bytes(self, length: int) -> bytes:
        return self.randbytes(length)

    def token_hex(self, length: int) -> str:
        return self.randbytes(length).hex()


class Watch:
    """Somebody who watches a table. `seen` are the messages so far; `ended` by the server."""

    def __init__(self, stream: AsyncIterator[service.WatchTableResponse | bytes]) -> None:
        self.seen: list[service.WatchTableResponse] = []
        self.ended: BgcoreError | None = None
        self._stream = stream
        self._task = asyncio.ensure_future(self._read())

    async def _read(self) -> None:
        try:
            async for news in self._stream:
                if isinstance(news, bytes):
                    news = service.WatchTableResponse.FromString(news)
                self.seen.append(news)
        except BgcoreError as error:
            self.ended = error

    async def over(self) -> None:
        """Wait for the server to end it."""
        await self._task

    async def stop(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)


def message(name: str, answer: Message | bytes) -> Message:
    """The answer of an rpc, which may have been written as the wire has it."""
    if not isinstance(answer, bytes):
        return answer
    rpcs = service.DESCRIPTOR.services_by_name["TableService"]
    return GetMessageClass(rpcs.methods_by_name[name].output_type).FromString(answer)


class Serving:
    """One server. Nothing runs by itself, but for its bots."""

    def __init__(
        self, store: Store, registry: Registry, clock: Clock, habits: Habits, workers: Workers
    ) -> None:
        self.faults = Faults()
        upkeep = UpkeepSettings.model_construct(  # some of them smaller than an operator may choose
            expire_waiting=habits.expire_waiting,
            expire_playing=habits.expire_playing,
            forget_after=habits.forget_after,
            compact_events=habits.compact_events,
            compact_after=habits.compact_after,
        )
        self.tables = Tables(store, registry, self.faults, NEVER, clock, upkeep)
        callers = Callers(Accounts())  # type: ignore[arg-type]
        quotas = Quotas(QuotaSettings(address_tables=0, account_tables=0))
        self._service = TableService(
            registry,
            Shelf(registry),
            self.tables,
            MODES,
            workers.tables,
            workers.files,
            quotas,
            callers,
        )

    async def call(self, name: str, asked: Message, header: str) -> Any:
        """The answer, or what it was refused with; whatever else is raised is a fault."""
        try:
            return message(name, await getattr(self._service, name)(asked, Header(header)))
        except BgcoreError as error:
            return told(error, asked)
        finally:
            await self.bots_done()

    async def bots_done(self) -> None:
        while tasks := list(self.tables._bots._tasks.values()):
            await asyncio.gather(*tasks)

    async def sweep(self) -> None:
        await self.tables._upkeep.sweep()
        await self.bots_done()

    async def tidy(self) -> None:
        await self.tables._upkeep.tidy()

    async def look(self) -> None:
        """See what other servers have done."""
        await self.tables._follower.look()

    def watch(self, asked: service.WatchTableRequest, header: str) -> Watch:
        return Watch(self._service.WatchTable(asked, Header(header)))

    def watchers(self, id: str) -> int:
        table = self.tables.loaded._live.get(id)
        return table.watchers if table else 0

    def evict(self, id: str) -> None:
        loaded = self.tables.loaded
        table = loaded._live.get(id)
        if table is not None and not loaded._in_use(table):
            loaded.drop(table)

    async def stop(self) -> None:
        await self.tables.stop()


@dataclass
class House:
    """A store and the servers on it, for one state machine after another."""

    url: str
    chance: Chance
    servers: int = 1
    clock: Clock = field(default_factory=Clock)
    registry: Registry = field(default_factory=bgcore.load)
    habits: Habits = field(default_factory=Habits)
    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)
    examples: int = 0

    def __post_init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._workers = Workers()
        self.serving: list[Serving] = []
        self.store = self.run(open_store(self.url))

    def run(self, work: Awaitable[T]) -> T:
        async def in_time() -> T:
            return await asyncio.wait_for(work, PATIENCE)

        return self._loop.run_until_complete(in_time())

    def do(self, work: Callable[[], T]) -> T:
        """Something that needs the loop to run."""

        async def done() -> T:
            return work()

        return self.run(done())

    @property
    def keeps(self) -> bool:
        """Whether the store survives a restart."""
        return self.url != "sqlite://"

    def start(self) -> None:
        self.serving = [self.do(self._new_server) for _ in range(self.servers)]
        for server in self.serving:
            self.run(server.tables.resume_bots())
            self.run(server.bots_done())

    def _new_server(self) -> Serving:
        return Serving(self.store, self.registry, self.clock, self.habits, self._workers)

    def stop(self) -> None:
        for server in self.serving:
            self.run(server.stop())
        self.serving = []

    def restart(self) -> None:
        """All servers stop, and others come up on what is in the store."""
        self.stop()
        if self.keeps:
            self.run(self.store.close())
            self.store = self.run(open_store(self.url))
        self.start()

    def call(self, server: int, name: str, asked: Message, header: str) -> Any:
        answer = self.run(self.serving[server].call(name, asked, header))
        self.outcomes[name, answer.args[1] if isinstance(answer, Refused) else ""] += 1
        return answer

    def begin_watch(self, server: int, asked: service.WatchTableRequest, header: str) -> Watch:
        """A watch that has begun, or was refused."""
        serving = self.serving[server]

        async def begun() -> Watch:
            before = serving.watchers(asked.table)
            watch = serving.watch(asked, header)
            while not watch.ended and serving.watchers(asked.table) == before:
                await asyncio.sleep(0.0005)
            return watch

        return self.run(begun())

    def wait_until(self, server: int, true: Callable[[], bool]) -> None:
        async def waited() -> None:
            while not true():
                await self.serving[server].look()
                await asyncio.sleep(0.0005)

        self.run(waited())

    def forget(self, ids: list[str]) -> None:
        """Make room for the next machine."""
        for name in ids:
            if stored := self.run(self.store.table(name)):
                self.run(self.store.delete(stored.number))

    def close(self) -> None:
        self.stop()
        self.run(self.store.close())
        self._workers.stop()
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()
