"""Rules for what players do: sensible, careless, again, and by agreement."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import precondition, rule

from bgcore import Kind, Seat
from bgcore_proto.v1 import common_pb2
from bgcore_proto.v1 import table_pb2 as pb
from bgcore_proto.v1 import table_service_pb2 as service
from tests.server.courses import requests
from tests.server.courses.side_by_side import MOST_TABLES, PICK, PLACE
from tests.server.courses.sitting import Sitting
from tests.server.helpers import ref
from tests.server.model.standing import (
    FINISHED,
    NUMBER_OF,
    PLAYING,
    REMATCH,
    UNDO,
    VOID,
    WAITING,
)
from tests.server.model.table import Table


class Acting(Sitting):
    """Whoever sits at a table, or would like to."""

    def act(self, r: Random, table: Table, by: Seat, action: pb.Action, **more: Any) -> Any:
        asked = service.ActRequest(
            table=table.id,
            action=action,
            request_id=self.request_id(r),
            view=r.choice((0, 0, 0, 1, 2, 3, 4)),  # type: ignore[arg-type]
            **more,
        )
        if r.random() < 0.5 and not asked.HasField("expected_revision"):
            asked.expected_revision = table.at.revision
        return self.send(r, "Act", asked, self.header(r, table, by))

    @precondition(lambda self: self.model.tables)
    @rule(place=PLACE, turns=st.integers(1, 16), pick=PICK)
    def play_on(self, place: int, turns: int, pick: int) -> None:
        r, table = self.random(pick), self.table(place, PLAYING, FINISHED)
        for _ in range(turns):
            if r.random() < 0.04:
                self.act_in_time_or_late(r, table)
            if not self.act_now(r, table):
                return

    def act_in_time_or_late(self, r: Random, table: Table) -> None:
        """An act, or a claim that time is over, right now or at the moment when it is."""
        if (out := table.at.out_of_time) is not None and r.random() < 0.7:
            moment = out + r.choice((-1, 0, 0, 1))
            self.house.clock.time = max(self.house.clock.time, moment)
            self.at_that_moment = True
        decider = table.at.decider
        if r.random() < 0.5:
            self.act_now(r, table)
            return
        seat = r.choice(list(Seat)) if decider is None or r.random() < 0.2 else decider.other
        self.act(r, table, seat, requests.action(r, Kind.FLAG, table.at.match, seat, table.dice))

    def act_now(self, r: Random, table: Table) -> bool:
        """Something that can be done now, if anything can."""
        if table.at.status == FINISHED and r.random() < 0.5:
            seat = r.choice([seat for seat in Seat if not table.at.seats[seat].bot])
            return bool(self.act(r, table, seat, requests.rematch(r, table)))
        if table.at.status != PLAYING:
            return False
        decider = table.at.match.decision.seat
        seat = r.choice(list(Seat)) if decider is None else decider
        if r.random() < 0.05 or table.at.seats[seat].bot:
            seat = seat.other
        action = requests.sensible(r, table.at, seat, table.dice)
        if action is None:
            return False
        self.act(r, table, seat, action)
        if r.random() < 0.2 and UNDO in table.at.beside(seat):
            self.act(r, table, seat, BESIDE[UNDO](r, table))
            if UNDO in table.at.beside(seat.other) and r.random() < 0.4:
                self.act(r, table, seat.other, BESIDE[UNDO](r, table))
            if r.random() < 0.8:
                accept = pb.AnswerUndoAction(accept=r.random() < 0.8)
                self.act(r, table, seat.other, pb.Action(answer_undo=accept))
        return True

    @precondition(lambda self: self.model.tables)
    @rule(place=PLACE, turns=st.integers(1, 16), pick=PICK)
    def play_on_and_on(self, place: int, turns: int, pick: int) -> None:
        for _ in range(2):
            self.play_on(place, turns, pick)

    @precondition(lambda self: len(self.model.tables) < MOST_TABLES)
    @rule(pick=PICK)
    def throw_ace_and_deuce(self, pick: int) -> None:
        """Again and again, at a table where a double is named after it."""
        r = self.random(pick)
        asked = service.CreateTableRequest(
            variant=ref("acey-deucey", match_length=r.choice((1, 5))),
            dice_mode=requests.MANUAL,
        )
        answer = self.send(r, "CreateTable", asked, "")
        self.made(r, answer)
        table = self.model.tables[answer.table.id]
        self.fill(r, table)
        for _ in range(12):
            if table.at.status != PLAYING:
                return
            decision = table.at.match.decision
            seat = decision.seat or Seat.WHITE
            action = requests.sensible(r, table.at, seat, table.dice)
            if Kind.ROLL in decision.kinds:
                action = pb.Action(roll=pb.RollAction(dice=(2, 1)))
            if action is not None:
                self.act(r, table, seat, action)

    @precondition(lambda self: self.model.tables)
    @rule(place=PLACE, pick=PICK)
    def act_carelessly(self, place: int, pick: int) -> None:
        """Anything, by anybody, or only asked, or on a revision that is not the last."""
        r = self.random(pick)
        table = self.table(place, *((PLAYING,) if r.random() < 0.8 else ()))
        decider = table.at.match.decision.seat
        seat = decider if decider is not None and r.random() < 0.7 else r.choice(list(Seat))
        action = requests.sensible(r, table.at, seat, table.dice)
        chance = r.random()
        more: dict[str, Any] = {}
        if action is None or chance < 0.4:
            action = requests.careless(r, table.at, seat, table.dice)
        elif chance < 0.6:
            action = requests.wish(r, table.at, table)
        if r.random() < 0.4:
            more["validate_only"] = True
        if r.random() < 0.1:
            more["seat"] = r.choice((1, 2, 5))
        if r.random() < 0.3:
            more["expected_revision"] = max(0, table.at.revision + r.choice((-2, -1, 1)))
        self.act(r, table, seat, action, **more)

    @precondition(lambda self: any(t.at.status == WAITING for t in self.model.tables.values()))
    @rule(pick=PICK)
    def come_and_go(self, pick: int) -> None:
        """Somebody leaves and somebody else comes, and then all seats are taken."""
        r = self.random(pick)
        table = r.choice([t for t in self.model.tables.values() if t.at.status == WAITING])
        taken = [seat for seat in Seat if table.tokens[seat]]
        free = [seat for seat in Seat if not table.at.seats[seat].taken]
        seat = r.choice(taken or free)
        if not taken and len(free) == 2:
            self.sit_down(r, table, NUMBER_OF[seat])
        if token := table.tokens[seat]:
            unsaid = r.choice((common_pb2.SEAT_UNSPECIFIED, NUMBER_OF[seat]))
            leave = service.LeaveTableRequest(table=table.id, seat=unsaid)
            self.send(r, "LeaveTable", leave, f"Bearer {r.choice((token, token, table.host))}")
            if r.random() < 0.5:
                self.send(r, "LeaveTable", leave, f"Bearer {token}")
            self.sit_down(r, table, NUMBER_OF[seat])
        if r.random() < 0.5:
            self.fill(r, table)
            if table.past_tokens and table.at.status == PLAYING:
                decider = table.at.match.decision.seat or seat
                action = requests.sensible(r, table.at, decider, table.dice)
                act = service.ActRequest(table=table.id, action=action)
                self.send(r, "Act", act, f"Bearer {table.past_tokens[-1]}")
            self.act_now(r, table)

    @precondition(lambda self: self.sent)
    @rule(pick=PICK, back=st.integers(0, 20))
    def repeat(self, pick: int, back: int) -> None:
        """A client that has not heard the answer, or takes an id twice."""
        r = self.random(pick)
        with_ids = [one for one in self.sent if getattr(one[1], "request_id", "")]
        sent = with_ids if with_ids and r.random() < 0.8 else self.sent
        name, before, header = sent[-1 - back % len(sent)]
        asked = type(before)()
        asked.CopyFrom(before)
        if name == "Act" and r.random() < 0.35:
            asked.action.CopyFrom(pb.Action(double=pb.DoubleAction()))
        if name == "JoinTable" and r.random() < 0.35:
            asked.name = "Somebody"
        if name == "CreateTable" and r.random() < 0.35:
            asked.visibility = pb.VISIBILITY_LINK
        known = len(self.model.tables)
        if name == "CreateTable" and known >= MOST_TABLES and not asked.request_id:
            return
        answer = self.both(r, name, asked, header, self.foreseen(r, name, asked, header))
        if name == "CreateTable" and len(self.model.tables) > known:
            self.made(r, answer)
        if name == "JoinTable" and answer is not None:
            self.headers.append(f"Bearer {answer.token}")

    # -- what needs consent -------------------------------------------------------------------------

    @precondition(lambda self: self.model.tables)
    @rule(place=PLACE, pick=PICK)
    def wish(self, place: int, pick: int) -> None:
        r, table = self.random(pick), self.table(place, PLAYING, FINISHED)
        seat = r.choice(list(Seat))
        may = [kind for kind in table.at.beside(seat) if kind != VOID or r.random() < 0.1]
        action = requests.wish(r, table.at, table)
        if may and r.random() < 0.8:
            action = BESIDE[r.choice(may)](r, table)
        self.act(r, table, seat, action)

    @precondition(lambda self: self.agreeable())
    @rule(pick=PICK)
    def agree(self, pick: int) -> None:
        """What one asks, or has asked for, the other wants, too."""
        r = self.random(pick)
        table = r.choice(self.agreeable())
        wishes = table.at.wishes
        if not wishes:
            # Most can be taken back right after a play, before the dice are thrown again.
            seats = [seat for seat in Seat if UNDO in table.at.beside(seat)] or list(Seat)
            seat = r.choice(seats)
            may = [kind for kind in table.at.beside(seat) if kind != VOID or r.random() < 0.1]
            if not may:
                return
            self.act(r, table, seat, BESIDE[r.choice(may)](r, table))
            wishes = table.at.wishes
        if wishes:
            one = r.choice(wishes)
            answer = BESIDE[one.kind](r, table)
            if one.kind == UNDO:
                accept = pb.AnswerUndoAction(accept=r.random() < 0.8)
                answer = pb.Action(answer_undo=accept)
            self.act(r, table, one.seat.other, answer)

    def agreeable(self) -> list[Table]:
        return [t for t in self.model.tables.values() if t.at.status in (PLAYING, FINISHED)]

    @precondition(lambda self: self.model.tables)
    @rule(place=PLACE, pick=PICK)
    def close(self, place: int, pick: int) -> None:
        r, table = self.random(pick), self.table(place)
        header = f"Bearer {table.host}" if r.random() < 0.15 else self.header(r, table, Seat.WHITE)
        note = r.choice(("", "so long", "n" * 201))
        self.send(r, "CloseTable", service.CloseTableRequest(table=table.id, note=note), header)


BESIDE: dict[int, Callable[[Random, Table], pb.Action]] = {
    UNDO: lambda r, table: pb.Action(undo=pb.UndoAction()),
    VOID: lambda r, table: pb.Action(void=pb.VoidAction()),
    REMATCH: requests.rematch,
    pb.ACTION_KIND_ANSWER_UNDO: lambda r, table: pb.Action(
        answer_undo=pb.AnswerUndoAction(accept=r.random() < 0.7)
    ),
}
