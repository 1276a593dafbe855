"""Nothing acknowledged is lost, whatever happens to the server or the line."""

from __future__ import annotations

import asyncio
import random
from contextlib import aclosing
from pathlib import Path

import pytest

from bgcore.replay import ReplayedMatch, matches_in
from bgcore_client import BLACK, WHITE, AsyncClient, Client, Plays, actions, bot, messages
from tests.wire.matches import NO_PLAYS, PlayedMatch, ends_as_recorded, watched, wire, without_state
from tests.wire.process import ServerProcess
from tests.wire.proxy import Proxy

REAL_MATCH = "studio-004.txt"  # seven games, 194 rolls


async def play_through_crashes(
    server: ServerProcess, recorded: ReplayedMatch, chance: random.Random
) -> None:
    """Plays a match while the server is killed: right after acts it has acknowledged, and during others."""
    moments = sorted(chance.sample(range(1, len(recorded.record.actions) - 1), 8))
    async with AsyncClient(server.grpc, timeout=60) as client:
        match = await PlayedMatch.begin(client, recorded)
        watch = asyncio.create_task(watched(match.table, match.last_revision))
        for number, moment in enumerate(moments):
            await match.play(until=moment)
            if number % 2:
                await kill_during_an_act(server, match, chance)
            else:
                await kill_after_an_act(server, match)
            await match.check_log()
        await match.play()
        await match.check_log()
        assert ends_as_recorded(match)
        logged = [event async for event in match.table.events()]
        assert list(map(without_state, await watch)) == logged
    assert server.starts == 1 + len(moments)


async def kill_after_an_act(server: ServerProcess, match: PlayedMatch) -> None:
    answer = await match.act()
    server.kill()
    await asyncio.to_thread(server.start)
    assert (await match.table.get(NO_PLAYS)).state == answer.state
    number = match.done - 1
    action = match.actions[number]
    again = await match.seat_of(action).act(
        wire(action),
        request_id=f"action {number}",
        expected_revision=answer.first_revision - 1,
        view=NO_PLAYS,
    )
    assert again == answer


async def kill_during_an_act(
    server: ServerProcess, match: PlayedMatch, chance: random.Random
) -> None:
    # About as long as an act takes, so that some are in the log by then and some are not.
    act = asyncio.create_task(match.act())
    await asyncio.sleep(chance.uniform(0, 0.004))
    server.kill()
    await asyncio.to_thread(server.start)
    await act


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
async def test_a_match_goes_on_to_its_end_though_the_server_is_killed_again_and_again(
    mortal: ServerProcess, sample: ReplayedMatch, seed: int
) -> None:
    await play_through_crashes(mortal, sample, random.Random(seed))


@pytest.mark.slow
async def test_a_real_match_goes_on_to_its_end_though_the_server_is_killed_again_and_again(
    mortal: ServerProcess, real: Path
) -> None:
    [recorded] = matches_in((real / "western" / REAL_MATCH).read_text(encoding="utf-8"))
    await play_through_crashes(mortal, recorded, random.Random(3))


@pytest.mark.slow
async def test_many_busy_tables_survive_a_server_that_is_killed(
    mortal: ServerProcess, sample: ReplayedMatch
) -> None:
    chance = random.Random(4)
    async with AsyncClient(mortal.grpc, timeout=60) as client:
        matches = [await PlayedMatch.begin(client, sample) for _ in range(8)]
        playing = asyncio.gather(*(match.play() for match in matches))
        for _ in range(3):
            await asyncio.sleep(chance.uniform(0.2, 0.6))
            assert not playing.done()
            mortal.kill()
            await asyncio.to_thread(mortal.start)
        await playing
        for match in matches:
            await match.check_log()
            assert ends_as_recorded(match)


async def test_an_act_whose_answer_is_lost_is_done_once(
    server: ServerProcess, client: Client, sample: ReplayedMatch
) -> None:
    async with Proxy(server.grpc) as line, AsyncClient(line.target, timeout=60) as lossy:
        match = await PlayedMatch.begin(lossy, sample)
        for revision in range(3, 13):
            line.loses_answers = True
            act = asyncio.create_task(match.act())
            while client.table(match.table.id).get().state.revision < revision:
                await asyncio.sleep(0.001)
            assert not act.done()
            line.cut()
            line.loses_answers = False
            assert (await act).last_revision == revision
        await match.check_log()
        assert line.connections > 10


async def test_joining_again_with_the_same_request_id_gives_the_same_token(
    mortal: ServerProcess,
) -> None:
    with Client(mortal.grpc) as client:
        table = client.create_table("western", request_id="the table of this test")
        first = table.join(WHITE, "Ann", request_id="a long secret of Ann's").key
        mortal.restart()
        assert table.join(WHITE, "Ann", request_id="a long secret of Ann's").key == first
        again = client.create_table("western", request_id="the table of this test")
        assert again.id == table.id
        assert table.get().state.revision == 1


def test_a_bot_goes_on_after_the_server_was_killed(mortal: ServerProcess) -> None:
    with Client(mortal.grpc, timeout=60) as client:
        table = client.create_table(
            "western", black=bot("greedy"), dice=messages.DICE_MODE_SEEDED, seed=1
        )
        me = table.join(WHITE)
        state = table.get().state
        for _ in range(6):
            [kind, *_] = me.choices(state)
            action = actions.of_kind(kind)
            if kind == messages.ACTION_KIND_PLAY:
                action = actions.play(Plays(state.decision.plays)[0])
            me.act(action)
            mortal.restart()
            state = next(news.state for news in table.watch() if me.choices(news.state))
        assert [event for event in table.events() if event.seat == BLACK]


async def test_a_server_that_is_asked_to_stop_ends_watches_and_says_zero(
    mortal: ServerProcess,
) -> None:
    async with AsyncClient(mortal.grpc, timeout=60) as client:
        table = await client.create_table("western")
        async with aclosing(table.watch()) as watch:
            assert (await anext(watch)).revision == 0
            coming = asyncio.ensure_future(anext(watch))
            await asyncio.sleep(0.1)
            assert await asyncio.wait_for(asyncio.to_thread(mortal.stop), 5) == 0
            await asyncio.to_thread(mortal.start)
            await table.join(WHITE)
            assert (await coming).revision == 1
