"""Reported faults of servers: repeated messages, dice thrown again, commands after the end."""

from __future__ import annotations

import asyncio
from typing import Any

import grpc
import pytest

from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
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
    answer,
    at_table,
    ref,
    refusal_of,
    resign,
    running,
    side,
)
from tests.server.wanting import events, tables_of

SINGLE = pb.LEVEL_SINGLE
SECOND = 1_000_000


async def opened(client: Client, **options: Any) -> AtTable:
    """A table where White has played 3-1 and Black is on roll."""
    at = await at_table(client, ref(**options))
    await at.throw(3, 1)
    await at.play("8/5 6/5")
    return at


async def test_F21_a_resignation_sent_three_times_counts_once(client: Client) -> None:
    at = await opened(client, match_length=None, jacoby=False)
    seen = at.state.revision
    first = await at.act(WHITE, **resign(SINGLE), request_id="click")
    for revision in (seen, at.state.revision):
        again = await at.act(
            WHITE, **resign(SINGLE), request_id="click", expected_revision=revision
        )
        assert again == first
    await at.act(BLACK, **answer(True), request_id="yes")
    assert (at.state.match.white_score, at.state.match.black_score) == (0, 1)
    await at.act(WHITE, **NEXT_GAME)
    before = await at.get()
    assert await at.act(WHITE, **resign(SINGLE), request_id="click") == first
    assert await at.get() == before
    at.state = before.state
    stale = await at.refused(WHITE, **resign(SINGLE), expected_revision=seen)
    assert (stale.code, stale.reason) == (grpc.StatusCode.ABORTED, "STALE_REVISION")
    assert (before.state.match.white_score, before.state.match.black_score) == (0, 1)


async def test_F30_the_dice_stay_whatever_the_client_sends(client: Client) -> None:
    at = await at_table(client, dice_mode=table.DICE_MODE_SEEDED, seed=3)
    await at.act(**THROW)
    await at.any_play()
    await at.act(**ROLL)
    dice = list(at.state.game.turn.dice)
    assert dice
    for text in ("24/23 24/23", "8/13", "13/off", "pass"):
        found = await at.refused(play=table.PlayAction(play=pb.Play(text=text)))
        assert found.code in (
            grpc.StatusCode.FAILED_PRECONDITION,
            grpc.StatusCode.INVALID_ARGUMENT,
        )
    for action in (ROLL, THROW):
        assert (await at.refused(**action)).reason == "NOT_NOW"
    assert list((await at.get()).state.game.turn.dice) == dice


async def test_F31_after_the_game_every_command_is_refused_and_the_server_lives(
    client: Client,
) -> None:
    at = await opened(client, match_length=3)
    await at.act(WHITE, **resign(pb.LEVEL_SINGLE))
    await at.act(BLACK, **answer(True))
    for seat in (WHITE, BLACK):
        for action in (
            {"roll": table.RollAction(dice=[3, 1])},
            {"play": table.PlayAction(play=pb.Play(text="8/5 6/5"))},
            DOUBLE,
            TAKE,
            resign(SINGLE),
        ):
            found = await at.refused(seat, **action)
            assert (found.code, found.reason) == (
                grpc.StatusCode.FAILED_PRECONDITION,
                "GAME_OVER",
            )
    await at.act(**NEXT_GAME)
    assert at.state.game.phase == table.PHASE_OPENING_THROW


@pytest.mark.parametrize(
    "steps",
    [(8, 0), (0, 3), (26, 3), (10**9, 3), (8, 10**9), (8, 5), (25, 3)],
)
async def test_F31_a_step_that_is_none_is_refused(client: Client, steps: tuple[int, int]) -> None:
    at = await at_table(client)
    await at.throw(3, 1)
    origin, number = steps
    columns = pb.PlaySteps(origins=[origin], numbers=[number])
    found = await at.refused(play=table.PlayAction(play=pb.Play(steps=columns)))
    assert found.reason
    for text in ("8/13", "6/6", "-1/2", "26/20", "1000000000/3"):
        assert (await at.refused(play=table.PlayAction(play=pb.Play(text=text)))).reason
    await at.play("8/5 6/5")


@pytest.mark.parametrize("timed", [{"clock": "per_turn", "step": 60}, {"absence": 60}])
async def test_F32_time_of_an_old_match_does_not_end_a_new_one(timed: dict[str, Any]) -> None:
    now = 1_800_000_000 * SECOND
    async with (
        running(now=lambda: now) as server,
        grpc.aio.insecure_channel(str(server.grpc)) as channel,
    ):
        client = Client(channel)
        old = await opened(client, **timed)
        now += 50 * SECOND
        await old.act(WHITE, resign_match=table.ResignMatchAction())
        new = await opened(client, **timed)
        before = await new.get()
        now += 20 * SECOND  # by now the old match would be out of time
        found = await old.refused(WHITE, **FLAG)
        assert (found.code, found.reason) == (
            grpc.StatusCode.FAILED_PRECONDITION,
            "MATCH_OVER",
        )
        assert (await new.refused(WHITE, **FLAG)).code is grpc.StatusCode.FAILED_PRECONDITION
        assert await new.get() == before
        await new.roll(3, 1)
        assert new.state.game.phase == table.PHASE_PLAY


