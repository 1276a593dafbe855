"""What a table tells of its dice, and whether its throws follow from that (docs/dice.md)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType

from bgcore.dice import SERVER_SEED_BYTES, CommittedDice, commitment
from bgcore.errors import Fault, NotationError, shown
from bgcore.seat import SEATS

LONGEST_SEED = 64


class DiceMode(StrEnum):
    """Where the dice of a table come from."""

    SYSTEM = "system"
    COMMITTED = "committed"
    MANUAL = "manual"
    SEEDED = "seeded"


NOTHING_TO_VERIFY: Mapping[DiceMode, str] = MappingProxyType(
    {
        DiceMode.SYSTEM: "the server threw them and left nothing that they could be derived from",
        DiceMode.MANUAL: "the players threw them and typed in what fell",
        DiceMode.SEEDED: "the server knew their seed before play, they are for tests",
    }
)


@dataclass(frozen=True, slots=True)
class DiceProof:
    """What a table tells of its dice. Only those of the mode `committed` can be verified.

    The seeds are White's and Black's, `None` while a seat has not given one. The server seed is 32 bytes,
    `None` while it is secret. It proves nothing by itself: `verify` does.

    >>> dice = CommittedDice(bytes(range(32)), "ann's own", "Zoë ⚅")
    >>> proof = DiceProof.of(dice)
    >>> proof == DiceProof.from_json(proof.to_json())
    True
    >>> DiceProof.from_json({"mode": "committed", "commitment": "630d"})
    Traceback (most recent call last):
    bgcore.errors.NotationError: commitment 630d: expected 64 hex digits
    """

    mode: DiceMode
    commitment: str = ""
    seeds: tuple[str | None, str | None] = (None, None)
    server_seed: bytes | None = None

    @classmethod
    def of(cls, dice: CommittedDice) -> DiceProof:
        """The proof of committed dice with its server seed: for when the match is over."""
        return cls(
            DiceMode.COMMITTED,
            commitment(dice.server_seed),
            (dice.white_seed, dice.black_seed),
            dice.server_seed,
        )

    def to_json(self) -> dict[str, object]:
        """The form that a record keeps under `dice`; of other modes than `committed` the mode alone."""
        if self.mode is not DiceMode.COMMITTED:
            return {"mode": self.mode.value}
        return {
            "mode": self.mode.value,
            "commitment": self.commitment,
            "seeds": list(self.seeds),
            "server_seed": None if self.server_seed is None else self.server_seed.hex(),
        }

    @classmethod
    def from_json(cls, form: object) -> DiceProof:
        """The proof of its JSON form; `NotationError` names the field that is missing or wrong.

        Keys that it does not know are ignored, and so is whatever else other modes than `committed` tell.
        A server seed that is missing is secret.
        """
        if not isinstance(form, Mapping):
            raise _refuse("dice", form, 'an object such as {"mode": "system"}')
        mode = _mode(form.get("mode", MISSING))
        if mode is not DiceMode.COMMITTED:
            return cls(mode)
        published = _hex("commitment", form.get("commitment", MISSING))
        seeds = _seeds(form.get("seeds", MISSING))
        secret = form.get("server_seed")
        revealed = None if secret is None else bytes.fromhex(_hex("server_seed", secret))
        return cls(mode, published, seeds, revealed)


def player_seed(value: object, name: str = "seed") -> str:
    """A seed that a player may give: 1 to 64 printable characters, taken as they are.

    `NotationError` under the name otherwise. A character that no Unicode known here has assigned passes,
    so that a seed does not depend on who reads it.

    >>> player_seed("Zoë ⚅")
    'Zoë ⚅'
    >>> player_seed(7)
    Traceback (most recent call last):
    bgcore.errors.NotationError: seed 7: expected 1 to 64 printable characters
    """
    if isinstance(value, str) and 1 <= len(value) <= LONGEST_SEED and all(map(_printable, value)):
        return value
    raise _refuse(name, value, f"1 to {LONGEST_SEED} printable characters")


def _printable(one: str) -> bool:
    return one.isprintable() or unicodedata.category(one) == "Cn"


# -- verifying ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether throws follow from a proof: everything that does not hold, or why nothing can be verified."""

    throws: int  # looked at
    proof_faults: tuple[Fault, ...] = ()  # of the commitment and the seeds
    throw_faults: Mapping[int, Fault] = field(default_factory=dict)  # by the throw, from 0
    nothing: str = ""  # why there is nothing to verify; empty for committed dice

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Everything that does not hold, the throws in their order last."""
        return (*self.proof_faults, *self.throw_faults.values())

    @property
    def holds(self) -> bool:
        """Every throw follows from the seeds, and the commitment is that of the server seed."""
        return not (self.nothing or self.proof_faults or self.throw_faults)


def verify(proof: DiceProof, throws: Sequence[tuple[int, ...]]) -> Verdict:
    """Whether all throws of a table, from its first on, follow from what it tells of its dice.

    A throw is its numbers in the order in which they fell; one for the opening is White's, then Black's,
    and ties count. That no throw was left out at the end it cannot know: a replay of the match can.

    >>> dice = CommittedDice(bytes(range(32)), "ann's own", "Zoë ⚅")
    >>> verify(DiceProof.of(dice), [(2, 5), (4, 3)]).holds
    True
    >>> print(*verify(DiceProof.of(dice), [(2, 5), (6, 6)]).faults)
    throw 1 (the first is 0) was 6-6: expected 4-3, which the seeds give
    """
    if proof.mode is not DiceMode.COMMITTED:
        return Verdict(len(throws), nothing=NOTHING_TO_VERIFY[proof.mode])
    faults = _proof_faults(proof)
    white, black = proof.seeds
    if proof.server_seed is None or white is None or black is None:
        return Verdict(len(throws), faults)
    dice = CommittedDice(proof.server_seed, white, black)
    derived = (dice.throw(len(thrown)) for thrown in throws)
    wrong = {
        number: _throw_fault(number, thrown, expected)
        for number, (thrown, expected) in enumerate(zip(throws, derived, strict=True))
        if thrown != expected
    }
    return Verdict(len(throws), faults, MappingProxyType(wrong))


def _proof_faults(proof: DiceProof) -> tuple[Fault, ...]:
    """What does not hold before any throw is looked at."""
    faults = [
        Fault("DICE_SEED_MISSING", f"seeds[{seat}]", "", f"the seed that {name} gave")
        for seat, (name, seed) in enumerate(zip(SEATS, proof.seeds, strict=True))
        if seed is None
    ]
    if proof.server_seed is None:
        when = "it to be revealed, as it is when the match is over"
        faults.append(Fault("SERVER_SEED_SECRET", "server_seed", "", when))
    elif (found := commitment(proof.server_seed)) != proof.commitment:
        of_seed = f"{found}, which is SHA-256 of the server seed"
        faults.append(Fault("COMMITMENT_BROKEN", "commitment", proof.commitment, of_seed))
    return tuple(faults)


def _throw_fault(number: int, thrown: tuple[int, ...], derived: tuple[int, ...]) -> Fault:
    was, expected = shown(_numbers(thrown)), shown(_numbers(derived))
    sentence = (
        f"throw {number} (the first is 0) was {was}: expected {expected}, which the seeds give"
    )
    return Fault("THROW_NOT_DERIVED", f"throws[{number}]", was, expected, sentence)


def _numbers(thrown: tuple[int, ...]) -> str:
    return "-".join(map(str, thrown))


# -- reading -----------------------------------------------------------------------------------------

MISSING = object()


def _mode(value: object) -> DiceMode:
    if isinstance(value, str) and value in {mode.value for mode in DiceMode}:
        return DiceMode(value)
    raise _refuse("mode", value, ", ".join(DiceMode))


def _hex(name: str, value: object) -> str:
    digits = 2 * SERVER_SEED_BYTES
    if isinstance(value, str) and re.fullmatch(f"[0-9a-fA-F]{{{digits}}}", value):
        return value.lower()
    raise _refuse(name, value, f"{digits} hex digits")


def _seeds(value: object) -> tuple[str | None, str | None]:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise _refuse("seeds", value, "a list of two texts, white's and black's")
    white, black = (
        None if seed is None else player_seed(seed, f"seeds[{seat}]")
        for seat, seed in enumerate(value)
    )
    return white, black


def _refuse(name: str, value: object, expected: str) -> NotationError:
    if value is MISSING:
        value = "missing"
    elif isinstance(value, str) and not (value and value.isprintable()):
        value = repr(value)  # what cannot be seen is spelt out
    return NotationError(Fault("BAD_DICE_PROOF", name, shown(value), expected))
