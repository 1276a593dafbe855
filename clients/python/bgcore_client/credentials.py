"""What a server that speaks TLS is met with."""

from __future__ import annotations

from pathlib import Path

import grpc


def tls(
    ca: Path | str | None = None, cert: Path | str | None = None, key: Path | str | None = None
) -> grpc.ChannelCredentials:
    """Credentials for `Client(…, credentials=tls())`, from files in PEM.

    `ca` has the certificates of those who may have signed the server's; without it those that grpc brings.
    `cert`, with its chain, and `key` are for a server that asks who you are (mutual TLS).
    `OSError` for a file that cannot be read, `ValueError` for one of a pair.
    """
    if (cert is None) != (key is None):
        raise ValueError("expected both cert and key, or neither")
    trusted, chain, secret = (
        None if file is None else Path(file).read_bytes() for file in (ca, cert, key)
    )
    return grpc.ssl_channel_credentials(trusted, secret, chain)
