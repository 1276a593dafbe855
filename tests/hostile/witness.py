"""Another client, who plays match after match on a connection of his own while the server is attacked.

He comes from another address, so that the quotas of the attacker are not his.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from google.protobuf import json_format
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import table_pb2 as table
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_server.server import DESCRIPTORS
from tests.hostile.http1 import HungUp, post
from tests.hostile.port import Port
from tests.hostile.senders import JSON, WebSender, path_of
from tests.server.helpers import ref

SOURCE = "127.0.0.2"
RPCS = {rpc.name: rpc for descriptor in DESCRIPTORS for rpc in descriptor.methods}
Act = table.Action


@dataclass
class Witness:
    """A client who insists on being served."""

    port: Port
    account: str = ""  # the token with which he makes tables and sits down
    calls: int = 0
    matches: int = 0
    _sender: WebSender = field(init=False)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    _playing: asyncio.Task[None] | None = None

    def __post_init__(self) -> None:
        self._sender = WebSender(self.port, JSON, SOURCE)

    async def ask(self, name: str, request: Message, token: str = "") -> Any:
        """The answer; anything else is a failure."""
        rpc = RPCS[name]
        body = json_format.MessageToJson(request, indent=None).encode()
        headers = [("content-type", "application/json")]
        headers += [("authorization", f"Bearer {token}")] if token else []
        raw = post(path_of(rpc), body, *headers)
        async with self._turn:
            try:
                found = await self._sender.raw(raw)
            except HungUp:  # it was idle for too long
                found = await self._sender.raw(raw)
        assert found.status == 200, (name, found)
        self.calls += 1
        return json_format.Parse(found.body, GetMessageClass(rpc.output_type)())

    @asynccontextmanager
    async def playing(self) -> AsyncIterator[Witness]:
        """Plays until the block ends."""
        self._playing = asyncio.create_task(self._play())
        try:
            yield self
        finally:
            self._playing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._playing
            await self._sender.close()

    async def go_on(self) -> None:
        """Wait for two more answers: he is served, or says why not."""
        assert self._playing is not None
        wanted = self.calls + 2
        while self.calls < wanted:
            if self._playing.done():
                self._playing.result()
            await asyncio.sleep(0.01)

    async def _play(self) -> None:
        while True:
            await self._match()
            self.matches += 1

    async def _match(self) -> None:
        made = await self.ask(
            "CreateTable", service.CreateTableRequest(variant=ref(match_length=1)), self.account
        )
        tokens = {}
        for seat in (pb.SEAT_WHITE, pb.SEAT_BLACK):
            joined = await self.ask(
                "JoinTable",
                service.JoinTableRequest(table=made.table.id, seat=seat),
                self.account,
            )
            tokens[seat] = joined.token
        state = joined.state
        while state.HasField("decision"):
            seat = state.decision.seat or pb.SEAT_WHITE
            request = service.ActRequest(
                table=made.table.id,
                action=_next(state.decision),
                expected_revision=state.revision,
                view=pb.PLAY_VIEW_TEXT,
            )
            state = (await self.ask("Act", request, tokens[seat])).state
            await asyncio.sleep(0.02)  # he has to think


def _next(decision: table.Decision) -> Act:
    kinds = set(decision.kinds)
    if table.ACTION_KIND_THROW in kinds:
        return Act(throw=table.ThrowAction())
    if table.ACTION_KIND_PLAY in kinds:
        text = decision.plays.texts[0] if decision.plays.texts else ""
        return Act(play=table.PlayAction(play=pb.Play(text=text)))
    return Act(roll=table.RollAction())
