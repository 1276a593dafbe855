"""Fields that several requests about tables have."""

from __future__ import annotations

from google.protobuf.message import Message

from bgcore.dice_proof import player_seed
from bgcore_proto.v1 import table_pb2
from bgcore_server.errors import NOTHING, malformed
from bgcore_server.lengths import LONGEST_NAME
from bgcore_server.settings import Settings
from bgcore_server.store import RequestKey, Visibility
from bgcore_server.tables.command import fingerprint

LONGEST_REQUEST_ID = 64
SHORTEST_SECRET_ID = 16
LONGEST_NOTE = 200


def dice_seed(settings: Settings, given: str) -> str:
    """What a player adds to committed dice; empty where the dice are others."""
    if settings.dice_mode == table_pb2.DICE_MODE_COMMITTED:
        if not given:
            expected = "1 to 64 printable characters of your own: the dice here are committed"
            raise malformed("DICE_SEED_MISSING", "dice_seed", NOTHING, expected)
        return player_seed(given, "dice_seed")
    if given:
        expected = "none: the dice here are not committed"
        found = f"of {len(given)} characters"
        raise malformed("DICE_SEED_UNUSED", "dice_seed", found, expected)
    return ""


def visibility(given: int) -> Visibility:
    """Who may see a table."""
    if given not in table_pb2.Visibility.values():
        known = ", ".join(table_pb2.Visibility.keys())
        raise malformed("VISIBILITY_UNKNOWN", "visibility", given, known)
    return Visibility(given or table_pb2.VISIBILITY_PUBLIC)


def player_name(field: str, name: str) -> str:
    """The name of a player, if it is not too long."""
    if len(name) > LONGEST_NAME:
        found, expected = f"of {len(name)} characters", f"at most {LONGEST_NAME}"
        raise malformed("NAME_TOO_LONG", field, found, expected)
    return name


def check_request_id(id: str, shortest: int = 1) -> None:
    """`Malformed` for an id that is too long, or so short that others may guess it."""
    if id and not shortest <= len(id) <= LONGEST_REQUEST_ID:
        found, expected = f"of {len(id)} characters", f"{shortest} to {LONGEST_REQUEST_ID}, or none"
        raise malformed("REQUEST_ID_LENGTH", "request_id", found, expected)


def request_key(scope: str, id: str, content: Message) -> RequestKey | None:
    """What makes a request repeatable."""
    if not id:
        return None
    check_request_id(id)
    return RequestKey(scope, id, fingerprint(content.SerializeToString(deterministic=True)))
