"""Who may do what at a table: from what a caller has proved, and what the table was made with."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from bgcore import Seat
from bgcore.errors import Fault
from bgcore_server import tokens
from bgcore_server.errors import NOTHING, NotAllowed, NotFound, Unauthenticated
from bgcore_server.settings import Settings
from bgcore_server.store import Seat as StoredSeat
from bgcore_server.store import StoredTable, Visibility


@dataclass(frozen=True, slots=True)
class Caller:
    """What a caller has proved: that it knows a secret, of which this is the hash, or whose account it is.

    `until` is when that does not hold any more, in seconds since 1970.
    """

    secret: bytes = b""
    account: str = ""
    name: str = ""
    until: float = field(default=math.inf, compare=False)

    @property
    def unknown(self) -> bool:
        """Whether nothing was shown."""
        return not (self.secret or self.account)


ANYBODY = Caller()
BOTH = tuple(Seat)


@dataclass(frozen=True, slots=True)
class Rights:
    """What a caller may do at a table."""

    look: bool
    join: bool
    host: bool
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Door:
    """What a table compares with what callers prove: its keys, and for each seat a hash and an account."""

    id: str
    private: bool
    settings: Settings
    tokens: tuple[bytes, bytes]
    accounts: tuple[str, str]  # of those who sit there

    @classmethod
    def of(cls, table: StoredTable) -> Door:
        """The door of a table as it is stored, whatever its rules."""
        white, black = table.seats
        settings = Settings.known_in(table.settings)
        return cls.at(table, settings, table.seats, (white.token, black.token))

    @classmethod
    def at(
        cls,
        table: StoredTable,
        settings: Settings,
        seats: tuple[StoredSeat, StoredSeat],
        tokens: tuple[bytes, bytes],
    ) -> Door:
        """The door of a table with these seats, and the hashes of their tokens."""
        white, black = seats
        return cls(
            id=table.id,
            private=table.visibility is Visibility.PRIVATE,
            settings=settings,
            tokens=tokens,
            accounts=(
                white.account if white.taken else "",
                black.account if black.taken else "",
            ),
        )


def rights(door: Door, caller: Caller) -> Rights:
    """What a caller may do at a table.

    Who made it, and who sits there, see it. At a private table nobody else does, but who shows one of its
    secrets, or the account for which a seat is kept.
    """
    seats = seats_of(door, caller)
    keys = door.settings.keys
    host = invited = spectator = False
    if keys is not None:
        host = shows(caller, keys.host) or bool(
            caller.account and caller.account == keys.host_account
        )
        invited = shows(caller, keys.invitation)
        spectator = shows(caller, keys.spectator)
    kept = bool(caller.account) and caller.account in door.settings.accounts
    private = door.private
    return Rights(
        look=not private or bool(seats) or host or invited or spectator or kept,
        join=not private or host or invited or kept,
        host=host,
        seats=seats,
    )


def seats_of(door: Door, caller: Caller) -> tuple[Seat, ...]:
    """The seats that are the caller's."""
    return tuple([seat for seat in BOTH if sits(door, seat, caller)])


def sits(door: Door, seat: Seat, caller: Caller) -> bool:
    """Whether it is the caller's seat."""
    kept = door.tokens[seat]
    if kept and caller.secret and tokens.same(caller.secret, kept):
        return True
    return bool(caller.account) and door.accounts[seat] == caller.account


def shows(caller: Caller, kept: str) -> bool:
    """Whether a caller has shown the secret of which this is the hash."""
    return bool(kept and caller.secret) and tokens.same(caller.secret, bytes.fromhex(kept))


def check_look(door: Door, caller: Caller) -> None:
    """`NotFound` for whom the table does not exist."""
    if not rights(door, caller).look:
        raise not_found(door.id)


def check_join(door: Door, caller: Caller) -> None:
    """`NotFound` as above; `NotAllowed` for who may only look."""
    found = rights(door, caller)
    if not found.look:
        raise not_found(door.id)
    if not found.join:
        expected = f"the invitation or the host's token of table {door.id}"
        raise NotAllowed(Fault("INVITATION_NEEDED", "authorization", "to look only", expected))


def check_host(door: Door, caller: Caller) -> None:
    """`NotAllowed` for anybody but who made the table."""
    found = rights(door, caller)
    if not found.look:
        raise not_found(door.id)
    if caller.unknown:
        expected = "Bearer and the host_token that CreateTable gave"
        raise Unauthenticated(Fault("TOKEN_MISSING", "authorization", NOTHING, expected))
    if not found.host:
        expected = f"the host's token of table {door.id}"
        raise NotAllowed(Fault("NOT_THE_HOST", "authorization", "of no host here", expected))


def check_may_kick(door: Door, seat: Seat, caller: Caller) -> None:
    """`NotAllowed` for who neither sits on a seat nor is the host."""
    if not rights(door, caller).host:
        seat_of(door, caller, seat)


def check_sits(door: Door, seat: Seat, caller: Caller) -> None:
    """`NotAllowed` for who does not sit on a seat, or not any more."""
    if not sits(door, seat, caller):
        seat_of(door, caller, seat)


def seat_of(door: Door, caller: Caller, wanted: Seat | None) -> Seat:
    """The seat that a caller acts for; `wanted` must be it. `NotAllowed` for who has none."""
    seats = seats_of(door, caller)
    if not seats:
        if not rights(door, caller).look:
            raise not_found(door.id)
        expected = f"the token of a seat of table {door.id}"
        raise NotAllowed(Fault("TOKEN_UNKNOWN", "authorization", "of no seat here", expected))
    if wanted is not None:
        if wanted not in seats:
            expected = f"{seats[0]}, whose token it is"
            raise NotAllowed(Fault("NOT_YOUR_SEAT", "seat", str(wanted), expected))
        return wanted
    return seats[0]


def not_found(id: str) -> NotFound:
    """The error of a table that does not exist."""
    return NotFound(Fault("UNKNOWN_TABLE", "table", id, "the id of a table"))
