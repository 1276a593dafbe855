"""A part under way: some steps made, and what may follow."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bgcore.play import Plays, Step
from bgcore.position import Position
from bgcore.turn import Numbers, Turn


@dataclass(frozen=True, slots=True)
class Progress:
    """Where the steps made so far of a part have led; `left` are the numbers not used yet.

    `plays.progress(steps)` checks the steps; `after(step)` trusts its step to be possible.
    """

    plays: Plays
    position: Position
    left: Numbers
    turn: Turn

    @classmethod
    def start(cls, plays: Plays) -> Progress:
        """The part before its first step."""
        return cls(plays, plays.start, tuple(plays.numbers), plays.turn.opened(plays.context))

    def after(self, step: Step) -> Progress:
        """One more step made."""
        rules, at = self.plays.rules, self.left.index(step.number)
        position, turn = rules.stepped(self.position, step, self.turn)
        return Progress(self.plays, position, self.left[:at] + self.left[at + 1 :], turn)

    @property
    def may_end(self) -> bool:
        """Whether the steps made are a legal play as they are."""
        return self.position in self.plays.positions()

    @property
    def next_steps(self) -> tuple[Step, ...]:
        """The steps from which a legal play can still be completed."""
        wanted = frozenset(self.plays.positions())
        return tuple(step for step, then in self._possible() if then._leads_to(wanted))

    def _possible(self) -> Iterator[tuple[Step, Progress]]:
        steps = self.plays.rules.steps(self.position, self.left, self.turn)
        return ((step, self.after(step)) for step in steps)

    def _leads_to(self, wanted: frozenset[Position]) -> bool:
        return self.position in wanted or any(
            then._leads_to(wanted) for _, then in self._possible()
        )
