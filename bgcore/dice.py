"""Sources of dice. Rules never throw; whoever keeps a game passes the numbers in."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count, islice
from typing import Protocol

from bgcore.roll import HIGHEST

FAIR_BYTES = 252
"""The largest multiple of six that a byte can hold: bytes from here on are thrown again."""

SCHEME = "bgcore-dice-1"
"""How committed dice are made of their seeds (docs/dice.md); another way would have another name."""
SERVER_SEED_BYTES = 32


class Dice(Protocol):
    """Something that throws dice: `throw(2)` gives two numbers from 1 to 6."""

    def throw(self, dice: int) -> tuple[int, ...]:
        """So many numbers, each from 1 to 6 with equal chance."""
        ...


class SystemDice:
    """Dice from the operating system's random source, without a bias."""

    def throw(self, dice: int) -> tuple[int, ...]:
        """So many numbers from 1 to 6."""
        return tuple([secrets.randbelow(HIGHEST) + 1 for _ in range(dice)])


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
        return tuple(islice(fair, dice))


def seeded_numbers(seed: int, throw: int) -> Iterator[int]:
    """The endless numbers from 1 to 6 of one throw."""
    return fair_numbers(
        byte
        for block in count()
        for byte in hashlib.sha256(f"bgcore:{seed}:{throw}:{block}".encode()).digest()
    )


@dataclass(slots=True)
class CommittedDice:
    """Dice that nobody can choose, and that everybody can verify when the server seed is revealed.

    The server publishes `commitment(server_seed)` before it knows the players' seeds, so it cannot pick the
    dice; the players do not know the server seed, so they cannot either. Like `SeededDice`, it goes on where
    it was when `thrown` is set. `ValueError` if the server seed is not 32 bytes; the players' seeds are
    trusted (`dice_proof.player_seed` proves one).

    >>> dice = CommittedDice(bytes(range(32)), "ann's own", "Zoë ⚅")
    >>> dice.throw(2), dice.throw(2), dice.thrown
    ((2, 5), (4, 3), 2)
    """

    server_seed: bytes = field(repr=False)  # a secret while the match is on
    white_seed: str
    black_seed: str
    thrown: int = 0
    _table: bytes = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if len(self.server_seed) != SERVER_SEED_BYTES:
            raise ValueError(
                f"server seed of {len(self.server_seed)} bytes: expected {SERVER_SEED_BYTES}"
            )
        seeds = (seed.encode().hex() for seed in (self.white_seed, self.black_seed))
        self._table = ":".join((SCHEME, *seeds)).encode()

    def throw(self, dice: int) -> tuple[int, ...]:
        """So many numbers from 1 to 6. How many they are is part of what they are made of."""
        message = b"%b:%d:%d" % (self._table, self.thrown, dice)
        self.thrown += 1
        # A block has 32 bytes, so it is seldom that two or three dice need another.
        numbers = fair_numbers(
            byte
            for block in count()
            for byte in hmac.digest(self.server_seed, b"%b:%d" % (message, block), "sha256")
        )
        return tuple(islice(numbers, dice))


def fair_numbers(stream: Iterable[int]) -> Iterator[int]:
    """The numbers from 1 to 6 in a stream of random bytes, by rejection sampling: none is likelier.

    >>> list(fair_numbers([0, 5, 6, 251, 252, 255, 8]))
    [1, 6, 1, 6, 3]
    """
    return (byte % HIGHEST + 1 for byte in stream if byte < FAIR_BYTES)


def commitment(server_seed: bytes) -> str:
    """What is published of a server seed while it is secret: its SHA-256, in hex.

    >>> commitment(bytes(range(32)))
    '630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd'
    """
    return hashlib.sha256(server_seed).hexdigest()


def new_server_seed() -> bytes:
    """A server seed from the operating system."""
    return secrets.token_bytes(SERVER_SEED_BYTES)


def new_player_seed() -> str:
    """A seed for a seat that has none of its own to give, such as a bot's: 32 hex digits."""
    return secrets.token_hex(16)
