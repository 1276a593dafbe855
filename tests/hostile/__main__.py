"""`python -m tests.hostile --seconds 600 --seed 1`: the long run."""

from __future__ import annotations

import argparse
import asyncio
import tempfile
from pathlib import Path

from tests.hostile.run import attacked, for_seconds, report


async def main() -> None:
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--seconds", type=float, default=600)
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--tight", action="store_true", help="with the quotas that strangers have")
    given = words.parse_args()
    flags = ("--quota-unlimited", "none") if given.tight else ()
    with tempfile.TemporaryDirectory() as folder:
        async with attacked(Path(folder), given.seed, 1, *flags, generous=not given.tight) as stage:
            try:
                await for_seconds(stage, given.seconds)
            finally:
                print(report(stage), flush=True)


asyncio.run(main())
