"""The log of a server that tells as much as it can: lines of JSON, each call by its id, and no secret."""

from __future__ import annotations

import asyncio
import json
import random
import re
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import grpc
import pytest
from google.protobuf import json_format
from google.protobuf.message import Message

from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from tests.needs import ROOT
from tests.server.helpers import BLACK, WHITE, Client, ref
from tests.server.test_hostile import RPCS, anything
from tests.wire.process import ServerProcess

if TYPE_CHECKING:
    from tests.postgres import Postgres

JOINS = {WHITE: "join-white-2b7e151628ae", BLACK: "join-black-3c4fcf098815"}
FOREIGN = "a-bearer-of-somebody-else"
SECRETS = [*JOINS.values(), FOREIGN, "hush-hush-5432"]
EVERYTHING = ("--allow-seeded", "--log-level", "debug", "--log-calls")


async def play_through(process: ServerProcess) -> list[str]:
    """Every rpc over both ports, rightly and wrongly; tells the tokens that went over the wire."""
    async with grpc.aio.insecure_channel(process.grpc) as channel:
        client = Client(channel)
        created = await client.CreateTable(
            service.CreateTableRequest(variant=ref(), dice_mode=table.DICE_MODE_COMMITTED)
        )
        tokens = []
        for seat, request_id in JOINS.items():
            joining = service.JoinTableRequest(
                table=created.table.id, seat=seat, request_id=request_id, dice_seed=f"seed {seat}"
            )
            tokens.append((await client.JoinTable(joining)).token)
            await client.JoinTable(joining)  # a repetition is told the token again
        for token in (*tokens, FOREIGN):
            for rpc, request in requests(created.table.id):
                await ask(channel, rpc, request.SerializeToString(), token)
                await ask(channel, rpc, request.SerializeToString() + b"\xff", token)
                body = json_format.MessageToJson(request).encode()
                for text in (body, body[:-3], json.dumps({"token": token}).encode()):
                    await asyncio.to_thread(post, process.http, rpc, text, token)
    return tokens


def requests(id: str) -> Iterator[tuple[Any, Message]]:
    """Something to ask each rpc, some of it right."""
    chance = random.Random(3)
    right = {
        "Act": service.ActRequest(table=id, action=table.Action(throw=table.ThrowAction())),
        "GetTable": service.GetTableRequest(table=id),
        "WatchTable": service.WatchTableRequest(table=id),
        "ListEvents": service.ListEventsRequest(table=id),
        "ExportMatch": service.ExportMatchRequest(table=id),
        "VerifyDice": service.VerifyDiceRequest(table=id),
    }
    for rpc in RPCS:
        if rpc.name in right:
            yield rpc, right[rpc.name]
        yield rpc, anything(rpc.input_type, chance)


async def ask(channel: grpc.aio.Channel, rpc: Any, request: bytes, token: str) -> None:
    path = f"/{rpc.containing_service.full_name}/{rpc.name}"
    metadata = (("authorization", f"Bearer {token}"), ("x-request-id", rpc.name))
    kind: Any = channel.unary_stream if rpc.server_streaming else channel.unary_unary
    call = kind(path)(request, metadata=metadata, timeout=30)
    with suppress(grpc.aio.AioRpcError):
        await (call.read() if rpc.server_streaming else call)
    call.cancel()


def post(address: str, rpc: Any, body: bytes, token: str) -> None:
    url = f"http://{address}/{rpc.containing_service.full_name}/{rpc.name}"
    headers = {"content-type": "application/json", "authorization": f"Bearer {token}"}
    asked = urllib.request.Request(url, body, headers)
    with suppress(urllib.error.HTTPError), urllib.request.urlopen(asked, timeout=30) as answer:
        answer.read(100)


def documented() -> dict[str, Any]:
    """The line for a call that the page of operations shows."""
    page = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    [example] = re.findall(r"^```json\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    line: dict[str, Any] = json.loads(example)
    return line


async def check(process: ServerProcess) -> None:
    tokens = await play_through(process)
    assert process.stop() == 0
    text = process.log.read_text(encoding="utf-8")
    for secret in (*SECRETS, *tokens):
        assert len(secret) > 10
        assert secret not in text
    lines = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    calls = [line for line in lines if line["event"] == "call"]
    told = {line["rpc"].rpartition("/")[2] for line in calls}
    assert told >= {rpc.name for rpc in RPCS}
    codes = {line["code"] for line in calls}
    assert codes >= {"OK", "PERMISSION_DENIED", "INVALID_ARGUMENT", "NOT_FOUND"}
    assert not codes & {"INTERNAL", "UNKNOWN"}
    example = documented()
    for line in calls:
        assert list(line) == list(example)
        assert line["request_id"] and line["peer"] == example["peer"]
    assert "Traceback" not in text


async def test_the_log_tells_every_call_and_no_secret(tmp_path: Path) -> None:
    process = ServerProcess(tmp_path, arguments=EVERYTHING).start()
    try:
        await check(process)
    finally:
        process.kill()


STRANGE = (
    (
        b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    ),
    b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: h2c\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03 a handshake\r\n\r\n",
    b"no request at all\r\n\r\n",
)


def test_no_stranger_writes_into_the_log(tmp_path: Path) -> None:
    process = ServerProcess(tmp_path).start()
    try:
        host, _, port = process.http.rpartition(":")
        for sent in STRANGE:
            with socket.create_connection((host, int(port)), timeout=30) as line:
                line.sendall(sent)
                assert line.recv(100).startswith(b"HTTP/1.1 ")
        assert process.stop() == 0
    finally:
        process.kill()
    text = process.log.read_text(encoding="utf-8")
    assert [line for line in text.splitlines() if line.startswith("{")] == []


@pytest.mark.needs_postgres
async def test_nor_does_it_over_a_database_with_a_password(
    tmp_path: Path, postgres: Postgres
) -> None:
    url = postgres.new_url()
    assert SECRETS[-1] in url
    process = ServerProcess(tmp_path, arguments=EVERYTHING, database=url).start()
    try:
        await check(process)
    finally:
        process.kill()
