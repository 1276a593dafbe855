"""What the model's tables show to those who ask."""

from __future__ import annotations

from datetime import UTC, datetime

from bgcore import NotationError
from bgcore.dice import CommittedDice
from bgcore.dice_proof import DiceProof, verify
from bgcore.notation.formats import MATCH_FORMATS
from bgcore.record import Record
from bgcore_proto.v1 import common_pb2
from bgcore_proto.v1 import table_pb2 as pb
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_server.errors import Code, NotNow
from tests.server.model.asked import view_of
from tests.server.model.callers import caller
from tests.server.model.keeping import Keeping
from tests.server.model.messages import COLUMNS, NONE
from tests.server.model.refused import Refused, malformed, not_now, told
from tests.server.model.table import COMMITTED, Table

FORMATS = {
    common_pb2.MATCH_FORMAT_UNSPECIFIED: ("record", "application/jsonl"),
    common_pb2.MATCH_FORMAT_RECORD: ("record", "application/jsonl"),
    common_pb2.MATCH_FORMAT_MATCH_TEXT: ("mat", "text/plain"),
}
LARGEST_PAGE = 500


class Looking:
    """The rpcs that change nothing."""

    def __init__(self, model: Keeping) -> None:
        self._model = model

    def get(self, asked: service.GetTableRequest, header: str) -> service.GetTableResponse:
        view = view_of(asked.view, COLUMNS)
        table = self.seen(asked.table, header)
        return service.GetTableResponse(
            table=table.message(table.at), state=table.state(table.at, view)
        )

    def seen(self, id: str, header: str) -> Table:
        """A table, for who may see it."""
        table = self._model.table(id)
        if table.visibility == pb.VISIBILITY_PRIVATE:
            table.rights_of_looker(caller(header))
        return table

    def tables(self, asked: service.ListTablesRequest) -> list[pb.Table]:
        """All tables that a list has, on all its pages."""
        if asked.page_size > LARGEST_PAGE:
            raise malformed("PAGE_SIZE_OUT_OF_RANGE", "page_size")
        return [
            table.message(table.at)
            for table in reversed(self._model.tables.values())
            if table.visibility == pb.VISIBILITY_PUBLIC
            and asked.status in (pb.TABLE_STATUS_UNSPECIFIED, table.at.status)
            and asked.variant in ("", table.at.terms.games.variant.id)
        ]

    def events(self, asked: service.ListEventsRequest, header: str) -> list[pb.Event]:
        """All events that a list has, on all its pages."""
        if asked.page_size > LARGEST_PAGE:
            raise malformed("PAGE_SIZE_OUT_OF_RANGE", "page_size")
        view = view_of(asked.view, NONE)
        table = self.seen(asked.table, header)
        self._check_kept(table, asked.after_revision)
        return [
            table.event(revision, view if asked.states else None)
            for revision in range(asked.after_revision + 1, table.at.revision + 1)
        ]

    def watched(self, asked: service.WatchTableRequest, header: str) -> Table:
        """The table, if a watch may begin."""
        view_of(asked.view, NONE)
        table = self.seen(asked.table, header)
        if asked.HasField("after_revision"):
            if asked.after_revision > table.at.revision:
                raise Refused(Code.OUT_OF_RANGE, "REVISION_NOT_REACHED", "after_revision")
            self._check_kept(table, asked.after_revision)
        return table

    def _check_kept(self, table: Table, after: int) -> None:
        if after < table.compacted:
            raise Refused(Code.OUT_OF_RANGE, "EVENTS_COMPACTED", "after_revision")

    # -- what was played ----------------------------------------------------------------------------

    def export(self, asked: service.ExportMatchRequest, header: str) -> service.ExportMatchResponse:
        if asked.format not in FORMATS:
            raise malformed("FORMAT_UNKNOWN", "format")
        table = self.seen(asked.table, header)
        number = self._number(table, asked.match_number)
        match = table.matches()[number]
        white, black = (sitter.name or sitter.bot for sitter in table.at.seats)
        headers = {
            "date": datetime.fromtimestamp(table.created // 1_000_000, UTC).date().isoformat()
        }
        dice = None if match.told else table.proof(number)
        name, media = FORMATS[asked.format]
        [form] = [form for form in MATCH_FORMATS if form.id == name]
        try:
            record = Record.of(match.match, (white, black), headers, dice)
            text = form.write(record, self._model.registry)
        except NotationError as error:
            reason = told(NotNow(*error.faults), asked).args[1]
            raise not_now(reason, "format") from None
        several = f"-{number + 1}" if table.at.behind else ""
        return service.ExportMatchResponse(
            text=text,
            media_type=media,
            file_name=table.id + several + form.suffixes[0],
            format=asked.format or common_pb2.MATCH_FORMAT_RECORD,
            revision=table.at.revision,
        )

    def verify(self, asked: service.VerifyDiceRequest, header: str) -> service.VerifyDiceResponse:
        table = self.seen(asked.table, header)
        number = self._number(table, asked.match_number)
        if table.dice != COMMITTED:
            raise not_now("DICE_NOT_COMMITTED", "table")
        if number == len(table.at.behind) and not table.over():
            raise not_now("SERVER_SEED_SECRET", "table")
        found, proof = table.matches()[number], table.proof(number)
        ends = [*(one.first for one in table.matches()[number + 1 :]), table.at.revision]
        throws = [
            (event.revision, tuple(event.action.throw.dice) or tuple(event.action.roll.dice))
            for event in table.log[found.first + found.told : ends[0]]
            if event.action.throw.dice or event.action.roll.dice
        ]
        return self._verdict(table, proof, throws, found.terms.given)

    def _verdict(
        self,
        table: Table,
        proof: DiceProof,
        throws: list[tuple[int, tuple[int, ...]]],
        given: int,
    ) -> service.VerifyDiceResponse:
        verdict = verify(proof, [dice for _, dice in throws])
        assert not verdict.throw_faults, "dice that do not follow from the seeds"
        answer = service.VerifyDiceResponse(legal=verdict.holds, given_throws=given)
        white, black = (seed or "" for seed in proof.seeds)
        answer.dice.scheme, answer.dice.commitment = "bgcore-dice-1", proof.commitment or ""
        answer.dice.white_seed, answer.dice.black_seed = white, black
        answer.dice.server_seed = (proof.server_seed or b"").hex()
        source = CommittedDice(proof.server_seed or b"", white, black)
        for index, (revision, dice) in enumerate(throws):
            answer.throws.add(
                revision=revision if revision > table.compacted else 0,
                dice=dice,
                derived=source.throw(len(dice)),
                number=index,
            )
        for fault in verdict.proof_faults:
            answer.faults.add(
                reason=fault.reason,
                value=fault.value,
                expected=fault.expected,
                message=str(fault),
            )
        return answer

    def _number(self, table: Table, asked: int) -> int:
        """A match's place in the list of matches."""
        matches = len(table.matches())
        if asked > matches:
            raise Refused(Code.OUT_OF_RANGE, "MATCH_NOT_REACHED", "match_number")
        return (asked or matches) - 1
