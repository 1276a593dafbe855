"""How long the kernel takes to list plays, beside OpenSpiel and bgsage.

    python -m tests.benchmarks.bench_kernel [--positions 2000] [--rounds 15] [--seed 1]

Western positions from random games; processor time of this process; every round measures every
contender once, warm, and the median over the rounds is printed, in µs a call. What is compared is
checked to be the same first: the numbers of plays that each finds. What is not installed is left
out, and said to be.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import random
import sys
import threading
import time
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median
from types import ModuleType
from typing import Any

from bgcore import kernel
from bgcore.axes import Contact, Layout
from bgcore.kernel import movement as plain
from bgcore.kernel.record import Movement, pack
from tests.benchmarks import verdicts

WESTERN = pack(Movement())
OTHERS = {
    "no hit and run": Movement(home_hit_and_run=False),
    "plakoto": Movement(contact=Contact.PIN),
    "gul bara": Movement(contact=Contact.BLOCK, layout=Layout.PARALLEL),
}
Question = tuple[bytes, bytes]  # a position and the numbers


def side(points: dict[int, int]) -> bytes:
    return bytes(points.get(point, 0) for point in range(32))


START = side({24: 2, 13: 5, 8: 3, 6: 5}) * 2
STACKS = side({24: 15}) * 2


def optional(name: str) -> ModuleType | None:
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"skipped: {name} is not installed", file=sys.stderr)
        return None


def thrown(rng: random.Random) -> bytes:
    one, other = rng.randint(1, 6), rng.randint(1, 6)
    return bytes([one] * 4) if one == other else bytes((max(one, other), min(one, other)))


def questions(start: bytes, record: bytes, count: int, seed: int) -> list[Question]:
    """Positions that come up when every play is chosen at random, each with a roll."""
    packed = kernel.sample(start, record, count // 20 + 1, seed, 2)
    rng = random.Random(seed)
    boards = [packed[at : at + 64] for at in range(0, len(packed), 64)]
    return [(board, thrown(rng)) for board in rng.sample(boards, count)]


def is_double(question: Question) -> bool:
    return len(question[1]) == 4


def number_of_plays(question: Question) -> int:
    return len(kernel.plays(*question, WESTERN)) // 4 - 1


# OpenSpiel: states are reached by playing, so it brings the positions.


def spiel_states(pyspiel: Any, count: int, seed: int) -> Iterator[Any]:
    """States with a roll of two different numbers, from random games."""
    game = pyspiel.load_game("backgammon(scoring_type=full_scoring)")
    rng = random.Random(seed)
    found = 0
    while found < count:
        state = game.new_initial_state()
        while not state.is_terminal() and found < count:
            if state.is_chance_node():
                outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, chances)[0])
                continue
            dice = spiel_dice(state)
            if dice[0] != dice[1] and rng.random() < 0.3:
                found += 1
                yield state.clone()
            state.apply_action(rng.choice(state.legal_actions()))


def spiel_dice(state: Any) -> bytes:
    text = str(state).partition("Dice: ")[2].split("\n")[0]
    return bytes(sorted(map(int, text), reverse=True))


def spiel_position(state: Any, player: int) -> bytes:
    """The 64 bytes, the player's side first."""
    halves = []
    for who in (player, 1 - player):
        half = bytearray(32)
        for place in range(24):
            half[24 - place if who == 0 else place + 1] = state.board(who, place)
        bars = str(state).partition("Bar:")[2].split("\n")[0]
        half[25] = bars.count("xo"[who])
        half[0] = 15 - sum(half)
        halves.append(bytes(half))
    return b"".join(halves)


def spiel_plays(state: Any) -> set[str]:
    """The distinct boards that its actions lead to."""
    here = spiel_position(state, state.current_player())
    player = state.current_player()
    after = {spiel_position(state.child(action), player) for action in state.legal_actions()}
    return {board.hex() for board in after} - {here.hex()}


def spiel_run(states: list[Any]) -> None:
    for state in states:
        state.legal_actions()


# bgsage: a board is 26 numbers, the opponent's negative.


def sage_board(position: bytes) -> list[int]:
    board = [position[point] - position[32 + 25 - point] for point in range(1, 25)]
    return [position[32 + 25], *board, position[25]]


def sage_run(sage: Any, tables: list[tuple[list[int], int, int]]) -> None:
    possible_moves = sage.possible_moves
    for board, one, other in tables:
        possible_moves(board, one, other)


def finishes_by_hitting(question: Question) -> bool:
    """Where bgsage also lets the last checker leave with one number (see tests/data/README.md)."""
    position, _ = question
    return position[0] >= 14


@dataclass
class Contender:
    """Something to be measured: what it does once, for how many calls."""

    name: str
    run: Callable[[], object]
    calls: int


def measure(contenders: list[Contender], rounds: int) -> dict[str, float]:
    """µs a call: the median over interleaved rounds, of processor time."""
    times: dict[str, list[float]] = {contender.name: [] for contender in contenders}
    for _ in range(rounds):
        for contender in contenders:
            contender.run()  # so that nobody pays for what the one before left in the caches
            start = time.process_time_ns()
            contender.run()
            spent = time.process_time_ns() - start
            times[contender.name].append(spent / 1000 / contender.calls)
    return {name: median(spent) for name, spent in times.items()}


def calls(name: str, plays: Any, asked: list[Question], record: bytes = WESTERN) -> Contender:
    """Every position once: a processor learns a short list by heart."""

    def run() -> None:
        for position, numbers in asked:
            plays(position, numbers, record)

    return Contender(name, run, len(asked))


