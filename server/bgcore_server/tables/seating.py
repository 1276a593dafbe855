"""Sitting down at a table, and getting up."""

from __future__ import annotations

from dataclasses import dataclass, field

from bgcore import Seat
from bgcore.errors import Fault
from bgcore_server import tokens
from bgcore_server.entries import SeatLeft, SeatTaken
from bgcore_server.errors import NotAllowed, NotNow
from bgcore_server.store import Repeated, RequestKey, Status, Store
from bgcore_server.store import Seat as StoredSeat
from bgcore_server.store.errors import reused
from bgcore_server.tables.command import Commands, concealed, fingerprint
from bgcore_server.tables.house import House
from bgcore_server.tables.live import Moment, Table
from bgcore_server.tables.loaded import Loaded
from bgcore_server.tables.rights import Caller, check_may_kick, sits
from bgcore_server.tables.state import State
from bgcore_server.tables.wishes import Course

JOIN = "join"


@dataclass(frozen=True, slots=True)
class Joined:
    """A seat, the secret with which to act for it, and the table at that moment."""

    seat: Seat
    token: str = field(repr=False)
    moment: Moment


@dataclass(frozen=True, slots=True)
class Sitting:
    """Who wants to sit down, where, and under which name."""

    seat: Seat | None  # None: any
    name: str
    caller: Caller
    request_id: str = field(default="", repr=False)  # who knows it can ask for the token
    dice_seed: str = ""

    @property
    def request(self) -> RequestKey | None:
        """What makes it repeatable. Who knows the id can ask for the token, so it is not kept as it is."""
        if not self.request_id:
            return None
        asked = f"{self.seat!r} {self.name}" + (f"\n{self.dice_seed}" if self.dice_seed else "")
        if self.caller.account:
            asked += f"\0{self.caller.account}"
        return RequestKey(JOIN, concealed(self.request_id), fingerprint(asked.encode()))


class Seating:
    """Lets players sit down and get up."""

    def __init__(self, store: Store, loaded: Loaded, commands: Commands, house: House) -> None:
        self._store = store
        self._loaded = loaded
        self._commands = commands
        self._house = house

    async def join(self, table: Table, sitting: Sitting) -> Joined:
        """Take a seat, or be given the same one again."""
        return await self._commands.up_to_date(table, None, lambda: self._join(table, sitting))

    async def _join(self, table: Table, sitting: Sitting) -> Joined:
        table.check_usable()
        request = sitting.request
        if request and (known := await self._store.request(table.number, JOIN, request.id)):
            return await self._joined_again(table, sitting, known)
        if table.state.closed:
            raise NotNow(Fault("TABLE_CLOSED", "table", table.id, "a table that is open"))
        seat = free_seat(table, sitting.seat, sitting.caller.account)
        name = sitting.name or table.state.seats[seat].name or sitting.caller.name
        salt = tokens.new_salt()
        token = tokens.new_token(salt, sitting.request_id)
        taken = SeatTaken(seat, name, sitting.dice_seed, sitting.caller.account)
        kept = StoredSeat(
            number=seat,
            name=name,
            taken=True,
            token=tokens.hashed(token),
            salt=salt,
            account=taken.account,
        )
        course = Course(table.state, self._commands.time(table), self._house)
        made = course.want(taken)
        done = await self._commands.carry_out(table, made, seat, request, seat=kept)
        if isinstance(done, Repeated):
            return await self._joined_again(table, sitting, done)
        return Joined(seat, token, done[0])

    async def _joined_again(self, table: Table, sitting: Sitting, done: Repeated) -> Joined:
        request = sitting.request
        if request and done.fingerprint != request.fingerprint:
            raise reused(sitting.request_id)
        stored = await self._loaded.stored(table.id)
        moment = (await self._loaded.moments(table, done.first, done.last))[0]
        seat = Seat(moment.event.seat or 0)
        kept = stored.seats[seat]
        token = tokens.new_token(kept.salt, sitting.request_id)
        if not (kept.token and tokens.same(tokens.hashed(token), kept.token)):
            what = f"request_id: {seat} was left since: expected another id to sit down again"
            raise NotNow(Fault("SEAT_LEFT", "request_id", "of a seat left", "another id", what))
        return Joined(seat, token, moment)

    async def leave(self, table: Table, seat: Seat, caller: Caller) -> State:
        """Free the caller's own seat, or a host another's, as long as the match has not begun."""
        return await self._commands.up_to_date(
            table, None, lambda: self._leave(table, seat, caller)
        )

    async def _leave(self, table: Table, seat: Seat, caller: Caller) -> State:
        kicked = not sits(table.door, seat, caller)
        if kicked:
            check_may_kick(table.door, seat, caller)
        table.check_usable()
        state = table.state
        if state.closed:
            raise NotNow(Fault("TABLE_CLOSED", "table", table.id, "a table that is open"))
        if state.status is not Status.WAITING:
            found, expected = state.status.name.lower(), "a seat that is still free beside it"
            what = f"table {table.id} is {found}: expected {expected}; a match can be given up"
            raise NotNow(Fault("MATCH_BEGUN", "table", table.id, expected, what))
        if not state.seats[seat].taken or state.seats[seat].bot:
            raise NotNow(Fault("SEAT_FREE", "seat", str(seat), "a seat where a player sits"))
        left, when = SeatLeft(seat, kicked), self._commands.time(table)
        after = state.then(left, when, self._house.rules_of)
        await self._commands.carry_out(table, [(left, after)], seat, seat=after.seats[seat])
        return after


def free_seat(table: Table, wanted: Seat | None, account: str) -> Seat:
    """The seat that a player may take: not one that is kept for another account."""
    seats = table.state.seats
    free = [seat for seat in Seat if not seats[seat].taken]
    mine = [seat for seat in free if seats[seat].account in ("", account)]
    if wanted is None:
        kept = (seat for seat in mine if account and seats[seat].account)
        if mine:
            return next(kept, mine[0])
        if free:
            raise seat_kept(free[0])
        raise NotNow(Fault("TABLE_FULL", "table", table.id, "a free seat"))
    if wanted not in free:
        expected = f"a free seat: {', '.join(map(str, free)) or 'none is'}"
        raise NotNow(Fault("SEAT_TAKEN", "seat", str(wanted), expected))
    if wanted not in mine:
        raise seat_kept(wanted)
    return wanted


def seat_kept(seat: Seat) -> NotAllowed:
    """The error of a seat that waits for somebody else."""
    return NotAllowed(Fault("SEAT_KEPT", "seat", str(seat), "the account that it is kept for"))
