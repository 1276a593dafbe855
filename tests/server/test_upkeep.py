"""Upkeep: tables that nobody looks after are looked after, whatever goes wrong at others."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bgcore.errors import Fault
from bgcore_server.errors import NotFound, Unavailable
from bgcore_server.store import Archive, Change, NewEvent, Status, Store, open_store
from bgcore_server.store.errors import silent, stale
from bgcore_server.tables import upkeep as module
from bgcore_server.tables.upkeep import LONGEST_WAIT_SECONDS, SOME, Turns, Upkeep
from bgcore_server.upkeep_settings import UpkeepSettings
from tests.server.test_store import new_table

if TYPE_CHECKING:
    from tests.postgres import Postgres

SECOND = 1_000_000
DAY = 86_400 * SECOND
NOW = 1000 * DAY

USUAL = UpkeepSettings()
# Smaller than an operator may choose.
OFTEN = UpkeepSettings.model_construct(sweep_seconds=0.01, tidy_seconds=0.01)


@dataclass
class Told:
    """A log, and what the callbacks of an upkeep were asked for."""

    errors: list[dict[str, object]] = field(default_factory=list)
    attended: list[str] = field(default_factory=list)
    expired: list[str] = field(default_factory=list)
    compacted: list[str] = field(default_factory=list)
    forgotten: list[str] = field(default_factory=list)

    def error(self, event: str, **values: object) -> None:
        self.errors.append({"event": event, **values})

    warning = info = error


async def nothing(table: str) -> None:
    """What is done to a table."""


def keeping(
    store: Store,
    told: Told,
    settings: UpkeepSettings = USUAL,
    attend: Callable[[str], Awaitable[object]] = nothing,
    **others: Callable[[str], Awaitable[object]],
) -> Upkeep:
    """An upkeep at a moment, with the callbacks of a server that has no rules."""

    async def attended(table: str) -> None:
        told.attended.append(table)
        await attend(table)

    async def expired(table: str) -> None:
        told.expired.append(table)
        await others.get("expire", nothing)(table)

    async def compacted(table: str) -> None:
        told.compacted.append(table)
        await others.get("compact", nothing)(table)

    return Upkeep(
        store,
        settings,
        told,
        lambda: NOW,
        attend=attended,
        expire=expired,
        compact=compacted,
        forgotten=told.forgotten.append,
    )


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = await open_store(f"sqlite:///{tmp_path}/a.db")
    yield opened
    await opened.close()


@pytest.fixture
def told() -> Told:
    return Told()


async def due_tables(store: Store, count: int, first: int = 0) -> list[str]:
    """Tables that are due, each later than the one before."""
    names = [f"t{first + n}" for n in range(count)]
    for n, name in enumerate(names):
        await store.create(replace(new_table(name), time=NOW, deadline=first + n + 1), None)
    return names


async def happened(store: Store, name: str, status: Status, time: int, count: int = 1) -> None:
    """A table where so much has happened, at that time for the last time."""
    if await store.table(name) is None:
        await store.create(new_table(name), None)
    table = await store.table(name)
    assert table is not None
    events = [NewEvent(time, None, "{}")] * count
    await store.append(Change(table.number, table.revision, events, status))


def done_at(store: Store) -> Callable[[str], Awaitable[None]]:
    """What attends to a table: it appends an event and takes the deadline away."""

    async def attend(name: str) -> None:
        table = await store.table(name)
        assert table is not None
        event = NewEvent(NOW, None, "{}")
        await store.append(Change(table.number, table.revision, (event,), Status.PLAYING))

    return attend


# -- what is due --------------------------------------------------------------------------------------


async def test_what_is_due_is_attended_to(store: Store, told: Told) -> None:
    names = await due_tables(store, 3)
    await store.create(replace(new_table("later"), deadline=NOW + 1), None)
    await store.create(new_table("never"), None)
    kept = keeping(store, told, attend=done_at(store))
    await kept.sweep()
    assert sorted(told.attended) == names
    await kept.sweep()
    assert sorted(told.attended) == names
    assert told.errors == []


async def test_a_round_has_an_end(store: Store, told: Told) -> None:
    await due_tables(store, SOME + 5)
    kept = keeping(store, told, attend=done_at(store))
    await kept.sweep()
    assert sorted(told.attended) == sorted(f"t{n}" for n in range(SOME))  # the longest overdue
    await kept.sweep()
    assert len(told.attended) == len(set(told.attended)) == SOME + 5


async def test_an_error_at_one_table_is_logged_and_the_others_are_attended_to(
    store: Store, told: Told
) -> None:
    names = await due_tables(store, 20)

    async def attend(table: str) -> None:
        if table == "t3":
            raise ZeroDivisionError
        await done_at(store)(table)

    await keeping(store, told, attend=attend).sweep()
    assert sorted(told.attended) == sorted(names)
    [error] = told.errors
    assert (error["event"], error["table"], error["duty"]) == ("upkeep failed", "t3", "attend")
    assert await store.due(NOW, 99) == ["t3"]


async def test_tables_that_keep_failing_do_not_block_those_behind_them(
    store: Store, told: Told
) -> None:
    bad = set(await due_tables(store, 2 * SOME))
    good = set(await due_tables(store, 5, first=2 * SOME))

    async def attend(table: str) -> None:
        if table in bad:
            raise ZeroDivisionError
        await done_at(store)(table)

    kept = keeping(store, told, attend=attend)
    for _ in range(3):
        await kept.sweep()
    assert good <= set(told.attended)
    assert set(await store.due(NOW, 1000)) == bad


async def test_what_somebody_else_has_done_is_no_error(store: Store, told: Told) -> None:
    await due_tables(store, 2)
    gone = NotFound(Fault("TABLE_NOT_FOUND", "table", "t1", "a table"))

    async def attend(table: str) -> None:
        raise stale(1, 2) if table == "t0" else gone

    await keeping(store, told, attend=attend).sweep()
    assert sorted(told.attended) == ["t0", "t1"]
    assert told.errors == []


async def test_a_table_that_takes_too_long_is_given_up(
    store: Store, told: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = await due_tables(store, 20)
    monkeypatch.setattr(module, "TABLE_SECONDS", 0.05)

    async def attend(table: str) -> None:
        if table == "t0":
            await asyncio.Event().wait()
        await done_at(store)(table)

    await keeping(store, told, attend=attend).sweep()
    assert sorted(told.attended) == sorted(names)
    assert [error["table"] for error in told.errors if error["table"] == "t0"] == ["t0"]


def test_who_is_found_again_waits_longer_each_time() -> None:
    turns, waits, now = Turns(), [], 0.0
    for _ in range(14):
        assert turns.next(["a"], now) == ["a"]
        turns.had("a", now)
        before = now
        while not turns.next(["a"], now):
            now += 1.0
        waits.append(now - before)
    assert waits[:5] == [0.0, 1.0, 2.0, 4.0, 8.0]
    assert max(waits) == waits[-1] == LONGEST_WAIT_SECONDS
    assert turns.next([], now) == []
    assert len(turns) == 0  # it was helped


def test_who_never_had_a_turn_comes_first() -> None:
    turns = Turns()
    turns.had("a", 0.0)
    assert turns.next(["a", "b", "c"], 0.0) == ["b", "c", "a"]


# -- the rest -------------------------------------------------------------------------------------------


async def test_idle_tables_expire(store: Store, told: Told) -> None:
    await happened(store, "waiting", Status.WAITING, NOW - 7 * DAY - 1)
    await happened(store, "still waiting", Status.WAITING, NOW - 7 * DAY)
    await happened(store, "playing", Status.PLAYING, NOW - 90 * DAY - 1)
    await happened(store, "still playing", Status.PLAYING, NOW - 90 * DAY)
    await happened(store, "finished", Status.FINISHED, NOW - 900 * DAY)
    await keeping(store, told).tidy()
    assert told.expired == ["waiting", "playing"]
    assert told.attended == []


async def test_long_logs_are_compacted_and_those_of_tables_that_are_over(
    store: Store, told: Told
) -> None:
    await happened(store, "long", Status.PLAYING, NOW, count=11)
    await happened(store, "short", Status.PLAYING, NOW, count=10)
    await happened(store, "finished", Status.FINISHED, NOW - 30 * DAY - 1)
    await happened(store, "closed", Status.CLOSED, NOW - 31 * DAY)
    await happened(store, "just finished", Status.FINISHED, NOW - 30 * DAY)

    async def compact(name: str) -> None:
        table = await store.table(name)
        assert table is not None
        archive = Archive(table.revision, NOW, b"log")
        await store.compact(table.number, table.revision, archive)

    kept = keeping(store, told, UpkeepSettings.model_construct(compact_events=10), compact=compact)
    for _ in range(3):
        await kept.tidy()
    assert sorted(told.compacted) == ["closed", "finished", "long"]
    assert told.errors == []


async def test_tables_that_are_over_are_forgotten_only_if_the_operator_says_so(
    store: Store, told: Told
) -> None:
    await happened(store, "finished", Status.FINISHED, NOW - 900 * DAY)
    await happened(store, "closed", Status.CLOSED, NOW - 2 * DAY)
    await happened(store, "just closed", Status.CLOSED, NOW - DAY)
    await happened(store, "playing", Status.PLAYING, NOW - 80 * DAY)
    await keeping(store, told).tidy()
    assert told.forgotten == []
    await keeping(store, told, UpkeepSettings(forget_after=86_400)).tidy()
    assert sorted(told.forgotten) == ["closed", "finished"]
    left = [
        name for name in ("finished", "closed", "just closed", "playing") if await store.table(name)
    ]
    assert left == ["just closed", "playing"]


class RematchBegins:
    """A store in which another match begins at each table just after it was found."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def idle(self, statuses: tuple[Status, ...], before: int, limit: int) -> list[str]:
        found = await self._store.idle(statuses, before, limit)
        for name in found:
            await happened(self._store, name, Status.PLAYING, NOW)
        return found

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)


