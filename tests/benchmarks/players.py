"""Both players of a table. They know no rules: they choose among what the server lists."""

from __future__ import annotations

import random
import uuid
from dataclasses import dataclass, field
from typing import Any

import grpc

from bgcore import Action, Kind, Match, Rules
from bgcore_proto.v1 import common_pb2, table_pb2, table_service_pb2
from bgcore_server.convert import board

SERVICE = "/bgcore.v1.TableService/"
WITHOUT_END = {"match_length": common_pb2.OptionValue(none=common_pb2.OptionNone())}
SESSION = common_pb2.VariantRef(id="western", options=WITHOUT_END)
Unary = grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]
WHITE, BLACK = common_pb2.SEAT_WHITE, common_pb2.SEAT_BLACK


@dataclass
class Players:
    """A money session at a table of their own. They neither double nor resign."""

    channel: grpc.aio.Channel
    rng: random.Random
    acts: int = 0
    events: list[table_pb2.Event] = field(default_factory=list)
    state: table_pb2.TableState = field(default_factory=table_pb2.TableState)
    _table: str = ""
    _tokens: dict[int, str] = field(default_factory=dict)

    async def sit_down(self) -> Players:
        """Make the table and take both seats."""
        making = table_service_pb2.CreateTableRequest(variant=SESSION)
        created = await self._call("CreateTable", making, table_service_pb2.CreateTableResponse)
        self._table = created.table.id
        for seat in (WHITE, BLACK):
            joining = table_service_pb2.JoinTableRequest(table=self._table, seat=seat)
            joined = await self._call("JoinTable", joining, table_service_pb2.JoinTableResponse)
            self._tokens[seat] = joined.token
            self.state = joined.state
        return self

    @property
    def table(self) -> str:
        """The table's id."""
        return self._table

    async def play(self, acts: int) -> None:
        """So many acts, one after the other."""
        for _ in range(acts):
            decision = self.state.decision
            request = table_service_pb2.ActRequest(
                table=self._table,
                request_id=str(uuid.UUID(int=self.rng.getrandbits(128))),
                expected_revision=self.state.revision,
                action=self._choice(decision),
            )
            token = self._tokens[decision.seat or WHITE]
            answer = await self._call("Act", request, table_service_pb2.ActResponse, token)
            self.events += answer.events
            self.state = answer.state
        self.acts += acts

    def _choice(self, decision: table_pb2.Decision) -> table_pb2.Action:
        match decision.kinds[0]:
            case table_pb2.ACTION_KIND_THROW:
                return table_pb2.Action(throw=table_pb2.ThrowAction())
            case table_pb2.ACTION_KIND_ROLL:
                return table_pb2.Action(roll=table_pb2.RollAction())
            case table_pb2.ACTION_KIND_NEXT_GAME:
                return table_pb2.Action(next_game=table_pb2.NextGameAction())
        plays = decision.plays
        index = self.rng.randrange(len(plays.lengths))
        first = sum(plays.lengths[:index])
        here = slice(first, first + plays.lengths[index])
        steps = common_pb2.PlaySteps(origins=plays.origins[here], numbers=plays.numbers[here])
        return table_pb2.Action(play=table_pb2.PlayAction(play=common_pb2.Play(steps=steps)))

    async def _call(self, name: str, request: Any, response: Any, token: str = "") -> Any:
        metadata = (("authorization", f"Bearer {token}"),) if token else ()
        call: Unary = self.channel.unary_unary(SERVICE + name)
        answer = await call(request.SerializeToString(), metadata=metadata)
        return response.FromString(answer)

    def check(self, rules: Rules) -> int:
        """Play the record again: it leads to the state that the server tells. The games it holds."""
        match = Match.replay(rules, map(engine_action, self.events))
        position, _ = board.position(rules, self._board())
        assert position == match.game.position
        told = self.state.match
        assert (told.white_score, told.black_score) == match.score
        return len(match.results)

    def _board(self) -> common_pb2.Position:
        """The board as the player on turn sees it, white where nobody is."""
        shown = common_pb2.Position()
        shown.CopyFrom(self.state.game.position)
        shown.on_roll = shown.on_roll or WHITE
        return shown


def engine_action(event: table_pb2.Event) -> Action:
    """What an event says, for the engine."""
    seat, action = board.SEATS[event.seat], event.action
    match action.WhichOneof("kind"):
        case "throw":
            return Action(Kind.THROW, dice=tuple(action.throw.dice))
        case "roll":
            return Action.roll(seat, *action.roll.dice)
        case "play":
            steps = action.play.play.steps
            return Action.play_steps(seat, tuple(zip(steps.origins, steps.numbers, strict=True)))
    return Action.next_game()
