"""T4: another match at the same table."""

from __future__ import annotations

import asyncio
import hashlib
from pathlib import Path
from typing import Any

import grpc
import pytest

from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import rules_service_pb2 as rules
from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from tests.server.helpers import (
    BLACK,
    END_SESSION,
    FLAG,
    RESIGN_MATCH,
    ROLL,
    WHITE,
    AtTable,
    Client,
    answer,
    at_table,
    ref,
    refusal_of,
    resign,
    running,
)
from tests.server.test_clocks import Time, shown
from tests.server.test_tables import channel
from tests.server.wanting import (
    MAY_REMATCH,
    VOID,
    any_act,
    asked,
    events,
    may,
    rematch,
    tables_of,
    timed,
)

NOT_NOW = grpc.StatusCode.FAILED_PRECONDITION
INVALID = grpc.StatusCode.INVALID_ARGUMENT
COMMITTED = table.DICE_MODE_COMMITTED
SEEDS = ("white's", "black's")


async def over(client: Client, variant: pb.VariantRef | None = None, **more: Any) -> AtTable:
    """A table whose match Black has won."""
    at = await at_table(client, variant or ref(match_length=3), **more)
    await at.act(WHITE, **RESIGN_MATCH)
    return at


async def export(at: AtTable, number: int = 0) -> service.ExportMatchResponse:
    request = service.ExportMatchRequest(table=at.id, match_number=number)
    answer: service.ExportMatchResponse = await at.client.ExportMatch(request)
    return answer


async def verify(at: AtTable, number: int = 0) -> service.VerifyDiceResponse:
    request = service.VerifyDiceRequest(table=at.id, match_number=number)
    answer: service.VerifyDiceResponse = await at.client.VerifyDice(request)
    return answer


async def test_it_begins_when_both_have_asked(client: Client) -> None:
    at = await over(client)
    assert may(at.state, WHITE) == may(at.state, BLACK) == [MAY_REMATCH]
    one = await at.act(WHITE, **rematch())
    assert asked(one.state) == [(WHITE, MAY_REMATCH)]
    assert not one.state.asked[0].HasField("variant")
    assert may(one.state, WHITE) == []
    assert may(one.state, BLACK) == [MAY_REMATCH]
    assert one.state.match.winner == BLACK
    two = await at.act(BLACK, **rematch())
    assert [event.WhichOneof("kind") for event in two.events] == ["action", "match_started"]
    assert two.events[1].match_started.match_number == 2
    assert two.events[1].seat == pb.SEAT_UNSPECIFIED
    assert two.state.match_number == 2
    assert two.state.game.phase == table.PHASE_OPENING_THROW
    assert (two.state.match.length, two.state.match.black_score, two.state.match.winner) == (
        3,
        0,
        0,
    )
    assert asked(two.state) == []
    found = await at.get()
    assert (found.table.status, found.table.match_number) == (table.TABLE_STATUS_PLAYING, 2)
    await at.throw(6, 1)
    await at.play("13/7 8/7")


async def test_the_seats_stay(client: Client) -> None:
    at = await over(client)
    before = (await at.get()).table
    await at.act(WHITE, **rematch())
    await at.act(BLACK, **rematch())
    after = (await at.get()).table
    assert (after.white, after.black) == (before.white, before.black)
    assert (await at.refused(WHITE, **rematch())).reason == "MATCH_NOT_OVER"


async def test_who_names_no_rules_agrees_to_the_others(client: Client) -> None:
    at = await over(client)
    other = ref("tavla", match_length=5)
    one = await at.act(BLACK, **rematch(other))
    assert one.state.asked[0].variant == other
    two = await at.act(WHITE, **rematch())
    assert two.events[0].action.rematch.variant == other
    started = two.events[1].match_started
    assert started.variant.id == "tavla"
    assert started.options["match_length"].integer == 5
    found = (await at.get()).table
    assert (found.variant, found.options["match_length"].integer) == (other, 5)
    listed = await client.ListTables(service.ListTablesRequest(variant="tavla"))
    assert [one.id for one in listed.tables] == [at.id]
    await at.throw(6, 1)
    await at.any_play()


