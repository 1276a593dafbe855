"""Tables as they are listed."""

from __future__ import annotations

from bgcore_proto.v1 import table_pb2 as pb
from bgcore_server.convert.clock import timestamp
from bgcore_server.convert.options import option_values, variant_ref
from bgcore_server.convert.rotations import fill_rotation
from bgcore_server.settings import Settings
from bgcore_server.store import Later, Seat, StoredTable


def table_message(table: StoredTable) -> pb.Table:
    """A table as it is listed."""
    rules = table.current
    settings = Settings.from_json(rules.settings)
    white, black = map(occupant_message, table.seats)
    message = pb.Table(
        id=table.id,
        options=option_values(settings.resolved),
        rules_version=rules.rules_version,
        white=white,
        black=black,
        dice_mode=pb.DiceMode.Name(settings.dice_mode),
        visibility=pb.Visibility.Name(table.visibility),
        status=pb.TableStatus.Name(table.status),
        create_time=timestamp(table.created),
        update_time=timestamp(table.updated),
        revision=table.revision,
        match_number=settings.match_number,
        compacted_revision=table.compacted,
    )
    fill_rules(rules, settings, message)
    return message


def fill_rules(rules: Later, settings: Settings, message: pb.Table | pb.MatchStarted) -> None:
    """The rules that a match was given: a variant, or a rotation."""
    if settings.rotation is not None:
        fill_rotation(settings.rotation, settings.options, message.rotation)
    else:
        ref = variant_ref(settings.which(rules.variant), settings.preset, settings.options)
        message.variant.CopyFrom(ref)


def occupant_message(seat: Seat) -> pb.Occupant:
    """Who sits on a seat."""
    if seat.bot:
        return pb.Occupant(bot=pb.Bot(id=seat.bot), taken=True)
    if seat.taken or seat.name:
        verified = seat.taken and bool(seat.account)
        return pb.Occupant(player=pb.Player(name=seat.name, verified=verified), taken=seat.taken)
    return pb.Occupant()
