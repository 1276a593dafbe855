"""What happens at the model's tables though nobody asks for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from bgcore import Registry, Seat
from bgcore_proto.v1 import table_pb2 as pb
from tests.server.model.course import Course, Happened
from tests.server.model.refused import (
    NotForeseen,
    not_found,
)
from tests.server.model.standing import (
    CLOSED,
    FINISHED,
    PLAYING,
    SECOND,
    WAITING,
)
from tests.server.model.table import Table


@dataclass(frozen=True)
class Habits:
    """What the operator of the modelled server has chosen: seconds, and numbers of events."""

    expire_waiting: int = 7 * 86_400
    expire_playing: int = 90 * 86_400
    forget_after: int = 365 * 86_400
    compact_events: int = 20
    compact_after: int = 30 * 86_400
    recent: int = 6  # events that are not compacted while a match is on


class Keeping:
    """Tables. `now` is what the server's clock tells, microseconds since 1970."""

    def __init__(self, registry: Registry, now: Callable[[], int], habits: Habits) -> None:
        self.tables: dict[str, Table] = {}  # the oldest first
        self.registry = registry
        self.now = now
        self.made: dict[str, tuple[object, Table]] = {}  # by request id
        self._habits = habits

    def table(self, id: str) -> Table:
        if id not in self.tables:
            raise not_found()
        return self.tables[id]

    # -- what nobody asked for ----------------------------------------------------------------------

    def sweep(self) -> None:
        """Everything that is due."""
        for table in self.tables.values():
            if table.at.deadline is not None and table.at.deadline < self.now():
                self._run_out(table)

    def tidy(self) -> list[str]:
        """Idle tables are closed, old ones forgotten, long ones compacted; the ids of those forgotten."""
        habits, now = self._habits, self.now()

        def idle(table: Table, *limits: tuple[pb.TableStatus, int]) -> bool:
            seconds = dict(limits).get(table.at.status)
            return seconds is not None and table.at.updated < now - seconds * SECOND

        for table in self.tables.values():
            if idle(table, (WAITING, habits.expire_waiting), (PLAYING, habits.expire_playing)):
                self._close(table, pb.CLOSE_REASON_EXPIRED)
        old = (FINISHED, habits.forget_after), (CLOSED, habits.forget_after)
        forgotten = [table.id for table in self.tables.values() if idle(table, *old)]
        for name in forgotten:
            self.forget(name)
        done = (FINISHED, habits.compact_after), (CLOSED, habits.compact_after)
        for table in self.tables.values():
            long = table.at.revision - table.compacted > habits.compact_events
            if long or idle(table, *done):
                self.compact(table)
        return forgotten

    def forget(self, id: str) -> None:
        table = self.tables.pop(id)
        self.made = {key: made for key, made in self.made.items() if made[1] is not table}

    def compact(self, table: Table) -> None:
        until = table.at.revision - (0 if table.over() else self._habits.recent)
        table.compacted = max(table.compacted, until)

    def follow_bots(self, table: Table, news: Sequence[pb.Event]) -> None:
        """What bots have done since; they must have done all that was theirs to do."""
        while (seat := self._bot_to_act(table)) is not None:
            if not news:
                raise NotForeseen(f"the bot on {seat} does nothing")
            asked = pb.Action()
            asked.CopyFrom(news[0].action)
            if asked.HasField("roll"):
                del asked.roll.dice[:]
            course = self._course(table, Happened(news))
            course.act(seat, asked)
            table.add(course)
            news = news[len(course.made) :]

    def _bot_to_act(self, table: Table) -> Seat | None:
        at = table.at
        seat = at.match.decision.seat if at.status == PLAYING else None
        return seat if seat is not None and at.seats[seat].bot else None

    # -- what all of it needs -----------------------------------------------------------------------

    def _run_out(self, table: Table) -> None:
        course = self._course(table, None)
        course.run_out()
        table.add(course)

    def _course(self, table: Table, happened: Happened | None, request_id: str = "") -> Course:
        time = self._time(table)
        return Course(self.registry, table.at, time, table.dice, table.seed, happened, request_id)

    def _time(self, table: Table) -> int:
        """Times never run backwards at a table, though clocks may."""
        return max(self.now(), table.at.updated)

    def _close(self, table: Table, reason: pb.CloseReason, note: str = "") -> None:
        if table.at.closed is None:
            course = self._course(table, None)
            course.close(reason, note)
            table.add(course)