async def test_other_rules_than_the_others_are_a_wish_anew(client: Client) -> None:
    at = await over(client)
    await at.act(WHITE, **rematch())
    await at.act(BLACK, **rematch(ref("plakoto")))
    assert at.state.match_number == 1
    assert asked(at.state) == [(WHITE, MAY_REMATCH), (BLACK, MAY_REMATCH)]
    await at.act(WHITE, **rematch(ref("tavla")))
    assert at.state.match_number == 1
    await at.act(WHITE, **rematch(ref("plakoto")))
    assert at.state.match_number == 2


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (None, ref(match_length=3)),
        (ref(match_length=3), None),
        (ref("backgammon", match_length=3), ref("western", match_length=3, cube=True)),
        (ref("western", match_length=5), ref("western", "tournament", match_length=5)),
    ],
)
async def test_the_same_rules_in_other_words_are_the_same(
    client: Client, first: pb.VariantRef | None, second: pb.VariantRef | None
) -> None:
    at = await over(client, ref(match_length=3))
    await at.act(WHITE, **rematch(first))
    await at.act(BLACK, **rematch(second))
    assert at.state.match_number == 2


async def test_the_same_wish_in_other_words_has_been_asked(client: Client) -> None:
    at = await over(client)
    await at.act(WHITE, **rematch())
    found = await at.refused(WHITE, **rematch(ref(match_length=3)))
    assert (found.code, found.reason) == (NOT_NOW, "ALREADY_ASKED")


@pytest.mark.parametrize(
    ("variant", "reason"),
    [
        (ref("chess"), "UNKNOWN_VARIANT"),
        (ref("western", "nobody"), "UNKNOWN_PRESET"),
        (ref(jacoby=True), "OPTIONS_CLASH"),
        (ref(match_length=-1), "OPTION_OUT_OF_RANGE"),
        (ref(nothing=1), "UNKNOWN_OPTION"),
    ],
)
async def test_wrong_rules_are_refused_and_nothing_is_asked(
    client: Client, variant: pb.VariantRef, reason: str
) -> None:
    at = await over(client)
    found = await at.refused(WHITE, **rematch(variant))
    assert found.reason == reason
    assert found.field.startswith("action.rematch.variant")
    assert asked(at.state) == []


async def test_nobody_asks_while_a_match_is_on(client: Client) -> None:
    at = await at_table(client)
    found = await at.refused(WHITE, **rematch())
    assert (found.code, found.reason) == (NOT_NOW, "MATCH_NOT_OVER")
    assert found.info.metadata["rule"] == "T4"


async def test_a_session_that_is_ended_is_over(client: Client) -> None:
    at = await at_table(client, ref("tavla", match_length=None))
    await at.throw(1, 3)
    await at.act(WHITE, **resign(pb.LEVEL_SINGLE))
    await at.act(BLACK, **answer(accept=True))
    await at.act(WHITE, **END_SESSION)
    await at.act(WHITE, **rematch())
    await at.act(BLACK, **rematch())
    assert at.state.match_number == 2


async def test_each_match_is_exported_by_its_number_and_plays_again(client: Client) -> None:
    at = await at_table(client, ref(match_length=1), table.DICE_MODE_SEEDED, seed=5)
    for number in (1, 2, 3):
        for _ in range(2 * number):
            await any_act(at)
        await at.act(WHITE, **RESIGN_MATCH)
        if number < 3:
            variant = ref("tavla", match_length=1) if number == 1 else None
            await at.act(WHITE, **rematch(variant))
            await at.act(BLACK, **rematch())
    texts = [await export(at, number) for number in (1, 2, 3)]
    assert (await export(at)).text == texts[2].text
    assert [one.file_name.split(".")[0] for one in texts] == [f"{at.id}-{n}" for n in (1, 2, 3)]
    lengths = []
    for one in texts:
        replayed = await client.ReplayMatch(rules.ReplayMatchRequest(text=one.text))
        [match] = replayed.matches
        assert not match.faults
        lengths.append(len(one.text.splitlines()))
    assert lengths == sorted(lengths)
    assert '"variant":"tavla"' in texts[1].text
    assert '"variant":"tavla"' in texts[2].text
    found = await refusal_of(export(at, 4))
    assert (found.code, found.reason) == (grpc.StatusCode.OUT_OF_RANGE, "MATCH_NOT_REACHED")


async def test_seeded_dice_go_on(client: Client) -> None:
    at = await at_table(client, ref(match_length=1), table.DICE_MODE_SEEDED, seed=5)
    await any_act(at)
    first = list(at.state.game.turn.dice)
    await at.act(WHITE, **RESIGN_MATCH)
    await at.act(WHITE, **rematch())
    await at.act(BLACK, **rematch())
    await any_act(at)
    again = await at_table(client, ref(match_length=1), table.DICE_MODE_SEEDED, seed=5)
    await any_act(again)
    assert list(again.state.game.turn.dice) == first


# -- committed dice ---------------------------------------------------------------------------------