async def both_gone(**options: Any) -> table.TableState:
    """The table that both players left for 61 seconds: their watches have ended, nobody acts, a server looks."""
    now = 1_800_000_000 * SECOND
    async with (
        running(now=lambda: now) as found,
        grpc.aio.insecure_channel(str(found.grpc)) as channel,
    ):
        at = await opened(Client(channel), match_length=3, **options)
        for seat in (WHITE, BLACK):
            request = service.WatchTableRequest(table=at.id)
            watch = at.client.WatchTable(request, token=at.tokens[seat])
            await watch.read()
            watch.cancel()
        now += 61 * SECOND
        await tables_of(found)._upkeep.sweep()
        left = (await at.get()).state
        now += 1_000 * SECOND
        await tables_of(found)._upkeep.sweep()
        assert (await at.get()).state == left
        return left


async def test_F32_a_table_that_both_have_left_is_closed_without_a_winner() -> None:
    left = await both_gone(absence=60, abandonment=30)
    assert left.closed.reason == table.CLOSE_REASON_ABANDONED
    assert (left.closed.void, left.match.winner) == (True, 0)
    assert (left.match.white_score, left.match.black_score) == (0, 0)


async def test_F32_where_only_absence_counts_who_had_to_decide_loses_though_both_are_gone() -> None:
    left = await both_gone(absence=60)  # T2: Black is on roll
    assert (left.match.winner, left.HasField("closed")) == (WHITE, False)


async def test_F33_a_forced_play_from_two_tabs_is_made_once(client: Client) -> None:
    start = pb.Position(
        white=side({6: 14}, bar=1),
        black=side({8: 3, 6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2}),
        on_roll=WHITE,
    )
    at = await at_table(client, start=service.Start(position=start))
    await at.roll(6, 1)
    forced = table.PlayAction(play=pb.Play(text="pass"))

    async def tab() -> str:
        request = service.ActRequest(
            table=at.id,
            action=table.Action(play=forced),
            expected_revision=at.state.revision,
        )
        try:
            await client.Act(request, token=at.tokens[WHITE])
        except grpc.aio.AioRpcError:
            return (await refusal_of(client.Act(request, token=at.tokens[WHITE]))).reason
        return "made"

    answers = await asyncio.gather(*(tab() for _ in range(4)))
    assert sorted(answers) == ["STALE_REVISION"] * 3 + ["made"]
    after = (await at.get()).state
    assert (after.revision, after.decision.seat) == (at.state.revision + 1, BLACK)
    assert after.game.phase == table.PHASE_ROLL


async def test_F33_where_the_table_makes_forced_plays_the_tabs_cannot_make_another(
    client: Client,
) -> None:
    # 24/17 whichever number comes first; then Black would have to roll.
    start = pb.Position(white=side({24: 1}), black=side({6: 2}), on_roll=WHITE)
    at = await at_table(client, ref(auto_play=True), start=service.Start(position=start))
    seen = at.state.revision
    tabs = [client.WatchTable(service.WatchTableRequest(table=at.id)) for _ in range(4)]
    for tab in tabs:
        await tab.read()
    await at.roll(6, 1)
    rolled, played = seen + 1, seen + 2

    async def sends(tab: Any) -> list[str]:
        """What a tab hears that plays the forced play for each update."""
        answers = []
        while True:
            revision = (await tab.read()).event.revision
            request = service.ActRequest(
                table=at.id,
                action=table.Action(play=table.PlayAction(play=pb.Play(text="24/17"))),
                expected_revision=revision,
            )
            answers.append((await refusal_of(client.Act(request, token=at.tokens[WHITE]))).reason)
            if revision == played:
                return answers

    for answers in await asyncio.gather(*map(sends, tabs)):
        assert answers == ["STALE_REVISION", "NOT_YOUR_TURN"]
    for tab in tabs:
        tab.cancel()
    told = [one for one in await events(at) if one.revision >= rolled]
    assert [(one.action.WhichOneof("kind"), one.automatic) for one in told] == [
        ("roll", False),
        ("play", True),
    ]
    after = (await at.get()).state
    assert (after.revision, after.decision.seat) == (played, BLACK)
    assert after.game.phase == table.PHASE_ROLL
