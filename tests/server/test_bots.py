"""Bots sit at tables and act as players do."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

import bgcore
from bgcore import Action, Game, Seat
from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_server.tables import bots
from tests.server.helpers import (
    BLACK,
    DOUBLE,
    NEXT_GAME,
    ROLL,
    THROW,
    WHITE,
    AtTable,
    Client,
    ref,
    refusal_of,
    resign,
    running,
)
from tests.server.test_tables import channel


def bot(name: str) -> table.Occupant:
    return table.Occupant(bot=table.Bot(id=name))


async def against(client: Client, name: str = "greedy", **options: object) -> AtTable:
    """A table at which White plays a bot."""
    created = await client.CreateTable(
        service.CreateTableRequest(
            variant=ref(**options),  # type: ignore[arg-type]
            black=bot(name),
            dice_mode=table.DICE_MODE_SEEDED,
            seed=9,
        )
    )
    assert created.table.black.bot.id == name
    joined = await client.JoinTable(service.JoinTableRequest(table=created.table.id))
    return AtTable(client, created.table.id, {WHITE: joined.token}, joined.state)


async def my_turn(at: AtTable) -> None:
    """Wait until White must decide, or the match is over."""
    for _ in range(1000):
        at.state = (await at.get()).state
        if not at.state.HasField("decision") or at.state.decision.seat != BLACK:
            return
        await asyncio.sleep(0.005)
    raise AssertionError("the bot does not act")


async def play_on(at: AtTable) -> None:
    """A whole match of White's first plays against the bot."""
    while at.state.HasField("decision"):
        kinds = at.state.decision.kinds
        if table.ACTION_KIND_PLAY in kinds:
            await at.any_play()
        elif table.ACTION_KIND_THROW in kinds:
            await at.act(**THROW)
        elif table.ACTION_KIND_NEXT_GAME in kinds:
            await at.act(**NEXT_GAME)
        else:
            await at.act(**ROLL)
        await my_turn(at)


async def test_a_match_against_a_bot_ends(client: Client) -> None:
    at = await against(client, match_length=2)
    await play_on(at)
    assert at.state.match.winner in (WHITE, BLACK)


async def test_a_bot_answers_doubles_and_resignations(client: Client) -> None:
    at = await against(client, match_length=None)
    await at.act(**THROW)
    await my_turn(at)
    while table.ACTION_KIND_DOUBLE not in at.state.decision.kinds:
        await at.any_play()
        await my_turn(at)
    await at.act(**DOUBLE)
    await my_turn(at)
    assert at.state.game.cube.value == 2
    await at.act(**resign(pb.LEVEL_SINGLE))
    await my_turn(at)
    assert at.state.match.black_score == 2


async def test_two_bots_play_a_match_by_themselves(client: Client) -> None:
    request = service.CreateTableRequest(
        variant=ref("plakoto", match_length=1),
        white=bot("random"),
        black=bot("greedy"),
        dice_mode=table.DICE_MODE_SEEDED,
        seed=2,
    )
    created = await client.CreateTable(request)
    stream = client.WatchTable(service.WatchTableRequest(table=created.table.id, after_revision=0))
    seen = 0
    async for news in stream:
        assert news.event.revision == seen + 1
        seen += 1
        if news.event.state.match.winner:
            break
    stream.cancel()
    assert seen > 20


async def test_the_seat_of_a_bot_is_not_free(client: Client) -> None:
    created = await client.CreateTable(
        service.CreateTableRequest(variant=ref(), black=bot("random"))
    )
    request = service.JoinTableRequest(table=created.table.id, seat=pb.SEAT_BLACK)
    assert (await refusal_of(client.JoinTable(request))).reason == "SEAT_TAKEN"


async def test_a_bot_goes_on_after_a_restart(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/a.db"
    async with running(database) as server, channel(server.grpc) as client:
        created = await client.CreateTable(
            service.CreateTableRequest(
                variant=ref("tavla", match_length=3), white=bot("random"), black=bot("random")
            )
        )
        await asyncio.sleep(0.1)
    for _ in range(100):
        async with running(database) as server, channel(server.grpc) as client:
            await asyncio.sleep(0.2)
            request = service.GetTableRequest(table=created.table.id)
            found = await client.GetTable(request)
            if found.table.status == table.TABLE_STATUS_FINISHED:
                return
    raise AssertionError("the bots do not go on")


@dataclass(frozen=True)
class Clumsy:
    """A bot whose code raises."""

    id: str = "clumsy"
    title: str = "raises"

    def act(self, game: Game, seat: Seat, random: Random) -> Action:
        raise ZeroDivisionError("on purpose")


async def test_a_bot_that_raises_hurts_only_its_table() -> None:
    registry = bgcore.load().using(bgcore.load().plugins[0])
    registry.add_bot(Clumsy())
    async with running(registry=registry) as server, channel(server.grpc) as client:
        at = await against(client, "clumsy")
        await at.act(**THROW)
        while at.state.decision.seat != BLACK:
            await at.any_play()
        for _ in range(100):
            if server.faults.found:
                break
            await asyncio.sleep(0.01)
        assert [fault["event"] for fault in server.faults.found] == ["bot failed"]
        other = await against(client, "greedy", match_length=1)
        await play_on(other)
        assert other.state.match.winner
        # The player can still leave by resigning.
        ended = await at.act(WHITE, **resign(pb.LEVEL_BACKGAMMON))
        assert ended.state.match.last_result.outcome.winner == BLACK


@dataclass(frozen=True)
class Tired:
    """A bot that fails as often as it is told, and then plays."""

    failures: list[None]
    id: str = "tired"
    title: str = "fails now and then"

    def act(self, game: Game, seat: Seat, random: Random) -> Action:
        if self.failures:
            self.failures.pop()
            raise ConnectionError("its engine is away")
        return bgcore.load().bot("random").act(game, seat, random)


async def test_a_bot_that_failed_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bots, "RETRIES", (0.01, 0.01))
    registry = bgcore.load().using(bgcore.load().plugins[0])
    tired = Tired([None, None])
    registry.add_bot(tired)
    async with running(registry=registry) as server, channel(server.grpc) as client:
        at = await against(client, "tired", match_length=1)
        await play_on(at)
        assert at.state.match.winner
        assert [fault["event"] for fault in server.faults.found] == ["bot failed"] * 2
        # But not for ever.
        tired.failures.extend([None] * 9)
        at = await against(client, "tired")
        await at.act(**THROW)
        while at.state.decision.seat != BLACK:
            await at.any_play()
        await asyncio.sleep(0.2)
        assert len(server.faults.found) == 2 + 3
