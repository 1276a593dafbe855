"""Actions: what a player wants to do, and what was done."""

from __future__ import annotations

from typing import cast

from bgcore import Action, Kind, Level, Seat
from bgcore.outcome import MOST_POINTS
from bgcore_proto.v1 import common_pb2
from bgcore_proto.v1 import table_pb2 as pb
from bgcore_server.convert import board
from bgcore_server.errors import NOTHING, malformed

KINDS = {
    kind: cast("pb.ActionKind", pb.ActionKind.Value(f"ACTION_KIND_{kind.name}")) for kind in Kind
}


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
            return _resign(given.resign, seat)
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
        case "name_double":
            return Action.name_double(seat, _named(given.name_double))
    known = ", ".join(Kind)
    raise malformed("ACTION_MISSING", "action", NOTHING, f"one of {known}")


def _flagged(given: pb.FlagAction, seat: Seat) -> Seat:
    """Whose time a player says has run out; nobody says it of himself."""
    if given.seat and board.seat("action.seat", given.seat) is seat:
        raise malformed("OWN_FLAG", "action.seat", seat, f"{seat.other}, or none")
    return seat.other


def _resign(given: pb.ResignAction, seat: Seat) -> Action:
    """An offer of points where they are given, else of a level; which of them counts, the rules say."""
    if not given.points:
        return Action.resign(seat, _level(given))
    if given.level:
        expected = "0: a level is resigned, or a number of points"
        raise malformed("POINTS_NOT_TAKEN", "action.points", given.points, expected)
    if given.points > MOST_POINTS:
        expected = f"1 to {MOST_POINTS}"
        raise malformed("POINTS_OUT_OF_RANGE", "action.points", given.points, expected)
    return Action.resign_points(seat, given.points)


def _named(given: pb.NameDoubleAction) -> int:
    if given.number not in board.DIE:
        raise malformed("NUMBER_OUT_OF_RANGE", "action.number", given.number, board.NUMBER)
    return given.number


def _level(given: pb.ResignAction) -> Level:
    name = board.LEVEL_NAMES.get(given.level)
    if name is None:
        known = ", ".join(board.LEVELS)
        raise malformed("LEVEL_MISSING", "level", given.level, f"one of {known}")
    return Level(name)


def fill_action(action: Action, message: pb.Action) -> None:
    """An action as it is recorded, into a message."""
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
            message.resign.level = board.level_number(action.level)
            message.resign.points = action.points or 0
        case Kind.NAME_DOUBLE:
            message.name_double.number = action.number or 0
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
