"""The web port: Connect, gRPC-Web and JSON, and the probes."""

from __future__ import annotations

import asyncio
import base64
import gzip
import json
import socket
import struct
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
from google.rpc import error_details_pb2

from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import rules_service_pb2 as rules
from bgcore_server.adapters.service import LARGEST_REQUEST
from tests.server.helpers import ANYWHERE, OPENING, Running, opening, ref, running

PLAYS = "/bgcore.v1.RulesService/ListPlays"
SIDE = {"points": OPENING}
QUESTION = {
    "variant": {"id": "western"},
    "position": {"white": SIDE, "black": SIDE, "onRoll": "SEAT_WHITE"},
    "dice": [3, 1],
    "view": "PLAY_VIEW_TEXT",
}


@dataclass
class Answer:
    """What came back over HTTP."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def info(self) -> error_details_pb2.ErrorInfo:
        """The only ErrorInfo of an error in Connect's form."""
        [packed] = [d for d in self.json["details"] if d["type"] == "google.rpc.ErrorInfo"]
        raw = base64.b64decode(packed["value"] + "==")
        return error_details_pb2.ErrorInfo.FromString(raw)


@pytest.fixture
async def web() -> AsyncIterator[Running]:
    async with running(http=ANYWHERE, heartbeat=0.1) as found:
        yield found
    assert not found.faults.found


async def call(
    web: Running, path: str, body: bytes, kind: str = "application/json", **headers: str
) -> Answer:
    """One request on a connection of its own."""
    assert web.http is not None
    reader, writer = await asyncio.open_connection(web.http.host, web.http.port)
    lines = [f"{'POST' if body else 'GET'} {path} HTTP/1.1", "host: test", "connection: close"]
    lines += [f"content-type: {kind}", f"content-length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    writer.write("\r\n".join([*lines, "", ""]).encode() + body)
    raw = await reader.read()
    writer.close()
    await writer.wait_closed()
    head, _, rest = raw.partition(b"\r\n\r\n")
    first, *more = head.decode().split("\r\n")
    found = dict(line.lower().split(": ", 1) for line in more)
    if found.get("transfer-encoding") == "chunked":
        rest = b"".join(chunks(rest))
    return Answer(int(first.split()[1]), found, rest)


def chunks(raw: bytes) -> list[bytes]:
    found = []
    while raw:
        size, _, raw = raw.partition(b"\r\n")
        found.append(raw[: int(size, 16)])
        raw = raw[int(size, 16) + 2 :]
    return found


async def test_plays_are_listed_in_json(web: Running) -> None:
    answer = await call(web, PLAYS, json.dumps(QUESTION).encode())
    assert answer.status == 200
    assert answer.headers["content-type"] == "application/json"
    plays = answer.json["plays"]
    assert plays["numbersUsed"] == 2
    assert "8/5 6/5" in plays["texts"]


async def test_plays_are_listed_in_binary(web: Running) -> None:
    request = rules.ListPlaysRequest(variant=ref(), position=opening(), dice=[3, 1])
    answer = await call(web, PLAYS, request.SerializeToString(), "application/proto")
    assert answer.status == 200
    assert len(rules.ListPlaysResponse.FromString(answer.body).plays.lengths) == 16


async def test_plays_are_listed_over_grpc_web(web: Running) -> None:
    request = rules.ListPlaysRequest(variant=ref(), position=opening(), dice=[3, 1])
    raw = request.SerializeToString()
    body = struct.pack(">BI", 0, len(raw)) + raw
    answer = await call(web, PLAYS, body, "application/grpc-web+proto")
    assert answer.status == 200
    flag, length = struct.unpack(">BI", answer.body[:5])
    message = rules.ListPlaysResponse.FromString(answer.body[5 : 5 + length])
    assert flag == 0
    assert len(message.plays.lengths) == 16
    assert b"grpc-status: 0" in answer.body[5 + length :].lower()


async def test_an_error_has_its_code_and_details(web: Running) -> None:
    question = QUESTION | {"variant": {"id": "wetsern"}}
    answer = await call(web, PLAYS, json.dumps(question).encode())
    assert answer.status == 404
    assert answer.json["code"] == "not_found"
    assert "wetsern" in answer.json["message"]
    assert (answer.info.domain, answer.info.reason) == ("bgcore", "UNKNOWN_VARIANT")
    assert answer.info.metadata["value"] == "wetsern"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"{", "BAD_JSON"),
        (b"[1]", "WRONG_TYPE"),
        (b"\xff\xfe", "BAD_JSON"),
        (b'{"dice": "many"}', "WRONG_TYPE"),
        (b'{"dice": [1e99]}', "NUMBER_OUT_OF_RANGE"),
        (b'{"position": {"white": {"points": [-1]}}}', "NUMBER_OUT_OF_RANGE"),
        (b'{"variant":{"options":{"a":' + b'{"list":{"values":[' * 3000, "BAD_JSON"),
    ],
    ids=lambda given: str(given)[:40],
)
async def test_json_that_is_no_request(web: Running, body: bytes, reason: str) -> None:
    answer = await call(web, PLAYS, body)
    assert answer.status == 400
    assert answer.json["code"] == "invalid_argument"
    assert answer.info.reason == reason


