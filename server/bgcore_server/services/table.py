"""Tables: making one, sitting down, acting, watching."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from google.protobuf.message import Message

from bgcore import Action, IllegalAction, Registry, Rules
from bgcore.dice import new_player_seed, new_server_seed
from bgcore.dice_proof import NOTHING_TO_VERIFY, player_seed
from bgcore.errors import Fault, NotationError
from bgcore.notation.start_json import write_start
from bgcore.record import Record
from bgcore_proto.v1 import common_pb2, table_pb2
from bgcore_proto.v1 import table_service_pb2 as pb
from bgcore_server import paging, tokens
from bgcore_server.call import Call
from bgcore_server.convert import board, options
from bgcore_server.convert import table as convert
from bgcore_server.convert.dice import MODES, given_throws, throws_of, verdict_message
from bgcore_server.convert.matches import (
    MEDIA_TYPES,
    NUMBERS,
    check_same,
    format_of,
    only_match,
    write,
)
from bgcore_server.convert.start import start
from bgcore_server.errors import NOTHING, Malformed, NotAllowed, NotBuilt, NotNow, malformed
from bgcore_server.fields import option_path
from bgcore_server.quotas import Quotas
from bgcore_server.settings import Settings
from bgcore_server.slices import sliced
from bgcore_server.store import RequestKey, Selection, Status, Visibility
from bgcore_server.tables import State, Tables
from bgcore_server.tables.hub import CREATE, fingerprint
from bgcore_server.workers import Caller, Queue

COLUMNS = common_pb2.PLAY_VIEW_COLUMNS
NONE = common_pb2.PLAY_VIEW_NONE

LONGEST_REQUEST_ID = 64
SHORTEST_SECRET_ID = 16
LONGEST_NAME = 100
LONGEST_RECORD = 1 << 18
LARGEST_SEED = (1 << 53) - 1


class TableService:
    """Plays matches at tables."""

    def __init__(
        self,
        registry: Registry,
        shelf: options.Shelf,
        tables: Tables,
        dice_modes: Collection[int],
        matches: Queue,
        quotas: Quotas,
    ) -> None:
        self._registry = registry
        self._shelf = shelf
        self._tables = tables
        self._dice_modes = dice_modes
        self._matches = matches
        self._quotas = quotas

    # -- making and finding -------------------------------------------------------------------------

    async def CreateTable(
        self, request: pb.CreateTableRequest, call: Call
    ) -> pb.CreateTableResponse:
        """A new table."""
        rules, settings, past = await self._asked(request, call)
        if settings.dice_mode == table_pb2.DICE_MODE_COMMITTED:
            settings = committed(settings)
        if any(settings.bots) and settings.dice_mode == table_pb2.DICE_MODE_MANUAL:
            expected = "another mode where a bot sits: it cannot type in dice"
            raise malformed("BOT_WITHOUT_DICE", "dice_mode", "manual", expected)
        if all(settings.bots) and rules.options.get("match_length") is None:
            expected = "a match length: two bots never end a money session"
            raise malformed("ENDLESS_TABLE", option_path("match_length"), "none", expected)
        self._quotas.table(call.peer)
        key = request_key(CREATE, request.request_id, request)
        try:
            table, state = await self._tables.create(
                rules.variant.id, settings, visibility(request.visibility), key, past
            )
        except IllegalAction as refused:  # a start that is none: it will not get better later
            raise Malformed(*refused.faults) from None
        return pb.CreateTableResponse(
            table=convert.table_message(state.stored(table.stored)),
            state=state.message(COLUMNS),
        )

    async def _asked(
        self, request: pb.CreateTableRequest, call: Call
    ) -> tuple[Rules, Settings, Sequence[Action]]:
        """What a table is to be: its rules, its settings, and the actions of a record that goes on."""
        (white, white_bot), (black, black_bot) = (
            self._expected(seat, request) for seat in ("white", "black")
        )
        dice_mode, bots = self._dice_mode(request), (white_bot, black_bot)
        if request.start.record:
            record, rules = await self._recorded(request, call)
            settings = Settings(
                preset=request.variant.preset,
                options=rules.options,
                resolved=rules.options,
                dice_mode=dice_mode,
                seed=request.seed,
                start=write_start(record.start),
                names=expected_names((white, black), bots, record),
                bots=bots,
                past=len(record.actions),
            )
            return rules, settings, record.actions
        rules = self._shelf.rules(request.variant)
        begins = start(rules, request.start) if request.HasField("start") else None
        settings = Settings(
            preset=request.variant.preset,
            options=options.arguments(request.variant)[2],
            resolved=rules.options,
            dice_mode=dice_mode,
            seed=request.seed,
            start=None if begins is None else write_start(begins),
            names=(white, black),
            bots=bots,
        )
        return rules, settings, ()

    async def _recorded(self, request: pb.CreateTableRequest, call: Call) -> tuple[Record, Rules]:
        """The match that a table goes on with, played again, and its rules."""
        field, text = "start.record", request.start.record
        if len(text) > LONGEST_RECORD:
            found, expected = f"of {len(text)} characters", f"at most {LONGEST_RECORD}"
            raise malformed("TEXT_LENGTH", field, found, expected)
        if request.start != pb.Start(record=text):
            expected = "nothing beside a record, which says itself where the match began"
            raise malformed("START_BESIDE_RECORD", "start", "a start", expected)
        form = format_of(field, common_pb2.MATCH_FORMAT_RECORD)
        found_match = await self._matches.run(
            lambda caller: only_match(field, text, form, self._registry, caller.check), call.peer
        )
        match = found_match.match
        assert match is not None  # it has no faults
        if match.over:
            raise malformed("MATCH_OVER", field, "of a match that is over", "one that goes on")
        convert.check_stake(match)
        if request.HasField("variant"):
            check_same(request.variant, match.rules, self._registry)
        return found_match.record, match.rules

    def _expected(self, name: str, request: pb.CreateTableRequest) -> tuple[str, str]:
        """The name of the player, and the id of the bot, that a seat is for."""
        occupant: table_pb2.Occupant = getattr(request, name)
        if occupant.WhichOneof("kind") == "bot":
            return "", self._registry.bot(occupant.bot.id).id
        return player_name(f"{name}.player.name", occupant.player.name), ""

    def _dice_mode(self, request: pb.CreateTableRequest) -> int:
        mode = request.dice_mode or table_pb2.DICE_MODE_SYSTEM
        if mode not in self._dice_modes:
            known = ", ".join(table_pb2.DiceMode.Name(one) for one in self._dice_modes)
            shown = table_pb2.DiceMode.Name(mode) if mode in table_pb2.DiceMode.values() else mode
            raise malformed("DICE_MODE_REFUSED", "dice_mode", shown, f"one of {known}")
        if request.seed and mode != table_pb2.DICE_MODE_SEEDED:
            raise malformed("SEED_UNUSED", "seed", request.seed, "0 unless the dice are seeded")
        if request.seed > LARGEST_SEED:
            raise malformed("SEED_OUT_OF_RANGE", "seed", request.seed, f"0 to {LARGEST_SEED}")
        return mode

    async def GetTable(self, request: pb.GetTableRequest, call: Call) -> pb.GetTableResponse:
        """What a table is, and where its match stands."""
        view = board.view(request.view, COLUMNS)
        table = await self._tables.get(request.table)
        state = table.state
        return pb.GetTableResponse(
            table=convert.table_message(state.stored(table.stored)),
            state=state.message(view),
        )

    async def ListTables(self, request: pb.ListTablesRequest, call: Call) -> pb.ListTablesResponse:
        """Public tables, the newest first."""
        size = paging.size(request.page_size)
        before = paging.number("tables", request.page_token) if request.page_token else None
        variant = self._registry.entry(request.variant).variant.id if request.variant else None
        if request.status not in table_pb2.TableStatus.values():
            known = ", ".join(table_pb2.TableStatus.keys())
            raise malformed("STATUS_UNKNOWN", "status", request.status, known)
        status = Status(request.status) if request.status else None
        found = await self._tables.store.tables(Selection(size + 1, before, variant, status))
        page = found[:size]
        more = len(found) > size
        return pb.ListTablesResponse(
            tables=map(convert.table_message, page),
            next_page_token=paging.token("tables", page[-1].number) if more else "",
        )

    # -- playing ------------------------------------------------------------------------------------

    async def JoinTable(self, request: pb.JoinTableRequest, call: Call) -> pb.JoinTableResponse:
        """A seat, and the token with which its player acts."""
        name = player_name("name", request.name)
        check_request_id(request.request_id, SHORTEST_SECRET_ID)
        wanted = board.seat("seat", request.seat) if request.seat else None
        table = await self._tables.get(request.table)
        seed = dice_seed(table.settings, request.dice_seed)
        joined = await self._tables.join(table, wanted, name, request.request_id, seed)
        state = joined.moment.state
        return pb.JoinTableResponse(
            seat=board.SEAT_NUMBERS[joined.seat],
            token=joined.token,
            table=convert.table_message(state.stored(table.stored)),
            state=state.message(COLUMNS),
        )

    async def Act(self, request: pb.ActRequest, call: Call) -> pb.ActResponse:
        """Do something for a seat."""
        token = tokens.bearer(call.authorization)
        view = board.view(request.view, COLUMNS)
        table = await self._tables.get(request.table, fresh=request.validate_only)
        seat = self._tables.seat_of(table, token)
        if seat is None:  # perhaps taken at another server
            table = await self._tables.get(request.table)
            seat = self._tables.seat_of(table, token)
        if seat is None:
            expected = f"the token of a seat of table {table.id}"
            raise NotAllowed(Fault("TOKEN_UNKNOWN", "authorization", "of no seat here", expected))
        if request.seat and board.seat("seat", request.seat) is not seat:
            wanted = board.seat("seat", request.seat)
            raise NotAllowed(
                Fault("NOT_YOUR_SEAT", "seat", str(wanted), f"{seat}, whose token it is")
            )
        action = convert.action(request.action, seat)
        expected_revision = (
            request.expected_revision if request.HasField("expected_revision") else None
        )
        if request.validate_only:
            self._tables.proposed(table, action, expected_revision)
            state = table.state
            message = state.message(view)
            return pb.ActResponse(state=message)
        done = await self._tables.act(
            table,
            seat,
            action,
            expected=expected_revision,
            request=request_key(str(seat), request.request_id, request.action),
            view=view,
        )
        answer = pb.ActResponse(
            first_revision=done.moments[0].event.revision,
            last_revision=done.last.event.revision,
            state=done.last.state_message(view),
        )
        for moment in done.moments:
            convert.fill_event(moment.event, moment.action, answer.events.add())
        return answer

    # -- looking on ---------------------------------------------------------------------------------

    async def WatchTable(
        self, request: pb.WatchTableRequest, call: Call
    ) -> AsyncIterator[pb.WatchTableResponse | bytes]:
        """What happens at a table, until the caller ends it."""
        view = board.view(request.view, NONE)
        table = await self._tables.get(request.table)
        after = request.after_revision if request.HasField("after_revision") else None
        async for news in self._tables.watch(table, after):
            if isinstance(news, int):
                beat = pb.Heartbeat(revision=news, time=convert.timestamp(self._tables.now()))
                yield pb.WatchTableResponse(heartbeat=beat)
            elif isinstance(news, State):
                full = board.view(request.view, COLUMNS)
                snapshot = pb.Snapshot(
                    table=convert.table_message(news.stored(table.stored)),
                    state=news.message(full),
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
        stored = await self._tables.stored(request.table)
        events = await self._tables.store.events(stored.number, after, size + 1)
        page = events[:size]
        more = len(events) > size
        answer = pb.ListEventsResponse(
            next_page_token=paging.token("events", page[-1].revision) if more else ""
        )
        if request.states and page:
            table = await self._tables.get(request.table)
            last = page[-1].revision
            moments = await self._tables.moments(table, page[0].revision, last)
            async for moment in sliced(moments):
                answer.events.append(moment.event_message(view))
        else:
            answer.events.extend(map(convert.event_message, page))
        return answer

    async def ExportMatch(
        self, request: pb.ExportMatchRequest, call: Call
    ) -> pb.ExportMatchResponse:
        """The match of a table as a file."""
        form = format_of("format", request.format)
        table = await self._tables.get(request.table)
        state = table.state
        date = datetime.fromtimestamp(table.stored.created // 1_000_000, tz=UTC).date()

        def written(caller: Caller) -> str:
            white, black = (seat.name or seat.bot for seat in state.seats)
            headers = {"date": date.isoformat()}
            record = Record.of(state.match, (white, black), headers, state.told_dice)
            return write(form, record, self._registry, "format")

        try:
            text = await self._matches.run(written, call.peer)
        except NotationError as error:  # as the match stands; the request is in order
            raise NotNow(*error.faults) from None
        return pb.ExportMatchResponse(
            text=text,
            media_type=MEDIA_TYPES[form.id],
            file_name=table.id + form.suffixes[0],
            format=NUMBERS[form.id],
            revision=state.revision,
        )

    async def VerifyDice(self, request: pb.VerifyDiceRequest, call: Call) -> pb.VerifyDiceResponse:
        """Whether the dice of a table were fair."""
        table = await self._tables.get(request.table)
        proof = table.state.proof
        if proof is None:
            mode = MODES[table.settings.dice_mode]
            what = f"table {table.id} has {mode} dice: {NOTHING_TO_VERIFY[mode]}"
            expected = "a table with committed dice"
            raise NotNow(Fault("DICE_NOT_COMMITTED", "table", table.id, expected, what))
        if proof.server_seed is None:
            what = f"the server seed of table {table.id} is secret while its match is on"
            expected = "the match to be over"
            raise NotNow(Fault("SERVER_SEED_SECRET", "table", table.id, expected, what))
        events = await self._tables.store.events(table.number, 0, table.revision)
        throws = list(throws_of(events, table.settings.past))
        given = given_throws(events, table.settings)
        return await self._matches.run(lambda caller: verdict_message(proof, throws, given))


def expected_names(
    given: tuple[str, str], bots: tuple[str, str], record: Record
) -> tuple[str, str]:
    """Who is to sit at a table: whom the request names, or else whom the record does."""
    white, black = (
        "" if bot else name or player_name("start.record", told)
        for name, bot, told in zip(given, bots, record.names, strict=True)
    )
    return white, black


def committed(settings: Settings) -> Settings:
    """The settings with what committed dice need before anybody plays: the server's seed, and bots'."""
    white, black = (new_player_seed() if bot else "" for bot in settings.bots)
    return replace(settings, server_seed=new_server_seed().hex(), dice_seeds=(white, black))


def dice_seed(settings: Settings, given: str) -> str:
    """What a player adds to committed dice; empty where the dice are others."""
    if settings.dice_mode == table_pb2.DICE_MODE_COMMITTED:
        if not given:
            expected = "1 to 64 printable characters of your own: the dice here are committed"
            raise malformed("DICE_SEED_MISSING", "dice_seed", NOTHING, expected)
        return player_seed(given, "dice_seed")
    if given:
        expected = "none: the dice here are not committed"
        found = f"of {len(given)} characters"
        raise malformed("DICE_SEED_UNUSED", "dice_seed", found, expected)
    return ""


def visibility(given: int) -> Visibility:
    """Who may see a table."""
    if given == table_pb2.VISIBILITY_PRIVATE:
        expected = "public or link: private tables are not built yet"
        raise NotBuilt(Fault("VISIBILITY_NOT_BUILT", "visibility", "private", expected))
    if given not in table_pb2.Visibility.values():
        known = ", ".join(table_pb2.Visibility.keys())
        raise malformed("VISIBILITY_UNKNOWN", "visibility", given, known)
    return Visibility(given or table_pb2.VISIBILITY_PUBLIC)


def player_name(field: str, name: str) -> str:
    """The name of a player, if it is not too long."""
    if len(name) > LONGEST_NAME:
        found, expected = f"of {len(name)} characters", f"at most {LONGEST_NAME}"
        raise malformed("NAME_TOO_LONG", field, found, expected)
    return name


def check_request_id(id: str, shortest: int = 1) -> None:
    """`Malformed` for an id that is too long, or so short that others may guess it."""
    if id and not shortest <= len(id) <= LONGEST_REQUEST_ID:
        found, expected = f"of {len(id)} characters", f"{shortest} to {LONGEST_REQUEST_ID}, or none"
        raise malformed("REQUEST_ID_LENGTH", "request_id", found, expected)


def request_key(scope: str, id: str, content: Message) -> RequestKey | None:
    """What makes a request repeatable."""
    if not id:
        return None
    check_request_id(id)
    return RequestKey(scope, id, fingerprint(content.SerializeToString(deterministic=True)))
