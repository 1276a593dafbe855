"""Events: what the log of a table says, as the wire tells it."""

from __future__ import annotations

from bgcore import Seat
from bgcore_proto.v1 import table_pb2 as pb
from bgcore_server.convert import board
from bgcore_server.convert.actions import fill_action
from bgcore_server.convert.clock import MICROSECONDS
from bgcore_server.convert.options import option_values, variant_ref
from bgcore_server.convert.rotations import fill_rotation
from bgcore_server.convert.table import fill_rules
from bgcore_server.entries import (
    Acted,
    Answered,
    Asked,
    Closed,
    Entry,
    Ruleset,
    SeatLeft,
    SeatTaken,
    Started,
    Why,
    Wish,
    read_entry,
)
from bgcore_server.settings import Settings
from bgcore_server.store import Event

REASONS = {
    Why.HOST: pb.CLOSE_REASON_HOST,
    Why.AGREED: pb.CLOSE_REASON_AGREED,
    Why.ABANDONED: pb.CLOSE_REASON_ABANDONED,
    Why.EXPIRED: pb.CLOSE_REASON_EXPIRED,
}
WISHES: dict[str, pb.ActionKind] = {
    Wish.UNDO: pb.ACTION_KIND_UNDO,
    Wish.REMATCH: pb.ACTION_KIND_REMATCH,
    Wish.VOID: pb.ACTION_KIND_VOID,
}


def event_message(event: Event) -> pb.Event:
    """Something that happened, without the state after it."""
    message = pb.Event()
    fill_event(event, None, message)
    return message


def fill_event(event: Event, entry: Entry | None, message: pb.Event) -> None:
    """The same into a message; `entry` if it is known already."""
    message.revision = event.revision
    message.time.seconds, rest = divmod(event.time, MICROSECONDS)
    message.time.nanos = rest * 1000
    message.seat = board.SEAT_NUMBERS[None if event.seat is None else Seat(event.seat)]
    message.request_id = event.request_id
    match read_entry(event.body) if entry is None else entry:
        case Acted(action, automatic):
            fill_action(action, message.action)
            message.automatic = automatic
        case SeatTaken() as taken:
            message.seat_taken.player.name = taken.name
            message.seat_taken.player.verified = bool(taken.account)
            message.seat_taken.dice_seed = taken.dice_seed
        case SeatLeft() as left:
            message.seat_left.kicked = left.kicked
            message.seat_left.SetInParent()
        case Asked() as asked:
            fill_asked(asked, message.action)
        case Answered() as answered:
            message.action.answer_undo.accept = answered.accept
            message.action.answer_undo.SetInParent()
        case Started(rules):
            settings = Settings.from_json(rules.settings)
            message.match_started.match_number = settings.match_number
            fill_rules(rules, settings, message.match_started)
            for name, value in option_values(settings.resolved).items():
                message.match_started.options[name].CopyFrom(value)
        case Closed() as closed:
            fill_closed(closed, message.closed)


def fill_asked(asked: Asked, message: pb.Action) -> None:
    """What a player asks the other for, as an action."""
    match asked.wish:
        case Wish.UNDO:
            message.undo.SetInParent()
        case Wish.VOID:
            message.void.SetInParent()
        case Wish.REMATCH:
            message.rematch.dice_seed = asked.dice_seed
            message.rematch.SetInParent()
            if rules := asked.rules:
                fill_wanted(rules, message.rematch)


def fill_wanted(rules: Ruleset, message: pb.RematchAction | pb.Asked) -> None:
    """The rules that a player wants for the next match: a variant, or a rotation."""
    if rules.rotation is not None:
        fill_rotation(rules.rotation, rules.options, message.rotation)
    else:
        ref = variant_ref(rules.variant, rules.preset, rules.options)
        message.variant.CopyFrom(ref)


def fill_closed(closed: Closed, message: pb.Closed) -> None:
    """The end of a table."""
    message.reason = REASONS[closed.why]
    message.void = closed.void
    message.note = closed.note
