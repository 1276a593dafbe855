"""People who look on at tables: they take each event as it comes, and write down when."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass, field

import grpc

from bgcore_proto.v1 import table_service_pb2 as service

WATCH = "/bgcore.v1.TableService/WatchTable"


@dataclass
class Watcher:
    """Somebody who looks on at a table."""

    channel: grpc.aio.Channel
    table: str
    revision: int
    heard: dict[int, int] = field(default_factory=dict)  # revision: nanoseconds
    _moved: asyncio.Event = field(default_factory=asyncio.Event)

    def begin(self) -> asyncio.Task[None]:
        """Look on until cancelled."""
        return asyncio.create_task(self._watch())

    async def _watch(self) -> None:
        call = self.channel.unary_stream(
            WATCH,
            request_serializer=service.WatchTableRequest.SerializeToString,
            response_deserializer=service.WatchTableResponse.FromString,
        )
        request = service.WatchTableRequest(table=self.table, after_revision=self.revision)
        async for message in call(request):
            now = time.monotonic_ns()
            if message.WhichOneof("kind") == "event":
                assert message.event.revision == self.revision + 1, "no gap, and nothing twice"
                self.revision += 1
                self.heard[self.revision] = now
                self._moved.set()

    async def reached(self, revision: int) -> None:
        """Wait until it has seen so much."""
        while self.revision < revision:
            self._moved.clear()
            await self._moved.wait()
