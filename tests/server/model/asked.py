"""What requests ask for, and whether they may."""

from __future__ import annotations

from google.protobuf.message import Message

from bgcore import Seat
from bgcore.dice_proof import player_seed
from bgcore_proto.v1 import common_pb2
from bgcore_proto.v1 import table_service_pb2 as service
from tests.server.model.callers import Caller
from tests.server.model.course import Happened
from tests.server.model.refused import (
    by_the_rules,
    malformed,
    not_allowed,
    not_now,
)
from tests.server.model.standing import (
    SEAT_OF,
)
from tests.server.model.table import COMMITTED, Table


def happened_in(told: service.ActResponse | None) -> Happened | None:
    return None if told is None else Happened(told.events, told.state.next_commitment)


def seat_of(given: common_pb2.Seat) -> Seat | None:
    if given and given not in SEAT_OF:
        raise malformed("SEAT_UNKNOWN", "seat")
    return SEAT_OF.get(given)


def view_of(given: common_pb2.PlayView, unspecified: int) -> int:
    if given not in common_pb2.PlayView.values():
        raise malformed("VIEW_UNKNOWN", "view")
    return given or unspecified


def acting(table: Table, who: Caller, wanted: Seat | None) -> Seat:
    """The seat that a caller acts for."""
    seats = table.rights_of_looker(who).seats
    if not seats:
        raise not_allowed("TOKEN_UNKNOWN")
    if wanted is not None and wanted not in seats:
        raise not_allowed("NOT_YOUR_SEAT", "seat")
    return seats[0] if wanted is None else wanted


def free_seat(table: Table, wanted: Seat | None, who: Caller) -> Seat:
    """The seat that a caller may take: one kept for his account first, then White's."""
    sitters = table.at.seats
    free = [seat for seat in Seat if not sitters[seat].taken]
    kept = [seat for seat in free if sitters[seat].account]
    mine = [seat for seat in kept if sitters[seat].account == who.account]
    anybodys = [seat for seat in free if seat not in kept]
    if wanted is None:
        if not free:
            raise not_now("TABLE_FULL", "table")
        if not mine + anybodys:
            raise not_allowed("SEAT_KEPT", "seat")
        return (mine + anybodys)[0]
    if wanted not in free:
        raise not_now("SEAT_TAKEN", "seat")
    if wanted not in mine + anybodys:
        raise not_allowed("SEAT_KEPT", "seat")
    return wanted


def check_seed(table: Table, seed: str, field: str, asked: Message) -> None:
    """Committed dice need something of each player, other dice nothing."""
    if table.dice != COMMITTED:
        if seed:
            raise malformed("DICE_SEED_UNUSED", field)
    elif not seed:
        raise malformed("DICE_SEED_MISSING", field)
    else:
        with by_the_rules(asked):
            player_seed(seed, "dice_seed")
