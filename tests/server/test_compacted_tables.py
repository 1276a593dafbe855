"""Tables whose log is kept as one piece: everything goes on, but for what was said of single events."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import grpc
import pytest

from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_server.services import played_matches
from bgcore_server.tables import hub, loaded
from bgcore_server.tables.live import RECENT
from tests.server.helpers import (
    BLACK,
    RESIGN_MATCH,
    WHITE,
    AtTable,
    Client,
    Refused,
    Running,
    at_table,
    ref,
    refusal_of,
    refused,
    running,
)
from tests.server.test_tables import channel
from tests.server.wanting import UNDO, VOID, YES, any_act, rematch, tables_of

COMMITTED = table.DICE_MODE_COMMITTED


async def long(client: Client, acts: int = RECENT + 10) -> AtTable:
    """A table with more events than are kept beside an archive."""
    variant = ref(match_length=25, auto_pass=True)
    at = await at_table(client, variant, COMMITTED, ("w", "b"))
    while at.state.revision < acts:
        await any_act(at)
    return at


async def compact(found: Running, at: AtTable) -> int:
    """Compact it; tells the last event that is not kept by itself any more."""
    await tables_of(found).compact(at.id)
    return int((await at.get()).table.compacted_revision)


async def first_of(client: Client, at: AtTable, after: int) -> service.WatchTableResponse:
    stream = client.WatchTable(service.WatchTableRequest(table=at.id, after_revision=after))
    try:
        answer: service.WatchTableResponse = await stream.read()
        return answer
    finally:
        stream.cancel()


async def unwatchable(client: Client, at: AtTable, after: int) -> Refused:
    with pytest.raises(grpc.aio.AioRpcError) as error:
        await first_of(client, at, after)
    return refused(error.value)


async def test_what_is_compacted_is_out_of_range(server: Running, client: Client) -> None:
    at = await long(client)
    before = await at.get()
    last = await compact(server, at)
    assert last == at.state.revision - RECENT
    for after in (0, last - 1):
        request = service.ListEventsRequest(table=at.id, after_revision=after)
        listed = await refusal_of(client.ListEvents(request))
        watched = await unwatchable(client, at, after)
        for found in (listed, watched):
            assert (found.code, found.reason) == (
                grpc.StatusCode.OUT_OF_RANGE,
                "EVENTS_COMPACTED",
            )
            assert str(last) in found.expected
    request = service.ListEventsRequest(table=at.id, after_revision=last)
    found_ = await client.ListEvents(request)
    assert found_.events[0].revision == last + 1
    assert (await first_of(client, at, last)).event.revision == last + 1
    after_ = await at.get()
    assert after_.state == before.state
    after_.table.compacted_revision = 0
    assert after_ == before


async def test_a_whole_log_is_packed_and_read_beside_other_calls(
    server: Running, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    threads: dict[str, list[threading.Thread]] = {}

    def watched(module: Any, name: str) -> None:
        real, seen = getattr(module, name), threads.setdefault(name, [])

        def noted(*arguments: Any) -> Any:
            seen.append(threading.current_thread())
            return real(*arguments)

        monkeypatch.setattr(module, name, noted)

    watched(hub, "pack")
    watched(loaded, "unpack")
    watched(played_matches, "throws_of")
    watched(played_matches, "given_throws")
    at = await long(client)
    await compact(server, at)
    await at.act(WHITE, **RESIGN_MATCH)
    await client.VerifyDice(service.VerifyDiceRequest(table=at.id))
    for seen in threads.values():
        assert seen and threading.current_thread() not in seen


async def test_a_page_that_comes_too_late_is_told_so(server: Running, client: Client) -> None:
    at = await long(client)
    listed = await client.ListEvents(service.ListEventsRequest(table=at.id, page_size=2))
    await compact(server, at)
    request = service.ListEventsRequest(table=at.id, page_token=listed.next_page_token)
    assert (await refusal_of(client.ListEvents(request))).reason == "EVENTS_COMPACTED"


async def test_it_goes_on_and_a_restart_finds_the_same(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/a.db"
    async with running(database) as one, channel(one.grpc) as client:
        at = await long(client)
        await compact(one, at)
        await any_act(at)
        before = await at.get()
    async with running(database) as two, channel(two.grpc) as client:
        at.client = client
        assert await at.get() == before
        for _ in range(5):
            await any_act(at)
        await at.act(WHITE, **RESIGN_MATCH)
        verified = await client.VerifyDice(service.VerifyDiceRequest(table=at.id))
        assert verified.legal
        last = before.table.compacted_revision
        assert verified.throws[0].revision == 0
        assert all(one.revision == 0 or one.revision > last for one in verified.throws)
        assert verified.throws[-1].revision > last


async def test_a_repetition_that_is_older_than_the_archive_is_answered_as_the_first_time(
    tmp_path: Path,
) -> None:
    database = f"sqlite:///{tmp_path}/a.db"
    create = service.CreateTableRequest(
        variant=ref("tavla", match_length=25), request_id="a creation to be repeated"
    )
    async with running(database) as one, channel(one.grpc) as client:
        made = await client.CreateTable(create)
        tokens: dict[int, str] = {}
        joins, joined = [], []
        for seat in (WHITE, BLACK):
            joins.append(
                service.JoinTableRequest(
                    table=made.table.id, seat=seat, request_id=f"a join to be repeated {seat}"
                )
            )
            joined.append(await client.JoinTable(joins[-1]))
            tokens[seat] = joined[-1].token
        at = AtTable(client, made.table.id, tokens, joined[-1].state)
        seen = at.state.revision
        throw = {"throw": table.ThrowAction()}
        first = await at.act(WHITE, **throw, request_id="an act to be repeated")
        while at.state.revision < RECENT + 20:
            await any_act(at)
        assert await compact(one, at) > first.last_revision

        async def repeated(client: Client) -> None:
            at.client = client
            assert now_kept(await client.CreateTable(create)) == made
            again = await at.act(
                WHITE, **throw, request_id="an act to be repeated", expected_revision=seen
            )
            assert again == first
            for request, answer in zip(joins, joined, strict=True):
                assert now_kept(await client.JoinTable(request)) == answer

        await repeated(client)
    async with running(database) as two, channel(two.grpc) as client:
        await repeated(client)


def now_kept(answer: Any) -> Any:
    """The same without what it tells of now: how much of the log is kept one by one."""
    assert answer.table.compacted_revision > 0
    answer.table.compacted_revision = 0
    return answer


async def test_in_the_middle_of_everything(tmp_path: Path) -> None:
    """Compacted between a wish and its answer, after a match, after the end."""
    database = f"sqlite:///{tmp_path}/a.db"
    async with running(database) as one, channel(one.grpc) as client:
        at = await long(client)
        while at.state.game.phase != table.PHASE_ROLL:
            await any_act(at)
        asker = BLACK if at.decider == WHITE else WHITE
        await at.act(asker, **UNDO)
        await compact(one, at)
    async with running(database) as two, channel(two.grpc) as client:
        at.client = client
        await at.act(at.decider, **YES)
        assert at.state.game.phase == table.PHASE_PLAY
        assert at.decider == asker
        await at.act(WHITE, **RESIGN_MATCH)
        next_one = at.state.next_commitment
        # Of a match that is over, everything is in the archive.
        assert await compact(two, at) == at.state.revision
        await at.act(WHITE, **rematch(seed="w2"))
        await compact(two, at)
    async with running(database) as three, channel(three.grpc) as client:
        at.client = client
        await at.act(BLACK, **rematch(ref("tavla"), seed="b2"))
        await at.act(WHITE, **rematch(seed="w3"))
        assert at.state.match_number == 2
        assert at.state.dice.commitment == next_one
        await any_act(at)
        await at.act(WHITE, **VOID)
        await at.act(BLACK, **VOID)
        assert await compact(three, at) == at.state.revision
        before = await at.get()
        files = [await exported(at, number) for number in (1, 2)]
    async with running(database) as four, channel(four.grpc) as client:
        at.client = client
        after = await at.get()
        assert after == before
        assert [await exported(at, number) for number in (1, 2)] == files
        for number in (1, 2):
            request = service.VerifyDiceRequest(table=at.id, match_number=number)
            verified = await client.VerifyDice(request)
            assert verified.legal
            assert verified.throws
            assert {one.revision for one in verified.throws} == {0}
        listed = await client.ListEvents(
            service.ListEventsRequest(table=at.id, after_revision=at.state.revision)
        )
        assert not listed.events
        snapshot = client.WatchTable(service.WatchTableRequest(table=at.id))
        assert (await snapshot.read()).snapshot.state.closed.void
        snapshot.cancel()


async def exported(at: AtTable, number: int) -> str:
    request = service.ExportMatchRequest(table=at.id, match_number=number)
    return str((await at.client.ExportMatch(request)).text)


async def test_a_list_that_is_overtaken_by_an_archive_has_no_gap(
    server: Running, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = await long(client)
    tables = tables_of(server)
    events = tables.store.events

    async def late(*asked: Any) -> Any:
        monkeypatch.setattr(tables.store, "events", events)
        await tables.compact(at.id)
        return await events(*asked)

    monkeypatch.setattr(tables.store, "events", late)
    found = await refusal_of(client.ListEvents(service.ListEventsRequest(table=at.id)))
    assert found.reason == "EVENTS_COMPACTED"
