"""Any server serves any table of a store that several share, as if it were the only one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import grpc
import pytest

from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_server.store import Change
from bgcore_server.tables import follow
from tests.server.helpers import (
    BLACK,
    ROLL,
    THROW,
    WHITE,
    AtTable,
    Client,
    Running,
    at_table,
    ref,
    refusal_of,
    running,
)
from tests.server.test_bots import bot
from tests.server.test_tables import channel

if TYPE_CHECKING:
    from tests.postgres import Postgres

pytestmark = pytest.mark.needs_postgres

NEVER = 3600.0


@dataclass
class Replica:
    """One of several servers, and a client of it."""

    running: Running
    client: Client


@dataclass
class Ways:
    """How servers hear of each other."""

    hints: bool
    polls: bool


HINTS_ONLY, POLLS_ONLY, BOTH, NEITHER = (
    Ways(hints, polls) for hints, polls in ((True, False), (False, True), (True, True), (False, False))
)  # fmt: skip


@pytest.fixture
def ways(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Ways:
    """How, as the test asks by a parameter; without one, in no way at all."""
    found: Ways = getattr(request, "param", NEITHER)
    if not found.hints:
        monkeypatch.setattr("bgcore_server.store.hints.Hints.tell", lambda *_: None)
    monkeypatch.setattr(follow, "POLL_SECONDS", 0.05 if found.polls else NEVER)
    return found


@pytest.fixture
async def replicas(ways: Ways, postgres: Postgres) -> AsyncIterator[list[Replica]]:
    """Two servers on one database, in one process."""
    url = postgres.new_url()
    async with AsyncExitStack() as stack:
        found = []
        for _ in range(2):
            server = await stack.enter_async_context(running(url, heartbeat=NEVER))
            client = await stack.enter_async_context(channel(server.grpc))
            found.append(Replica(server, client))
        if ways.hints:
            await acquainted(found)
        yield found
        for replica in found:
            assert not replica.running.faults.found


async def acquainted(replicas: list[Replica]) -> None:
    """Wait until each server knows that there is another to tell."""
    async with asyncio.timeout(20):
        for replica in replicas:
            tables = replica.running.server._tables
            assert tables is not None
            hints: Any = getattr(tables.store, "_hints")  # noqa: B009 - of PostgreSQL's store alone
            while not hints._accompanied():
                await asyncio.sleep(0.02)


async def on(at: AtTable, turns: int, clients: list[Client]) -> None:
    """Play on for some turns, at one server after another."""
    for number in range(turns):
        at.client = clients[number % len(clients)]
        if table.ACTION_KIND_PLAY in at.state.decision.kinds:
            await at.any_play()
        else:
            await at.act(**ROLL)


async def begun(replica: Replica, dice: int = table.DICE_MODE_SYSTEM) -> AtTable:
    at = await at_table(replica.client, ref("tavla"), dice)
    await at.act(**THROW)
    return at


# -- acting and asking ------------------------------------------------------------------------------


async def test_players_act_at_any_server(replicas: list[Replica]) -> None:
    at = await begun(replicas[0])
    await on(at, 40, [replica.client for replica in replicas])
    for replica in replicas:
        listed = await replica.client.ListEvents(
            service.ListEventsRequest(table=at.id, page_size=500, states=True)
        )
        assert [e.revision for e in listed.events] == list(range(1, at.state.revision + 1))
        assert [e.state.revision for e in listed.events] == [e.revision for e in listed.events]


async def test_what_one_has_answered_the_other_shows(replicas: list[Replica]) -> None:
    one, two = (replica.client for replica in replicas)
    at = await begun(replicas[0])
    for _ in range(6):
        at.client = two
        assert (await at.get()).state.revision == at.state.revision
        await on(at, 1, [one])
        # No table of ours may know less than the client that has seen the last act.
        watch = service.WatchTableRequest(table=at.id, after_revision=at.state.revision)
        stream = two.WatchTable(watch)
        await on(at, 1, [one])
        at.client = two
        assert (await at.get()).state == at.state
        assert (await asyncio.wait_for(stream.read(), 20)).event.revision == at.state.revision
        stream.cancel()


async def test_a_repeated_act_is_known_at_the_other(replicas: list[Replica]) -> None:
    one, two = (replica.client for replica in replicas)
    at = await begun(replicas[0])
    at.client = two
    await at.get()
    at.client, seen, seat = one, at.state.revision, at.decider
    play = table.ACTION_KIND_PLAY in at.state.decision.kinds
    assert play
    await at.any_play()
    request: dict[str, Any] = {**ROLL, "request_id": "once"}
    seen, seat = at.state.revision, at.decider
    done = await at.act(seat, **request, expected_revision=seen)
    for client in (two, one, two):
        at.client = client
        assert await at.act(seat, **request, expected_revision=seen) == done


async def test_a_seat_taken_at_one_is_taken_at_the_other_and_its_token_is_known(
    replicas: list[Replica],
) -> None:
    one, two = (replica.client for replica in replicas)
    created = await one.CreateTable(
        service.CreateTableRequest(variant=ref(), dice_mode=table.DICE_MODE_MANUAL)
    )
    name = created.table.id
    at = AtTable(two, name, {}, created.state)
    await at.get()  # it has the table in memory from here on
    white = await one.JoinTable(service.JoinTableRequest(table=name))
    black = await two.JoinTable(service.JoinTableRequest(table=name))
    assert (white.seat, black.seat) == (WHITE, BLACK)
    at.tokens, at.state = {WHITE: white.token, BLACK: black.token}, black.state
    at.client = one
    await at.throw(1, 3)
    at.client = two
    await at.play("8/5 6/5")


@pytest.mark.parametrize("leaves", [False, True], ids=["acts", "leaves"])
async def test_who_has_left_does_nothing_for_who_sits_there_now(
    replicas: list[Replica], leaves: bool
) -> None:
    one, two = (replica.client for replica in replicas)
    created = await one.CreateTable(service.CreateTableRequest(variant=ref()))
    name = created.table.id
    left = await one.JoinTable(service.JoinTableRequest(table=name, seat=WHITE))
    await two.GetTable(service.GetTableRequest(table=name))  # which knows that token from here on
    await one.LeaveTable(service.LeaveTableRequest(table=name), token=left.token)
    await one.JoinTable(service.JoinTableRequest(table=name, seat=WHITE))
    if leaves:
        call = two.LeaveTable(service.LeaveTableRequest(table=name), token=left.token)
    else:
        await one.JoinTable(service.JoinTableRequest(table=name, seat=BLACK))
        act = service.ActRequest(table=name, action=table.Action(throw=table.ThrowAction()))
        call = two.Act(act, token=left.token)
    found = await refusal_of(call)
    assert (found.code, found.reason) == (grpc.StatusCode.PERMISSION_DENIED, "TOKEN_UNKNOWN")


async def test_what_one_has_compacted_the_other_tells(replicas: list[Replica]) -> None:
    one, two = (replica.client for replica in replicas)
    at = await begun(replicas[0])
    at.client = two
    await at.get()
    created = at.id
    await one.Act(
        service.ActRequest(table=created, action=table.Action(void=table.VoidAction())),
        token=at.tokens[WHITE],
    )
    closed = await two.Act(
        service.ActRequest(table=created, action=table.Action(void=table.VoidAction())),
        token=at.tokens[BLACK],
    )
    tables = replicas[0].running.server._tables
    assert tables is not None
    await tables.compact(created)
    for client in (one, two):
        at.client = client
        assert (await at.get()).table.compacted_revision == closed.last_revision


async def test_an_act_without_a_revision_is_judged_by_what_is_so_now(
    replicas: list[Replica],
) -> None:
    one, two = (replica.client for replica in replicas)
    at = await at_table(one, dice_mode=table.DICE_MODE_MANUAL)
    at.client = two
    await at.get()
    at.client = one
    await at.throw(1, 3)
    await at.play("8/5 6/5")  # Black began; at the other server it is not even thrown
    request = service.ActRequest(
        table=at.id, action=table.Action(roll=table.RollAction(dice=(6, 1)))
    )
    assert (await two.Act(request, token=at.tokens[WHITE])).last_revision == 5
    # And one that was meant for a state that is gone is stale, wherever it comes.
    at.client = one
    request.expected_revision = 4
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await one.Act(request, token=at.tokens[WHITE])
    assert refused.value.code() is grpc.StatusCode.ABORTED


async def test_both_at_once_on_one_revision_one_is_stale(replicas: list[Replica]) -> None:
    at = await begun(replicas[0])
    for _ in range(8):
        await on(at, 1, [replicas[0].client])
        while table.ACTION_KIND_ROLL not in at.state.decision.kinds:
            await on(at, 1, [replicas[1].client])
        seen, seat = at.state.revision, at.decider
        request = service.ActRequest(
            table=at.id, action=table.Action(roll=table.RollAction()), expected_revision=seen
        )
        calls = [replica.client.Act(request, token=at.tokens[seat]) for replica in replicas]
        answers = await asyncio.gather(*calls, return_exceptions=True)
        [refused] = [a for a in answers if isinstance(a, grpc.aio.AioRpcError)]
        [done] = [a for a in answers if isinstance(a, service.ActResponse)]
        assert refused.code() is grpc.StatusCode.ABORTED
        at.state = done.state


# -- watching ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "ways", [HINTS_ONLY, POLLS_ONLY, BOTH], indirect=True, ids=["hints", "polls", "both"]
)
async def test_who_watches_at_one_sees_what_is_done_at_the_other(replicas: list[Replica]) -> None:
    one, two = (replica.client for replica in replicas)
    tables = [await begun(replicas[n % 2]) for n in range(6)]
    streams = []
    for at in tables:
        for client in (one, two):
            stream = client.WatchTable(service.WatchTableRequest(table=at.id, after_revision=0))
            streams.append((at, stream))
            assert (await stream.read()).event.revision == 1
    await asyncio.sleep(0.5)  # they listen
    await asyncio.gather(*(on(at, 50, [one, two]) for at in tables))
    for at, stream in streams:
        coming = range(2, at.state.revision + 1)
        seen = [(await asyncio.wait_for(stream.read(), 20)).event.revision for _ in coming]
        assert seen == list(coming)
        stream.cancel()


# -- bots -------------------------------------------------------------------------------------------


class Counted:
    """How often anybody has tried to append to the log."""

    def __init__(self, replicas: list[Replica], monkeypatch: pytest.MonkeyPatch) -> None:
        self.tries = 0
        for replica in replicas:
            store = replica.running.server._store
            assert store is not None
            monkeypatch.setattr(store, "append", self._counting(store.append))

    def _counting(self, append: Any) -> Any:
        def counted(change: Change) -> Any:
            self.tries += 1
            return append(change)

        return counted


async def finished(client: Client, name: str) -> table.TableState:
    while True:
        found = await client.GetTable(service.GetTableRequest(table=name))
        if found.table.status == table.TABLE_STATUS_FINISHED:
            return table.TableState.FromString(found.state.SerializeToString())
        await asyncio.sleep(0.05)


def two_bots(length: int) -> service.CreateTableRequest:
    return service.CreateTableRequest(
        variant=ref("tavla", match_length=length), white=bot("greedy"), black=bot("random")
    )


@pytest.mark.parametrize("ways", [POLLS_ONLY], indirect=True, ids=["polls"])
@pytest.mark.parametrize("patience", [3.0, 0.0], ids=["patient", "eager"])
async def test_a_bot_plays_each_turn_once_though_every_server_could(
    replicas: list[Replica], patience: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(follow, "STILL_SECONDS", patience)
    counted = Counted(replicas, monkeypatch)
    one, two = (replica.client for replica in replicas)
    created = await one.CreateTable(two_bots(1))
    await two.GetTable(service.GetTableRequest(table=created.table.id))
    last = (await finished(two, created.table.id)).revision
    events: list[table.Event] = []
    while len(events) < last:
        page = service.ListEventsRequest(
            table=created.table.id, page_size=500, after_revision=len(events), states=True
        )
        events += (await two.ListEvents(page)).events
    assert [event.revision for event in events] == list(range(1, last + 1))
    # Whoever has been overtaken leaves it to the other, so the tries do not double.
    assert counted.tries <= last * (1.5 if patience == 0 else 1.1)


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(follow, "STILL_SECONDS", 0.1)


@pytest.mark.parametrize("ways", [POLLS_ONLY], indirect=True, ids=["polls"])
async def test_when_the_server_of_a_bot_goes_another_lets_it_play(
    replicas: list[Replica], eager: None
) -> None:
    one, two = replicas
    created = await one.client.CreateTable(two_bots(25))
    await two.client.GetTable(service.GetTableRequest(table=created.table.id))
    tables = one.running.server._tables
    assert tables is not None
    await tables.stop()  # as a server that hangs: it neither plays nor says goodbye
    seen = (await two.client.GetTable(service.GetTableRequest(table=created.table.id))).state
    for _ in range(200):
        found = await two.client.GetTable(service.GetTableRequest(table=created.table.id))
        if found.state.revision > seen.revision + 20:
            return
        await asyncio.sleep(0.05)
    raise AssertionError("nobody took over")


# -- a database that is away ------------------------------------------------------------------------


@pytest.mark.parametrize("ways", [BOTH], indirect=True, ids=["both"])
async def test_bots_and_watchers_go_on_after_the_database_was_killed(
    replicas: list[Replica], postgres: Postgres, eager: None
) -> None:
    one, two = replicas
    created = await one.client.CreateTable(two_bots(25))
    stream = two.client.WatchTable(
        service.WatchTableRequest(table=created.table.id, after_revision=0)
    )
    seen = [(await asyncio.wait_for(stream.read(), 20)).event.revision for _ in range(10)]
    for _ in range(2):
        await asyncio.to_thread(postgres.restart)
        coming = range(40)
        seen += [(await asyncio.wait_for(stream.read(), 30)).event.revision for _ in coming]
    assert seen == list(range(1, 91))
    stream.cancel()
    for replica in replicas:  # a bot may have been told that the store was away, and nothing else
        faults = replica.running.faults.found
        assert {str(fault["event"]) for fault in faults} <= {"bot failed"}
        faults.clear()


# -- who may no longer watch ------------------------------------------------------------------------


@pytest.mark.parametrize("ways", [HINTS_ONLY, POLLS_ONLY], indirect=True)
async def test_who_is_sent_away_at_one_hears_no_more_at_the_other(replicas: list[Replica]) -> None:
    one, other = (replica.client for replica in replicas)
    private = service.CreateTableRequest(variant=ref(), visibility=table.VISIBILITY_PRIVATE)
    made = await one.CreateTable(private)
    joining = service.JoinTableRequest(table=made.table.id, seat=WHITE)
    joined = await one.JoinTable(joining, token=made.invitation_token)
    stream = other.WatchTable(
        service.WatchTableRequest(table=made.table.id, after_revision=0), token=joined.token
    )
    assert (await stream.read()).event.HasField("seat_taken")
    leaving = service.LeaveTableRequest(table=made.table.id, seat=WHITE)
    await one.LeaveTable(leaving, token=made.host_token)
    await one.JoinTable(joining, token=made.invitation_token)
    async with asyncio.timeout(5):
        assert (await refusal_of(stream.read())).reason == "UNKNOWN_TABLE"


@pytest.mark.parametrize("ways", [POLLS_ONLY], indirect=True)
async def test_a_watch_ends_when_the_other_forgets_the_table(replicas: list[Replica]) -> None:
    at = await begun(replicas[0])
    stream = replicas[1].client.WatchTable(service.WatchTableRequest(table=at.id))
    assert (await stream.read()).HasField("snapshot")
    tables = replicas[0].running.server._tables
    assert tables is not None
    live = await tables.get(at.id)
    await tables.store.delete(live.number)
    async with asyncio.timeout(5):
        assert (await refusal_of(stream.read())).reason == "UNKNOWN_TABLE"
