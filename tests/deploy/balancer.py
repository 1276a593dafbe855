"""nginx with the file of deploy/, before servers on this machine."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.needs import ROOT, nginx

FILE = ROOT / "deploy/nginx/nginx.conf"
READY_WITHIN = 30.0


class Balancer:
    """nginx, with nothing changed in its file but names and places. `servers`: by name, gRPC and HTTP."""

    def __init__(self, servers: dict[str, tuple[str, str]]) -> None:
        self._servers = servers
        self.grpc, self.http = (f"127.0.0.1:{free_port()}" for _ in range(2))
        # Not pytest's: where root runs it, its workers are somebody else.
        self._folder = Path(tempfile.mkdtemp(prefix="bgcore-nginx-"))
        self._process: subprocess.Popen[bytes] | None = None

    def text(self) -> str:
        """Its file, as it is here."""
        text = FILE.read_text(encoding="utf-8")
        for name, (grpc, http) in self._servers.items():
            text = text.replace(f"{name}:50051", grpc).replace(f"{name}:8080", http)
        text = text.replace("listen 50051 ", f"listen {self.grpc} ")
        text = text.replace("listen 8080;", f"listen {self.http};")
        assert not re.search(r"[\s:](50051|8080)\b", re.sub("#.*", "", text))
        return text.replace("/tmp/", f"{self._folder}/")

    def __enter__(self) -> Self:
        program = nginx()
        assert program
        self._folder.chmod(0o755)
        file = self._folder / "nginx.conf"
        file.write_text(self.text(), encoding="utf-8")
        command = [program, "-p", str(self._folder), "-c", str(file), "-e", "stderr"]
        subprocess.run([*command, "-t", "-q"], check=True)
        self._process = subprocess.Popen([*command, "-g", "daemon off;"])
        deadline = time.monotonic() + READY_WITHIN
        while not (listens(self.grpc) and listens(self.http)):
            assert self._process.poll() is None, "nginx ended"
            assert time.monotonic() < deadline, "nginx does not listen"
            time.sleep(0.02)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._process:
            self._process.terminate()
            self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def listens(address: str) -> bool:
    host, _, port = address.rpartition(":")
    with socket.socket() as trial:
        return trial.connect_ex((host, int(port))) == 0
