"""The model: all tables of a server, and every command as a method.

A method takes the request, the `authorization` header, and what the server answered (`None`: it refused). It
returns what the answer must be, or raises `Refused`; and `NotForeseen` where the server cannot be right.
"""

from __future__ import annotations

from collections.abc import Sequence

from bgcore import Seat
from bgcore_proto.v1 import table_pb2 as pb
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_server.convert.actions import action as action_of
from bgcore_server.convert.options import arguments
from bgcore_server.errors import Code
from tests.server.model.asked import acting, check_seed, free_seat, happened_in, seat_of, view_of
from tests.server.model.callers import Caller, caller, known, unauthenticated
from tests.server.model.course import Happened
from tests.server.model.keeping import Keeping
from tests.server.model.making import Making
from tests.server.model.messages import COLUMNS
from tests.server.model.named import wanted
from tests.server.model.refused import (
    NotForeseen,
    Refused,
    by_the_rules,
    malformed,
    not_allowed,
    not_now,
)
from tests.server.model.standing import (
    SEAT_OF,
    WAITING,
    Sitter,
)
from tests.server.model.table import Known, Table

SHORTEST_SECRET_ID = 16
LONGEST_REQUEST_ID = 64
WISHES = {"undo", "answer_undo", "rematch", "void"}


