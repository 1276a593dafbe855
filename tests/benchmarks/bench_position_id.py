"""How long a Position ID takes to read, beside backgammon-engine-kit's reader of the same.

    python -m tests.benchmarks.bench_position_id [--positions 2000] [--rounds 15] [--seed 1]

Western positions from random games; processor time of this process; medians over interleaved rounds,
in µs an ID. Both must read the same boards first. Ours also proves the position and, the other way,
writes it. The kit's windows and cards are not needed, so it is installed without what it depends on:
`pip install jsonschema`, then `pip install --no-deps backgammon-engine-kit ankigammon`.
"""

from __future__ import annotations

import argparse

import bgcore
from bgcore import Position
from bgcore.notation.position_id import packed_id, position_of
from bgcore.position import BAR, POINTS
from tests.benchmarks import verdicts
from tests.benchmarks.bench_kernel import START, WESTERN, Contender, measure, questions, show

MOST = 1.0


def main() -> None:
    """Check, measure, print."""
    from backgammon_engine_kit.position_contract.native_codec import _decode_position_id

    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()

    rules = bgcore.load().rules("western")
    asked = questions(START, WESTERN, given.positions, given.seed)
    positions = [Position(packed) for packed, _ in asked]
    ids = [packed_id(position.packed) for position in positions]
    for position, text in zip(positions, ids, strict=True):
        opponent, mover = _decode_position_id(text)
        assert (mover, opponent) == (counts(position), counts(position.flipped()))
        assert position_of(text, rules) == position
    show("positions", len(ids), "western, each read the same by both")

    def ours() -> None:
        for text in ids:
            position_of(text, rules)

    def written() -> None:
        for position in positions:
            packed_id(position.packed)

    def kit() -> None:
        for text in ids:
            _decode_position_id(text)

    size = len(ids)
    spent = measure(
        [
            Contender("read and proved", ours, size),
            Contender("written", written, size),
            Contender("backgammon-engine-kit, read", kit, size),
        ],
        given.rounds,
    )
    for name, time in spent.items():
        show(name, time, "µs")
    ratio = spent["read and proved"] / spent["backgammon-engine-kit, read"]
    name = "read against the kit"
    verdict = verdicts.verdict(name, ratio <= MOST)
    show(name, ratio, f"times; at most {MOST} wanted: {verdict}")


def counts(position: Position) -> list[int]:
    """The mover's checkers on its own points 1 to 24, then on its bar."""
    return [position.packed[place] for place in (*range(1, POINTS + 1), BAR)]


if __name__ == "__main__":
    verdicts.run(main)
