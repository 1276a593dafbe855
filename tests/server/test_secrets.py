"""What nobody is told: not in an answer, an event, an error or the log."""

from __future__ import annotations

import base64
import json
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any

import grpc
import pytest
from google.protobuf.message import Message

from bgcore import Seat
from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_server.settings import Settings
from bgcore_server.store import StoredTable, Visibility
from bgcore_server.tables.rights import ANYBODY
from bgcore_server.tables.seating import Sitting
from tests.server.helpers import (
    ANYWHERE,
    BLACK,
    DOUBLE,
    NEXT_GAME,
    RESIGN_MATCH,
    ROLL,
    THROW,
    WHITE,
    AtTable,
    Client,
    Running,
    ref,
    request_id,
    running,
)
from tests.server.known_accounts import accounts, signed
from tests.server.test_tables import channel
from tests.server.test_web import call
from tests.server.wanting import NO, UNDO, VOID, YES, any_act, rematch, tables_of

ANN, KIM, HAL = "sub-ann-5d41402a", "sub-kim-7d793037", "sub-hal-9c1185a5"
OWN = {
    "CreateTable": ("host_token", "invitation_token", "spectator_token"),
    "JoinTable": ("token",),
}
"""Fields with which a caller is told his own secret."""


class Listening(Client):
    """A client that keeps all that it is told, but for its own secrets."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        super().__init__(channel)
        self.told: list[bytes] = []

    def __getattr__(self, name: str) -> Any:
        rpc = super().__getattr__(name)
        if name == "WatchTable":
            return lambda request, token="": self.watched(rpc(request, token))

        async def kept(request: Any, token: str = "") -> Any:
            try:
                answer = await rpc(request, token)
            except grpc.aio.AioRpcError as error:
                self.hear(str(error.details()), error.trailing_metadata(), error.initial_metadata())
                raise
            copy = type(answer).FromString(answer.SerializeToString())
            for field in OWN.get(name, ()):
                copy.ClearField(field)
            self.hear(copy)
            return answer

        return kept

    def hear(self, *what: Any) -> None:
        for one in what:
            if isinstance(one, Message):
                self.told += [one.SerializeToString(), str(one).encode()]
            elif isinstance(one, (str, bytes)):
                self.told.append(one if isinstance(one, bytes) else one.encode())
            elif one is not None:
                for part in one:
                    self.hear(*part)

    async def watched(self, stream: Any) -> AsyncIterator[Any]:
        async for one in stream:
            self.hear(one)
            yield one


@pytest.fixture
async def server() -> AsyncIterator[Running]:
    async with running(http=ANYWHERE, log={"calls": True}, **accounts()) as found:
        yield found
    assert not found.faults.found


@pytest.fixture
async def client(server: Running) -> AsyncIterator[Listening]:
    async with channel(server.grpc) as found:
        yield Listening(found.channel)


async def stored(server: Running, id: str) -> StoredTable:
    found = await tables_of(server).store.table(id)
    assert isinstance(found, StoredTable)
    return found


def forms(secret: bytes) -> set[bytes]:
    """How somebody might write it."""
    return {
        secret,
        secret.hex().encode(),
        base64.b64encode(secret).rstrip(b"="),
        base64.urlsafe_b64encode(secret).rstrip(b"="),
        repr(secret)[2:-1].encode(),
    }


async def kept_secret(server: Running, id: str) -> set[bytes]:
    """What the store has of a table that is nobody's business, but for the seed of the match that is on."""
    found = await stored(server, id)
    first = Settings.from_json(found.settings)
    current = Settings.from_json(found.current.settings)
    secrets: set[bytes] = {b"sub-"}  # in every account's id
    for settings in (first, current):
        assert settings.keys is not None
        for name in ("host", "salt", "invitation", "spectator"):
            secrets |= forms(bytes.fromhex(getattr(settings.keys, name)))
    secrets |= forms(bytes.fromhex(current.next_seed))
    for seat in found.seats:
        secrets |= forms(seat.token) | forms(seat.salt)
    return secrets - {b""}