class Model(Keeping):
    """Every command as a method."""

    # -- making -------------------------------------------------------------------------------------

    def create(
        self,
        asked: service.CreateTableRequest,
        header: str,
        told: service.CreateTableResponse | None,
    ) -> service.CreateTableResponse:
        making = Making(asked, self.registry, caller(header))
        secret = True
        if earlier := self.made.get(asked.request_id):
            fingerprint, table = earlier
            if fingerprint != making.fingerprint:
                raise malformed("REQUEST_ID_REUSED", "request_id")
            secret = len(asked.request_id) >= SHORTEST_SECRET_ID
        else:
            if told is None:
                raise NotForeseen("no table was made")
            table = making.table(told, self.now())
            self._check_secrets(table)
            self.tables[table.id] = table
            if asked.request_id:
                self.made[asked.request_id] = making.fingerprint, table
        at = table.standings[len(making.record)]
        return service.CreateTableResponse(
            table=table.message(at),
            state=table.state(at, COLUMNS),
            host_token=table.host if secret else "",
            invitation_token=table.invitation if secret else "",
            spectator_token=table.spectator if secret else "",
        )

    def _check_secrets(self, table: Table) -> None:
        private = table.visibility == pb.VISIBILITY_PRIVATE
        others = [table.invitation, table.spectator]
        if table.id in self.tables or not table.host or [private] * 2 != list(map(bool, others)):
            raise NotForeseen("an id or secrets that cannot be")
        secrets = {secret for one in self.tables.values() for secret in self._secrets(one)}
        fresh = self._secrets(table)
        if len(set(fresh)) != len(fresh) or secrets & set(fresh):
            raise NotForeseen("a secret that has been given before")

    def _secrets(self, table: Table) -> list[str]:
        return [s for s in (table.host, table.invitation, table.spectator, *table.tokens) if s]

    # -- sitting down and getting up ----------------------------------------------------------------

    def join(
        self,
        asked: service.JoinTableRequest,
        header: str,
        told: service.JoinTableResponse | None,
        news: Sequence[pb.Event],
    ) -> service.JoinTableResponse:
        """`news` are the events since: what the server does for players is not in the answer."""
        who = caller(header)
        if len(asked.name) > 100:
            raise malformed("NAME_TOO_LONG", "name")
        length = len(asked.request_id)
        if length and not SHORTEST_SECRET_ID <= length <= LONGEST_REQUEST_ID:
            raise malformed("REQUEST_ID_LENGTH", "request_id")
        wanted = seat_of(asked.seat)
        table = self.table(asked.table)
        if asked.invitation:
            who = Caller(asked.invitation, who.account)
        if not table.rights_of_looker(who).join:
            raise not_allowed("INVITATION_NEEDED")
        check_seed(table, asked.dice_seed, "dice_seed", asked)
        fingerprint = (asked.seat, asked.name, asked.dice_seed, who.account)
        if earlier := table.requests.get(("join", asked.request_id)):
            if earlier.asked != fingerprint:
                raise malformed("REQUEST_ID_REUSED", "request_id")
            return self._joined(table, earlier.first)
        if table.at.closed is not None:
            raise not_now("TABLE_CLOSED", "table")
        seat = free_seat(table, wanted, who)
        name = asked.name or table.at.seats[seat].name or who.account.title()
        time = self._time(table)
        after = table.at.seated(
            seat, Sitter(name, taken=True, account=who.account), asked.dice_seed, time
        )
        if told is None:
            raise NotForeseen("nobody sat down")
        if not told.token or told.token in self._secrets(table):
            raise NotForeseen("a token that somebody else has")
        table.tokens[seat] = told.token
        course = self._course(table, Happened(news))
        course.take_seat(seat, after, asked.dice_seed)
        table.add(course)
        if asked.request_id:
            first, last = course.made[0][0].revision, table.at.revision
            table.requests["join", asked.request_id] = Known(fingerprint, first, last)
        return self._joined(table, after.revision)

    def _joined(self, table: Table, revision: int) -> service.JoinTableResponse:
        event, at = table.log[revision - 1], table.standings[revision]
        later = table.log[revision:]
        if any(one.HasField("seat_left") and one.seat == event.seat for one in later):
            raise not_now("SEAT_LEFT", "request_id")
        token = table.tokens[SEAT_OF[event.seat]]
        return service.JoinTableResponse(
            seat=event.seat, token=token, table=table.message(at), state=table.state(at, COLUMNS)
        )

    def leave(self, asked: service.LeaveTableRequest, header: str) -> service.LeaveTableResponse:
        who = known(header)
        wanted = seat_of(asked.seat)
        table = self.table(asked.table)
        rights = table.rights(who)
        kicked = rights.host and wanted is not None and wanted not in rights.seats
        seat = wanted if kicked and wanted is not None else acting(table, who, wanted)
        if table.at.closed is not None:
            raise not_now("TABLE_CLOSED", "table")
        if table.at.status != WAITING:
            raise not_now("MATCH_BEGUN", "table")
        sitter = table.at.seats[seat]
        if sitter.bot or not sitter.taken:
            raise not_now("SEAT_FREE", "seat")
        course = self._course(table, None)
        after = table.at.seated(seat, table.seats[seat], "", self._time(table))
        course.leave(seat, after, kicked=kicked)
        table.past_tokens.append(table.tokens[seat])
        table.tokens[seat] = ""
        table.add(course)
        return service.LeaveTableResponse(
            table=table.message(after), state=table.state(after, COLUMNS)
        )

    def close(
        self,
        asked: service.CloseTableRequest,
        header: str,
        told: service.CloseTableResponse | None,
    ) -> service.CloseTableResponse:
        who = caller(header)
        if len(asked.note) > 200:
            raise malformed("NOTE_TOO_LONG", "note")
        table = self.table(asked.table)
        rights = table.rights_of_looker(who)
        if who == Caller():
            raise unauthenticated("TOKEN_MISSING")
        if not rights.host:
            raise not_allowed("NOT_THE_HOST")
        self._close(table, pb.CLOSE_REASON_HOST, asked.note)
        if told is not None:
            table.revealed(told.state)
        return service.CloseTableResponse(
            table=table.message(table.at), state=table.state(table.at, COLUMNS)
        )

    # -- acting -------------------------------------------------------------------------------------

    def act(
        self, asked: service.ActRequest, header: str, told: service.ActResponse | None
    ) -> service.ActResponse:
        who = known(header)
        view = view_of(asked.view, COLUMNS)
        table = self.table(asked.table)
        seat = acting(table, who, seat_of(asked.seat))
        self._check_action(table, seat, asked)
        key = (str(seat), asked.request_id)
        fingerprint = asked.action.SerializeToString(deterministic=True)
        if asked.request_id and not asked.validate_only:
            if len(asked.request_id) > LONGEST_REQUEST_ID:
                raise malformed("REQUEST_ID_LENGTH", "request_id")
            if earlier := table.requests.get(key):
                if earlier.asked != fingerprint:
                    raise malformed("REQUEST_ID_REUSED", "request_id")
                return self._acted(table, earlier.first, earlier.last, view)
        self._check_time(table, seat, asked)
        if asked.HasField("expected_revision") and asked.expected_revision != table.at.revision:
            raise Refused(Code.ABORTED, "STALE_REVISION", "expected_revision")
        if table.at.closed is not None:
            raise not_now("TABLE_CLOSED", "table")
        if table.at.status == WAITING:
            raise not_now("WAITING_FOR_PLAYERS", "table")
        happened = Happened(only_asked=True) if asked.validate_only else happened_in(told)
        course = self._course(table, happened, asked.request_id)
        with by_the_rules(asked):
            course.act(seat, asked.action)
        if asked.validate_only:
            return service.ActResponse(state=table.state(table.at, view))
        first = table.at.revision + 1
        table.add(course)
        if asked.request_id:
            table.requests[key] = Known(fingerprint, first, table.at.revision)
        if told is not None:
            table.revealed(told.state)
        return self._acted(table, first, table.at.revision, view)

    def _acted(self, table: Table, first: int, last: int, view: int) -> service.ActResponse:
        return service.ActResponse(
            first_revision=first,
            last_revision=last,
            events=[table.event(revision) for revision in range(first, last + 1)],
            state=table.state(table.standings[last], view),
        )

    def _check_action(self, table: Table, seat: Seat, asked: service.ActRequest) -> None:
        """What cannot be meant, whatever the table."""
        kind = asked.action.WhichOneof("kind")
        with by_the_rules(asked):
            if kind not in WISHES:
                action_of(asked.action, seat)
            if kind == "rematch":
                self._check_rules(asked.action.rematch)
                check_seed(table, asked.action.rematch.dice_seed, "action.rematch.dice_seed", asked)

    def _check_rules(self, rematch: pb.RematchAction) -> None:
        """Rotations are looked into at once; of a variant only whether it can be read."""
        if rematch.HasField("rotation"):
            wanted("action.rotation", rematch, self.registry)
        elif rematch.HasField("variant"):
            arguments(rematch.variant)

    def _check_time(self, table: Table, seat: Seat, asked: service.ActRequest) -> None:
        """Nobody acts when time is over; the other may claim it, and not before."""
        out, decider, time = table.at.out_of_time, table.at.decider, self._time(table)
        if out is None or decider is None:
            return
        kind = asked.action.WhichOneof("kind")
        claimed = kind == "flag" and decider is seat.other
        if time <= out and claimed:
            raise not_now("NOT_OUT_OF_TIME", "action.flag")
        if time > out and not claimed:
            if not asked.validate_only:
                self._run_out(table)
            raise not_now("TIME_OVER", f"action.{kind}")
