"""Two servers on one PostgreSQL behind deploy/nginx/nginx.conf, of which each stops in turn."""

from __future__ import annotations

import asyncio
import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import grpc
import pytest

from bgcore_client import AsyncClient, AsyncSeat, AsyncTable, Client, Plays, actions, messages
from bgcore_client.errors import BgcoreClientError
from tests.clients.serving import Server
from tests.deploy.balancer import Balancer, free_port

if TYPE_CHECKING:
    from tests.postgres import Postgres

pytestmark = [pytest.mark.needs_nginx, pytest.mark.needs_postgres]


@dataclass
class Fleet:
    """Two servers and what stands before them."""

    servers: tuple[Server, Server]
    balancer: Balancer


@pytest.fixture
def fleet(postgres: Postgres) -> Iterator[Fleet]:
    url = postgres.new_url()
    with ExitStack() as stack:
        one, two = (stack.enter_context(Server(url, "--grace", "5")) for _ in range(2))
        places = {"replica-a": (one.address, one.web), "replica-b": (two.address, two.web)}
        yield Fleet((one, two), stack.enter_context(Balancer(places)))


async def act(table: AsyncTable, seats: list[AsyncSeat]) -> int:
    """Whatever is first among what may be done; the revision that it led to."""
    state = (await table.get()).state
    seat, kinds = next((seat, found) for seat in seats if (found := seat.choices(state)))
    if messages.ACTION_KIND_PLAY in kinds:
        done = await seat.play(Plays(state.decision.plays)[0])
    else:
        done = await seat.act(actions.of_kind(kinds[0]))
    return done.last_revision


async def test_a_watch_goes_on_while_each_server_in_turn_is_stopped(fleet: Fleet) -> None:
    async with AsyncClient(fleet.balancer.grpc) as client:
        table = await client.create_table("tavla", dice="system")
        seats = [await table.join(), await table.join()]
        last = (await table.get()).state.revision
        seen: list[int] = []
        reached = asyncio.Condition()

        async def watch() -> None:
            async for news in table.watch():
                async with reached:
                    seen.append(news.revision)
                    reached.notify_all()

        async def shown(revision: int) -> None:
            async with reached:
                await reached.wait_for(lambda: bool(seen) and seen[-1] >= revision)

        watching = asyncio.create_task(watch())
        await shown(last)
        for server in fleet.servers:
            for _ in range(4):
                last = await act(table, seats)
            stopping = asyncio.create_task(asyncio.to_thread(server.drain))
            while not stopping.done():
                last = await act(table, seats)
            await stopping
            for _ in range(4):
                last = await act(table, seats)
            await shown(last)
            await asyncio.to_thread(server.start)
        watching.cancel()
        assert seen == list(range(seen[0], last + 1))
        events = [event.revision async for event in table.events()]
        assert events == list(range(1, last + 1))


def test_calls_go_to_both_servers(fleet: Fleet) -> None:
    one, two = fleet.servers
    with Client(fleet.balancer.grpc) as client:
        for server, other in ((one, two), (two, one)):
            server.kill()
            assert "greedy" in client.get_server_info().bots
            other.kill()
            with pytest.raises(BgcoreClientError) as caught:
                client.within(1).get_server_info()
            assert caught.value.code == grpc.StatusCode.UNAVAILABLE
            other.start()
            server.start()


def test_the_http_port_is_balanced_too_and_metrics_stay_inside(fleet: Fleet) -> None:
    base = f"http://{fleet.balancer.http}"

    def bots() -> object:
        url = f"{base}/bgcore.v1.VariantService/GetServerInfo"
        header = {"content-type": "application/json"}
        asked = urllib.request.Request(url, b"{}", header)
        with urllib.request.urlopen(asked) as answer:
            return json.load(answer)["bots"]

    for server in fleet.servers:
        server.kill()
        assert bots() == ["greedy", "random"]
        server.start()
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(f"{base}/metrics")


def test_who_finds_no_server_is_told_so_in_grpc() -> None:
    def closed() -> str:
        return f"127.0.0.1:{free_port()}"

    nowhere = {name: (closed(), closed()) for name in ("replica-a", "replica-b")}
    with Balancer(nowhere) as balancer:
        with Client(balancer.grpc, timeout=1) as client, pytest.raises(BgcoreClientError) as caught:
            client.get_server_info()
        assert caught.value.code == grpc.StatusCode.UNAVAILABLE
        with grpc.insecure_channel(balancer.grpc) as channel:
            ask: Any = channel.unary_unary("/bgcore.v1.VariantService/GetServerInfo")
            with pytest.raises(grpc.RpcError) as raw:
                ask(b"", timeout=5)
        assert "UNAVAILABLE" in str(raw.value)
        assert "no server answers" in str(raw.value)
