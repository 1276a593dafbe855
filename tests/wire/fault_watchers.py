"""Watchers who are cut off again and again, and go on at any server where they were."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import grpc
import grpc.aio

from bgcore_client import messages
from bgcore_client.call import METHODS
from bgcore_client.transport import OPTIONS, rpc
from tests.wire.matches import NO_PLAYS, without_state

ROUND = 6.0
"""Seconds after which a watch is asked for anew: a server that is held up says nothing."""

AWAY = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)


if TYPE_CHECKING:
    Stream = grpc.aio.UnaryStreamCall[messages.WatchTableRequest, messages.WatchTableResponse]


class Lines:
    """Connections to all servers, through proxies that are cut."""

    def __init__(self, targets: Sequence[str], chance: random.Random) -> None:
        self._channels = [grpc.aio.insecure_channel(target, OPTIONS) for target in targets]
        method = METHODS[messages.WatchTableRequest]
        self._watches = [rpc(channel, method) for channel in self._channels]
        self.chance = chance
        self.counts: Counter[str] = Counter()

    def watch(self, table: str, after: int) -> Stream:
        """The stream of a table at any of them."""
        request = messages.WatchTableRequest(table=table, after_revision=after, view=NO_PLAYS)
        self.counts["streams"] += 1
        stream: Stream = self.chance.choice(self._watches)(request, timeout=ROUND)
        return stream

    async def close(self) -> None:
        """Let go."""
        for channel in self._channels:
            await channel.close()


@dataclass
class Watcher:
    """Somebody who looks on at a table from its first event. What a stream tells is taken as it comes."""

    lines: Lines
    table: str
    events: list[messages.Event] = field(default_factory=list)
    last: int | None = None  # how far to look, when that is known
    broken: list[str] = field(default_factory=list)

    async def watch(self) -> None:
        """Look on until everything was seen, or something is refused."""
        while not self.done():
            stream = self.lines.watch(self.table, len(self.events))
            try:
                async for message in stream:
                    self.told(message)
                    if self.done():
                        break
            except grpc.aio.AioRpcError as failed:
                if failed.code() not in AWAY:
                    self.broken.append(f"{failed.code()} after {len(self.events)}")
                    return
            finally:
                stream.cancel()
            await asyncio.sleep(self.lines.chance.uniform(0.01, 0.2))

    def done(self) -> bool:
        """Whether all has been seen."""
        return self.last is not None and len(self.events) >= self.last

    def told(self, message: messages.WatchTableResponse) -> None:
        """An event must be the next one, and nothing else than it and a sign of life may come."""
        kind = message.WhichOneof("kind")
        if kind == "heartbeat":
            return
        expected = len(self.events) + 1
        if kind != "event" or message.event.revision != expected:
            self.broken.append(f"{kind} {message.event.revision}: expected event {expected}")
        if message.event.state.revision != message.event.revision:
            self.broken.append(f"event {message.event.revision}: with another state")
        self.events.append(without_state(message.event))
        self.lines.counts["events"] += 1


async def go_away_without_reading(target: str, tables: Sequence[str], chance: random.Random) -> int:
    """Ask for streams, read nothing, and be gone."""
    channel = grpc.aio.insecure_channel(target)
    watch = rpc(channel, METHODS[messages.WatchTableRequest])
    streams = [watch(messages.WatchTableRequest(table=one, after_revision=0)) for one in tables]
    await asyncio.sleep(chance.uniform(0.05, 0.5))
    await channel.close()
    return len(streams)
