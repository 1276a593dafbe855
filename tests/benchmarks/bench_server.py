"""What a call costs the server, beside the least that it could cost.

    python -m tests.benchmarks.bench_server [--calls 160] [--starts 3] [--rounds 41] [--seed 1]
        [--folder DIR]

The servers run in processes of their own, and it is their processor time that counts: µs a call, of
all threads, user's and system's. Every round asks each of them once, and they are started anew some
times, since it matters where a process happens to lie in memory. Medians over all rounds are
printed; a ratio is the median of the rounds' ratios, so that what else the machine does concerns
both sides alike. What is compared is

* `ListPlays` on western positions from random games, with an empty call of a bare grpc.aio server;
* an act at a table, with all that belongs to it, with an empty call of a bare server whose handler
  makes the same statements in one transaction.

Players choose at random among what the server lists, through whole games; each act has a request id
and names the revision that was seen. Flushes to the disk are counted by strace, in a run of their
own, since it slows a server down. DIR, where the databases are, should be on a real disk. Every
answer is checked: lists of plays against the engine, the record of each table by playing it again.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sqlite3
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import cast

import grpc

import bgcore
from bgcore import Position, Roll, Rules, Seat, kernel
from bgcore_proto.v1 import common_pb2, rules_service_pb2
from bgcore_server.convert import board
from bgcore_server.store import Change, NewEvent, RequestKey, Status, sqlite
from tests.benchmarks import bare_server, verdicts
from tests.benchmarks.bench_kernel import START, WESTERN, questions
from tests.benchmarks.players import Players
from tests.benchmarks.processes import Process, no_trace, serving

CALLERS = TABLES = 16
MOST_ACTS = 1000
"""Acts after which a table is left for a new one."""

SETTLE_SECONDS = 0.02
LIST_PLAYS = "/bgcore.v1.RulesService/ListPlays"

Work = Callable[[], Awaitable[None]]
Prepare = Callable[[], Awaitable[Work]]
Servers = tuple[Process, grpc.aio.Channel, Process, grpc.aio.Channel]
"""The bare one, and ours."""

Unary = grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]


# -- what servers are asked to do -------------------------------------------------------------------


@dataclass
class Load:
    """Calls of a server; `prepare` does what must be done before them and gives the calls themselves."""

    name: str
    process: Process
    prepare: Prepare


Comparison = tuple[Load, Load, float]
"""The least that something could cost, the thing itself, and how many times as much it may cost."""


@dataclass
class Loads:
    """Makes loads of so many calls, and checks all that is answered."""

    calls: int
    rules: Rules
    session: Rules
    rng: random.Random
    requests: list[bytes] = field(default_factory=list)
    expected: list[int] = field(default_factory=list)
    seated: list[list[Players]] = field(default_factory=list)
    acts: int = 0
    games: int = 0

    @classmethod
    def make(cls, calls: int, seed: int) -> Loads:
        registry = bgcore.load()
        session = registry.rules("western", options={"match_length": None})
        loads = cls(calls, registry.rules("western"), session, random.Random(seed))
        for packed, numbers in questions(START, WESTERN, calls, seed):
            position, roll = Position(packed), Roll(tuple(numbers[:2]))
            request = rules_service_pb2.ListPlaysRequest(
                variant=common_pb2.VariantRef(id="western"),
                position=board.position_message(position, Seat.WHITE, Seat.WHITE),
                dice=roll.dice,
            )
            loads.requests.append(request.SerializeToString())
            loads.expected.append(len(loads.rules.plays(position, roll)))
        return loads

    def empty(self, channel: grpc.aio.Channel, path: str, callers: int) -> Prepare:
        """Calls without a byte, of the bare server."""

        async def work() -> None:
            answers = await ask(channel, path, [b""] * self.calls, callers)
            assert answers == [b""] * self.calls

        return always(work)

    def list_plays(self, channel: grpc.aio.Channel, callers: int) -> Prepare:
        """A question for each position."""
        response = rules_service_pb2.ListPlaysResponse

        async def work() -> None:
            answers = await ask(channel, LIST_PLAYS, self.requests, callers)
            found = [len(response.FromString(answer).plays.lengths) for answer in answers]
            assert found == self.expected

        return always(work)

    def act(self, channel: grpc.aio.Channel, count: int) -> Prepare:
        """Acts at so many tables at once."""
        tables: list[Players] = []

        async def prepare() -> Work:
            for table in [table for table in tables if table.acts >= MOST_ACTS]:
                tables.remove(table)
                self.check(table)
            while len(tables) < count:
                tables.append(await Players(channel, self.rng).sit_down())
            return work

        async def work() -> None:
            await asyncio.gather(*(table.play(self.calls // count) for table in tables))

        self.seated.append(tables)
        return prepare

    def check(self, table: Players) -> None:
        """The record of a table that is left."""
        self.games += table.check(self.session)
        self.acts += table.acts

    def leave(self) -> None:
        """Leave all tables."""
        while self.seated:
            for table in self.seated.pop():
                self.check(table)


def always(work: Work) -> Prepare:
    async def prepare() -> Work:
        return work

    return prepare


async def ask(
    channel: grpc.aio.Channel, path: str, requests: Sequence[bytes], callers: int
) -> list[bytes]:
    """The answers to all the requests, sent by so many callers."""
    call: Unary = channel.unary_unary(path)
    answers = [b""] * len(requests)
    left = iter(enumerate(requests))

    async def caller() -> None:
        for index, request in left:
            answers[index] = await call(request)

    await asyncio.gather(*(caller() for _ in range(callers)))
    return answers


# -- what it costs them -----------------------------------------------------------------------------


async def measure(loads: Sequence[Load], calls: int, rounds: int) -> dict[str, list[float]]:
    """µs of processor time a call, one number a round; a first round is not counted."""
    spent: dict[str, list[float]] = {load.name: [] for load in loads}
    for _ in range(rounds + 1):
        for load in loads:
            work = await load.prepare()
            await asyncio.sleep(SETTLE_SECONDS)
            before = load.process.cpu()
            await work()
            await asyncio.sleep(SETTLE_SECONDS)  # what the last call leaves to be done counts too
            spent[load.name].append((load.process.cpu() - before) / 1000 / calls)
    return {name: found[1:] for name, found in spent.items()}


async def count_flushes(loads: Sequence[Load], calls: int) -> dict[str, float]:
    """Flushes a call; the first calls are not counted."""
    found = {}
    for load in loads:
        await (await load.prepare())()
        work = await load.prepare()
        await asyncio.sleep(SETTLE_SECONDS)
        before = load.process.flushes()
        await work()
        await asyncio.sleep(SETTLE_SECONDS)
        found[load.name] = (load.process.flushes() - before) / calls
    return found


@dataclass
class Result:
    """A figure, and the most that it should be."""

    name: str
    figure: float
    most: float
    note: str = ""
    below: bool = False  # even `most` itself is too much

    def show(self) -> None:
        """Print it, and whether it is more."""
        missed = self.figure >= self.most if self.below else self.figure > self.most
        wanted = f"{'below' if self.below else 'at most'} {self.most}"
        verdict = verdicts.verdict(self.name, not missed)
        print(f"{self.name:<28}{self.figure:>7.2f}   {wanted:<12}{verdict:<8}{self.note}")


def list_plays(loads: Loads, servers: Servers) -> list[Comparison]:
    """Questions for plays beside empty calls."""
    theirs, there, mine, here = servers
    return [
        (
            Load("empty", theirs, loads.empty(there, bare_server.EMPTY, count)),
            Load(f"ListPlays, {many(count, 'caller')}", mine, loads.list_plays(here, count)),
            1.2,
        )
        for count in (1, CALLERS)
    ]


def acts(loads: Loads, servers: Servers) -> list[Comparison]:
    """Acts beside bare statements."""
    theirs, there, mine, here = servers
    return [
        (
            Load("bare", theirs, loads.empty(there, bare_server.ACT, count)),
            Load(f"Act, {many(count, 'table')}", mine, loads.act(here, count)),
            2.0,
        )
        for count in (1, TABLES)
    ]


async def compare(
    comparisons: Callable[[Loads, Servers], list[Comparison]],
    loads: Loads,
    folder: Path,
    starts: int,
    rounds: int,
    begin: Callable[[Path], AbstractAsyncContextManager[Servers]] | None = None,
) -> list[Result]:
    """How many times more processor time the second load of each comparison takes."""
    times: dict[tuple[str, float], list[tuple[float, float]]] = {}
    for _ in range(starts):
        async with (begin or started)(folder) as servers:
            for base, load, most in comparisons(loads, servers):
                spent = await measure((base, load), loads.calls, rounds)
                pairs = zip(spent[base.name], spent[load.name], strict=True)
                times.setdefault((load.name, most), []).extend(pairs)
    results = []
    for (name, most), found in times.items():
        small, large = (median(column) for column in zip(*found, strict=True))
        ratio = median(mine / its for its, mine in found)
        results.append(Result(name, ratio, most, f"{large:.0f} µs against {small:.0f} µs"))
    return results


async def flushes(loads: Loads, folder: Path) -> list[Result]:
    """How often the disk is flushed."""
    async with started(folder, traced=True) as (theirs, there, mine, here):
        statements = Load("bare", theirs, loads.empty(there, bare_server.ACT, 1))
        alone = Load("alone", mine, loads.act(here, 1))
        busy = Load("busy", mine, loads.act(here, TABLES))
        found = await count_flushes((statements, alone, busy), loads.calls)
    return [
        Result("flushes an act, 1 table", found["alone"], 1.0, f"against {found['bare']:.2f}"),
        Result(f"flushes an act, {many(TABLES, 'table')}", found["busy"], 0.5, below=True),
    ]


def many(count: int, what: str) -> str:
    return f"1 {what}" if count == 1 else f"{count} {what}s"


@asynccontextmanager
async def started(folder: Path, traced: bool = False) -> AsyncIterator[Servers]:
    """The bare server and ours, each on a new database."""
    with tempfile.TemporaryDirectory(dir=folder) as name:
        new = Path(name)
        traces = (new / "bare.strace", new / "ours.strace") if traced else (None, None)
        async with (
            serving(*bare(new / "bare.db"), trace=traces[0]) as theirs,
            serving(*ours(new / "ours.db"), trace=traces[1]) as mine,
            grpc.aio.insecure_channel(theirs.address) as there,
            grpc.aio.insecure_channel(mine.address) as here,
        ):
            yield theirs, there, mine, here


def ours(database: Path | str) -> tuple[str, ...]:
    """How our server is started."""
    url = database if isinstance(database, str) else f"sqlite:///{database}"
    anywhere = "127.0.0.1:0"
    address = ("--listen", anywhere, "--http", anywhere)
    return ("-m", "bgcore_server.cli", "serve", *address, "--db", url)


def bare(database: Path | str) -> tuple[str, ...]:
    """How the bare server is started."""
    return ("-m", bare_server.__name__, str(database))


# -- whether the comparison is fair -----------------------------------------------------------------


class Recorder:
    """A connection that keeps the statements it is given."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db
        self.said: list[str] = []

    def execute(self, statement: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
        self.said.append(statement)
        return self.db.execute(statement, values)

    def executemany(self, statement: str, rows: Sequence[Sequence[object]]) -> sqlite3.Cursor:
        self.said += [statement] * len(rows)
        return self.db.executemany(statement, rows)


async def check_statements() -> None:
    """The bare server makes the statements that the store makes for an act."""
    acts = bare_server.Acts(":memory:")
    bare_db, store_db = Recorder(acts.db), Recorder(acts.db)
    acts.db = cast(sqlite3.Connection, bare_db)
    await acts.act()
    event = NewEvent(time=1, seat=0, body=bare_server.BODY)
    request = RequestKey("white", "an id", bytes(16))
    change = Change(bare_server.TABLE, acts.revision, (event,), Status.PLAYING, request)
    sqlite._append(cast(sqlite3.Connection, store_db), change)
    assert bare_db.said == ["BEGIN IMMEDIATE", *store_db.said, "COMMIT"]


async def run(calls: int, starts: int, rounds: int, seed: int, folder: Path) -> None:
    """Measure and print."""
    await check_statements()
    loads = Loads.make(calls, seed)
    print(
        f"kernel: {kernel.KERNEL}; {starts} starts of {rounds} rounds of {calls} calls;"
        f" databases in {folder}\n"
    )
    for comparisons in (list_plays, acts):
        for result in await compare(comparisons, loads, folder, starts, rounds):
            result.show()
    if reason := no_trace():
        print(f"skipped: flushes are not counted: {reason}", file=sys.stderr)
    else:
        for result in await flushes(loads, folder):
            result.show()
    loads.leave()
    print(f"\nchecked: {loads.acts} acts of {loads.games} whole games played again")


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--calls", type=int, default=160, help=f"a multiple of {TABLES}")
    parser.add_argument("--starts", type=int, default=3)
    parser.add_argument("--rounds", type=int, default=41)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path)
    arguments = parser.parse_args()
    if not sys.platform.startswith("linux"):
        parser.exit(1, "another process's processor time is read in Linux's way\n")
    if arguments.calls < TABLES or arguments.calls % TABLES:
        parser.error(f"--calls {arguments.calls}: expected a multiple of {TABLES}")
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        asyncio.run(
            run(
                arguments.calls,
                arguments.starts,
                arguments.rounds,
                arguments.seed,
                Path(folder),
            )
        )


if __name__ == "__main__":
    verdicts.run(main)
