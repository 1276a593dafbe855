"""Private tables and seats kept for accounts, beside what docs/authorisation.md says of each rpc."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from tests.server.helpers import (
    BLACK,
    THROW,
    WHITE,
    Client,
    Running,
    ref,
    refusal_of,
    request_id,
    running,
)
from tests.server.known_accounts import accounts, signed
from tests.server.test_tables import channel

INVALID = grpc.StatusCode.INVALID_ARGUMENT


@pytest.fixture
async def server() -> AsyncIterator[Running]:
    async with running(**accounts()) as found:
        yield found
    assert not found.faults.found


def player(account: str = "", name: str = "") -> table.Occupant:
    return table.Occupant(player=table.Player(account=account, name=name))


async def private(client: Client, token: str = "", **more: Any) -> service.CreateTableResponse:
    request = service.CreateTableRequest(variant=ref(), visibility=table.VISIBILITY_PRIVATE, **more)
    made: service.CreateTableResponse = await client.CreateTable(request, token=token)
    return made


async def join(client: Client, id: str, token: str, **more: Any) -> service.JoinTableResponse:
    request = service.JoinTableRequest(table=id, **more)
    joined: service.JoinTableResponse = await client.JoinTable(request, token=token)
    return joined


async def test_it_is_made_with_three_secrets(client: Client) -> None:
    made = await private(client)
    secrets = {made.host_token, made.invitation_token, made.spectator_token}
    assert len(secrets) == 3
    assert all(len(one) >= 43 for one in secrets)
    open_ = await client.CreateTable(service.CreateTableRequest(variant=ref()))
    assert open_.host_token
    assert (open_.invitation_token, open_.spectator_token) == ("", "")


async def test_secrets_are_for_one_table(client: Client) -> None:
    one, two = await private(client), await private(client)
    for token in (two.host_token, two.invitation_token, two.spectator_token):
        request = service.GetTableRequest(table=one.table.id)
        found = await refusal_of(client.GetTable(request, token=token))
        assert (found.code, found.reason) == (grpc.StatusCode.NOT_FOUND, "UNKNOWN_TABLE")


async def test_who_is_invited_sits_down_and_plays(client: Client) -> None:
    made = await private(client)
    white = await join(client, made.table.id, made.invitation_token)
    black = await join(client, made.table.id, made.invitation_token)
    assert {white.seat, black.seat} == {WHITE, BLACK}
    request = service.ActRequest(table=made.table.id, action=table.Action(**THROW))
    await client.Act(request, token=white.token)
    found = await refusal_of(client.Act(request, token=made.invitation_token))
    assert found.reason == "TOKEN_UNKNOWN"


async def test_a_spectator_hears_everything(client: Client) -> None:
    made = await private(client)
    request = service.WatchTableRequest(table=made.table.id, after_revision=0)
    stream = client.WatchTable(request, token=made.spectator_token)
    await join(client, made.table.id, made.invitation_token, name="Ann")
    assert (await stream.read()).event.seat_taken.player.name == "Ann"
    stream.cancel()


async def test_its_request_id_must_not_be_guessed(client: Client) -> None:
    found = await refusal_of(private(client, request_id="1"))
    assert (found.code, found.reason, found.field) == (INVALID, "REQUEST_ID_LENGTH", "request_id")
    again = request_id()
    assert await private(client, request_id=again) == await private(client, request_id=again)


async def test_the_same_id_of_another_account_is_another_request(client: Client) -> None:
    again = request_id()
    await private(client, signed("ann"), request_id=again)
    found = await refusal_of(private(client, signed("bob"), request_id=again))
    assert found.reason == "REQUEST_ID_REUSED"


async def test_secrets_hold_after_a_restart(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/a.db"
    async with running(database) as one, channel(one.grpc) as client:
        made = await private(client)
        white = await join(client, made.table.id, made.invitation_token)
    async with running(database) as two, channel(two.grpc) as client:
        get = service.GetTableRequest(table=made.table.id)
        tokens = (made.host_token, made.invitation_token, made.spectator_token, white.token)
        for token in tokens:
            found = await client.GetTable(get, token=token)
            assert found.table.white.taken
        assert (await refusal_of(client.GetTable(get))).reason == "UNKNOWN_TABLE"
        close = service.CloseTableRequest(table=made.table.id)
        await client.CloseTable(close, token=made.host_token)


# -- accounts ---------------------------------------------------------------------------------------


async def test_an_account_sits_where_a_seat_is_kept_for_it(client: Client) -> None:
    made = await private(client, white=player(), black=player("kim", "Kim"))
    assert made.table.black.player.account == ""
    assert not made.table.black.player.verified
    joined = await join(client, made.table.id, signed("kim"))
    assert joined.seat == BLACK
    assert joined.table.black.player.name == "Kim"
    assert joined.table.black.player.verified
    other = await join(client, made.table.id, made.invitation_token)
    assert other.seat == WHITE
    assert not other.table.white.player.verified


async def test_a_player_without_a_name_has_that_of_the_account(client: Client) -> None:
    made = await private(client, black=player("kim"))
    joined = await join(client, made.table.id, signed("kim"))
    assert joined.table.black.player.name == "Kim"


async def test_a_seat_is_kept_though_the_table_is_full_otherwise(client: Client) -> None:
    made = await private(client, black=player("kim"))
    await join(client, made.table.id, made.invitation_token)
    for seat in (0, BLACK):
        found = await refusal_of(join(client, made.table.id, made.invitation_token, seat=seat))
        assert (found.code, found.reason) == (grpc.StatusCode.PERMISSION_DENIED, "SEAT_KEPT")
        assert "kim" not in f"{found}"


async def test_an_account_acts_for_its_seat_without_the_seats_token(client: Client) -> None:
    made = await private(client, white=player("ann"), black=player("kim"))
    for name in ("ann", "kim"):
        await join(client, made.table.id, signed(name))
    request = service.ActRequest(table=made.table.id, action=table.Action(**THROW))
    await client.Act(request, token=signed("kim"))


async def test_an_account_that_was_kept_a_seat_which_it_left_may_come_back(
    client: Client,
) -> None:
    made = await private(client, black=player("kim"))
    for _ in range(2):
        await join(client, made.table.id, signed("kim"))
        leave = service.LeaveTableRequest(table=made.table.id)
        left = await client.LeaveTable(leave, token=signed("kim"))
        assert not left.table.black.taken
        assert not left.table.black.player.verified


async def test_no_seat_is_kept_where_nobody_has_accounts() -> None:
    async with running() as found, channel(found.grpc) as client:
        refusal = await refusal_of(private(client, white=player("ann")))
        assert (refusal.code, refusal.reason) == (INVALID, "ACCOUNTS_OFF")
        assert refusal.field == "white.player.account"
        assert "ann" not in f"{refusal}"


async def test_an_account_has_at_most_128_characters(client: Client) -> None:
    found = await refusal_of(private(client, black=player("x" * 129)))
    assert (found.reason, found.field) == ("ACCOUNT_TOO_LONG", "black.player.account")


@pytest.mark.parametrize("visibility", [table.VISIBILITY_PUBLIC, table.VISIBILITY_PRIVATE])
async def test_a_token_that_does_not_hold_is_told_so(
    client: Client, visibility: table.Visibility
) -> None:
    request = service.CreateTableRequest(variant=ref(), visibility=visibility)
    made = await client.CreateTable(request)
    late = signed("ann", lasts=-3600)
    assert (await refusal_of(join(client, made.table.id, late))).reason == "TOKEN_EXPIRED"
    assert (await refusal_of(client.CreateTable(request, token=late))).reason == "TOKEN_EXPIRED"


async def test_an_account_shows_its_invitation_beside_its_own_token() -> None:
    async with running(**accounts(required=True)) as found, channel(found.grpc) as client:
        made = await private(client, signed("ann"))
        request = service.JoinTableRequest(table=made.table.id)
        refused = await refusal_of(client.JoinTable(request, token=signed("bob")))
        assert refused.reason == "UNKNOWN_TABLE"
        invited = await join(client, made.table.id, signed("bob"), invitation=made.invitation_token)
        assert invited.table.white.player.verified
        request.invitation = made.spectator_token
        refused = await refusal_of(client.JoinTable(request, token=signed("eve")))
        assert refused.reason == "INVITATION_NEEDED"
        assert not found.faults.found
