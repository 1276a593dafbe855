"""Whole matches take long: who waits for them waits in a short queue, and nobody else does."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import grpc
import pytest
from google.rpc.error_details_pb2 import RetryInfo

from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import rules_service_pb2 as rules
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_server.convert import matches
from bgcore_server.errors import Busy, Unavailable, refusal
from bgcore_server.workers import MOST_WAITING, Queue, Waiter
from tests.server.helpers import ANYWHERE, Client, Running, at_table, ref, refusal_of, running
from tests.server.test_web import call

INVALID = grpc.StatusCode.INVALID_ARGUMENT
HEADER = '{"bgcore":1,"variant":"western","options":{"match_length":1000},"names":["ann","bob"]}'
GAME = """{"kind":"throw","dice":[3,1]}
{"kind":"resign","seat":"black","level":"single"}
{"kind":"answer_resignation","seat":"white","accept":true}
"""
NEXT = '{"kind":"next_game"}\n'
FORMATS = [pb.MATCH_FORMAT_RECORD, pb.MATCH_FORMAT_MATCH_TEXT, pb.MATCH_FORMAT_SGF]


def session(games: int) -> str:
    """A match that has gone on for so many games, all of which White won."""
    return f'{HEADER}\n{NEXT.join([GAME] * games)}{{"score":[{games},0],"winner":null}}\n'


@asynccontextmanager
async def busy(
    queue: Queue, jobs: int = 1 + MOST_WAITING
) -> AsyncIterator[list[asyncio.Task[Any]]]:
    """So many jobs in a queue, the first of them at work until the end."""
    end = threading.Event()
    made = [asyncio.create_task(queue.run(lambda _: end.wait(30))) for _ in range(jobs)]
    await asyncio.sleep(0)
    try:
        yield made
    finally:
        end.set()
        await asyncio.gather(*made, return_exceptions=True)


async def test_who_finds_no_room_in_the_queue_is_told_when_to_come_again() -> None:
    queue = Queue("test")
    async with busy(queue):
        with pytest.raises(Busy, match="8 whole matches wait: expected fewer than 8") as found:
            await queue.run(lambda _: None)
        [delay] = [one for one in refusal(found.value).details if isinstance(one, RetryInfo)]
        assert delay.retry_delay.seconds == 1
    assert await queue.run(lambda _: "room again") == "room again"
    queue.stop()


async def test_jobs_that_nobody_waits_for_any_more_make_room() -> None:
    queue = Queue("test")
    async with busy(queue) as jobs:
        jobs[-1].cancel()
        await asyncio.sleep(0)
        waiting = asyncio.create_task(queue.run(lambda _: "mine"))
        await asyncio.sleep(0)
        assert not waiting.done()
    assert await waiting == "mine"
    queue.stop()


async def test_nothing_waits_in_a_queue_that_has_stopped() -> None:
    queue = Queue("test")
    end, begun = threading.Event(), threading.Event()

    def work(_: Waiter) -> str:
        begun.set()
        end.wait(30)
        return "done"

    first = asyncio.create_task(queue.run(work))
    await asyncio.to_thread(begun.wait, 30)
    behind = asyncio.create_task(queue.run(work))
    await asyncio.sleep(0)
    queue.stop()
    with pytest.raises(asyncio.CancelledError):
        await behind
    with pytest.raises(Unavailable):
        await queue.run(work)
    end.set()
    assert await first == "done"


async def test_a_job_notices_that_its_caller_has_left() -> None:
    queue = Queue("test")
    begun, ended = threading.Event(), threading.Event()

    def work(job: Waiter) -> None:
        begun.set()
        try:
            while not ended.wait(0.001):
                job.check()
        except Unavailable:
            ended.set()

    job = asyncio.create_task(queue.run(work))
    await asyncio.to_thread(begun.wait, 30)
    job.cancel()
    assert await asyncio.to_thread(ended.wait, 30)
    queue.stop()


@pytest.mark.parametrize("form", FORMATS)
async def test_a_replay_that_nobody_waits_for_ends_at_the_next_game(
    client: Client, server: Running, monkeypatch: pytest.MonkeyPatch, form: Any
) -> None:
    text = await formatted(client, session(3), form)
    begun, left, asked = threading.Event(), threading.Event(), []

    def check(job: Waiter) -> None:
        asked.append(job)
        begun.set()
        left.wait(30)
        if job.gone:
            raise Unavailable

    monkeypatch.setattr(Waiter, "check", check)
    replaying = client.ReplayMatch(rules.ReplayMatchRequest(text=text))
    assert await asyncio.to_thread(begun.wait, 30)
    replaying.cancel()
    while not asked[0].gone:
        await asyncio.sleep(0.001)
    left.set()
    monkeypatch.undo()
    # The next job begins when that one has ended; it had two more games.
    await client.ReplayMatch(rules.ReplayMatchRequest(text=text))
    assert len(asked) == 1


async def test_players_do_not_stand_behind_the_files_of_strangers(
    client: Client, server: Running
) -> None:
    at = await at_table(client, ref())
    async with busy(server.server._workers.files):
        found = await refusal_of(client.ReplayMatch(rules.ReplayMatchRequest(text=session(1))))
        assert (found.code, found.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "SERVER_BUSY")
        assert found.retry_seconds == 1
        assert "try again" in found.expected
        exported = await client.ExportMatch(service.ExportMatchRequest(table=at.id))
        start = service.Start(record=exported.text)
        found = await refusal_of(client.CreateTable(service.CreateTableRequest(start=start)))
        assert found.reason == "SERVER_BUSY", "a record is a file of strangers, too"
    async with busy(server.server._workers.tables):
        await client.CreateTable(service.CreateTableRequest(start=start))


@pytest.mark.parametrize("form", FORMATS)
async def test_a_text_of_too_many_games_is_refused(
    client: Client, monkeypatch: pytest.MonkeyPatch, form: Any
) -> None:
    text = await formatted(client, session(3), form)
    match = (await client.ReplayMatch(rules.ReplayMatchRequest(text=text))).matches[0]
    monkeypatch.setattr(matches, "MOST_GAMES", 2)
    found = await refusal_of(client.ReplayMatch(rules.ReplayMatchRequest(text=text)))
    assert (found.code, found.reason, found.field) == (INVALID, "TOO_MANY_GAMES", "text")
    assert found.expected == "at most 2 games"
    for source in ({"text": text}, {"match": match}):
        found = await refusal_of(client.FormatMatch(rules.FormatMatchRequest(**source)))
        assert (found.code, found.reason) == (INVALID, "TOO_MANY_GAMES")


async def test_a_record_of_too_many_games_is_not_gone_on_with(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(matches, "MOST_GAMES", 2)
    start = service.Start(record=session(3))
    found = await refusal_of(client.CreateTable(service.CreateTableRequest(start=start)))
    assert (found.reason, found.field) == ("TOO_MANY_GAMES", "start.record")


async def test_a_text_of_too_many_headers_is_refused(client: Client) -> None:
    many = ",".join(f'"h{number}":"x"' for number in range(101))
    text = session(1).replace('"names"', f'"headers":{{{many}}},"names"')
    for asked in (
        client.ReplayMatch(rules.ReplayMatchRequest(text=text)),
        client.FormatMatch(rules.FormatMatchRequest(text=text)),
    ):
        found = await refusal_of(asked)
        assert (found.reason, found.field, found.value) == (
            *("TOO_MANY_HEADERS", "text"),
            "of 101 headers",
        )


async def formatted(client: Client, text: str, form: Any) -> str:
    answer = await client.FormatMatch(rules.FormatMatchRequest(text=text, format=form))
    return str(answer.text)


REPLAY = "/bgcore.v1.RulesService/ReplayMatch"


async def test_over_http_too_it_is_said_when_to_come_again() -> None:
    async with running(http=ANYWHERE) as server, busy(server.server._workers.files):
        answer = await call(server, REPLAY, json.dumps({"text": session(1)}).encode())
        assert (answer.status, answer.info.reason) == (429, "SERVER_BUSY")
        details = {one["type"]: one for one in answer.json["details"]}
        assert details["google.rpc.RetryInfo"]["debug"] == {"retryDelay": "1s"}
        assert answer.headers["retry-after"] == "1"


async def test_a_caller_who_hangs_up_over_http_is_noticed() -> None:
    async with running(http=ANYWHERE) as server:
        files = server.server._workers.files
        async with busy(files, 1):
            assert server.http is not None
            _, writer = await asyncio.open_connection(server.http.host, server.http.port)
            body = json.dumps({"text": session(1)}).encode()
            head = f"POST {REPLAY} HTTP/1.1\r\nhost: test\r\ncontent-type: application/json\r\n"
            writer.write(f"{head}content-length: {len(body)}\r\n\r\n".encode() + body)
            while len(files._jobs) < 2:
                await asyncio.sleep(0.001)
            [_, job] = files._jobs.values()
            writer.close()
            await writer.wait_closed()
            while not job.gone:
                await asyncio.sleep(0.001)
