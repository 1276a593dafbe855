"""Whether the throws of a table follow from what it tells of its dice."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from bgcore.dice import CommittedDice
from bgcore.dice_proof import DiceMode, DiceProof, verify
from bgcore.errors import Fault
from bgcore_proto.v1 import table_pb2
from bgcore_proto.v1 import table_service_pb2 as pb
from bgcore_server.convert.clock import fill_proof
from bgcore_server.settings import Settings
from bgcore_server.store import Event

MODES: dict[int, DiceMode] = {
    table_pb2.DICE_MODE_SYSTEM: DiceMode.SYSTEM,
    table_pb2.DICE_MODE_SEEDED: DiceMode.SEEDED,
    table_pb2.DICE_MODE_MANUAL: DiceMode.MANUAL,
    table_pb2.DICE_MODE_COMMITTED: DiceMode.COMMITTED,
}

Throw = tuple[int, tuple[int, ...]]
"""The number of an event and the dice that fell in it."""


def given_throws(events: Sequence[Event], settings: Settings) -> int:
    """How many throws came with the start or the record of a table: nobody was committed to them."""
    told = (json.loads(event.body) for event in events[: settings.past])
    start = settings.start or {}
    return bool(start.get("dice")) + sum(bool(body.get("dice")) for body in told)


def throws_of(events: Sequence[Event], past: int) -> Iterator[Throw]:
    """Every throw at a table; the first `past` events were told by a record and are none of its own."""
    for event in events[past:]:
        if dice := json.loads(event.body).get("dice"):
            yield event.revision, tuple(dice)


def verdict_message(
    proof: DiceProof, throws: Sequence[Throw], given: int = 0
) -> pb.VerifyDiceResponse:
    """What can be said of them; the server's seed must have been revealed."""
    verdict = verify(proof, [dice for _, dice in throws])
    message = pb.VerifyDiceResponse(legal=verdict.holds, given_throws=given)
    fill_proof(proof, message.dice)
    white, black = proof.seeds
    dice = CommittedDice(proof.server_seed or b"", white or "", black or "")
    for number, (revision, thrown) in enumerate(throws):
        derived = dice.throw(len(thrown))
        message.throws.add(revision=revision, dice=thrown, derived=derived, number=number)
    for fault in verdict.proof_faults:
        _add(message, fault, 0)
    for number, fault in verdict.throw_faults.items():
        _add(message, fault, throws[number][0])
    return message


def _add(message: pb.VerifyDiceResponse, fault: Fault, revision: int) -> None:
    message.faults.add(
        revision=revision,
        reason=fault.reason,
        value=fault.value,
        expected=fault.expected,
        message=str(fault),
    )
