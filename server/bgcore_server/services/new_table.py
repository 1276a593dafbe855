"""What a request for a table asks for: its rules, its settings, where its match begins."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from bgcore import Action, Registry
from bgcore.cycle import Cycle
from bgcore.notation.start_json import write_start
from bgcore.record import Record
from bgcore_proto.v1 import common_pb2, table_pb2
from bgcore_proto.v1 import table_service_pb2 as pb
from bgcore_server.call import Call
from bgcore_server.convert import options
from bgcore_server.convert.matches import check_same, format_of, only_match
from bgcore_server.convert.rotations import asked, check_no_variant, to_form
from bgcore_server.convert.start import start
from bgcore_server.convert.states import check_stake
from bgcore_server.errors import malformed
from bgcore_server.lengths import LONGEST_ACCOUNT
from bgcore_server.services.table_fields import player_name
from bgcore_server.settings import Settings
from bgcore_server.workers import Queue

LONGEST_RECORD = 1 << 18
LARGEST_SEED = (1 << 53) - 1


class NewTables:
    """Reads requests for tables."""

    def __init__(
        self,
        registry: Registry,
        shelf: options.Shelf,
        dice_modes: Collection[int],
        files: Queue,
    ) -> None:
        """`files` is the queue for records, which anybody may send."""
        self._registry = registry
        self._shelf = shelf
        self._dice_modes = dice_modes
        self._files = files

    async def asked(
        self, request: pb.CreateTableRequest, call: Call
    ) -> tuple[Cycle, Settings, Sequence[Action]]:
        """What a table is to be: its rules, its settings, and the actions of a record that goes on."""
        (white, white_bot), (black, black_bot) = (
            self._expected(seat, request) for seat in ("white", "black")
        )
        dice_mode, bots = self._dice_mode(request), (white_bot, black_bot)
        accounts = (account("white", request), account("black", request))
        if request.start.record:
            record, games = await self._recorded(request, call)
            settings = Settings(
                preset=request.variant.preset,
                options=games.options,
                resolved=games.options,
                rotation=None if record.rotation is None else to_form(record.rotation),
                dice_mode=dice_mode,
                seed=request.seed,
                start=write_start(record.start),
                names=expected_names((white, black), bots, record),
                bots=bots,
                accounts=accounts,
                spec=record.spec.form if record.spec else None,
                past=len(record.actions),
            )
            return games, settings, record.actions
        games, rotation, chosen = self._games(request)
        made_up = request.variant.WhichOneof("kind") == "spec"
        begins = start(games.first, request.start) if request.HasField("start") else None
        settings = Settings(
            preset=request.variant.preset,
            options=chosen,
            resolved=games.options,
            rotation=rotation,
            dice_mode=dice_mode,
            seed=request.seed,
            start=None if begins is None else write_start(begins),
            names=(white, black),
            bots=bots,
            accounts=accounts,
            spec=games.first.spec.form if made_up and games.first.spec else None,
        )
        return games, settings, ()

    def _games(
        self, request: pb.CreateTableRequest
    ) -> tuple[Cycle, dict[str, Any] | None, Mapping[str, object]]:
        """The games of a table, the rotation as a store keeps it if they change, and the options chosen."""
        if not request.HasField("rotation"):
            rules = self._shelf.rules(request.variant)
            return Cycle.of(rules), None, options.arguments(request.variant)[2]
        check_no_variant(request)
        games, rotation, chosen = asked("rotation", request.rotation, self._registry)
        return games, to_form(rotation), chosen

    async def _recorded(self, request: pb.CreateTableRequest, call: Call) -> tuple[Record, Cycle]:
        """The match that a table goes on with, played again, and its rules."""
        field, text = "start.record", request.start.record
        if len(text) > LONGEST_RECORD:
            found, expected = f"of {len(text)} characters", f"at most {LONGEST_RECORD}"
            raise malformed("TEXT_LENGTH", field, found, expected)
        if request.start != pb.Start(record=text):
            expected = "nothing beside a record, which says itself where the match began"
            raise malformed("START_BESIDE_RECORD", "start", "a start", expected)
        form = format_of(field, common_pb2.MATCH_FORMAT_RECORD)
        found_match = await self._files.run(
            lambda caller: only_match(field, text, form, self._registry, caller), call.peer
        )
        match = found_match.match
        assert match is not None  # it has no faults
        if match.over:
            raise malformed("MATCH_OVER", field, "of a match that is over", "one that goes on")
        check_stake(match)
        if request.HasField("rotation"):
            expected = "nothing beside a record, which says itself which games it has"
            raise malformed("ROTATION_BESIDE_RECORD", "rotation", "a rotation", expected)
        if request.HasField("variant"):
            check_same(request.variant, match.cycle, self._registry)
        return found_match.record, match.cycle

    def _expected(self, name: str, request: pb.CreateTableRequest) -> tuple[str, str]:
        """The name of the player, and the id of the bot, that a seat is for."""
        occupant: table_pb2.Occupant = getattr(request, name)
        if occupant.WhichOneof("kind") == "bot":
            return "", self._registry.bot(occupant.bot.id).id
        return player_name(f"{name}.player.name", occupant.player.name), ""

    def _dice_mode(self, request: pb.CreateTableRequest) -> int:
        mode = request.dice_mode or table_pb2.DICE_MODE_SYSTEM
        if mode not in self._dice_modes:
            known = ", ".join(table_pb2.DiceMode.Name(one) for one in self._dice_modes)
            shown = table_pb2.DiceMode.Name(mode) if mode in table_pb2.DiceMode.values() else mode
            raise malformed("DICE_MODE_REFUSED", "dice_mode", shown, f"one of {known}")
        if request.seed and mode != table_pb2.DICE_MODE_SEEDED:
            raise malformed("SEED_UNUSED", "seed", request.seed, "0 unless the dice are seeded")
        if request.seed > LARGEST_SEED:
            raise malformed("SEED_OUT_OF_RANGE", "seed", request.seed, f"0 to {LARGEST_SEED}")
        return mode


def expected_names(
    given: tuple[str, str], bots: tuple[str, str], record: Record
) -> tuple[str, str]:
    """Who is to sit at a table: whom the request names, or else whom the record does."""
    white, black = (
        "" if bot else name or player_name("start.record", told)
        for name, bot, told in zip(given, bots, record.names, strict=True)
    )
    return white, black


def account(name: str, request: pb.CreateTableRequest) -> str:
    """The account that a seat is kept for."""
    occupant: table_pb2.Occupant = getattr(request, name)
    given = occupant.player.account
    if len(given) > LONGEST_ACCOUNT:
        found, expected = f"of {len(given)} characters", f"at most {LONGEST_ACCOUNT}"
        raise malformed("ACCOUNT_TOO_LONG", f"{name}.player.account", found, expected)
    return given
