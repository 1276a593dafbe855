"""Notations of plugins run where long work runs, never on the event loop, and have only so much time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import grpc
import pytest

from bgcore import load
from bgcore.notation.formats import Format
from bgcore.notation.situation import Situation
from bgcore.seat import Seat
from bgcore_proto.v1 import rules_service_pb2 as rules
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_server import workers
from bgcore_server.workers import Queue, Waiter
from tests.notation import brought
from tests.notation.test_record_text import SMALL
from tests.server.helpers import Client, Running, at_table, opening, ref, refusal_of, running

START = "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"


@asynccontextmanager
async def serving(*more: Format) -> AsyncIterator[tuple[Client, Running]]:
    async with (
        running(registry=brought.registry(*more)) as found,
        grpc.aio.insecure_channel(str(found.grpc)) as channel,
    ):
        yield Client(channel), found


def position(**more: Any) -> rules.ConvertPositionRequest:
    return rules.ConvertPositionRequest(variant=ref(), **more)


def watched(form: Any, seen: set[str], id: str) -> Any:
    """A notation that writes down on which threads its functions run."""

    def noting(function: Any) -> Any:
        def noted(*given: Any, **named: Any) -> Any:
            seen.add(threading.current_thread().name)
            return function(*given, **named)

        return noted

    def reading(*given: Any, **named: Any) -> Iterator[Any]:
        seen.add(threading.current_thread().name)
        yield from form.read(*given, **named)

    read = noting(form.read) if form is brought.SHOUT else reading
    said = noting(lambda text: text.startswith(f"{id}!"))
    return replace(form, id=id, suits=said, read=read, write=noting(form.write))


async def test_none_of_their_code_runs_on_the_event_loop() -> None:
    seen: set[str] = set()
    forms = (watched(brought.SHOUT, seen, "one"), watched(brought.SHOUTED, seen, "all"))
    async with serving(*forms) as (client, _):
        at = await at_table(client)
        shouted = f"MATCH!\n{SMALL}"
        asked: tuple[tuple[str, Any], ...] = (
            ("ConvertPosition", position(position=opening(), target_notations=["one"])),
            ("ConvertPosition", position(text=f"BOARD! {START}", source_notation="one")),
            ("ConvertPosition", position(text="one!")),
            ("ReplayMatch", rules.ReplayMatchRequest(text=shouted, notation="all")),
            ("ReplayMatch", rules.ReplayMatchRequest(text="all!")),
            ("FormatMatch", rules.FormatMatchRequest(text=shouted, source_notation="all")),
            ("FormatMatch", rules.FormatMatchRequest(text=SMALL, notation="all")),
            ("FormatMatch", rules.FormatMatchRequest(text="all!")),
            ("ExportMatch", service.ExportMatchRequest(table=at.id, notation="all")),
        )
        for rpc, request in asked:
            seen.clear()
            await refusal_or_answer(getattr(client, rpc)(request))
            assert seen, f"{rpc} did not ask it"
            assert all(name.startswith("bgcore-") for name in seen)


async def refusal_or_answer(call: Any) -> None:
    try:
        await call
    except grpc.aio.AioRpcError as refused:
        assert refused.code() is grpc.StatusCode.INVALID_ARGUMENT  # noqa: PT017  # an answer will do, too


async def test_what_the_engine_itself_reads_does_not_stand_in_a_queue() -> None:
    end = threading.Event()
    async with serving() as (client, server):
        queue = server.server._workers.files
        jobs = [asyncio.create_task(queue.run(lambda _: end.wait(30))) for _ in range(9)]
        await asyncio.sleep(0)
        try:
            answer = await client.ConvertPosition(position(text=START))
            assert answer.texts
            shouted = position(text=START, target_notations=["shout"])
            assert (await refusal_of(client.ConvertPosition(shouted))).reason == "SERVER_BUSY"
        finally:
            end.set()
            await asyncio.gather(*jobs)


async def test_a_text_that_is_too_long_is_the_plugins_failure() -> None:
    long = replace(brought.SHOUT, id="long", write=lambda *_: "x" * 1_000_000)
    whole = replace(brought.SHOUTED, id="whole", write=lambda *_: "x" * 5_000_000)
    async with serving(long, whole) as (client, _):
        at = await at_table(client)
        for name, call in (
            ("long", client.ConvertPosition(position(text=START, target_notations=["long"]))),
            ("whole", client.FormatMatch(rules.FormatMatchRequest(text=SMALL, notation="whole"))),
            (
                "whole",
                client.ExportMatch(service.ExportMatchRequest(table=at.id, notation="whole")),
            ),
        ):
            found = await refusal_of(call)
            assert (found.reason, found.code) == ("PLUGIN_FAILED", grpc.StatusCode.INTERNAL)
            assert f"notation {name} gave a text of" in found.message


class Sleepy:
    """Two notations that answer only once they are woken, and until then say what they look at."""

    def __init__(self) -> None:
        self.woken, self.asked = threading.Event(), 0
        self.forms = (
            replace(brought.SHOUT, id="sleepy", read=self.of(brought.SHOUT.read)),
            replace(brought.SHOUTED, id="sleepy-match", write=self.of(brought.SHOUTED.write)),
        )

    def of(self, function: Any) -> Any:
        def sleeping(*given: Any) -> Any:
            self.asked += 1
            self.woken.wait(60)
            return function(*given)

        return sleeping


async def test_one_that_does_not_answer_is_given_up_and_holds_up_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workers, "NOTATION_SECONDS", 0.2)
    sleepy = Sleepy()
    async with serving(*sleepy.forms) as (client, server):
        at = await at_table(client)
        reading = position(text=f"BOARD! {START}", source_notation="sleepy")
        exporting = service.ExportMatchRequest(table=at.id, notation="sleepy-match")
        calls: tuple[tuple[str, Any], ...] = (
            ("sleepy", lambda: client.ConvertPosition(reading)),
            ("sleepy-match", lambda: client.ExportMatch(exporting)),
        )
        for name, call in calls:
            first, behind = await asyncio.gather(refusal_of(call()), refusal_of(call()))
            asked = sleepy.asked
            for found in (first, behind, await refusal_of(call())):
                assert (found.reason, found.code) == ("PLUGIN_FAILED", grpc.StatusCode.INTERNAL)
                assert f"notation {name} gave no answer" in found.message
            assert sleepy.asked == asked  # and is not asked again while it is at work
        # Others are served meanwhile, those of the same queues among them.
        await client.ReplayMatch(rules.ReplayMatchRequest(text=f"MATCH!\n{SMALL}"))
        await client.ExportMatch(service.ExportMatchRequest(table=at.id, notation="shouted"))
        sleepy.woken.set()
        monkeypatch.setattr(workers, "NOTATION_SECONDS", 60.0)
        late = [job for queue in server.server._workers.queues.values() for job in queue._late]
        assert len(late) == 2
        while not all(job.ended for job in late):
            await asyncio.sleep(0.001)
        for _, call in calls:
            await call()


async def test_its_look_at_a_text_has_no_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "NOTATION_SECONDS", 0.2)
    woken = threading.Event()

    def suits(text: str) -> bool:
        return woken.wait(60) and False

    forms = (
        replace(brought.SHOUT, id="stares", suits=suits),
        replace(brought.SHOUTED, id="stares-too", suits=suits),
        replace(brought.SHOUT, id="last", suits=lambda text: text == "last"),
    )
    async with serving(*forms) as (client, _):
        calls: tuple[tuple[str, Any], ...] = (
            ("stares", lambda: client.ConvertPosition(position(text="last"))),
            ("stares-too", lambda: client.ReplayMatch(rules.ReplayMatchRequest(text="last"))),
        )
        for name, call in calls:
            found = await refusal_of(call())
            assert f"notation {name} gave no answer" in found.message
        # Until it is ready, the others are asked without it.
        found = await refusal_of(client.ConvertPosition(position(text="last")))
        assert "expected BOARD! before it" in found.message
        await client.ReplayMatch(rules.ReplayMatchRequest(text="last"))
        woken.set()


async def test_a_job_whose_notation_was_given_up_asks_no_other() -> None:
    caller = Waiter(gone=True)
    with pytest.raises(Exception, match="somebody who waits"), caller.asking("shout"):
        raise AssertionError("it was asked")


async def test_the_engines_own_work_is_not_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "NOTATION_SECONDS", 0.0)
    queue = Queue("test")
    once, twice = threading.Event(), threading.Event()

    def work(caller: Waiter) -> str:
        once.set()
        twice.wait(30)
        return "done"

    job = asyncio.create_task(queue.run(work))
    await asyncio.to_thread(once.wait, 30)
    twice.set()
    assert await job == "done"
    queue.stop()


NONSENSE = (
    {"setup": "x"},
    {"seat": 3},
    {"dice": 3, "setup": None},
    {"cube": None},
    {"score": "x"},
)


@pytest.mark.parametrize("wrong", NONSENSE)
async def test_nonsense_that_one_reads_is_the_plugins_failure(wrong: Any) -> None:
    sound = Situation(
        setup=load().rules("western").start.setup, seat=Seat.WHITE, decider=Seat.WHITE
    )
    form = replace(brought.SHOUT, id="odd", of_match=True, read=lambda *_: replace(sound, **wrong))

    def read(text: str, *given: Any, **named: Any) -> Iterator[Any]:
        for match in brought.read_shouted(text, *given, **named):
            yield replace(match, record=replace(match.record, actions=5, headers={}))

    whole = replace(brought.SHOUTED, id="odd-match", read=read)
    async with serving(form, whole) as (client, _):
        shouted = f"MATCH!\n{SMALL}"
        for call in (
            client.ConvertPosition(position(text="x", source_notation="odd")),
            client.ReplayMatch(rules.ReplayMatchRequest(text=shouted, notation="odd-match")),
            client.FormatMatch(rules.FormatMatchRequest(text=shouted, source_notation="odd-match")),
        ):
            found = await refusal_of(call)
            assert (found.reason, found.code) == ("PLUGIN_FAILED", grpc.StatusCode.INTERNAL)
            assert "notation odd" in found.message


async def test_a_server_stops_though_a_notation_hangs() -> None:
    sleepy = Sleepy()
    async with serving(*sleepy.forms) as (client, _):
        reading = position(text=f"BOARD! {START}", source_notation="sleepy")
        call = client.ConvertPosition(reading)
        while not sleepy.asked:
            await asyncio.sleep(0.001)
        call.cancel()
    assert all(one.daemon for one in threading.enumerate() if one.name.startswith("bgcore-files"))
    sleepy.woken.set()
