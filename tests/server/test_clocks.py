"""Clocks at tables (M10). Time is passed in: nothing here waits."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_server.upkeep_settings import UpkeepSettings
from tests.server.helpers import (
    BLACK,
    DOUBLE,
    FLAG,
    NEXT_GAME,
    ROLL,
    TAKE,
    THROW,
    WHITE,
    AtTable,
    Client,
    at_table,
    ref,
    refusal_of,
    resign,
    running,
)
from tests.server.test_tables import channel

NOT_NOW = grpc.StatusCode.FAILED_PRECONDITION
SECOND = 1_000_000


class Time:
    """What the server's clock shows."""

    def __init__(self) -> None:
        self.shown = 1_800_000_000 * SECOND

    def __call__(self) -> int:
        return self.shown

    def passes(self, seconds: float) -> None:
        self.shown += round(seconds * SECOND)


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
async def client(time: Time) -> AsyncIterator[Client]:
    seldom = UpkeepSettings(sweep_seconds=3600)  # so that only who acts finds what is due
    async with running(now=time, upkeep=seldom) as found:
        async with grpc.aio.insecure_channel(str(found.grpc)) as connected:
            yield Client(connected)
        assert not found.faults.found


def clocked(kind: str = "bronstein", **more: Any) -> pb.VariantRef:
    given: dict[str, Any] = {"match_length": 7, "clock": kind, "bank_fixed": 20, "step": 12}
    return ref(**given | more)


def seconds(left: Duration) -> float:
    return left.ToMicroseconds() / SECOND


def shown(state: table.TableState) -> tuple[int, float, float]:
    clock = state.clock
    return clock.running, seconds(clock.white_left), seconds(clock.black_left)


async def whites_roll(client: Client, variant: pb.VariantRef) -> AtTable:
    """White is to roll, with nothing used by either player."""
    at = await at_table(client, variant)
    await at.throw(1, 3)
    await at.play("8/5 6/5")
    return at


async def test_a_table_without_a_clock_tells_of_none(client: Client, time: Time) -> None:
    at = await at_table(client)
    time.passes(10**6)
    await at.throw(3, 1)
    assert not at.state.HasField("clock")
    found = await at.refused(BLACK, **FLAG)
    assert (found.code, found.reason, found.field) == (NOT_NOW, "NO_CLOCK", "action.flag")
    assert found.info.metadata["rule"] == "M10"


async def test_nobodys_time_runs_while_a_seat_is_free(client: Client, time: Time) -> None:
    start = service.Start(
        position=pb.Position(
            white=pb.Side(points=[15] + [0] * 23),
            black=pb.Side(points=[15] + [0] * 23),
            on_roll=WHITE,
        )
    )
    request = service.CreateTableRequest(variant=clocked(), start=start)
    created = await client.CreateTable(request)
    assert shown(created.state) == (0, 32, 32)
    assert created.state.clock.kind == table.CLOCK_KIND_BRONSTEIN
    tokens: dict[int, str] = {}
    for seat in (WHITE, BLACK):
        time.passes(3600)
        joined = await client.JoinTable(service.JoinTableRequest(table=created.table.id, seat=seat))
        tokens[seat] = joined.token
        at = AtTable(client, created.table.id, tokens, joined.state)
    assert shown(at.state) == (WHITE, 32, 32)
    assert at.state.clock.deadline.ToMicroseconds() == time.shown + 32 * SECOND
    time.passes(12)
    await at.act(**ROLL)
    assert shown(at.state) == (WHITE, 20, 32)


@pytest.mark.parametrize(
    ("kind", "at_first", "after_turn"),
    [
        ("bronstein", 20 + 12, 20 - (18 - 12) + 12),
        ("fischer", 20, 20 - 18 + 12),
        ("per_turn", 18, 18),
    ],
)
async def test_time_is_taken_as_the_clock_says(
    client: Client, time: Time, kind: str, at_first: float, after_turn: float
) -> None:
    step = 18 if kind == "per_turn" else 12
    at = await whites_roll(client, clocked(kind, step=step))
    assert shown(at.state)[:2] == (WHITE, at_first)
    assert at.state.clock.deadline.ToMicroseconds() - time.shown == at_first * SECOND
    time.passes(10)
    await at.roll(6, 5)
    time.passes(8)
    await at.any_play()
    assert shown(at.state)[:2] == (BLACK, after_turn)


