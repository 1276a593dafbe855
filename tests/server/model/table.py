"""A table of the model: its log, where it stood after each event, and the secrets that open it."""

from __future__ import annotations

from dataclasses import dataclass, field

from bgcore import Seat
from bgcore.dice import commitment
from bgcore.dice_proof import DiceMode, DiceProof
from bgcore_proto.v1 import table_pb2 as pb
from tests.server.model import messages
from tests.server.model.callers import Caller, Rights
from tests.server.model.course import Course
from tests.server.model.refused import NotForeseen, not_found
from tests.server.model.standing import Behind, Sitter, Standing

COMMITTED = pb.DICE_MODE_COMMITTED
OTHER_MODES = {
    pb.DICE_MODE_SYSTEM: DiceMode.SYSTEM,
    pb.DICE_MODE_SEEDED: DiceMode.SEEDED,
    pb.DICE_MODE_MANUAL: DiceMode.MANUAL,
}


@dataclass(frozen=True)
class Known:
    """A request that was carried out, what it asked for, and the events that it made."""

    asked: object
    first: int
    last: int


@dataclass
class Table:
    """`standings[n]` is where it stood after n events; `seeds` are those of the server, once revealed."""

    id: str
    created: int
    visibility: int
    dice: pb.DiceMode
    seed: int
    seats: tuple[Sitter, Sitter]  # before anybody had joined
    host: str
    invitation: str
    spectator: str
    host_account: str
    standings: list[Standing]
    log: list[pb.Event]
    tokens: list[str] = field(default_factory=lambda: ["", ""])
    requests: dict[tuple[str, str], Known] = field(default_factory=dict)
    past_tokens: list[str] = field(default_factory=list)  # of those who have left
    compacted: int = 0
    seeds: dict[int, str] = field(default_factory=dict)

    @property
    def at(self) -> Standing:
        return self.standings[-1]

    def over(self) -> bool:
        return self.at.match.over or self.at.closed is not None

    def add(self, course: Course) -> None:
        for event, after in course.made:
            self.log.append(event)
            self.standings.append(after)

    # -- what it looks like -------------------------------------------------------------------------

    def message(self, at: Standing) -> pb.Table:
        return messages.table(self.id, at, self.created, self.dice, self.visibility, self.compacted)

    def state(self, at: Standing, view: int) -> pb.TableState:
        return messages.state(at, view, self.seeds.get(len(at.behind), ""))

    def event(self, revision: int, view: int | None = None) -> pb.Event:
        """An event, with the state after it where a view is named."""
        message = pb.Event()
        message.CopyFrom(self.log[revision - 1])
        if view is not None:
            message.state.CopyFrom(self.state(self.standings[revision], view))
        return message

    def revealed(self, state: pb.TableState) -> None:
        """Take over the server's seed of a match that is over: it must be the one committed to."""
        number = state.match_number - 1
        if state.dice.server_seed and self.over() and number == len(self.at.behind):
            seed = self.seeds.setdefault(number, state.dice.server_seed)
            if commitment(bytes.fromhex(seed)) != self.at.terms.commitment:
                raise NotForeseen("the server revealed another seed than it was committed to")

    # -- matches ------------------------------------------------------------------------------------

    def matches(self) -> list[Behind]:
        at = self.at
        return [*at.behind, Behind(at.match, at.terms, at.seeds, at.first, at.told)]

    def proof(self, number: int) -> DiceProof:
        """What may be told of the dice of a match; it must be over, or none of them committed."""
        if self.dice != COMMITTED:
            return DiceProof(OTHER_MODES[self.dice])
        found, secret = self.matches()[number], self.seeds.get(number)
        white, black = (seed or None for seed in found.seeds)
        revealed = bytes.fromhex(secret) if secret else None
        return DiceProof(DiceMode.COMMITTED, found.terms.commitment, (white, black), revealed)

    # -- who may do what ----------------------------------------------------------------------------

    def rights(self, who: Caller) -> Rights:
        seats = tuple(seat for seat in Seat if self._sits(seat, who))
        host = self._shows(who, self.host) or self._is(who, self.host_account)
        invited = self._shows(who, self.invitation)
        expected = any(self._is(who, sitter.account) for sitter in self.seats)
        public = self.visibility != pb.VISIBILITY_PRIVATE
        join = public or host or invited or expected
        look = join or bool(seats) or self._shows(who, self.spectator)
        return Rights(look, join, host, seats)

    def rights_of_looker(self, who: Caller) -> Rights:
        """The same; `Refused` for whom the table does not exist."""
        rights = self.rights(who)
        if not rights.look:
            raise not_found()
        return rights

    def _sits(self, seat: Seat, who: Caller) -> bool:
        sitter = self.at.seats[seat]
        by_account = sitter.taken and self._is(who, sitter.account)
        return self._shows(who, self.tokens[seat]) or by_account

    def _shows(self, who: Caller, secret: str) -> bool:
        return secret != "" and who.secret == secret

    def _is(self, who: Caller, account: str) -> bool:
        return account != "" and who.account == account
