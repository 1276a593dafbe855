"""A server in a process of its own, watched from outside: its processor time, its flushes to the disk."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from tests.needs import ROOT

READY_SECONDS = 60.0
FLUSH = re.compile(rb"^\d+ +f(?:data)?sync\(", re.MULTILINE)


@dataclass
class Process:
    """A process that serves gRPC on a port of this machine."""

    pid: int
    address: str
    trace: Path | None = None

    def cpu(self) -> int:
        """Nanoseconds of processor time so far: user's and system's, of all threads, ended ones too."""
        # The clock of another process, as clock_getcpuclockid(3) makes it on Linux.
        return time.clock_gettime_ns((~self.pid << 3) | 2)

    def resident(self) -> int:
        """Bytes of memory that it has just now."""
        pages = Path(f"/proc/{self.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    def flushes(self) -> int:
        """Calls of fsync and fdatasync so far."""
        assert self.trace is not None
        return len(FLUSH.findall(self.trace.read_bytes()))


STRACE = ("strace", "-D", "-f", "--seccomp-bpf", "-e", "trace=fsync,fdatasync", "-o")
"""-D: what is traced stays our child. seccomp: only the calls that count are slowed down."""


@cache
def no_trace() -> str:
    """Why flushes cannot be counted; empty: they can."""
    if shutil.which(STRACE[0]) is None:
        return "no strace on the PATH"
    tried = subprocess.run([*STRACE, os.devnull, "true"], capture_output=True, check=False)
    return "strace may not trace here" if tried.returncode else ""


@asynccontextmanager
async def serving(*arguments: str, trace: Path | None = None) -> AsyncIterator[Process]:
    """Runs `python ARGUMENTS` until the block ends; with a `trace` under strace, which writes there.

    It must print a line with `grpc=HOST:PORT` when it is ready.
    """
    child = await asyncio.create_subprocess_exec(
        *((*STRACE, str(trace)) if trace else ()),
        sys.executable,
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        cwd=ROOT,
    )
    try:
        assert child.stdout is not None
        line = await asyncio.wait_for(child.stdout.readline(), READY_SECONDS)
        found = re.search(rb"grpc=(\S+)", line)
        assert found, f"python {' '.join(arguments)}: {line!r}"
        yield Process(child.pid, found[1].decode(), trace)
    finally:
        if child.returncode is None:
            child.terminate()
        await child.wait()
