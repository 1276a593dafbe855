"""What a player wants at a table: an action of the match, or something that the other must agree to."""

from __future__ import annotations

from bgcore import Action, Registry, Seat
from bgcore_proto.v1 import table_pb2 as pb
from bgcore_server.convert.actions import action
from bgcore_server.convert.options import arguments
from bgcore_server.convert.rotations import asked, check_no_variant, to_form
from bgcore_server.entries import Answered, Asked, Ruleset, Wish
from bgcore_server.services.table_fields import dice_seed
from bgcore_server.settings import Settings


def want(
    given: pb.Action, seat: Seat, settings: Settings, registry: Registry
) -> Action | Asked | Answered:
    """What a player wants; `settings` are the table's."""
    match given.WhichOneof("kind"):
        case "undo":
            return Asked(seat, Wish.UNDO)
        case "answer_undo":
            return Answered(seat, given.answer_undo.accept)
        case "void":
            return Asked(seat, Wish.VOID)
        case "rematch":
            rules = _rules(given.rematch, registry)
            seed = dice_seed(settings, given.rematch.dice_seed)
            return Asked(seat, Wish.REMATCH, rules, seed)
    return action(given, seat)


def _rules(given: pb.RematchAction, registry: Registry) -> Ruleset | None:
    """The rules that a rematch names, if it names any."""
    if not given.HasField("rotation"):
        return Ruleset(*arguments(given.variant)) if given.HasField("variant") else None
    check_no_variant(given)
    games, rotation, options = asked("action.rotation", given.rotation, registry)
    return Ruleset(games.variant.id, "", options, to_form(rotation))
