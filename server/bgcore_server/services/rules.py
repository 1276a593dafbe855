"""Questions about rules that need no table."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import cast

from bgcore import IllegalAction, Registry, Rules, Seat
from bgcore.errors import Fault, IllegalPosition, shown
from bgcore.notation.board_text import write_board
from bgcore.notation.formats import FALLBACK, MatchFormat
from bgcore.notation.situation import Situation
from bgcore.record import Record
from bgcore_proto.v1 import common_pb2
from bgcore_proto.v1 import rules_service_pb2 as pb
from bgcore_server.call import Call
from bgcore_server.convert import batch, board
from bgcore_server.convert.asking import given_by
from bgcore_server.convert.matches import Named, only_match, record_of, replay, told, write
from bgcore_server.convert.options import Shelf
from bgcore_server.convert.position_formats import (
    Key,
    Target,
    check_text,
    known_by_its_look,
    read,
    source_of,
    targets_of,
    ways,
    written,
)
from bgcore_server.convert.situation import of_rules, situation, situation_message
from bgcore_server.errors import NOTHING, malformed
from bgcore_server.workers import Queue, Waiter

COLUMNS = common_pb2.PLAY_VIEW_COLUMNS


class RulesService:
    """Answers from the rules alone; it remembers nothing but the rules themselves."""

    def __init__(self, registry: Registry, shelf: Shelf, files: Queue, batches: Queue) -> None:
        self._registry = registry
        self._shelf = shelf
        self._files = files
        self._batches = batches

    def CheckPosition(
        self, request: pb.CheckPositionRequest, call: Call
    ) -> pb.CheckPositionResponse:
        """Whether a position is possible, and all that is wrong with it."""
        rules = self._shelf.rules(request.variant)
        try:
            position, seat = board.position(rules, request.position)
        except IllegalPosition as illegal:
            return pb.CheckPositionResponse(faults=map(_fault, illegal.faults))
        white, black = position.mover.pips, position.opponent.pips
        if seat is Seat.BLACK:
            white, black = black, white
        text = write_board(position)
        return pb.CheckPositionResponse(legal=True, text=text, white_pips=white, black_pips=black)

    def ListPlays(self, request: pb.ListPlaysRequest, call: Call) -> pb.ListPlaysResponse | bytes:
        """Every legal play of a roll."""
        rules = self._shelf.rules(request.variant)
        position, _ = board.position(rules, request.position)
        turn = request.turn if request.HasField("turn") else None
        plays = board.plays(rules, position, request.dice, turn)
        return board.plays_response(plays, board.view(request.view, COLUMNS))

    def ListSteps(self, request: pb.ListStepsRequest, call: Call) -> pb.ListStepsResponse:
        """What may follow the steps already made."""
        rules = self._shelf.rules(request.variant)
        position, seat = board.position(rules, request.position)
        turn = request.turn if request.HasField("turn") else None
        plays = board.plays(rules, position, request.dice, turn)
        progress = plays.progress(board.steps(request.steps))
        return pb.ListStepsResponse(
            steps=map(board.step_message, progress.next_steps),
            may_end=progress.may_end,
            position=board.position_message(progress.position, seat, seat),
        )

    def CheckPlay(self, request: pb.CheckPlayRequest, call: Call) -> pb.CheckPlayResponse:
        """Whether a play is legal, and why it is not."""
        rules = self._shelf.rules(request.variant)
        position, seat = board.position(rules, request.position)
        turn = request.turn if request.HasField("turn") else None
        plays = board.plays(rules, position, request.dice, turn)
        try:
            play = board.find(plays, request.play)
        except IllegalAction as refused:
            fault = refused.faults[0]
            return pb.CheckPlayResponse(
                reason=fault.reason, message=str(fault), failing_step=fault.step, rule=fault.rule
            )
        after = board.position_message(play.after, seat, seat)
        return pb.CheckPlayResponse(legal=True, text=str(play), position=after)

    def GetOutcome(self, request: pb.GetOutcomeRequest, call: Call) -> pb.GetOutcomeResponse:
        """Whether a game has ended, and how."""
        rules = self._shelf.rules(request.variant)
        position, seat = board.position(rules, request.position)
        outcome = rules.outcome(position)
        if outcome is None:
            return pb.GetOutcomeResponse()
        return pb.GetOutcomeResponse(outcome=board.outcome_message(outcome, seat))

    async def ConvertPosition(
        self, request: pb.ConvertPositionRequest, call: Call
    ) -> pb.ConvertPositionResponse:
        """A position in other words."""
        rules = self._shelf.rules(request.variant)
        targets, given = targets_of(request, self._registry), cast("Key", 0)
        if of_text := request.WhichOneof("source") == "text":
            if request.HasField("situation"):
                expected = "none beside a text, which says itself what it knows"
                raise malformed("SITUATION_UNUSED", "situation", "a situation", expected)
            check_text(request.text)
            given = source_of(request, self._registry) or known_by_its_look(request.text)
        foreign = {key for key in (given, *(one.key for one in targets)) if isinstance(key, str)}
        if foreign or (of_text and not given and self._registry.notations):
            return await self._files.run(
                lambda caller: self._converted(request, rules, given, targets, caller), call.peer
            )
        return self._converted(request, rules, given, targets, Waiter())

    def _converted(
        self,
        request: pb.ConvertPositionRequest,
        rules: Rules,
        given: Key,
        targets: Sequence[Target],
        caller: Waiter,
    ) -> pb.ConvertPositionResponse:
        known = ways(self._registry)
        if request.WhichOneof("source") == "text":
            found = read(request.text, given, rules, known, caller)
            here, of_match, form = found.situation, found.of_match, found.form
        else:
            here, of_match, form = self._beside(rules, request), request.HasField("situation"), 0
        answer = pb.ConvertPositionResponse()
        if isinstance(form, str):
            answer.source_notation = form
        else:
            answer.source_format = cast("common_pb2.PositionFormat", form)
        with given_by(form) if isinstance(form, str) else nullcontext():
            answer.texts.extend(written(here, rules, targets, known, caller))
            if here.setup is not None:
                position = rules.position(here.setup)
                answer.position.CopyFrom(board.position_message(position, here.seat, here.seat))
            if of_match:
                answer.situation.CopyFrom(situation_message(here, rules))
        return answer

    def _beside(self, rules: Rules, request: pb.ConvertPositionRequest) -> Situation:
        """What a request tells by a position and what stands beside it."""
        for name in ("source_format", "source_notation"):
            if given := getattr(request, name):
                raise malformed("FORMAT_UNUSED", name, shown(given), "none beside a position")
        position, seat = board.position(rules, request.position)
        if not request.HasField("situation"):
            return of_rules(rules, position, seat)
        return situation(request.situation, position, seat)

    async def ReplayMatch(
        self, request: pb.ReplayMatchRequest, call: Call
    ) -> pb.ReplayMatchResponse:
        """The matches of a file, replayed."""
        text, given = request.text, Named(request.format, request.notation)
        given.check(text, self._registry)
        return await self._files.run(
            lambda caller: replay(text, given, self._registry, caller), call.peer
        )

    async def FormatMatch(
        self, request: pb.FormatMatchRequest, call: Call
    ) -> pb.FormatMatchResponse:
        """A match in another form."""
        target = Named(request.format, request.notation).form(self._registry)
        text = await self._files.run(
            lambda caller: self._formatted(request, target, caller), call.peer
        )
        return pb.FormatMatchResponse(text=text, **told(target))

    def _formatted(
        self, request: pb.FormatMatchRequest, target: MatchFormat, caller: Waiter
    ) -> str:
        source, record = self._record(request, caller)
        caller.check()
        with given_by(source):
            return write(target, record, self._registry, "format", caller)

    def _record(self, request: pb.FormatMatchRequest, caller: Waiter) -> tuple[str, Record]:
        """The match that a request holds, and the notation that gave it: a message is as good as our record."""
        given, notation = request.source_format, request.source_notation
        source = Named(given, notation, "source_format", "source_notation")
        match request.WhichOneof("source"):
            case "text":
                text = request.text
                source.check(text, self._registry)
                form = source.reading(text, self._registry, caller)
                return form.id, only_match("text", text, form, self._registry, caller).record
            case "match":
                if given or notation:
                    field, found = (
                        ("source_format", given) if given else ("source_notation", notation)
                    )
                    raise malformed("FORMAT_UNUSED", field, shown(found), "none beside a match")
                return FALLBACK.id, record_of(request.match, self._shelf, caller.check)
        raise malformed("MATCH_MISSING", "text", NOTHING, "a text or a match")

    async def BatchListPlays(self, request: pb.BatchListPlaysRequest, call: Call) -> bytes:
        """The legal plays of many positions."""
        rules = self._shelf.rules(request.variant)
        batch.check_counts(rules, request)
        return await self._batches.run(
            lambda caller: batch.answered(rules, request, caller.check), call.peer
        )


def _fault(fault: Fault) -> pb.Fault:
    return pb.Fault(
        reason=fault.reason,
        field=fault.field,
        value=fault.value,
        expected=fault.expected,
        message=str(fault),
    )
