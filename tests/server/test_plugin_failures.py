"""A table of a variant whose rules fail: PLUGIN_FAILED without a traceback, and its host can close it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import grpc
import pytest

import bgcore
from bgcore import Plays, Position, Registry, Roll, Rules
from bgcore.outcome import Outcome
from bgcore.plugin import Plugin
from bgcore.turn import ORDINARY_TURN, Numbers, Part, Turn
from bgcore_proto.v1 import rules_service_pb2 as rules_pb
from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from tests.server.helpers import (
    BLACK,
    WHITE,
    AtTable,
    Client,
    Refused,
    opening,
    ref,
    refusal_of,
    running,
)
from tests.server.test_tables import channel


class Moody(Rules):
    """Does what it must until `mood` says otherwise; then every method of it fails in that way."""

    mood: ClassVar[str] = ""

    def _fail(self) -> Any:
        if Moody.mood == "raises":
            raise LookupError("in a bad mood")
        if Moody.mood == "ends the server":
            raise SystemExit(3)
        return "nonsense"

    def outcome(self, position: Position) -> Outcome | None:
        return self._fail() if Moody.mood else super().outcome(position)

    def keep(self, start: Position, plays: Plays) -> Plays:
        return self._fail() if Moody.mood else super().keep(start, plays)

    def plays(self, position: Position, roll: Roll, turn: Turn = ORDINARY_TURN) -> Plays:
        return self._fail() if Moody.mood else super().plays(position, roll, turn)

    def plays_of(
        self, position: Position, numbers: Iterable[int], turn: Turn = ORDINARY_TURN
    ) -> Plays:
        return self._fail() if Moody.mood else super().plays_of(position, numbers, turn)

    def parts(
        self, roll: Roll, turn: Turn = ORDINARY_TURN, position: Position | None = None
    ) -> tuple[Part, ...]:
        return self._fail() if Moody.mood else super().parts(roll, turn, position)

    def steps(self, position: Position, numbers: Numbers, turn: Turn = ORDINARY_TURN) -> Any:
        return self._fail() if Moody.mood else super().steps(position, numbers, turn)


@pytest.fixture(params=["raises", "returns nonsense", "ends the server"])
def mood(request: pytest.FixtureRequest) -> Iterator[str]:
    Moody.mood = ""
    yield request.param
    Moody.mood = ""


def registry() -> Registry:
    found = bgcore.load().using(Plugin("moody", value="tests.server"))
    western = found.variant("western")
    found.add(replace(western, id="moody", aliases=(), options=()), Moody)
    return found


async def seated(client: Client, **more: Any) -> tuple[AtTable, str]:
    """A table that waits for its opening throw, and its host's token."""
    created = await client.CreateTable(
        service.CreateTableRequest(variant=ref("moody"), dice_mode=table.DICE_MODE_MANUAL, **more)
    )
    tokens: dict[int, str] = {}
    state = created.state
    for seat in (WHITE, BLACK):
        joined = await client.JoinTable(service.JoinTableRequest(table=created.table.id, seat=seat))
        tokens[seat], state = joined.token, joined.state
    return AtTable(client, created.table.id, tokens, state), created.host_token


def check(refusal: Refused) -> None:
    """That a plugin failed, and no more."""
    assert (refusal.reason, refusal.code) == ("PLUGIN_FAILED", grpc.StatusCode.INTERNAL)
    for trace in ("Traceback", "File ", ".py"):
        assert trace not in refusal.message


async def test_whatever_needs_the_rules_is_refused_and_the_rest_is_served(mood: str) -> None:
    async with running(registry=registry()) as server, channel(server.grpc) as client:
        at, host = await seated(client)
        await at.throw(3, 1)
        Moody.mood = mood
        check(await refusal_of(at.play("8/5 6/5")))
        check(await refusal_of(at.get()))
        watch = client.WatchTable(service.WatchTableRequest(table=at.id))
        check(await refusal_of(anext(aiter(watch))))
        asked = rules_pb.ListPlaysRequest(variant=ref("moody"), position=opening(), dice=[3, 1])
        check(await refusal_of(client.ListPlays(asked)))
        asked.variant.id = "western"
        assert len((await client.ListPlays(asked)).plays.lengths) == 16
        assert {fault["event"] for fault in server.faults.found} == {"plugin failed"}
        closed = await client.CloseTable(service.CloseTableRequest(table=at.id), token=host)
        assert closed.table.status == table.TABLE_STATUS_CLOSED
        # Nothing is asked of the rules of a table that is closed.
        assert (await at.get()).table.status == table.TABLE_STATUS_CLOSED


async def test_a_table_that_cannot_be_loaded_can_be_closed_by_its_host_alone(
    tmp_path: Path, mood: str
) -> None:
    database = f"sqlite:///{tmp_path}/a.db"
    async with running(database, registry()) as server, channel(server.grpc) as client:
        at, host = await seated(client)
        await at.throw(3, 1)
        await at.play("8/5 6/5")
    Moody.mood = mood
    async with running(database, registry()) as server, channel(server.grpc) as client:
        again = AtTable(client, at.id, at.tokens, at.state)
        check(await refusal_of(again.get()))
        closing = service.CloseTableRequest(table=at.id, note="no more")
        stranger = await refusal_of(client.CloseTable(closing, token=at.tokens[WHITE]))
        assert stranger.code is grpc.StatusCode.PERMISSION_DENIED
        closed = await client.CloseTable(closing, token=host)
        assert closed.table.status == table.TABLE_STATUS_CLOSED
        assert closed.state.revision == at.state.revision + 1
        assert (await client.CloseTable(closing, token=host)).table == closed.table
    Moody.mood = ""
    async with running(database, registry()) as server, channel(server.grpc) as client:
        found = await AtTable(client, at.id, at.tokens, at.state).get()
        assert found.table.status == table.TABLE_STATUS_CLOSED
        assert found.state.closed.note == "no more"


async def test_a_table_whose_variant_is_gone_can_be_closed(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/a.db"
    async with running(database, registry()) as server, channel(server.grpc) as client:
        at, host = await seated(client)
    async with running(database) as server, channel(server.grpc) as client:
        again = AtTable(client, at.id, at.tokens, at.state)
        assert (await refusal_of(again.get())).reason == "RULES_CHANGED"
        closing = service.CloseTableRequest(table=at.id)
        closed = await client.CloseTable(closing, token=host)
        assert closed.table.status == table.TABLE_STATUS_CLOSED


async def test_bots_go_on_at_the_other_tables_after_a_start(tmp_path: Path, mood: str) -> None:
    database = f"sqlite:///{tmp_path}/a.db"
    bots = {
        "white": table.Occupant(bot=table.Bot(id="random")),
        "black": table.Occupant(bot=table.Bot(id="random")),
    }
    made = []
    async with running(database, registry()) as server, channel(server.grpc) as client:
        for name in ("moody", "western"):
            asked = service.CreateTableRequest(variant=ref(name, match_length=7), **bots)  # type: ignore[arg-type]
            made.append((await client.CreateTable(asked)).table.id)
    Moody.mood = mood
    async with running(database, registry()) as server, channel(server.grpc) as client:
        request = service.GetTableRequest(table=made[1])
        for _ in range(1000):
            if (await client.GetTable(request)).table.status == table.TABLE_STATUS_FINISHED:
                break
            await asyncio.sleep(0.05)
        else:
            raise AssertionError("the bots of the other table do not go on")
        events = {fault["event"] for fault in server.faults.found}
        assert events <= {"table not resumed", "bot failed"}
