"""Committed dice: the seed stays secret until the match is over, then every throw can be made again."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message

from bgcore.dice import CommittedDice
from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_server.entries import Why
from bgcore_server.settings import Settings
from bgcore_server.store import Visibility
from bgcore_server.tables.rights import ANYBODY
from bgcore_server.tables.seating import Sitting
from tests.server.helpers import (
    BLACK,
    RESIGN_MATCH,
    ROLL,
    THROW,
    WHITE,
    AtTable,
    Client,
    Running,
    at_table,
    opening,
    ref,
    refusal_of,
    request_id,
    running,
)
from tests.server.test_tables import channel
from tests.server.wanting import tables_of

NOT_NOW = grpc.StatusCode.FAILED_PRECONDITION
INVALID = grpc.StatusCode.INVALID_ARGUMENT
COMMITTED = table.DICE_MODE_COMMITTED
SEEDS = ("ann's own", "Zoë ⚅")


async def committed(client: Client, **more: Any) -> AtTable:
    return await at_table(client, ref(match_length=1), COMMITTED, SEEDS, **more)


async def acts(at: AtTable, most: int) -> None:
    """So many acts, or until the match is over."""
    for _ in range(most):
        if not at.state.HasField("decision"):
            return
        kinds = at.state.decision.kinds
        if table.ACTION_KIND_PLAY in kinds:
            await at.any_play()
        else:
            await at.act(**(THROW if table.ACTION_KIND_THROW in kinds else ROLL))


async def thrown(at: AtTable) -> list[tuple[int, ...]]:
    events = (
        await at.client.ListEvents(service.ListEventsRequest(table=at.id, page_size=500))
    ).events
    actions = [event.action for event in events if event.HasField("action")]
    dice = [[*action.throw.dice, *action.roll.dice] for action in actions]
    return [tuple(one) for one in dice if one]


async def verified(at: AtTable) -> service.VerifyDiceResponse:
    answer: service.VerifyDiceResponse = await at.client.VerifyDice(
        service.VerifyDiceRequest(table=at.id)
    )
    return answer


async def test_the_commitment_is_there_before_any_player(client: Client) -> None:
    created = await client.CreateTable(
        service.CreateTableRequest(variant=ref(), dice_mode=COMMITTED)
    )
    proof = created.state.dice
    assert len(proof.commitment) == 64
    assert (proof.white_seed, proof.black_seed, proof.server_seed) == ("", "", "")
    assert proof.scheme == "bgcore-dice-1"
    other = await client.CreateTable(service.CreateTableRequest(variant=ref(), dice_mode=COMMITTED))
    assert other.state.dice.commitment != proof.commitment


async def test_other_dice_prove_nothing(client: Client) -> None:
    at = await at_table(client)
    assert not at.state.HasField("dice")
    found = await refusal_of(verified(at))
    assert (found.code, found.reason, found.field) == (NOT_NOW, "DICE_NOT_COMMITTED", "table")
    assert "the players threw them" in found.message


async def test_everybody_sees_what_the_players_added(client: Client) -> None:
    at = await committed(client)
    assert (at.state.dice.white_seed, at.state.dice.black_seed) == SEEDS
    events = (await client.ListEvents(service.ListEventsRequest(table=at.id))).events
    assert [event.seat_taken.dice_seed for event in events] == list(SEEDS)


async def test_the_throws_follow_from_the_seeds(client: Client) -> None:
    at = await committed(client)
    await acts(at, 9)
    await at.act(WHITE, **RESIGN_MATCH)
    proof = at.state.dice
    secret = bytes.fromhex(proof.server_seed)
    assert hashlib.sha256(secret).hexdigest() == proof.commitment
    dice = CommittedDice(secret, *SEEDS)
    fell = await thrown(at)
    assert len(fell) >= 4
    assert fell == [dice.throw(2) for _ in fell]
    answer = await verified(at)
    assert answer.legal
    assert not answer.faults
    assert answer.dice == proof
    assert [tuple(one.dice) for one in answer.throws] == fell
    assert [one.derived for one in answer.throws] == [one.dice for one in answer.throws]
    assert all(one.revision > 2 for one in answer.throws)


async def test_nothing_tells_the_seed_while_the_match_is_on(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/dice.db"
    async with running(database) as server, channel(server.grpc) as client:
        at = await committed(client)
        told: list[Message] = []
        for _ in range(6):
            await acts(at, 1)
            listed = service.ListEventsRequest(table=at.id, states=True)
            told += [
                *(at.state, await at.get(), await client.ListEvents(listed)),
                await client.ListTables(service.ListTablesRequest()),
            ]
        request = service.WatchTableRequest(table=at.id)
        async for news in client.WatchTable(request):
            told.append(news)
            break
        early = await refusal_of(verified(at))
        assert (early.code, early.reason, early.field) == (NOT_NOW, "SERVER_SEED_SECRET", "table")
        await at.act(BLACK, **RESIGN_MATCH)
        secret = at.state.dice.server_seed
    assert len(secret) == 64
    for message in told:
        found = message.SerializeToString()
        assert secret.encode() not in found
        assert bytes.fromhex(secret) not in found
    assert secret not in f"{early.message} {early.info}"


async def test_an_earlier_state_does_not_tell_it_afterwards(client: Client) -> None:
    at = await committed(client)
    await acts(at, 2)
    await at.act(BLACK, **RESIGN_MATCH)
    listed = service.ListEventsRequest(table=at.id, states=True)
    *earlier, last = (await client.ListEvents(listed)).events
    assert {event.state.dice.server_seed for event in earlier} == {""}
    assert last.state.dice.server_seed


@pytest.mark.parametrize("restarts", [1, 3])
async def test_a_restart_changes_no_dice(tmp_path: Path, restarts: int) -> None:
    database = f"sqlite:///{tmp_path}/dice.db"
    async with running(database) as server, channel(server.grpc) as client:
        at = await committed(client)
        await acts(at, 3)
        before = await at.get()
    for _ in range(restarts):
        async with running(database) as server, channel(server.grpc) as client:
            at.client = client
            assert await at.get() == before
            await acts(at, 4)
            before = await at.get()
    async with running(database) as server, channel(server.grpc) as client:
        at.client = client
        await at.act(WHITE, **RESIGN_MATCH)
        answer = await verified(at)
        assert answer.legal
        assert len(answer.throws) == len(await thrown(at)) >= 3


async def test_a_repeated_request_brings_the_same_commitment(client: Client) -> None:
    request = service.CreateTableRequest(
        variant=ref(), dice_mode=COMMITTED, request_id=request_id()
    )
    first = await client.CreateTable(request)
    assert await client.CreateTable(request) == first


async def test_a_bots_seed_is_drawn_before_the_player_gives_his(client: Client) -> None:
    bot = table.Occupant(bot=table.Bot(id="greedy"))
    created = await client.CreateTable(
        service.CreateTableRequest(variant=ref(), dice_mode=COMMITTED, black=bot)
    )
    assert len(created.state.dice.black_seed) == 32
    assert created.state.dice.white_seed == ""
    request = service.JoinTableRequest(table=created.table.id, dice_seed="mine")
    joined = await client.JoinTable(request)
    assert joined.state.dice.white_seed == "mine"
    assert joined.state.dice.black_seed == created.state.dice.black_seed


async def test_two_bots_play_a_match_that_can_be_verified(client: Client) -> None:
    bot = table.Occupant(bot=table.Bot(id="random"))
    created = await client.CreateTable(
        service.CreateTableRequest(
            variant=ref(match_length=1), dice_mode=COMMITTED, white=bot, black=bot
        )
    )
    request = service.WatchTableRequest(table=created.table.id, after_revision=0)
    async for news in client.WatchTable(request):
        if not news.event.state.HasField("decision"):
            break
    answer = await client.VerifyDice(service.VerifyDiceRequest(table=created.table.id))
    assert answer.legal
    assert len(answer.throws) > 10


@pytest.mark.parametrize(
    ("seed", "reason"),
    [
        ("", "DICE_SEED_MISSING"),
        ("x" * 65, "BAD_DICE_PROOF"),
        ("a\nb", "BAD_DICE_PROOF"),
        ("\x00", "BAD_DICE_PROOF"),
        ("\u202e", "BAD_DICE_PROOF"),
    ],
)
async def test_a_seed_that_is_none_takes_no_seat(client: Client, seed: str, reason: str) -> None:
    created = await client.CreateTable(
        service.CreateTableRequest(variant=ref(), dice_mode=COMMITTED)
    )
    request = service.JoinTableRequest(table=created.table.id, dice_seed=seed)
    found = await refusal_of(client.JoinTable(request))
    assert (found.code, found.reason, found.field) == (INVALID, reason, "dice_seed")
    assert "1 to 64 printable characters" in found.expected
    asked = service.GetTableRequest(table=created.table.id)
    assert (await client.GetTable(asked)).table.revision == 0


async def test_a_seed_is_refused_where_it_would_do_nothing(client: Client) -> None:
    created = await client.CreateTable(service.CreateTableRequest(variant=ref()))
    request = service.JoinTableRequest(table=created.table.id, dice_seed="mine")
    found = await refusal_of(client.JoinTable(request))
    assert (found.code, found.reason, found.field) == (INVALID, "DICE_SEED_UNUSED", "dice_seed")
    assert "not committed" in found.expected


async def test_a_join_repeated_with_another_seed_is_another(client: Client) -> None:
    created = await client.CreateTable(
        service.CreateTableRequest(variant=ref(), dice_mode=COMMITTED)
    )
    request = service.JoinTableRequest(
        table=created.table.id, dice_seed="mine", request_id=request_id()
    )
    first = await client.JoinTable(request)
    assert await client.JoinTable(request) == first
    request.dice_seed = "other"
    assert (await refusal_of(client.JoinTable(request))).reason == "REQUEST_ID_REUSED"


async def test_dice_are_not_the_players_to_say(client: Client) -> None:
    at = await committed(client)
    found = await at.refused(WHITE, throw=table.ThrowAction(dice=[6, 1]))
    assert (found.code, found.reason) == (NOT_NOW, "DICE_NOT_YOURS")


async def test_an_unknown_table_has_no_dice(client: Client) -> None:
    found = await refusal_of(client.VerifyDice(service.VerifyDiceRequest(table="nope")))
    assert (found.reason, found.field) == ("UNKNOWN_TABLE", "table")


async def test_throws_that_were_given_are_counted_apart(client: Client) -> None:
    """Whoever makes a table from a record can choose the throws in it, and no seed speaks of them."""
    first = await committed(client)
    await acts(first, 7)
    told = await thrown(first)
    record = (await client.ExportMatch(service.ExportMatchRequest(table=first.id))).text
    record_events = first.state.revision - 2  # two players sat down
    at = await at_table(client, None, COMMITTED, SEEDS, start=service.Start(record=record))
    await acts(at, 5)
    await at.act(WHITE, **RESIGN_MATCH)
    answer = await verified(at)
    assert answer.legal
    assert answer.given_throws == len(told)
    assert [one.number for one in answer.throws] == list(range(len(answer.throws)))
    assert all(one.revision > record_events for one in answer.throws)
    dice = CommittedDice(bytes.fromhex(answer.dice.server_seed), *SEEDS)
    assert [tuple(one.dice) for one in answer.throws] == [dice.throw(2) for _ in answer.throws]


async def test_the_dice_of_a_start_are_given_too(client: Client) -> None:
    start = service.Start(position=opening(), dice=[6, 6])
    at = await committed(client, start=start)
    await acts(at, 3)
    await at.act(WHITE, **RESIGN_MATCH)
    answer = await verified(at)
    assert answer.legal
    assert answer.given_throws == 1
    assert [one.number for one in answer.throws] == list(range(len(answer.throws)))


async def test_of_a_table_that_begins_at_the_beginning_no_throw_was_given(client: Client) -> None:
    at = await committed(client)
    await acts(at, 3)
    await at.act(WHITE, **RESIGN_MATCH)
    answer = await verified(at)
    assert answer.given_throws == 0
    assert answer.throws[0].number == 0


async def test_a_match_that_is_on_does_not_give_its_server_seed_away(server: Running) -> None:
    tables = tables_of(server)
    settings = Settings(dice_mode=COMMITTED, server_seed="ab" * 32)
    made, _ = await tables.create("western", settings, Visibility.LINK, None)
    for _ in range(2):
        await tables.join(made, Sitting(None, "", ANYBODY, dice_seed="mine"))
    on = made.state.this_match
    assert on.proof and on.told_dice and made.state.proof
    assert {on.proof.server_seed, on.told_dice.server_seed, made.state.proof.server_seed} == {None}
    over = (await tables.close(made, Why.HOST)).this_match
    assert over.proof and over.told_dice
    assert over.proof.server_seed == over.told_dice.server_seed == bytes.fromhex("ab" * 32)