async def test_a_table_where_another_match_begins_is_not_forgotten(
    store: Store, told: Told
) -> None:
    await happened(store, "finished", Status.FINISHED, NOW - 900 * DAY)
    settings = UpkeepSettings(forget_after=86_400, expire_playing=None, expire_waiting=None)
    shaken: Store = RematchBegins(store)  # type: ignore[assignment]
    await keeping(shaken, told, settings).tidy()
    assert told.forgotten == []
    assert await store.table("finished") is not None


async def test_never_is_never(store: Store, told: Told) -> None:
    for status in Status:
        await happened(store, status.name, status, 5, count=5000)
    never = UpkeepSettings(
        expire_waiting=None,
        expire_playing=None,
        forget_after=None,
        compact_events=None,
        compact_after=None,
    )
    await keeping(store, told, never).tidy()
    assert (told.expired, told.compacted, told.forgotten) == ([], [], [])


# -- by itself --------------------------------------------------------------------------------------------


class Away:
    """A store that does not answer as often as it is told."""

    def __init__(self, store: Store, times: int) -> None:
        self._store = store
        self.times = times

    async def due(self, time: int, limit: int) -> list[str]:
        if self.times:
            self.times -= 1
            raise silent()
        return await self._store.due(time, limit)

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)


async def until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not condition():
            await asyncio.sleep(0.005)


