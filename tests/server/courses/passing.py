"""Rules for time, and for what servers do by themselves."""

from __future__ import annotations

from functools import partial
from random import Random

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from bgcore_proto.v1 import table_service_pb2 as service
from tests.server.courses.acting import Acting
from tests.server.courses.side_by_side import PICK, PLACE, same
from tests.server.model.refused import not_found
from tests.server.model.refused import told as told_error
from tests.server.model.standing import (
    SECOND,
)


class Passing(Acting):
    """Time passes, servers come and go."""

    @rule(seconds=st.sampled_from((1, 6, 13, 31, 61, 3601)))
    def wait(self, seconds: int) -> None:
        self.house.clock.time += seconds * SECOND

    @precondition(lambda self: any(t.at.deadline for t in self.model.tables.values()))
    @rule(pick=PICK, late=st.sampled_from((-1, 0, 1, SECOND)))
    def wait_for_a_deadline(self, pick: int, late: int) -> None:
        """What happens at it happens by itself, or to who acts then."""
        r = self.random(pick)
        deadlines = [(t.at.deadline, t) for t in self.model.tables.values() if t.at.deadline]
        deadline, table = r.choice(deadlines)
        self.house.clock.time = max(self.house.clock.time, deadline + late)
        self.at_that_moment = True
        if r.random() < 0.5:
            self.sweep(r)
        else:
            self.act_in_time_or_late(r, table)

    def sweep(self, r: Random) -> None:
        house = self.house
        house.run(r.choice(house.serving).sweep())
        self.model.sweep()
        self.check_all(r)

    @rule(pick=PICK, days=st.sampled_from((0, 0, 0, 4, 8, 20, 31, 50, 91, 200, 370)))
    def tidy(self, pick: int, days: int) -> None:
        """Idle tables are closed, old ones forgotten, long ones compacted."""
        r, house = self.random(pick), self.house
        if r.random() < 0.4:
            house.clock.time += days * 86_400 * SECOND
        house.run(r.choice(house.serving).tidy())
        forgotten = self.model.tidy()
        for watching in self.watches:
            if watching.asked.table in forgotten:
                watch = watching.watch
                house.wait_until(watching.server, lambda: watch.ended is not None)  # noqa: B023
                assert watch.ended is not None
                same("a watch", told_error(watch.ended, watching.asked), not_found())
        self.watches = [w for w in self.watches if w.asked.table not in forgotten]
        self.check_all(r)

    @precondition(lambda self: self.model.tables)
    @rule(place=PLACE, pick=PICK)
    def shake(self, place: int, pick: int) -> None:
        """Servers stop and start, forget what they had in memory, or compact a log."""
        r, table = self.random(pick), self.table(place)
        match r.randrange(3):
            case 0:
                self.house.run(r.choice(self.house.serving).tables.compact(table.id))
                self.model.compact(table)
            case 1:
                for server in self.house.serving:
                    self.house.do(partial(server.evict, table.id))
            case _:
                self.restart(r)
        self.check_all(r)

    def restart(self, r: Random) -> None:
        self.house.restart()
        going_on = []
        for watching in self.watches:
            self.house.run(watching.watch.over())
            self.check_watch(watching, stopped=True)
            assert watching.watch.ended is not None, "a watch outlived its server"
            asked = service.WatchTableRequest(table=watching.asked.table)
            asked.after_revision = watching.last
            going_on.append((asked, watching.header))
        self.watches = []
        for asked, header in going_on:
            self.begin_watch(r, asked, header)
