"""T5: matches that nobody wins, and tables that are closed."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import grpc
import pytest

from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from tests.server.helpers import (
    BLACK,
    RESIGN_MATCH,
    ROLL,
    THROW,
    WHITE,
    AtTable,
    Client,
    at_table,
    ref,
    refusal_of,
    request_id,
    running,
)
from tests.server.test_clocks import Time, shown
from tests.server.test_tables import channel
from tests.server.wanting import (
    MAY_VOID,
    NO,
    UNDO,
    VOID,
    any_act,
    asked,
    events,
    may,
    rematch,
    same_match,
    tables_of,
    timed,
)

NOT_NOW = grpc.StatusCode.FAILED_PRECONDITION
DAY = 86_400


async def hosted(client: Client) -> tuple[AtTable, str]:
    """A table with both seats taken, and its host's token."""
    made = await client.CreateTable(
        service.CreateTableRequest(variant=ref(match_length=3), dice_mode=table.DICE_MODE_MANUAL)
    )
    tokens: dict[int, str] = {}
    for seat in (WHITE, BLACK):
        joined = await client.JoinTable(service.JoinTableRequest(table=made.table.id, seat=seat))
        tokens[seat] = joined.token
    return AtTable(client, made.table.id, tokens, joined.state), made.host_token


async def close(at: AtTable, token: str, note: str = "") -> service.CloseTableResponse:
    request = service.CloseTableRequest(table=at.id, note=note)
    answer: service.CloseTableResponse = await at.client.CloseTable(request, token=token)
    return answer


async def test_a_match_is_void_when_both_players_ask(client: Client) -> None:
    at, _ = await hosted(client)
    await at.throw(1, 3)
    before = at.state
    one = await at.act(WHITE, **VOID)
    assert asked(one.state) == [(WHITE, MAY_VOID)]
    assert MAY_VOID not in may(one.state, WHITE)
    assert same_match(one.state, before)
    two = await at.act(BLACK, **VOID)
    assert [event.WhichOneof("kind") for event in two.events] == ["action", "closed"]
    closed = two.state.closed
    assert (closed.reason, closed.void, closed.note) == (table.CLOSE_REASON_AGREED, True, "")
    assert two.state.match.winner == pb.SEAT_UNSPECIFIED
    assert not two.state.HasField("decision")
    assert two.state.game.phase == table.PHASE_MATCH_OVER
    assert may(two.state, WHITE) == may(two.state, BLACK) == []
    assert (await at.get()).table.status == table.TABLE_STATUS_CLOSED


async def test_the_next_action_takes_the_wish_back(client: Client) -> None:
    at, _ = await hosted(client)
    await at.throw(1, 3)
    await at.act(WHITE, **VOID)
    assert (await at.refused(WHITE, **VOID)).reason == "ALREADY_ASKED"
    await at.play("8/5 6/5")
    assert asked(at.state) == []
    await at.act(BLACK, **VOID)
    assert not at.state.HasField("closed")


async def test_nothing_happens_at_a_closed_table(client: Client) -> None:
    at, host = await hosted(client)
    await close(at, host)
    at.state = (await at.get()).state
    for fields in (THROW, ROLL, VOID, UNDO, NO, rematch(), RESIGN_MATCH):
        found = await at.refused(WHITE, **fields)
        assert (found.code, found.reason) == (NOT_NOW, "TABLE_CLOSED")
    leave = service.LeaveTableRequest(table=at.id)
    found = await refusal_of(client.LeaveTable(leave, token=at.tokens[WHITE]))
    assert found.reason == "TABLE_CLOSED"


async def test_the_host_closes_it_with_a_note_that_everybody_sees(client: Client) -> None:
    at, host = await hosted(client)
    await at.throw(1, 3)
    stream = client.WatchTable(service.WatchTableRequest(table=at.id))
    await stream.read()
    closed = await close(at, host, "The lights went out.")
    assert closed.table.status == table.TABLE_STATUS_CLOSED
    told = closed.state.closed
    assert (told.reason, told.void, told.note) == (
        table.CLOSE_REASON_HOST,
        True,
        "The lights went out.",
    )
    event = (await stream.read()).event
    assert (event.closed, event.seat, event.request_id) == (told, 0, "")
    stream.cancel()
    assert (await events(at))[-1].closed == told


async def test_to_close_it_again_changes_nothing(client: Client) -> None:
    at, host = await hosted(client)
    first = await close(at, host, "one")
    again = await close(at, host, "two")
    assert again == first


async def test_a_match_that_is_over_is_not_void(client: Client) -> None:
    at, host = await hosted(client)
    await at.act(WHITE, **RESIGN_MATCH)
    closed = await close(at, host)
    assert not closed.state.closed.void
    assert closed.state.match.winner == BLACK
    at.state = closed.state
    found = await at.refused(WHITE, **rematch())
    assert found.reason == "TABLE_CLOSED"


async def test_a_table_that_waits_is_closed(client: Client) -> None:
    made = await client.CreateTable(
        service.CreateTableRequest(variant=ref(), dice_mode=table.DICE_MODE_COMMITTED)
    )
    request = service.CloseTableRequest(table=made.table.id)
    closed = await client.CloseTable(request, token=made.host_token)
    assert closed.state.closed.void
    join = service.JoinTableRequest(table=made.table.id, dice_seed="x")
    assert (await refusal_of(client.JoinTable(join))).reason == "TABLE_CLOSED"
    verified = await client.VerifyDice(service.VerifyDiceRequest(table=made.table.id))
    assert verified.throws == []


