"""Committed dice, checked by the player: whether every throw follows from the seeds.

Nothing of the server's is used or believed here, only what docs/dice.md describes as `bgcore-dice-1`.

    answer = table.verify_dice()
    wrong = dice.check(answer.dice, table.events(), me.key)

`wrong` is empty if the dice were fair, given that the player kept what `join`, or `rematch`, noted before play.
Each match of a table has its own seeds, throws and key.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator
from itertools import count, islice

from bgcore_client import messages
from bgcore_client.given import refused
from bgcore_client.seat_calls import SeatKey

SCHEME = "bgcore-dice-1"
SERVER_SEED_BYTES = 32
FACES = 6
FAIR_BYTES = 252
"""Bytes below it give each number equally often; the others are skipped."""

Seeds = tuple[str, str]
"""What White and Black gave."""

Throw = tuple[int, tuple[int, ...]]
"""The revision of an event, and the dice in the order in which they fell."""


def derive(server_seed: bytes, seeds: Seeds, number: int, dice: int) -> tuple[int, ...]:
    """Throw `number` of a table, the first is 0, of so many dice.

    >>> derive(bytes(range(32)), ("ann's own", "Zoë ⚅"), 48, 2)
    (3, 1)
    """
    return tuple(islice(_numbers(server_seed, seeds, number, dice), dice))


def _numbers(server_seed: bytes, seeds: Seeds, number: int, dice: int) -> Iterator[int]:
    white, black = (seed.encode().hex() for seed in seeds)
    for block in count():
        message = f"{SCHEME}:{white}:{black}:{number}:{dice}:{block}"
        for byte in hmac.digest(server_seed, message.encode(), "sha256"):
            if byte < FAIR_BYTES:
                yield byte % FACES + 1


def commitment(server_seed: bytes) -> str:
    """What the server must have shown of its seed before play: its SHA-256, in hex."""
    return hashlib.sha256(server_seed).hexdigest()


def seed_of(request_id: str) -> str:
    """A player's seed that follows from a request id and does not tell it: 64 hex digits.

    >>> len(seed_of("an id at random"))
    64
    """
    return hashlib.sha256(f"bgcore-dice-seed:{request_id}".encode()).hexdigest()


def throws(events: Iterable[messages.Event], match_number: int = 0) -> list[Throw]:
    """The throws of a match among a table's events, openings and ties included; 0 is the last match there.

    What fell before the first player sat down was told by a record that the table was made from, and is
    none of the table's own.

    >>> rolled = messages.Event(revision=3, action=messages.Action(roll={"dice": [3, 1]}))
    >>> joined = messages.Event(revision=4, seat_taken={})
    >>> throws([rolled]), throws([rolled, joined])
    ([(3, (3, 1))], [])
    >>> another = messages.Event(revision=9, match_started={"match_number": 2})
    >>> throws([joined, rolled, another]), throws([joined, rolled, another], 1)
    ([], [(3, (3, 1))])
    """
    found: list[Throw] = []
    seated, number = False, 1
    for event in events:
        if event.HasField("match_started"):
            if number == match_number:
                break
            number = event.match_started.match_number
            found.clear()
        elif event.HasField("seat_taken") and not seated:
            seated = True
            found.clear()
        elif dice := event.action.throw.dice or event.action.roll.dice:
            found.append((event.revision, tuple(dice)))
    return found if match_number in (0, number) else []


def check(
    proof: messages.DiceProof,
    events: Iterable[messages.Event],
    key: SeatKey | None = None,
    match_number: int = 0,
) -> list[messages.DiceFault]:
    """Everything that does not hold of the dice of a match; nothing, if every throw follows from the seeds.

    `events` are all of the table, best those that the player has watched. `key` is what the player got on
    joining or asking for the match, seed and commitment included: without it nobody knows whether those of the
    proof are from before play, since a record that was made up as a whole agrees with itself. The match is that
    of the key, or without one of `match_number`, or else the last; the proof must be of the same one. Whether
    throws are missing at the end a replay of the match can tell. `ValueError` when key and `match_number` say
    two matches.
    """
    if not isinstance(proof, messages.DiceProof):
        raise refused(
            "proof", proof, "the proof of a match, such as the answer of verify_dice() has"
        )
    if key and match_number not in (0, key.match_number):
        expected = f"{key.match_number}, which the key is of"
        raise ValueError(f"match_number {match_number}: expected {expected}")
    faults = list(_proof_faults(proof, key))
    secret = _server_seed(proof.server_seed)
    if secret is None or not (proof.white_seed and proof.black_seed):
        return faults
    seeds = proof.white_seed, proof.black_seed
    match = key.match_number if key else match_number
    for number, (revision, thrown) in enumerate(throws(events, match)):
        derived = derive(secret, seeds, number, len(thrown))
        if thrown != derived:
            what = f"throw {number} (the first is 0)"
            expected = f"{_shown(derived)}, which the seeds give"
            faults.append(
                _fault("THROW_NOT_DERIVED", what, _shown(thrown), expected, revision=revision)
            )
    return faults


def _proof_faults(proof: messages.DiceProof, key: SeatKey | None) -> Iterator[messages.DiceFault]:
    """What does not hold before any throw is looked at."""
    if proof.scheme != SCHEME:
        yield _fault("SCHEME_UNKNOWN", "scheme", proof.scheme, SCHEME)
    given = {messages.SEAT_WHITE: proof.white_seed, messages.SEAT_BLACK: proof.black_seed}
    for seat, seed in given.items():
        if not seed:
            name = messages.Seat.Name(seat).removeprefix("SEAT_").lower()
            yield _fault("DICE_SEED_MISSING", f"{name}_seed", "", "the seed that the player gave")
    secret = _server_seed(proof.server_seed)
    if secret is None:
        expected = f"{2 * SERVER_SEED_BYTES} hex digits, revealed when the match is over"
        yield _fault("SERVER_SEED_SECRET", "server_seed", proof.server_seed, expected)
    elif (found := commitment(secret)) != proof.commitment:
        expected = f"{found}, which is SHA-256 of the server seed"
        yield _fault("COMMITMENT_BROKEN", "commitment", proof.commitment, expected)
    if key and proof.commitment != key.commitment:
        expected = f"{key.commitment}, which the table showed before play"
        yield _fault("COMMITMENT_CHANGED", "commitment", proof.commitment, expected)
    if key and (seed := given.get(key.seat, "")) != key.dice_seed:
        yield _fault("DICE_SEED_CHANGED", "seed", seed, f"{key.dice_seed}, which I gave")


def _server_seed(text: str) -> bytes | None:
    try:
        seed = bytes.fromhex(text)
    except ValueError:
        return None
    return seed if len(seed) == SERVER_SEED_BYTES else None


def _shown(thrown: tuple[int, ...]) -> str:
    return "-".join(map(str, thrown))


def _fault(
    reason: str, what: str, value: str, expected: str, *, revision: int = 0
) -> messages.DiceFault:
    message = f"{what} was {value or 'missing'}: expected {expected}"
    return messages.DiceFault(
        revision=revision, reason=reason, value=value, expected=expected, message=message
    )