async def test_it_goes_on_when_the_store_is_there_again(store: Store, told: Told) -> None:
    names = await due_tables(store, 3)
    away: Store = Away(store, times=3)  # type: ignore[assignment]
    kept = keeping(away, told, OFTEN, attend=done_at(store))
    kept.start()
    await until(lambda: len(told.attended) == 3)
    await kept.stop()
    assert sorted(told.attended) == names
    assert told.errors == []


async def test_when_the_store_goes_in_the_middle_no_table_is_to_blame(
    store: Store, told: Told
) -> None:
    await due_tables(store, 30)
    gone = True

    async def attend(table: str) -> None:
        if gone:
            raise silent()
        await done_at(store)(table)

    kept = keeping(store, told, attend=attend)
    for _ in range(4):
        with pytest.raises(Unavailable):
            await kept.sweep()
    assert len(told.attended) <= 4 * module.AT_ONCE
    gone = False
    await kept.sweep()
    assert await store.due(NOW, 99) == []
    assert told.errors == []


async def test_it_stops_at_once_and_what_is_being_committed_is(store: Store, told: Told) -> None:
    await due_tables(store, 1)
    begun, answers = asyncio.Event(), []

    async def attend(name: str) -> None:
        table = await store.table(name)
        assert table is not None
        event = NewEvent(NOW, None, "{}")
        answer = store.append(Change(table.number, table.revision, (event,), Status.PLAYING))
        answers.append(answer)
        begun.set()
        await answer
        await asyncio.Event().wait()

    kept = keeping(store, told, OFTEN, attend=attend)
    kept.start()
    await begun.wait()
    await kept.stop()
    assert [answer.done() for answer in answers] == [True]
    assert told.errors == []
    await kept.stop()


@pytest.mark.needs_postgres
async def test_several_servers_at_once_do_each_thing_once(postgres: Postgres, told: Told) -> None:
    url = postgres.new_url()
    stores = [await open_store(url) for _ in range(2)]
    names = await due_tables(stores[0], 150)
    for n in range(30):
        await happened(stores[0], f"w{n}", Status.WAITING, NOW - 8 * DAY)
        await happened(stores[0], f"f{n}", Status.FINISHED, NOW - 40 * DAY, count=3)
        await happened(stores[0], f"c{n}", Status.CLOSED, NOW - 400 * DAY)
    settings = OFTEN.model_copy(update={"forget_after": 365 * 86_400})
    done: Counter[str] = Counter()

    def with_status(store: Store, status: Status) -> Callable[[str], Awaitable[None]]:
        async def append(name: str) -> None:
            table = await store.table(name)
            if table is None or table.status in (status, Status.CLOSED):
                return
            event = NewEvent(NOW, None, "{}")
            await store.append(Change(table.number, table.revision, (event,), status))
            done[name] += 1

        return append

    def compacting(store: Store) -> Callable[[str], Awaitable[None]]:
        async def compact(name: str) -> None:
            if table := await store.table(name):
                archive = Archive(table.revision, NOW, b"log")
                await store.compact(table.number, table.revision, archive)
                done[name] += 1

        return compact

    both = [
        keeping(
            store,
            told,
            settings,
            attend=with_status(store, Status.PLAYING),
            expire=with_status(store, Status.CLOSED),
            compact=compacting(store),
        )
        for store in stores
    ]
    for kept in both:
        kept.start()
    await until(lambda: sum(done.values()) >= 210 and len(set(told.forgotten)) == 30)
    for kept in both:
        await kept.stop()
    waiting, finished = ([f"{kind}{n}" for n in range(30)] for kind in "wf")
    assert done == Counter([*names, *waiting, *finished])
    assert told.errors == []
    for name in [*names, *waiting]:
        table = await stores[0].table(name)
        assert table is not None
        assert table.revision == (1 if name in names else 2)
    for store in stores:
        await store.close()
