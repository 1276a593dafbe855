"""A `bgcore serve` of its own, watched from outside: its log, its memory, its files, its calls."""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from bgcore_server.address import Address
from tests.hostile.http1 import exchange
from tests.hostile.port import Port
from tests.hostile.way import PLAIN, Way
from tests.needs import ROOT
from tests.server.test_serve import environment

READY_SECONDS = 60.0
STOP_SECONDS = 60.0
FAULTS = frozenset({"server fault", "bot failed", "upkeep failed", "plugin failed"})
HELLO = re.compile(r"tables are kept in |(compiled|plain) kernel|  curl |stopping$|\s*$")
"""What it tells whoever starts it."""
OUR_CODES = frozenset({"INTERNAL", "UNKNOWN"})


@dataclass
class Victim:
    """A server in a process of its own."""

    child: asyncio.subprocess.Process
    grpc: Port
    web: Port
    log: Path

    @property
    def alive(self) -> bool:
        return self.child.returncode is None

    def resident(self) -> int:
        """Bytes of memory that it has now."""
        return self._memory("VmRSS")

    def peak(self) -> int:
        """Bytes of memory that it ever had."""
        return self._memory("VmHWM")

    def files(self) -> int:
        """File descriptors that it holds, without those at whose other end we still are: grpc's client is lazy."""
        theirs, ours = (len(os.listdir(f"/proc/{pid}/fd")) for pid in (self.child.pid, "self"))  # noqa: PTH208
        return theirs - ours

    def faults(self) -> list[str]:
        """Lines of the log that a client must not be able to cause."""
        return [line for line in self.log.read_text().splitlines() if is_fault(line)]

    async def open_calls(self) -> int:
        """Calls that run, as /metrics tells."""
        answer = await exchange(self.web, b"GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n")
        found = re.findall(rb"^bgcore_calls_open\{[^}]*\} (\S+)$", answer.body, re.MULTILINE)
        return round(sum(float(number) for number in found))

    async def stop(self) -> int:
        """Ask it to stop; its status. One that does not come to an end in time is a failure."""
        self.child.terminate()
        return await asyncio.wait_for(self.child.wait(), STOP_SECONDS)

    def _memory(self, key: str) -> int:
        status = Path(f"/proc/{self.child.pid}/status").read_text()
        found = re.search(rf"^{key}:\s+(\d+) kB$", status, re.MULTILINE)
        assert found
        return int(found[1]) * 1024


def is_fault(line: str) -> bool:
    """Whether a line of the log tells of a fault: whatever is no JSON is a traceback or a library's cry."""
    try:
        entry = json.loads(line)
    except ValueError:
        return not HELLO.match(line)
    loud = entry.get("level") in ("error", "critical")
    return loud or entry.get("event") in FAULTS or entry.get("code") in OUR_CODES


@asynccontextmanager
async def victim(folder: Path, *flags: str, way: Way = PLAIN) -> AsyncIterator[Victim]:
    """A server until the block ends; its log is in the folder, and its database if it has no other."""
    log = folder / "log"
    database = way.database or f"sqlite:///{folder / 'tables.db'}"
    authority, files = way.certificates(folder)
    with log.open("wb") as errors:
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bgcore_server.cli", "serve"),
            *("--listen", "127.0.0.1:0", "--http", "127.0.0.1:0"),
            *("--db", database, "--grace", "5", *files, *way.accounts_flags, *flags),
            stdout=asyncio.subprocess.PIPE,
            stderr=errors,
            cwd=ROOT,
            env=environment(),
        )
    try:
        assert child.stdout is not None
        line = await asyncio.wait_for(child.stdout.readline(), READY_SECONDS)
        found = re.search(rb"grpc=(\S+) http=(\S+)", line)
        assert found, (line, log.read_text())
        grpc, web = (Address.read(part.decode()) for part in found.groups())
        yield Victim(child, Port(grpc, authority, ("h2",)), Port(web, authority), log)
    finally:
        if child.returncode is None:
            child.kill()
            await child.wait()
