"""What tables and watches cost a server in memory: its resident size, before and after thousands of them.

    python -m tests.benchmarks.bench_memory [--tables 4000] [--watches 2000] [--acts 80] [--seed 1]

* a table that was made and is idle, with both seats free; in memory are at most `LIVE` tables
* a table beyond those: the one that has not been used for longest has left memory for it
* an open watch, all of them over a few tables
* a table at which so many acts were made, in the middle of a game, with its latest moments

Every figure is a difference of two resident sizes of one process, divided by the count.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

import grpc

from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_server.tables.loaded import LIVE
from tests.benchmarks.bench_server import Loads, ours
from tests.benchmarks.players import SERVICE, SESSION, Players
from tests.benchmarks.processes import Process, serving
from tests.benchmarks.watchers import Watcher

AT_ONCE = 32
CHANNELS = 8
WATCHED = 20
PAUSE_SECONDS = 0.05
SETTLE_SECONDS = 1.5
"""A little longer than the store's writer needs to copy its log."""


async def size(server: Process) -> int:
    """Bytes that are resident, once it is quiet."""
    await asyncio.sleep(SETTLE_SECONDS)
    return server.resident()


async def make(channel: grpc.aio.Channel, count: int) -> list[str]:
    """So many tables."""
    call = channel.unary_unary(
        f"{SERVICE}CreateTable",
        request_serializer=service.CreateTableRequest.SerializeToString,
        response_deserializer=service.CreateTableResponse.FromString,
    )
    names: list[str] = []

    async def some(share: int) -> None:
        for _ in range(share):
            names.append((await call(service.CreateTableRequest(variant=SESSION))).table.id)

    await asyncio.gather(*(some(count // AT_ONCE) for _ in range(AT_ONCE)))
    return names


def told(what: str, before: int, after: int, count: int) -> None:
    """A line of the table."""
    print(f"{what:<44}{(after - before) / count / 1024:>8.1f} KiB   ({count} of them)")


async def idle(folder: Path, tables: int) -> None:
    """Tables that were made, in memory and beyond."""
    async with (
        serving(*ours(folder / "idle.db")) as server,
        grpc.aio.insecure_channel(server.address) as channel,
    ):
        await make(channel, AT_ONCE)
        before = await size(server)
        names = await make(channel, min(tables, LIVE - AT_ONCE))
        here = await size(server)
        told("an idle table in memory", before, here, len(names))
        full = await make(channel, AT_ONCE)
        before = await size(server)
        more = await make(channel, tables)
        told("an idle table that has left memory", before, await size(server), len(more))
        assert len({*names, *full, *more}) == len(names) + len(full) + len(more)


async def watched(folder: Path, watches: int) -> None:
    """Open watches."""
    async with serving(*ours(folder / "watched.db")) as server:
        channels = [
            # Each with a connection of its own: streams on one connection are cheaper.
            grpc.aio.insecure_channel(server.address, [("grpc.use_local_subchannel_pool", 1)])
            for _ in range(CHANNELS)
        ]
        names = await make(channels[0], AT_ONCE)
        warm = [Watcher(channels[n % CHANNELS], names[n % WATCHED], 0) for n in range(WATCHED)]
        tasks = [watcher.begin() for watcher in warm]
        before = await size(server)
        seen = [Watcher(channels[n % CHANNELS], names[n % WATCHED], 0) for n in range(watches)]
        for first in range(0, watches, AT_ONCE):  # gRPC refuses hundreds at once on a connection
            tasks += [watcher.begin() for watcher in seen[first : first + AT_ONCE]]
            await asyncio.sleep(PAUSE_SECONDS)
        after = await size(server)
        assert not any(task.done() for task in tasks)
        told("an open watch", before, after, watches)
        await joined(channels[0], names[:WATCHED])
        async with asyncio.timeout(60):
            await asyncio.gather(*(watcher.reached(1) for watcher in (*warm, *seen)))
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for channel in channels:
            await channel.close()


async def joined(channel: grpc.aio.Channel, tables: Sequence[str]) -> None:
    """Somebody sits down at each, so that all who watch have something to see."""
    call = channel.unary_unary(
        f"{SERVICE}JoinTable",
        request_serializer=service.JoinTableRequest.SerializeToString,
        response_deserializer=service.JoinTableResponse.FromString,
    )
    for table in tables:
        await call(service.JoinTableRequest(table=table))


async def in_play(folder: Path, tables: int, acts: int, seed: int) -> None:
    """Tables in the middle of a game."""
    rng, loads = random.Random(seed), Loads.make(1, seed)
    async with (
        serving(*ours(folder / "play.db")) as server,
        grpc.aio.insecure_channel(server.address) as channel,
    ):
        warm = await Players(channel, rng).sit_down()
        await warm.play(acts)
        before = await size(server)
        played = [await Players(channel, rng).sit_down() for _ in range(tables)]
        for first in range(0, tables, AT_ONCE):
            some = played[first : first + AT_ONCE]
            await asyncio.gather(*(table.play(acts) for table in some))
        told(f"a table in play, after {acts} acts", before, await size(server), tables)
        for table in played:
            table.check(loads.session)


async def run(tables: int, watches: int, acts: int, seed: int) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        await idle(Path(folder), tables)
        await watched(Path(folder), watches)
        await in_play(Path(folder), max(1, tables // 20), acts, seed)


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=4000)
    parser.add_argument("--watches", type=int, default=2000)
    parser.add_argument("--acts", type=int, default=80)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    asyncio.run(run(given.tables, given.watches, given.acts, given.seed))


if __name__ == "__main__":
    main()