async def test_an_opening_throw_and_the_time_between_games_are_nobodys(
    client: Client, time: Time
) -> None:
    at = await at_table(client, clocked())
    time.passes(10**6)
    await at.throw(3, 3)
    assert at.state.clock.running == pb.SEAT_UNSPECIFIED
    time.passes(10**6)
    await at.throw(3, 1)
    assert shown(at.state) == (WHITE, 32, 32)
    await at.act(BLACK, **resign(pb.LEVEL_SINGLE))
    await at.act(WHITE, answer_resignation=table.AnswerResignationAction(accept=True))
    assert at.state.clock.running == pb.SEAT_UNSPECIFIED
    assert not at.state.clock.HasField("deadline")
    time.passes(10**6)
    await at.act(WHITE, **NEXT_GAME)
    assert at.state.match.game_number == 2


async def test_to_use_up_all_time_is_in_time(client: Client, time: Time) -> None:
    at = await whites_roll(client, clocked())
    time.passes(32)
    await at.roll(6, 5)
    assert seconds(at.state.clock.white_left) == 0


async def test_who_acts_too_late_has_lost(client: Client, time: Time) -> None:
    at = await whites_roll(client, clocked())
    before = at.state.revision
    time.passes(33)
    late = await refusal_of(at.act(WHITE, roll=table.RollAction(dice=[6, 5])))
    assert (late.code, late.reason, late.field) == (NOT_NOW, "TIME_OVER", "action.roll")
    assert late.info.metadata["rule"] == "M10"
    assert late.message == "roll: white's time was over 1 s ago"
    found = await at.get()
    match = found.state.match
    assert (match.winner, match.ending) == (BLACK, pb.ENDING_FLAGGED)
    assert (match.white_score, match.black_score) == (0, 0)
    assert found.state.game.phase == table.PHASE_MATCH_OVER
    assert found.table.status == table.TABLE_STATUS_FINISHED
    assert not found.state.HasField("decision")
    request = service.ListEventsRequest(table=at.id, after_revision=before, states=True)
    [event] = (await client.ListEvents(request)).events
    assert (event.seat, event.action.flag.seat) == (pb.SEAT_UNSPECIFIED, WHITE)
    assert event.state == found.state
    assert seconds(event.state.clock.white_left) == -1


async def test_only_to_ask_ends_no_match(client: Client, time: Time) -> None:
    at = await whites_roll(client, clocked())
    time.passes(33)
    late = await at.refused(WHITE, roll=table.RollAction(dice=[6, 5]), validate_only=True)
    assert late.reason == "TIME_OVER"


async def test_what_is_done_when_the_others_time_is_over_comes_too_late_too(
    client: Client, time: Time
) -> None:
    at = await whites_roll(client, clocked())
    time.passes(33)
    late = await refusal_of(at.act(BLACK, **resign(pb.LEVEL_SINGLE)))
    assert late.reason == "TIME_OVER"
    assert (await at.get()).state.match.winner == BLACK


async def test_a_stale_act_too_late_ends_it_as_well(client: Client, time: Time) -> None:
    at = await whites_roll(client, clocked())
    time.passes(33)
    late = await refusal_of(at.act(WHITE, expected_revision=1, **DOUBLE))
    assert late.reason == "TIME_OVER"
    assert (await at.get()).state.match.winner == BLACK


async def test_an_act_that_was_in_time_is_answered_again_when_time_is_over(
    client: Client, time: Time
) -> None:
    at = await whites_roll(client, clocked())
    roll = {"roll": table.RollAction(dice=[6, 5]), "request_id": "one", "expected_revision": 4}
    first = await at.act(WHITE, **roll)
    time.passes(100)
    assert await at.act(WHITE, **roll) == first
    assert (await at.get()).state.match.winner == pb.SEAT_UNSPECIFIED


async def test_the_other_may_claim_it(client: Client, time: Time) -> None:
    at = await whites_roll(client, clocked())
    time.passes(20.5)
    early = await at.refused(BLACK, **FLAG)
    assert (early.code, early.reason, early.field) == (NOT_NOW, "NOT_OUT_OF_TIME", "action.flag")
    assert (early.value, early.info.metadata["rule"]) == ("11.5 s", "M10")
    assert early.message == "flag: white has 11.5 s left"
    time.passes(11.5)
    assert (await at.refused(BLACK, **FLAG)).value == "0 s"
    time.passes(0.000001)
    done = await at.act(BLACK, **FLAG)
    [event] = done.events
    assert (event.seat, event.action.flag.seat) == (BLACK, WHITE)
    assert done.state.match.winner == BLACK


