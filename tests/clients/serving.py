"""A real server, as a process that can be killed and started again in the same place."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import Self

READY = re.compile(r"listening grpc=(127\.0\.0\.1:\d+) http=127\.0\.0\.1:\d+\n")


class Server:
    """`bgcore serve` on a database of its own."""

    def __init__(self, database: Path, *arguments: str) -> None:
        self._database = database
        self._arguments = arguments
        self._process: subprocess.Popen[str] | None = None
        self.address = "127.0.0.1:0"

    def start(self) -> None:
        """Start it, the second time at the address of the first; wait until it is ready."""
        serve = [sys.executable, "-m", "bgcore_server.cli", "serve", "--listen", self.address]
        self._process = subprocess.Popen(
            [
                *serve,
                "--http",
                "127.0.0.1:0",
                "--db",
                f"sqlite:///{self._database}",
                *self._arguments,
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        )
        assert self._process.stdout
        ready = READY.fullmatch(self._process.stdout.readline())
        assert ready, "the server does not say where it listens"
        self.address = ready[1]

    def kill(self) -> None:
        """End it without a word, as when the power fails."""
        if self._process:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.kill()