async def seed_of(server: Running, id: str) -> set[bytes]:
    """The seed of the match that is on."""
    found = await stored(server, id)
    return forms(bytes.fromhex(Settings.from_json(found.current.settings).server_seed))


def heard(told: Iterable[bytes], secrets: Iterable[bytes]) -> list[bytes]:
    return [secret for secret in secrets for one in told if secret in one]


async def asked_everything(server: Running, client: Client, id: str, tokens: Sequence[str]) -> None:
    """Every question about a table, by everybody, right and wrong."""
    again = table.Action(**rematch(seed="x"))
    requests: list[tuple[str, Any]] = [
        ("GetTable", service.GetTableRequest(table=id)),
        ("ListTables", service.ListTablesRequest()),
        ("ListEvents", service.ListEventsRequest(table=id, states=True, page_size=500)),
        ("ExportMatch", service.ExportMatchRequest(table=id)),
        ("ExportMatch", service.ExportMatchRequest(table=id, match_number=1)),
        ("VerifyDice", service.VerifyDiceRequest(table=id)),
        ("VerifyDice", service.VerifyDiceRequest(table=id, match_number=1)),
        ("Act", service.ActRequest(table=id, action=table.Action(**ROLL), validate_only=True)),
        ("Act", service.ActRequest(table=id, action=table.Action(**NO), seat=BLACK)),
        ("Act", service.ActRequest(table=id, action=again, validate_only=True)),
        ("JoinTable", service.JoinTableRequest(table=id, seat=WHITE)),
        ("JoinTable", service.JoinTableRequest(table=id, dice_seed="x", request_id="short")),
    ]
    for name, request in requests:
        for token in tokens:
            try:
                await getattr(client, name)(request, token=token)
            except grpc.aio.AioRpcError:
                continue
    for token in tokens:
        try:
            stream = client.WatchTable(service.WatchTableRequest(table=id), token=token)
            async for _ in stream:
                break
        except grpc.aio.AioRpcError:
            continue
    assert isinstance(client, Listening)
    for token in tokens:
        header = {"authorization": f"Bearer {token}"} if token else {}
        answer = await call(
            server,
            "/bgcore.v1.TableService/GetTable",
            json.dumps({"table": id}).encode(),
            **header,
        )
        client.hear(answer.body)


