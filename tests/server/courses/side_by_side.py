"""Servers and the model, given the same commands: their answers must be the same."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from google.protobuf.message import Message
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine

from bgcore import Seat
from bgcore_proto.v1 import table_pb2 as pb
from bgcore_proto.v1 import table_service_pb2 as service
from tests.server.courses import requests
from tests.server.courses.servers import House, Watch
from tests.server.model import Model
from tests.server.model.looking import Looking
from tests.server.model.refused import Refused
from tests.server.model.refused import told as told_error
from tests.server.model.standing import (
    SECOND,
)
from tests.server.model.table import Table

MOST_TABLES = 4
PICK = st.integers(0, 1 << 16)
PLACE = st.integers(0, MOST_TABLES - 1)
FIRST_TIME = 1_700_000_000 * SECOND
AT_A_TABLE = ("JoinTable", "LeaveTable", "CloseTable", "Act")
COMMANDS = ("CreateTable", *AT_A_TABLE)


@dataclass
class Watching:
    """Somebody who watches, and what he must have seen."""

    watch: Watch
    asked: service.WatchTableRequest
    header: str
    server: int
    snapshot: service.WatchTableResponse | None
    last: int  # revision seen
    checked: int = 0  # messages
    most: int | None = None  # the last revision that may be seen, while the table must not be
    lost: bool = False  # whether that ever was so


class SideBySide(RuleBasedStateMachine):
    """Commands in any order. Rules draw a number each, from which everything else of them follows."""

    house: House

    def __init__(self) -> None:
        super().__init__()
        house = self.house
        house.examples += 1
        house.clock.time = FIRST_TIME
        house.chance.seed(0)
        house.start()
        self.model = Model(house.registry, house.clock, house.habits)
        self.looking = Looking(self.model)
        self.checked: dict[str, int] = {}
        self.ever: list[str] = []
        self.headers: list[str] = []
        self.sent: list[tuple[str, Any, str]] = []
        self.watches: list[Watching] = []
        self.ids = 0
        self.at_that_moment = False  # time stands still until the next command
        self.salt = ""
        self.picked: Counter[int] = Counter()

    def random(self, pick: int) -> Random:
        """Chance from a number that was drawn; a number drawn again gives another."""
        self.picked[pick] += 1
        return Random(f"{self.salt} {pick} {self.picked[pick]}")

    # -- both ---------------------------------------------------------------------------------------

    def both(
        self,
        r: Random,
        name: str,
        asked: Any,
        header: str,
        foreseen: Callable[[Any], Message],
    ) -> Any:
        """Have a command carried out by a server and by the model; the answers must be the same."""
        server = r.randrange(len(self.house.serving))
        if not self.at_that_moment:
            self.house.clock.time += r.choice((-SECOND, 0, 1, 300_000, SECOND, SECOND, 3 * SECOND))
        self.at_that_moment = False
        answer = self.house.call(server, name, asked, header)
        told = None if isinstance(answer, Refused) else answer
        expected: object
        try:
            expected = foreseen(told)
        except Refused as refused:
            expected = refused
        same(f"{name} at server {server}: {asked}", answer, expected)
        if name in AT_A_TABLE and (table := self.model.tables.get(asked.table)):
            self.check(r, table, server if r.random() < 0.6 else None)
        return told

    def check(self, r: Random, table: Table, server: int | None = None) -> None:
        """What was logged since the last look, and where the table stands."""
        header = f"Bearer {table.host}"
        after = max(self.checked.get(table.id, 0), table.compacted)
        if server is None:
            server = r.randrange(len(self.house.serving))
        log = self.listed(server, table.id, after, header)
        self.model.follow_bots(table, log[table.at.revision - after :])
        shown = self.house.call(server, "GetTable", service.GetTableRequest(table=table.id), header)
        if not isinstance(shown, Refused):
            table.revealed(shown.state)
        same("the log", log, [table.event(n) for n in range(after + 1, table.at.revision + 1)])
        same(
            "the table",
            shown,
            service.GetTableResponse(table=table.message(table.at), state=table.state(table.at, 2)),
        )
        self.checked[table.id] = table.at.revision
        for watching in self.watches:
            if watching.asked.table == table.id:
                self.check_watch(watching)

    def listed(self, server: int, id: str, after: int, header: str) -> list[pb.Event]:
        asked = service.ListEventsRequest(table=id, after_revision=after, page_size=500)
        answer = self.house.call(server, "ListEvents", asked, header)
        assert not isinstance(answer, Refused), answer
        return list(answer.events)

    def table(self, place: int, *statuses: pb.TableStatus) -> Table:
        """One of the tables in a state, if there is one, else any."""
        every = list(self.model.tables.values())
        tables = [table for table in every if table.at.status in statuses] or every
        return tables[place % len(tables)]

    def header(self, r: Random, table: Table, seat: Seat | None = None) -> str:
        """Mostly what opens it; now and then something else."""
        chance = r.random()
        if chance < 0.02:
            return r.choice(requests.FALSE_HEADERS)
        if chance < 0.05 and self.headers:
            return r.choice(self.headers)
        if chance < 0.08:
            return f"Bearer account.{r.choice(requests.ACCOUNTS)}"
        if chance < 0.14 and table.past_tokens:
            return f"Bearer {table.past_tokens[-1]}"
        if seat is not None and table.tokens[seat]:
            return f"Bearer {table.tokens[seat]}"
        return f"Bearer {table.invitation or table.host}"

    def request_id(self, r: Random, long: bool = False) -> str:
        if r.random() < 0.5:
            return ""
        self.ids += 1
        short = f"{self.house.examples}-{self.ids}"
        return short.ljust(20, "-") if long or r.random() < 0.5 else short

    def send(self, r: Random, name: str, asked: Any, header: str) -> Any:
        """A command, remembered so that it can be repeated."""
        self.sent.append((name, asked, header))
        return self.both(r, name, asked, header, self.foreseen(r, name, asked, header))

    def foreseen(self, r: Random, name: str, asked: Any, header: str) -> Callable[[Any], Message]:
        model = self.model
        match name:
            case "CreateTable":
                return lambda told: model.create(asked, header, told)
            case "JoinTable":
                return lambda told: model.join(asked, header, told, self.news(r, asked.table))
            case "LeaveTable":
                return lambda told: model.leave(asked, header)
            case "CloseTable":
                return lambda told: model.close(asked, header, told)
        return lambda told: model.act(asked, header, told)

    def news(self, r: Random, id: str) -> list[pb.Event]:
        """The events that the model does not know yet."""
        table = self.model.tables.get(id)
        if table is None:
            return []
        server = r.randrange(len(self.house.serving))
        return self.listed(server, id, table.at.revision, f"Bearer {table.host}")

    def check_all(self, r: Random) -> None:
        for table in list(self.model.tables.values()):
            self.check(r, table)

    # -- watching -----------------------------------------------------------------------------------

    def begin_watch(self, r: Random, asked: service.WatchTableRequest, header: str) -> None:
        server = r.randrange(len(self.house.serving))
        watch = self.house.begin_watch(server, asked, header)
        table = expected = None
        try:
            table = self.looking.watched(asked, header)
        except Refused as refused:
            expected = refused
        ended = watch.ended and told_error(watch.ended, asked)
        same(f"WatchTable {asked}", ended, expected)
        if table is None:
            return
        snapshot, last = None, asked.after_revision
        if not asked.HasField("after_revision"):
            last = table.at.revision
            told = service.Snapshot(
                table=table.message(table.at), state=table.state(table.at, asked.view or 2)
            )
            snapshot = service.WatchTableResponse(snapshot=told)
        self.watches.append(Watching(watch, asked, header, server, snapshot, last))

    def check_watch(self, watching: Watching, *, stopped: bool = False) -> None:
        """What was seen is a prefix of what happened, in order; `stopped`: the server was."""
        table = self.model.tables[watching.asked.table]
        seen = watching.watch.seen
        if not stopped:
            self.check_right(watching, table)
        if watching.checked == 0 and watching.snapshot is not None and seen:
            same("the snapshot", seen[0], watching.snapshot)
            watching.checked = 1
        for news in seen[watching.checked :]:
            watching.last += 1
            event = table.event(watching.last, watching.asked.view or 1)
            same("news", news, service.WatchTableResponse(event=event))
        watching.checked = max(watching.checked, len(seen))
        assert watching.most is None or watching.last <= watching.most, "he has heard too much"

    def check_right(self, watching: Watching, table: Table) -> None:
        """Who may not see the table any more hears nothing of it; he may come to see it again."""
        try:
            self.looking.seen(table.id, watching.header)
            watching.most = None
        except Refused as refused:
            if watching.most is None:
                watching.most = table.at.revision - 1  # it happened by the last event
            watching.lost = True
            if ended := watching.watch.ended:
                same("a watch", told_error(ended, watching.asked), refused)
        assert watching.lost or watching.watch.ended is None, watching.watch.ended


def same(what: str, found: object, expected: object) -> None:
    """The same answer, or the same refusal."""
    if found == expected:
        return
    lines = difflib.unified_diff(
        str(expected).splitlines(), str(found).splitlines(), "model", "server", lineterm="", n=2
    )
    raise AssertionError("\n".join((what, *lines)))
