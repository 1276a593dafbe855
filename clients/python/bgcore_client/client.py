"""The client: what can be asked of a server, of a table, and done on a seat.

Each call is described once, in a class whose name ends in `Calls`. The blocking classes and the
asynchronous ones add nothing but how they are connected.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Self

import grpc

from bgcore_client import messages
from bgcore_client.binding import Async, Sync, giving
from bgcore_client.call import Call, Chain, new_request_id
from bgcore_client.dice import seed_of
from bgcore_client.seat_calls import ANY_SEAT, SeatCalls, SeatKey
from bgcore_client.server_calls import ServerCalls
from bgcore_client.table_calls import TableCalls
from bgcore_client.transport import TIMEOUT, AsyncTransport, ChannelOptions, SyncTransport
from bgcore_client.values import (
    OccupantLike,
    Option,
    VariantLike,
    named,
    occupant,
    with_options,
)


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

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id}>"

    @giving(Seat, AsyncSeat)
    def join(
        self,
        seat: messages.Seat | str = ANY_SEAT,
        name: str = "",
        *,
        dice_seed: str = "",
        request_id: str = "",
    ) -> Chain[SeatKey]:
        """Take a seat, `WHITE` or "white", by default a free one, White's first.

        At a table with committed dice a player adds a seed to them. Without a `dice_seed` one is made of
        the request id, which is at random, so that who repeats the call repeats the seed. The table is
        looked at first, and its commitment noted, before the server hears of the seed.
        """
        request_id = request_id or new_request_id()
        side = named(messages.Seat, seat)

        def join(seen: messages.GetTableResponse) -> Call[SeatKey]:
            committed = seen.table.dice_mode == messages.DICE_MODE_COMMITTED
            seed = dice_seed or (seed_of(request_id) if committed else "")
            commitment = seen.state.dice.commitment
            request = messages.JoinTableRequest(
                table=self.id, seat=side, name=name, dice_seed=seed, request_id=request_id
            )
            return Call.of(request, messages.JoinTableResponse).then(
                lambda joined: SeatKey(joined.table.id, joined.seat, joined.token, seed, commitment)
            )

        return Chain(TableCalls.get.build(self, messages.PLAY_VIEW_NONE), join)


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

    target: str

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.target}>"

    @giving(Table, AsyncTable)
    def create_table(
        self,
        variant: VariantLike | None = None,
        *,
        white: OccupantLike | None = None,
        black: OccupantLike | None = None,
        dice: messages.DiceMode | str = messages.DICE_MODE_UNSPECIFIED,
        seed: int = 0,
        visibility: messages.Visibility | str = messages.VISIBILITY_UNSPECIFIED,
        start: messages.Start | None = None,
        record: str = "",
        options: Mapping[str, Option] | None = None,
        request_id: str = "",
    ) -> Call[str]:
        """Make a table. Who is named still has to join; a bot sits at once. `options` add to the variant's.

        `dice` and `visibility` may be given as words: "system", "committed", "manual" or "seeded" (with a
        `seed`, where the server allows it); "public", "link" or "private". `ValueError` for any other.
        `record` is the text of our record of a match that is to go on, as `Table.export` gives it. Variant
        and options are then the record's, and may be left out. `ValueError` for a start beside it.
        """
        if record:
            if start is not None:
                raise ValueError("start: expected none beside a record, which says where it starts")
            start = messages.Start(record=record)
        request = messages.CreateTableRequest(
            variant=with_options(variant, options or {}),
            dice_mode=named(messages.DiceMode, dice),
            seed=seed,
            white=occupant(white),
            black=occupant(black),
            visibility=named(messages.Visibility, visibility),
            start=start,
            request_id=request_id or new_request_id(),
        )
        call = Call.of(request, messages.CreateTableResponse)
        return call.then(lambda response: response.table.id)


class Client(ClientCalls, Sync):
    """A server, asked at once.

    `target` is a host and a port. Without `credentials`, such as `tls()`, nothing is encrypted, seat tokens neither.
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
        self.target = target
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
        self.target = target
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
