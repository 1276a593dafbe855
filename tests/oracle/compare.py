"""Compare the kernel with the oracle on random positions.

    python -m tests.oracle.compare --variant western --n 100000 --seed 1

First what the oracle's own table says of the variant, beside what is registered: the kernel's record, the start.
Then for each position: how many numbers are used, the set of results, no result twice, every play
played step by step, the reasons of random steps; and all that once more from the middle of the
turn, after one legal step. Where the variant filters whole plays (fevga's duty), what its rules leave is compared
as well. The status is 1 if anything differed.
"""

from __future__ import annotations

import argparse
import importlib
import itertools
import multiprocessing
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Protocol, cast

from bgcore.kernel.source import digest
from bgcore.notation.board_json import read_turn_json
from bgcore.position import Position
from bgcore.reason import Reason
from tests.axes.made import made

from .examples import from_example
from .model import RESERVE, Rules, Side, State
from .oracle import legal, legal_lines, opening
from .random_positions import STARTS, random_examples
from .registered import WHOLE_PLAYS, record_of, unlike
from .steps import Moment, ended, refusal, stepped

ORDINARY = 255 << 32
PROBES = 8
NO_FILTERS: dict[str, Any] = dict.fromkeys(WHOLE_PLAYS, False)
KERNELS = {"plain": "bgcore.kernel.movement", "compiled": "bgcore.kernel._movement"}


class Kernel(Protocol):
    """What both kernels offer."""

    def plays(
        self, position: bytes, numbers: bytes, record: bytes, context: int = ..., /
    ) -> bytes: ...

    def results(self, position: bytes, plays: bytes, record: bytes, /) -> bytes: ...

    def probe(
        self, position: bytes, record: bytes, context: int, source: int, number: int, /
    ) -> int: ...


def kernel_named(name: str) -> Kernel:
    """The plain or the compiled kernel, which must be made from the present source."""
    module = importlib.import_module(KERNELS[name])
    if name == "compiled" and digest() not in (None, module.SOURCE):
        raise RuntimeError("the compiled kernel is older than its source: build it again")
    return cast(Kernel, module)


def packed(state: State) -> bytes:
    """The 64 bytes of a state: mover, then opponent, each in its own numbering."""
    halves = []
    for side in state:
        half = bytearray(32)
        for where, count in side.free:
            half[where] = count
        half[28:32] = sum(1 << point for point in side.pinned).to_bytes(4, "little")
        halves.append(bytes(half))
    return b"".join(halves)


def unpacked(position: bytes) -> State:
    """The state of 64 bytes."""
    sides = []
    for half in (position[:32], position[32:]):
        mask = int.from_bytes(half[28:32], "little")
        assert not half[27]
        sides.append(
            Side.of(dict(enumerate(half[:27])), [p for p in range(1, 25) if mask >> p & 1])
        )
    return State(*sides)


class Comparison:
    """What was compared, and what differed."""

    def __init__(self, kernels: Sequence[str]) -> None:
        self.kernels = {name: kernel_named(name) for name in kernels}
        self.totals: Counter[str] = Counter()
        self.differences: list[str] = []

    def example(self, example: dict[str, Any]) -> None:
        """Compare one question, and one from the middle of its turn."""
        state, numbers, rules, facts = from_example(example)
        if any(getattr(rules, name) for name in WHOLE_PLAYS):
            self.whole_plays(example)
        rules = replace(rules, **NO_FILTERS)
        rng = random.Random(example["id"])
        start = opening(state, numbers, rules, facts)
        self.moment(start, numbers, rules, rng, str(example))
        self.totals["positions"] += 1
        number = rng.choice(numbers)
        sources = [
            source for source, _ in state.me.free if refusal(start, source, number, rules) is None
        ]
        if not sources:
            return
        source = rng.choice(sources)
        after = stepped(start, source, number, rules)
        left = list(numbers)
        left.remove(number)
        name = f"{example}, after {source}/{max(source - number, 0)}"
        if left and not ended(after.state, rules):
            self.moment(after, left, rules, rng, name)
            self.totals["mid-turn"] += 1
        else:
            self.probes(after, rules, rng, name)

    def whole_plays(self, example: dict[str, Any]) -> None:
        """Compare the plays that the engine's rules leave, where they filter what the kernel lists."""
        state, numbers, rules, facts = from_example(example)
        used, right = legal(state, numbers, rules, facts)
        engine = made(example["variant"], **example.get("options", {}))
        turn = read_turn_json(example.get("turn"))
        plays = engine.plays_of(Position(packed(state)), numbers, turn)
        found = {unpacked(after.packed) for after in plays.positions()}
        right = right or frozenset({state})  # where nothing can be played
        wrong = (
            [] if plays.numbers_used == used else [f"used {plays.numbers_used}, right is {used}"]
        )
        wrong += [f"not legal: {one}" for one in found - right]
        wrong += [f"not found: {one}" for one in right - found]
        self.note(f"the rules: {example}", wrong)
        self.totals["filtered"] += len(
            legal(state, numbers, replace(rules, **NO_FILTERS), facts)[1]
        ) > len(right)

    def moment(
        self,
        moment: Moment,
        numbers: Sequence[int],
        rules: Rules,
        rng: random.Random,
        name: str,
    ) -> None:
        """Compare the plays and some steps here."""
        lines = legal_lines(moment, numbers, rules)
        used = max((len(line.used) for line in lines), default=0)
        right = {line.moment.state for line in lines}
        self.totals["results"] += len(right)
        position, record, context = packed(moment.state), record_of(rules), context_of(moment)
        for kernel_name, kernel in self.kernels.items():
            answer = kernel.plays(position, bytes(numbers), record, context)
            boards = kernel.results(position, answer[4:], record)
            found = [unpacked(boards[at : at + 64]) for at in range(0, len(boards), 64)]
            wrong = []
            if answer[:4] != bytes([used, 0, 0, 0]):
                wrong.append(f"used {list(answer[:4])}, right is {used}")
            if len(set(found)) != len(found):
                wrong.append(f"{len(found) - len(set(found))} results twice")
            wrong += [f"not legal: {state}" for state in set(found) - right]
            wrong += [f"not found: {state}" for state in right - set(found)]
            wrong += walked(moment, numbers, answer[4:], found, rules)
            self.note(f"{kernel_name}: {name}", wrong)
        self.probes(moment, rules, rng, name)

    def probes(self, moment: Moment, rules: Rules, rng: random.Random, name: str) -> None:
        """Compare the reasons against some random steps, mostly from where I stand."""
        position, record, context = packed(moment.state), record_of(rules), context_of(moment)
        mine = [where for where, _ in moment.state.me.free if where] + list(moment.state.me.pinned)
        for _ in range(PROBES):
            source = rng.choice(mine) if mine and rng.random() < 0.8 else rng.randint(1, RESERVE)
            number = rng.randint(1, 6)
            right = refusal(moment, source, number, rules) or "LEGAL"
            self.totals["probes"] += 1
            self.totals[right] += 1
            for kernel_name, kernel in self.kernels.items():
                found = kernel.probe(position, record, context, source, number)
                if found != Reason[right]:
                    step = f"{source} with {number}: {found}, right is {Reason[right]!r}"
                    self.note(f"{kernel_name}: {name}", [step])

    def note(self, name: str, wrong: list[str]) -> None:
        if wrong:
            self.differences.append(f"{name}\n    " + "\n    ".join(wrong))


