"""Two servers on one PostgreSQL: nothing acknowledged is lost or done twice, whoever dies."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from bgcore.replay import ReplayedMatch
from bgcore_client import WHITE, AsyncClient, Client, bot, messages
from tests.wire.matches import NO_PLAYS, PlayedMatch, watched, wire, without_state
from tests.wire.process import ServerProcess
from tests.wire.proxy import Proxy

if TYPE_CHECKING:
    from tests.postgres import Postgres

pytestmark = pytest.mark.needs_postgres

TABLES, ACTS = 50, 40
PATIENCE = 120.0


@dataclass
class Load:
    """Matches whose acts go to one server and the other in turn, each watched at both."""

    clients: list[AsyncClient]
    matches: list[PlayedMatch]
    watches: list[asyncio.Task[list[messages.Event]]]

    @classmethod
    async def begin(cls, clients: list[AsyncClient], sample: ReplayedMatch, count: int) -> Load:
        """Tables made at one server and the other."""
        matches = [await PlayedMatch.begin(clients[n % 2], sample) for n in range(count)]
        watches = [
            asyncio.create_task(watched(client.table(match.table.id), 2 + ACTS))
            for match in matches
            for client in clients
        ]
        return cls(clients, matches, watches)

    async def play(self, match: PlayedMatch) -> None:
        """All acts of a match."""
        keys = {seat: place.key for seat, place in match.seats.items()}
        sides = [{seat: c.seat(key) for seat, key in keys.items()} for c in self.clients]
        while match.done < ACTS:
            match.seats = sides[match.done % 2]
            await match.act()

    async def play_all(self) -> None:
        """All acts of all matches at once."""
        await asyncio.gather(*map(self.play, self.matches))

    @property
    def done(self) -> int:
        """Acts acknowledged so far."""
        return sum(match.done for match in self.matches)

    async def reached(self, acts: int) -> None:
        """Wait until so many are acknowledged."""
        while self.done < acts:
            await asyncio.sleep(0.005)

    async def check(self) -> None:
        """Every acknowledged act is in the log once, and every watcher has seen all, in order."""
        told = iter(await asyncio.gather(*self.watches))
        for match in self.matches:
            await match.check_log()
            logged = [event async for event in match.table.events(page_size=500)]
            for _ in self.clients:
                assert list(map(without_state, next(told))) == logged


async def clients_of(replicas: list[ServerProcess]) -> list[AsyncClient]:
    return [AsyncClient(process.grpc, timeout=PATIENCE) for process in replicas]


async def closed(clients: list[AsyncClient]) -> None:
    for client in clients:
        await client.close()


@pytest.mark.slow
async def test_two_servers_play_two_thousand_acts_at_fifty_tables(
    replicas: list[ServerProcess], sample: ReplayedMatch
) -> None:
    clients = await clients_of(replicas)
    load = await Load.begin(clients, sample, TABLES)
    await load.play_all()
    assert load.done == TABLES * ACTS == 2000
    await load.check()
    await closed(clients)


Trouble = Callable[[random.Random], Awaitable[None]]


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
async def test_they_do_so_though_they_and_the_database_are_killed_and_held_up(
    replicas: list[ServerProcess], sample: ReplayedMatch, postgres: Postgres, seed: int
) -> None:
    chance = random.Random(seed)
    clients = await clients_of(replicas)
    load = await Load.begin(clients, sample, TABLES)
    playing = asyncio.create_task(load.play_all())

    async def kill_one(process: ServerProcess) -> None:
        await asyncio.to_thread(process.restart)

    async def kill_database() -> None:
        await asyncio.to_thread(postgres.restart)

    async def hold_up(process: ServerProcess) -> None:
        process.signal(signal.SIGSTOP)
        await asyncio.sleep(chance.uniform(0.1, 1.0))
        process.signal(signal.SIGCONT)

    troubles: list[Awaitable[None]] = [
        *(kill_one(replicas[n % 2]) for n in range(6)),
        *(kill_database() for _ in range(2)),
        *(hold_up(replicas[n % 2]) for n in range(2)),
    ]
    chance.shuffle(troubles)
    for number, trouble in enumerate(troubles):
        await load.reached(100 + number * 180)
        await asyncio.sleep(chance.uniform(0, 0.05))
        await trouble
    await playing
    await load.check()
    await closed(clients)


async def test_a_server_killed_between_commit_and_answer_has_acted_once(
    replicas: list[ServerProcess], sample: ReplayedMatch
) -> None:
    one, two = replicas
    async with (
        Proxy(one.grpc) as line,
        AsyncClient(line.target, timeout=PATIENCE) as lossy,
        AsyncClient(two.grpc, timeout=PATIENCE) as other,
    ):
        match = await PlayedMatch.begin(lossy, sample)
        elsewhere = other.table(match.table.id)
        for revision in range(3, 6):
            line.loses_answers = True
            act = asyncio.create_task(match.act())
            while (await elsewhere.get(NO_PLAYS)).state.revision < revision:
                await asyncio.sleep(0.001)
            one.kill()  # it is in the log, and nobody has been told
            # Meanwhile the other server tells what the same request did, and does it no more.
            action = match.actions[match.done]
            seat = other.seat(match.seat_of(action).key)
            again = await seat.act(
                wire(action),
                request_id=f"action {match.done}",
                expected_revision=revision - 1,
                view=NO_PLAYS,
            )
            line.loses_answers = False
            await asyncio.to_thread(one.start)
            line.cut()
            assert await act == again
        await match.check_log()


def test_when_a_server_dies_the_other_goes_on_with_its_bots(replicas: list[ServerProcess]) -> None:
    one, two = replicas
    with Client(one.grpc) as first, Client(two.grpc, timeout=PATIENCE) as second:
        made = first.create_table(
            "tavla", options={"match_length": 5}, white=bot("greedy"), black=bot("greedy")
        )
        here = second.table(made.id)
        here.get(NO_PLAYS)
        one.kill()
        seen = here.get(NO_PLAYS).state.revision
        for news in here.watch(seen):
            if news.revision > seen + 20 or news.state.match.winner:
                break
        assert news.revision > seen


def test_a_password_is_in_no_log_and_no_answer(
    replicas: list[ServerProcess], postgres: Postgres
) -> None:
    from tests.postgres import PASSWORD

    with Client(replicas[0].grpc, timeout=9) as client:
        table = client.create_table("western")
        postgres.kill()
        try:
            with pytest.raises(Exception) as refused:  # noqa: PT011
                table.join(WHITE)
        finally:
            postgres.start()
    assert PASSWORD not in str(refused.value)
    log = replicas[0].log.read_text(encoding="utf-8")
    assert "store unavailable" in log
    assert "kept in PostgreSQL, 127.0.0.1" in log
    assert PASSWORD not in log