async def test_nobody_claims_it_of_himself(client: Client, time: Time) -> None:
    at = await whites_roll(client, clocked())
    own = await at.refused(WHITE, flag=table.FlagAction(seat=WHITE))
    assert (own.reason, own.field) == ("OWN_FLAG", "action.flag.seat")
    other = await at.refused(WHITE, **FLAG)
    assert (other.code, other.reason, other.field) == (NOT_NOW, "CLOCK_NOT_RUNNING", "action.flag")
    unknown = await at.refused(BLACK, flag=table.FlagAction(seat=9))  # type: ignore[arg-type]
    assert (unknown.reason, unknown.field) == ("SEAT_UNKNOWN", "action.flag.seat")
    time.passes(33)
    late = await refusal_of(at.act(WHITE, **FLAG))
    assert late.reason == "TIME_OVER"
    assert (await at.get()).state.match.winner == BLACK


async def test_running_out_may_cost_the_game_alone(client: Client, time: Time) -> None:
    at = await whites_roll(client, clocked(flag_loses="game"))
    await at.act(**DOUBLE)
    await at.act(**TAKE)
    time.passes(33)
    late = await refusal_of(at.act(WHITE, roll=table.RollAction(dice=[6, 5])))
    assert late.reason == "TIME_OVER"
    state = (await at.get()).state
    result = state.match.last_result
    assert (result.points, result.cube, result.outcome.points) == (2, 2, 1)
    assert (result.outcome.winner, result.outcome.ending) == (BLACK, pb.ENDING_FLAGGED)
    assert state.match.ending == pb.ENDING_UNSPECIFIED
    assert table.ACTION_KIND_NEXT_GAME in state.decision.kinds


async def test_an_answer_has_a_delay_of_its_own(client: Client, time: Time) -> None:
    at = await whites_roll(client, clocked())
    time.passes(10)
    await at.act(**DOUBLE)
    assert shown(at.state) == (BLACK, 22, 32)
    time.passes(15)
    await at.act(**TAKE)
    assert shown(at.state) == (WHITE, 22, 29)


async def test_the_log_gives_the_same_clock_after_a_restart(time: Time, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/clock.db"
    async with running(database, now=time) as server, channel(server.grpc) as client:
        at = await whites_roll(client, clocked())
        time.passes(5)
        await at.roll(6, 5)
        before = await at.get()
    time.passes(2)
    async with running(database, now=time) as server, channel(server.grpc) as client:
        at.client = client
        assert await at.get() == before
        time.passes(26)
        late = await refusal_of(at.any_play())
        assert late.reason == "TIME_OVER"
        flagged = await at.get()
    async with running(database, now=time) as server, channel(server.grpc) as client:
        at.client = client
        assert await at.get() == flagged
        assert flagged.state.match.winner == BLACK


async def test_a_session_needs_a_fixed_bank(client: Client, time: Time) -> None:
    variant = ref(match_length=None, clock="fischer")
    found = await refusal_of(client.CreateTable(service.CreateTableRequest(variant=variant)))
    assert found.code is grpc.StatusCode.INVALID_ARGUMENT
    assert found.info.metadata["rule"] == "M10"


async def test_the_longest_bank_can_be_told(client: Client, time: Time) -> None:
    variant = clocked(match_length=32767, bank_per_point=86400, bank_fixed=None)
    at = await whites_roll(client, variant)
    assert seconds(at.state.clock.white_left) == 32767 * 86400 + 12


async def test_a_bot_acts_at_once(client: Client, time: Time) -> None:
    bot = table.Occupant(bot=table.Bot(id="greedy"))
    variant = clocked("fischer")
    created = await client.CreateTable(service.CreateTableRequest(variant=variant, black=bot))
    joined = await client.JoinTable(service.JoinTableRequest(table=created.table.id))
    at = AtTable(client, created.table.id, {WHITE: joined.token}, joined.state)
    await at.act(WHITE, **THROW)
    request = service.WatchTableRequest(table=at.id, after_revision=at.state.revision)
    watched = client.WatchTable(request)
    while at.state.decision.seat != WHITE or table.ACTION_KIND_ROLL not in at.state.decision.kinds:
        if at.state.decision.seat == WHITE:
            at.state = (await at.get()).state
            await at.any_play()
        at.state = (await anext(aiter(watched))).event.state
    assert seconds(at.state.clock.black_left) == 20 + 12
