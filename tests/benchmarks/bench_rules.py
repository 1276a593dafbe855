"""How long the public `rules.plays` takes, beside the bare kernel call that is inside it.

    python -m tests.benchmarks.bench_rules [--positions 2000] [--rounds 25] [--seed 1]

Western positions from random games; processor time of this process; medians over interleaved rounds,
in µs a call. Both must find the same plays first.
"""

from __future__ import annotations

import argparse

import bgcore
from bgcore import Position, Roll, kernel
from tests.benchmarks import verdicts
from tests.benchmarks.bench_kernel import (
    START,
    WESTERN,
    Contender,
    calls,
    measure,
    questions,
    show,
)

MOST = 4.0


def main() -> None:
    """Check, measure, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    print(f"kernel: {kernel.KERNEL}")

    rules = bgcore.load().rules("western")
    asked = questions(START, WESTERN, given.positions, given.seed)
    positions = [(Position(packed), Roll(tuple(numbers[:2]))) for packed, numbers in asked]
    found = 0
    for (packed, numbers), (position, roll) in zip(asked, positions, strict=True):
        codes = kernel.plays(packed, numbers, WESTERN)
        plays = rules.plays(position, roll)
        assert plays.numbers_used == codes[0]
        assert [play.code for play in plays] == split(codes[4:]) or plays.nothing_playable
        found += len(plays)
    show("positions", len(asked), f"{found / len(asked):.1f} plays each")

    def public() -> None:
        plays = rules.plays
        for position, roll in positions:
            plays(position, roll)

    spent = measure(
        [calls("kernel.plays", kernel.plays, asked), Contender("rules.plays", public, len(asked))],
        given.rounds,
    )
    for name, time in spent.items():
        show(name, time, "µs")
    ratio = spent["rules.plays"] / spent["kernel.plays"]
    name = "rules.plays against kernel.plays"
    verdict = verdicts.verdict(name, ratio <= MOST)
    show(name, ratio, f"times; at most {MOST} wanted: {verdict}")


def split(codes: bytes) -> list[bytes]:
    """The plays, four bytes each."""
    return [codes[at : at + 4] for at in range(0, len(codes), 4)]


if __name__ == "__main__":
    verdicts.run(main)
