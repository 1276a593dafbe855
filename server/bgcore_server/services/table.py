"""Tables: making one, sitting down, acting, watching."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TypeVar

from bgcore import IllegalAction, Registry, Seat
from bgcore.errors import NotRegistered
from bgcore_proto.v1 import common_pb2, table_pb2
from bgcore_proto.v1 import table_service_pb2 as pb
from bgcore_server import paging, tokens
from bgcore_server.call import Call
from bgcore_server.callers import Callers
from bgcore_server.convert import board, options
from bgcore_server.convert.clock import timestamp
from bgcore_server.convert.entries import event_message, fill_closed
from bgcore_server.convert.matches import Named
from bgcore_server.convert.states import state_message
from bgcore_server.convert.table import table_message
from bgcore_server.convert.wire import piece, tag
from bgcore_server.entries import Why
from bgcore_server.errors import (
    Malformed,
    NotAllowed,
    NotFound,
    TooNew,
    Unavailable,
    malformed,
)
from bgcore_server.fields import option_path
from bgcore_server.quotas import Quotas
from bgcore_server.services.new_table import NewTables
from bgcore_server.services.played_matches import PlayedMatches
from bgcore_server.services.table_fields import (
    LONGEST_NOTE,
    SHORTEST_SECRET_ID,
    check_request_id,
    dice_seed,
    player_name,
    request_key,
    visibility,
)
from bgcore_server.services.wants import want
from bgcore_server.settings import Keys
from bgcore_server.slices import sliced
from bgcore_server.store import RequestKey, Selection, Status, StoredTable, Visibility
from bgcore_server.store.errors import REUSED, reused
from bgcore_server.tables import State, Tables
from bgcore_server.tables.command import concealed, fingerprint
from bgcore_server.tables.house import (
    HOST,
    INVITATION,
    SPECTATOR,
    committed,
    new_keys,
    secret,
)
from bgcore_server.tables.hub import CREATE
from bgcore_server.tables.live import Table
from bgcore_server.tables.loaded import check_kept, unreadable
from bgcore_server.tables.rights import (
    Door,
    check_host,
    check_join,
    check_look,
    check_may_kick,
    seat_of,
)
from bgcore_server.tables.seating import Sitting
from bgcore_server.workers import Queue

T = TypeVar("T")

STATE, EVENTS = tag(pb.ActResponse, "state"), tag(pb.ActResponse, "events")
COLUMNS = common_pb2.PLAY_VIEW_COLUMNS
NONE = common_pb2.PLAY_VIEW_NONE


class TableService:
    """Plays matches at tables."""

    def __init__(
        self,
        registry: Registry,
        shelf: options.Shelf,
        tables: Tables,
        dice_modes: Collection[int],
        matches: Queue,
        files: Queue,
        quotas: Quotas,
        callers: Callers,
    ) -> None:
        """`matches` is for what is played at tables, `files` for what anybody sends."""
        self._registry = registry
        self._tables = tables
        self._new = NewTables(registry, shelf, dice_modes, files)
        self._played = PlayedMatches(registry, tables, matches)
        self._quotas = quotas
        self._callers = callers

    # -- making and finding -------------------------------------------------------------------------

    async def CreateTable(
        self, request: pb.CreateTableRequest, call: Call
    ) -> pb.CreateTableResponse:
        """A new table, and the secret of its host."""
        host = self._callers.player(call).account
        seen = visibility(request.visibility)
        private = seen is Visibility.PRIVATE
        # Who guesses the id of a request is told of its table, which must not be if it is private.
        check_request_id(request.request_id, SHORTEST_SECRET_ID if private else 1)
        key = request_key(CREATE, request.request_id, request)
        if key:
            whose = fingerprint(key.fingerprint + host.encode()) if host else key.fingerprint
            key = RequestKey(CREATE, concealed(key.id), whose)
        counted = await self._tables.has_made(key)  # then it makes no other table
        if request.start.record and not counted:  # to play it again takes long
            self._quotas.table(call.peer, host)
            counted = True
        games, settings, past = await self._new.asked(request, call)
        self._check_accounts(settings.accounts)
        if settings.dice_mode == table_pb2.DICE_MODE_COMMITTED:
            settings = committed(settings)
        if any(settings.bots) and settings.dice_mode == table_pb2.DICE_MODE_MANUAL:
            expected = "another mode where a bot sits: it cannot type in dice"
            raise malformed("BOT_WITHOUT_DICE", "dice_mode", "manual", expected)
        if all(settings.bots) and games.options.get("match_length") is None:
            expected = "a match length: two bots never end a money session"
            raise malformed("ENDLESS_TABLE", option_path("match_length"), "none", expected)
        if not counted:
            self._quotas.table(call.peer, host)
        # Whoever knows a long id is told the secrets again; a short one might be guessed.
        known = len(request.request_id) >= SHORTEST_SECRET_ID
        secret_id = request.request_id if known else secrets.token_hex()
        settings = replace(settings, keys=new_keys(secret_id, host, private=private))
        try:
            table, state = await self._tables.create(games.variant.id, settings, seen, key, past)
        except IllegalAction as refused:  # a start that is none: it will not get better later
            raise Malformed(*refused.faults) from None
        except Malformed as refused:
            if refused.reason != REUSED:
                raise
            raise reused(request.request_id) from None  # as it was sent, and not as it is kept
        answer = pb.CreateTableResponse(
            table=table_message(state.stored(table.stored)), state=state_message(state, COLUMNS)
        )
        if keys := table.settings.keys:
            fill_secrets(answer, keys, secret_id)
        return answer

    def _check_accounts(self, kept: tuple[str, str]) -> None:
        """`Malformed` for a seat that is kept for an account where nobody could prove one."""
        if any(kept) and not self._callers.known_here:
            field = f"{'white' if kept[0] else 'black'}.player.account"
            raise malformed("ACCOUNTS_OFF", field, "an account", "none: this server knows none")

    async def GetTable(self, request: pb.GetTableRequest, call: Call) -> pb.GetTableResponse:
        """What a table is, and where its match stands."""
        view = board.view(request.view, COLUMNS)
        try:
            table = await self._seen(request.table, call)
        except Exception as problem:
            if not unreadable(problem):
                raise
            stored = await self._tables.loaded.stored(request.table)
            if stored.status is not Status.CLOSED:
                raise
            return pb.GetTableResponse(
                table=table_message(stored), state=await self._end_unread(stored)
            )
        state = table.state
        return pb.GetTableResponse(
            table=table_message(state.stored(table.stored)), state=state_message(state, view)
        )

    async def _seen(self, id: str, call: Call) -> Table:
        """The table of an id, if the caller may see it."""

        def may_look(door: Door) -> None:
            if door.private:
                check_look(door, self._callers.of(call))

        return (await self._table(id, may_look))[0]

    async def _table(
        self, id: str, check: Callable[[Door], T], *, fresh: bool = True
    ) -> tuple[Table, T]:
        """The table of an id, for who may have it, and what the check of that gave.

        One that cannot be read, such as one whose rules are gone, is not told of to others either.
        """
        try:
            table = await self._tables.get(id, fresh=fresh)
        except (NotFound, Unavailable):
            raise
        except Exception:  # of its rules
            check(Door.of(await self._tables.loaded.stored(id)))
            raise
        return table, check(table.door)

    async def ListTables(self, request: pb.ListTablesRequest, call: Call) -> pb.ListTablesResponse:
        """Public tables, the newest first."""
        size = paging.size(request.page_size)
        before = paging.number("tables", request.page_token) if request.page_token else None
        variant, unknown = self._listed(request.variant)
        if request.status not in table_pb2.TableStatus.values():
            known = ", ".join(table_pb2.TableStatus.keys())
            raise malformed("STATUS_UNKNOWN", "status", request.status, known)
        status = Status(request.status) if request.status else None
        found = await self._tables.store.tables(Selection(size + 1, before, variant, status))
        # House rules are known by the tables where they are played; an id of none is a mistake.
        if unknown and not (found or await self._tables.store.tables(Selection(1, None, variant))):
            raise unknown
        page = found[:size]
        more = len(found) > size
        return pb.ListTablesResponse(
            tables=known_here(page),
            next_page_token=paging.token("tables", page[-1].number) if more else "",
        )

    def _listed(self, id: str) -> tuple[str | None, NotRegistered | None]:
        """The variant that a list is to be of, if of one; and the error if nobody plays an unregistered one."""
        if not id:
            return None, None
        try:
            return self._registry.entry(id).variant.id, None
        except NotRegistered as unknown:
            if "\0" in id:  # which not every store can be asked for
                raise
            return id, unknown

    # -- sitting down and getting up ----------------------------------------------------------------

    async def JoinTable(self, request: pb.JoinTableRequest, call: Call) -> pb.JoinTableResponse:
        """A seat, and the token with which its player acts."""
        caller = self._callers.player(call)
        name = player_name("name", request.name)
        check_request_id(request.request_id, SHORTEST_SECRET_ID)
        wanted = board.seat("seat", request.seat) if request.seat else None
        if request.invitation:  # beside an account
            caller = replace(caller, secret=tokens.hashed(request.invitation))
        table, _ = await self._table(request.table, lambda door: check_join(door, caller))
        seed = dice_seed(table.settings, request.dice_seed)
        sitting = Sitting(wanted, name, caller, request.request_id, seed)
        joined = await self._tables.join(table, sitting)
        state = joined.moment.state
        return pb.JoinTableResponse(
            seat=board.SEAT_NUMBERS[joined.seat],
            token=joined.token,
            table=table_message(state.stored(table.stored)),
            state=state_message(state, COLUMNS),
        )

    async def LeaveTable(self, request: pb.LeaveTableRequest, call: Call) -> pb.LeaveTableResponse:
        """A seat is free again."""
        caller = self._callers.known(call)
        wanted = board.seat("seat", request.seat) if request.seat else None

        def may_leave(door: Door) -> Seat:
            if wanted is None:
                return seat_of(door, caller, None)
            check_may_kick(door, wanted, caller)
            return wanted

        table, seat = await self._table(request.table, may_leave)
        state = await self._tables.leave(table, seat, caller)
        return pb.LeaveTableResponse(
            table=table_message(state.stored(table.stored)), state=state_message(state, COLUMNS)
        )

    async def CloseTable(self, request: pb.CloseTableRequest, call: Call) -> pb.CloseTableResponse:
        """The end of a table."""
        caller = self._callers.of(call)
        if len(request.note) > LONGEST_NOTE:
            found, expected = f"of {len(request.note)} characters", f"at most {LONGEST_NOTE}"
            raise malformed("NOTE_TOO_LONG", "note", found, expected)
        try:
            table, _ = await self._table(request.table, lambda door: check_host(door, caller))
        except Exception as problem:
            if not unreadable(problem):
                raise
            stored = await self._tables.close_unread(request.table, Why.HOST, request.note)
            return pb.CloseTableResponse(
                table=table_message(stored), state=await self._end_unread(stored)
            )
        state = await self._tables.close(table, Why.HOST, request.note)
        return pb.CloseTableResponse(
            table=table_message(state.stored(table.stored)), state=state_message(state, COLUMNS)
        )

    async def _end_unread(self, table: StoredTable) -> table_pb2.TableState:
        """Where a closed table stands whose rules are gone or fail; only what needs no rules is told."""
        state = table_pb2.TableState(revision=table.revision)
        if closed := await self._tables.loaded.end(table):
            fill_closed(closed, state.closed)
        return state

    # -- playing ------------------------------------------------------------------------------------

    async def Act(self, request: pb.ActRequest, call: Call) -> pb.ActResponse | bytes:
        """Do something for a seat."""
        caller = self._callers.known(call)
        view = board.view(request.view, COLUMNS)
        wanted = board.seat("seat", request.seat) if request.seat else None

        def may_act(door: Door) -> Seat:
            return seat_of(door, caller, wanted)

        try:
            table, seat = await self._table(request.table, may_act, fresh=request.validate_only)
        except (NotAllowed, NotFound):
            if not self._tables.store.shared:
                raise
            table, seat = await self._table(request.table, may_act)  # he may sit at another server
        wish = want(request.action, seat, table.settings, self._registry)
        expected_revision = (
            request.expected_revision if request.HasField("expected_revision") else None
        )
        if request.validate_only:
            self._tables.proposed(table, wish, expected_revision)
            return pb.ActResponse(state=state_message(table.state, view))
        done = await self._tables.act(
            table,
            seat,
            wish,
            expected=expected_revision,
            request=request_key(str(seat), request.request_id, request.action),
            view=view,
            caller=caller,
        )
        revisions = pb.ActResponse(
            first_revision=done.moments[0].event.revision,
            last_revision=done.last.event.revision,
        )
        events = (piece(EVENTS, moment.event_alone()) for moment in done.moments)
        state = piece(STATE, done.last.state_bytes(view))
        return b"".join((revisions.SerializeToString(), *events, state))

    # -- looking on ---------------------------------------------------------------------------------

    async def WatchTable(
        self, request: pb.WatchTableRequest, call: Call
    ) -> AsyncIterator[pb.WatchTableResponse | bytes]:
        """What happens at a table, until the caller ends it."""
        view = board.view(request.view, NONE)
        table = await self._seen(request.table, call)
        after = request.after_revision if request.HasField("after_revision") else None
        async for news in self._tables.watch(table, after, lambda: self._callers.of(call)):
            if isinstance(news, int):
                beat = pb.Heartbeat(revision=news, time=timestamp(self._tables.now()))
                yield pb.WatchTableResponse(heartbeat=beat)
            elif isinstance(news, State):
                full = board.view(request.view, COLUMNS)
                snapshot = pb.Snapshot(
                    table=table_message(news.stored(table.stored)),
                    state=state_message(news, full),
                )
                yield pb.WatchTableResponse(snapshot=snapshot)
            else:
                yield news.told(view)

    async def ListEvents(self, request: pb.ListEventsRequest, call: Call) -> pb.ListEventsResponse:
        """What has happened at a table."""
        size = paging.size(request.page_size)
        view = board.view(request.view, NONE)
        after = request.after_revision
        if request.page_token:
            after = paging.number("events", request.page_token)
        stored = await self._tables.loaded.stored(request.table)
        if stored.visibility is Visibility.PRIVATE:
            check_look(Door.of(stored), self._callers.of(call))
        check_kept(stored, after)
        events = await self._tables.store.events(stored.number, after, size + 1)
        if after < stored.revision and (not events or events[0].revision > after + 1):
            check_kept(await self._tables.loaded.stored(request.table), after)  # just compacted
        page = events[:size]
        more = len(events) > size
        answer = pb.ListEventsResponse(
            next_page_token=paging.token("events", page[-1].revision) if more else ""
        )
        if request.states and page:
            table = await self._tables.get(request.table)
            last = page[-1].revision
            moments = await self._tables.loaded.moments(table, page[0].revision, last)
            async for moment in sliced(moments):
                answer.events.add().MergeFromString(moment.event_bytes(view))
        else:
            answer.events.extend(map(event_message, page))
        return answer

    # -- what was played ----------------------------------------------------------------------------

    async def ExportMatch(
        self, request: pb.ExportMatchRequest, call: Call
    ) -> pb.ExportMatchResponse:
        """A match of a table as a file."""
        form = Named(request.format, request.notation).form(self._registry)
        table = await self._seen(request.table, call)
        return await self._played.as_file(table, request.match_number, form, call.peer)

    async def VerifyDice(self, request: pb.VerifyDiceRequest, call: Call) -> pb.VerifyDiceResponse:
        """Whether the dice of a match of a table were fair."""
        table = await self._seen(request.table, call)
        return await self._played.verified(table, request.match_number, call.peer)


def known_here(tables: Sequence[StoredTable]) -> Iterator[table_pb2.Table]:
    """Tables as they are listed, but for those that only newer servers know what to make of."""
    for table in tables:
        with suppress(TooNew):
            yield table_message(table)


def fill_secrets(answer: pb.CreateTableResponse, keys: Keys, secret_id: str) -> None:
    """The secrets of a table, told to who made it; none if that was somebody else's id."""
    host = secret(keys, secret_id, HOST)
    if tokens.hashed(host).hex() != keys.host:
        return
    answer.host_token = host
    if keys.invitation:
        answer.invitation_token = secret(keys, secret_id, INVITATION)
        answer.spectator_token = secret(keys, secret_id, SPECTATOR)
