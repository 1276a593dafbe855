"""The client: what can be asked of a server, of a table, and done on a seat.

Each call is described once, in a class whose name ends in `Calls`. The blocking classes and the
asynchronous ones add nothing but how they are connected.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Self, Unpack

import grpc

from bgcore_client import messages
from bgcore_client.binding import Async, Sync, giving
from bgcore_client.call import Account, Call, Chain, new_request_id
from bgcore_client.dice import seed_of
from bgcore_client.games import RotationLike, games_wanted
from bgcore_client.given import made, refused
from bgcore_client.rematch import Asked, asking
from bgcore_client.seat_calls import ANY_SEAT, How, SeatCalls, SeatKey
from bgcore_client.server_calls import ServerCalls
from bgcore_client.table_calls import TableCalls, TableKey
from bgcore_client.transport import TIMEOUT, AsyncTransport, ChannelOptions, SyncTransport
from bgcore_client.values import (
    OccupantLike,
    Option,
    VariantLike,
    named,
    occupant,
)


class Rematch:
    """What came of asking for another match: the `seat` as of then, and the `answer` of the act."""

    def __init__(self, transport: SyncTransport, asked: Asked) -> None:
        self.seat = Seat(transport, asked.key)
        self.answer = asked.answer


class AsyncRematch:
    """What came of asking for another match: the `seat` as of then, and the `answer` of the act."""

    def __init__(self, transport: AsyncTransport, asked: Asked) -> None:
        self.seat = AsyncSeat(transport, asked.key)
        self.answer = asked.answer


class RematchCalls(SeatCalls):
    """Asking for another match."""

    @giving(Rematch, AsyncRematch)
    def rematch(
        self,
        variant: VariantLike | None = None,
        *,
        rotation: RotationLike | None = None,
        options: Mapping[str, Option] | None = None,
        dice_seed: str = "",
        **how: Unpack[How],
    ) -> Chain[Asked]:
        """Ask for another match when one is over, under the same rules or others, or agree to one.

        It begins when both have asked for the same; who names no rules agrees to those that the other has named.
        At a table with committed dice the player adds another seed, and the commitment to the dice of that match
        is noted before. `Rematch.seat` has both in its key, for `dice.check` of that match. An act that is repeated
        after it was done finds no commitment from before, and notes none.
        """
        return asking(self, games_wanted(variant, rotation, options or {}), dice_seed, how)


class Seat(RematchCalls, Sync):
    """A seat, acted for at once."""

    def __init__(self, transport: SyncTransport, key: SeatKey) -> None:
        self._transport = transport
        self.key = key

    @property
    def table(self) -> Table:
        """Its table, as who sits there may see it."""
        return Table(self._transport, TableKey(self.key.table, self.key.token))


class AsyncSeat(RematchCalls, Async):
    """A seat; what it does is awaited."""

    def __init__(self, transport: AsyncTransport, key: SeatKey) -> None:
        self._transport = transport
        self.key = key

    @property
    def table(self) -> AsyncTable:
        """Its table, as who sits there may see it."""
        return AsyncTable(self._transport, TableKey(self.key.table, self.key.token))


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

        At a private table it takes the host's table or an invitation, at a seat that is kept for an account that
        account (`with_account`), which then sits there and may act by its own token, too.

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
            request = made(
                messages.JoinTableRequest,
                table=self.id,
                seat=side,
                name=name,
                dice_seed=seed,
                request_id=request_id,
            )
            return Call.of(request, messages.JoinTableResponse, self.key.token).then(
                lambda joined: SeatKey(joined.table.id, joined.seat, joined.token, seed, commitment)
            )

        return Chain(TableCalls.get.build(self, messages.PLAY_VIEW_NONE), join)


class Table(JoiningCalls, Sync):
    """A table, asked at once."""

    def __init__(self, transport: SyncTransport, id: str | TableKey) -> None:
        self._transport = transport
        self.key = id if isinstance(id, TableKey) else TableKey(id)


class AsyncTable(JoiningCalls, Async):
    """A table; its answers are awaited."""

    def __init__(self, transport: AsyncTransport, id: str | TableKey) -> None:
        self._transport = transport
        self.key = id if isinstance(id, TableKey) else TableKey(id)


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
        rotation: RotationLike | None = None,
        white: OccupantLike | None = None,
        black: OccupantLike | None = None,
        dice: messages.DiceMode | str = messages.DICE_MODE_UNSPECIFIED,
        seed: int = 0,
        visibility: messages.Visibility | str = messages.VISIBILITY_UNSPECIFIED,
        start: messages.Start | None = None,
        record: str = "",
        options: Mapping[str, Option] | None = None,
        request_id: str = "",
    ) -> Call[str | TableKey]:
        """Make a table. Who is named still has to join; a bot sits at once. `options` add to the variant's.

        A `rotation` instead of a variant is a match whose games change; then `options` are those of the match.

        `Table.key` has its secrets: the host's, and at a private table the invitation and the spectators'. The table
        shows the host's at each call, or the account that made it. Keep it, for `Client.table`.

        `dice` and `visibility` may be given as words: "system", "committed", "manual" or "seeded" (with a
        `seed`, where the server allows it); "public", "link" or "private". `ValueError` for any other.
        `record` is the text of our record of a match that is to go on, as `Table.export` gives it. Variant
        and options are then the record's, and may be left out. `ValueError` for a start beside it.
        """
        if record:
            if start is not None:
                raise ValueError("start: expected none beside a record, which says where it starts")
            start = made(messages.Start, record=record)
        request = made(
            messages.CreateTableRequest,
            **games_wanted(variant, rotation, options or {}),
            dice_mode=named(messages.DiceMode, dice),
            seed=seed,
            white=occupant(white),
            black=occupant(black),
            visibility=named(messages.Visibility, visibility),
            start=start,
            request_id=request_id or new_request_id(),
        )
        by_account = has_account(self)

        def created(response: messages.CreateTableResponse) -> TableKey:
            return TableKey(
                response.table.id,
                token="" if by_account else response.host_token,
                host=response.host_token,
                invitation=response.invitation_token,
                spectator=response.spectator_token,
            )

        return Call.of(request, messages.CreateTableResponse).then(created)


def has_account(client: Any) -> bool:
    """Whether a client of either kind shows an account."""
    return bool(client._transport.account)


def check_key(key: SeatKey) -> None:
    """`TypeError` for what is no key of a seat."""
    if not isinstance(key, SeatKey):
        raise refused("key", key, "a SeatKey, which a seat has as its key")


def table_key(id: str | TableKey, token: str) -> TableKey:
    """The key of a table that may be given by its id, and by a token."""
    if not isinstance(id, str | TableKey):
        raise refused("table", id, "an id, or a TableKey, which a table has as its key")
    key = id if isinstance(id, TableKey) else TableKey(id)
    return replace(key, token=token) if token else key


class Client(ClientCalls, Sync):
    """A server, asked at once.

    `target` is a host and a port. Without `credentials`, such as `tls()`, nothing is encrypted, seat tokens neither.
    Calls that meet no server, or too many others, are made again until `timeout` seconds have passed.
    `account` is the token of an account, or a function that gives it; `with_account` says what for.
    """

    def __init__(
        self,
        target: str,
        *,
        timeout: float = TIMEOUT,
        credentials: grpc.ChannelCredentials | None = None,
        options: ChannelOptions = (),
        account: Account = "",
    ) -> None:
        self.target = target
        transport = SyncTransport.to(target, credentials, options, timeout)
        self._transport = transport.with_account(account)

    def table(self, id: str | TableKey, token: str = "") -> Table:
        """A table of a known id or key. Nothing is asked yet.

        `token` is what is shown there: an invitation, a spectator's, the host's, a seat's.
        """
        return Table(self._transport, table_key(id, token))

    def seat(self, key: SeatKey) -> Seat:
        """A seat taken before."""
        check_key(key)
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
        account: Account = "",
    ) -> None:
        self.target = target
        transport = AsyncTransport.to(target, credentials, options, timeout)
        self._transport = transport.with_account(account)

    def table(self, id: str | TableKey, token: str = "") -> AsyncTable:
        """A table of a known id or key. Nothing is asked yet.

        `token` is what is shown there: an invitation, a spectator's, the host's, a seat's.
        """
        return AsyncTable(self._transport, table_key(id, token))

    def seat(self, key: SeatKey) -> AsyncSeat:
        """A seat taken before."""
        check_key(key)
        return AsyncSeat(self._transport, key)

    async def close(self) -> None:
        """Let go of the connection."""
        await self._transport.channel.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
