"""A live table for every kind of caller, and the calls that they try."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import grpc

from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_server import tokens
from tests.server.helpers import BLACK, RESIGN_MATCH, WHITE, AtTable, Client, ref, refused
from tests.server.known_accounts import signed

SITS, GUEST, STRANGER, KEPT, HOST = "ann", "bob", "sam", "kim", "hal"

VISIBILITIES = {
    "public": table.VISIBILITY_PUBLIC,
    "link": table.VISIBILITY_LINK,
    "private": table.VISIBILITY_PRIVATE,
    "required": table.VISIBILITY_PUBLIC,
}

WAITING = ("JoinTable", "LeaveTable")
"""Rpcs for which a seat must be free."""


@dataclass
class Situation:
    """A table at which an account sits as White, and the headers of all callers.

    Black's seat is taken, too, unless the rpc wants one that is free, or it is kept.
    """

    client: Client
    id: str
    headers: dict[str, str]


async def situation(client: Client, kind: str, row: str, caller: str) -> Situation:
    """A table in which a caller can try the rpc of a row."""
    rpc, _, special = row.partition(":")
    kept = KEPT if caller == "expected" or special == "kept" else ""
    made = await client.CreateTable(
        service.CreateTableRequest(
            variant=ref(match_length=1),
            visibility=VISIBILITIES[kind],
            dice_mode=table.DICE_MODE_COMMITTED,
            white=table.Occupant(player=table.Player(account=SITS)),
            black=table.Occupant(player=table.Player(account=kept)),
        ),
        token=signed(HOST),
    )
    name = made.table.id

    async def sit(seat: pb.Seat, token: str) -> Any:
        request = service.JoinTableRequest(table=name, seat=seat, dice_seed=f"seed {seat}")
        return await client.JoinTable(request, token=token)

    white = await sit(WHITE, signed(SITS))
    other = white.token
    if not kept and rpc not in WAITING:
        black = await sit(BLACK, signed(GUEST) if kind == "required" else made.invitation_token)
        other = black.token
        if rpc == "VerifyDice":
            at = AtTable(client, name, {WHITE: white.token}, black.state)
            await at.act(WHITE, **RESIGN_MATCH)
    elif rpc == "VerifyDice":
        await client.CloseTable(service.CloseTableRequest(table=name), token=made.host_token)
    bearer = {
        "nowhere": tokens.new_token(b"", ""),
        "other": other,
        "seat": white.token,
        "host": made.host_token,
        "invited": made.invitation_token,
        "spectator": made.spectator_token,
        "sitting": signed(SITS),
        "stranger": signed(STRANGER),
        "expected": signed(KEPT),
        "maker": signed(HOST),
    }
    headers = {name: f"Bearer {token}" for name, token in bearer.items()}
    return Situation(client, name, headers | {"nobody": "", "unreadable": "Basic YW5uOg=="})


def request_of(row: str, id: str, caller: str) -> Any:
    """What a caller asks for in a row: for White's seat, or for one that is free."""
    rpc, _, special = row.partition(":")
    match rpc:
        case "CreateTable":
            return service.CreateTableRequest(variant=ref())
        case "ListTables":
            return service.ListTablesRequest()
        case "JoinTable":
            return service.JoinTableRequest(table=id, seat=BLACK, dice_seed="another")
        case "LeaveTable":
            if special == "unnamed":
                return service.LeaveTableRequest(table=id)
            return service.LeaveTableRequest(table=id, seat=BLACK if caller == "other" else WHITE)
        case "Act":
            action = table.Action(void=table.VoidAction())
            only = special == "validate_only"
            return service.ActRequest(table=id, seat=WHITE, action=action, validate_only=only)
    return getattr(service, f"{rpc}Request")(table=id)


async def answered(at: Situation, row: str, caller: str) -> str:
    """The cell that a live server gives."""
    try:
        found = await called(at, row, caller)
    except grpc.aio.AioRpcError as error:
        return refused(error).reason
    if row == "ListTables":
        return "shown" if at.id in [one.id for one in found.tables] else "hidden"
    return "allowed"


async def called(at: Situation, row: str, caller: str) -> Any:
    """What a caller is answered; of a watch the first message."""
    rpc, header = row.partition(":")[0], at.headers[caller]
    metadata = (("authorization", header),) if header else ()
    call = at.client.with_metadata(rpc, request_of(row, at.id, caller), metadata)
    if rpc != "WatchTable":
        return await call
    try:
        return await call.read()
    finally:
        call.cancel()
