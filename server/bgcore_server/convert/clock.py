"""Clocks and what a table tells of its dice."""

from __future__ import annotations

from google.protobuf.timestamp_pb2 import Timestamp

from bgcore import Match, Seat
from bgcore.axes import ClockKind
from bgcore.clock import Clock
from bgcore.dice import SCHEME
from bgcore.dice_proof import DiceProof
from bgcore_proto.v1 import table_pb2 as pb
from bgcore_server.convert import board

MICROSECONDS = 1_000_000

KINDS = {
    ClockKind.BRONSTEIN: pb.CLOCK_KIND_BRONSTEIN,
    ClockKind.FISCHER: pb.CLOCK_KIND_FISCHER,
    ClockKind.PER_TURN: pb.CLOCK_KIND_PER_TURN,
}


def fill_clock(clock: Clock, match: Match, message: pb.ClockState) -> None:
    """Both players' time at the moment of the last event."""
    message.kind = KINDS[clock.control.kind]
    message.running = board.SEAT_NUMBERS[clock.running]
    message.white_left.FromMicroseconds(left_of(clock, match, Seat.WHITE))
    message.black_left.FromMicroseconds(left_of(clock, match, Seat.BLACK))
    if clock.running is not None:
        message.deadline.FromMicroseconds(clock.since + clock.left(clock.since))


def left_of(clock: Clock, match: Match, seat: Seat) -> int:
    """Microseconds that a seat has if its time ran from the last event on."""
    if seat is clock.running:
        return clock.left(clock.since)
    # What was used of a turn that waits for the other's answer is not in the bank yet.
    used = clock.used if match.game.seat is seat else 0
    bank, step = clock.banks[seat], clock.control.step
    match clock.control.kind:
        case ClockKind.BRONSTEIN:
            return bank + step - used
        case ClockKind.FISCHER:
            return bank - used
    return step - used


def spoken(microseconds: int) -> str:
    """A time for people.

    >>> spoken(12_500_000), spoken(1), spoken(-3_000_000)
    ('12.5 s', '0.000001 s', '3 s')
    """
    whole, rest = divmod(abs(microseconds), MICROSECONDS)
    return f"{whole}.{rest:06d}".rstrip("0").rstrip(".") + " s"


def timestamp(microseconds: int) -> Timestamp:
    """A moment."""
    seconds, rest = divmod(microseconds, MICROSECONDS)
    return Timestamp(seconds=seconds, nanos=rest * 1000)


def fill_proof(proof: DiceProof, message: pb.DiceProof) -> None:
    """What a table tells of committed dice."""
    white, black = proof.seeds
    message.scheme = SCHEME
    message.commitment = proof.commitment
    message.white_seed = white or ""
    message.black_seed = black or ""
    message.server_seed = proof.server_seed.hex() if proof.server_seed else ""
