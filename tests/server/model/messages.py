"""What the model's tables look like on the wire. Boards, plays and clocks are written by the server's converters."""

from __future__ import annotations

from collections.abc import Mapping

from bgcore import Action, Seat
from bgcore.dice import SCHEME
from bgcore_proto.v1 import common_pb2
from bgcore_proto.v1 import table_pb2 as pb
from bgcore_server.convert import board
from bgcore_server.convert.actions import fill_action
from bgcore_server.convert.clock import fill_clock
from bgcore_server.convert.options import option_values
from bgcore_server.convert.states import decision_bytes, game_bytes, result_bytes
from tests.server.model.standing import NUMBER_OF, Sitter, Standing

NONE, COLUMNS = common_pb2.PLAY_VIEW_NONE, common_pb2.PLAY_VIEW_COLUMNS


def action_message(action: Action) -> pb.Action:
    """An action as it is recorded."""
    message = pb.Action()
    fill_action(action, message)
    return message


def state(at: Standing, view: int, secret: str = "") -> pb.TableState:
    """`secret` is the server's seed of committed dice, as far as it may be known."""
    match, game = at.match, at.match.game
    message = pb.TableState(revision=at.revision, match_number=len(at.behind) + 1)
    told = message.match
    if match.length is not None:
        told.length = match.length
    told.white_score, told.black_score = match.score
    told.game_number = len(match.results) + (game.result is None)
    told.crawford = game.terms.crawford
    if match.cycle.changes:
        told.variant, told.rotation_index = match.rules.variant.id, match.index
        if not match.over and at.closed is None:
            told.next_variant = match.cycle.games[match.next_index].variant.id
    message.game.MergeFromString(game_bytes(game))
    if match.results:
        last = result_bytes(match.results[-1], len(match.results))
        told.last_result.MergeFromString(last)
        if game.result is not None:
            message.game.result.MergeFromString(last)
    if match.over or at.closed is not None:
        message.game.phase = pb.PHASE_MATCH_OVER
        told.winner = NUMBER_OF[match.winner]
        told.closed = match.closed
        if match.conceded is not None:
            told.ending = board.ENDINGS[match.conceded.ending]
    else:
        message.decision.MergeFromString(decision_bytes(match.decision, game, view))
    if at.clock is not None:
        fill_clock(at.clock, match, message.clock)
    if at.terms.commitment:
        message.dice.scheme, message.dice.commitment = SCHEME, at.terms.commitment
        message.dice.white_seed, message.dice.black_seed = at.seeds
        if match.over or at.closed is not None:
            message.dice.server_seed = secret
        if at.closed is None:
            message.next_commitment = at.terms.next_commitment
    if at.deadline is not None:
        message.deadline.FromMicroseconds(at.deadline)
    if at.closed is not None:
        message.closed.CopyFrom(at.closed)
    message.white_may.extend(at.beside(Seat.WHITE))
    message.black_may.extend(at.beside(Seat.BLACK))
    for wish in at.wishes:
        asked = message.asked.add(seat=NUMBER_OF[wish.seat], kind=wish.kind, revision=wish.revision)
        if wish.rules is not None:
            wish.rules.fill(asked)
    return message


def table(
    id: str,
    at: Standing,
    created: int,
    dice_mode: int,
    visibility: int,
    compacted: int,
) -> pb.Table:
    games = at.terms.games
    message = pb.Table(
        id=id,
        options=option_values(games.options),
        rules_version=", ".join(rules.variant.rules_version for rules in games.games),
        white=occupant(at.seats[0]),
        black=occupant(at.seats[1]),
        dice_mode=pb.DiceMode.Name(dice_mode),
        visibility=pb.Visibility.Name(visibility),
        status=at.status,
        revision=at.revision,
        match_number=len(at.behind) + 1,
        compacted_revision=compacted,
    )
    at.terms.named.fill(message)
    message.create_time.FromMicroseconds(created)
    message.update_time.FromMicroseconds(at.updated)
    return message


def occupant(sitter: Sitter) -> pb.Occupant:
    if sitter.bot:
        return pb.Occupant(bot=pb.Bot(id=sitter.bot), taken=True)
    if not (sitter.taken or sitter.name):
        return pb.Occupant()
    verified = sitter.taken and sitter.account != ""
    return pb.Occupant(player=pb.Player(name=sitter.name, verified=verified), taken=sitter.taken)


def started(at: Standing) -> pb.MatchStarted:
    options: Mapping[str, common_pb2.OptionValue] = option_values(at.terms.games.options)
    message = pb.MatchStarted(match_number=len(at.behind) + 1, options=options)
    at.terms.named.fill(message)
    return message
