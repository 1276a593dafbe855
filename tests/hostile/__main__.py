"""`python -m tests.hostile --seconds 600 --seed 1`: the long run."""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.hostile.run import attacked, for_seconds, report
from tests.hostile.way import Way


async def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--seconds", type=float, default=600)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--tight", action="store_true", help="with the quotas that strangers have")
    words.add_argument("--accounts", action="store_true", help="the server knows accounts (JWT)")
    words.add_argument("--tls", action="store_true", help="both ports speak TLS")
    words.add_argument("--postgres", action="store_true", help="on a PostgreSQL of its own")
    given = words.parse_args()
    flags = ("--quota-unlimited", "none") if given.tight else ()
    with tempfile.TemporaryDirectory() as folder, database(given.postgres) as url:
        way = Way(url, given.tls, given.accounts)
        async with attacked(
            Path(folder), given.seed, 1, *flags, generous=not given.tight, way=way
        ) as stage:
            try:
                await for_seconds(stage, given.seconds)
            finally:
                print(report(stage), flush=True)


@contextmanager
def database(postgres: bool) -> Iterator[str]:
    """The URL of a PostgreSQL until the block ends; empty without one."""
    if not postgres:
        yield ""
        return
    from tests.postgres import Postgres

    server = Postgres().make()
    try:
        yield server.new_url()
    finally:
        server.remove()


asyncio.run(main())
