"""A server on a loopback port, and a client made from the descriptors."""

from __future__ import annotations

import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, cast

import grpc
from google.protobuf.message_factory import GetMessageClass
from google.rpc import error_details_pb2, status_pb2

import bgcore
from bgcore_proto.v1 import common_pb2, table_pb2, table_service_pb2
from bgcore_server.address import Address
from bgcore_server.server import DESCRIPTORS, Options, Server
from bgcore_server.tables.command import now

ANYWHERE = Address("127.0.0.1", 0)
OPENING = [0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2]
WHITE, BLACK = common_pb2.SEAT_WHITE, common_pb2.SEAT_BLACK


class Faults:
    """A log that a server should leave empty."""

    def __init__(self) -> None:
        self.found: list[dict[str, object]] = []
        self.told: list[dict[str, object]] = []  # what is no fault

    def error(self, event: str, **values: object) -> None:
        self.found.append({"event": event, **values})

    def warning(self, event: str, **values: object) -> None:
        self.told.append({"event": event, "level": "warning", **values})

    def info(self, event: str, **values: object) -> None:
        self.told.append({"event": event, "level": "info", **values})


@dataclass
class Running:
    """A server that runs."""

    server: Server
    grpc: Address
    http: Address | None
    faults: Faults


@asynccontextmanager
async def running(
    database: str = "sqlite://",
    registry: bgcore.Registry | None = None,
    http: Address | None = None,
    now: Callable[[], int] = now,
    **more: Any,
) -> AsyncIterator[Running]:
    options = Options(listen=ANYWHERE, http=http, db=database, allow_seeded=True, grace=2, **more)
    faults = Faults()
    server = Server(options, registry or bgcore.load(), faults, now)
    try:
        grpc_address, http_address = await server.start()
        yield Running(server, grpc_address, http_address, faults)
    finally:
        await server.stop()


class Client:
    """Every rpc of the server as a method."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        self.channel = channel
        self._rpcs: dict[str, tuple[str, Any]] = {}
        for service in DESCRIPTORS:
            for method in service.methods:
                path = f"/{service.full_name}/{method.name}"
                kind = channel.unary_stream if method.server_streaming else channel.unary_unary
                rpc: Any = kind(
                    path,
                    request_serializer=lambda message: message.SerializeToString(),
                    response_deserializer=GetMessageClass(method.output_type).FromString,
                )
                self._rpcs[method.name] = (path, rpc)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        _, rpc = self._rpcs[name]

        def call(request: Any, token: str = "", **more: Any) -> Any:
            metadata = (("authorization", f"Bearer {token}"),) if token else ()
            return rpc(request, metadata=metadata, **more)

        return call

    def with_metadata(self, name: str, request: Any, metadata: Sequence[tuple[str, str]]) -> Any:
        """A call with metadata as it is."""
        return self._rpcs[name][1](request, metadata=metadata)

    async def raw(self, name: str, request: bytes) -> bytes:
        """A call with bytes as they are."""
        path, _ = self._rpcs[name]
        rpc: Any = self.channel.unary_unary(path)
        return cast(bytes, await rpc(request))


@dataclass
class Refused:
    """An error as a client sees it."""

    code: grpc.StatusCode
    message: str
    info: error_details_pb2.ErrorInfo
    violations: Sequence[Any]
    retry_seconds: int = 0

    @property
    def reason(self) -> str:
        return str(self.info.reason)

    @property
    def field(self) -> str:
        return str(self.info.metadata.get("field", ""))

    @property
    def value(self) -> str:
        return str(self.info.metadata["value"])

    @property
    def expected(self) -> str:
        return str(self.info.metadata["expected"])


def refused(error: grpc.aio.AioRpcError) -> Refused:
    """What an error says; it must have exactly one ErrorInfo."""
    [packed] = [
        value
        for name, value in error.trailing_metadata() or ()
        if name == "grpc-status-details-bin"
    ]
    status = status_pb2.Status.FromString(cast(bytes, packed))
    assert status.code == error.code().value[0]
    assert status.message == error.details()
    infos, violations, retry = [], [], 0
    for detail in status.details:
        if detail.Is(error_details_pb2.ErrorInfo.DESCRIPTOR):
            infos.append(error_details_pb2.ErrorInfo.FromString(detail.value))
        elif detail.Is(error_details_pb2.BadRequest.DESCRIPTOR):
            violations += error_details_pb2.BadRequest.FromString(detail.value).field_violations
        elif detail.Is(error_details_pb2.RetryInfo.DESCRIPTOR):
            retry = error_details_pb2.RetryInfo.FromString(detail.value).retry_delay.seconds
        else:
            found = error_details_pb2.PreconditionFailure.FromString(detail.value)
            violations += found.violations
    [info] = infos
    assert info.domain == "bgcore"
    assert "value" in info.metadata
    assert info.metadata["expected"]
    return Refused(error.code(), error.details() or "", info, violations, retry)


async def refusal_of(call: Any) -> Refused:
    """What a call is refused with."""
    try:
        await call
    except grpc.aio.AioRpcError as error:
        return refused(error)
    raise AssertionError("not refused")


def ref(id: str = "western", preset: str = "", **options: Any) -> common_pb2.VariantRef:
    """A reference to a variant, with options as Python's values."""
    values = {}
    for name, value in options.items():
        if value is None:
            values[name] = common_pb2.OptionValue(none=common_pb2.OptionNone())
        elif isinstance(value, bool):
            values[name] = common_pb2.OptionValue(flag=value)
        elif isinstance(value, int):
            values[name] = common_pb2.OptionValue(integer=value)
        else:
            values[name] = common_pb2.OptionValue(text=value)
    return common_pb2.VariantRef(id=id, preset=preset, options=values)


