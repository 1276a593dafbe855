"""Steps, plays, and the lazy sequence of all plays of a part."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, overload

from bgcore import kernel
from bgcore.errors import IllegalAction
from bgcore.position import BAR, OFF, POINTS, UNENTERED, Position
from bgcore.roll import NUMBERS

if TYPE_CHECKING:
    from bgcore.progress import Progress
    from bgcore.rules import Rules
    from bgcore.turn import Turn

HEADER = 4
"""Bytes before the plays in the kernel's answer; the first is the count of numbers used."""

STEPS = 4
"""Bytes of a play: one a step, `origin << 3 | number`, 0 where there is none."""

NO_STEPS = bytes(STEPS)


@dataclass(frozen=True, slots=True)
class Step:
    """One checker by one number. `origin` 25 is the bar, 26 an unentered checker; `target` 0 is off.

    >>> str(Step(25, 5, 20, hit=True)), str(Step(6, 6, 0)), str(Step(4, 3, 1, pin=True))
    ('bar/20*', '6/off', '4/1^')
    """

    origin: int
    number: int
    target: int
    hit: bool = False
    pin: bool = False

    @classmethod
    def of(cls, origin: int, number: int) -> Step:
        """The step of a checker on `origin` by `number`, without what it meets there.

        >>> Step.of(26, 3).target
        22
        """
        return cls(origin, number, max(min(origin, BAR) - number, OFF))

    def __str__(self) -> str:
        mark = "*" if self.hit else "^" if self.pin else ""
        return f"{point_text(self.origin)}/{point_text(self.target)}{mark}"

    @property
    def code(self) -> int:
        """The kernel's byte for it."""
        return self.origin << 3 | self.number


def point_text(point: int) -> str:
    """How a point is written: `bar`, `in` (unentered), `off` or its number."""
    return {BAR: "bar", UNENTERED: "in", OFF: "off"}.get(point) or str(point)


class Play:
    """Everything done in one part of a turn. Two plays are equal when they lead to the same position.

    The empty play is what is played when nothing can be.
    """

    __slots__ = ("_after", "_rules", "code", "start")

    def __init__(self, rules: Rules, start: Position, code: bytes) -> None:
        self._rules = rules
        self.start = start
        self.code = code
        self._after: Position | None = None

    @property
    def after(self) -> Position:
        """The position it leads to, the same side still first."""
        if self._after is None:
            self._after = self._rules.after(self.start, self.code)
        return self._after

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps, in an order in which they can be made, with what they hit or pin."""
        return self._rules.decode(self.start, self.code)

    @property
    def numbers_used(self) -> int:
        """How many numbers it uses."""
        return STEPS - self.code.count(0)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers it uses, in the order of its steps."""
        return tuple([code & 7 for code in self.code if code])

    @property
    def left_head(self) -> int:
        """How many of its steps leave the head, own 24."""
        return sum(code >> 3 == POINTS for code in self.code)

    @property
    def locked(self) -> tuple[int, ...]:
        """The own points at home where it hits and its checker then stays in this turn (`home_hit_and_run`)."""
        packed, record, context = self.start.packed, self._rules.record, kernel.ORDINARY
        for code in self.code.rstrip(b"\0"):
            packed, context = kernel.step(packed, record, context, code >> 3, code & 7)
        return tuple(point for point in range(1, POINTS + 1) if context >> point & 1)

    def __str__(self) -> str:
        return " ".join(map(str, self.steps))

    def __repr__(self) -> str:
        return f"<Play {self}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Play) and self.after == other.after

    def __hash__(self) -> int:
        return hash(self.after)


