"""Rules for tables and seats: making, sitting down, getting up."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule

from bgcore import Seat
from bgcore_proto.v1 import table_pb2 as pb
from bgcore_proto.v1 import table_service_pb2 as service
from tests.server.courses import requests
from tests.server.courses.side_by_side import MOST_TABLES, PICK, PLACE, SideBySide
from tests.server.model.standing import (
    NUMBER_OF,
    WAITING,
)
from tests.server.model.table import COMMITTED, Table


class Sitting(SideBySide):
    """Whoever comes and goes."""

    @initialize(salt=st.binary(min_size=8, max_size=8), pick=PICK)
    def open_two_tables(self, salt: bytes, pick: int) -> None:
        self.salt = salt.hex()
        r = self.random(pick)
        for _ in range(2):
            asked = requests.new_table(r, sorted(self.house.registry.bots))
            self.made(r, self.send(r, "CreateTable", asked, ""))

    @precondition(lambda self: len(self.model.tables) < MOST_TABLES)
    @rule(pick=PICK)
    def create(self, pick: int) -> None:
        r = self.random(pick)
        asked = requests.new_table(r, sorted(self.house.registry.bots))
        asked.request_id = self.request_id(r)
        if r.random() < 0.1:
            r.choice(requests.TABLE_FAULTS)(asked)
        header = r.choice(("", "", "Bearer account.ann", "Basic x", "Bearer unknown"))
        self.made(r, self.send(r, "CreateTable", asked, header))
        if asked.request_id and r.random() < 0.4:  # the answer got lost
            self.send(r, "CreateTable", asked, header)

    def made(self, r: Random, answer: service.CreateTableResponse | None) -> None:
        if answer is None:
            return
        self.ever.append(answer.table.id)
        if answer.table.status == WAITING:
            table, seats = self.model.tables[answer.table.id], list(Seat)
            for seat in r.choice((seats, seats, seats, seats[:1], seats[1:], [])):
                if not table.at.seats[seat].taken:
                    self.sit_down(r, table, NUMBER_OF[seat])
        secrets = (answer.host_token, answer.invitation_token, answer.spectator_token)
        self.headers += [f"Bearer {secret}" for secret in secrets if secret]

    @precondition(lambda self: 0 < len(self.model.tables) < MOST_TABLES)
    @rule(place=PLACE, pick=PICK)
    def go_on_from_a_record(self, place: int, pick: int) -> None:
        r, table = self.random(pick), self.table(place)
        header = f"Bearer {table.host}"
        record = self.looking.export(service.ExportMatchRequest(table=table.id), header).text
        mode = r.choice((pb.DICE_MODE_SEEDED, COMMITTED, COMMITTED, pb.DICE_MODE_MANUAL))
        asked = service.CreateTableRequest(
            start=service.Start(record=record), dice_mode=mode, request_id=self.request_id(r)
        )
        if r.random() < 0.3:
            asked.white.player.name = "Cem"
        answer = self.send(r, "CreateTable", asked, "")
        self.made(r, answer)
        if answer is not None and r.random() < 0.3:  # so that its dice can be verified
            close = service.CloseTableRequest(table=answer.table.id)
            self.send(r, "CloseTable", close, f"Bearer {answer.host_token}")

    @precondition(lambda self: self.model.tables)
    @rule(place=PLACE, pick=PICK)
    def join(self, place: int, pick: int) -> None:
        r = self.random(pick)
        self.sit_down(r, self.table(place), r.choice((0, 0, 1, 2, 1, 2, 7)))

    def sit_down(self, r: Random, table: Table, seat: int, header: str | None = None) -> None:
        asked = service.JoinTableRequest(
            table=table.id,
            seat=seat,  # type: ignore[arg-type]
            name=r.choices(("", "Dora", "n" * 101), (12, 6, 1))[0],
            request_id=self.request_id(r, long=r.random() < 0.9),
        )
        if table.invitation and r.random() < 0.3:
            asked.invitation = r.choice((table.invitation, table.spectator, "wrong"))
        if (table.dice == COMMITTED) != (r.random() < 0.05):
            asked.dice_seed = r.choice(requests.SEEDS)
        accounts = [sitter.account for sitter in table.at.seats if sitter.account]
        if header is not None:
            pass
        elif accounts and r.random() < 0.6:
            header = f"Bearer account.{r.choice(accounts)}"
        else:
            header = self.header(r, table)
        answer = self.send(r, "JoinTable", asked, header)
        if answer is not None:
            self.headers.append(f"Bearer {answer.token}")

    @precondition(lambda self: any(t.at.status == WAITING for t in self.model.tables.values()))
    @rule(pick=PICK)
    def fill_a_table(self, pick: int) -> None:
        r = self.random(pick)
        waiting = [t for t in self.model.tables.values() if t.at.status == WAITING]
        self.fill(r, r.choice(waiting))

    def fill(self, r: Random, table: Table) -> None:
        for seat in Seat:
            if not table.at.seats[seat].taken:
                self.sit_down(r, table, NUMBER_OF[seat])

    @precondition(lambda self: self.model.tables)
    @rule(place=PLACE, pick=PICK)
    def leave(self, place: int, pick: int) -> None:
        r = self.random(pick)
        waiting = [t for t in self.model.tables.values() if t.at.status == WAITING]
        table = r.choice(waiting) if waiting and r.random() < 0.7 else self.table(place)
        asked = service.LeaveTableRequest(table=table.id, seat=r.choice((0, 1, 2)))  # type: ignore[arg-type]
        taken = [seat for seat in Seat if table.tokens[seat]]
        header = self.header(r, table, r.choice(taken) if taken and r.random() < 0.7 else None)
        if r.random() < 0.3:
            header = f"Bearer {table.host}"
        self.send(r, "LeaveTable", asked, header)
