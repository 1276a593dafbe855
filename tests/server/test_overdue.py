"""Rules and bots of plugins that do not come to an end are interrupted: who asked is told, others are served."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import threading
import time
import urllib.request
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Any, ClassVar

import grpc
import pytest

import bgcore
from bgcore import Action, Game, Plays, Position, Registry, Rules, Seat
from bgcore.plugin import Plugin
from bgcore.turn import Numbers, Turn
from bgcore_proto.v1 import rules_service_pb2 as rules_pb
from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_server.event_loop import new_event_loop
from bgcore_server.overdue import NAME, PluginWatch
from tests.packages import install
from tests.server.helpers import (
    BLACK,
    THROW,
    WHITE,
    AtTable,
    Client,
    Faults,
    at_table,
    opening,
    ref,
    refusal_of,
    running,
)
from tests.server.test_bots import against, my_turn
from tests.server.test_plugin_failures import check
from tests.server.test_serve import READY, command, environment
from tests.server.test_tables import channel
from tests.server.wanting import VOID

LIMIT = 0.5
"""Seconds that plugins have here; some more until they are seen to be late."""

MORE = 10.0

EVERYWHERE = (1 << 26) - 1

Loop = Callable[[], asyncio.AbstractEventLoop]


@pytest.fixture(params=[asyncio.new_event_loop, new_event_loop], ids=["asyncio", "uvloop"])
def on_loop(
    request: pytest.FixtureRequest,
) -> Iterator[Callable[[Coroutine[Any, Any, None]], None]]:
    with asyncio.Runner(loop_factory=request.param) as runner:
        yield runner.run
    Hanging.way = staticmethod(return_at_once)


def return_at_once() -> None:
    """As all code should."""


def spin() -> None:
    while True:
        pass


def sleep() -> None:
    time.sleep(3600)


def sleep_a_little_for_ever() -> None:
    while True:
        time.sleep(0.01)


def wait_for_a_lock() -> None:
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()


def go_on_after_errors() -> None:
    while True:
        try:
            time.sleep(3600)
        except Exception:  # what a plugin's author may well write
            continue


def go_on_once_whatever_comes() -> None:
    try:
        sleep()
    except BaseException:
        spin()


def ask_the_engine_again_and_again() -> None:
    rules = bgcore.load().rules("western")
    while True:
        rules.plays(rules.start, bgcore.Roll.of(3, 1))


WAYS = (
    spin,
    sleep,
    wait_for_a_lock,
    go_on_after_errors,
    go_on_once_whatever_comes,
    ask_the_engine_again_and_again,
)


class Hanging(Rules):
    """Does what it must until it is given a `way` of not doing it."""

    way: ClassVar[Callable[[], None]] = staticmethod(return_at_once)

    def keep(self, start: Position, plays: Plays) -> Plays:
        Hanging.way()
        return plays


class HangingHook(Rules):
    """The same in the middle of the kernel's search."""

    def may_leave(self, position: Position, numbers: Numbers, turn: Turn) -> int:
        Hanging.way()
        return EVERYWHERE


@dataclass(frozen=True)
class HangingBot:
    """A bot that answers unless it is given a `way` of not doing it."""

    id: str = "hanging"
    title: str = "thinks"

    def act(self, game: Game, seat: Seat, random: Random) -> Action:
        Hanging.way()
        return bgcore.load().bot("random").act(game, seat, random)


def registry() -> Registry:
    found = bgcore.load().using(Plugin("hanging", value="tests.server"))
    western = found.variant("western")
    found.add(replace(western, id="hanging", aliases=(), options=()), Hanging)
    found.add(replace(western, id="hanging-hook", aliases=(), options=()), HangingHook)
    found.add_bot(HangingBot())
    return found


def plays_of(variant: str) -> rules_pb.ListPlaysRequest:
    return rules_pb.ListPlaysRequest(variant=ref(variant), position=opening(), dice=[3, 1])


@contextmanager
def within(seconds: float) -> Iterator[None]:
    started = time.monotonic()
    yield
    assert time.monotonic() - started < seconds


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("variant", ["hanging", "hanging-hook"])
def test_rules_that_do_not_return_are_a_failure_and_the_rest_is_served(
    on_loop: Any, variant: str, way: Callable[[], None]
) -> None:
    async def course() -> None:
        more = {"registry": registry(), "plugin_seconds": LIMIT}
        async with running(**more) as server, channel(server.grpc) as client:  # type: ignore[arg-type]
            Hanging.way = staticmethod(way)
            with within(LIMIT + MORE):
                found = await refusal_of(client.ListPlays(plays_of(variant)))
            check(found)
            method = "HangingHook.may_leave" if variant == "hanging-hook" else "Hanging.keep"
            what = f"{method} gave no answer: expected one within 0.5 seconds"
            assert found.message == f"tests.server.test_overdue.{what}"
            assert [fault["event"] for fault in server.faults.found] == ["plugin failed"]
            told = {(one["event"], one.get("code")) for one in server.faults.told}
            assert ("plugin overdue", f"tests.server.test_overdue.{method}") in told
            assert (await client.ListPlays(plays_of("western"))).plays.lengths
            Hanging.way = staticmethod(return_at_once)
            assert len((await client.ListPlays(plays_of(variant))).plays.lengths) == 16

    on_loop(course())


