"""Two servers on one PostgreSQL behind deploy/nginx/nginx.conf, of which each stops in turn."""

from __future__ import annotations

import asyncio
import http.client
import json
import threading
import time
import urllib.error
import urllib.request
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
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


REPLICAS = ("replica-a", "replica-b")
TRIES = 16
"""Calls after which each of nginx's processes has tried both servers."""


class Answers:
    """A server that says yes to everything, at a place, and is there or away in no time."""

    def __init__(self, place: str) -> None:
        host, _, port = place.rpartition(":")
        self._server = ThreadingHTTPServer((host, int(port)), Yes)
        self._serving = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    def __enter__(self) -> None:
        self._serving.start()

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._serving.join()


class Yes(BaseHTTPRequestHandler):
    """Its answers."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


def nowhere() -> dict[str, tuple[str, str]]:
    """Replicas of which none is there."""
    return {name: (f"127.0.0.1:{free_port()}", f"127.0.0.1:{free_port()}") for name in REPLICAS}


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
        places = {
            name: (server.address, server.web)
            for name, server in zip(REPLICAS, (one, two), strict=True)
        }
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


def test_no_call_over_http_is_lost_when_one_server_after_the_other_is_restarted(
    fleet: Fleet,
) -> None:
    statuses: Counter[int] = Counter()
    done = threading.Event()

    def keep_asking() -> None:
        line = http.client.HTTPConnection(fleet.balancer.http)
        with closing(line):
            while not done.is_set():
                path = "/bgcore.v1.VariantService/GetServerInfo"
                line.request("POST", path, b"{}", {"content-type": "application/json"})
                with line.getresponse() as answer:
                    answer.read()
                    statuses[answer.status] += 1

    with ThreadPoolExecutor(4) as callers:
        asking = [callers.submit(keep_asking) for _ in range(4)]
        try:
            for server in fleet.servers * 2:
                time.sleep(0.2)
                server.drain()
                server.start()
        finally:
            done.set()
        for one in asking:
            one.result()
    assert statuses.keys() == {200}, statuses


def test_a_server_that_is_back_is_asked_again_at_once() -> None:
    places = [f"127.0.0.1:{free_port()}" for _ in REPLICAS]
    no_grpc = f"127.0.0.1:{free_port()}"
    with ExitStack() as stack:
        replicas = {name: (no_grpc, place) for name, place in zip(REPLICAS, places, strict=True)}
        balancer = stack.enter_context(Balancer(replicas))
        for away in (*places, *places):
            with ExitStack() as answering:
                for place in places:
                    if place != away:
                        answering.enter_context(Answers(place))
                for _ in range(TRIES):
                    with urllib.request.urlopen(f"http://{balancer.http}/") as answer:
                        assert answer.status == 200


def test_who_finds_no_server_is_told_so_in_connects_words() -> None:
    with (
        Balancer(nowhere()) as balancer,
        pytest.raises(urllib.error.HTTPError, match="503") as refused,
    ):
        urllib.request.urlopen(f"http://{balancer.http}/")
    with refused.value as answer:
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["retry-after"] == "1"
        assert json.load(answer) == {"code": "unavailable", "message": "no server answers"}


def test_who_finds_no_server_is_told_so_in_grpc() -> None:
    with Balancer(nowhere()) as balancer:
        with Client(balancer.grpc, timeout=1) as client, pytest.raises(BgcoreClientError) as caught:
            client.get_server_info()
        assert caught.value.code == grpc.StatusCode.UNAVAILABLE
        with grpc.insecure_channel(balancer.grpc) as channel:
            ask: Any = channel.unary_unary("/bgcore.v1.VariantService/GetServerInfo")
            with pytest.raises(grpc.RpcError) as raw:
                ask(b"", timeout=5)
        assert "UNAVAILABLE" in str(raw.value)
        assert "no server answers" in str(raw.value)
