"""HTTP/1.1 by hand, for requests that no library would send."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

from tests.hostile.port import Port, Streams

PATIENCE = 60.0
"""Seconds that an answer may take on a machine with much else to do. Who waits longer has found a hang."""


class HungUp(Exception):
    """The server closed the connection instead of an answer."""


@dataclass(frozen=True, slots=True)
class HttpAnswer:
    """What came back."""

    status: int
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


@asynccontextmanager
async def connected(port: Port, source: str = "") -> AsyncIterator[Streams]:
    """A connection, from another loopback address if one is named."""
    reader, writer = await port.open(source)
    try:
        yield reader, writer
    finally:
        await hang_up(writer)


async def hang_up(writer: asyncio.StreamWriter) -> None:
    """Close a connection at once, whatever is still to be sent."""
    writer.transport.abort()
    with suppress(OSError):
        await writer.wait_closed()


async def exchange(port: Port, raw: bytes, source: str = "") -> HttpAnswer:
    """One answer to some bytes, on a connection of their own."""
    async with connected(port, source) as (reader, writer):
        writer.write(raw)
        return await answer(reader)


async def answer(reader: asyncio.StreamReader, part: bool = False) -> HttpAnswer:
    """The next answer; only the first piece of its body, where that may never end."""
    try:
        async with asyncio.timeout(PATIENCE):
            return await _answer(reader, part)
    except (asyncio.IncompleteReadError, ConnectionError) as error:
        raise HungUp from error


async def _answer(reader: asyncio.StreamReader, part: bool) -> HttpAnswer:
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    first, *lines = head.split("\r\n")
    headers = {}
    for line in filter(None, lines):
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    status = int(first.split()[1])
    if status == 100:
        return await _answer(reader, part)
    if headers.get("transfer-encoding") == "chunked":
        body = await _chunks(reader, part)
    else:
        body = await reader.readexactly(int(headers.get("content-length", "0")))
    return HttpAnswer(status, headers, body)


async def _chunks(reader: asyncio.StreamReader, part: bool) -> bytes:
    found = b""
    while size := int(await reader.readline(), 16):
        found += await reader.readexactly(size)
        await reader.readexactly(2)
        if part:
            return found
    await reader.readline()
    return found


def post(path: str, body: bytes, *headers: tuple[str, str]) -> bytes:
    """A request, correct but for what is in it."""
    lines = [f"POST {path} HTTP/1.1", "host: x", f"content-length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in headers]
    return "\r\n".join(lines).encode("utf-8", "surrogateescape") + b"\r\n\r\n" + body
