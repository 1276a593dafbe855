"""How late those who look on hear of an act: many watchers over many tables, on one server and on two.

    python -m tests.benchmarks.bench_watchers [--watchers 1000] [--tables 100] [--acts 30] [--rate 40]
        [--seed 1]

Players act one after the other at tables chosen by chance, so many acts a second; watchers are spread over
the tables and, where there are two, over the servers. Delay: from the answer that the player got to the
moment at which a watcher has read the event, in the same process; what was heard before the
answer counts as 0. All run beside each other on this machine. Every watcher must see every event, in
order, without a gap.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path
from statistics import quantiles

import grpc

from tests.benchmarks.bench_server import Loads, ours
from tests.benchmarks.players import Players
from tests.benchmarks.processes import Process, serving
from tests.benchmarks.watchers import Watcher
from tests.needs import no_postgres

NANOSECONDS = 1_000_000  # in a millisecond


async def run(
    name: str, urls: Sequence[str], watchers: int, tables: int, acts: int, rate: float, seed: int
) -> None:
    """Measure with a server on each URL, and print."""
    rng = random.Random(seed)
    loads = Loads.make(1, seed)
    async with AsyncExitStack() as stack:
        servers: list[Process] = []
        for url in urls:
            servers.append(await stack.enter_async_context(serving(*ours(url))))
        channels = []
        for server in servers:
            channel = grpc.aio.insecure_channel(server.address)
            channels.append(await stack.enter_async_context(channel))
        played = [await Players(channels[n % len(channels)], rng).sit_down() for n in range(tables)]
        seen = []
        for n in range(watchers):
            table = played[n % tables]
            # On two servers: half of those of a table at each.
            channel = channels[(n // tables) % len(channels)]
            seen.append(Watcher(channel, table.table, table.state.revision))
        tasks = [watcher.begin() for watcher in seen]
        for table in played:  # everybody is there before it counts
            await table.play(1)
        await settled(seen, played)
        answered: dict[tuple[str, int], int] = {}
        before, began = [server.cpu() for server in servers], time.monotonic()
        for number in range(acts * tables):
            await asyncio.sleep(max(0, began + number / rate - time.monotonic()))
            table = rng.choice(played)
            first = table.state.revision + 1
            await table.play(1)
            now = time.monotonic_ns()
            answered |= {(table.table, n): now for n in range(first, table.state.revision + 1)}
        took = time.monotonic() - began
        await settled(seen, played)
        cpu = [server.cpu() - was for server, was in zip(servers, before, strict=True)]
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        assert all(isinstance(one, asyncio.CancelledError) for one in ended), "a watch broke"
        delays = [
            max(0, watcher.heard[revision] - when) / NANOSECONDS
            for watcher in seen
            for (table_id, revision), when in answered.items()
            if table_id == watcher.table
        ]
        for table in played:
            table.check(loads.session)
        cut = quantiles(delays, n=100)
        print(
            f"{name:<28}{len(seen):>6} watchers, {len(delays):>7} events, all gapless;"
            f" delay median {cut[49]:.1f} ms, p99 {cut[98]:.1f} ms;"
            f" {acts * tables / took:.0f} acts/s,"
            f" {sum(cpu) / len(delays) / 1000:.0f} µs an event told"
        )


async def settled(seen: Sequence[Watcher], played: Sequence[Players]) -> None:
    """Wait until everybody has seen everything."""
    last = {table.table: table.state.revision for table in played}
    async with asyncio.timeout(120):
        await asyncio.gather(*(watcher.reached(last[watcher.table]) for watcher in seen))


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--watchers", type=int, default=1000)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--acts", type=int, default=30, help="at each table, on average")
    parser.add_argument("--rate", type=float, default=40.0, help="acts a second")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    load = (given.watchers, given.tables, given.acts, given.rate, given.seed)
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(run("one server, SQLite", [f"sqlite:///{Path(folder) / 'a.db'}"], *load))
    if reason := no_postgres():
        print(f"left out: PostgreSQL: {reason}")
        return
    from tests.postgres import Postgres

    postgres = Postgres()
    try:
        url = postgres.make().new_url()
        asyncio.run(run("one server, PostgreSQL", [url], *load))
        url = postgres.new_url()
        asyncio.run(run("two servers, PostgreSQL", [url, url], *load))
    finally:
        postgres.remove()


if __name__ == "__main__":
    main()
