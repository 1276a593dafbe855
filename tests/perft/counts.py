"""The `.perft` files: what is counted, and what others count.

A file has the name of its variant. `start` is a position text, `perft 2 202782` says how many results there
are so many turns deep, and `roll 5-5 44` how many of one roll, where counting them all would take too long.
`perft 2 3943 from 5` leaves out the doubles below 5-5, and so is no count of everything. `plays 2 2002` is: there a
play is one step deep instead of a turn, so that a rung that was played in full is followed by the same player's next
one, and anything else by all rolls of the opponent.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Count(NamedTuple):
    """One line of a file: the distinct results of a start, so many turns or plays deep, or of one roll."""

    variant: str
    name: str
    start: str
    depth: int
    expected: int
    roll: tuple[int, ...] = ()
    lowest: int = 1
    unit: str = "turn"  # what is one step deep: turn or play

    @property
    def complete(self) -> bool:
        """Whether no roll is left out."""
        return not self.roll and self.lowest == 1

    @property
    def label(self) -> str:
        """What it is called."""
        what = "-".join(map(str, self.roll)) if self.roll else str(self.depth)
        if self.unit == "play":
            what = f"plays-{what}"
        if self.lowest > 1:
            what += f"-from-{self.lowest}"
        return f"{self.variant}-{self.name}-{what}"


def counts(folder: Path) -> Iterator[Count]:
    """Every count of every file."""
    for file in sorted(folder.glob("*.perft")):
        name = start = ""
        for line in file.read_text(encoding="utf-8").splitlines():
            match line.split():
                case ["id", name]:
                    pass
                case ["start", *_]:
                    start = line.removeprefix("start ")
                case ["perft", depth, expected]:
                    yield Count(file.stem, name, start, int(depth), int(expected))
                case ["perft", depth, expected, "from", lowest]:
                    yield Count(
                        file.stem, name, start, int(depth), int(expected), lowest=int(lowest)
                    )
                case ["plays", depth, expected]:
                    yield Count(file.stem, name, start, int(depth), int(expected), unit="play")
                case ["roll", dice, expected]:
                    roll = tuple(map(int, dice.split("-")))
                    yield Count(file.stem, name, start, 1, int(expected), roll)
