"""Where a table stands: its match, its game, who must decide what, what is asked.

This is told after every act, and most of it is as it was before. So it is put together from pieces (`wire`),
and those that come again and again are made once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from bgcore import Cube, Decision, Ending, Game, Kind, Level, Match, Phase, Result, Seat
from bgcore.errors import Fault
from bgcore.turn import Part, Turn
from bgcore_proto.v1 import common_pb2
from bgcore_proto.v1 import table_pb2 as pb
from bgcore_server.convert import board
from bgcore_server.convert.actions import KINDS
from bgcore_server.convert.clock import fill_clock, fill_proof, timestamp
from bgcore_server.convert.entries import WISHES, fill_closed, fill_wanted
from bgcore_server.convert.wire import piece, tag, varint
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

MATCH, GAME, DECISION = (tag(pb.TableState, name) for name in ("match", "game", "decision"))
LAST_RESULT = tag(pb.MatchState, "last_result")
POSITION, TURN, RESULT = (tag(pb.GameState, name) for name in ("position", "turn", "result"))
CONTEXT, OWN_ROLL = tag(pb.Turn, "context"), tag(common_pb2.TurnContext, "own_roll")
PLAYS, CORRECT_PLAYS = (tag(pb.Decision, name) for name in ("plays", "correct_plays"))
OVER = pb.GameState(phase=pb.PHASE_MATCH_OVER).SerializeToString()

KEPT = 4096
"""Pieces of a kind that are kept, of some dozens of bytes each."""


def state_message(table: State, view: int) -> pb.TableState:
    """Where a table stands; `TooMuch` when its stakes have grown beyond what can be told."""
    return pb.TableState.FromString(state_bytes(table, view))


def state_bytes(table: State, view: int) -> bytes:
    """The same, as the wire has it."""
    match, deadline = table.match, table.deadline
    rest = pb.TableState(
        revision=table.revision,
        match_number=table.number,
        deadline=None if deadline is None else timestamp(deadline),
    )
    if table.clock is not None:
        fill_clock(table.clock, match, rest.clock)
    if (proof := table.proof) is not None:
        fill_proof(proof, rest.dice)
        if table.closed is None:
            rest.next_commitment = table.next_commitment
    if table.closed is not None:
        fill_closed(table.closed, rest.closed)
    for one in table.open:
        asked_message(one, rest.asked.add())
    return b"".join(
        (
            rest.SerializeToString(),
            match_bytes(match, view, closed=table.closed is not None),
            _may(table.may(Seat.WHITE), table.may(Seat.BLACK)),
        )
    )


def match_bytes(match: Match, view: int, *, closed: bool = False) -> bytes:
    """Score, game and decision; none at a table that is closed. What a `TableState` has of them."""
    check_stake(match)
    game, results = match.game, match.results
    told = _score(match.length, match.score, match.game_number, game.terms.crawford)
    on = game_bytes(game)
    if match.cycle.changes:
        told += _rotation(match, closed=closed)
    if results:
        result = result_bytes(results[-1], len(results))
        told += piece(LAST_RESULT, result)
        if game.result:
            on += piece(RESULT, result)
    if match.over or closed:
        return piece(MATCH, told + _end(match)) + piece(GAME, on + OVER)
    decision = decision_bytes(match.decision, game, view)
    return piece(MATCH, told) + piece(GAME, on) + piece(DECISION, decision)


@lru_cache(KEPT)
def _score(length: int | None, score: tuple[int, int], number: int, crawford: bool) -> bytes:
    white, black = score
    return pb.MatchState(
        length=length,
        white_score=white,
        black_score=black,
        game_number=number,
        crawford=crawford,
    ).SerializeToString()


def _rotation(match: Match, *, closed: bool) -> bytes:
    """Which of several games is on, and which is next."""
    games, ended = match.cycle.games, match.over or closed
    return pb.MatchState(
        variant=match.rules.variant.id,
        rotation_index=match.index,
        next_variant="" if ended else games[match.next_index].variant.id,
    ).SerializeToString()


def _end(match: Match) -> bytes:
    """How a match ended, or one that goes on no more."""
    conceded = match.conceded
    return pb.MatchState(
        winner=board.SEAT_NUMBERS[match.winner],
        closed=match.closed,
        ending=board.ENDINGS[conceded.ending] if conceded else None,
    ).SerializeToString()


@lru_cache(KEPT)
def _may(white: tuple[str, ...], black: tuple[str, ...]) -> bytes:
    return pb.TableState(
        white_may=[MAY[kind] for kind in white], black_may=[MAY[kind] for kind in black]
    ).SerializeToString()


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


# -- a game -----------------------------------------------------------------------------------------


def game_bytes(game: Game) -> bytes:
    """A game, without its result."""
    on_roll = None if game.phase is Phase.THROW else game.seat
    position = board.position_bytes(game.position, game.seat, on_roll)
    terms = game.terms
    enabled = terms.cube and not terms.crawford and terms.match_length != 1
    told = piece(POSITION, position) + _standing(game.cube, enabled, game.phase, game.auto_doubles)
    if game.dice or game.turn.parts:
        told += piece(TURN, turn_bytes(game.dice, game.turn))
    if game.offer or game.raised or game.correctable:
        told += _waiting(game).SerializeToString()
    return told


@lru_cache(KEPT)
def _standing(cube: Cube, enabled: bool, phase: Phase, auto_doubles: int) -> bytes:
    told = common_pb2.Cube(
        value=cube.value,
        owner=board.SEAT_NUMBERS[cube.owner],
        turned=cube.turned,
        enabled=enabled,
    )
    game = pb.GameState(cube=told, phase=PHASES[phase], auto_doubles=auto_doubles)
    return game.SerializeToString()


def _waiting(game: Game) -> pb.GameState:
    """What of a game waits for an answer, or to be corrected."""
    message = pb.GameState()
    if game.offer:
        message.phase = pb.PHASE_ANSWER_RESIGNATION
        message.resignation.seat = board.SEAT_NUMBERS[game.offer.seat]
        message.resignation.level = board.level_number(game.offer.level)
        message.resignation.points = game.offer.points
    if game.raised:
        message.offer.seat = board.SEAT_NUMBERS[game.seat_of_answer.other]
        message.offer.stake_if_taken = game.asked
        message.offer.stake_if_refused = 1 if game.terms.always_one else game.asked // 2
        message.offer.raised = game.raised
        message.offer.refusable = game.refusable
    if game.correctable:
        message.correctable = board.SEAT_NUMBERS[game.correctable.seat]
    return message


def turn_bytes(dice: tuple[int, ...], turn: Turn) -> bytes:
    """What has been thrown, and what of it is to be played."""
    told = _turn(dice, turn.parts, turn.left_head, turn.locked)
    return told + piece(CONTEXT, OWN_ROLL + varint(turn.own_roll)) if turn.own_roll else told


@lru_cache(KEPT)
def _turn(
    dice: tuple[int, ...], parts: tuple[Part, ...], left_head: int, locked: frozenset[int]
) -> bytes:
    """All of a turn but which own roll it is."""
    told = [common_pb2.Part(numbers=part.numbers, kind=PART_KINDS[part.kind]) for part in parts]
    context = common_pb2.TurnContext(
        left_head=left_head, locked=sorted(locked), part=told[0] if told else None
    )
    turn = pb.Turn(dice=sorted(dice, reverse=True), parts=told, context=context)
    return turn.SerializeToString()


@lru_cache(KEPT)
def result_bytes(result: Result, number: int) -> bytes:
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
    ).SerializeToString()


# -- a decision -------------------------------------------------------------------------------------


def decision_bytes(decision: Decision, game: Game, view: int) -> bytes:
    """Who must decide, and between what."""
    seat = Seat.WHITE if decision.seat is None else decision.seat
    told = _choice(
        decision.seat,
        decision.kinds,
        decision.other_kinds,
        *_resignable(decision, game, seat, decision.kinds),
        *_resignable(decision, game, seat.other, decision.other_kinds),
    )
    if view == NONE:
        return told
    if (plays := decision.plays) is not None:
        told += piece(PLAYS, board.plays_bytes(plays, view))
    if game.correctable and Kind.CORRECT in decision.kinds + decision.other_kinds:
        told += piece(CORRECT_PLAYS, board.plays_bytes(game.correctable.plays, view))
    return told


def _resignable(
    decision: Decision, game: Game, seat: Seat, kinds: tuple[Kind, ...]
) -> tuple[tuple[Level, ...], int]:
    """The levels or the points that a seat may offer to lose, where it may."""
    if Kind.RESIGN not in kinds:
        return (), 0
    return decision.levels[seat], game.points_to_resign(seat)


@lru_cache(KEPT)
def _choice(
    seat: Seat | None,
    kinds: tuple[Kind, ...],
    other_kinds: tuple[Kind, ...],
    levels: tuple[Level, ...],
    points: int,
    other_levels: tuple[Level, ...],
    other_points: int,
) -> bytes:
    return pb.Decision(
        seat=board.SEAT_NUMBERS[seat],
        kinds=[KINDS[kind] for kind in kinds],
        other_kinds=[KINDS[kind] for kind in other_kinds],
        resign_levels=[board.LEVELS[level] for level in levels],
        resign_points=points,
        other_resign_levels=[board.LEVELS[level] for level in other_levels],
        other_resign_points=other_points,
    ).SerializeToString()
