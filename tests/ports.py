"""Ports for servers that are killed and come back at the same address."""

from __future__ import annotations

import random
import socket
from itertools import count

LOWEST, HIGHEST = 20_000, 32_000
"""Below those that outgoing connections are given, so that none of them sits there while the server is away."""


def free_port() -> int:
    """A port of this machine on which nobody listens, nor is given one while nobody does."""
    for _ in count():
        port = random.SystemRandom().randrange(LOWEST, HIGHEST)
        with socket.socket() as trial:
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                trial.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("count() has no end")