async def test_bytes_that_are_no_request(web: Running) -> None:
    answer = await call(web, PLAYS, b"\xff" * 20, "application/proto")
    assert answer.status == 400
    assert answer.info.reason == "UNREADABLE_MESSAGE"


async def test_an_oversized_request(web: Running) -> None:
    answer = await call(web, PLAYS, b" " * (LARGEST_REQUEST + 1))
    assert answer.status == 429
    assert answer.json["code"] == "resource_exhausted"
    assert answer.info.reason == "MESSAGE_TOO_LARGE"


@pytest.mark.parametrize("megabytes", [2, 16])
async def test_a_small_body_that_grows_when_it_is_unpacked(web: Running, megabytes: int) -> None:
    packed = gzip.compress(b" " * (megabytes << 20))
    answer = await call(web, PLAYS, packed, **{"content-encoding": "gzip"})
    assert answer.status == 429
    assert answer.info.reason == "MESSAGE_TOO_LARGE"
    assert answer.info.metadata["expected"] == f"at most {LARGEST_REQUEST} bytes"
    whole = gzip.compress(json.dumps(QUESTION).encode())
    assert (await call(web, PLAYS, whole, **{"content-encoding": "gzip"})).status == 200


async def test_a_small_answer_does_not_wait_for_more(web: Running) -> None:
    assert web.server._web is not None
    [server] = web.server._web._server.servers
    [listening] = server.sockets
    assert listening.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


async def test_a_path_that_is_no_rpc(web: Running) -> None:
    for path, body in (("/bgcore.v1.RulesService/Guess", b"{}"), ("/", b"")):
        answer = await call(web, path, body)
        assert (answer.status, answer.info.reason) == (404, "UNKNOWN_RPC")


async def test_a_request_that_is_no_post(web: Running) -> None:
    answer = await call(web, PLAYS, b"")
    assert (answer.status, answer.info.reason) == (405, "NOT_A_POST")
    assert answer.headers["allow"] == "post"


async def test_plain_grpc_at_the_wrong_port(web: Running) -> None:
    answer = await call(web, PLAYS, bytes(5), kind="application/grpc")
    assert (answer.status, answer.info.reason) == (415, "WRONG_PORT")


async def test_a_header_that_is_no_text(web: Running) -> None:
    assert web.http is not None
    reader, writer = await asyncio.open_connection(web.http.host, web.http.port)
    head = f"POST {PLAYS} HTTP/1.1\r\nhost: test\r\nconnection: close\r\ncontent-length: 0\r\n"
    writer.write(head.encode() + b"authorization: Bearer \xff\r\n\r\n")
    raw = await reader.read()
    writer.close()
    assert raw.startswith(b"HTTP/1.1 400")
    assert b'"code": "invalid_argument"' in raw


