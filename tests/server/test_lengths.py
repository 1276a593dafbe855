"""No request has thousands of values where a few are meant, and none keeps the others waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

import bgcore_server.slices
from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import rules_service_pb2 as rules
from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_server.adapters.service import HARD_LIMIT
from bgcore_server.lengths import LENGTHS
from bgcore_server.server import DESCRIPTORS
from bgcore_server.slices import sliced
from tests.server.fields import is_path
from tests.server.helpers import Client, Running, opening, ref, refusal_of, refused
from tests.server.test_busy import session

INVALID = grpc.StatusCode.INVALID_ARGUMENT
MANY = 5000


def lists(kind: Descriptor, seen: set[str]) -> Iterator[FieldDescriptor]:
    """Every field of a message, or of those in it, that may have several values."""
    if kind.full_name in seen:
        return
    seen.add(kind.full_name)
    for field in kind.fields:
        if is_list(field):
            yield field
        if field.message_type is not None:
            yield from lists(field.message_type, seen)


def is_list(field: FieldDescriptor) -> bool:
    assert field.containing_type is not None
    message = GetMessageClass(field.containing_type)()
    return not isinstance(getattr(message, field.name), int | float | str | bytes | Message)


def test_every_list_and_map_of_every_request_has_a_limit() -> None:
    seen: set[str] = set()
    found = {
        field.full_name
        for one in DESCRIPTORS
        for rpc in one.methods
        for field in lists(rpc.input_type, seen)
    }
    assert found == LENGTHS.keys()


def board(**white: Any) -> pb.Position:
    return pb.Position(white=pb.Side(**white), black=opening().black, on_roll=pb.SEAT_WHITE)


LONG: list[tuple[str, Any, str, str]] = [
    (
        "CheckPosition",
        rules.CheckPositionRequest(variant=ref(), position=board(points=[1] * MANY)),
        "POINTS_COUNT",
        "position.white.points",
    ),
    (
        "CheckPosition",
        rules.CheckPositionRequest(variant=ref(), position=board(pinned=[99] * MANY)),
        "POINTS_COUNT",
        "position.white.pinned",
    ),
    (
        "ListSteps",
        rules.ListStepsRequest(variant=ref(), position=opening(), steps=[pb.Step()] * MANY),
        "TOO_MANY_STEPS",
        "steps",
    ),
    (
        "CheckPlay",
        rules.CheckPlayRequest(variant=ref(), play=pb.Play(steps=pb.PlaySteps(origins=[1] * MANY))),
        "TOO_MANY_STEPS",
        "play.steps.origins",
    ),
    (
        "ListPlays",
        rules.ListPlaysRequest(
            variant=pb.VariantRef(
                id="western",
                options={
                    "cube": pb.OptionValue(
                        list=pb.OptionList(values=[pb.OptionValue(flag=True)] * MANY)
                    )
                },
            ),
        ),
        "LIST_TOO_LONG",
        'variant.options["cube"].list.values',
    ),
    (
        "FormatMatch",
        rules.FormatMatchRequest(
            match=rules.ReplayedMatch(
                variant=ref(), headers={str(number): "" for number in range(MANY)}
            )
        ),
        "TOO_MANY_HEADERS",
        "match.headers",
    ),
    (
        "FormatMatch",
        rules.FormatMatchRequest(
            match=rules.ReplayedMatch(
                variant=ref(),
                actions=[
                    table.RecordedAction(
                        action=table.Action(throw=table.ThrowAction(dice=[1] * MANY))
                    )
                ],
            )
        ),
        "DICE_COUNT",
        "match.actions[0].action.throw.dice",
    ),
    (
        "CreateTable",
        service.CreateTableRequest(variant=ref(), start=service.Start(dice=[9] * MANY)),
        "DICE_COUNT",
        "start.dice",
    ),
]


@pytest.mark.parametrize(
    ("rpc", "request_", "reason", "path"), LONG, ids=[f"{one[0]} {one[3]}" for one in LONG]
)
async def test_far_too_many_values_are_refused_at_once_by_their_field(
    client: Client, rpc: str, request_: Any, reason: str, path: str
) -> None:
    found = await refusal_of(getattr(client, rpc)(request_))
    assert (found.code, found.reason, found.field) == (INVALID, reason, path)
    assert found.value == f"of {MANY} values"
    assert len(found.violations) == 1
    assert is_path(request_.DESCRIPTOR, path)


async def test_who_asks_for_many_states_lets_others_in_between(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = await client.FormatMatch(rules.FormatMatchRequest(text=session(40)))
    pauses = Pauses()
    monkeypatch.setattr(bgcore_server.slices, "asyncio", pauses)
    monkeypatch.setattr(bgcore_server.slices, "SLICE", -1.0)  # after every item
    start = service.Start(record=record.text)
    made = await client.CreateTable(service.CreateTableRequest(start=start))
    assert pauses.made >= made.state.revision  # the log was read
    pauses.made = 0
    request = service.ListEventsRequest(
        table=made.table.id, page_size=100, states=True, view=pb.PLAY_VIEW_FULL
    )
    answer = await client.ListEvents(request)
    assert len(answer.events) == 100
    assert pauses.made >= 200  # the log was read again, and the states were made


class Pauses:
    """asyncio, of which the pauses are counted."""

    def __init__(self) -> None:
        self.made = 0

    async def sleep(self, seconds: float) -> None:
        self.made += 1
        await asyncio.sleep(seconds)


async def test_work_in_slices_takes_turns_with_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bgcore_server.slices, "SLICE", -1.0)
    order = []

    async def work(name: str) -> None:
        async for number in sliced(range(3)):
            order.append(f"{name}{number}")

    await asyncio.gather(work("a"), work("b"))
    assert order == ["a0", "b0", "a1", "b1", "a2", "b2"]


async def test_slices_leave_nothing_out() -> None:
    assert [one async for one in sliced(range(1000))] == list(range(1000))


@pytest.mark.parametrize("megabytes", [2, 5])
async def test_a_small_request_that_grows_when_it_is_unpacked_is_refused(
    server: Running, megabytes: int
) -> None:
    gzip = grpc.Compression.Gzip
    async with grpc.aio.insecure_channel(str(server.grpc), compression=gzip) as channel:
        request = rules.ReplayMatchRequest(text="x" * (megabytes << 20))
        with pytest.raises(grpc.aio.AioRpcError) as found:
            await Client(channel).ReplayMatch(request)
    assert found.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    if megabytes << 20 < HARD_LIMIT:
        assert refused(found.value).reason == "MESSAGE_TOO_LARGE"
