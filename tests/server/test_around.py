"""What happens around every call: its id, the steps, the log, the metrics, the spans."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import urllib.request
from contextlib import suppress
from pathlib import Path
from typing import Any

import grpc
import pytest
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind

from bgcore.errors import Fault
from bgcore_proto.v1 import rules_service_pb2 as rules
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_server.adapters import around
from bgcore_server.adapters.around import Ongoing
from bgcore_server.errors import Malformed, TooMuch
from bgcore_server.operator_settings import LogSettings
from bgcore_server.server import Server
from bgcore_server.tracing import Spans, spans_of_environment
from tests.server.helpers import (
    ANYWHERE,
    Client,
    Running,
    at_table,
    opening,
    ref,
    running,
)
from tests.server.known_accounts import AUDIENCE, ISSUER, KEY, signed
from tests.server.test_busy import REPLAY, busy, session
from tests.server.test_tables import channel
from tests.server.test_web import PLAYS, QUESTION, call

ROOT = Path(__file__).parents[2]
GOOD = rules.ListPlaysRequest(variant=ref(), position=opening(), dice=(3, 1))
BAD = rules.ListPlaysRequest(variant=ref("chess"), position=opening(), dice=(3, 1))
BODY = json.dumps(QUESTION).encode()
TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = f"00-{TRACE}-b7ad6b7169203331-01"


async def told_id(client: Client, request: rules.ListPlaysRequest, *given: str) -> str:
    """The id that an answer, or a refusal, has in its metadata."""
    rpc: Any = client.channel.unary_unary(PLAYS)
    going = rpc(request.SerializeToString(), metadata=[("x-request-id", one) for one in given])
    with suppress(grpc.aio.AioRpcError):
        await going
    [found] = [value for name, value in await going.trailing_metadata() if name == "x-request-id"]
    return str(found)


@pytest.mark.parametrize("request_", [GOOD, BAD])
async def test_the_id_of_a_call_is_its_callers_if_it_is_sane(
    client: Client, request_: rules.ListPlaysRequest
) -> None:
    assert await told_id(client, request_, "an-id_1") == "an-id_1"
    for strange in ("", "two words", "x" * 65, '"}'):
        assert around.SANE.fullmatch(made := await told_id(client, request_, strange))
        assert made != strange
    assert len({await told_id(client, request_) for _ in range(3)}) == 3


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        (PLAYS, BODY, 200),
        (PLAYS, b"{}", 400),
        (PLAYS, b"{", 400),
        (PLAYS, b"", 405),
        ("/nowhere", b"{}", 404),
    ],
)
async def test_over_http_the_id_is_a_header(path: str, body: bytes, status: int) -> None:
    async with running(http=ANYWHERE) as web:
        answer = await call(web, path, body, **{"x-request-id": "abc"})
        assert (answer.status, answer.headers["x-request-id"]) == (status, "abc")
        assert len((await call(web, path, body)).headers["x-request-id"]) > 10


async def test_a_refused_watch_tells_its_id(server: Running, client: Client) -> None:
    at = await at_table(client)
    watch = client.WatchTable(service.WatchTableRequest(table="nowhere"))
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await watch.read()
    assert "x-request-id" in dict(caught.value.trailing_metadata() or ())
    assert at.id


# -- steps ------------------------------------------------------------------------------------------


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> list[Ongoing]:
    """A further step before each call, which refuses it."""
    seen: list[Ongoing] = []
    own = Server._around

    def refuse(call: Ongoing) -> None:
        seen.append(call)
        raise TooMuch(Fault("TOO_MANY", "", "many", "fewer"))

    def with_it(server: Server) -> around.Around:
        found = own(server)
        return around.Around(found._guard, (*found._before, refuse), found._after)

    monkeypatch.setattr(Server, "_around", with_it)
    return seen


async def test_a_step_before_a_call_may_refuse_it_in_every_protocol(full: list[Ongoing]) -> None:
    async with running(http=ANYWHERE) as web, channel(web.grpc) as client:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await client.ListPlays(GOOD)
        assert caught.value.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await client.WatchTable(service.WatchTableRequest(table="x")).read()
        assert caught.value.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
        answer = await call(web, PLAYS, BODY)
        assert (answer.status, answer.info.reason) == (429, "TOO_MANY")
        answer = await call(web, PLAYS, b"{")
        assert (answer.status, answer.info.reason) == (429, "TOO_MANY")
        frame = b"\0" + (n := GOOD.SerializeToString()).__len__().to_bytes(4, "big") + n
        answer = await call(web, PLAYS, frame, "application/grpc-web+proto")
        assert b"grpc-status: 8" in answer.body or answer.headers.get("grpc-status") == "8"
        assert len(full) == 5
        assert all("127.0.0.1" in one.peer for one in full)
        text = web.server._metrics.exposition()[1].decode()
        assert f'bgcore_calls_total{{code="RESOURCE_EXHAUSTED",rpc="{PLAYS[1:]}"}} 4.0' in text


# -- the log ----------------------------------------------------------------------------------------


async def test_every_call_is_logged_if_that_is_wanted() -> None:
    async with (
        running(http=ANYWHERE, log=LogSettings(calls=True)) as web,
        channel(web.grpc) as client,
    ):
        await told_id(client, GOOD, "one")
        await told_id(client, BAD, "two")
        await call(web, PLAYS, b"{", **{"x-request-id": "three"})
        await call(web, "/nowhere", b"{", **{"x-request-id": "four"})
        lines = {line["request_id"]: line for line in web.faults.told}
    assert [lines[name]["code"] for name in ("one", "two", "three", "four")] == [
        *("OK", "NOT_FOUND", "INVALID_ARGUMENT", "UNIMPLEMENTED")
    ]
    assert [lines[name]["reason"] for name in ("one", "three", "four")] == [
        *("", "BAD_JSON", "UNKNOWN_RPC")
    ]
    for line in lines.values():
        assert line["level"] == "info"
        assert "127.0.0.1" in str(line["peer"])
        assert float(str(line["milliseconds"])) > 0


async def test_only_what_is_our_fault_is_logged_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running(http=ANYWHERE) as web, channel(web.grpc) as client:
        await told_id(client, GOOD)
        await told_id(client, BAD)
        assert not web.faults.told
        monkeypatch.setattr(web.server._registry, "rules", None)
        other = rules.ListPlaysRequest(variant=ref("tavla"), position=opening(), dice=(3, 1))
        await told_id(client, other, "seven")
        [fault], [line] = web.faults.found, web.faults.told
    assert (fault["event"], fault["request_id"]) == ("server fault", "seven")
    assert (line["level"], line["request_id"], line["reason"]) == (
        *("warning", "seven"),
        "SERVER_FAULT",
    )


# -- metrics ----------------------------------------------------------------------------------------


async def test_metrics_are_told_on_the_web_port() -> None:
    async with running(http=ANYWHERE) as web, channel(web.grpc) as client:
        at = await at_table(client)
        await at.throw(3, 1)
        watch = client.WatchTable(service.WatchTableRequest(table=at.id))
        await watch.read()
        await told_id(client, BAD)
        await call(web, PLAYS, BODY)
        answer = await call(web, "/metrics", b"")
        watch.cancel()
    text = answer.body.decode()
    assert answer.headers["content-type"].startswith("text/plain")
    for line in (
        'bgcore_calls_total{code="NOT_FOUND",rpc="bgcore.v1.RulesService/ListPlays"} 1.0',
        'bgcore_calls_total{code="OK",rpc="bgcore.v1.RulesService/ListPlays"} 1.0',
        'bgcore_call_seconds_count{rpc="bgcore.v1.RulesService/ListPlays"} 2.0',
        'bgcore_calls_open{rpc="bgcore.v1.TableService/WatchTable"} 1.0',
        'bgcore_store_commits_total{command="append",result="kept"} 3.0',
        'bgcore_store_commits_total{command="create",result="kept"} 1.0',
        'bgcore_store_seconds_count{command="append"} 3.0',
        "bgcore_acts_total 1.0",
        "bgcore_tables_in_memory 1.0",
        'bgcore_queue_jobs{queue="files"} 0.0',
        "bgcore_ready 1.0",
    ):
        assert line in text.splitlines()
    assert "process_resident_memory_bytes" in text
    assert "bgcore_build_info{" in text


async def test_every_metric_is_in_the_docs() -> None:
    page = ROOT.joinpath("docs/operations.md").read_text(encoding="utf-8")
    told = set(re.findall(r"^\| `(bgcore_\w+)`", page, re.MULTILINE))
    async with running() as server:
        text = server.server._metrics.exposition()[1].decode()
    assert told == set(re.findall(r"^# TYPE (bgcore_\w+)", text, re.MULTILINE))


@pytest.mark.parametrize("place", [None, ANYWHERE])
async def test_metrics_may_be_elsewhere_or_nowhere(place: Any) -> None:
    async with running(http=ANYWHERE, metrics=place) as web:
        assert (await call(web, "/metrics", b"")).status == 404
        port = web.server.metrics_port
        assert (port is None) == (place is None)
        if port:
            url = f"http://127.0.0.1:{port}/metrics"
            answer = await asyncio.to_thread(urllib.request.urlopen, url)
            with answer:
                assert b'rpc="unknown"' in answer.read()


async def test_a_fault_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    async with running() as server, channel(server.grpc) as client:
        monkeypatch.setattr(server.server._registry, "rules", None)
        await told_id(client, GOOD)
        text = server.server._metrics.exposition()[1].decode()
    assert 'bgcore_faults_total{event="server fault"} 1.0' in text


async def test_keys_that_cannot_be_read_any_more_are_counted(tmp_path: Path) -> None:
    keys = tmp_path / "keys"
    keys.write_bytes(KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    told = {"issuer": ISSUER, "audience": AUDIENCE, "key_file": keys}
    async with running(accounts=told) as server, channel(server.grpc) as client:
        keys.unlink()
        request = service.CreateTableRequest(variant=ref())
        await client.CreateTable(request, token=signed("ann"))
        text = server.server._metrics.exposition()[1].decode()
    assert 'bgcore_faults_total{event="keys of accounts not renewed"} 1.0' in text


def test_every_fault_is_in_the_docs() -> None:
    page = ROOT.joinpath("docs/operations.md").read_text(encoding="utf-8")
    for file in ROOT.joinpath("server/bgcore_server").rglob("*.py"):
        for event in re.findall(r'log\.error\("([a-z ]+)"', file.read_text(encoding="utf-8")):
            assert f"`{event}`" in page, file


# -- traces -----------------------------------------------------------------------------------------


async def test_each_call_has_a_span_in_its_callers_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr("bgcore_server.server.spans_of_environment", lambda: Spans(provider))
    async with running(http=ANYWHERE) as web, channel(web.grpc) as client:
        rpc: Any = client.channel.unary_unary(PLAYS)
        await rpc(GOOD.SerializeToString(), metadata=[("traceparent", PARENT)])
        await told_id(client, BAD)
        await call(web, PLAYS, BODY, traceparent=PARENT)
        await call(web, PLAYS, b"{", traceparent="nonsense")
        spans = exporter.get_finished_spans()
    assert [span.name for span in spans] == [PLAYS[1:]] * 4
    assert all(span.kind is SpanKind.SERVER for span in spans)
    values: list[dict[str, Any]] = [dict(span.attributes or {}) for span in spans]
    assert [one["rpc.system"] for one in values] == ["grpc"] * 2 + ["connect_rpc"] * 2
    assert values[0]["rpc.service"] == "bgcore.v1.RulesService"
    assert values[0]["rpc.method"] == "ListPlays"
    assert [one["rpc.response.status_code"] for one in values] == [
        *("OK", "NOT_FOUND", "OK", "INVALID_ARGUMENT")
    ]
    traces = [span.context.trace_id for span in spans if span.context]
    assert traces[0] == traces[2] == int(TRACE, 16)
    assert len(set(traces)) == 3


@pytest.mark.parametrize(
    ("variables", "on"),
    [
        ({}, False),
        ({"OTEL_TRACES_EXPORTER": "none"}, False),
        ({"OTEL_TRACES_EXPORTER": "console"}, True),
        ({"OTEL_TRACES_EXPORTER": "console", "OTEL_SDK_DISABLED": "true"}, False),
        ({"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"}, True),
    ],
)
def test_the_usual_variables_switch_traces_on(variables: dict[str, str], on: bool) -> None:
    found = spans_of_environment(variables)
    assert (found is not None) == on
    if found:
        found.stop()


def test_an_exporter_that_is_not_there_is_told() -> None:
    with pytest.raises(
        Malformed, match=r"smoke: no such exporter, expected .* pip install '\.\[otel\]'"
    ):
        spans_of_environment({"OTEL_TRACES_EXPORTER": "smoke"})


def test_nothing_of_traces_is_imported_when_they_are_off() -> None:
    script = (
        "import sys, bgcore_server.server as s; s.spans_of_environment({});"
        "print([name for name in sys.modules if name.startswith('opentelemetry')])"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout == "[]\n"


# -- stopping ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("over_http", [False, True])
async def test_a_call_that_runs_when_the_server_stops_is_answered(over_http: bool) -> None:
    text = session(1)
    async with running(http=ANYWHERE) as web, channel(web.grpc) as client:
        files = web.server._workers.files
        async with busy(files, 1):
            going = asyncio.ensure_future(
                call(web, REPLAY, json.dumps({"text": text}).encode())
                if over_http
                else client.ReplayMatch(rules.ReplayMatchRequest(text=text))
            )
            while files.length < 2:
                await asyncio.sleep(0.001)
            stopping = asyncio.create_task(web.server.stop())
            await asyncio.sleep(0.1)
        answer = await going
        await stopping
    assert answer.status == 200 if over_http else answer.matches