async def test_a_table_is_played_in_json(web: Running) -> None:
    service = "/bgcore.v1.TableService/"

    async def ask(rpc: str, question: dict[str, Any], **headers: str) -> Any:
        answer = await call(web, service + rpc, json.dumps(question).encode(), **headers)
        return answer.json

    made = await ask("CreateTable", {"variant": {"id": "tavla"}, "diceMode": "DICE_MODE_MANUAL"})
    table = made["table"]["id"]
    tokens = [(await ask("JoinTable", {"table": table}))["token"] for _ in range(2)]
    act = {"table": table, "action": {"throw": {"dice": [6, 1]}}}
    refused = await ask("Act", act)
    assert refused["code"] == "unauthenticated"
    done = await ask("Act", act, authorization=f"Bearer {tokens[0]}")
    assert done["lastRevision"] == 3
    assert done["state"]["decision"]["kinds"][0] == "ACTION_KIND_PLAY"


async def test_a_clock_and_a_seed_are_told_in_json(web: Running) -> None:
    tables = "/bgcore.v1.TableService"
    options = {"clock": {"text": "bronstein"}, "bank_fixed": {"integer": "20"}}
    request = {
        "variant": {"id": "western", "options": options},
        "diceMode": "DICE_MODE_COMMITTED",
        "white": {"bot": {"id": "greedy"}},
    }
    made = (await call(web, f"{tables}/CreateTable", json.dumps(request).encode())).json
    assert made["state"]["clock"] == {
        "kind": "CLOCK_KIND_BRONSTEIN",
        "whiteLeft": "32s",
        "blackLeft": "32s",
    }
    assert len(made["state"]["dice"]["commitment"]) == 64
    assert "serverSeed" not in made["state"]["dice"]
    asked = json.dumps({"table": made["table"]["id"]}).encode()
    found = (await call(web, f"{tables}/ExportMatch", asked)).json
    assert (found["format"], found["mediaType"]) == ("MATCH_FORMAT_RECORD", "application/jsonl")
    refused = await call(web, f"{tables}/VerifyDice", asked)
    assert refused.info.reason == "SERVER_SEED_SECRET"


async def test_a_table_is_watched(web: Running) -> None:
    made = await call(web, "/bgcore.v1.TableService/CreateTable", b'{"variant": {"id": "western"}}')
    raw = json.dumps({"table": made.json["table"]["id"]}).encode()
    body = struct.pack(">BI", 0, len(raw)) + raw
    assert web.http is not None
    reader, writer = await asyncio.open_connection(web.http.host, web.http.port)
    writer.write(
        b"POST /bgcore.v1.TableService/WatchTable HTTP/1.1\r\nhost: test\r\n"
        b"content-type: application/connect+json\r\nconnect-protocol-version: 1\r\n"
        b"content-length: %d\r\n\r\n%b" % (len(body), body)
    )
    found = b""
    while b"heartbeat" not in found:
        found += await asyncio.wait_for(reader.read(4096), 5)
    assert b"200 OK" in found
    assert b'"snapshot"' in found
    writer.close()
    await writer.wait_closed()


async def test_probes_say_when_it_stops() -> None:
    async with running(http=ANYWHERE) as web:
        assert (await call(web, "/healthz", b"")).body == b"ok\n"
        assert (await call(web, "/readyz", b"")).status == 200
        web.server._health.stop()
        assert (await call(web, "/healthz", b"")).status == 200
        assert (await call(web, "/readyz", b"")).status == 503


async def test_views_have_the_same_names_as_in_the_contract(web: Running) -> None:
    assert pb.PlayView.keys()[0] == "PLAY_VIEW_UNSPECIFIED"
    answer = await call(web, PLAYS, json.dumps(QUESTION | {"view": "PLAY_VIEW_FULL"}).encode())
    boards = base64.b64decode(answer.json["plays"]["boards"])
    assert len(boards) == 64 * 16
