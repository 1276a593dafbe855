"""A real server: a process of its own, that can be killed and started again."""

from __future__ import annotations

import selectors
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Self

READY_WITHIN = 30.0


def command() -> str:
    """The `bgcore` of the environment that runs the tests."""
    beside = Path(sys.executable).with_name("bgcore")
    found = str(beside) if beside.exists() else shutil.which("bgcore")
    if found is None:
        raise FileNotFoundError(f"no bgcore beside {sys.executable}, nor on the PATH")
    return found


@dataclass
class ServerProcess:
    """`bgcore serve` on a database of its own. The address stays the same when it is started again."""

    folder: Path
    arguments: tuple[str, ...] = ("--allow-seeded",)
    grpc: str = "127.0.0.1:0"
    http: str = "127.0.0.1:0"
    starts: int = 0
    database: str = ""  # a file in the folder, unless it is named
    program: tuple[str, ...] = ()  # `bgcore`, unless it is another one
    _process: subprocess.Popen[str] | None = field(default=None, repr=False)

    def start(self) -> Self:
        """Start it, and wait until it says that it listens."""
        self.folder.mkdir(exist_ok=True)
        database = self.database or f"sqlite:///{self.folder / 'tables.db'}"
        self.starts += 1
        with self.log.open("a", encoding="utf-8") as log:
            self._process = subprocess.Popen(
                [
                    *(self.program or (command(),)),
                    *("serve", "--listen", self.grpc, "--http", self.http),
                    *("--db", database, *self.arguments),
                ],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                cwd=self.folder,
            )
        assert self._process.stdout is not None
        words = self._line(self._process.stdout).split()
        if not words or words[0] != "listening":
            self.kill()
            raise AssertionError(f"expected 'listening …', got {words}\n{self.told()}")
        said = dict(word.split("=") for word in words[1:])
        self.grpc, self.http = said["grpc"], said["http"]
        return self

    def _line(self, output: IO[str]) -> str:
        with selectors.DefaultSelector() as selector:
            selector.register(output, selectors.EVENT_READ)
            return output.readline() if selector.select(READY_WITHIN) else ""

    def kill(self) -> None:
        """End it at once, as `kill -9` or a power cut does."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            assert self._process.stdout is not None
            self._process.stdout.close()

    def stop(self) -> int:
        """Ask it to end, as an operator does, and tell its status."""
        self.signal(signal.SIGTERM)
        return self.ended()

    def ended(self) -> int:
        """Wait until it has ended, and tell its status."""
        assert self._process is not None
        try:
            return self._process.wait(30)
        finally:
            self.kill()

    def restart(self) -> None:
        """Kill it and start it again."""
        self.kill()
        self.start()

    def signal(self, number: int) -> None:
        """Send it a signal."""
        assert self._process is not None
        self._process.send_signal(number)

    @property
    def pid(self) -> int:
        """The number of the process."""
        assert self._process is not None
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process is there."""
        return self._process is not None and self._process.poll() is None

    @property
    def log(self) -> Path:
        """What it writes on standard error."""
        return self.folder / "server.log"

    def told(self) -> str:
        """The end of it."""
        time.sleep(0.1)
        return self.log.read_text(encoding="utf-8")[-4000:]