@pytest.mark.parametrize(
    "way", [spin, wait_for_a_lock, go_on_after_errors, sleep_a_little_for_ever]
)
def test_a_queue_goes_on_though_rules_do_not_return_in_one_of_its_jobs(
    on_loop: Any, way: Callable[[], None]
) -> None:
    async def course() -> None:
        more = {"registry": registry(), "plugin_seconds": LIMIT}
        start = bgcore.load().rules("western").start.packed
        asked = rules_pb.BatchListPlaysRequest(
            variant=ref("hanging"), positions=start, dice=bytes((3, 1))
        )
        async with running(**more) as server, channel(server.grpc) as client:  # type: ignore[arg-type]
            await client.BatchListPlays(asked)
            Hanging.way = staticmethod(way)
            with within(LIMIT + MORE):
                hanging = asyncio.create_task(refusal_of(client.BatchListPlays(asked)))
                await asyncio.sleep(0.1)
                await client.ListPlays(plays_of("western"))
                assert not hanging.done()
                check(await hanging)
            found = hanging.result().message
            assert found.startswith("tests.server.test_overdue.Hanging.keep gave no answer")
            [late] = (job for job in server.server._workers.batches._late)
            Hanging.way = staticmethod(return_at_once)
            await client.BatchListPlays(asked)
            if way in (spin, sleep_a_little_for_ever):
                assert late.thread
                await asyncio.to_thread(late.thread.join, MORE)
                assert not late.thread.is_alive()

    on_loop(course())


def test_a_table_whose_rules_hang_stays_as_it_was_and_can_be_closed(on_loop: Any) -> None:
    async def course() -> None:
        more = {"registry": registry(), "plugin_seconds": LIMIT}
        async with running(**more) as server, channel(server.grpc) as client:  # type: ignore[arg-type]
            created = await client.CreateTable(
                service.CreateTableRequest(variant=ref("hanging"), dice_mode=table.DICE_MODE_MANUAL)
            )
            tokens: dict[int, str] = {}
            for seat in (WHITE, BLACK):
                sitting = service.JoinTableRequest(table=created.table.id, seat=seat)
                joined = await client.JoinTable(sitting)
                tokens[seat] = joined.token
            at = AtTable(client, created.table.id, tokens, joined.state)
            await at.throw(3, 1)
            Hanging.way = staticmethod(spin)
            check(await refusal_of(at.play("8/5 6/5")))
            Hanging.way = staticmethod(return_at_once)
            assert (await at.get()).state.revision == at.state.revision
            await at.play("8/5 6/5")
            Hanging.way = staticmethod(sleep)
            closing = service.CloseTableRequest(table=at.id)
            closed = await client.CloseTable(closing, token=created.host_token)
            assert closed.table.status == table.TABLE_STATUS_CLOSED

    on_loop(course())


def test_a_bot_that_does_not_return_hurts_only_its_table(on_loop: Any) -> None:
    async def course() -> None:
        more = {"registry": registry(), "plugin_seconds": LIMIT}
        async with running(**more) as server, channel(server.grpc) as client:  # type: ignore[arg-type]
            Hanging.way = staticmethod(sleep)
            at = await against(client, "hanging")
            with within(LIMIT + MORE):
                await at.act(**THROW)
                while at.state.decision.seat != BLACK:
                    await at.any_play()
                while not server.faults.found:
                    await asyncio.sleep(0.01)
            [fault] = server.faults.found
            assert fault["event"] == "bot failed"
            assert "HangingBot.act gave no answer" in str(fault["exc_info"])
            await at_table(client)
            Hanging.way = staticmethod(return_at_once)
            await asyncio.sleep(1)  # then it is asked again
            await my_turn(at)
            assert at.state.decision.seat == WHITE
            Hanging.way = staticmethod(sleep)
            await at.act(WHITE, **VOID)
            assert (await at.get()).table.status == table.TABLE_STATUS_CLOSED

    on_loop(course())


