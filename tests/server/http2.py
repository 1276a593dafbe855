"""HTTP/2 by hand, to be as rude as no library would be."""

from __future__ import annotations

import asyncio
import struct
from dataclasses import dataclass

from bgcore_server.address import Address

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SETTINGS, PING, GOAWAY = 4, 6, 7
MAX_STREAMS, MAX_HEADERS = 3, 6


def frame(kind: int, payload: bytes = b"", flags: int = 0, stream: int = 0) -> bytes:
    return struct.pack(">I", len(payload))[1:] + struct.pack(">BBI", kind, flags, stream) + payload


@dataclass
class Http2:
    """A connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    @classmethod
    async def to(cls, address: Address) -> Http2:
        return cls.over(*await asyncio.open_connection(address.host, address.port))

    @classmethod
    def over(cls, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Http2:
        """On a connection that is there already."""
        writer.write(PREFACE + frame(SETTINGS))
        return cls(reader, writer)

    async def until(self, wanted: int) -> bytes:
        """The payload of the next frame of a kind; `IncompleteReadError` when the server hangs up."""
        while True:
            head = await self.reader.readexactly(9)
            payload = await self.reader.readexactly(int.from_bytes(head[:3], "big"))
            if head[3] == wanted:
                return payload

    async def settings(self) -> dict[int, int]:
        """What the server allows."""
        payload = await self.until(SETTINGS)
        self.writer.write(frame(SETTINGS, flags=1))
        return dict(struct.iter_unpack(">HI", payload))

    async def gone(self) -> tuple[int, bytes]:
        """Why the server closes the connection: its code and its words."""
        payload = await self.until(GOAWAY)
        return int.from_bytes(payload[4:8], "big"), payload[8:]

    def close(self) -> None:
        self.writer.close()
