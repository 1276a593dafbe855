"""How the model makes a table."""

from __future__ import annotations

from bgcore import IllegalAction, Match, Registry
from bgcore.action import Action
from bgcore.errors import NotRegistered
from bgcore_proto.v1 import common_pb2
from bgcore_proto.v1 import table_pb2 as pb
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_server.convert.matches import format_of, only_match
from bgcore_server.convert.start import start
from bgcore_server.errors import Code, Malformed
from bgcore_server.workers import Waiter
from tests.server.model.callers import Caller
from tests.server.model.messages import action_message
from tests.server.model.named import Named, wanted
from tests.server.model.refused import NotForeseen, Refused, by_the_rules, malformed
from tests.server.model.standing import NUMBER_OF, Sitter, Standing, Terms, full_clock
from tests.server.model.table import COMMITTED, OTHER_MODES, Table

EITHERS = {"throw", "next_game", "end_session", "flag"}


class Making:
    """What a request for a table comes to; everything that speaks against it raises."""

    def __init__(self, asked: service.CreateTableRequest, registry: Registry, host: Caller) -> None:
        self.asked, self.host, self._registry = asked, host, registry
        if asked.visibility not in pb.Visibility.values():
            raise malformed("VISIBILITY_UNKNOWN", "visibility")
        private, length = asked.visibility == pb.VISIBILITY_PRIVATE, len(asked.request_id)
        if length and not (16 if private else 1) <= length <= 64:
            raise malformed("REQUEST_ID_LENGTH", "request_id")
        self.seats = (self._expected("white"), self._expected("black"))
        self.dice = asked.dice_mode or pb.DICE_MODE_SYSTEM
        if self.dice not in (*OTHER_MODES, COMMITTED):
            raise malformed("DICE_MODE_REFUSED", "dice_mode")
        if asked.seed and self.dice != pb.DICE_MODE_SEEDED:
            raise malformed("SEED_UNUSED", "seed")
        self.record: tuple[Action, ...] = ()
        with by_the_rules(asked):
            self.terms = self._of_record() if asked.start.record else self._of_variant()
        bots = [sitter.bot for sitter in self.seats if sitter.bot]
        if bots and self.dice == pb.DICE_MODE_MANUAL:
            raise malformed("BOT_WITHOUT_DICE", "dice_mode")
        if len(bots) == 2 and self.terms.games.options.get("match_length") is None:
            raise malformed("ENDLESS_TABLE", 'variant.options["match_length"]')
        with by_the_rules(asked):
            try:
                self.match = Match.new(self.terms.games, self.terms.start)
            except IllegalAction as refused:
                raise Malformed(*refused.faults) from None

    @property
    def fingerprint(self) -> object:
        return self.asked.SerializeToString(deterministic=True), self.host.account

    def table(self, told: service.CreateTableResponse, time: int) -> Table:
        """The table, with what only the server can know of it."""
        seeds = ("", "")
        if self.dice == COMMITTED:
            dice = told.state.dice
            self._check_drawn(dice, told.state.next_commitment)
            self.terms = self._with_commitments(dice.commitment, told.state.next_commitment)
            seeds = (dice.white_seed, dice.black_seed)
        at = Standing(
            terms=self.terms,
            match=self.match,
            seats=self.seats,
            clock=full_clock(self.terms.games),
            updated=time,
            told=len(self.record),
            seeds=seeds,
        ).begun()
        table = Table(
            id=told.table.id,
            created=time,
            visibility=self.asked.visibility or pb.VISIBILITY_PUBLIC,
            dice=self.dice,
            seed=self.asked.seed,
            seats=self.seats,
            host=told.host_token,
            invitation=told.invitation_token,
            spectator=told.spectator_token,
            host_account=self.host.account,
            standings=[at],
            log=[],
        )
        for action in self.record:
            at = at.acted(action, time)
            seat = None if action.kind.value in EITHERS else action.seat
            event = pb.Event(revision=at.revision, seat=NUMBER_OF[seat])
            event.action.CopyFrom(action_message(action))
            event.time.FromMicroseconds(time)
            table.log.append(event)
            table.standings.append(at)
        return table

    def _check_drawn(self, dice: pb.DiceProof, following: str) -> None:
        """Whatever was drawn by chance is there, and nothing else."""
        seeds = (dice.white_seed, dice.black_seed)
        drawn = all(bool(seed) == bool(s.bot) for seed, s in zip(seeds, self.seats, strict=True))
        if not (drawn and len({dice.commitment, following} - {""}) == 2):
            raise NotForeseen(f"commitments and seeds {dice} {following}")

    def _with_commitments(self, this: str, following: str) -> Terms:
        terms = self.terms
        return Terms(terms.games, terms.named, terms.start, this, following, terms.given)

    def _expected(self, name: str) -> Sitter:
        occupant: pb.Occupant = getattr(self.asked, name)
        if occupant.HasField("bot"):
            try:
                return Sitter(bot=self._registry.bot(occupant.bot.id).id, taken=True)
            except NotRegistered:
                raise Refused(Code.NOT_FOUND, "UNKNOWN_BOT", f"{name}.bot.id") from None
        if len(occupant.player.name) > 100:
            raise malformed("NAME_TOO_LONG", f"{name}.player.name")
        return Sitter(occupant.player.name, account=occupant.player.account)

    def _of_variant(self) -> Terms:
        named = wanted("rotation", self.asked, self._registry)
        games = named.games(self._registry)
        if not self.asked.HasField("start"):
            return Terms(games, named)
        begins = start(games.first, self.asked.start)
        return Terms(games, named, begins, given=int(len(begins.dice) > 0))

    def _of_record(self) -> Terms:
        if self.asked.start != service.Start(record=self.asked.start.record):
            raise malformed("START_BESIDE_RECORD", "start")
        form = format_of("start.record", common_pb2.MATCH_FORMAT_RECORD)
        record = self.asked.start.record
        found = only_match("start.record", record, form, self._registry, Waiter())
        match = found.match
        if match is None or match.over:
            raise malformed("MATCH_OVER", "start.record")
        self.record = found.record.actions
        names = zip(self.seats, found.record.names, strict=True)
        white, black = (
            sitter if sitter.bot or sitter.name else Sitter(name, account=sitter.account)
            for sitter, name in names
        )
        self.seats = (white, black)
        games, told = match.cycle, found.record
        chosen = tuple(sorted(games.options.items()))
        named = Named(told.spec or games.variant.id, "", chosen, told.rotation)
        given = bool(match.start.dice) + sum(bool(action.dice) for action in self.record)
        return Terms(games, named, match.start, given=given)
