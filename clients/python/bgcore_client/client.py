"""The client: what can be asked of a server, of a table, and done on a seat.

Each call is described once, in a class whose name ends in `Calls`. The blocking classes and the
asynchronous ones add nothing but how they are connected.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self, TypedDict, Unpack

import grpc

from bgcore_client import actions, messages
from bgcore_client.actions import PlayLike, play_message
from bgcore_client.binding import Async, Sync, giving, one, pages, watching
from bgcore_client.call import Call, Pages, new_request_id
from bgcore_client.plays import Plays
from bgcore_client.transport import TIMEOUT, AsyncTransport, ChannelOptions, SyncTransport
from bgcore_client.values import (
    OccupantLike,
    Option,
    VariantLike,
    occupant,
    option_value,
    variant_ref,
)
from bgcore_client.watch import Watch

ANY_SEAT = messages.SEAT_UNSPECIFIED
COLUMNS = messages.PLAY_VIEW_COLUMNS
DEFAULT_VIEW = messages.PLAY_VIEW_UNSPECIFIED


class How(TypedDict, total=False):
    """How an action is to be done. All of it may be left out."""

    expected_revision: int
    """The revision that the player has seen; `StaleRevision` if the table has moved on."""
    request_id: str
    """Repeats an act that was sent before; a new one by default."""
    validate_only: bool
    """Only check it."""
    view: messages.PlayView
    """How much of each legal play is to come with the answer; columns by default."""


@dataclass(frozen=True, slots=True)
class SeatKey:
    """What it takes to act for a seat. Keep it, and a player can come back after a restart."""

    table: str
    seat: messages.Seat
    token: str = field(repr=False)


class SeatCalls:
    """What a player does.

    Every act has a request id of its own, so that it is done once, however often it has to be sent.
    """

    key: SeatKey

    @one
    def act(self, action: messages.Action, **how: Unpack[How]) -> Call[messages.ActResponse]:
        """Do something. `actions` makes actions; the methods below are the usual ones."""
        validate_only = how.get("validate_only", False)
        request = messages.ActRequest(
            table=self.key.table,
            seat=self.key.seat,
            action=action,
            request_id=how.get("request_id") or ("" if validate_only else new_request_id()),
            expected_revision=how.get("expected_revision"),
            validate_only=validate_only,
            view=how.get("view", DEFAULT_VIEW),
        )
        return Call.of(request, messages.ActResponse, self.key.token)

    @one
    def throw(self, *dice: int, **how: Unpack[How]) -> Call[messages.ActResponse]:
        """Make the opening throw; with manual dice, White's die and Black's."""
        return self._act(actions.throw(*dice), how)

    @one
    def roll(self, *dice: int, **how: Unpack[How]) -> Call[messages.ActResponse]:
        """Roll; with manual dice, say what fell."""
        return self._act(actions.roll(*dice), how)

    @one
    def play(self, play: PlayLike, **how: Unpack[How]) -> Call[messages.ActResponse]:
        """Play what was rolled."""
        return self._act(actions.play(play), how)

    @one
    def double(self, **how: Unpack[How]) -> Call[messages.ActResponse]:
        """Offer a double."""
        return self._act(actions.of_kind(messages.ACTION_KIND_DOUBLE), how)

    @one
    def take(self, **how: Unpack[How]) -> Call[messages.ActResponse]:
        """Accept a double."""
        return self._act(actions.of_kind(messages.ACTION_KIND_TAKE), how)

    @one
    def drop(self, **how: Unpack[How]) -> Call[messages.ActResponse]:
        """Refuse a double, and lose the game."""
        return self._act(actions.of_kind(messages.ACTION_KIND_DROP), how)

    @one
    def resign(
        self,
        level: messages.Level = messages.LEVEL_UNSPECIFIED,
        *,
        points: int = 0,
        **how: Unpack[How],
    ) -> Call[messages.ActResponse]:
        """Offer to lose the game, at a level, or where checkers are counted for points."""
        return self._act(actions.resign(level, points), how)

    @one
    def answer(self, accept: bool, **how: Unpack[How]) -> Call[messages.ActResponse]:
        """Accept a resignation, or decline it."""
        return self._act(actions.answer(accept), how)

    @one
    def next_game(self, **how: Unpack[How]) -> Call[messages.ActResponse]:
        """Start the next game."""
        return self._act(actions.of_kind(messages.ACTION_KIND_NEXT_GAME), how)

    def _act(self, action: messages.Action, how: How) -> Call[messages.ActResponse]:
        return SeatCalls.act.build(self, action, **how)

    def choices(self, state: messages.TableState) -> Sequence[messages.ActionKind]:
        """What this seat must choose from; empty where the other one must decide, or nobody."""
        decision = state.decision
        return decision.kinds if decision.seat in (ANY_SEAT, self.key.seat) else ()


class TableCalls:
    """What can be asked of a table by anybody who knows its id."""

    id: str

    @one
    def get(self, view: messages.PlayView = COLUMNS) -> Call[messages.GetTableResponse]:
        """The table as it is: who sits there, where the match stands, who must decide what."""
        request = messages.GetTableRequest(table=self.id, view=view)
        return Call.of(request, messages.GetTableResponse)

    @pages
    def events(
        self,
        after: int = 0,
        *,
        states: bool = False,
        view: messages.PlayView = DEFAULT_VIEW,
        page_size: int = 0,
    ) -> Pages[messages.Event]:
        """All that has happened after a revision."""
        call = TableCalls.list_events.build(
            self, after, states=states, view=view, page_size=page_size
        )
        return Pages(call, lambda page: page.events)

    @one
    def list_events(
        self,
        after: int = 0,
        *,
        states: bool = False,
        view: messages.PlayView = DEFAULT_VIEW,
        page_size: int = 0,
        page_token: str = "",
    ) -> Call[messages.ListEventsResponse]:
        """One page of it."""
        request = messages.ListEventsRequest(
            table=self.id,
            after_revision=after,
            states=states,
            view=view,
            page_size=page_size,
            page_token=page_token,
        )
        return Call.of(request, messages.ListEventsResponse)

    @watching
    def watch(self, after: int | None = None, *, view: messages.PlayView = DEFAULT_VIEW) -> Watch:
        """What happens from now on, or after a revision, without an end.

        The first news is the table as it is, or the event after the revision, then every event. Where
        the connection is lost the watch comes back by itself; no event is left out or told twice.
        `OutOfRange` where the revision has not been reached yet.
        """
        return Watch(self.id, after, view)


class ServerCalls:
    """What can be asked of a server."""

    # -- variants and the server --------------------------------------------------------------------

    @one
    def get_server_info(self) -> Call[messages.GetServerInfoResponse]:
        """Versions, kernel, limits, bots."""
        return Call.of(messages.GetServerInfoRequest(), messages.GetServerInfoResponse)

    @pages
    def variants(self, page_size: int = 0) -> Pages[messages.VariantSummary]:
        """All variants, by id."""
        call = ServerCalls.list_variants.build(self, page_size)
        return Pages(call, lambda page: page.variants)

    @one
    def list_variants(
        self, page_size: int = 0, page_token: str = ""
    ) -> Call[messages.ListVariantsResponse]:
        """One page of them; on the first also the plugins."""
        request = messages.ListVariantsRequest(page_size=page_size, page_token=page_token)
        return Call.of(request, messages.ListVariantsResponse)

    @one
    def get_variant(self, id: str) -> Call[messages.Variant]:
        """Options, presets, geometry, start and rules text of a variant."""
        call = Call.of(messages.GetVariantRequest(id=id), messages.GetVariantResponse)
        return call.then(lambda response: response.variant)

    # -- rules ---------------------------------------------------------------------------------------

    @one
    def check_position(
        self, variant: VariantLike, position: messages.Position
    ) -> Call[messages.CheckPositionResponse]:
        """Whether a position is possible, and all that is wrong with it if not."""
        request = messages.CheckPositionRequest(variant=variant_ref(variant), position=position)
        return Call.of(request, messages.CheckPositionResponse)

    @one
    def list_plays(
        self,
        variant: VariantLike,
        position: messages.Position,
        dice: Iterable[int],
        *,
        turn: messages.TurnContext | None = None,
        view: messages.PlayView = COLUMNS,
    ) -> Call[Plays]:
        """Every legal play of a roll."""
        request = messages.ListPlaysRequest(
            variant=variant_ref(variant), position=position, dice=dice, turn=turn, view=view
        )
        call = Call.of(request, messages.ListPlaysResponse)
        return call.then(lambda response: Plays(response.plays))

    @one
    def list_steps(
        self,
        variant: VariantLike,
        position: messages.Position,
        dice: Iterable[int],
        steps: Iterable[messages.Step] = (),
        *,
        turn: messages.TurnContext | None = None,
    ) -> Call[messages.ListStepsResponse]:
        """The steps that may follow those already made, and whether the player may stop."""
        request = messages.ListStepsRequest(
            variant=variant_ref(variant), position=position, dice=dice, turn=turn, steps=steps
        )
        return Call.of(request, messages.ListStepsResponse)

    @one
    def check_play(
        self,
        variant: VariantLike,
        position: messages.Position,
        dice: Iterable[int],
        play: PlayLike,
        *,
        turn: messages.TurnContext | None = None,
    ) -> Call[messages.CheckPlayResponse]:
        """Whether a play is legal; if not, the answer says why."""
        request = messages.CheckPlayRequest(
            variant=variant_ref(variant),
            position=position,
            dice=dice,
            turn=turn,
            play=play_message(play),
        )
        return Call.of(request, messages.CheckPlayResponse)

    @one
    def get_outcome(
        self, variant: VariantLike, position: messages.Position
    ) -> Call[messages.Outcome | None]:
        """How a game in a position ended; `None` while it runs."""
        request = messages.GetOutcomeRequest(variant=variant_ref(variant), position=position)
        call = Call.of(request, messages.GetOutcomeResponse)
        return call.then(
            lambda response: response.outcome if response.HasField("outcome") else None
        )

    # -- tables --------------------------------------------------------------------------------------

    @pages
    def tables(
        self,
        *,
        variant: str = "",
        status: messages.TableStatus = messages.TABLE_STATUS_UNSPECIFIED,
        page_size: int = 0,
    ) -> Pages[messages.Table]:
        """Public tables, the newest first."""
        call = ServerCalls.list_tables.build(
            self, variant=variant, status=status, page_size=page_size
        )
        return Pages(call, lambda page: page.tables)

    @one
    def list_tables(
        self,
        *,
        variant: str = "",
        status: messages.TableStatus = messages.TABLE_STATUS_UNSPECIFIED,
        page_size: int = 0,
        page_token: str = "",
    ) -> Call[messages.ListTablesResponse]:
        """One page of them."""
        request = messages.ListTablesRequest(
            variant=variant, status=status, page_size=page_size, page_token=page_token
        )
        return Call.of(request, messages.ListTablesResponse)


# -- calls that give something to go on with -----------------------------------------------------------


class Seat(SeatCalls, Sync):
    """A seat, acted for at once."""

    def __init__(self, transport: SyncTransport, key: SeatKey) -> None:
        self._transport = transport
        self.key = key


class AsyncSeat(SeatCalls, Async):
    """A seat; what it does is awaited."""

    def __init__(self, transport: AsyncTransport, key: SeatKey) -> None:
        self._transport = transport
        self.key = key


class JoiningCalls(TableCalls):
    """Taking a seat."""

    @giving(Seat, AsyncSeat)
    def join(
        self, seat: messages.Seat = ANY_SEAT, name: str = "", *, request_id: str = ""
    ) -> Call[SeatKey]:
        """Take a seat, by default a free one, White's first."""
        request = messages.JoinTableRequest(
            table=self.id, seat=seat, name=name, request_id=request_id or new_request_id()
        )
        call = Call.of(request, messages.JoinTableResponse)
        return call.then(lambda joined: SeatKey(joined.table.id, joined.seat, joined.token))


