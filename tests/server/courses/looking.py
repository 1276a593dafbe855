"""Rules for those who look on, with and without the right to."""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from bgcore import Seat
from bgcore_proto.v1 import common_pb2
from bgcore_proto.v1 import table_pb2 as pb
from bgcore_proto.v1 import table_service_pb2 as service
from tests.server.courses import requests
from tests.server.courses.passing import Passing
from tests.server.courses.side_by_side import MOST_TABLES, PICK, PLACE, Watching, same
from tests.server.helpers import ref
from tests.server.model.refused import Refused
from tests.server.model.table import Table


class Courses(Passing):
    """Everything that can be asked of a server, in any order."""

    @precondition(lambda self: self.model.tables)
    @rule(place=PLACE, pick=PICK)
    def look(self, place: int, pick: int) -> None:
        r, table = self.random(pick), self.table(place)
        header = self.header(r, table, r.choice((None, *Seat)))
        if r.random() < 0.3:  # a stranger
            table = r.choice(self.private() or [table])
            header = r.choice(("", *self.headers[-9:], *requests.FALSE_HEADERS))
        gone = [one for one in self.ever if one not in self.model.tables]
        name_of_table = table.id if r.random() < 0.7 else r.choice((*gone, "nowhere"))
        for _ in range(2):
            match r.randrange(5):
                case 0:
                    self.list_events(r, table, header)
                case 1:
                    self.list_tables(r)
                case n:
                    name = ("GetTable", "ExportMatch", "VerifyDice")[n - 2]
                    self.look_at(r, name, name_of_table, header, r.choice((0, 1, 2, 3, 4, 9)))

    @precondition(lambda self: self.model.tables)
    @rule(place=PLACE, pick=PICK)
    def try_every_key(self, place: int, pick: int) -> None:
        """One question or command, with everything that a caller could show."""
        r, table = self.random(pick), self.table(place)
        table = r.choice(self.private() or [table])
        what = r.choice(("look", "join", "leave", "act", "close"))
        keys = [table.host, table.invitation, table.spectator, *table.tokens, *table.past_tokens]
        keys += [f"account.{name}" for name in requests.ACCOUNTS]
        headers = [f"Bearer {key}" for key in keys if key] + [r.choice(requests.FALSE_HEADERS), ""]
        for header in r.sample(headers, len(headers)):
            match what:
                case "look":
                    self.look_at(r, "GetTable", table.id, header, 1)
                    self.list_events(r, table, header)
                case "join":
                    self.sit_down(r, table, r.choice((0, 1, 2)), header)
                case "leave":
                    leave = service.LeaveTableRequest(table=table.id, seat=r.choice((0, 1, 2)))  # type: ignore[arg-type]
                    self.send(r, "LeaveTable", leave, header)
                case "act":
                    seat = table.at.match.decision.seat or Seat.WHITE
                    action = requests.sensible(r, table.at, seat, table.dice) or pb.Action()
                    act = service.ActRequest(table=table.id, action=action, validate_only=True)
                    self.send(r, "Act", act, header)
                case "close" if header != f"Bearer {table.host}":
                    self.send(r, "CloseTable", service.CloseTableRequest(table=table.id), header)

    def private(self) -> list[Table]:
        tables = self.model.tables.values()
        return [table for table in tables if table.visibility == pb.VISIBILITY_PRIVATE]

    def look_at(self, r: Random, name: str, id: str, header: str, view: int) -> None:
        number = r.choice((0, 0, 1, 2))
        looking = self.looking
        match name:
            case "GetTable":
                get = service.GetTableRequest(table=id, view=view)  # type: ignore[arg-type]
                self.both(r, name, get, header, lambda told: looking.get(get, header))
            case "ExportMatch":
                export = service.ExportMatchRequest(
                    table=id,
                    format=r.choice((0, 1, 1, 2, 99)),  # type: ignore[arg-type]
                    match_number=number,
                )
                self.both(r, name, export, header, lambda told: looking.export(export, header))
            case _:
                verify = service.VerifyDiceRequest(table=id, match_number=number)
                self.both(r, name, verify, header, lambda told: looking.verify(verify, header))

    def list_events(self, r: Random, table: Table, header: str) -> None:
        last = table.at.revision
        asked = service.ListEventsRequest(
            table=table.id,
            page_size=r.choice((0, 1, 3, 7, 500, 501)),
            after_revision=r.choice((0, table.compacted, max(0, last - 5), last, last + 3)),
            states=r.random() < 0.5,
            view=r.choice((0, 1, 2, 3)),  # type: ignore[arg-type]
        )
        self.paged(
            r, "ListEvents", asked, header, "events", lambda: self.looking.events(asked, header)
        )

    def list_tables(self, r: Random) -> None:
        asked = service.ListTablesRequest(
            page_size=r.choice((0, 1, 2, 501)),
            variant=r.choice(("", "", "western", "tavla")),
            status=r.choice((0, 0, 1, 2, 3, 4)),  # type: ignore[arg-type]
        )
        self.paged(r, "ListTables", asked, "", "tables", lambda: self.looking.tables(asked))

    def paged(
        self,
        r: Random,
        name: str,
        asked: Any,
        header: str,
        items: str,
        foreseen: Callable[[], list[Any]],
    ) -> None:
        """A list, page by page: each full but the last, and all of them together what they must be."""
        expected: object
        try:
            expected = foreseen()
        except Refused as refused:
            expected = refused
        found: Any = []
        size = asked.page_size or 50
        while True:
            server = r.randrange(len(self.house.serving))
            answer = self.house.call(server, name, asked, header)
            if isinstance(answer, Refused):
                found = answer
                break
            page = list(getattr(answer, items))
            found += page
            assert len(page) == size if answer.next_page_token else len(page) <= size
            if not answer.next_page_token:
                break
            asked.page_token = answer.next_page_token
        same(f"{name}: {asked}", found, expected)

    @precondition(lambda self: self.model.tables and len(self.watches) < 3)
    @rule(place=PLACE, pick=PICK)
    def watch(self, place: int, pick: int) -> None:
        r, table = self.random(pick), self.table(place)
        asked = service.WatchTableRequest(table=table.id, view=r.choice((0, 0, 2, 3)))  # type: ignore[arg-type]
        if r.random() < 0.6:
            last = table.at.revision
            asked.after_revision = r.choice((0, table.compacted, max(0, last - 3), last, last + 1))
        header = self.header(r, table, r.choice(list(Seat)))
        self.begin_watch(r, asked, "" if r.random() < 0.15 else header)

    @precondition(lambda self: len(self.model.tables) < MOST_TABLES and len(self.watches) < 3)
    @rule(pick=PICK, kicked=st.booleans())
    def send_away_who_watches(self, pick: int, kicked: bool) -> None:
        """A player watches a private table, gets up, and others come."""
        r = self.random(pick)
        asked = service.CreateTableRequest(variant=ref("tavla"), visibility=pb.VISIBILITY_PRIVATE)
        made = self.send(r, "CreateTable", asked, "")
        self.ever.append(made.table.id)
        table = self.model.tables[made.table.id]
        join = service.JoinTableRequest(table=table.id, seat=common_pb2.SEAT_WHITE)
        key = r.choice((f"Bearer {table.invitation}", f"Bearer {table.host}"))
        joined = self.send(r, "JoinTable", join, key)
        mine = f"Bearer {joined.token}"
        watch = service.WatchTableRequest(table=table.id, after_revision=r.choice((0, 1)))
        self.begin_watch(r, watch, mine)
        leave = service.LeaveTableRequest(table=table.id, seat=common_pb2.SEAT_WHITE)
        self.send(r, "LeaveTable", leave, f"Bearer {table.host}" if kicked else mine)
        for _ in range(r.choice((0, 1, 2))):
            self.sit_down(r, table, 0)

    # -- at the end ---------------------------------------------------------------------------------

    def teardown(self) -> None:
        """Everything once more, from the first event on; nobody watching has missed any."""
        try:
            if sys.exc_info()[1] is None:
                self.check_whole()
        finally:
            for watching in self.watches:
                self.house.run(watching.watch.stop())
            self.count()
            self.house.stop()
            self.house.forget(self.ever)

    def count(self) -> None:
        """What the course has led to, to see whether courses lead anywhere."""
        for table in self.model.tables.values():
            for event in table.log:
                kind = event.WhichOneof("kind") or ""
                if kind == "action":
                    kind = f"{event.action.WhichOneof('kind')}{' by itself' * event.automatic}"
                self.house.events[kind] += 1

    def check_whole(self) -> None:
        r = Random(0)
        for watching in self.watches:
            table = self.model.tables[watching.asked.table]
            self.house.wait_until(
                watching.server,
                lambda: self.is_done(watching, table.at.revision),  # noqa: B023
            )
        for server in range(len(self.house.serving)):
            for table in self.model.tables.values():
                self.check(r, table)
                asked = service.ListEventsRequest(
                    table=table.id,
                    page_size=500,
                    after_revision=table.compacted,
                    states=True,
                    view=common_pb2.PLAY_VIEW_COLUMNS,
                )
                header = f"Bearer {table.host}"
                answer = self.house.call(server, "ListEvents", asked, header)
                same("the whole log", list(answer.events), self.looking.events(asked, header)[:500])
                assert table.at.revision == len(table.log)
                self.look_at(r, "ExportMatch", table.id, header, 0)
                self.look_at(r, "VerifyDice", table.id, header, 0)
        for one in self.house.serving:
            assert not one.faults.found

    def is_done(self, watching: Watching, revision: int) -> bool:
        """Whether he has seen all that he may, or has been told that he may not."""
        self.check_watch(watching)
        if watching.watch.ended is not None:
            self.house.outcomes["WatchTable", "ended"] += 1
            return True
        return watching.most is None and bool(watching.last == revision)
