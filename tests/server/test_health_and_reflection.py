"""What tools ask a gRPC server first: is it well, and what can it do."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2

from tests.server.helpers import Client, Running, refusal_of, refused, running
from tests.server.test_tables import channel

SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


@pytest.mark.parametrize("service", ["", "bgcore.v1.TableService", "grpc.health.v1.Health"])
async def test_every_service_is_well(client: Client, service: str) -> None:
    request = health_pb2.HealthCheckRequest(service=service)
    assert (await client.Check(request)).status == SERVING


async def test_an_unknown_service_is_not_found(client: Client) -> None:
    found = await refusal_of(client.Check(health_pb2.HealthCheckRequest(service="no")))
    assert (found.code, found.reason) == (grpc.StatusCode.NOT_FOUND, "UNKNOWN_SERVICE")


async def test_a_stop_is_announced() -> None:
    async with running() as server, channel(server.grpc) as client:
        stream = client.Watch(health_pb2.HealthCheckRequest())
        assert (await stream.read()).status == SERVING
        server.server._health.stop()
        assert (await stream.read()).status == NOT_SERVING


@pytest.mark.parametrize("version", ["v1", "v1alpha"])
async def test_reflection_tells_services_and_files(client: Client, version: str) -> None:
    requests = [
        reflection_pb2.ServerReflectionRequest(list_services=""),
        reflection_pb2.ServerReflectionRequest(file_containing_symbol="bgcore.v1.TableService"),
        reflection_pb2.ServerReflectionRequest(file_by_filename="bgcore/v1/common.proto"),
        reflection_pb2.ServerReflectionRequest(file_by_filename="nowhere.proto"),
    ]
    services, symbol, file, nothing = await reflect(client, version, requests)
    names = {service.name for service in services.list_services_response.service}
    assert {"bgcore.v1.RulesService", "bgcore.v1.TableService", "grpc.health.v1.Health"} <= names
    assert symbol.file_descriptor_response.file_descriptor_proto
    assert b"bgcore/v1/common.proto" in file.file_descriptor_response.file_descriptor_proto[-1]
    assert nothing.HasField("error_response")


async def reflect(
    client: Client, version: str, requests: list[reflection_pb2.ServerReflectionRequest]
) -> list[reflection_pb2.ServerReflectionResponse]:
    rpc: Any = client.channel.stream_stream(
        f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo",
        request_serializer=lambda message: message.SerializeToString(),
        response_deserializer=reflection_pb2.ServerReflectionResponse.FromString,
    )
    return [answer async for answer in rpc(iter(requests))]


async def test_reflection_does_not_choke_on_nonsense(client: Client, server: Running) -> None:
    rpc: Any = client.channel.stream_stream(
        "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo"
    )
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        async for _ in rpc(iter([b"\xff" * 9])):
            pass
    assert refused(caught.value).reason == "UNREADABLE_MESSAGE"
    assert server.grpc.port
