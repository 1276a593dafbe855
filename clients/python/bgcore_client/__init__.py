"""A client of bgcore's service, blocking or asynchronous.

    from bgcore_client import WHITE, Client, bot

    with Client("127.0.0.1:50051") as client:
        table = client.create_table("tavla", black=bot("greedy"))
        me = table.join(WHITE, "Ann")
        for news in table.watch():
            ...

`AsyncClient` has the same methods, to be awaited. `messages` holds every message of the contract.
"""

from bgcore_client import actions, dice, messages
from bgcore_client.batch import Batch, PackedPlays, pack
from bgcore_client.client import (
    AsyncClient,
    AsyncRematch,
    AsyncSeat,
    AsyncTable,
    Client,
    Rematch,
    Seat,
    Table,
)
from bgcore_client.credentials import tls
from bgcore_client.errors import (
    BgcoreClientError,
    DeadlineExceeded,
    FailedPrecondition,
    InvalidArgument,
    NotFound,
    NotYourSeat,
    OutOfRange,
    PluginFailed,
    RuleBroken,
    StaleRevision,
    TooMuch,
    Unauthenticated,
    Unavailable,
    Unimplemented,
    Violation,
)
from bgcore_client.games import house, rotation
from bgcore_client.plays import Play, Plays, Step
from bgcore_client.seat_calls import SeatKey
from bgcore_client.table_calls import TableKey
from bgcore_client.values import BLACK, WHITE, bot, option, player, position, side, variant
from bgcore_client.watch import News

__all__ = [
    "BLACK",
    "WHITE",
    "AsyncClient",
    "AsyncRematch",
    "AsyncSeat",
    "AsyncTable",
    "Batch",
    "BgcoreClientError",
    "Client",
    "DeadlineExceeded",
    "FailedPrecondition",
    "InvalidArgument",
    "News",
    "NotFound",
    "NotYourSeat",
    "OutOfRange",
    "PackedPlays",
    "Play",
    "Plays",
    "PluginFailed",
    "Rematch",
    "RuleBroken",
    "Seat",
    "SeatKey",
    "StaleRevision",
    "Step",
    "Table",
    "TableKey",
    "TooMuch",
    "Unauthenticated",
    "Unavailable",
    "Unimplemented",
    "Violation",
    "actions",
    "bot",
    "dice",
    "house",
    "messages",
    "option",
    "pack",
    "player",
    "position",
    "rotation",
    "side",
    "tls",
    "variant",
]
