"""A line between client and server that can be cut, or lose the answers."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Self


class Proxy:
    """Passes on what comes, both ways, until it is cut."""

    def __init__(self, target: str) -> None:
        self._host, _, port = target.rpartition(":")
        self._port = int(port)
        self._open: set[asyncio.StreamWriter] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self.connections = 0
        self.loses_answers = False

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.target = f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        self.cut()
        await asyncio.gather(*self._tasks)
        await self._server.wait_closed()

    def cut(self) -> None:
        """End all connections; new ones are let through."""
        for writer in self._open:
            writer.transport.abort()

    async def _accept(self, near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            far, there = await asyncio.open_connection(self._host, self._port)
        except OSError:  # nobody is there
            back.transport.abort()
            return
        self._open |= {back, there}
        for pipe in (self._pass_on(near, there), self._pass_on(far, back, answers=True)):
            task = asyncio.create_task(pipe)
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _pass_on(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, answers: bool = False
    ) -> None:
        with suppress(OSError):
            while data := await reader.read(1 << 16):
                if not (answers and self.loses_answers):
                    writer.write(data)
                    await writer.drain()
        writer.transport.abort()
        self._open.discard(writer)
