"""Where a table stands: its match, its game, who must decide what, what is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bgcore import Decision, Ending, Game, Kind, Match, Phase, Result, Seat
from bgcore.errors import Fault
from bgcore_proto.v1 import common_pb2
from bgcore_proto.v1 import table_pb2 as pb
from bgcore_server.convert import board
from bgcore_server.convert.actions import KINDS
from bgcore_server.convert.clock import fill_clock, fill_proof
from bgcore_server.convert.entries import WISHES, fill_closed, fill_wanted
from bgcore_server.entries import ANSWER_UNDO
from bgcore_server.errors import TooMuch
from bgcore_server.lengths import LARGEST_STAKE, LARGEST_UINT32

if TYPE_CHECKING:
    from bgcore_server.tables.state import Open, State

NONE = common_pb2.PLAY_VIEW_NONE

PHASES = {
    Phase.THROW: pb.PHASE_OPENING_THROW,
    Phase.ROLL: pb.PHASE_ROLL,
    Phase.PLAY: pb.PHASE_PLAY,
    Phase.NAME_DOUBLE: pb.PHASE_NAME_DOUBLE,
    Phase.DOUBLED: pb.PHASE_ANSWER_DOUBLE,
    Phase.OVER: pb.PHASE_GAME_OVER,
}
PART_KINDS = {
    "roll": common_pb2.PART_KIND_ROLL,
    "rung": common_pb2.PART_KIND_RUNG,
    "complement": common_pb2.PART_KIND_COMPLEMENT,
    "chosen_double": common_pb2.PART_KIND_CHOSEN_DOUBLE,
    "leftover": common_pb2.PART_KIND_LEFTOVER,
}

MAY: dict[str, pb.ActionKind] = {**WISHES, ANSWER_UNDO: pb.ACTION_KIND_ANSWER_UNDO}


def state_message(table: State, view: int) -> pb.TableState:
    """Where a table stands; `TooMuch` when its stakes have grown beyond what can be told."""
    state, match = pb.TableState(), table.match
    state.revision = table.revision
    state.match_number = table.number
    fill_match(match, view, state, closed=table.closed is not None)
    if table.clock is not None:
        fill_clock(table.clock, match, state.clock)
    if (proof := table.proof) is not None:
        fill_proof(proof, state.dice)
        if table.closed is None:
            state.next_commitment = table.next_commitment
    if (deadline := table.deadline) is not None:
        state.deadline.FromMicroseconds(deadline)
    if table.closed is not None:
        fill_closed(table.closed, state.closed)
    state.white_may.extend([MAY[kind] for kind in table.may(Seat.WHITE)])
    state.black_may.extend([MAY[kind] for kind in table.may(Seat.BLACK)])
    for one in table.open:
        asked_message(one, state.asked.add())
    return state


def fill_match(match: Match, view: int, state: pb.TableState, *, closed: bool = False) -> None:
    """Score, game and decision; none at a table that is closed."""
    game, number = match.game, len(match.results) + (match.game.result is None)
    white, black = match.score
    check_stake(match)
    # Messages are filled in where they stand: a part that is made apart is copied.
    told = state.match
    if match.length is not None:
        told.length = match.length
    told.white_score = white
    told.black_score = black
    told.game_number = number
    told.crawford = game.terms.crawford
    if match.cycle.changes:
        told.variant = match.rules.variant.id
        told.rotation_index = match.index
        if not (match.over or closed):
            told.next_variant = match.cycle.games[match.next_index].variant.id
    game_message(game, state.game)
    if match.results:
        result = result_message(match.results[-1], len(match.results))
        told.last_result.CopyFrom(result)
        if game.result:
            state.game.result.CopyFrom(result)
    if match.over or closed:
        told.winner = board.SEAT_NUMBERS[match.winner]
        told.closed = match.closed
        if match.conceded:
            told.ending = board.ENDINGS[match.conceded.ending]
        state.game.phase = pb.PHASE_MATCH_OVER
    else:
        decision_message(match.decision, game, view, state.decision)


def asked_message(one: Open, message: pb.Asked) -> None:
    """Something that a player has asked the other for."""
    message.seat = board.SEAT_NUMBERS[one.asked.seat]
    message.kind = WISHES[one.asked.wish]
    message.revision = one.revision
    if rules := one.asked.rules:
        fill_wanted(rules, message)


def check_stake(match: Match) -> None:
    """`TooMuch` for a stake or a score that the wire has no number for."""
    for found, most in ((match.game.asked, LARGEST_STAKE), (max(match.score), LARGEST_UINT32)):
        if found > most:
            raise TooMuch(Fault("STAKE_TOO_LARGE", "stake", str(found), f"at most {most}"))


def game_message(game: Game, message: pb.GameState) -> None:
    """A game, without its result."""
    on_roll = None if game.phase is Phase.THROW else game.seat
    message.position.MergeFromString(board.position_bytes(game.position, game.seat, on_roll))
    message.phase = pb.PHASE_ANSWER_RESIGNATION if game.offer else PHASES[game.phase]
    cube, terms = message.cube, game.terms
    cube.value = game.cube.value
    cube.owner = board.SEAT_NUMBERS[game.cube.owner]
    cube.turned = game.cube.turned
    cube.enabled = terms.cube and not terms.crawford and terms.match_length != 1
    if game.dice or game.turn.parts:
        turn_message(game, message.turn)
    if game.offer:
        message.resignation.seat = board.SEAT_NUMBERS[game.offer.seat]
        message.resignation.level = board.level_number(game.offer.level)
        message.resignation.points = game.offer.points
    if game.raised:
        offer_message(game, message.offer)
    message.auto_doubles = game.auto_doubles
    if game.correctable:
        message.correctable = board.SEAT_NUMBERS[game.correctable.seat]


def offer_message(game: Game, message: pb.DoubleOffer) -> None:
    """A double, or an animal after it, that waits for an answer."""
    message.seat = board.SEAT_NUMBERS[game.seat_of_answer.other]
    message.stake_if_taken = game.asked
    message.stake_if_refused = 1 if game.terms.always_one else game.asked // 2
    message.raised = game.raised
    message.refusable = game.refusable


def turn_message(game: Game, message: pb.Turn) -> None:
    """What has been thrown, and what of it is to be played."""
    turn, context = game.turn, message.context
    message.dice.extend(sorted(game.dice, reverse=True))
    for part in turn.parts:
        told = message.parts.add()
        told.numbers.extend(part.numbers)
        told.kind = PART_KINDS[part.kind]
    context.own_roll = turn.own_roll or 0
    context.left_head = turn.left_head
    context.locked.extend(sorted(turn.locked))
    if turn.parts:
        context.part.CopyFrom(message.parts[0])


def result_message(result: Result, number: int) -> pb.GameResult:
    """How a game of a match ended."""
    dropped = result.ending is Ending.DROPPED  # always a single, whatever it costs
    outcome = common_pb2.Outcome(
        winner=board.SEAT_NUMBERS[result.winner],
        points=1 if dropped else result.points // result.cube,
        level=board.level_number(result.level),
        ending=board.ENDINGS[result.ending],
    )
    return pb.GameResult(
        game_number=number, outcome=outcome, cube=result.cube, points=result.points
    )


def decision_message(decision: Decision, game: Game, view: int, message: pb.Decision) -> None:
    """Who must decide, and between what."""
    message.SetInParent()
    message.seat = board.SEAT_NUMBERS[decision.seat]
    message.kinds.extend([KINDS[kind] for kind in decision.kinds])
    message.other_kinds.extend([KINDS[kind] for kind in decision.other_kinds])
    seat = Seat.WHITE if decision.seat is None else decision.seat
    if Kind.RESIGN in decision.kinds:
        message.resign_levels.extend([board.LEVELS[level] for level in game.levels(seat)])
        message.resign_points = game.points_to_resign(seat)
    if Kind.RESIGN in decision.other_kinds:
        levels = game.levels(seat.other)
        message.other_resign_levels.extend([board.LEVELS[level] for level in levels])
        message.other_resign_points = game.points_to_resign(seat.other)
    if view != NONE and (plays := decision.plays) is not None:
        board.fill_plays(plays, view, message.plays)
    if view != NONE and game.correctable and Kind.CORRECT in decision.kinds + decision.other_kinds:
        board.fill_plays(game.correctable.plays, view, message.correct_plays)