async def test_the_next_commitment_is_told_before_anybody_chooses_a_seed(client: Client) -> None:
    at = await at_table(client, ref(match_length=1), COMMITTED, SEEDS)
    told = [at.state.next_commitment]
    for number in (1, 2, 3):
        assert at.state.dice.server_seed == ""
        for _ in range(4):
            await any_act(at)
        assert at.state.next_commitment == told[-1]
        await at.act(WHITE, **RESIGN_MATCH)
        seed = bytes.fromhex(at.state.dice.server_seed)
        assert hashlib.sha256(seed).hexdigest() == at.state.dice.commitment
        await at.act(BLACK, **rematch(seed=f"black's {number}"))
        await at.act(WHITE, **rematch(seed=f"white's {number}"))
        assert at.state.dice.commitment == told[-1]
        assert (at.state.dice.white_seed, at.state.dice.black_seed) == (
            f"white's {number}",
            f"black's {number}",
        )
        told.append(at.state.next_commitment)
    assert len(set(told)) == 4
    for number in (1, 2, 3):
        found = await verify(at, number)
        assert found.legal
        assert not found.faults
        assert len(found.throws) >= 2
        assert [one.number for one in found.throws] == list(range(len(found.throws)))
    assert (await refusal_of(verify(at, 4))).reason == "SERVER_SEED_SECRET"
    assert (await refusal_of(verify(at))).reason == "SERVER_SEED_SECRET"
    assert (await refusal_of(verify(at, 5))).reason == "MATCH_NOT_REACHED"
    by_event = {event.revision: event.action for event in await events(at)}
    for one in (await verify(at, 2)).throws:
        action = by_event[one.revision]
        assert [*action.throw.dice, *action.roll.dice] == list(one.dice)


@pytest.mark.parametrize(
    ("seed", "reason"),
    [("", "DICE_SEED_MISSING"), ("x" * 65, "BAD_DICE_PROOF"), ("a\nb", "BAD_DICE_PROOF")],
)
async def test_committed_dice_want_a_seed(client: Client, seed: str, reason: str) -> None:
    at = await at_table(client, ref(match_length=1), COMMITTED, SEEDS)
    await at.act(WHITE, **RESIGN_MATCH)
    found = await at.refused(WHITE, **rematch(seed=seed))
    assert (found.code, found.reason, found.field) == (INVALID, reason, "action.rematch.dice_seed")


async def test_other_dice_take_none(client: Client) -> None:
    at = await over(client)
    assert (await at.refused(WHITE, **rematch(seed="mine"))).reason == "DICE_SEED_UNUSED"


async def test_a_bots_seed_is_known_before_the_players(client: Client) -> None:
    made = await client.CreateTable(
        service.CreateTableRequest(
            variant=ref(match_length=1),
            dice_mode=COMMITTED,
            black=table.Occupant(bot=table.Bot(id="random")),
        )
    )
    bots = made.state.dice.black_seed
    assert bots
    joined = await client.JoinTable(service.JoinTableRequest(table=made.table.id, dice_seed="mine"))
    at = AtTable(client, made.table.id, {WHITE: joined.token}, joined.state)
    await at.act(WHITE, **RESIGN_MATCH)
    answered = await at.act(WHITE, **rematch(seed="mine again"))
    kinds = [event.WhichOneof("kind") for event in answered.events]
    assert kinds == ["action", "action", "match_started"]
    assert [event.seat for event in answered.events] == [WHITE, BLACK, 0]
    assert answered.state.match_number == 2
    dice = answered.state.dice
    assert (dice.white_seed, dice.black_seed) == ("mine again", bots)


async def test_a_bot_plays_the_next_match_too(client: Client) -> None:
    made = await client.CreateTable(
        service.CreateTableRequest(
            variant=ref(match_length=1),
            dice_mode=table.DICE_MODE_SEEDED,
            seed=1,
            black=table.Occupant(bot=table.Bot(id="greedy")),
        )
    )
    joined = await client.JoinTable(service.JoinTableRequest(table=made.table.id))
    at = AtTable(client, made.table.id, {WHITE: joined.token}, joined.state)
    for variant in ("tavla", "gul-bara", "plakoto"):
        await at.act(WHITE, expected_revision=(await at.get()).state.revision, **RESIGN_MATCH)
        await at.act(WHITE, **rematch(ref(variant, match_length=1)))
        await any_act(at)
        async with asyncio.timeout(20):
            while True:
                at.state = (await at.get()).state
                if at.state.decision.seat == WHITE:
                    break
                await asyncio.sleep(0.01)
        await any_act(at)


# -- time, races, restarts --------------------------------------------------------------------------


