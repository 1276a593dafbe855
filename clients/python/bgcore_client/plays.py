"""Lists of plays, decoded where somebody looks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import overload

from bgcore_client import messages

BAR, UNENTERED, OFF = 25, 26, 0
NAMES = {BAR: "bar", UNENTERED: "in"}
SIDE_BYTES = 32


@dataclass(frozen=True, slots=True)
class Step:
    """One checker moved by one number, in the mover's own numbering: 25 is the bar, 26 not entered, 0 off."""

    origin: int
    number: int
    hit: bool = False  # only where the list came with PLAY_VIEW_FULL
    pin: bool = False  # likewise

    def __str__(self) -> str:
        mark = "*" if self.hit else "^" if self.pin else ""
        return f"{NAMES.get(self.origin, self.origin)}/{self.target or 'off'}{mark}"

    @property
    def target(self) -> int:
        """Where it lands.

        >>> Step(8, 3).target, Step(26, 6).target, Step(2, 5).target
        (5, 19, 0)
        """
        return max(min(self.origin, BAR) - self.number, OFF)


@dataclass(frozen=True, slots=True)
class Play:
    """Everything done with one part of a turn. Without a step where nothing can be played."""

    steps: tuple[Step, ...]
    text: str = ""  # only where the list came with PLAY_VIEW_TEXT or PLAY_VIEW_FULL
    board: bytes = b""  # only with PLAY_VIEW_FULL

    def __str__(self) -> str:
        return self.text or " ".join(map(str, self.steps)) or "no play"

    @property
    def message(self) -> messages.Play:
        """The play as it is sent."""
        origins = [step.origin for step in self.steps]
        numbers = [step.number for step in self.steps]
        return messages.Play(steps=messages.PlaySteps(origins=origins, numbers=numbers))

    @property
    def after(self) -> tuple[messages.Side, messages.Side]:
        """The board after it, before the turn is handed over: the mover's side, the opponent's.

        `ValueError` unless the list came with PLAY_VIEW_FULL.
        """
        if not self.board:
            raise ValueError("no board: expected plays asked for with PLAY_VIEW_FULL")
        return _side(self.board[:SIDE_BYTES]), _side(self.board[SIDE_BYTES:])


class LazyPlays(Sequence[Play]):
    """Plays that are read when somebody looks at one; `_play` reads the one at an index from 0."""

    @overload
    def __getitem__(self, index: int) -> Play: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Play]: ...
    def __getitem__(self, index: int | slice) -> Play | Sequence[Play]:
        if isinstance(index, slice):
            return [self._play(one) for one in range(*index.indices(len(self)))]
        if not -len(self) <= index < len(self):
            raise IndexError(f"play {index}: expected one of {len(self)}")
        return self._play(index % len(self))

    @abstractmethod
    def _play(self, index: int) -> Play: ...


class Plays(LazyPlays):
    """The legal plays, each of which leads to another position.

    >>> columns = messages.PlayList(lengths=[2, 1], origins=[8, 6, 13], numbers=[3, 1, 4])
    >>> plays = Plays(columns)
    >>> len(plays), plays[0].steps[1]
    (2, Step(origin=6, number=1, hit=False, pin=False))
    >>> [step.target for step in plays[-1].steps]
    [9]
    """

    def __init__(self, columns: messages.PlayList) -> None:
        self.columns = columns

    @property
    def numbers_used(self) -> int:
        """How many numbers these plays use; 0 when nothing is playable."""
        return self.columns.numbers_used

    def __len__(self) -> int:
        return len(self.columns.lengths)

    def __repr__(self) -> str:
        return f"<{len(self)} plays, {self.numbers_used} numbers used>"

    @cached_property
    def _ends(self) -> list[int]:
        return list(accumulate(self.columns.lengths))

    def _play(self, index: int) -> Play:
        columns, end = self.columns, self._ends[index]
        place = range(end - columns.lengths[index], end)
        full = bool(columns.hits)
        steps = tuple(
            Step(
                columns.origins[at],
                columns.numbers[at],
                full and bool(columns.hits[at]),
                full and bool(columns.pins[at]),
            )
            for at in place
        )
        size = 2 * SIDE_BYTES
        return Play(
            steps,
            columns.texts[index] if columns.texts else "",
            columns.boards[index * size : (index + 1) * size],
        )


def _side(packed: bytes) -> messages.Side:
    """A side of a board as the list has it; its bytes are explained at `PlayList.boards`."""
    pins = int.from_bytes(packed[28:], "little")
    return messages.Side(
        off=packed[0],
        points=packed[1:25],
        bar=packed[25],
        unentered=packed[26],
        pinned=[point for point in range(1, 25) if pins >> point & 1],
    )
