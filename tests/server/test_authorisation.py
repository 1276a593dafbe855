"""Who may do what: every cell of docs/authorisation.md against a live server."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import grpc
import pytest
from google.protobuf import json_format

from bgcore_proto.v1 import table_service_pb2 as service
from tests.server.authorisation.cells import CALLERS, KINDS, MEANINGS, NONE, Row, rows
from tests.server.authorisation.situation import Situation, answered, called, request_of, situation
from tests.server.helpers import ANYWHERE, Client, Running, refused, running
from tests.server.known_accounts import accounts
from tests.server.test_tables import channel
from tests.server.test_web import call
from tools.generate_authorisation import PAGE, page

ROOT = Path(__file__).parents[2]
ROWS = rows()
RPCS = [rpc.name for rpc in service.DESCRIPTOR.services_by_name["TableService"].methods]


def named(row: Row) -> str:
    return f"{row.kind}-{row.name}"


@pytest.fixture
async def server(request: pytest.FixtureRequest) -> AsyncIterator[Running]:
    required = request.getfixturevalue("row").kind == "required"
    async with running(http=ANYWHERE, **accounts(required)) as found:
        yield found
    assert not found.faults.found


@pytest.mark.parametrize("row", ROWS, ids=named)
async def test_every_caller_is_answered_as_the_page_says(server: Running, row: Row) -> None:
    async with channel(server.grpc) as client:
        found = {caller: await cell(client, row, caller) for caller in CALLERS}
    assert found == row.cells


async def cell(client: Client, row: Row, caller: str) -> str:
    if row.cells[caller] == NONE:
        return NONE
    at = await situation(client, row.kind, row.name, caller)
    return await answered(at, row.name, caller)


@pytest.mark.parametrize("row", [row for row in ROWS if row.kind != "required"], ids=named)
async def test_the_account_that_made_a_table_is_its_host(server: Running, row: Row) -> None:
    async with channel(server.grpc) as client:
        at = await situation(client, row.kind, row.name, "host")
        assert await answered(at, row.name, "maker") == row.cells["host"]


SAMPLE = ("GetTable", "ExportMatch", "JoinTable", "LeaveTable", "Act", "CloseTable")


@pytest.mark.parametrize("row", [row for row in ROWS if row.name in SAMPLE], ids=named)
async def test_the_web_port_answers_the_same(server: Running, row: Row) -> None:
    found = {}
    async with channel(server.grpc) as client:
        for caller, expected in row.cells.items():
            if expected == NONE:
                found[caller] = NONE
                continue
            at = await situation(client, row.kind, row.name, caller)
            body = json_format.MessageToJson(request_of(row.name, at.id, caller)).encode()
            header = {"authorization": at.headers[caller]} if at.headers[caller] else {}
            answer = await call(server, f"/bgcore.v1.TableService/{row.rpc}", body, **header)
            found[caller] = "allowed" if answer.status == 200 else answer.info.reason
    assert found == row.cells


@pytest.mark.parametrize("row", [row for row in ROWS if row.kind == "private"], ids=named)
async def test_a_private_table_is_refused_as_one_that_does_not_exist(
    server: Running, row: Row
) -> None:
    if row.rpc in ("CreateTable", "ListTables"):
        return
    async with channel(server.grpc) as client:
        for caller in ("nobody", "nowhere", "stranger"):
            at = await situation(client, row.kind, row.name, caller)
            there = await told(at, row, caller)
            assert there == await told(replace(at, id="0" * len(at.id)), row, caller)


async def told(at: Situation, row: Row, caller: str) -> str:
    """All that a refusal says, but for the id of the table."""
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await called(at, row.name, caller)
    return f"{refused(error.value)}".replace(at.id, "ID")


def test_every_rpc_has_a_row_for_each_kind_of_table() -> None:
    for kind in ("public", "link", "private"):
        assert {row.rpc for row in ROWS if row.kind == kind} == set(RPCS)
    assert {row.rpc for row in ROWS} == set(RPCS)
    assert {row.kind for row in ROWS} == set(KINDS)
    assert len({(row.kind, row.name) for row in ROWS}) == len(ROWS)


def test_every_word_is_explained_and_used() -> None:
    assert {cell for row in ROWS for cell in row.cells.values()} == set(MEANINGS)


def test_the_page_is_up_to_date() -> None:
    assert page() == PAGE.read_text(encoding="utf-8"), "run: make authorisation"


def test_the_tool_says_so_too() -> None:
    command = [sys.executable, "tools/generate_authorisation.py", "--check"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (0, "")
