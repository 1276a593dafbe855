"""What players ask each other for, and tables with time, as the tests of T1 to T5 want them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from tests.server.helpers import (
    BLACK,
    ROLL,
    THROW,
    WHITE,
    AtTable,
    Client,
    Fields,
    Running,
    running,
)
from tests.server.test_clocks import Time
from tests.server.test_tables import channel

UNDO: Fields = {"undo": table.UndoAction()}
YES: Fields = {"answer_undo": table.AnswerUndoAction(accept=True)}
NO: Fields = {"answer_undo": table.AnswerUndoAction(accept=False)}
VOID: Fields = {"void": table.VoidAction()}

MAY_UNDO = table.ACTION_KIND_UNDO
MAY_ANSWER = table.ACTION_KIND_ANSWER_UNDO
MAY_VOID = table.ACTION_KIND_VOID
MAY_REMATCH = table.ACTION_KIND_REMATCH


def rematch(variant: pb.VariantRef | None = None, seed: str = "") -> Fields:
    return {"rematch": table.RematchAction(variant=variant, dice_seed=seed)}


def other(seat: int) -> int:
    return BLACK if seat == WHITE else WHITE


def may(state: table.TableState, seat: int) -> list[int]:
    """What a seat may do beside what the decision lists."""
    return list(state.white_may if seat == WHITE else state.black_may)


def asked(state: table.TableState) -> list[tuple[int, int]]:
    """Who has asked for what."""
    return [(one.seat, one.kind) for one in state.asked]


async def taken_back(at: AtTable, seat: int) -> table.TableState:
    """A seat asks, and the other agrees."""
    await at.act(seat, **UNDO)
    return (await at.act(other(seat), **YES)).state


def same_match(one: table.TableState, two: table.TableState) -> bool:
    """Whether two states have the same match, game and decision."""
    return (one.match, one.game, one.decision) == (two.match, two.game, two.decision)


async def events(at: AtTable, **more: Any) -> Sequence[table.Event]:
    request = service.ListEventsRequest(table=at.id, page_size=500, **more)
    listed: service.ListEventsResponse = await at.client.ListEvents(request)
    return listed.events


async def any_act(at: AtTable) -> service.ActResponse:
    """Whatever comes next, as the server's dice fall."""
    kinds = at.state.decision.kinds
    if table.ACTION_KIND_PLAY in kinds:
        return await at.any_play()
    if table.ACTION_KIND_NEXT_GAME in kinds:
        return await at.act(next_game=table.NextGameAction())
    return await at.act(**(THROW if table.ACTION_KIND_THROW in kinds else ROLL))


@asynccontextmanager
async def timed(
    time: Time, database: str = "sqlite://", **more: Any
) -> AsyncIterator[tuple[Running, Client]]:
    """A server whose clock the test sets, and which looks after tables only when it is told to."""
    async with running(database, now=time, **more) as found, channel(found.grpc) as client:
        await tables_of(found)._upkeep.stop()
        yield found, client
        assert not found.faults.found


def tables_of(found: Running) -> Any:
    """The tables of a server, from inside."""
    return found.server._tables
