from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import RetryInfo

from bgcore_client import AsyncClient, Client, OutOfRange, messages
from tests.client.fake import (
    FakeServer,
    event,
    heartbeat,
    once,
    refuse,
    snapshot,
    unavailable,
)

Response = messages.WatchTableResponse


class Streams:
    """Each connection gets the next of some streams; one that ends in `None` breaks."""

    def __init__(self, *streams: list[Response | None]) -> None:
        self._streams = iter(streams)

    def __call__(self, request: object, context: grpc.ServicerContext) -> Iterator[Response]:
        for message in next(self._streams):
            if message is None:
                unavailable(request, context)
            else:
                yield message


def asked(server: FakeServer) -> list[int | None]:
    """The revision after which each connection asked to go on."""
    return [
        request.after_revision if request.HasField("after_revision") else None
        for request in server.requests
        if isinstance(request, messages.WatchTableRequest)
    ]


def cut() -> dict[str, Any]:
    return {"WatchTable": Streams([snapshot(3), event(4), None], [event(5), event(6)])}


def test_a_watch_that_was_cut_goes_on_where_it_was() -> None:
    with FakeServer(cut()) as server, Client(server.target) as client:
        news = list(islice(client.table("t1").watch(), 4))
    assert [one.revision for one in news] == [3, 4, 5, 6]
    assert asked(server) == [None, 4]


async def test_so_it_does_when_awaited() -> None:
    revisions = []
    with FakeServer(cut()) as server:
        async with AsyncClient(server.target) as client:
            async for news in client.table("t1").watch():
                revisions.append(news.revision)
                if news.revision == 6:
                    break
    assert revisions == [3, 4, 5, 6]
    assert asked(server) == [None, 4]


def test_a_watch_that_the_server_ends_goes_on_too() -> None:
    answers = {"WatchTable": Streams([event(8)], [], [event(9)])}
    with FakeServer(answers) as server, Client(server.target) as client:
        news = list(islice(client.table("t1").watch(7), 2))
    assert [one.revision for one in news] == [8, 9]
    assert asked(server) == [7, 8, 8]


def test_heartbeats_and_what_is_known_already_are_left_out() -> None:
    stream = [snapshot(3), heartbeat(3), event(3), event(4), event(4), heartbeat(4), event(5)]
    with FakeServer({"WatchTable": Streams([*stream])}) as server, Client(server.target) as client:
        news = list(islice(client.table("t1").watch(), 3))
    assert [one.revision for one in news] == [3, 4, 5]


def test_a_gap_in_a_stream_is_asked_for_again() -> None:
    answers = {"WatchTable": Streams([event(1), event(3)], [event(2), event(3)])}
    with FakeServer(answers) as server, Client(server.target) as client:
        news = list(islice(client.table("t1").watch(0), 3))
    assert [one.revision for one in news] == [1, 2, 3]
    assert asked(server) == [0, 1]


def test_a_revision_that_has_not_been_reached_is_refused() -> None:
    def out_of_range(_: object, context: grpc.ServicerContext) -> Iterator[Response]:
        refuse(context, grpc.StatusCode.OUT_OF_RANGE, "REVISION_NOT_REACHED")
        yield snapshot(0)

    with (
        FakeServer({"WatchTable": out_of_range}) as server,
        Client(server.target) as client,
        pytest.raises(OutOfRange, match="REVISION_NOT_REACHED"),
    ):
        next(client.table("t1").watch(99))
    assert len(server.requests) == 1


def test_a_watch_that_is_given_up_ends_on_the_server_too() -> None:
    ended: list[bool] = []

    def endless(_: object, context: grpc.ServicerContext) -> Iterator[Response]:
        context.add_callback(lambda: ended.append(True))
        revision = 1
        while context.is_active():
            yield event(revision)
            revision += 1

    with FakeServer({"WatchTable": endless}) as server, Client(server.target) as client:
        watch = client.table("t1").watch(0)
        next(watch)
        del watch
    assert ended == [True]


def compacted(reason: str) -> Any:
    """A server that has given up the events between, and tells of the table as it is instead."""

    def answer(request: Any, context: grpc.ServicerContext) -> Iterator[Response]:
        if request.HasField("after_revision"):
            refuse(context, grpc.StatusCode.OUT_OF_RANGE, reason)
        yield snapshot(900)
        yield event(901)

    return answer


def test_where_the_events_in_between_are_gone_a_snapshot_comes() -> None:
    answers = {"WatchTable": compacted("EVENTS_COMPACTED")}
    with FakeServer(answers) as server, Client(server.target) as client:
        news = list(islice(client.table("t1").watch(7), 2))
    assert [(one.revision, one.event is None) for one in news] == [(900, True), (901, False)]
    assert asked(server) == [7, None]


async def test_so_it_does_when_awaited_and_cut_off_for_long() -> None:
    answers = {"WatchTable": once(Streams([event(8), None]), compacted("REVISION_NOT_REACHED"))}
    revisions = []
    with FakeServer(answers) as server:
        async with AsyncClient(server.target) as client:
            async for news in client.table("t1").watch(7):
                revisions.append(news.revision)
                if news.revision == 901:
                    break
    assert revisions == [8, 900, 901]
    assert asked(server) == [7, 8, None]


def test_a_watch_goes_on_through_the_next_match() -> None:
    over, another = event(4), event(6)
    over.event.state.match.winner = messages.SEAT_WHITE
    another.event.match_started.match_number = 2
    answers = {"WatchTable": Streams([over, event(5), another, event(7)])}
    with FakeServer(answers) as server, Client(server.target) as client:
        news = list(islice(client.table("t1").watch(3), 4))
    assert [one.revision for one in news] == [4, 5, 6, 7]
    assert [one.event.match_started.match_number for one in news if one.event] == [0, 0, 2, 0]


def test_a_watch_that_is_one_too_many_waits_for_room() -> None:
    def full(_: object, context: grpc.ServicerContext) -> Iterator[Response]:
        info = RetryInfo(retry_delay=Duration(nanos=1_000_000))
        refuse(context, grpc.StatusCode.RESOURCE_EXHAUSTED, "TOO_MANY_WATCHES", "full", info)
        yield snapshot(0)

    answers = {"WatchTable": once(full, Streams([snapshot(3)]))}
    with FakeServer(answers) as server, Client(server.target) as client:
        assert next(client.table("t1").watch()).revision == 3
    assert len(server.requests) == 2
