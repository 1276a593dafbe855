"""What every attack works with, and what must hold after each."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

import grpc
from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.message import Message

from bgcore_server.server import DESCRIPTORS
from tests.hostile.answers import Answer, Tally
from tests.hostile.messages import Maker
from tests.hostile.process import Victim
from tests.hostile.senders import CONNECT, GRPC, JSON, WEB, GrpcSender, Headers, Send, WebSender
from tests.hostile.witness import Witness

MIB = 1 << 20
MOST_MEMORY = 512 * MIB
"""More than a server may ever hold here: it starts with about 110 MiB."""
SETTLE_SECONDS = 60.0
SPARE_FILES = 40
"""File descriptors that may be opened once and kept: of the store, of threads, of the witness."""

RPCS: tuple[MethodDescriptor, ...] = tuple(
    rpc
    for service in DESCRIPTORS
    if service.full_name.startswith("bgcore.")
    for rpc in service.methods
)
BY_NAME = {rpc.name: rpc for rpc in RPCS}


@dataclass
class Stage:
    """A victim, ways to reach it, and a witness who plays on."""

    victim: Victim
    witness: Witness
    channel: grpc.aio.Channel
    chance: random.Random
    effort: float
    """How much of everything is sent: 1 is the long run."""
    generous: bool = True
    """The quotas do not get in the way."""
    accounts: list[str] = field(default_factory=list)
    """Tokens of accounts, where the server knows any."""
    tally: Tally = field(default_factory=Tally)
    figures: list[str] = field(default_factory=list)
    deadline: float = float("inf")
    maker: Maker = field(init=False)
    senders: dict[str, Send] = field(init=False)

    def __post_init__(self) -> None:
        self.maker = Maker(self.chance)
        web = {kind: WebSender(self.victim.web, kind) for kind in (JSON, CONNECT, WEB)}
        self.senders = {GRPC: GrpcSender(self.channel), **web}

    def times(self, number: int) -> range:
        """As many rounds as the effort is worth, at least one."""
        return range(max(1, round(number * self.effort)))

    async def close(self) -> None:
        """Hang up, but not the witness."""
        for sender in self.senders.values():
            if isinstance(sender, WebSender):
                await sender.close()

    @property
    def over(self) -> bool:
        """No more time."""
        return time.monotonic() > self.deadline

    async def send(
        self, protocol: str, rpc: MethodDescriptor, body: bytes, *headers: tuple[str, str]
    ) -> Answer:
        """Send bytes, and count what comes back."""
        found = await self.senders[protocol](rpc, body, headers)
        return self.tally.add(protocol, found, f"{rpc.name} {headers!r:.80} {body!r:.300}")

    async def call(self, name: str, request: Message, token: str = "") -> Answer:
        """An rpc over gRPC."""
        headers = bearer(token) if token else ()
        return await self.send(GRPC, BY_NAME[name], request.SerializeToString(), *headers)

    async def answered(self, name: str, request: Message, token: str = "") -> Any:
        """The answer of an rpc that must be answered."""
        return await self.witness.ask(name, request, token)

    async def phase(self, attack: Callable[[Stage], Awaitable[None]]) -> None:
        """Run an attack, and look at what it has left."""
        started, seen = time.monotonic(), sum(self.tally.counts.values())
        name = attack.__name__.replace("_", " ")
        await attack(self)
        await self.witness.go_on()
        sent = sum(self.tally.counts.values()) - seen
        await self.check(name)
        self.figures.append(
            f"{name}: {sent} answers, {time.monotonic() - started:.1f} s, "
            f"RSS {self.victim.resident() // MIB} MiB, peak {self.victim.peak() // MIB} MiB"
        )

    async def check(self, name: str) -> None:
        """Alive, nothing in the log, nothing wrong in the answers, memory bounded."""
        assert self.victim.alive, f"{name}: the server is dead"
        assert not self.tally.wrong, "\n".join([f"{name}:", *self.tally.wrong[:20]])
        faults = self.victim.faults()
        assert not faults, "\n".join([f"{name}: in the log:", *faults[:5]])
        assert self.victim.peak() < MOST_MEMORY, f"{name}: {self.victim.peak() // MIB} MiB"

    async def settled(self, calls: int, files: int) -> None:
        """What attacks opened has gone: calls, but one of the witness, and files are as before."""
        give_up = time.monotonic() + SETTLE_SECONDS
        while True:
            found = await self.victim.open_calls(), self.victim.files()
            if found[0] <= calls + 1 and found[1] <= files + SPARE_FILES:
                return
            assert time.monotonic() < give_up, f"left: {found}, before: {(calls, files)}"
            await asyncio.sleep(0.2)


def bearer(token: str) -> Headers:
    return (("authorization", f"Bearer {token}"),)
