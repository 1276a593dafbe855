"""A database at which a newer server has written: what this one does not know it says so of, and no fault.

Servers of two versions serve side by side while they are brought up to date one after another.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc
import pytest

from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from tests.server.helpers import AtTable, at_table, ref, refusal_of, running
from tests.server.test_plugin_failures import refusals
from tests.server.test_tables import channel

UNAVAILABLE = grpc.StatusCode.UNAVAILABLE
Change = Callable[[sqlite3.Connection, int], object]


def entry(**form: Any) -> Change:
    """One more event in a log."""

    def add(db: sqlite3.Connection, number: int) -> None:
        [(last, time)] = db.execute(
            "SELECT revision, updated FROM tables WHERE number = ?", (number,)
        )
        body = json.dumps(form)
        db.execute(
            "INSERT INTO events VALUES (?, ?, ?, NULL, '', ?)", (number, last + 1, time, body)
        )
        db.execute("UPDATE tables SET revision = ? WHERE number = ?", (last + 1, number))

    return add


def setting(db: sqlite3.Connection, number: int) -> None:
    """A table made with something that there is not yet."""
    [(text,)] = db.execute("SELECT settings FROM tables WHERE number = ?", (number,))
    settings = json.dumps(json.loads(text) | {"handicap": 3})
    db.execute("UPDATE tables SET settings = ? WHERE number = ?", (settings, number))


NEWER: dict[str, Change] = {
    "an entry of a new kind": entry(kind="handshake", seat="white"),
    "a new reason to close": entry(kind="closed", why=9, void=True, note=""),
    "a new field of an action": entry(kind="throw", dice=[3, 1], thrown_by="cup"),
    "less than there is now": entry(kind="seat_left", seat="white"),
    "a new setting": setting,
}


async def prepared(folder: Path, change: Change, **more: Any) -> tuple[str, Any, AtTable]:
    """A database with a table that a newer server has been at, and one where it has not."""
    database = f"sqlite:///{folder}/a.db"
    async with running(database) as server, channel(server.grpc) as client:
        made = await client.CreateTable(service.CreateTableRequest(variant=ref(), **more))
        for _ in range(2):
            joining = service.JoinTableRequest(table=made.table.id)
            await client.JoinTable(joining, token=made.invitation_token or made.host_token)
        other = await at_table(client)
    with sqlite3.connect(folder / "a.db") as db:
        change(db, 1)
    db.close()
    return database, made, other


def dump(folder: Path) -> list[str]:
    db = sqlite3.connect(folder / "a.db")
    found = list(db.iterdump())
    db.close()
    return found


@pytest.mark.parametrize("change", NEWER.values(), ids=NEWER)
async def test_what_only_a_newer_server_knows_is_refused_and_left_alone(
    tmp_path: Path, change: Change
) -> None:
    database, made, other = await prepared(tmp_path, change)
    before = dump(tmp_path)
    get = service.GetTableRequest(table=made.table.id)
    keeping = {"tidy_seconds": 0.05, "sweep_seconds": 0.05, "expire_playing": 60}
    late = int(4e15)
    async with (
        running(database, upkeep=keeping | {"expire_playing": None}) as server,
        channel(server.grpc) as client,
    ):
        other = AtTable(client, other.id, other.tokens, other.state)
        await other.get()
        for call in (
            client.GetTable(get),
            anext(aiter(client.WatchTable(service.WatchTableRequest(table=made.table.id)))),
            client.ListEvents(service.ListEventsRequest(table=made.table.id, states=True)),
            client.ExportMatch(service.ExportMatchRequest(table=made.table.id)),
            client.CloseTable(
                service.CloseTableRequest(table=made.table.id), token=made.host_token
            ),
        ):
            found = await refusal_of(call)
            assert (found.code, found.reason) == (UNAVAILABLE, "LOG_NEWER")
        listed = [one.id for one in (await client.ListTables(service.ListTablesRequest())).tables]
        assert other.id in listed
        assert not server.faults.found
    assert dump(tmp_path) == before
    # What has been idle for years is left to the newer server as well.
    async with running(database, upkeep=keeping, now=lambda: late) as server:
        tables = server.server._tables
        assert tables is not None
        await tables._upkeep.tidy()
        assert not server.faults.found
    assert [line for line in dump(tmp_path) if made.table.id in line] == [
        line for line in before if made.table.id in line
    ]


async def test_strangers_are_not_told_that_a_private_table_is_a_newer_servers(
    tmp_path: Path,
) -> None:
    for number, change in enumerate(NEWER.values()):
        folder = tmp_path / str(number)
        folder.mkdir()
        database, made, _ = await prepared(folder, change, visibility=table.VISIBILITY_PRIVATE)
        async with running(database) as server, channel(server.grpc) as client:
            name = made.table.id
            made_up = "0" * len(name)
            assert await refusals(client, name, "") == await refusals(client, made_up, "")
            get = service.GetTableRequest(table=name)
            found = await refusal_of(client.GetTable(get, token=made.spectator_token))
            assert found.reason == "LOG_NEWER"


async def test_a_watch_ends_where_a_newer_server_goes_on(tmp_path: Path) -> None:
    """With `UNAVAILABLE`, so that clients come back, perhaps to a server that knows more."""
    database = f"sqlite:///{tmp_path}/a.db"
    async with running(database, heartbeat=0.1) as server, channel(server.grpc) as client:
        at = await at_table(client)
        stream = client.WatchTable(service.WatchTableRequest(table=at.id))
        assert (await stream.read()).HasField("snapshot")
        with sqlite3.connect(tmp_path / "a.db") as db:
            NEWER["an entry of a new kind"](db, 1)
        db.close()
        found = await refusal_of(at.throw(3, 1))
        assert found.code in (UNAVAILABLE, grpc.StatusCode.ABORTED)
        while (news := await refusal_or(stream)) is None:
            pass
        assert (news.code, news.reason) == (UNAVAILABLE, "LOG_NEWER")


async def refusal_or(stream: Any) -> Any:
    """What a watch ends with; `None` while it tells only that nothing happens."""
    try:
        assert (await stream.read()).HasField("heartbeat")
    except grpc.aio.AioRpcError:
        return await refusal_of(stream.read())
    return None


async def test_a_state_and_a_visibility_of_later_are_not_taken_for_known_ones(
    tmp_path: Path,
) -> None:
    def later(db: sqlite3.Connection, number: int) -> None:
        db.execute("UPDATE tables SET status = 9 WHERE number = ?", (number,))

    database, made, other = await prepared(tmp_path, later)
    async with running(database) as server, channel(server.grpc) as client:
        tables = (await client.ListTables(service.ListTablesRequest())).tables
        assert {one.id: one.status for one in tables} == {
            made.table.id: table.TABLE_STATUS_UNSPECIFIED,
            other.id: table.TABLE_STATUS_PLAYING,
        }
        assert not server.faults.found
    with sqlite3.connect(tmp_path / "a.db") as db:
        db.execute("UPDATE tables SET visibility = 9 WHERE number = 1")
    db.close()
    async with running(database) as server, channel(server.grpc) as client:
        get = service.GetTableRequest(table=made.table.id)
        assert (await refusal_of(client.GetTable(get))).reason == "UNKNOWN_TABLE"
        assert (await client.GetTable(get, token=made.host_token)).table.id == made.table.id
        assert not server.faults.found