class Table(JoiningCalls, Sync):
    """A table, asked at once."""

    def __init__(self, transport: SyncTransport, id: str) -> None:
        self._transport = transport
        self.id = id


class AsyncTable(JoiningCalls, Async):
    """A table; its answers are awaited."""

    def __init__(self, transport: AsyncTransport, id: str) -> None:
        self._transport = transport
        self.id = id


class ClientCalls(ServerCalls):
    """Making a table."""

    @giving(Table, AsyncTable)
    def create_table(
        self,
        variant: VariantLike,
        *,
        white: OccupantLike | None = None,
        black: OccupantLike | None = None,
        dice: messages.DiceMode = messages.DICE_MODE_UNSPECIFIED,
        seed: int = 0,
        visibility: messages.Visibility = messages.VISIBILITY_UNSPECIFIED,
        start: messages.Start | None = None,
        options: Mapping[str, Option] | None = None,
        request_id: str = "",
    ) -> Call[str]:
        """Make a table. Who is named still has to join; a bot sits at once. `options` add to the variant's."""
        rules = messages.VariantRef()
        rules.CopyFrom(variant_ref(variant))
        for name, value in (options or {}).items():
            rules.options[name].CopyFrom(option_value(value))
        request = messages.CreateTableRequest(
            variant=rules,
            dice_mode=dice,
            seed=seed,
            white=occupant(white),
            black=occupant(black),
            visibility=visibility,
            start=start,
            request_id=request_id or new_request_id(),
        )
        call = Call.of(request, messages.CreateTableResponse)
        return call.then(lambda response: response.table.id)


