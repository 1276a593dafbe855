"""Rolls."""

from __future__ import annotations

from dataclasses import dataclass

from bgcore.errors import Fault, NotationError

HIGHEST = 6
"""The highest number of a die, and so of a step."""
NUMBERS = range(1, HIGHEST + 1)


def is_number(value: object) -> bool:
    """Whether this is a number that a die shows; a bool is none.

    >>> is_number(6), is_number(7), is_number(True)
    (True, False, False)
    """
    return type(value) is int and value in NUMBERS


@dataclass(frozen=True, slots=True, order=True)
class Roll:
    """Two or three dice, the highest first. What a double is worth is for the rules to say.

    >>> Roll.of(1, 3)
    Roll(dice=(3, 1))
    >>> Roll.of(2, 6, 2)
    Roll(dice=(6, 2, 2))
    >>> Roll.of(0, 3)
    Traceback (most recent call last):
    bgcore.errors.NotationError: die 0: expected 1 to 6
    """

    dice: tuple[int, ...]

    @classmethod
    def of(cls, *dice: int) -> Roll:
        """The roll of these dice in any order; `NotationError` names a die that is not 1 to 6."""
        if len(dice) not in (2, 3):
            raise NotationError(Fault("BAD_DICE", "dice", str(list(dice)), "two or three dice"))
        for die in dice:
            if not is_number(die):
                raise NotationError(Fault("BAD_DICE", "die", str(die), "1 to 6"))
        return cls(tuple(sorted(dice, reverse=True)))

    @property
    def is_double(self) -> bool:
        """Whether all dice show the same number."""
        return len(set(self.dice)) == 1

    def __str__(self) -> str:
        return "".join(str(die) for die in self.dice)


ALL_ROLLS: tuple[Roll, ...] = tuple(
    Roll((high, low)) for high in NUMBERS for low in range(1, high + 1)
)
"""The 21 rolls of two dice. A double comes once in 36, any other roll twice."""
