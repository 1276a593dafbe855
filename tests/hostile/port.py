"""A port of the server under attack, and how it is reached: in plain text or through TLS."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import grpc

from bgcore_server.address import Address

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


@dataclass(frozen=True, slots=True)
class Port:
    """Where a server listens. `authority` is who has signed its certificate, in PEM; empty: it speaks no TLS."""

    address: Address
    authority: bytes = field(default=b"", repr=False)
    protocols: Sequence[str] = ()

    def __str__(self) -> str:
        return str(self.address)

    @property
    def plain(self) -> Port:
        """The same port, for somebody who does not know that it speaks TLS."""
        return Port(self.address)

    async def open(self, source: str = "") -> Streams:
        """A connection, from another loopback address if one is named."""
        tls = None
        if self.authority:
            tls = ssl.create_default_context(cadata=self.authority.decode())
            if self.protocols:
                tls.set_alpn_protocols(list(self.protocols))
        return await asyncio.open_connection(
            self.address.host,
            self.address.port,
            local_addr=(source, 0) if source else None,
            limit=1 << 24,
            ssl=tls,
        )

    def channel(self, **more: Any) -> grpc.aio.Channel:
        """A channel of gRPC's own client."""
        if not self.authority:
            return grpc.aio.insecure_channel(str(self), **more)
        trusted = grpc.ssl_channel_credentials(self.authority)
        return grpc.aio.secure_channel(str(self), trusted, **more)