class Client(ClientCalls, Sync):
    """A server, asked at once.

    `target` is a host and a port. Without `credentials` nothing is encrypted, seat tokens neither.
    Calls that meet no server are made again until `timeout` seconds have passed.
    """

    def __init__(
        self,
        target: str,
        *,
        timeout: float = TIMEOUT,
        credentials: grpc.ChannelCredentials | None = None,
        options: ChannelOptions = (),
    ) -> None:
        self._transport = SyncTransport.to(target, credentials, options, timeout)

    def table(self, id: str) -> Table:
        """A table of a known id. Nothing is asked yet."""
        return Table(self._transport, id)

    def seat(self, key: SeatKey) -> Seat:
        """A seat taken before."""
        return Seat(self._transport, key)

    def close(self) -> None:
        """Let go of the connection."""
        self._transport.channel.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class AsyncClient(ClientCalls, Async):
    """A server; its answers are awaited. Make it where the event loop runs; otherwise as `Client`."""

    def __init__(
        self,
        target: str,
        *,
        timeout: float = TIMEOUT,
        credentials: grpc.ChannelCredentials | None = None,
        options: ChannelOptions = (),
    ) -> None:
        self._transport = AsyncTransport.to(target, credentials, options, timeout)

    def table(self, id: str) -> AsyncTable:
        """A table of a known id. Nothing is asked yet."""
        return AsyncTable(self._transport, id)

    def seat(self, key: SeatKey) -> AsyncSeat:
        """A seat taken before."""
        return AsyncSeat(self._transport, key)

    async def close(self) -> None:
        """Let go of the connection."""
        await self._transport.channel.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