class Batch:
    """Buffers for one batch, used again and again."""

    def __init__(self, asked: list[Question], times: int = 1) -> None:
        self.positions = b"".join(position for position, _ in asked)
        self.numbers = b"".join(numbers.ljust(4, b"\0") for _, numbers in asked)
        self.room = bytearray(4 * 150 * len(asked))
        self.offsets = array("I", bytes(4 * len(asked) + 4))
        self.used = bytearray(len(asked))
        self.times = times

    def run(self) -> int:
        written = 0
        for _ in range(self.times):
            written = kernel.batch(
                self.positions,
                self.numbers,
                WESTERN,
                None,
                self.room,
                self.offsets,
                self.used,
            )
        return written


def two_threads(work: Callable[[], object], rounds: int) -> float:
    """How many times more two threads do than one in the same time (by the clock)."""

    def clocked(count: int) -> float:
        threads = [threading.Thread(target=work) for _ in range(count)]
        start = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return time.perf_counter() - start

    return median(2 * clocked(1) / clocked(2) for _ in range(rounds))


def show(name: str, value: float, note: str = "") -> None:
    print(f"{name:<44}{value:>10.3f}  {note}")


def against(name: str, times: float, wanted: float) -> None:
    verdict = verdicts.verdict(name, times >= wanted)
    show(name, times, f"times; {wanted} or more wanted: {verdict}")


def main() -> None:
    """Check, measure, print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    print(f"kernel: {kernel.KERNEL}")
    if not kernel.COMPILED:
        print("skipped: the compiled kernel is not there", file=sys.stderr)

    asked = questions(START, WESTERN, arguments.positions, arguments.seed)
    doubles = [question for question in asked if is_double(question)]
    others = [question for question in asked if not is_double(question)]
    expected = [number_of_plays(question) for question in asked]
    few = asked[:: max(len(asked) // 200, 1)]
    batch = Batch(asked)
    written = batch.run()
    assert written == sum(expected), (written, sum(expected))
    assert list(batch.used) == [kernel.plays(*question, WESTERN)[0] for question in asked]
    assert [kernel.plays(*q, WESTERN) for q in few] == [plain.plays(*q, WESTERN) for q in few]
    show(
        "positions",
        len(asked),
        f"{len(doubles)} with doubles, {written / len(asked):.1f} plays each",
    )

    nothing = [(position, b"") for position, _ in asked]
    contenders = [
        calls("plays, all rolls", kernel.plays, asked),
        calls("plays, two numbers", kernel.plays, others),
        calls("plays, doubles", kernel.plays, doubles),
        calls("a call with no numbers", kernel.plays, nothing),
        Contender("batch, a position", batch.run, len(asked)),
        calls("the plain kernel, all rolls", plain.plays, few),
    ]
    for name, rules in OTHERS.items():
        start = START if rules.contact is Contact.HIT else STACKS
        record = pack(rules)
        mine = questions(start, record, arguments.positions // 2, arguments.seed)
        contenders.append(calls(f"plays, {name}", kernel.plays, mine, record))

    if pyspiel := optional("pyspiel"):
        states = list(spiel_states(pyspiel, arguments.positions // 2, arguments.seed))
        same = [
            (spiel_position(state, state.current_player()), spiel_dice(state)) for state in states
        ]
        for state, question in zip(states, same, strict=True):
            assert number_of_plays(question) == len(spiel_plays(state)), question
        contenders += [
            Contender("OpenSpiel, two numbers", lambda: spiel_run(states), len(states)),
            calls("plays, OpenSpiel's positions", kernel.plays, same),
        ]
    if sage := optional("bgsage"):
        tables = [(sage_board(board), numbers[0], numbers[1]) for board, numbers in asked]
        for question, table, plays in zip(asked, tables, expected, strict=True):
            theirs = len(sage.possible_moves(*table))
            # With nothing to play it lists the board as it is.
            assert theirs == max(plays, 1) or finishes_by_hitting(question), (question, theirs)
        contenders.append(
            Contender("bgsage, all rolls", lambda: sage_run(sage, tables), len(tables))
        )

    found = measure(contenders, arguments.rounds)
    print("\nµs a call")
    for name, spent in found.items():
        show(name, spent)
    print()
    show(
        "batch against single calls",
        found["batch, a position"] / found["plays, all rolls"],
        "0.8 or less wanted",
    )
    if "OpenSpiel, two numbers" in found:
        against(
            "faster than OpenSpiel",
            found["OpenSpiel, two numbers"] / found["plays, OpenSpiel's positions"],
            10,
        )
    if "bgsage, all rolls" in found:
        against("faster than bgsage", found["bgsage, all rolls"] / found["plays, all rolls"], 25)
    ours = two_threads(lambda: Batch(asked, 100).run(), arguments.rounds)
    data = bytes(30_000_000)
    machine = two_threads(lambda: hashlib.sha256(data).digest(), arguments.rounds)
    show("two threads against one", ours, f"times; {machine:.2f} is what hashing reaches here")
    start_time = time.process_time()
    tally = kernel.playouts(START, b"", WESTERN, 2000 if kernel.COMPILED else 20, 1, 5000)
    spent = time.process_time() - start_time
    assert tally.unfinished == 0
    show(
        "random games a second", tally.games / spent, f"{tally.turns / tally.games:.0f} turns each"
    )


if __name__ == "__main__":
    verdicts.run(main)
