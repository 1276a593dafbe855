"""The tables that are in memory: found by id, read from their logs, kept up with the store, let go."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import replace

from bgcore import BgcoreError
from bgcore.errors import Fault, PluginFailed
from bgcore_server.entries import Closed, read_entry
from bgcore_server.errors import Log, NotNow, OutOfRange, TooNew, Unavailable
from bgcore_server.slices import sliced
from bgcore_server.store import Event, Store, StoredTable
from bgcore_server.store.archive import Packed, unpack
from bgcore_server.tables.live import RULES_CHANGED, Moment, Table, rules_changed
from bgcore_server.tables.rights import not_found
from bgcore_server.tables.state import RulesOf

LIVE = 4096
"""Tables kept in memory; those not used for longest go first, unless somebody needs them."""

Hook = Callable[[Table], None]


class Loaded:
    """The tables in use. `busy` tells of a table that must stay; `came` and `went` are told of each."""

    def __init__(
        self, store: Store, rules_of: RulesOf, log: Log, busy: Callable[[Table], bool]
    ) -> None:
        self.store = store
        self.came: Hook = _nobody
        self.went: Hook = _nobody
        self._rules_of = rules_of
        self._log = log
        self._busy = busy
        self._live: OrderedDict[str, Table] = OrderedDict()
        self._loading: dict[str, asyncio.Task[Table]] = {}

    def __iter__(self) -> Iterator[Table]:
        return iter(list(self._live.values()))

    def __len__(self) -> int:
        return len(self._live)

    async def get(self, id: str, *, fresh: bool = True) -> Table:
        """The table of an id, with all that any server has answered by now.

        Unless it need not be `fresh`: for a command, which finds out by itself.
        """
        table = self._live.get(id)
        if table is None:
            loading = self._loading.get(id)
            if loading is None:
                loading = self._loading[id] = asyncio.create_task(self._load(id))
                loading.add_done_callback(lambda done: self._loaded(id, done))
            return await asyncio.shield(loading)
        self._live.move_to_end(id)
        if fresh and self.store.shared:
            await self._freshen(table)
        elif fresh and table.doubtful:
            async with table.lock:
                await self.settle(table)
        return await self.get(id) if table.gone else table

    def _loaded(self, id: str, done: asyncio.Task[Table]) -> None:
        self._loading.pop(id, None)
        if not done.cancelled():
            done.exception()  # whoever waits is told; if nobody does any more, that is no fault

    async def _freshen(self, table: Table) -> None:
        now = (await self.store.extents((table.number,))).get(table.number)
        if now is None:  # forgotten meanwhile
            self.let_go(table)
            raise not_found(table.id)
        if now.compacted > table.stored.compacted:  # at another server
            table.stored = replace(table.stored, compacted=now.compacted)
        await self.catch_up(table, now.revision)

    async def _load(self, id: str) -> Table:
        stored = await self.stored(id)
        try:
            table = Table(stored, self._rules_of)
        except (TooNew, PluginFailed):
            raise
        except BgcoreError as changed:
            what = f"table {id} cannot be opened: {changed}"
            raise NotNow(rules_changed(id, what)) from changed
        packed, kept = await self._whole_log(stored, stored.revision)
        async for event in sliced((*packed.events, *kept)):
            if table.fault or not table.read_log((event,)):
                break
            archived = event.revision == packed.revision
            if archived and packed.digest != table.state.digest():
                table.freeze("its log does not lead any more to where it led")
        if log := kept or packed.events:
            table.log_end = log[-1].revision
            if table.fault:
                table.read_end(log[-1])
        self.keep(table)
        return table

    async def stored(self, id: str) -> StoredTable:
        """What the store has of a table, without its match."""
        found = await self.store.table(id)
        if found is None:
            raise not_found(id)
        return found

    def keep(self, table: Table) -> None:
        """Have a table in memory, and let others go where there are too many."""
        self._live[table.id] = table
        self.came(table)
        while len(self._live) > LIVE:
            oldest = next((t for t in self if not self._in_use(t)), None)
            if oldest is None:
                return
            self.drop(oldest)

    def drop(self, table: Table) -> None:
        """Have it in memory no longer."""
        self._live.pop(table.id, None)
        self.went(table)

    def let_go(self, table: Table) -> None:
        """Have it in memory no longer, since it is not what it was: whoever watches it hears of that."""
        self.drop(table)
        table.gone = True
        table.wake()

    def forget(self, id: str) -> None:
        """A table that has been deleted, or is to be read anew."""
        if table := self._live.get(id):
            self.let_go(table)

    def current(self, table: Table) -> Table:
        """The table of the same id that is in memory now."""
        return self._live.get(table.id, table)

    def _in_use(self, table: Table) -> bool:
        return bool(table.watchers) or table.lock.locked() or self._busy(table)

    async def end(self, table: StoredTable) -> Closed | None:
        """How a table was closed, if it was; no rules are asked."""
        packed, kept = await self._whole_log(table, table.revision)
        log = kept or packed.events
        entry = read_entry(log[-1].body) if log else None
        return entry if isinstance(entry, Closed) else None

    # -- what others have done ----------------------------------------------------------------------

    async def catch_up(self, table: Table, revision: int) -> None:
        """Read what other servers have added to the log, if the table is not yet at a revision."""
        if max(table.revision, table.log_end) < revision:
            async with table.lock:
                if max(table.revision, table.log_end) < revision:
                    await self.read_on(table)

    async def settle(self, table: Table) -> None:
        """Find out whether a command was carried out of which the store did not tell. Needs the lock.

        `Unavailable` while the store is away: until then nobody knows where the table stands.
        """
        if table.doubtful:  # and not, if somebody has found out while we waited for the lock
            await self.read_on(table)

    async def read_on(self, table: Table) -> None:
        """Read what others have added to the log, or we without knowing it. Needs the lock."""
        if table.fault:
            now = await self.stored(table.id)
            if now.revision > max(table.revision, table.log_end):
                self.let_go(table)  # perhaps it was closed, which loading it finds out
            return
        seen = table.revision
        events: Sequence[Event] = await self.store.events(table.number, seen, None)
        if not events or events[0].revision != seen + 1:  # none, or compacted meanwhile
            now = await self.stored(table.id)
            events = (await self.log(table, now.revision))[seen:] if now.revision > seen else ()
        if events:
            table.stored = await self.stored(table.id)  # after the events: who sits there now
            for seat in table.stored.seats:
                table.set_token(seat)
            try:
                table.follow(events)
            except Exception:  # of its rules; it is somewhere in between now
                self.let_go(table)
                raise
            if table.fault:
                self.let_go(table)
        table.doubtful = False

    # -- the log ------------------------------------------------------------------------------------

    async def log(self, table: Table, last: int | None = None) -> list[Event]:
        """The events of a table up to one, those in its archive included."""
        packed, kept = await self._whole_log(table.stored, last or 0)
        return [*packed.events, *kept][:last]

    async def _whole_log(self, table: StoredTable, last: int) -> tuple[Packed, Sequence[Event]]:
        """What is in the archive of a table, and the events after that; at least up to event `last`."""
        for _ in range(ATTEMPTS):
            archive = await self.store.archive(table.number)
            packed = await asyncio.to_thread(unpack, archive.body) if archive else NOTHING
            known = packed.revision
            kept = await self.store.events(table.number, known, None)
            whole = not kept or kept[0].revision == known + 1
            if whole and known + len(kept) >= last:
                return packed, kept
            # Somebody has compacted it in between: once more.
        raise not_found(table.id)  # or deleted

    async def moments(self, table: Table, first: int, last: int) -> list[Moment]:
        """The moments from a revision to another, from memory or from the log."""
        # The store may be further than the table in memory: it is told first.
        recent = table.recent(first - 1) if last <= table.revision else None
        if recent is not None:
            return recent[: last - first + 1]
        history = sliced(table.history(await self.log(table, last)))
        return [moment async for moment in history if moment.event.revision >= first]

    async def moments_after(self, table: Table, after: int) -> AsyncIterator[Moment]:
        """Every moment after a revision that the table has now."""
        recent = table.recent(after)
        if recent is not None:
            for moment in recent:
                yield moment
            return
        # Far behind: the log has it.
        async for moment in sliced(table.history(await self.log(table, table.revision))):
            if moment.event.revision > after:
                yield moment


NOTHING = Packed((), {})
"""The archive of a table that has none."""

ATTEMPTS = 5
"""How often a log is read again that was compacted at that moment."""


def unreadable(problem: Exception) -> bool:
    """Whether a table cannot be read since its rules are gone, or since their code fails."""
    if isinstance(problem, NotNow):
        return problem.reason == RULES_CHANGED
    return isinstance(problem, PluginFailed) or not isinstance(problem, BgcoreError)


def check_kept(stored: StoredTable, after: int) -> None:
    """`OutOfRange` where the events after a revision are not kept one by one any more."""
    if after < stored.compacted:
        expected = f"at least {stored.compacted}: older events were compacted"
        raise OutOfRange(Fault("EVENTS_COMPACTED", "after_revision", str(after), expected))


def reloaded(id: str) -> Unavailable:
    """The error of a watch whose table had to be read anew; a new one goes on where this one was."""
    what = f"table {id} was read anew; watch again from where you were"
    return Unavailable(Fault("TABLE_RELOADED", "table", id, "another watch", what))


def _nobody(table: Table) -> None:
    """Told of nothing."""
