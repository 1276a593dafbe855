"""What one caller may have: requests, watches, new tables, jobs. Others do not notice him."""

from __future__ import annotations

import asyncio
import base64
import json
import random
import re
import struct
import threading
import tracemalloc
from collections.abc import AsyncIterator
from contextlib import ExitStack, asynccontextmanager, closing
from ipaddress import ip_network
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2
from grpc_health.v1 import health_pb2

from bgcore.errors import Fault
from bgcore_proto.v1 import rules_service_pb2 as rules
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_server.buckets import Buckets
from bgcore_server.convert import matches
from bgcore_server.errors import Busy, TooMuch, TooOften, retry_after, when_to_retry
from bgcore_server.limit_settings import QuotaSettings
from bgcore_server.peers import Peers, address_of, block_of
from bgcore_server.quotas import Quotas
from bgcore_server.workers import Queue
from tests.server.helpers import ANYWHERE, Client, Running, opening, ref, refusal_of, running
from tests.server.test_busy import busy, session
from tests.server.test_web import PLAYS, QUESTION, call

EXHAUSTED = grpc.StatusCode.RESOURCE_EXHAUSTED
BODY = json.dumps(QUESTION).encode()


class Clock:
    """A clock that stands still until it is set."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def quotas(clock: Clock | None = None, **limits: Any) -> Quotas:
    return Quotas(QuotaSettings(**limits), clock or Clock())


# -- buckets ------------------------------------------------------------------------------------------


def test_a_bucket_never_gives_more_than_its_burst_and_what_ran_in() -> None:
    rng, buckets, now, taken = random.Random(1), Buckets(10, 5), 0.0, 0
    for _ in range(10_000):
        now += rng.expovariate(20)
        taken += buckets.wait("a", now) == 0.0
        assert taken <= 5 + 10 * now
    assert taken > 0.98 * 10 * now


def test_who_waits_as_long_as_told_is_let_in() -> None:
    buckets = Buckets(3, 2)
    for _ in range(2):
        assert buckets.wait("a", 0.0) == 0.0
    wait = buckets.wait("a", 0.0)
    assert wait == pytest.approx(1 / 3)
    assert buckets.wait("a", wait - 0.01) > 0
    assert buckets.wait("a", wait + 1e-9) == 0.0


def test_to_be_refused_costs_nothing() -> None:
    buckets = Buckets(1, 1)
    assert buckets.wait("a", 0.0) == 0.0
    assert [buckets.wait("a", 0.5) for _ in range(9)] == [0.5] * 9
    assert buckets.wait("a", 1.0) == 0.0


def test_buckets_are_bounded_whatever_the_number_of_callers() -> None:
    buckets = Buckets(1, 1, most=1000)
    tracemalloc.start()
    try:
        for number in range(2000):
            buckets.wait(f"2001:db8:{number:x}::", 0.0)
        before, _ = tracemalloc.get_traced_memory()
        for number in range(2000, 50_000):
            buckets.wait(f"2001:db8:{number:x}::", 0.0)
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert len(buckets) == 1000
    assert after - before < 100_000
    assert buckets.wait(f"2001:db8:{49_999:x}::", 0.0) > 0, "the newest is remembered"


# -- addresses ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", True),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", False),
        ("192.0.2.1", "192.0.2.2", False),
        ("192.0.2.1", "::ffff:192.0.2.1", True),
        ("fe80::1%eth0", "fe80::2%eth1", True),
    ],
)
def test_a_caller_is_an_address_or_all_that_somebody_has_of_ipv6(
    one: str, other: str, same: bool
) -> None:
    assert (block_of(one) == block_of(other)) is same


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        ("ipv4:192.0.2.1:4000", "192.0.2.1"),
        ("ipv6:[2001:db8::1]:4000", "2001:db8::1"),
        ("ipv6:%5B2001:db8::1%5D:4000", "2001:db8::1"),
        ("unix:", "unix:"),
        ("", ""),
    ],
)
def test_the_address_is_taken_from_what_grpc_calls_a_peer(peer: str, address: str) -> None:
    assert address_of(peer).rstrip(":") == address.rstrip(":")


PROXIES = [ip_network("10.0.0.0/8"), ip_network("fd00::/8")]


@pytest.mark.parametrize(
    ("connected", "header", "peer"),
    [
        ("192.0.2.9", "203.0.113.1", "192.0.2.9"),  # no proxy: whatever it says
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "203.0.113.1", "203.0.113.1"),
        ("::ffff:10.0.0.1", "203.0.113.1", "203.0.113.1"),
        ("fd00::1", "2001:db8::5", "2001:db8::5"),
        ("10.0.0.1", "203.0.113.1:5000, 10.0.0.7", "203.0.113.1"),
        ("10.0.0.1", "[2001:db8::5]:5000", "2001:db8::5"),
        ("10.0.0.1", "198.51.100.66, 203.0.113.1", "203.0.113.1"),  # the first is made up
        ("10.0.0.1", "unknown", "10.0.0.1"),
        ("10.0.0.1", "x, 10.0.0.2", "10.0.0.2"),
        ("10.0.0.1", ", ,", "10.0.0.1"),
        ("10.0.0.1", "9" * 10_000, "10.0.0.1"),
    ],
)
def test_only_trusted_proxies_are_believed(connected: str, header: str, peer: str) -> None:
    assert Peers(PROXIES).of(connected, lambda: header) == peer


# -- counting -----------------------------------------------------------------------------------------


def test_one_address_does_not_use_up_what_another_has() -> None:
    counts = quotas(address_requests=1, address_burst=2)
    for _ in range(2):
        counts.request("192.0.2.1", "")
    with pytest.raises(
        TooOften, match=r"at most 1 a second of one address; try again in 1 s"
    ) as no:
        counts.request("192.0.2.1", "")
    [info] = when_to_retry(no.value)
    assert str(info).strip() == "retry_delay {\n  seconds: 1\n}"
    counts.request("192.0.2.2", "")


def test_a_token_is_counted_wherever_it_is_shown() -> None:
    counts = quotas(token_requests=0.5, token_burst=2)
    for number in range(2):
        counts.request(f"192.0.2.{number}", "Bearer a")
    with pytest.raises(TooOften, match=r"0\.5 a second of one token") as refused:
        counts.request("192.0.2.9", "Bearer a")
    assert "Bearer a" not in str(refused.value)
    counts.request("192.0.2.9", "Bearer b")


@pytest.mark.parametrize("spelt", ["bearer a", "BEARER a", "Bearer  a", "Bearer a "])
def test_a_token_is_the_same_however_it_is_spelt(spelt: str) -> None:
    counts = quotas(token_requests=1, token_burst=1, token_watches=1)
    counts.request("192.0.2.1", "Bearer a")
    with pytest.raises(TooOften, match="of one token"):
        counts.request("192.0.2.2", spelt)
    counts.watch("192.0.2.1", "Bearer a")
    with pytest.raises(TooMuch, match="of one token"):
        counts.watch("192.0.2.2", spelt)


def test_what_shows_no_token_is_counted_by_its_address_alone() -> None:
    counts = quotas(token_requests=1, token_burst=1, token_watches=1)
    for authorization in ("Basic a", "Basic a", "Bearer", "Bearer "):
        counts.request("192.0.2.1", authorization)
        counts.watch("192.0.2.1", authorization)


def test_made_up_tokens_do_not_help() -> None:
    counts = quotas(address_burst=10)
    for number in range(10):
        counts.request("192.0.2.1", f"Bearer {number}")
    with pytest.raises(TooOften):
        counts.request("192.0.2.1", "Bearer new")


def test_the_bucket_fills_up_again() -> None:
    clock = Clock()
    counts = quotas(clock, address_requests=2, address_burst=1)
    counts.request("192.0.2.1", "")
    with pytest.raises(TooOften) as refused:
        counts.request("192.0.2.1", "")
    clock.now += refused.value.seconds
    counts.request("192.0.2.1", "")


def test_tables_are_counted_by_account_or_else_by_address() -> None:
    counts = quotas(address_tables=2, account_tables=3)
    for _ in range(2):
        counts.table("192.0.2.1")
    for _ in range(3):
        counts.table("192.0.2.1", "ann")
    for account in ("", "ann"):
        with pytest.raises(TooOften) as refused:
            counts.table("192.0.2.1", account)
        assert refused.value.reason == "TOO_MANY_TABLES"
        assert 1000 < refused.value.seconds <= 1800
    counts.table("192.0.2.1", "bob")
    counts.table("192.0.2.2")


def test_watches_are_counted_while_they_are_open() -> None:
    counts = quotas(address_watches=2, token_watches=1, watches=3)
    with ExitStack() as held:
        held.enter_context(closing(counts.watch("192.0.2.1", "Bearer a")))
        for whose, authorization in (("one token", "Bearer a"), ("", "Bearer b")):
            if whose:
                with pytest.raises(TooMuch, match=f"at most 1 open watches of {whose}"):
                    counts.watch("192.0.2.2", authorization)
            else:
                held.enter_context(closing(counts.watch("192.0.2.1", authorization)))
        with pytest.raises(TooMuch, match="at most 2 open watches of one address"):
            counts.watch("192.0.2.1", "")
        held.enter_context(closing(counts.watch("127.0.0.1", "")))
        with pytest.raises(TooMuch, match="at most 3 open watches of all callers"):
            counts.watch("127.0.0.1", "")
    assert not counts._watches and counts._all_watches == 0


def test_every_limit_can_be_switched_off() -> None:
    counts = quotas(
        address_requests=0,
        token_requests=0,
        address_watches=0,
        token_watches=0,
        watches=0,
        address_tables=0,
        account_tables=0,
    )
    with ExitStack() as held:
        for _ in range(20_000):
            counts.request("192.0.2.1", "Bearer a")
            counts.table("192.0.2.1")
            counts.table("192.0.2.1", "ann")
            held.enter_context(closing(counts.watch("192.0.2.1", "Bearer a")))


def test_services_of_ours_are_not_counted() -> None:
    counts = quotas(
        address_requests=1, address_burst=1, address_tables=1, unlimited="10.0.0.0/8,::1"
    )
    for _ in range(10):
        counts.request("10.1.2.3", "Bearer a")
        counts.table("::1")


# -- jobs ---------------------------------------------------------------------------------------------


async def test_one_caller_does_not_fill_the_queue_for_all() -> None:
    queue = Queue("test", most_of_one=2, block=block_of)
    end = threading.Event()
    theirs = [
        asyncio.create_task(queue.run(lambda _: end.wait(30), f"2001:db8::{number}"))
        for number in range(5)
    ]
    await asyncio.sleep(0)
    mine = asyncio.create_task(queue.run(lambda _: "mine", "192.0.2.1"))
    await asyncio.sleep(0)
    end.set()
    assert await mine == "mine"
    found = await asyncio.gather(*theirs, return_exceptions=True)
    refused = [one for one in found if isinstance(one, Busy)]
    assert len(refused) == 3
    assert {one.reason for one in refused} == {"TOO_MANY_JOBS"}
    assert await queue.run(lambda _: "again", "2001:db8::1") == "again"
    queue.stop()


# -- with sockets -------------------------------------------------------------------------------------

NOBODY: Any = {"unlimited": ()}


@asynccontextmanager
async def limited(**limits: Any) -> AsyncIterator[tuple[Running, Client]]:
    """A server that counts this machine, too."""
    settings = QuotaSettings(**(NOBODY | limits))
    async with running(http=ANYWHERE, quota=settings, heartbeat=0.05) as server:
        async with grpc.aio.insecure_channel(str(server.grpc)) as channel:
            yield server, Client(channel)
        assert not server.faults.found


def question() -> rules.ListPlaysRequest:
    return rules.ListPlaysRequest(variant=ref(), position=opening(), dice=[3, 1])


SLOW = {"address_requests": 0.01, "address_burst": 3}


async def test_too_many_requests_are_told_when_to_come_again() -> None:
    async with limited(**SLOW) as (_, client):
        for _ in range(3):
            await client.ListPlays(question())
        found = await refusal_of(client.ListPlays(question()))
        assert (found.code, found.reason) == (EXHAUSTED, "TOO_MANY_REQUESTS")
        assert 90 <= found.retry_seconds <= 100
        assert "at most 0.01 a second of one address" in found.expected


async def test_a_refused_request_is_not_even_read() -> None:
    async with limited(**SLOW) as (_, client):
        for _ in range(3):
            await refusal_of(client.raw("ListPlays", b"\xff"))
        found = await refusal_of(client.raw("ListPlays", b"\xff"))
        assert found.reason == "TOO_MANY_REQUESTS"


async def test_requests_count_together_over_both_ports() -> None:
    async with limited(**SLOW) as (server, client):
        await client.ListPlays(question())
        assert (await call(server, PLAYS, BODY)).status == 200
        assert (await call(server, "/nothing", BODY)).status == 404  # which counts, too
        answer = await call(server, PLAYS, BODY)
        assert (answer.status, answer.info.reason) == (429, "TOO_MANY_REQUESTS")
        details = {one["type"]: one for one in answer.json["details"]}
        assert details["google.rpc.RetryInfo"]["debug"]["retryDelay"].endswith("s")
        found = await refusal_of(client.ListPlays(question()))
        assert found.reason == "TOO_MANY_REQUESTS"
        stray: Any = client.channel.unary_unary("/no.Such/Thing")
        assert (await refusal_of(stray(b""))).reason == "TOO_MANY_REQUESTS"
        assert (await call(server, "/healthz", b"")).status == 200


async def test_too_many_requests_are_refused_in_the_form_that_each_client_reads() -> None:
    async with limited(**SLOW) as (server, _):
        for _ in range(3):
            await call(server, PLAYS, BODY)
        web = await call(server, PLAYS, b"\0\0\0\0\0", "application/grpc-web+proto")
        assert (web.status, b"grpc-status: 8" in web.body) == (200, True)
        [packed] = re.findall(rb"grpc-status-details-bin: (\S+)", web.body)
        status = status_pb2.Status.FromString(base64.b64decode(packed + b"=="))
        assert status.code == 8
        assert any(one.Is(error_details_pb2.RetryInfo.DESCRIPTOR) for one in status.details)
        watch = "/bgcore.v1.TableService/WatchTable"
        stream = await call(server, watch, b"\0\0\0\0\0", "application/connect+json")
        flag, size = struct.unpack(">BI", stream.body[:5])
        error = json.loads(stream.body[5 : 5 + size])["error"]
        assert (stream.status, flag, error["code"]) == (200, 2, "resource_exhausted")


WATCH = "/bgcore.v1.TableService/WatchTable"


@pytest.mark.parametrize(
    ("path", "kind", "body"),
    [
        (PLAYS, "application/json", BODY),
        (PLAYS, "application/proto", b"\x08\x01"),
        (PLAYS, "application/grpc-web+proto", b"\0\0\0\0\0"),
        (WATCH, "application/connect+json", b"\0\0\0\0\2{}"),
    ],
    ids=["json", "connect", "grpc-web", "stream"],
)
async def test_a_header_says_in_whole_seconds_when_to_come_again(
    path: str, kind: str, body: bytes
) -> None:
    async with limited(**SLOW | {"address_burst": 1}) as (server, _):
        first = await call(server, PLAYS, BODY)
        refused = await call(server, path, body, kind)
        assert "retry-after" not in first.headers
        assert refused.headers["retry-after"].isdecimal()
        assert 90 <= int(refused.headers["retry-after"]) <= 100


@pytest.mark.parametrize(("seconds", "told"), [(0.001, 1), (1.0, 1), (1.001, 2), (99.5, 100)])
def test_seconds_of_the_header_are_rounded_up(seconds: float, told: int) -> None:
    assert retry_after(TooOften(Fault("", "", "", ""), seconds=seconds)) == told


def test_other_errors_say_nothing_of_coming_again() -> None:
    assert retry_after(None) is None
    assert retry_after(TooMuch(Fault("", "", "", ""))) is None


async def test_behind_a_trusted_proxy_callers_are_told_apart() -> None:
    more: Any = SLOW | {"address_burst": 1, "trusted_proxies": "127.0.0.0/8"}
    async with limited(**more) as (server, client):

        def asked(caller: str) -> Any:
            metadata = (("x-forwarded-for", caller),)
            rpc: Any = client.channel.unary_unary(PLAYS)
            return rpc(question().SerializeToString(), metadata=metadata)

        await asked("203.0.113.1")
        assert (await refusal_of(asked("203.0.113.1"))).reason == "TOO_MANY_REQUESTS"
        assert (await refusal_of(asked("9.9.9.9, 203.0.113.1"))).reason == "TOO_MANY_REQUESTS"
        await asked("203.0.113.2")
        header = {"x-forwarded-for": "203.0.113.3"}
        assert (await call(server, PLAYS, BODY, **header)).status == 200
        assert (await call(server, PLAYS, BODY, **header)).status == 429
        header = {"x-forwarded-for": "203.0.113.4"}
        assert (await call(server, PLAYS, BODY, **header)).status == 200


async def test_nobody_else_is_believed_where_he_comes_from() -> None:
    async with limited(**SLOW) as (server, _):
        statuses = [
            (await call(server, PLAYS, BODY, **{"x-forwarded-for": f"203.0.113.{n}"})).status
            for n in range(4)
        ]
        assert statuses == [200, 200, 200, 429]


async def test_too_many_watches_are_refused_until_one_ends() -> None:
    async with limited(address_watches=2) as (server, client):
        made = await client.CreateTable(service.CreateTableRequest(variant=ref()))
        request = service.WatchTableRequest(table=made.table.id)
        watches = [client.WatchTable(request) for _ in range(2)]
        for watch in watches:
            await watch.read()
        third = client.WatchTable(request)
        found = await refusal_of(third.read())
        assert (found.code, found.reason) == (EXHAUSTED, "TOO_MANY_WATCHES")
        health = client.Watch(health_pb2.HealthCheckRequest())
        assert (await refusal_of(health.read())).reason == "TOO_MANY_WATCHES"
        watches[0].cancel()
        quotas = server.server._door.quotas
        while quotas._all_watches > 1:
            await asyncio.sleep(0.001)
        again = client.WatchTable(request)
        await again.read()
        for watch in (again, watches[1]):
            watch.cancel()


async def test_too_many_tables_are_told_when_to_come_again() -> None:
    async with limited(address_tables=2) as (_, client):
        request = service.CreateTableRequest(variant=ref())
        for _ in range(2):
            await client.CreateTable(request)
        found = await refusal_of(client.CreateTable(request))
        assert (found.code, found.reason) == (EXHAUSTED, "TOO_MANY_TABLES")
        assert found.retry_seconds > 1700
        await client.ListTables(service.ListTablesRequest())


async def test_a_table_from_a_record_is_counted_before_its_record_is_played_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    played = []

    def only_match(*arguments: Any) -> Any:
        played.append(arguments)
        return real(*arguments)

    real = matches.only_match
    monkeypatch.setattr("bgcore_server.services.new_table.only_match", only_match)
    async with limited(address_tables=1) as (_, client):
        request = service.CreateTableRequest(start=service.Start(record=session(1)))
        await client.CreateTable(request)
        found = await refusal_of(client.CreateTable(request))
        assert found.reason == "TOO_MANY_TABLES"
    assert len(played) == 1


@pytest.mark.parametrize("record", ["", session(1)], ids=["new", "record"])
async def test_a_repeated_request_for_a_table_costs_nothing(record: str) -> None:
    async with limited(address_tables=1) as (_, client):
        what = {"start": service.Start(record=record)} if record else {"variant": ref()}
        request = service.CreateTableRequest(request_id="of the only one", **what)
        made = await client.CreateTable(request)
        for _ in range(3):
            assert (await client.CreateTable(request)).table.id == made.table.id
        request.request_id = "of one more"
        found = await refusal_of(client.CreateTable(request))
        assert found.reason == "TOO_MANY_TABLES"


async def test_a_table_that_was_not_made_costs_nothing() -> None:
    async with limited(address_tables=1) as (_, client):
        for _ in range(2):
            await refusal_of(client.CreateTable(service.CreateTableRequest(variant=ref("no-such"))))
        await client.CreateTable(service.CreateTableRequest(variant=ref()))


async def test_one_callers_files_leave_room_for_others() -> None:
    async with limited() as (server, client), busy(server.server._workers.files, 1):
        asked = [
            asyncio.create_task(
                refusal_of(client.ReplayMatch(rules.ReplayMatchRequest(text=session(1))))
            )
            for _ in range(3)
        ]
        done, waiting = await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)
        assert {task.result().reason for task in done} == {"TOO_MANY_JOBS"}
        for task in waiting:
            task.cancel()


# -- deadlines ----------------------------------------------------------------------------------------


async def test_a_call_whose_deadline_passed_while_it_queued_is_not_carried_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, stands_still, go_on = (threading.Event() for _ in range(3))
    async with running() as server:
        target = server.server._tables
        assert target is not None
        made: list[object] = []
        create = target.create

        async def counted(*given: Any) -> Any:
            made.append(given)
            return await create(*given)

        monkeypatch.setattr(target, "create", counted)

        def late() -> grpc.StatusCode:
            """While the server can do nothing, a call comes whose time runs out."""
            with grpc.insecure_channel(str(server.grpc)) as channel:
                grpc.channel_ready_future(channel).result(10)
                begun.set()
                stands_still.wait(30)
                rpc: Any = channel.unary_unary("/bgcore.v1.TableService/CreateTable")
                raw = service.CreateTableRequest(variant=ref()).SerializeToString()
                try:
                    rpc(raw, timeout=0.2)
                except grpc.RpcError as error:
                    return error.code()
                finally:
                    go_on.set()
            raise AssertionError("answered")

        caller = asyncio.create_task(asyncio.to_thread(late))
        while not begun.is_set():
            await asyncio.sleep(0.001)
        stands_still.set()
        go_on.wait(30)  # on the server's own loop, which stands still meanwhile
        assert await caller is grpc.StatusCode.DEADLINE_EXCEEDED
        async with grpc.aio.insecure_channel(str(server.grpc)) as channel:
            await Client(channel).ListTables(service.ListTablesRequest())
        assert not made
        assert not server.faults.found


async def test_over_http_too_a_call_that_comes_too_late_is_not_carried_out() -> None:
    async with running(http=ANYWHERE) as server:
        answer = await call(server, PLAYS, BODY, **{"connect-timeout-ms": "0"})
        assert answer.json["code"] == "deadline_exceeded"