class Plays(Sequence[Play]):
    """All distinct plays of a part, decoded when somebody looks at one.

    Its length and `numbers_used` are known at once. When nothing can be played it holds the one empty
    play, and `nothing_playable` is true.
    """

    __slots__ = ("answer", "context", "numbers", "rules", "start", "turn")

    def __init__(
        self,
        rules: Rules,
        start: Position,
        numbers: bytes,
        codes: bytes,
        turn: Turn,
        context: int,
    ) -> None:
        self.rules = rules
        self.start = start
        self.numbers = numbers
        self.turn = turn
        self.context = context  # the kernel's, before the first step
        self.answer = codes  # the kernel's, header included

    @property
    def numbers_used(self) -> int:
        """The most numbers that a legal play uses, counted in steps really made (R3, R6)."""
        return self.answer[0]

    @property
    def nothing_playable(self) -> bool:
        """Whether the only play is the empty one."""
        return not self.numbers_used

    @property
    def codes(self) -> bytes:
        """Four bytes a play, in order; see `STEPS`."""
        return self.answer[HEADER:] or NO_STEPS

    def __len__(self) -> int:
        # A filter that leaves nothing over leaves an empty sequence, and not the empty play.
        return (len(self.answer) - HEADER) // STEPS or (0 if self.numbers_used else 1)

    @overload
    def __getitem__(self, index: int) -> Play: ...

    @overload
    def __getitem__(self, index: slice) -> list[Play]: ...

    def __getitem__(self, index: int | slice) -> Play | list[Play]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        at = range(len(self))[index] * STEPS + HEADER
        return Play(self.rules, self.start, self.answer[at : at + STEPS] or NO_STEPS)

    def __iter__(self) -> Iterator[Play]:
        return map(self.__getitem__, range(len(self)))

    def positions(self) -> list[Position]:
        """Where each play leads, in order, the same side still first."""
        if self.nothing_playable:
            return [self.start]
        boards = kernel.results(self.start.packed, self.answer, self.rules.record)
        return [Position(boards[at : at + 64]) for at in range(0, len(boards), 64)]

    def only(self, wanted: Callable[[Play], bool]) -> Plays:
        """The plays that pass a test; may be empty, which no list of legal plays is.

        Where nothing can be played nothing is tested.
        """
        if self.nothing_playable:
            return self
        kept = b"".join(play.code for play in self if wanted(play))
        return self.with_answer(self.answer[:HEADER] + kept)

    def with_answer(self, codes: bytes) -> Plays:
        """The plays of another answer of the kernel for the same part; trusts it."""
        return Plays(self.rules, self.start, self.numbers, codes, self.turn, self.context)

    def find(self, text: str) -> Play:
        """The play that a text means, in any of the usual ways to write one.

        `IllegalAction` says why the rules refuse it, `NotationError` where it cannot be read.
        """
        # The reader stands on these types; importing it late keeps the arrow from notation to here.
        from bgcore.notation.play_text import read_play

        return read_play(self, text)

    def of_steps(self, steps: Sequence[tuple[int, int]]) -> Play:
        """The play of these steps, each an origin and a number; `IllegalAction` says why it is refused."""
        if len(steps) <= STEPS and all(0 < o <= UNENTERED and n in NUMBERS for o, n in steps):
            code = bytes([o << 3 | n for o, n in steps]).ljust(STEPS, b"\0")
            at = self.codes.find(code)
            while at >= 0 and at % STEPS:
                at = self.codes.find(code, at + 1)
            if at >= 0:
                return Play(self.rules, self.start, code)
        return self.as_written([Step.of(o, n) for o, n in steps])

    def progress(self, steps: Sequence[Step] = ()) -> Progress:
        """The part after some steps, with what may follow; `IllegalAction` when one cannot be made."""
        from bgcore.judge import progress_of  # late, as in `as_written`

        return progress_of(self, steps)

    def as_written(self, steps: Sequence[Step]) -> Play:
        """The play of steps taken as written; `IllegalAction` says why it is refused."""
        # Who judges stands on these types; importing late keeps the arrow from there to here.
        from bgcore.judge import legal_result, why_not

        if refusal := why_not(self, steps):
            raise IllegalAction(refusal.fault)
        reached = legal_result(self, steps)
        return next(play for play in self if play.after == reached)

    def __repr__(self) -> str:
        return f"<Plays: {len(self)}, {self.numbers_used} numbers used>"
