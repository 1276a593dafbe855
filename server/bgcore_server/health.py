"""grpc.health.v1 as a plain service, so that every adapter has it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable

from google.protobuf.message import Message
from grpc_health.v1 import health_pb2 as pb

from bgcore.errors import Fault
from bgcore_server.call import Call
from bgcore_server.errors import NotFound


class Health:
    """Whether the server as a whole (the empty name) and each service serve."""

    def __init__(self, services: Iterable[str]) -> None:
        self._names = frozenset({"", *services})
        self._stopping = asyncio.Event()

    @property
    def serving(self) -> bool:
        """Whether new calls are welcome."""
        return not self._stopping.is_set()

    def stop(self) -> None:
        """From now on nothing serves."""
        self._stopping.set()

    def Check(self, request: pb.HealthCheckRequest, call: Call) -> pb.HealthCheckResponse:
        """The status of one service."""
        if request.service not in self._names:
            expected = ", ".join(sorted(name for name in self._names if name))
            raise NotFound(Fault("UNKNOWN_SERVICE", "service", request.service, expected))
        return self._response()

    def List(self, request: Message, call: Call) -> Message:
        """The status of every service; newer versions of the protocol have it."""
        status = {name: self._response() for name in self._names}
        response: type[Message] = vars(pb)["HealthListResponse"]
        return response(statuses=status)

    async def Watch(
        self, request: pb.HealthCheckRequest, call: Call
    ) -> AsyncIterator[pb.HealthCheckResponse]:
        """The status of one service, now and whenever it changes."""
        if request.service not in self._names:
            yield pb.HealthCheckResponse(status=pb.HealthCheckResponse.SERVICE_UNKNOWN)
            await self._stopping.wait()
            return
        told = self._response()
        yield told
        if told.status == pb.HealthCheckResponse.SERVING:
            await self._stopping.wait()
            yield self._response()

    def _response(self) -> pb.HealthCheckResponse:
        return pb.HealthCheckResponse(status="SERVING" if self.serving else "NOT_SERVING")
