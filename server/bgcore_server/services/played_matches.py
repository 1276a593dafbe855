"""The matches of a table, played or being played: as files, and whether their dice were fair."""

from __future__ import annotations

from datetime import UTC, datetime

from bgcore import Registry
from bgcore.dice_proof import NOTHING_TO_VERIFY
from bgcore.errors import Fault, NotationError
from bgcore.notation.formats import MatchFormat
from bgcore.record import Record
from bgcore_proto.v1 import table_service_pb2 as pb
from bgcore_server.convert.dice import MODES, given_throws, throws_of, verdict_message
from bgcore_server.convert.matches import MEDIA_TYPES, told, write
from bgcore_server.errors import NotNow, OutOfRange
from bgcore_server.tables import State, Tables
from bgcore_server.tables.live import Table
from bgcore_server.tables.state import Played
from bgcore_server.workers import Queue, Waiter


class PlayedMatches:
    """Tells of matches by their number at a table, 0 being the last. `OutOfRange` for one that it has not come to."""

    def __init__(self, registry: Registry, tables: Tables, matches: Queue) -> None:
        self._registry = registry
        self._tables = tables
        self._matches = matches

    async def as_file(
        self, table: Table, match_number: int, form: MatchFormat, peer: str
    ) -> pb.ExportMatchResponse:
        """A match in a form; `NotNow` where it cannot say what has happened in it."""
        state = table.state
        played = match_of(state, match_number)
        date = datetime.fromtimestamp(table.stored.created // 1_000_000, tz=UTC).date()

        def written(waiter: Waiter) -> str:
            white, black = (seat.name or seat.bot for seat in played.seats)
            headers = {"date": date.isoformat()}
            record = Record.of(played.match, (white, black), headers, played.told_dice)
            return write(form, record, self._registry, "format", waiter)

        try:
            text = await self._matches.run(written, peer)
        except NotationError as error:  # as the match stands; the request is in order
            raise NotNow(*error.faults) from None
        number = match_number or state.number
        suffix = f"-{number}" if state.played else ""
        return pb.ExportMatchResponse(
            text=text,
            media_type=MEDIA_TYPES.get(form.id, "text/plain"),
            file_name=table.id + suffix + form.suffixes[0],
            revision=state.revision,
            **told(form),
        )

    async def verified(self, table: Table, match_number: int, peer: str) -> pb.VerifyDiceResponse:
        """Whether the dice of a match were fair; `NotNow` while that cannot be told."""
        state = table.state
        played = match_of(state, match_number)
        proof = played.proof
        if proof is None:
            mode = MODES[table.settings.dice_mode]
            what = f"table {table.id} has {mode} dice: {NOTHING_TO_VERIFY[mode]}"
            expected = "a table with committed dice"
            raise NotNow(Fault("DICE_NOT_COMMITTED", "table", table.id, expected, what))
        if proof.server_seed is None:
            what = f"the server seed of table {table.id} is secret while its match is on"
            expected = "the match to be over"
            raise NotNow(Fault("SERVER_SEED_SECRET", "table", table.id, expected, what))
        later = [other.began for other in (*state.played, state.this_match)]
        until = next((began for began in later if began > played.began), state.revision)
        log = (await self._tables.loaded.log(table, until))[played.began :]
        kept = table.stored.compacted

        def verified(waiter: Waiter) -> pb.VerifyDiceResponse:
            throws = throws_of(log, played.settings.past)
            numbered = [(revision if revision > kept else 0, dice) for revision, dice in throws]
            return verdict_message(proof, numbered, given_throws(log, played.settings))

        return await self._matches.run(verified, peer)


def match_of(state: State, number: int) -> Played:
    """The match of a number at a table; 0 is the last."""
    if number > state.number:
        expected = f"1 to {state.number}, or 0 for the last"
        raise OutOfRange(Fault("MATCH_NOT_REACHED", "match_number", str(number), expected))
    return (*state.played, state.this_match)[number - 1]
