"""Whatever is sent, the server answers with an error that says what was wrong, and lives."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Awaitable
from typing import Any

import grpc
import pytest
from google.protobuf.descriptor import Descriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_server.server import DESCRIPTORS
from tests.server.fields import is_path
from tests.server.helpers import WHITE, Client, at_table, opening, ref, refused, running
from tests.server.test_tables import channel


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    """A client of a server whose watches soon say something."""
    async with running(heartbeat=0.05) as server, channel(server.grpc) as found:
        yield found
    assert not server.faults.found


NEVER = {grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN}
RPCS = [
    method
    for descriptor in DESCRIPTORS
    for method in descriptor.methods
    if descriptor.full_name.startswith("bgcore.")
]
TEXTS = ["", "western", "plakoto", "gul_bara", "8/5 6/5", "bar/20*", "\x00", "é🎲" * 20, "x" * 300]
NUMBERS = [0, 1, 2, 3, 5, 6, 7, 24, 25, 26, 27, 127, 128, 255, 256, 2**31 - 1, 2**32 - 1]


def anything(kind: Descriptor, chance: random.Random, depth: int = 0) -> Message:
    """A message with random contents, some of them nearly right."""
    message = GetMessageClass(kind)()
    for field in kind.fields:
        if chance.random() < 0.25 + 0.1 * depth or depth > 6:
            continue
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            continue
        if hasattr(getattr(message, field.name), "extend"):  # repeated, whatever protobuf's version
            count = chance.choice([0, 1, 2, 3, 4, 23, 24, 25])
            values = [value(field, chance, depth) for _ in range(count)]
            getattr(message, field.name).extend(values)
        elif field.message_type is not None:
            getattr(message, field.name).CopyFrom(value(field, chance, depth))
        else:
            setattr(message, field.name, value(field, chance, depth))
    return message


def value(field: FieldDescriptor, chance: random.Random, depth: int) -> Any:
    if field.message_type is not None:
        if field.message_type.full_name == "bgcore.v1.Position" and chance.random() < 0.5:
            return opening(chance.choice([0, 1, 2]))
        if field.message_type.full_name == "bgcore.v1.VariantRef" and chance.random() < 0.5:
            return ref(chance.choice(["western", "plakoto", "tavla", "gul-bara"]))
        return anything(field.message_type, chance, depth + 1)
    match field.cpp_type:
        case FieldDescriptor.CPPTYPE_STRING:
            text = chance.choice(TEXTS)
            return text.encode() if field.type == FieldDescriptor.TYPE_BYTES else text
        case FieldDescriptor.CPPTYPE_BOOL:
            return chance.random() < 0.5
        case FieldDescriptor.CPPTYPE_ENUM:
            return chance.choice([0, 1, 2, 3, 4, 99])
        case FieldDescriptor.CPPTYPE_INT32 | FieldDescriptor.CPPTYPE_INT64:
            return chance.choice([-1, *NUMBERS[:-1]])
    return chance.choice(NUMBERS)


@pytest.mark.parametrize("rpc", RPCS, ids=lambda rpc: str(rpc.name))
async def test_random_requests_are_answered(client: Client, rpc: Any) -> None:
    chance = random.Random(rpc.full_name)
    at = await at_table(client)
    for _ in range(150):
        request = anything(rpc.input_type, chance)
        if "table" in rpc.input_type.fields_by_name and chance.random() < 0.8:
            request.table = at.id  # type: ignore[attr-defined]
        token = at.tokens[WHITE] if chance.random() < 0.8 else ""
        call = getattr(client, rpc.name)(request, token=token)
        error = await error_of(call.read() if rpc.server_streaming else call)
        if rpc.server_streaming:
            call.cancel()
        if error:
            assert error.code() not in NEVER, f"{error.details()}: {request}"
            found = refused(error)
            assert found.reason
            assert found.message
            assert is_path(rpc.input_type, found.field), f"{found.field}: {found.message}"
            for violation in found.violations:
                path = getattr(violation, "field", "") or getattr(violation, "subject", "")
                assert is_path(rpc.input_type, path), path
    # Whatever happened at the table, it is whole, and others are served.
    listed = await client.ListEvents(service.ListEventsRequest(table=at.id, states=True))
    assert [event.revision for event in listed.events] == list(range(1, len(listed.events) + 1))
    assert (await at.get()).table.status == table.TABLE_STATUS_PLAYING


async def test_bytes_cut_anywhere_are_answered(client: Client) -> None:
    request = service.CreateTableRequest(variant=ref("western", match_length=3))
    raw = request.SerializeToString()
    chance = random.Random(1)
    for length in range(len(raw)):
        cut = bytearray(raw[:length])
        if cut:
            cut[chance.randrange(len(cut))] ^= 1 << chance.randrange(8)
        if error := await error_of(client.raw("CreateTable", bytes(cut))):
            assert error.code() not in NEVER, error.details()
            assert refused(error).reason


async def error_of(call: Awaitable[object]) -> grpc.aio.AioRpcError | None:
    try:
        await call
    except grpc.aio.AioRpcError as error:
        return error
    return None