def opening(on_roll: int = WHITE) -> common_pb2.Position:
    return common_pb2.Position(
        white=common_pb2.Side(points=OPENING),
        black=common_pb2.Side(points=OPENING),
        on_roll=cast(Any, on_roll),
    )


def side(points: dict[int, int], **more: Any) -> common_pb2.Side:
    """A side with the rest of fifteen checkers off."""
    counts = [points.get(point, 0) for point in range(1, 25)]
    elsewhere = more.get("bar", 0) + more.get("unentered", 0) + len(more.get("pinned", ()))
    more.setdefault("off", 15 - sum(counts) - elsewhere)
    return common_pb2.Side(points=counts, **more)


def request_id() -> str:
    return str(uuid.uuid4())


@dataclass
class AtTable:
    """Both players of a table, as one client."""

    client: Client
    id: str
    tokens: dict[int, str]
    state: table_pb2.TableState

    @property
    def decider(self) -> int:
        """The seat that must decide; White where either may."""
        return self.state.decision.seat or WHITE

    async def act(self, seat: int = 0, **more: Any) -> table_service_pb2.ActResponse:
        """An action by a seat, by default the one that must decide."""
        fields = {name: more.pop(name) for name in OWN_FIELDS if name in more}
        fields.setdefault("expected_revision", self.state.revision)
        request = table_service_pb2.ActRequest(
            table=self.id, action=table_pb2.Action(**more), **fields
        )
        answer: table_service_pb2.ActResponse = await self.client.Act(
            request, token=self.tokens[seat or self.decider]
        )
        self.state = answer.state
        return answer

    async def refused(self, seat: int = 0, **more: Any) -> Refused:
        """What an action is refused with; nothing must have changed."""
        before = await self.get()
        answer = await refusal_of(self.act(seat, **more))
        assert await self.get() == before
        return answer

    async def get(self) -> table_service_pb2.GetTableResponse:
        request = table_service_pb2.GetTableRequest(table=self.id)
        answer: table_service_pb2.GetTableResponse = await self.client.GetTable(request)
        return answer

    async def throw(self, white: int, black: int) -> table_service_pb2.ActResponse:
        return await self.act(throw=table_pb2.ThrowAction(dice=(white, black)))

    async def roll(self, *dice: int) -> table_service_pb2.ActResponse:
        return await self.act(roll=table_pb2.RollAction(dice=dice))

    async def play(self, text: str) -> table_service_pb2.ActResponse:
        return await self.act(play=table_pb2.PlayAction(play=common_pb2.Play(text=text)))

    async def any_play(self) -> table_service_pb2.ActResponse:
        """The first play of the list."""
        plays = self.state.decision.plays
        steps = plays.lengths[0]
        columns = common_pb2.PlaySteps(origins=plays.origins[:steps], numbers=plays.numbers[:steps])
        return await self.act(play=table_pb2.PlayAction(play=common_pb2.Play(steps=columns)))


OWN_FIELDS = ("expected_revision", "request_id", "validate_only", "view")

Fields = dict[str, Any]

DOUBLE: Fields = {"double": table_pb2.DoubleAction()}
TAKE: Fields = {"take": table_pb2.TakeAction()}
DROP: Fields = {"drop": table_pb2.DropAction()}
NEXT_GAME: Fields = {"next_game": table_pb2.NextGameAction()}
ROLL: Fields = {"roll": table_pb2.RollAction()}
THROW: Fields = {"throw": table_pb2.ThrowAction()}
ANIMAL: Fields = {"animal": table_pb2.AnimalAction()}
RESIGN_MATCH: Fields = {"resign_match": table_pb2.ResignMatchAction()}
END_SESSION: Fields = {"end_session": table_pb2.EndSessionAction()}
FLAG: Fields = {"flag": table_pb2.FlagAction()}


def correct(text: str) -> Fields:
    return {"correct": table_pb2.CorrectAction(play=common_pb2.Play(text=text))}


def resign(level: int) -> dict[str, Any]:
    return {"resign": table_pb2.ResignAction(level=cast(Any, level))}


def answer(accept: bool) -> dict[str, Any]:
    return {"answer_resignation": table_pb2.AnswerResignationAction(accept=accept)}


async def at_table(
    client: Client,
    variant: common_pb2.VariantRef | None = None,
    dice_mode: int = table_pb2.DICE_MODE_MANUAL,
    seeds: Sequence[str] = ("", ""),
    **more: Any,
) -> AtTable:
    """A new table with both seats taken; `seeds` for committed dice."""
    created = await client.CreateTable(
        table_service_pb2.CreateTableRequest(
            variant=variant or ref(), dice_mode=cast(Any, dice_mode), **more
        )
    )
    tokens: dict[int, str] = {}
    for seat, seed in zip((WHITE, BLACK), seeds, strict=True):
        joined = await client.JoinTable(
            table_service_pb2.JoinTableRequest(table=created.table.id, seat=seat, dice_seed=seed)
        )
        tokens[seat] = joined.token
    return AtTable(client, created.table.id, tokens, joined.state)
