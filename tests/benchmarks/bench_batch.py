"""BatchListPlays over a connection, beside the kernel's batch in one process: positions a second.

    python -m tests.benchmarks.bench_batch [--messages N] [--rounds N]

The server runs in a process of its own, and the caller is on the same machine. Both are asked the same
messages in turn, in wall time; the ratio of a round is of two times side by side. Every answer is
compared with the kernel's.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import grpc

import bgcore
from bgcore import Roll, Rules, kernel
from bgcore_proto.v1 import rules_service_pb2 as pb
from bgcore_proto.v1.common_pb2 import VariantRef
from tests.benchmarks import verdicts
from tests.benchmarks.bench_server import ours
from tests.benchmarks.processes import serving

POSITIONS = 4096
IN_FLIGHT = 4
ROOM = 200
"""Plays a position for which the kernel's buffer has room, on average."""
PATH = "/bgcore.v1.RulesService/BatchListPlays"
LEAST_SHARE, LEAST_RATE = 0.2, 500_000


@dataclass(frozen=True, slots=True)
class Message:
    """One batch: as the kernel takes it, and as it is sent."""

    positions: bytes
    numbers: bytes
    request: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found, from either."""

    plays: bytes
    offsets: bytes
    used: bytes


def messages(rules: Rules, count: int, seed: int) -> Iterator[Message]:
    """Batches from random games, with random dice."""
    chance = random.Random(seed)
    found = b""
    while len(found) < 64 * POSITIONS * count:
        found += kernel.sample(rules.start.packed, rules.record, 500, chance.getrandbits(32), 5)
    for at in range(0, 64 * POSITIONS * count, 64 * POSITIONS):
        positions = found[at : at + 64 * POSITIONS]
        rolls = [(chance.randint(1, 6), chance.randint(1, 6)) for _ in range(POSITIONS)]
        numbers = (bytes(rules.parts(Roll.of(*roll))[0].numbers).ljust(4, b"\0") for roll in rolls)
        dice = bytes(die for roll in rolls for die in roll)
        variant = VariantRef(id=rules.variant.id)
        request = pb.BatchListPlaysRequest(variant=variant, positions=positions, dice=dice)
        yield Message(positions, b"".join(numbers), request.SerializeToString())


def in_process(rules: Rules, asked: Sequence[Message]) -> tuple[float, list[Answer]]:
    """Seconds that the kernel's batch takes, and what it finds."""
    plays = bytearray(4 * ROOM * POSITIONS)
    offsets, used = array("I", bytes(4 * POSITIONS + 4)), bytearray(POSITIONS)
    seconds, found = 0.0, []
    for message in asked:
        start = time.perf_counter()
        kernel.batch(message.positions, message.numbers, rules.record, None, plays, offsets, used)
        seconds += time.perf_counter() - start
        found.append(Answer(bytes(plays[: 4 * offsets[-1]]), offsets.tobytes(), bytes(used)))
    return seconds, found


async def over_the_wire(rpc: Any, asked: Sequence[Message]) -> tuple[float, list[bytes]]:
    """Seconds that the server takes, some calls in flight, and the bytes that it answers."""
    answers: list[bytes] = [b""] * len(asked)
    left = iter(range(len(asked)))

    async def caller() -> None:
        for index in left:
            answers[index] = await rpc(asked[index].request)

    start = time.perf_counter()
    await asyncio.gather(*(caller() for _ in range(IN_FLIGHT)))
    return time.perf_counter() - start, answers


def read(raw: bytes) -> Answer:
    """An answer of the server."""
    answer = pb.BatchListPlaysResponse.FromString(raw)
    return Answer(answer.plays, array("I", answer.offsets).tobytes(), answer.numbers_used)


async def measure(count: int, rounds: int, seed: int) -> None:
    """Measure and print; `AssertionError` if an answer differs."""
    rules = bgcore.load().rules("western")
    asked = list(messages(rules, count, seed))
    total = POSITIONS * len(asked)
    shares, rates, alone = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        async with (
            serving(*ours(Path(folder) / "ours.db")) as server,
            grpc.aio.insecure_channel(server.address) as channel,
        ):
            rpc: Any = channel.unary_unary(PATH)
            await over_the_wire(rpc, asked[:IN_FLIGHT])  # the first calls make rules and tables
            for _ in range(rounds):
                inside, expected = in_process(rules, asked)
                wire, answers = await over_the_wire(rpc, asked)
                assert [read(raw) for raw in answers] == expected, "the answers differ"
                shares.append(inside / wire)
                rates.append(total / wire)
                alone.append(total / inside)
    print(f"kernel: {kernel.KERNEL}; {rounds} rounds of {len(asked)} messages of {POSITIONS}")
    print(f"kernel's batch, one process {median(alone):>12,.0f} positions/s")
    for name, figure, least in (
        ("BatchListPlays, positions/s", median(rates), LEAST_RATE),
        ("share of the kernel's batch", median(shares), LEAST_SHARE),
    ):
        verdict = verdicts.verdict(name, figure >= least)
        shown = f"{figure:,.0f}" if figure > 100 else f"{figure:.2f}"
        print(f"{name:<28}{shown:>12}   at least {least:<10,} {verdict}")
    print(f"checked: {total * rounds:,} positions answered as the kernel answers")


def main() -> None:
    """Read the arguments."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--messages", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=11)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    asyncio.run(measure(arguments.messages, arguments.rounds, arguments.seed))


if __name__ == "__main__":
    verdicts.run(main)
