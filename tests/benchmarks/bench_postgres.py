"""What an act costs a server on PostgreSQL, beside the same statements in a bare handler.

    python -m tests.benchmarks.bench_postgres [--calls 160] [--starts 2] [--rounds 21] [--seed 1]

As in bench_server, on a PostgreSQL of its own: the processor time of the servers alone counts, not the
database's. The bare server sends one message with the statements of an act over a connection that is free.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import grpc

from bgcore import kernel
from bgcore_server.store import Change, NewEvent, RequestKey, Status, postgres_work
from tests.benchmarks import bare_server, verdicts
from tests.benchmarks.bench_server import TABLES, Loads, Servers, acts, bare, compare, ours
from tests.benchmarks.processes import serving
from tests.postgres import Postgres


def check_statements() -> None:
    """The bare server makes the statements that the store makes for an act."""
    event = NewEvent(time=1, seat=0, body=bare_server.BODY)
    request = RequestKey("white", "an id", bytes(16))
    change = Change(bare_server.TABLE, 0, (event,), Status.PLAYING, request)
    said = [statement for statement, _ in postgres_work.appending(change)]
    statements, _ = bare_server.PostgresActs.work(bare_server.TABLE, 0)
    assert said == statements


async def run(postgres: Postgres, calls: int, starts: int, rounds: int, seed: int) -> None:
    """Measure and print."""
    loads = Loads.make(calls, seed)

    @asynccontextmanager
    async def begin(folder: Path) -> AsyncIterator[Servers]:
        theirs_url, ours_url = postgres.new_url(), postgres.new_url()
        async with serving(*ours(theirs_url)):
            pass  # it makes the tables
        async with (
            serving(*bare(theirs_url)) as theirs,
            serving(*ours(ours_url)) as mine,
            grpc.aio.insecure_channel(theirs.address) as there,
            grpc.aio.insecure_channel(mine.address) as here,
        ):
            yield theirs, there, mine, here

    print(f"kernel: {kernel.KERNEL}; {starts} starts of {rounds} rounds of {calls} calls\n")
    for result in await compare(acts, loads, Path(), starts, rounds, begin):
        result.show()
    loads.leave()
    print(f"\nchecked: {loads.acts} acts of {loads.games} whole games played again")


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--calls", type=int, default=160, help=f"a multiple of {TABLES}")
    parser.add_argument("--starts", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=21)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    check_statements()
    postgres = Postgres()
    try:
        postgres.make()
        asyncio.run(run(postgres, given.calls, given.starts, given.rounds, given.seed))
    finally:
        postgres.remove()


if __name__ == "__main__":
    verdicts.run(main)
