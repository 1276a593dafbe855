"""A place to listen at."""

from __future__ import annotations

import socket
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Address:
    """A host and a port; port 0 means any free one."""

    host: str
    port: int

    @classmethod
    def read(cls, text: str) -> Address:
        """The address of a text; `ValueError` when it is none.

        >>> Address.read("[::1]:50051")
        Address(host='::1', port=50051)
        """
        host, _, port = text.rpartition(":")
        if not host or not (port.isascii() and port.isdigit()) or int(port) > 65535:
            raise ValueError(f"{text}: expected HOST:PORT, such as 127.0.0.1:50051")
        return cls(host.removeprefix("[").removesuffix("]"), int(port))

    def check_free(self) -> None:
        """`OSError` says why nobody can listen here; grpc itself would not say it."""
        try:
            family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
            with socket.socket(family, socket.SOCK_STREAM) as trial:
                trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                trial.bind((self.host, self.port))
        except OSError as problem:
            why = (problem.strerror or str(problem)).lower()
            raise OSError(f"cannot listen on {self}: {why}, expected a free HOST:PORT") from None

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"
