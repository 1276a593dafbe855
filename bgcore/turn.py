"""Turns: what is still to be played, and what of the turn so far the rules need to know.

`docs/turns.md` writes down how the turn of each game of the rule book fits these types.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from enum import StrEnum

from bgcore.play import Step
from bgcore.seat import Seat

Numbers = tuple[int, ...]
"""The numbers of one part, in the order in which they were thrown."""


class PartKind(StrEnum):
    """Where the numbers of a part come from."""

    ROLL = "roll"
    RUNG = "rung"
    COMPLEMENT = "complement"
    CHOSEN_DOUBLE = "chosen_double"
    LEFTOVER = "leftover"


@dataclass(frozen=True, slots=True)
class Part:
    """Numbers under one obligation (R3): as many of them as possible must be used."""

    numbers: Numbers
    kind: PartKind = PartKind.ROLL


@dataclass(frozen=True, slots=True)
class Turn:
    """One player's turn: the parts still to be played, the open one first.

    `own_roll` says which of the mover's own rolls of this game this is (1 is his first); `None` means an
    ordinary later one, past every threshold. `left_head` counts checkers that had left own 24 in this turn
    before the open part, `locked` are the own points at home on which a checker that hit in them stays until the
    turn is over (`home_hit_and_run`). `steps` are those already made in the open part; undoing drops the last of them.
    `dice` are those that the parts come from, where that is known; with parts to come of another roll
    (`Then.ROLL`), those of the roll before. `contexts` are the kernel's, before the first of the steps and
    after each; `rules.opened` gives the first, and they follow from all the rest.

    >>> Turn(parts=(Part((4, 4, 4, 4)), Part((5, 5, 5, 5)))).next_part().parts
    (Part(numbers=(5, 5, 5, 5), kind=<PartKind.ROLL: 'roll'>),)
    """

    own_roll: int | None = None
    left_head: int = 0
    parts: tuple[Part, ...] = ()
    steps: tuple[Step, ...] = ()
    seat: Seat | None = None
    dice: tuple[int, ...] = ()
    locked: frozenset[int] = frozenset()
    contexts: tuple[int, ...] = field(default=(), compare=False, repr=False)

    def rolled(self, seat: Seat, own_roll: int | None, dice: tuple[int, ...]) -> Turn:
        """The same turn with dice thrown in it that are not divided into parts yet."""
        # Made directly, as below: it is on the way of every roll.
        return Turn(
            own_roll, self.left_head, (), self.steps, seat, dice, self.locked, self.contexts
        )

    def with_parts(self, parts: tuple[Part, ...]) -> Turn:
        """The same turn with these parts to be played."""
        return Turn(
            self.own_roll,
            self.left_head,
            parts,
            self.steps,
            self.seat,
            self.dice,
            self.locked,
            self.contexts,
        )

    def next_part(self, left_head: int = 0, locked: Collection[int] = ()) -> Turn:
        """The same turn with the open part done, in which so many more left the head and these points were locked."""
        return replace(
            self,
            parts=self.parts[1:],
            steps=(),
            left_head=self.left_head + left_head,
            locked=self.locked.union(locked),
            contexts=(),
        )

    def before_own_roll(self) -> Turn:
        """What is left of a turn that began with leftovers, when they have been played and the own roll comes.

        Their allowance of the head was one of their own; what is locked stays so.
        """
        return Turn(locked=self.locked) if self.locked else ORDINARY_TURN

    def opened(self, context: int) -> Turn:
        """The turn before the first step of its open part, with the kernel's context of it."""
        return replace(self, steps=(), contexts=(context,))

    @property
    def context(self) -> int:
        """The kernel's context after the steps made; only an opened turn has one."""
        return self.contexts[-1]

    def with_step(self, step: Step, context: int) -> Turn:
        """One more step of the open part made, and the kernel's context after it."""
        # Made directly: readers of plays try many steps, and `replace` takes ten times as long.
        return Turn(
            self.own_roll,
            self.left_head,
            self.parts,
            (*self.steps, step),
            self.seat,
            self.dice,
            self.locked,
            (*self.contexts, context),
        )

    @property
    def before_steps(self) -> Turn:
        """The turn as it was before the first step of its open part."""
        return replace(self, steps=(), contexts=()) if self.contexts or self.steps else self

    def undone(self) -> Turn:
        """The last step of the open part taken back; nothing changes when there is none."""
        if not self.steps:
            return self
        return replace(self, steps=self.steps[:-1], contexts=self.contexts[:-1])


ORDINARY_TURN = Turn()
"""A later turn without a history (rules C7)."""


@dataclass(frozen=True, slots=True)
class Played:
    """A part that has been played: the turn whose open part it was, and the numbers that were used.

    >>> Played(Turn(parts=(Part((6, 5)),)), used=(5,)).unused
    (6,)
    """

    turn: Turn
    used: Numbers

    @property
    def part(self) -> Part:
        """The part."""
        return self.turn.parts[0]

    @property
    def later(self) -> tuple[Part, ...]:
        """The parts that would follow it."""
        return self.turn.parts[1:]

    @property
    def unused(self) -> Numbers:
        """Its numbers that were not used, in their order."""
        left = list(self.part.numbers)
        for number in self.used:
            left.remove(number)
        return tuple(left)

    @property
    def complete(self) -> bool:
        """Whether every number was used."""
        return len(self.used) == len(self.part.numbers)


class Then(StrEnum):
    """What follows a part that has been played."""

    NEXT_PART = "next_part"
    ROLL = "roll"
    NAME_DOUBLE = "name_double"
    HAND_OVER = "hand_over"


@dataclass(frozen=True, slots=True)
class Next:
    """What follows, and when the turn is handed over what the opponent must play before his own roll."""

    then: Then
    leftovers: tuple[Part, ...] = ()


NEXT_PART, ANOTHER_ROLL, NAME_DOUBLE, HAND_OVER = map(Next, Then)