async def test_a_note_has_at_most_200_characters(client: Client) -> None:
    at, host = await hosted(client)
    found = await refusal_of(close(at, host, "x" * 201))
    assert (found.code, found.reason, found.field) == (
        grpc.StatusCode.INVALID_ARGUMENT,
        "NOTE_TOO_LONG",
        "note",
    )
    await close(at, host, "ü" * 200)


async def test_the_seed_of_committed_dice_is_revealed_and_the_next_never(client: Client) -> None:
    at = await at_table(client, ref(), table.DICE_MODE_COMMITTED, ("w", "b"))
    for _ in range(3):
        await any_act(at)
    assert at.state.next_commitment
    await at.act(WHITE, **VOID)
    await at.act(BLACK, **VOID)
    assert len(at.state.dice.server_seed) == 64
    assert at.state.next_commitment == ""
    verified = await client.VerifyDice(service.VerifyDiceRequest(table=at.id))
    assert verified.legal
    assert len(verified.throws) >= 2


async def test_what_was_played_can_be_exported(client: Client) -> None:
    at, host = await hosted(client)
    await at.throw(1, 3)
    await at.play("8/5 6/5")
    before = (await client.ExportMatch(service.ExportMatchRequest(table=at.id))).text
    await close(at, host)
    assert (await client.ExportMatch(service.ExportMatchRequest(table=at.id))).text == before


async def test_a_bot_agrees(client: Client) -> None:
    made = await client.CreateTable(
        service.CreateTableRequest(variant=ref(), black=table.Occupant(bot=table.Bot(id="random")))
    )
    joined = await client.JoinTable(service.JoinTableRequest(table=made.table.id))
    at = AtTable(client, made.table.id, {WHITE: joined.token}, joined.state)
    done = await at.act(WHITE, **VOID)
    assert done.state.closed.reason == table.CLOSE_REASON_AGREED
    kinds = [event.WhichOneof("kind") for event in done.events]
    assert kinds == ["action", "action", "closed"]


async def test_a_clock_stands_at_a_closed_table(client: Client) -> None:
    time = Time()
    async with timed(time) as (_, timely):
        clocked = ref(match_length=3, clock="bronstein", bank_fixed=20, step=12)
        at = await at_table(timely, clocked)
        await at.throw(1, 3)
        time.passes(15)
        await at.act(WHITE, **VOID)
        time.passes(2)
        await at.act(BLACK, **VOID)
        assert shown(at.state) == (0, 32, 15)
        assert not at.state.clock.HasField("deadline")
        assert not at.state.HasField("deadline")


async def test_an_idle_table_expires(client: Client) -> None:
    time = Time()
    async with timed(time) as (found, timely):
        tables = tables_of(found)
        playing = await at_table(timely)
        waiting = await timely.CreateTable(service.CreateTableRequest(variant=ref()))
        over = await at_table(timely)
        await over.act(WHITE, **RESIGN_MATCH)
        ids = (waiting.table.id, playing.id, over.id)

        async def expired() -> list[int]:
            for name in ids:
                await tables.expire(name)
            asked = [timely.GetTable(service.GetTableRequest(table=name)) for name in ids]
            return [(await one).state.closed.reason for one in asked]

        gone = table.CLOSE_REASON_EXPIRED
        time.passes(7 * DAY)
        assert await expired() == [0, 0, 0]
        time.passes(1)
        assert await expired() == [gone, 0, 0]
        time.passes(83 * DAY)
        assert await expired() == [gone, gone, 0]
        assert (await playing.get()).state.closed.void


async def test_a_closed_table_is_the_same_after_a_restart(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/a.db"
    async with running(database) as one, channel(one.grpc) as client:
        at, host = await hosted(client)
        await at.throw(1, 3)
        await close(at, host, "enough")
        before = await at.get()
    async with running(database) as two, channel(two.grpc) as client:
        at.client = client
        assert await at.get() == before
        assert (await close(at, host)).state == before.state


@pytest.mark.parametrize("visibility", [table.VISIBILITY_PUBLIC, table.VISIBILITY_PRIVATE])
async def test_a_creation_repeated_brings_the_same_secrets(
    client: Client, visibility: table.Visibility
) -> None:
    request = service.CreateTableRequest(
        variant=ref(), visibility=visibility, request_id=request_id()
    )
    first = await client.CreateTable(request)
    assert await client.CreateTable(request) == first
    assert first.host_token
    secrets = {first.host_token, first.invitation_token, first.spectator_token}
    assert len(secrets) == (3 if visibility == table.VISIBILITY_PRIVATE else 2)


async def test_a_table_whose_log_is_not_legal_any_more_can_be_closed(tmp_path: Path) -> None:
    file = tmp_path / "a.db"
    async with running(f"sqlite:///{file}") as one, channel(one.grpc) as client:
        at, host = await hosted(client)
        await at.throw(1, 3)
        await at.play("8/5 6/5")
    with sqlite3.connect(file) as db:
        body = '{"kind":"play","seat":"black","play":"24/1"}'
        db.execute("UPDATE events SET body = ? WHERE revision = 4", (body,))
    async with running(f"sqlite:///{file}") as two, channel(two.grpc) as client:
        at.client = client
        assert (await refusal_of(at.roll(6, 5))).reason == "RULES_CHANGED"
        closed = await close(at, host)
        assert closed.table.status == table.TABLE_STATUS_CLOSED
        assert (await refusal_of(at.roll(6, 5))).reason in ("RULES_CHANGED", "TABLE_CLOSED")
    async with running(f"sqlite:///{file}") as three, channel(three.grpc) as client:
        at.client = client
        assert (await at.get()).table.status == table.TABLE_STATUS_CLOSED