@pytest.mark.parametrize("visibility", [table.VISIBILITY_PUBLIC, table.VISIBILITY_PRIVATE])
async def test_nobody_is_told_a_secret(
    server: Running, client: Listening, visibility: table.Visibility
) -> None:
    ids = [request_id() for _ in range(3)]
    create = service.CreateTableRequest(
        variant=ref(match_length=3, auto_pass=True),
        visibility=visibility,
        dice_mode=table.DICE_MODE_COMMITTED,
        white=table.Occupant(player=table.Player(account=ANN, name="Ann")),
        request_id=ids[0],
    )
    made = await client.CreateTable(create, token=signed(HAL))
    assert await client.CreateTable(create, token=signed(HAL)) == made
    name = made.table.id
    own = [made.host_token, made.invitation_token, made.spectator_token, signed(ANN), signed(KIM)]
    everybody = [token for token in own if token] + ["", "nonsense", "a.b.c"]
    await asked_everything(server, client, name, everybody)

    # Somebody sits down and is sent away; then the players come.
    guest = made.invitation_token
    for number in (1, 2):
        join = service.JoinTableRequest(
            table=name, seat=BLACK, dice_seed=f"b{number}", request_id=ids[number]
        )
        black = await client.JoinTable(join, token=guest)
        own.append(black.token)
        if number == 1:
            leave = service.LeaveTableRequest(table=name, seat=BLACK)
            await client.LeaveTable(leave, token=made.host_token)
    assert await client.JoinTable(join, token=guest) == black
    white = await client.JoinTable(
        service.JoinTableRequest(table=name, dice_seed="w"), token=signed(ANN)
    )
    own.append(white.token)
    everybody += [white.token, black.token]
    at = AtTable(client, name, {WHITE: white.token, BLACK: black.token}, white.state)

    await any_act(at)
    await any_act(at)
    undone = at.state.revision
    asker = BLACK if at.decider == WHITE else WHITE
    await at.act(asker, **UNDO)
    await at.act(at.decider, **YES)
    assert at.state.revision == undone + 2
    await any_act(at)
    if table.ACTION_KIND_DOUBLE in at.state.decision.kinds:
        await at.act(**DOUBLE)
        await at.act(drop=table.DropAction())
        await at.act(**NEXT_GAME)
        await at.act(**THROW)
    await asked_everything(server, client, name, everybody)
    secrets = await kept_secret(server, name)
    assert heard(client.told, secrets | await seed_of(server, name)) == []

    await at.act(WHITE, **RESIGN_MATCH)
    first_seed = await seed_of(server, name)
    await asked_everything(server, client, name, everybody)
    assert heard(client.told, first_seed)  # now it is told
    assert heard(client.told, secrets | await kept_secret(server, name)) == []

    at.state = (await client.GetTable(get(name), token=white.token)).state
    for seat in (WHITE, BLACK):
        await at.act(seat, **rematch(seed=f"again {seat}"))
    assert at.state.match_number == 2
    second_seed = await seed_of(server, name)
    await any_act(at)
    await asked_everything(server, client, name, everybody)
    secrets |= await kept_secret(server, name)
    assert heard(client.told, secrets | second_seed) == []

    await tables_of(server).compact(name)
    await asked_everything(server, client, name, everybody)
    await at.act(WHITE, **VOID)
    await at.act(BLACK, **VOID)
    await asked_everything(server, client, name, everybody)
    close = service.CloseTableRequest(table=name, note="over")
    await client.CloseTable(close, token=made.host_token)
    assert heard(client.told, second_seed)
    secrets -= second_seed  # which was the next one, before
    assert heard(client.told, secrets) == []

    # Tokens and the ids with which they can be asked for again are in no answer but their owner's.
    tokens = {token.encode() for token in own if token} | {one.encode() for one in ids}
    assert heard(client.told, tokens) == []
    log = [repr(line).encode() for line in server.faults.told]
    assert len(log) > 100
    assert heard(log, secrets | tokens) == []
    assert heard(log, first_seed | second_seed) == []


def get(name: str) -> service.GetTableRequest:
    return service.GetTableRequest(table=name, view=pb.PLAY_VIEW_COLUMNS)


async def test_what_is_kept_of_secrets_does_not_give_them_away(server: Running) -> None:
    """Whoever reads the database can neither act nor look."""
    async with channel(server.grpc) as client:
        made = await client.CreateTable(
            service.CreateTableRequest(
                variant=ref(), visibility=table.VISIBILITY_PRIVATE, request_id=request_id()
            )
        )
        join = service.JoinTableRequest(table=made.table.id, request_id=request_id())
        joined = await client.JoinTable(join, token=made.invitation_token)
    found = await stored(server, made.table.id)
    log = await tables_of(server).store.events(found.number, 0, None)
    everything = repr((found.settings, found.seats, log)).encode()
    secrets = (
        *(made.host_token, made.invitation_token, made.spectator_token, joined.token),
        join.request_id,
    )
    for secret in secrets:
        assert secret.encode() not in everything
    # What is shown of values in tracebacks and logs has not even the hashes.
    shown = repr(Settings.from_json(found.settings))
    keys = Settings.from_json(found.settings).keys
    assert keys is not None
    for hidden in (keys.host, keys.salt, keys.invitation, keys.spectator):
        assert hidden not in shown + repr(found)


async def test_who_prints_what_he_has_in_hand_prints_no_secret(server: Running) -> None:
    tables = tables_of(server)
    made, _ = await tables.create("western", Settings(), Visibility.LINK, None)
    sitting = Sitting(Seat.WHITE, "Ann", ANYBODY, request_id="an id that gives the token")
    joined = await tables.join(made, sitting)
    stored = await tables.store.table(made.id)
    assert stored is not None
    assert sitting.request_id not in repr(sitting)
    assert joined.token not in repr(joined)
    assert repr(stored.seats[Seat.WHITE].salt) not in repr(stored)