async def test_the_clock_starts_anew(tmp_path: Path) -> None:
    time = Time()
    async with timed(time) as (_, client):
        clocked = ref(match_length=1, clock="bronstein", bank_fixed=20, step=12)
        at = await at_table(client, clocked)
        await at.throw(1, 3)
        time.passes(30)
        await at.play("8/5 6/5")
        await at.act(WHITE, **RESIGN_MATCH)
        assert not at.state.HasField("deadline")
        time.passes(1000)
        await at.act(WHITE, **rematch())
        time.passes(1000)
        await at.act(BLACK, **rematch())
        assert shown(at.state) == (0, 32, 32)
        await at.throw(1, 3)
        assert shown(at.state) == (BLACK, 32, 32)
        await at.act(WHITE, **RESIGN_MATCH)
        await at.act(WHITE, **rematch(ref(match_length=1)))
        await at.act(BLACK, **rematch())
        assert not at.state.HasField("clock")


async def test_a_late_flag_never_hits_another_match(tmp_path: Path) -> None:
    time = Time()
    async with timed(time) as (found, client):
        at = await at_table(client, ref(match_length=1, clock="per_turn", step=12))
        await at.throw(1, 3)
        time.passes(13)
        seen = at.state.revision
        assert (await refusal_of(at.act(WHITE, **ROLL))).reason == "TIME_OVER"
        at.state = (await at.get()).state
        assert at.state.match.winner == WHITE
        late = service.ActRequest(table=at.id, action=table.Action(**FLAG))
        assert (await refusal_of(client.Act(late, token=at.tokens[WHITE]))).reason
        await at.act(WHITE, **rematch())
        await at.act(BLACK, **rematch())
        await at.throw(1, 3)
        before = await at.get()
        for seat in (WHITE, BLACK):
            for revision in (None, seen):
                late = service.ActRequest(
                    table=at.id, action=table.Action(**FLAG), expected_revision=revision
                )
                refusal = await refusal_of(client.Act(late, token=at.tokens[seat]))
                assert refusal.code in (NOT_NOW, grpc.StatusCode.ABORTED)
        await tables_of(found).attend(at.id)
        assert await at.get() == before


async def test_a_sweep_and_a_rematch_at_the_same_moment(tmp_path: Path) -> None:
    time = Time()
    async with timed(time) as (found, client):
        variant = ref(match_length=1, absence=60, abandonment=600)
        at = await at_table(client, variant)
        for _ in range(5):
            await at.throw(1, 3)
            time.passes(61)
            sweeps = [tables_of(found).attend(at.id) for _ in range(3)]
            await asyncio.gather(*sweeps)
            at.state = (await at.get()).state
            assert at.state.match.winner == WHITE
            await at.act(WHITE, **rematch())
            agreed = at.act(BLACK, **rematch())
            await asyncio.gather(agreed, *(tables_of(found).attend(at.id) for _ in range(3)))
            assert at.state.revision == (await at.get()).state.revision
            assert not at.state.match.winner
        kinds = [event.action.WhichOneof("kind") for event in await events(at)]
        assert kinds.count("flag") == 5


async def test_two_who_agree_at_once_begin_one_match(client: Client) -> None:
    at = await over(client)
    calls = []
    for seat in (WHITE, BLACK, WHITE, BLACK):
        request = service.ActRequest(table=at.id, action=table.Action(**rematch()))
        calls.append(client.Act(request, token=at.tokens[seat]))
    await asyncio.gather(*calls, return_exceptions=True)
    assert (await at.get()).state.match_number == 2


async def test_a_restart_keeps_matches_and_wishes(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/a.db"
    async with running(database) as one, channel(one.grpc) as client:
        at = await at_table(client, ref(match_length=1), COMMITTED, SEEDS)
        await any_act(at)
        await at.act(WHITE, **RESIGN_MATCH)
        await at.act(WHITE, **rematch(ref("tavla", match_length=1), seed="w"))
        before = await at.get()
    async with running(database) as two, channel(two.grpc) as client:
        at.client = client
        assert await at.get() == before
        next_one = before.state.next_commitment
        await at.act(BLACK, **rematch(seed="b"))
        assert at.state.dice.commitment == next_one
        await any_act(at)
        first = await export(at, 1)
        before = await at.get()
    async with running(database) as three, channel(three.grpc) as client:
        at.client = client
        assert await at.get() == before
        again = await export(at, 1)
        assert again == first
        assert (await verify(at, 1)).legal
        await any_act(at)
        await at.act(WHITE, **VOID)
        await at.act(BLACK, **VOID)
        assert (await verify(at, 2)).legal
