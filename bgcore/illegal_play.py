"""Illegal plays that stand, for who writes down what others play on a board (rules M11)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from bgcore.action import Action
from bgcore.errors import IllegalPosition
from bgcore.judge import led_to
from bgcore.notation.play_text import steps_meant
from bgcore.play import Plays, Step
from bgcore.position import Position


def stands(plays: Plays, action: Action) -> Position | None:
    """Where an illegal play leads if its steps are made all the same.

    `None` when no hand could make them, each by one number: where nobody of the mover's stands free,
    where two or more of the opponent's stand, or where what is reached is no position of the game.
    """
    for steps in _written(plays, action):
        reached = led_to(plays, steps)
        try:
            if reached:
                return plays.rules.proved(reached.packed)
        except IllegalPosition:
            continue
    return None


def _written(plays: Plays, action: Action) -> Iterable[Sequence[Step]]:
    if action.text is not None:
        return steps_meant(plays, action.text)
    return ([Step.of(origin, number) for origin, number in action.steps or ()],)
