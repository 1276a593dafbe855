"""The store: looking for what is to be done, making room, and forgetting."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from bgcore_server.errors import Malformed, Stale
from bgcore_server.store import (
    Appended,
    Archive,
    Change,
    Created,
    Later,
    NewEvent,
    Repeated,
    Seat,
    Selection,
    Status,
    Store,
    StoredTable,
    open_store,
)
from bgcore_server.store.statements import INDEXED
from tests.server.test_store import change, key, made, new_table, url_of

LATER = Later("tavla", "2", '{"preset":""}')


@pytest.fixture(params=["file", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database that outlives a store."""
    return url_of(request, tmp_path)


@pytest.fixture(params=["file", "memory", "postgres"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    opened = await open_store(url_of(request, tmp_path))
    yield opened
    await opened.close()


async def found(store: Store, name: str) -> StoredTable:
    table = await store.table(name)
    assert table is not None
    return table


async def acted(
    store: Store, name: str, count: int, time: int = 10, status: Status = Status.PLAYING
) -> StoredTable:
    """A table where so much has happened until a time."""
    table = await store.table(name) or await made(store, name)
    events = [NewEvent(time, 0, f'{{"n": {table.revision + n + 1}}}') for n in range(count)]
    await store.append(Change(table.number, table.revision, events, status))
    return await found(store, name)


async def compacted(store: Store, table: StoredTable, revision: int, body: bytes = b"log") -> None:
    await store.compact(table.number, table.revision, Archive(revision, 99, body))


# -- what a table is ----------------------------------------------------------------------------------


async def test_a_seat_knows_whose_account_sits_there(store: Store) -> None:
    seats = (Seat(0, "Ann", account="ann@example"), Seat(1))
    await store.create(replace(new_table("a"), seats=seats), None)
    table = await found(store, "a")
    assert table.seats == seats
    taken = Seat(1, "Bea", taken=True, token=b"t", salt=b"s", account="Ⅷ bea")
    await store.append(replace(change(table.number, 0), seat=taken))
    assert (await found(store, "a")).seats == (seats[0], taken)
    with pytest.raises(Malformed):
        store.append(replace(change(table.number, 1), seat=replace(taken, account="a\0")))


async def test_a_later_match_has_rules_of_its_own(store: Store) -> None:
    table = await made(store, "a")
    assert table.later is None
    assert table.current == Later(table.variant, table.rules_version, table.settings)
    await store.append(replace(change(table.number, 0), later=LATER))
    await store.append(change(table.number, 1))  # which says nothing of rules
    assert (await found(store, "a")).current == LATER
    assert (await found(store, "a")).variant == "western"


async def test_a_list_shows_the_variant_that_is_played_now(store: Store) -> None:
    table = await made(store, "a")
    await made(store, "b")
    await store.append(replace(change(table.number, 0), later=LATER))
    assert [t.id for t in await store.tables(Selection(9, variant="tavla"))] == ["a"]
    assert [t.id for t in await store.tables(Selection(9, variant="western"))] == ["b"]


# -- looking for what is to be done -----------------------------------------------------------------


async def test_tables_are_due_when_their_deadline_has_passed(store: Store) -> None:
    for name, deadline in (("a", 30), ("b", 10), ("c", 20), ("d", None)):
        await store.create(replace(new_table(name), deadline=deadline), None)
    assert await store.due(10, 9) == []
    assert await store.due(21, 9) == ["b", "c"]
    assert await store.due(99, 2) == ["b", "c"]
    number = (await found(store, "b")).number
    await store.append(replace(change(number, 0), deadline=25))
    assert await store.due(99, 9) == ["c", "b", "a"]
    await store.append(change(number, 1))
    assert await store.due(99, 9) == ["c", "a"]


async def test_idle_tables_are_found_by_their_last_event(store: Store) -> None:
    await acted(store, "a", 1, time=30)
    await acted(store, "b", 1, time=20)
    await acted(store, "c", 1, time=10, status=Status.FINISHED)
    await made(store, "d")  # at 1
    assert await store.idle([Status.PLAYING], 31, 9) == ["b", "a"]
    assert await store.idle([Status.PLAYING], 30, 9) == ["b"]
    assert await store.idle([Status.PLAYING, Status.FINISHED, Status.WAITING], 99, 3) == [
        *("d", "c", "b"),
    ]
    assert await store.idle([], 99, 9) == []
    assert await store.idle([Status.CLOSED], 99, 9) == []


async def test_long_logs_are_found_until_they_are_compacted(store: Store) -> None:
    table = await acted(store, "a", 5)
    await acted(store, "b", 2)
    assert await store.lengthy(1, 9) == ["a", "b"]
    assert await store.lengthy(1, 1) == ["a"]
    assert await store.lengthy(2, 9) == ["a"]
    assert await store.lengthy(5, 9) == []
    await compacted(store, table, 3)
    assert await store.lengthy(1, 9) == ["a", "b"]
    assert await store.lengthy(2, 9) == []


async def test_very_long_logs_are_found_by_an_index_alike(store: Store) -> None:
    for name, count in (("a", INDEXED + 1), ("b", INDEXED), ("c", INDEXED + 2)):
        await acted(store, name, count)
    assert await store.lengthy(INDEXED - 1, 9) == ["a", "b", "c"]
    assert await store.lengthy(INDEXED, 9) == ["a", "c"]
    assert await store.lengthy(INDEXED + 1, 9) == ["c"]


async def test_tables_that_are_over_are_found_until_they_are_compacted(store: Store) -> None:
    await acted(store, "a", 2, time=30, status=Status.FINISHED)
    closed = await acted(store, "b", 2, time=20, status=Status.CLOSED)
    await acted(store, "c", 2, time=10)
    assert await store.settled(99, 9) == ["b", "a"]
    assert await store.settled(99, 1) == ["b"]
    assert await store.settled(30, 9) == ["b"]
    await compacted(store, closed, 1)
    assert await store.settled(99, 9) == ["b", "a"]
    await compacted(store, closed, 2)
    assert await store.settled(99, 9) == ["a"]


# -- making room --------------------------------------------------------------------------------------


async def test_an_archive_takes_the_place_of_its_events(store: Store) -> None:
    table = await acted(store, "a", 6)
    other = await acted(store, "b", 3)
    assert await store.archive(table.number) is None
    body = bytes(range(256)) * 40
    await store.compact(table.number, 6, Archive(4, 77, body))
    assert await store.archive(table.number) == Archive(4, 77, body)
    assert [event.revision for event in await store.events(table.number, 0, None)] == [5, 6]
    assert replace(await found(store, "a"), compacted=0) == table
    assert (await found(store, "a")).compacted == 4
    assert await store.append(change(table.number, 6)) == Appended(7, 7)
    await store.compact(table.number, 7, Archive(7, 78, b"longer"))
    assert await store.archive(table.number) == Archive(7, 78, b"longer")
    assert await store.events(table.number, 0, None) == []
    assert await store.append(change(table.number, 7)) == Appended(8, 8)
    assert len(await store.events(other.number, 0, None)) == 3


@pytest.mark.parametrize(
    ("seen", "last", "why"),
    [
        (5, 4, "somebody has acted"),
        (6, 3, "the archive has as many"),
        (6, 2, "the archive has more"),
        (6, 7, "there are no such events"),
    ],
)
async def test_nothing_is_compacted_that_somebody_has_changed(
    store: Store, seen: int, last: int, why: str
) -> None:
    table = await acted(store, "a", 6)
    await compacted(store, table, 3, b"before")
    with pytest.raises(Stale):
        await store.compact(table.number, seen, Archive(last, 99, b"after"))
    assert await store.archive(table.number) == Archive(3, 99, b"before"), why
    assert len(await store.events(table.number, 0, None)) == 3
    assert (await found(store, "a")).compacted == 3


async def test_a_request_is_remembered_though_its_events_are_in_the_archive(store: Store) -> None:
    table = await made(store, "a")
    await store.append(change(table.number, 0, 2, key("r")))
    await store.compact(table.number, 2, Archive(2, 99, b"log"))
    assert await store.append(change(table.number, 2, 1, key("r"))) == Repeated(1, 2, b"what")
    assert await store.request(table.number, "white", "r") == Repeated(1, 2, b"what")
    assert (await found(store, "a")).revision == 2


async def test_of_many_that_compact_and_act_at_once_none_undoes_what_another_did(
    store: Store,
) -> None:
    table = await acted(store, "a", 5)
    number = table.number
    for revision in range(5, 25):
        archive = Archive(revision, 99, str(revision).encode())
        tries = [
            store.compact(number, revision, archive),
            store.append(change(number, revision)),
            store.compact(number, revision, archive),
        ]
        done = await asyncio.gather(*tries, return_exceptions=True)
        assert done[1] == Appended(revision + 1, revision + 1)
        assert [type(one) for one in (done[0], done[2])].count(type(None)) <= 1
        stored, kept = await found(store, "a"), await store.archive(number)
        assert stored.compacted == (kept.revision if kept else 0)
        events = await store.events(number, 0, None)
        assert [event.revision for event in events] == list(
            range(stored.compacted + 1, revision + 2)
        )


# -- forgetting ---------------------------------------------------------------------------------------


async def test_a_table_is_forgotten_with_all_that_belongs_to_it(store: Store) -> None:
    await store.create(new_table("a"), key("making"))
    table, other = await found(store, "a"), await made(store, "b")
    for one in (table, other):
        await store.append(change(one.number, 0, 3, key("r")))
        await store.compact(one.number, 3, Archive(1, 99, b"log"))
    await store.delete(table.number)
    await store.delete(table.number)
    assert await store.table("a") is None
    assert await store.events(table.number, 0, None) == []
    assert await store.archive(table.number) is None
    assert await store.request(table.number, "white", "r") is None
    assert await store.extents([table.number]) == {}
    assert [t.id for t in await store.tables(Selection(9))] == ["b"]
    assert len(await store.events(other.number, 0, None)) == 2
    assert await store.archive(other.number) == Archive(1, 99, b"log")
    assert await store.request(other.number, "white", "r") == Repeated(1, 3, b"what")
    # The request that made it makes a new one, which has nothing of the old.
    assert await store.create(new_table("c"), key("making")) == Created("c", repeated=False)
    assert (await found(store, "c")).number > other.number


async def test_who_comes_to_a_forgotten_table_hears_that_it_is_gone(store: Store) -> None:
    table = await acted(store, "a", 2)
    await store.delete(table.number)
    with pytest.raises(Stale) as refused:
        await store.append(change(table.number, 2))
    assert refused.value.faults[0].expected == "gone"
    with pytest.raises(Stale):
        await compacted(store, table, 1)
    assert await store.archive(table.number) is None


async def test_a_table_that_has_moved_on_is_not_forgotten(store: Store) -> None:
    table = await acted(store, "a", 2)
    with pytest.raises(Stale):
        await store.delete(table.number, revision=1)
    assert len(await store.events(table.number, 0, None)) == 2
    await store.delete(table.number, revision=2)
    await store.delete(table.number, revision=2)
    assert await store.table("a") is None


async def test_what_was_acknowledged_before_a_deletion_is_never_deleted(store: Store) -> None:
    for n in range(20):
        table = await acted(store, f"t{n}", 1)
        tries = [store.append(change(table.number, 1)), store.delete(table.number, revision=1)]
        if n % 2:
            tries.reverse()
        done = await asyncio.gather(*tries, return_exceptions=True)
        acknowledged = [one for one in done if isinstance(one, Appended)]
        assert [isinstance(one, Stale) for one in done].count(True) == 1
        events = await store.events(table.number, 0, None)
        assert len(events) == (2 if acknowledged else 0)


# -- beside a model -----------------------------------------------------------------------------------


@dataclass
class Log:
    """A table of the plainest store."""

    number: int
    events: list[str] = field(default_factory=list)
    requests: dict[str, Repeated] = field(default_factory=dict)
    archive: Archive | None = None
    status: Status = Status.WAITING
    updated: int = 1
    deadline: int | None = None
    later: Later | None = None

    @property
    def compacted(self) -> int:
        return self.archive.revision if self.archive else 0


@dataclass
class Model:
    """Dictionaries, no disk, no transactions."""

    logs: dict[str, Log] = field(default_factory=dict)
    making: dict[str, str] = field(default_factory=dict)

    def append(self, name: str, wanted: Change) -> Appended | Repeated | None:
        """`None`: stale."""
        log, request = self.logs.get(name), wanted.request
        if log is None:
            return None
        if request and request.id in log.requests:
            return log.requests[request.id]
        if len(log.events) != wanted.revision:
            return None
        log.events += [event.body for event in wanted.events]
        log.status, log.updated = wanted.status, wanted.events[-1].time
        log.deadline, log.later = wanted.deadline, wanted.later or log.later
        first, last = wanted.revision + 1, len(log.events)
        if request:
            log.requests[request.id] = Repeated(first, last, request.fingerprint)
        return Appended(first, last)

    def compact(self, name: str, revision: int, archive: Archive) -> bool:
        log = self.logs.get(name)
        if log is None or len(log.events) != revision:
            return False
        if not log.compacted < archive.revision <= revision:
            return False
        log.archive = archive
        return True

    def delete(self, name: str, revision: int | None) -> bool:
        log = self.logs.get(name)
        if log and revision not in (None, len(log.events)):
            return False
        self.logs.pop(name, None)
        self.making = {key: one for key, one in self.making.items() if one != name}
        return True


class Beside:
    """A store and a model that are told the same."""

    def __init__(self, store: Store, chance: random.Random) -> None:
        self.store, self.chance = store, chance
        self.model = Model()
        self.numbers: dict[str, int] = {}  # of all tables ever made
        self.clock = 1

    async def step(self) -> None:
        self.clock += 1
        steps = (self.create, self.append, self.compact, self.delete)
        [step] = self.chance.choices(steps, (2, 20, 3, 1))
        await step()

    def some(self) -> tuple[str, int, int]:
        """A table, perhaps a forgotten one, and its revision, perhaps an old one."""
        name = self.chance.choice(list(self.numbers))
        log = self.model.logs.get(name)
        revision = len(log.events) if log else 3
        return name, self.numbers[name], max(0, revision - (self.chance.random() < 0.15))

    async def create(self) -> None:
        name, making = f"t{len(self.numbers)}", f"m{self.chance.randrange(30)}"
        expected = self.model.making.get(making)
        wanted = replace(new_table(name), deadline=self.clock if self.clock % 3 else None)
        done = await self.store.create(wanted, key(making))
        assert done == Created(expected or name, repeated=expected is not None)
        if expected is None:
            number = self.numbers[name] = (await found(self.store, name)).number
            self.model.logs[name] = Log(number, deadline=wanted.deadline)
            self.model.making[making] = name

    async def append(self) -> None:
        if not self.numbers:
            return
        name, number, revision = self.some()
        chance = self.chance
        count = chance.randint(1, 4)
        wanted = Change(
            number,
            revision,
            [
                NewEvent(self.clock, chance.choice((0, 1, None)), f"{self.clock}.{n}")
                for n in range(count)
            ],
            chance.choice(list(Status)),
            key(f"r{chance.randrange(20)}") if chance.random() < 0.6 else None,
            deadline=self.clock + chance.randrange(-5, 5) if chance.random() < 0.5 else None,
            later=replace(LATER, variant=f"v{chance.randrange(3)}")
            if chance.random() < 0.1
            else None,
        )
        expected = self.model.append(name, wanted)
        await self.same(expected, self.store.append(wanted))

    async def compact(self) -> None:
        if not self.numbers:
            return
        name, number, revision = self.some()
        archive = Archive(
            self.chance.randint(0, revision + 1), self.clock, self.chance.randbytes(9)
        )
        done = self.model.compact(name, revision, archive)
        await self.same(done or None, self.told(self.store.compact(number, revision, archive)))

    async def delete(self) -> None:
        if not self.numbers:
            return
        name, number, seen = self.some()
        revision = seen if self.chance.random() < 0.5 else None
        done = self.model.delete(name, revision)
        await self.same(done or None, self.told(self.store.delete(number, revision)))

    async def told(self, work: object) -> bool:
        await work  # type: ignore[misc]
        return True

    async def same(self, expected: object, work: object) -> None:
        try:
            assert await work == expected  # type: ignore[misc]
        except Stale:
            assert expected is None

    async def check(self) -> None:
        """Everything that can be asked."""
        store, logs, time = self.store, self.model.logs, self.clock - 2
        for name, number in self.numbers.items():
            log, table = logs.get(name), await store.table(name)
            events = await store.events(number, 0, None)
            assert await store.archive(number) == (log.archive if log else None)
            assert (table is None) == (log is None)
            if log is None or table is None:
                assert events == []
                continue
            kept = range(log.compacted + 1, len(log.events) + 1)
            assert [event.revision for event in events] == list(kept)
            assert [event.body for event in events] == log.events[log.compacted :]
            assert (table.revision, table.compacted) == (len(log.events), log.compacted)
            assert (table.status, table.updated, table.later) == (
                log.status,
                log.updated,
                log.later,
            )
        # All of these are looked for in the order of their times, those of one time by number.
        assert await store.due(time, 99) == self.names("deadline", time)
        over = [Status.FINISHED, Status.CLOSED]
        assert await store.idle(over, time, 99) == self.names("updated", time, over)
        unkept = [n for n, log in logs.items() if log.compacted < len(log.events)]
        settled = [n for n in self.names("updated", time, over) if n in unkept]
        assert await store.settled(time, 99) == settled
        lengthy = [n for n, log in logs.items() if len(log.events) - log.compacted > 7]
        assert await store.lengthy(7, 99) == lengthy

    def names(
        self, what: str, before: int, statuses: Sequence[Status] = tuple(Status)
    ) -> list[str]:
        when = {name: getattr(log, what) for name, log in self.model.logs.items()}
        some = [
            name
            for name, time in when.items()
            if time is not None and time < before and self.model.logs[name].status in statuses
        ]
        return sorted(some, key=lambda name: (when[name], self.numbers[name]))


@pytest.mark.parametrize("seed", range(3))
async def test_random_commands_compactions_and_deletions_give_what_a_model_gives(
    seed: int, url: str
) -> None:
    chance = random.Random(seed)
    both = Beside(await open_store(url), chance)
    for n in range(400):
        await both.step()
        if n % 100 == 99:
            await both.store.close()
            both.store = await open_store(url)
            await both.check()
    assert len(both.numbers) > len(both.model.logs) > 3
    assert any(log.archive for log in both.model.logs.values())
    await both.store.close()
