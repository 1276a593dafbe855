"""Faults by chance, while many play and look on; nothing acknowledged may be lost or done twice.

    python -m tests.wire.faults --kills 200 --tables 200 --commands 20000 --replicas 3
        [--store postgres|sqlite] [--seed N]

plays random matches at servers that are killed with signal 9, at any moment and at chosen points of an
act (`mortal.POINTS`), and held up for longer than a deadline; the database is killed, too, watchers are
cut off, and some go away without reading. Afterwards: every acknowledged command is in the log exactly
once, revisions have no gap, every watcher saw all events in order, each log leads to the state
that every server tells, and no roll was used twice. Some acts have nothing but their request id against
being done twice. Servers killed in the middle of a migration are the matter of
tests/server/test_store_migrations.py.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from bgcore.plugins import load
from bgcore_client import AsyncClient
from tests.ports import free_port
from tests.wire import mortal
from tests.wire.fault_checks import check_party, check_server
from tests.wire.fault_findings import Findings
from tests.wire.fault_players import DEADLINE, Company, Pace, Party, play
from tests.wire.fault_watchers import Lines, Watcher, go_away_without_reading
from tests.wire.process import ServerProcess
from tests.wire.proxy import Proxy

if TYPE_CHECKING:
    from tests.postgres import Postgres

AT_RANDOM = "at any moment"
LINES = 2
"""Ways to each server by which it is watched; each is cut by itself."""

STARTS = 20
"""How often a server may fail to start, since the database may be away just then."""

DIES_WITHIN = 5.0
"""Seconds in which a server gets to the point where it is to die; else it is killed."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How much of everything."""

    kills: int
    tables: int
    commands: int
    replicas: int
    seed: int = 1

    @property
    def faults(self) -> dict[str, int]:
        """How often each fault is to come, beside the kills."""
        some = max(2, self.kills // 10)
        return {
            "kills": self.kills,
            "stops": some,
            "restarts": some,
            "cuts": 3 * some,
            "gone": some,
        }


@dataclass
class Faults:
    """Makes faults, from a seed, among the commands."""

    plan: Plan
    servers: Sequence[ServerProcess]
    proxies: Sequence[Proxy]
    postgres: Postgres | None
    chance: random.Random
    tables: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    deaths: Counter[str] = field(default_factory=Counter)
    _busy: dict[int, asyncio.Task[None]] = field(default_factory=dict)
    _database: asyncio.Task[None] | None = None

    async def make_all(self, pace: Pace) -> None:
        """All of them, spread over the commands."""
        kinds = [kind for kind, count in self.plan.faults.items() for _ in range(count)]
        self.chance.shuffle(kinds)
        share = self.plan.commands / (len(kinds) + 1)
        pace.allow(share)
        for kind in kinds:
            pace.allow(share)
            await pace.until(share * self.chance.uniform(0.5, 1.5))
            await self.make(kind)
            self.tell(len(kinds))
        await pace.until(0)
        pace.end()
        await self.settled()

    def tell(self, count: int) -> None:
        """Where it is, now and then, for who waits."""
        made = self.counts.total()
        if made % 20 == 0:
            print(f"{made} of {count} faults", file=sys.stderr, flush=True)

    async def make(self, kind: str) -> None:
        """One of them."""
        match kind:
            case "kills":
                await self.with_a_server(self.kill)
            case "stops":
                await self.with_a_server(self.stop)
            case "restarts" if self.postgres:
                if self._database:
                    await self._database
                self._database = asyncio.create_task(asyncio.to_thread(self.postgres.restart))
            case "restarts":
                return  # SQLite goes with its server
            case "cuts":
                self.chance.choice(self.proxies).cut()
            case "gone":
                target = self.chance.choice(self.servers).grpc
                tables = self.chance.choices(self.tables, k=10)
                await go_away_without_reading(target, tables, self.chance)
        self.counts[kind] += 1

    async def with_a_server(self, fault: Callable[[ServerProcess], Awaitable[None]]) -> None:
        """Do something to one of those to which nothing is being done; wait for one."""
        while len(self._busy) == len(self.servers):
            await asyncio.wait(self._busy.values(), return_when=asyncio.FIRST_COMPLETED)
            self._reap()
        free = [n for n in range(len(self.servers)) if n not in self._busy]
        number = self.chance.choice(free)

        async def run() -> None:
            await fault(self.servers[number])

        self._busy[number] = asyncio.create_task(run())
        self._reap()

    def _reap(self) -> None:
        for number, task in list(self._busy.items()):
            if task.done():
                task.result()
                del self._busy[number]

    async def kill(self, server: ServerProcess) -> None:
        """End a server at once, at any moment or at a chosen point, and start it again."""
        point = self.chance.choice((AT_RANDOM, *mortal.POINTS))
        if point != AT_RANDOM:
            server.signal(mortal.armed(point))
            end = time.monotonic() + DIES_WITHIN
            while server.alive and time.monotonic() < end:
                await asyncio.sleep(0.002)
            point = AT_RANDOM if server.alive else point
        server.kill()
        self.deaths[point] += 1
        await asyncio.to_thread(begin, server)

    async def stop(self, server: ServerProcess) -> None:
        """Hold a server up, for longer than anybody waits for an answer."""
        server.signal(signal.SIGSTOP)
        await asyncio.sleep(DEADLINE * self.chance.uniform(1.2, 2))
        server.signal(signal.SIGCONT)

    async def settled(self) -> None:
        """Wait until every server is there again."""
        await asyncio.gather(*self._busy.values(), *((self._database,) if self._database else ()))


def begin(server: ServerProcess) -> None:
    """Start a server; the database may be away just then, and an orchestrator would try again, too."""
    for left in reversed(range(STARTS)):
        try:
            server.start()
            return
        except AssertionError:
            if not left:
                raise
            time.sleep(0.2)


@dataclass
class Report:
    """What was done, and what was found."""

    plan: Plan
    store: str
    faults: Faults
    company: Company
    lines: Lines
    checked: Counter[str]
    findings: Findings
    tables: int
    seconds: float

    def __str__(self) -> str:
        counts, made, checked = self.company.counts, self.faults.counts, self.checked
        points = ", ".join(f"{n} {point}" for point, n in sorted(self.faults.deaths.items()))
        tricks = (
            *("by its id alone", "repeated", "sent twice at once"),
            *("gone before the answer", "refused"),
        )
        return "\n".join(
            (
                (
                    f"{self.plan.replicas} servers on {self.store}, {self.tables} tables,"
                    f" seed {self.plan.seed}, {self.seconds:.0f} s"
                ),
                f"kills {made['kills']}: {points}",
                (
                    f"stops {made['stops']}, restarts of the database {made['restarts']}, lines cut"
                    f" {made['cuts']}, gone without reading {made['gone']}"
                ),
                (
                    f"commands {counts['commands']}, acknowledged {counts['acknowledged']},"
                    f" asked again {counts['asked again']}"
                ),
                ", ".join(f"{trick} {counts[trick]}" for trick in tricks),
                (
                    f"events {checked['events']}, of them rolls {checked['rolls']} (verified"
                    f" {checked['verified']}); seen by watchers {checked['seen']} in"
                    f" {self.lines.counts['streams']} streams"
                ),
                str(self.findings),
            )
        )


async def run(plan: Plan, servers: Sequence[ServerProcess], postgres: Postgres | None) -> Report:
    """Play, break, and check. The servers must be running."""
    started = time.monotonic()
    chance = random.Random(plan.seed)
    async with AsyncExitStack() as stack:
        clients = []
        for server in servers:
            client = AsyncClient(server.grpc, timeout=DEADLINE)
            clients.append(await stack.enter_async_context(client))
        proxies = [
            await stack.enter_async_context(Proxy(server.grpc))
            for server in servers
            for _ in range(LINES)
        ]
        lines = Lines([proxy.target for proxy in proxies], random.Random(f"{plan.seed}:lines"))
        stack.push_async_callback(lines.close)
        names = [one.id async for one in clients[0].variants()]
        company = Company(clients, names, random.Random(f"{plan.seed}:players"))
        pace = Pace(company.counts)
        faults = Faults(plan, servers, proxies, postgres, chance)
        watchers: dict[str, Watcher] = {}

        async with asyncio.TaskGroup() as watching:

            def begun(party: Party) -> None:
                watchers[party.id] = Watcher(lines, party.id)
                faults.tables.append(party.id)
                watching.create_task(watchers[party.id].watch())

            async with asyncio.TaskGroup() as playing:
                tasks = [
                    playing.create_task(play(company, pace, number, begun))
                    for number in range(plan.tables)
                ]
                while len(faults.tables) < plan.tables:
                    await asyncio.sleep(0.05)
                playing.create_task(faults.make_all(pace))
            parties = [party for task in tasks for party in task.result()]
            for party in parties:
                watchers[party.id].last = party.state.revision
        registry, checked, findings = load(), Counter[str](), company.findings
        for server in servers:
            check_server(server, findings)
        patient = [AsyncClient(server.grpc, timeout=60) for server in servers]
        for party in parties:
            checked += await check_party(party, watchers[party.id], patient, registry, findings)
        for client in patient:
            await client.close()
        store = "PostgreSQL" if postgres else "SQLite"
        seconds = time.monotonic() - started
        return Report(plan, store, faults, company, lines, checked, findings, len(parties), seconds)


def replica(folder: Path, database: str = "") -> ServerProcess:
    """A server that can be told where to die, at an address that stays its own."""
    grpc, http = (f"127.0.0.1:{free_port()}" for _ in range(2))
    program = (sys.executable, str(Path(mortal.__file__)))
    return ServerProcess(folder, (), grpc, http, database=database, program=program)


def run_all(plan: Plan, folder: Path, postgres: Postgres | None) -> Report:
    """The same with servers of its own, on a database that is there, or SQLite."""
    database = postgres.new_url() if postgres else ""
    count = plan.replicas if postgres else 1
    servers = [replica(folder / f"replica-{number}", database) for number in range(count)]
    try:
        for server in servers:
            server.start()
        return asyncio.run(run(plan, servers, postgres))
    finally:
        for server in servers:
            server.signal(signal.SIGCONT)
            server.kill()


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--commands", type=int, default=20_000)
    parser.add_argument("--replicas", type=int, default=3, help="one on SQLite")
    parser.add_argument("--store", choices=("postgres", "sqlite"), default="postgres")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    on_postgres = given.store == "postgres"
    replicas = given.replicas if on_postgres else 1
    plan = Plan(given.kills, given.tables, given.commands, replicas, given.seed)
    postgres = None
    if on_postgres:
        from tests.postgres import Postgres

        postgres = Postgres().make()
    try:
        with tempfile.TemporaryDirectory() as folder:
            report = run_all(plan, Path(folder), postgres)
    finally:
        if postgres:
            postgres.remove()
    print(report)
    if not report.findings.none:
        sys.exit("not everything was kept")


if __name__ == "__main__":
    main()