def context_of(moment: Moment) -> int:
    """The kernel's context: locked points are bits, and beside them how many may leave the head."""
    head = 255 if moment.head is None else moment.head
    return head << 32 | sum(1 << point for point in moment.locked)


def walked(
    moment: Moment, numbers: Sequence[int], plays: bytes, found: list[State], rules: Rules
) -> Iterator[str]:
    """Complaints about plays that cannot be played as written or lead elsewhere."""
    for at, result in zip(range(0, len(plays), 4), found, strict=True):
        here, left = moment, list(numbers)
        for step in plays[at : at + 4].rstrip(b"\0"):
            source, number = step >> 3, step & 7
            if number not in left or refusal(here, source, number, rules) is not None:
                yield f"cannot be played as written: {plays[at : at + 4].hex()}"
                break
            left.remove(number)
            here = stepped(here, source, number, rules)
        else:
            if here.state != result:
                yield f"{plays[at : at + 4].hex()} does not lead to {result}"


def compared(variant: str, n: int, seed: int, kernels: Sequence[str]) -> Comparison:
    """The comparison of the first n questions of a seed; before them, of what both say of the variant."""
    comparison = Comparison(kernels)
    comparison.note(f"the data of {variant}", unlike(variant))
    for example in itertools.islice(random_examples(variant, seed), n):
        comparison.example(example)
    return comparison


def share(task: tuple[str, int, int, list[str]]) -> tuple[Counter[str], list[str]]:
    """What a process hands back."""
    comparison = compared(*task)
    return comparison.totals, comparison.differences


def main() -> int:
    """Run the comparison that the arguments ask for."""
    parser = argparse.ArgumentParser(description="Compare the kernel with the oracle.")
    parser.add_argument("--variant", choices=[*STARTS, "all"], default="all")
    parser.add_argument("--n", type=int, default=2000, help="positions a variant")
    parser.add_argument("--seed", type=int, default=1, help="process k takes seed + k")
    parser.add_argument("--kernel", choices=[*KERNELS, "both"], default="both")
    parser.add_argument("--processes", type=int, default=1)
    arguments = parser.parse_args()

    kernels = list(KERNELS) if arguments.kernel == "both" else [arguments.kernel]
    status = 0
    for variant in STARTS if arguments.variant == "all" else [arguments.variant]:
        begun = time.perf_counter()
        parts = arguments.processes
        sizes = [arguments.n // parts + (part < arguments.n % parts) for part in range(parts)]
        tasks = [(variant, n, arguments.seed + part, kernels) for part, n in enumerate(sizes)]
        if parts == 1:
            answers = [share(tasks[0])]
        else:
            with multiprocessing.Pool(parts) as pool:
                answers = pool.map(share, tasks)
        totals = sum((counts for counts, _ in answers), Counter[str]())
        differences = [difference for _, several in answers for difference in several]
        for difference in differences[:20]:
            print(difference)
        print(
            f"{variant}, seed {arguments.seed}, {' and '.join(kernels)}: "
            f"{totals['positions']} positions, {totals['mid-turn']} from the middle of a turn, "
            f"{totals['results']} results, {totals['probes']} steps probed, "
            f"{totals['filtered']} with fewer plays by the variant's own code, "
            f"{len(differences)} differences, {time.perf_counter() - begun:.0f} s",
            flush=True,
        )
        reasons = {name: n for name, n in sorted(totals.items()) if name.isupper()}
        print(f"    reasons: {reasons}", file=sys.stderr)
        status |= bool(differences)
    return status


if __name__ == "__main__":
    sys.exit(main())