def test_what_is_slow_without_a_plugin_is_left_alone(on_loop: Any) -> None:
    """Also where whoever runs the server is a plugin's package, too, as this file is."""

    async def course() -> None:
        more = {"registry": registry(), "plugin_seconds": LIMIT}
        async with running(**more) as server, channel(server.grpc) as client:  # type: ignore[arg-type]
            time.sleep(3 * LIMIT)  # as the server would, in a long step
            assert (await client.ListPlays(plays_of("hanging"))).plays.lengths
            assert not server.faults.found

    on_loop(course())


def test_there_is_no_limit_where_none_is_wanted(on_loop: Any) -> None:
    async def course() -> None:
        async with running(registry=registry(), plugin_seconds=0) as server:
            assert signal.getsignal(getattr(signal, NAME)) is signal.SIG_DFL
            async with channel(server.grpc) as client:
                Hanging.way = staticmethod(lambda: time.sleep(1))
                assert (await client.ListPlays(plays_of("hanging"))).plays.lengths

    on_loop(course())


def test_the_signal_is_given_back(on_loop: Any) -> None:
    async def course() -> None:
        number = getattr(signal, NAME)
        before = signal.getsignal(number)
        first, second = (PluginWatch({"tests"}, 1.0, Faults()) for _ in range(2))
        first.start()
        second.start()
        second.stop()
        assert signal.getsignal(number) == first._interrupt
        first.stop()
        assert signal.getsignal(number) == before

    on_loop(course())


def test_a_server_on_another_thread_is_not_watched() -> None:
    async def course() -> None:
        async with running(registry=registry(), plugin_seconds=LIMIT) as server:
            async with channel(server.grpc) as client:
                assert (await client.ListPlays(plays_of("hanging"))).plays.lengths
            assert signal.getsignal(getattr(signal, NAME)) is signal.SIG_DFL
            done.append(True)

    done: list[bool] = []
    thread = threading.Thread(target=lambda: asyncio.run(course()))
    thread.start()
    thread.join(30)
    assert done


PLUGIN = """
import time
from dataclasses import dataclass, replace
from bgcore import Rules, hookimpl, load

class Slow(Rules):
    def keep(self, start, plays):
        for _ in range({seconds} * 20):
            time.sleep(0.05)
        return plays

@dataclass(frozen=True)
class Bot:
    id: str = "thinker"
    title: str = "T"

    def act(self, game, seat, random):
        time.sleep(3600)

@hookimpl
def bgcore_register(registry):
    registry.add(replace(load().variant("western"), id="slow", title="T", aliases=()), Slow)
    registry.add_bot(Bot())
"""


@contextmanager
def served(
    site: Path, seconds: int, limit: int
) -> Iterator[tuple[subprocess.Popen[str], str, str]]:
    """A server process with a plugin whose rule takes so long; where it listens."""
    install(site, "bgcore-slow", PLUGIN.format(seconds=seconds))
    path = f"{site}:{environment()['PYTHONPATH']}"
    variables = environment() | {"PYTHONPATH": path, "BGCORE_CACHE": str(site / "cache")}
    arguments = ("serve", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0", "--db", "sqlite://")
    with subprocess.Popen(
        command(*arguments, "--plugin-seconds", str(limit)),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=variables,
    ) as process:
        assert process.stdout is not None
        try:
            found = READY.fullmatch(process.stdout.readline())
            assert found
            yield process, found[1], found[2]
        finally:
            process.kill()


async def test_a_server_answers_and_stops_though_a_rule_and_a_bot_hang(tmp_path: Path) -> None:
    with served(tmp_path, 3600, 1) as (process, where, web):
        async with grpc.aio.insecure_channel(where) as connection:
            client = Client(connection)
            hanging = asyncio.create_task(refusal_of(client.ListPlays(plays_of("slow"))))
            await asyncio.sleep(0.3)
            healthz = f"http://{web}/healthz"
            answer = await asyncio.to_thread(urllib.request.urlopen, healthz, timeout=1 + MORE)
            assert answer.status == 200
            check(await hanging)
            bots = {
                colour: table.Occupant(bot=table.Bot(id="thinker")) for colour in ("white", "black")
            }
            await client.CreateTable(service.CreateTableRequest(variant=ref(), **bots))  # type: ignore[arg-type]
            await asyncio.sleep(0.1)
            process.send_signal(signal.SIGTERM)
            assert await asyncio.to_thread(process.wait, 1 + MORE + 2) == 0


async def test_a_process_that_was_suspended_is_nobodys_fault(tmp_path: Path) -> None:
    with served(tmp_path, 1, 4) as (process, where, _):
        async with grpc.aio.insecure_channel(where) as connection:
            asked = asyncio.ensure_future(Client(connection).ListPlays(plays_of("slow")))
            await asyncio.sleep(0.5)
            os.kill(process.pid, signal.SIGSTOP)
            await asyncio.sleep(5)
            os.kill(process.pid, signal.SIGCONT)
            assert (await asked).plays.lengths
