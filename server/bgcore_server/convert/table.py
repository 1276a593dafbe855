"""Tables, matches, decisions, actions and events."""

from __future__ import annotations

import json
from typing import cast

from google.protobuf.timestamp_pb2 import Timestamp

from bgcore import Action, Decision, Ending, Game, Kind, Level, Match, Phase, Result, Seat
from bgcore.clock import Clock
from bgcore.dice_proof import DiceProof
from bgcore.errors import Fault
from bgcore_proto.v1 import common_pb2
from bgcore_proto.v1 import table_pb2 as pb
from bgcore_server.convert import board
from bgcore_server.convert.clock import fill_clock, fill_proof
from bgcore_server.convert.options import option_values, variant_ref
from bgcore_server.errors import NOTHING, TooMuch, malformed
from bgcore_server.settings import Settings
from bgcore_server.store import Event, StoredTable
from bgcore_server.store import Seat as StoredSeat

NONE = common_pb2.PLAY_VIEW_NONE

KINDS = {
    kind: cast("pb.ActionKind", pb.ActionKind.Value(f"ACTION_KIND_{kind.name}")) for kind in Kind
}

PHASES = {
    Phase.THROW: pb.PHASE_OPENING_THROW,
    Phase.ROLL: pb.PHASE_ROLL,
    Phase.PLAY: pb.PHASE_PLAY,
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

LARGEST_STAKE = 1 << 30
LARGEST_SCORE = (1 << 32) - 1
SEAT_TAKEN = "seat_taken"
MICROSECONDS = 1_000_000


# -- actions in -------------------------------------------------------------------------------------


def action(given: pb.Action, seat: Seat) -> Action:
    """What a player wants to do; dice are there only if the player named them."""
    match given.WhichOneof("kind"):
        case "throw":
            return Action(Kind.THROW, dice=board.each_die(given.throw.dice))
        case "roll":
            return Action(Kind.ROLL, seat, board.each_die(given.roll.dice))
        case "play":
            form = board.written(given.play.play)
            if isinstance(form, str):
                return Action.play(seat, form)
            return Action.play_steps(seat, form)
        case "double":
            return Action.double(seat)
        case "take":
            return Action.take(seat)
        case "drop":
            return Action.drop(seat)
        case "resign":
            return Action.resign(seat, _level(given.resign))
        case "answer_resignation":
            return Action.answer_resignation(seat, accept=given.answer_resignation.accept)
        case "next_game":
            return Action.next_game()
        case "animal":
            return Action.animal(seat)
        case "resign_match":
            return Action.resign_match(seat)
        case "end_session":
            return Action.end_session()
        case "flag":
            return Action.flag(_flagged(given.flag, seat))
        case "correct":
            form = board.written(given.correct.play)
            if isinstance(form, str):
                return Action.correct(seat, form)
            return Action(Kind.CORRECT, seat, steps=form)
    known = ", ".join(Kind)
    raise malformed("ACTION_MISSING", "action", NOTHING, f"one of {known}")


def _flagged(given: pb.FlagAction, seat: Seat) -> Seat:
    """Whose time a player says has run out; nobody says it of himself."""
    if given.seat and board.seat("action.seat", given.seat) is seat:
        raise malformed("OWN_FLAG", "action.seat", seat, f"{seat.other}, or none")
    return seat.other


def _level(given: pb.ResignAction) -> Level:
    if given.points:
        expected = "0: here a level is resigned, not a number of points"
        raise malformed("POINTS_NOT_TAKEN", "action.points", given.points, expected)
    name = board.LEVEL_NAMES.get(given.level)
    if name is None:
        known = ", ".join(board.LEVELS)
        raise malformed("LEVEL_MISSING", "level", given.level, f"one of {known}")
    return Level(name)


# -- actions and events out -------------------------------------------------------------------------


def action_message(action: Action) -> pb.Action:
    """An action as it is recorded."""
    message = pb.Action()
    fill_action(action, message)
    return message


def fill_action(action: Action, message: pb.Action) -> None:
    """The same into a message."""
    match action.kind:
        case Kind.THROW:
            message.throw.dice.extend(action.dice)
            message.throw.SetInParent()
        case Kind.ROLL:
            message.roll.dice.extend(action.dice)
            message.roll.SetInParent()
        case Kind.PLAY:
            _fill_play(action, message.play.play)
        case Kind.CORRECT:
            _fill_play(action, message.correct.play)
        case Kind.FLAG:
            message.flag.seat = board.SEAT_NUMBERS[action.seat]
        case Kind.RESIGN:
            message.resign.level = board.LEVELS[action.level or Level.SINGLE]
        case Kind.ANSWER_RESIGNATION:
            message.answer_resignation.accept = bool(action.accept)
            message.answer_resignation.SetInParent()
        case _:
            getattr(message, action.kind).SetInParent()


def _fill_play(action: Action, message: common_pb2.Play) -> None:
    """The play of an action, as it was sent."""
    if action.text is not None:
        message.text = action.text
        return
    steps = message.steps
    steps.origins.extend([origin for origin, _ in action.steps or ()])
    steps.numbers.extend([number for _, number in action.steps or ()])
    steps.SetInParent()


def event_message(event: Event, action: Action | None = None) -> pb.Event:
    """Something that happened, without the state after it; `action` if it is known already."""
    message = pb.Event()
    fill_event(event, action, message)
    return message


def fill_event(event: Event, action: Action | None, message: pb.Event) -> None:
    """The same into a message."""
    message.revision = event.revision
    message.time.seconds, rest = divmod(event.time, MICROSECONDS)
    message.time.nanos = rest * 1000
    message.seat = board.SEAT_NUMBERS[None if event.seat is None else Seat(event.seat)]
    message.request_id = event.request_id
    if action is None:
        body = json.loads(event.body)
        if body["kind"] == SEAT_TAKEN:
            message.seat_taken.player.name = body["name"]
            message.seat_taken.dice_seed = body.get("dice_seed", "")
            return
        action = Action.from_json(body)
    fill_action(action, message.action)


def timestamp(microseconds: int) -> Timestamp:
    """A moment."""
    seconds, rest = divmod(microseconds, MICROSECONDS)
    return Timestamp(seconds=seconds, nanos=rest * 1000)


# -- tables -----------------------------------------------------------------------------------------


def table_message(table: StoredTable) -> pb.Table:
    """A table as it is listed."""
    settings = Settings.from_json(table.settings)
    white, black = map(occupant_message, table.seats)
    return pb.Table(
        id=table.id,
        variant=variant_ref(table.variant, settings.preset, settings.options),
        options=option_values(settings.resolved),
        rules_version=table.rules_version,
        white=white,
        black=black,
        dice_mode=pb.DiceMode.Name(settings.dice_mode),
        visibility=pb.Visibility.Name(table.visibility),
        status=pb.TableStatus.Name(table.status),
        create_time=timestamp(table.created),
        update_time=timestamp(table.updated),
        revision=table.revision,
    )


def occupant_message(seat: StoredSeat) -> pb.Occupant:
    """Who sits on a seat."""
    if seat.bot:
        return pb.Occupant(bot=pb.Bot(id=seat.bot), taken=True)
    if seat.taken or seat.name:
        return pb.Occupant(player=pb.Player(name=seat.name), taken=seat.taken)
    return pb.Occupant()


# -- states -----------------------------------------------------------------------------------------


def state_message(
    match: Match,
    revision: int,
    view: int,
    clock: Clock | None = None,
    proof: DiceProof | None = None,
) -> pb.TableState:
    """Where a match stands; `TooMuch` when its stakes have grown beyond what can be told."""
    game, number = match.game, len(match.results) + (match.game.result is None)
    white, black = match.score
    check_stake(match)
    # Messages are filled in where they stand: a part that is made apart is copied.
    state = pb.TableState()
    state.revision = revision
    told = state.match
    if match.length is not None:
        told.length = match.length
    told.white_score = white
    told.black_score = black
    told.game_number = number
    told.crawford = game.terms.crawford
    game_message(game, state.game)
    if match.results:
        result = result_message(match.results[-1], len(match.results))
        told.last_result.CopyFrom(result)
        if game.result:
            state.game.result.CopyFrom(result)
    if match.over:
        told.winner = board.SEAT_NUMBERS[match.winner]
        told.closed = match.closed
        if match.conceded:
            told.ending = board.ENDINGS[match.conceded.ending]
        state.game.phase = pb.PHASE_MATCH_OVER
    else:
        decision_message(match.decision, game, view, state.decision)
    if clock is not None:
        fill_clock(clock, match, state.clock)
    if proof is not None:
        fill_proof(proof, state.dice)
    return state


def check_stake(match: Match) -> None:
    """`TooMuch` for a stake or a score that the wire has no number for."""
    for found, most in ((match.game.asked, LARGEST_STAKE), (max(match.score), LARGEST_SCORE)):
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
        message.resignation.level = board.LEVELS[game.offer.level]
        message.resignation.points = game.rules.value(game.offer.level)
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
    if turn.parts:
        context.part.CopyFrom(message.parts[0])


def result_message(result: Result, number: int) -> pb.GameResult:
    """How a game of a match ended."""
    dropped = result.ending is Ending.DROPPED  # always a single, whatever it costs
    outcome = common_pb2.Outcome(
        winner=board.SEAT_NUMBERS[result.winner],
        points=1 if dropped else result.points // result.cube,
        level=board.LEVELS[result.level],
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
    if Kind.RESIGN in decision.other_kinds:
        levels = game.levels(seat.other)
        message.other_resign_levels.extend([board.LEVELS[level] for level in levels])
    if view != NONE and (plays := decision.plays) is not None:
        board.fill_plays(plays, view, message.plays)
    if view != NONE and game.correctable and Kind.CORRECT in decision.kinds + decision.other_kinds:
        board.fill_plays(game.correctable.plays, view, message.correct_plays)
