"""T1: what the server does for a player."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_server.tables import wishes
from tests.server.helpers import (
    BLACK,
    DOUBLE,
    RESIGN_MATCH,
    ROLL,
    TAKE,
    WHITE,
    AtTable,
    Client,
    at_table,
    ref,
    running,
    side,
)
from tests.server.test_tables import channel
from tests.server.wanting import any_act, events, rematch

SEEDED = table.DICE_MODE_SEEDED
CHOICES = {
    table.ACTION_KIND_DOUBLE,
    table.ACTION_KIND_TAKE,
    table.ACTION_KIND_DROP,
    table.ACTION_KIND_ANIMAL,
    table.ACTION_KIND_ANSWER_RESIGNATION,
    table.ACTION_KIND_NEXT_GAME,
    table.ACTION_KIND_CORRECT,
}


def at_once(**more: Any) -> pb.VariantRef:
    """Rules under which the server does all that it may."""
    return ref(auto_roll=True, auto_play=True, auto_pass=True, **more)


def race(white: dict[int, int], black: dict[int, int], **more: Any) -> service.Start:
    position = pb.Position(white=side(white), black=side(black), on_roll=WHITE, **more)
    return service.Start(position=position)


def kinds(told: Any) -> list[tuple[str, int, bool]]:
    return [
        (one.action.WhichOneof("kind") or one.WhichOneof("kind"), one.seat, one.automatic)
        for one in told
    ]


async def test_the_opening_is_thrown_when_the_second_sits_down(client: Client) -> None:
    at = await at_table(client, ref(auto_roll=True), SEEDED, seed=1)
    told = await events(at)
    throws = [one for one in told if one.action.WhichOneof("kind") == "throw"]
    assert throws
    assert all(one.automatic and one.seat == 0 for one in throws)
    assert all(not one.automatic for one in told if one.HasField("seat_taken"))
    assert (await at.get()).state.game.phase == table.PHASE_PLAY


async def test_the_answer_to_a_join_is_the_moment_of_the_join(client: Client) -> None:
    at = await at_table(client, ref(auto_roll=True), SEEDED, seed=1)
    assert at.state.revision == 2
    assert at.state.game.phase == table.PHASE_OPENING_THROW


async def test_a_roll_is_made_where_there_is_nothing_else_to_do(client: Client) -> None:
    at = await at_table(client, ref("tavla", auto_roll=True), SEEDED, seed=2)
    at.state = (await at.get()).state
    seat = at.decider
    done = await at.any_play()
    assert kinds(done.events) == [("play", seat, False), ("roll", 3 - seat, True)]
    assert done.last_revision == done.first_revision + 1
    assert done.state.game.phase == table.PHASE_PLAY


async def test_who_may_double_is_asked(client: Client) -> None:
    at = await at_table(client, ref(auto_roll=True), SEEDED, seed=2)
    at.state = (await at.get()).state
    done = await at.any_play()
    assert len(done.events) == 1
    assert done.state.game.phase == table.PHASE_ROLL
    doubled = await at.act(**DOUBLE)
    assert len(doubled.events) == 1
    # The cube is Black's now, so White can only roll.
    taken = await at.act(**TAKE)
    assert [one.automatic for one in taken.events] == [False, True]


async def test_each_option_does_its_own_only(client: Client) -> None:
    start = race({1: 2}, {1: 2})
    cases: list[tuple[dict[str, Any], list[str]]] = [
        ({}, ["roll"]),
        ({"auto_pass": True}, ["roll"]),
        ({"auto_play": True}, ["roll", "play"]),
        ({"auto_play": True, "auto_roll": True}, ["roll", "play"]),
    ]
    for options, told in cases:
        at = await at_table(client, ref("tavla", **options), SEEDED, seed=2, start=start)
        at.state = (await at.get()).state
        if at.state.decision.kinds[0] == table.ACTION_KIND_ROLL:
            await at.act(**ROLL)
        done = [one.action.WhichOneof("kind") for one in await events(at)]
        assert [one for one in done if one] == told, options


async def test_who_can_play_nothing_passes(client: Client) -> None:
    closed = {1: 2, 2: 2, 3: 2, 4: 2, 5: 2, 6: 2, 7: 2, 8: 1}
    position = pb.Position(white=side(closed), black=side({6: 7, 8: 7}, bar=1), on_roll=BLACK)
    variant = ref("tavla", auto_pass=True)
    at = await at_table(client, variant, SEEDED, seed=2, start=service.Start(position=position))
    done = await at.act(BLACK, **ROLL)
    assert kinds(done.events) == [("roll", BLACK, False), ("play", BLACK, True)]
    assert done.state.decision.seat == WHITE
    off = await at_table(
        client, ref("tavla", auto_play=True), SEEDED, start=service.Start(position=position)
    )
    assert len((await off.act(BLACK, **ROLL)).events) == 1


async def test_dice_that_the_players_throw_are_left_to_them(client: Client) -> None:
    at = await at_table(client, at_once(match_length=1))
    assert at.state.game.phase == table.PHASE_OPENING_THROW
    assert len(await events(at)) == 2
    await at.throw(1, 3)
    await at.play("8/5 6/5")
    assert at.state.game.phase == table.PHASE_ROLL
    # What is no throw is done all the same.
    race_ = await at_table(client, at_once(match_length=1), start=race({1: 1}, {1: 1}))
    done = await race_.roll(6, 5)
    assert kinds(done.events) == [("roll", WHITE, False), ("play", WHITE, True)]
    assert done.state.match.winner == WHITE


async def test_an_illegal_play_stays_correctable(client: Client) -> None:
    variant = at_once(match_length=1, illegal_moves="until_next_roll")
    at = await at_table(client, variant, SEEDED, seed=3)
    at.state = (await at.get()).state
    seat = at.decider
    numbers = list(at.state.game.turn.dice)
    assert numbers
    for text in ("13/12", "24/23", "6/5"):
        try:
            done = await at.play(text)
        except Exception:
            continue
        break
    assert done.state.game.correctable == seat
    assert len(done.events) == 1


async def test_no_game_is_started(client: Client) -> None:
    at = await at_table(client, at_once(match_length=3), SEEDED, seed=2, start=race({1: 1}, {1: 1}))
    at.state = (await at.get()).state
    if at.state.match.white_score == 0:
        await at.act(**ROLL)
    assert at.state.decision.kinds[0] == table.ACTION_KIND_NEXT_GAME
    assert at.state.match.white_score == 1
    done = await at.act(next_game=table.NextGameAction())
    assert done.events[1].action.HasField("throw")
    assert done.events[1].automatic


async def test_the_next_match_is_thrown_for(client: Client) -> None:
    at = await at_table(client, at_once(match_length=1), SEEDED, seed=2)
    at.state = (await at.get()).state
    await at.act(WHITE, **RESIGN_MATCH)
    await at.act(WHITE, **rematch())
    done = await at.act(BLACK, **rematch())
    told = [one.WhichOneof("kind") for one in done.events]
    assert told[:2] == ["action", "match_started"]
    assert done.events[2].action.HasField("throw")
    assert done.events[2].automatic
    assert done.state.game.phase == table.PHASE_PLAY


@pytest.mark.parametrize("variant", ["western", "tavla", "plakoto", "gul-bara"])
async def test_a_choice_is_never_taken_away(client: Client, variant: str) -> None:
    """Before each automatic event there was one thing to do, resigning aside."""
    at = await at_table(
        client,
        ref(variant, auto_roll=True, auto_play=True, auto_pass=True, match_length=1),
        SEEDED,
        seed=4,
    )
    at.state = (await at.get()).state
    for _ in range(150):
        if not at.state.HasField("decision"):
            break
        await any_act(at)
    told = await events(at, states=True, view=pb.PLAY_VIEW_COLUMNS)
    automatic = 0
    for before, event in pairwise(told):
        if not event.automatic:
            continue
        automatic += 1
        decision = before.state.decision
        free = [one for one in decision.kinds if one not in RESIGNING]
        assert len(free) == 1
        assert not CHOICES & set(free)
        if event.action.HasField("play"):
            assert len(decision.plays.lengths) <= 1
    assert automatic > 10


RESIGNING = {table.ACTION_KIND_RESIGN, table.ACTION_KIND_RESIGN_MATCH}


async def test_somebody_must_act_after_so_many(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wishes, "MOST_AUTOMATIC", 5)
    start = race({1: 15}, {1: 15})
    at = await at_table(client, at_once(match_length=1, cube=False), SEEDED, start=start)
    told = await events(at)
    assert sum(one.automatic for one in told) == 5
    at.state = (await at.get()).state
    done = await any_act(at)
    assert sum(one.automatic for one in done.events) <= 5


async def test_automatic_acts_are_told_as_such_everywhere(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/a.db"
    async with running(database) as one, channel(one.grpc) as client:
        at = await at_table(client, at_once(match_length=1), SEEDED, seed=2)
        watch = client.WatchTable(service.WatchTableRequest(table=at.id, after_revision=0))
        at.state = (await at.get()).state
        await any_act(at)
        watched = [(await watch.read()).event for _ in range(at.state.revision)]
        watch.cancel()
        listed = await events(at)
        assert kinds(watched) == kinds(listed)
        assert any(one.automatic for one in listed)
        before = await at.get()
    async with running(database) as two, channel(two.grpc) as client:
        at.client = client
        assert await at.get() == before
        assert await events(at) == listed


async def test_a_repetition_brings_all_of_it(client: Client) -> None:
    at = await at_table(client, at_once(match_length=1, cube=False), SEEDED, seed=2)
    at.state = (await at.get()).state
    plays = at.state.decision.plays
    steps = pb.PlaySteps(
        origins=plays.origins[: plays.lengths[0]], numbers=plays.numbers[: plays.lengths[0]]
    )
    act: dict[str, Any] = {"play": table.PlayAction(play=pb.Play(steps=steps))}
    seat, seen = at.decider, at.state.revision
    first = await at.act(seat, **act, request_id="once")
    again = await at.act(seat, **act, request_id="once", expected_revision=seen)
    assert again == first
    assert len(first.events) > 1
    assert {one.request_id for one in first.events} == {"once"}


async def test_bots_and_the_server_go_together(client: Client) -> None:
    made = await client.CreateTable(
        service.CreateTableRequest(
            variant=at_once(match_length=1),
            dice_mode=SEEDED,
            seed=3,
            black=table.Occupant(bot=table.Bot(id="greedy")),
        )
    )
    joined = await client.JoinTable(service.JoinTableRequest(table=made.table.id))
    at = AtTable(client, made.table.id, {WHITE: joined.token}, joined.state)
    async with asyncio.timeout(60):
        while True:
            at.state = (await at.get()).state
            if at.state.match.winner:
                break
            if at.state.decision.seat == WHITE:
                await any_act(at)
            await asyncio.sleep(0)
