"""All attacks, one after another, on one server."""

from __future__ import annotations

import random
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from tests.hostile.attacks import accounts, files, rpcs, tables, watches, wires
from tests.hostile.attacks.accounts import account_tokens
from tests.hostile.process import victim
from tests.hostile.stage import MIB, Stage
from tests.hostile.way import PLAIN, Way
from tests.hostile.witness import Witness
from tests.server.known_accounts import signed

ONCE = (
    tables.seats,
    rpcs.corpus,
    wires.frames,
    wires.headers,
    wires.bombs,
    wires.no_http,
    rpcs.depths,
    rpcs.words,
    tables.guessed_tokens,
    tables.repeats,
    tables.headers_of_strangers,
    rpcs.crowds,
    rpcs.large_at_once,
    files.batches,
    watches.a_thousand_watches,
)
"""What is the same whatever the seed."""
EXACT = (tables.guessed_tokens, tables.repeats)
"""What looks at each answer."""
LIMITED = (rpcs.large_at_once,)
"""What only an address that is counted may not do."""
AGAIN = (
    rpcs.extremes,
    tables.disorder,
    accounts.tokens,
    tables.floods,
    files.files,
    watches.slow_readers,
    watches.storms,
)
"""What is another each time."""


@asynccontextmanager
async def attacked(
    folder: Path,
    seed: int,
    effort: float,
    *flags: str,
    generous: bool = True,
    way: Way = PLAIN,
) -> AsyncIterator[Stage]:
    """A server to be attacked. When the block ends it must stop in order and have nothing to complain of."""
    impatient = ("--web-request-time", "4", "--web-send-time", "4", "--heartbeat", "2")
    async with victim(folder, *impatient, *flags, way=way) as server:
        async with (
            server.grpc.channel() as channel,
            Witness(
                server.web, signed("witness", 36_000) if way.accounts else ""
            ).playing() as witness,
        ):
            await witness.go_on()
            stage = Stage(server, witness, channel, random.Random(seed), effort, generous)
            stage.accounts = account_tokens() if way.accounts else []
            stage.maker.known["token"] = list(stage.accounts)
            calls, opened = await server.open_calls(), server.files()
            yield stage
            await witness.go_on()
            await stage.close()
            await stage.settled(calls, opened)
            await stage.check("at the end")
        assert await server.stop() == 0
        assert not server.faults(), server.faults()[:5]


async def once(stage: Stage) -> None:
    """Every attack; where quotas get in the way, without those that must not be refused as too much."""
    left_out = LIMITED if stage.generous else EXACT
    for attack in (*ONCE, *AGAIN):
        if attack in left_out:
            continue
        await stage.phase(attack)


async def for_seconds(stage: Stage, seconds: float) -> None:
    """Every attack, and those that are another each time until the time is over."""
    end = time.monotonic() + seconds
    await once(stage)
    while time.monotonic() < end:
        stage.deadline = end
        for attack in AGAIN:
            await stage.phase(attack)


def report(stage: Stage) -> str:
    """Requests by protocol and code, what each phase took, memory."""
    rows = [
        f"  {protocol:14} {code:22} {count:8}"
        for (protocol, code), count in sorted(stage.tally.counts.items())
    ]
    total = sum(stage.tally.counts.values())
    witness = f"the witness: {stage.witness.calls} calls answered, {stage.witness.matches} matches"
    peak = f"peak RSS {stage.victim.peak() // MIB} MiB"
    return "\n".join([*stage.figures, *rows, f"{total} answers; {witness}; {peak}"])
