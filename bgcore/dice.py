"""Sources of dice. Rules never throw; whoever keeps a game passes the numbers in."""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass
from itertools import count
from typing import Protocol

FACES = 6
FAIR_BYTES = 252
"""The largest multiple of six that a byte can hold: bytes from here on are thrown again."""


class Dice(Protocol):
    """Something that throws dice: `throw(2)` gives two numbers from 1 to 6."""

    def throw(self, dice: int) -> tuple[int, ...]:
        """So many numbers, each from 1 to 6 with equal chance."""
        ...


class SystemDice:
    """Dice from the operating system's random source, without a bias."""

    def throw(self, dice: int) -> tuple[int, ...]:
        """So many numbers from 1 to 6."""
        return tuple(secrets.randbelow(FACES) + 1 for _ in range(dice))


@dataclass(slots=True)
class SeededDice:
    """Dice for tests: throw number `thrown` depends on the seed and that number alone.

    So a game goes on with the same dice after a restart, when `thrown` is set to what was thrown before.

    >>> SeededDice(7).throw(2) == SeededDice(7).throw(2)
    True
    """

    seed: int
    thrown: int = 0

    def throw(self, dice: int) -> tuple[int, ...]:
        """So many numbers from 1 to 6."""
        fair = seeded_numbers(self.seed, self.thrown)
        self.thrown += 1
        return tuple(next(fair) for _ in range(dice))


def seeded_numbers(seed: int, throw: int) -> NumberStream:
    """The endless numbers from 1 to 6 of one throw."""
    return NumberStream(f"{seed}:{throw}")


class NumberStream:
    """Numbers from 1 to 6 made of SHA-256 blocks by rejection sampling."""

    def __init__(self, key: str) -> None:
        self._bytes = (
            byte
            for block in count()
            for byte in hashlib.sha256(f"bgcore:{key}:{block}".encode()).digest()
        )

    def __next__(self) -> int:
        return next(byte for byte in self._bytes if byte < FAIR_BYTES) % FACES + 1

    def __iter__(self) -> NumberStream:
        return self
