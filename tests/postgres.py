"""A PostgreSQL of the tests' own, in a temporary folder, as durable as a real one."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import psycopg

from tests.ports import free_port

READY_WITHIN = 60.0
USER, PASSWORD, DATABASE = "bgcore", "hush-hush-5432", "tables"

SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "max_connections": "300",
    "shared_buffers": "64MB",
    "fsync": "on",
    "synchronous_commit": "on",
    "log_min_messages": "fatal",
}
HBA = "local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n"


def program(name: str) -> str | None:
    """One of PostgreSQL's programs; Debian keeps them by version and off the PATH."""
    homes = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=version, reverse=True)
    return shutil.which(name, path=os.pathsep.join(map(str, homes))) or shutil.which(name)


def version(home: Path) -> int:
    return int(home.parent.name) if home.parent.name.isdecimal() else 0


def account() -> str | None:
    """Who runs it where we are root, which it refuses to be; `None`: we ourselves do."""
    if os.geteuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name).pw_name
        except KeyError:
            continue
    return None


def missing() -> str:
    """Why there is none, or an empty text."""
    if not all(map(program, ("initdb", "postgres"))):
        return "no initdb and postgres on the PATH or in /usr/lib/postgresql (Debian's postgresql)"
    if os.geteuid() == 0 and account() is None:
        return "PostgreSQL does not run as root, and there is nobody else"
    if os.geteuid() == 0 and shutil.which("setpriv") is None:
        return "PostgreSQL does not run as root, and there is no setpriv (Debian's util-linux)"
    return ""


@dataclass
class Postgres:
    """A server with a schema for each test. It can be killed, and started again at the same address."""

    folder: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="bgcore-pg-")))
    port: int = 0
    schemas: int = 0
    _process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    def make(self) -> Self:
        """Make its files, and start it."""
        if user := account():
            shutil.chown(self.folder, user)
        command = [str(program("initdb")), "-D", str(self.data), "-A", "trust", "-U", "postgres"]
        self._run([*command, "-E", "UTF8", "--locale=C", "--no-instructions"])
        (self.data / "pg_hba.conf").write_text(HBA)
        self.port = free_port()
        self.start()
        self.execute(f"CREATE ROLE {USER} LOGIN PASSWORD '{PASSWORD}'", "public", "postgres")
        self.execute(f"CREATE DATABASE {DATABASE} OWNER {USER}", "public", "postgres")
        return self

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        settings = [f"-c{name}={value}" for name, value in SETTINGS.items()]
        command = [str(program("postgres")), "-D", str(self.data), "-k", str(self.folder)]
        deadline = time.monotonic() + READY_WITHIN
        while True:
            if self._process is None or self._process.poll() is not None:
                # Right after a kill it may find its own children still there, and give up.
                self._process = self._popen([*command, "-p", str(self.port), *settings])
            try:
                return self.execute("SELECT 1", "public", "postgres")
            except psycopg.OperationalError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)

    def kill(self) -> None:
        """End it at once, as a crash does; what is not on the disk is lost."""
        self._end(signal.SIGQUIT)

    def restart(self) -> None:
        """Kill it and start it again."""
        self.kill()
        self.start()

    def pause(self) -> None:
        """Hold up its first process and all others, as a machine that hangs does.

        The first one first, so that there will be no more; and one that is just ending is none of them.
        """
        assert self._process is not None
        self._hold_up(self._process.pid)
        for one in self._children():
            self._hold_up(one)

    def resume(self) -> None:
        """Let them go on."""
        assert self._process is not None
        for one in (*self._children(), self._process.pid):
            with suppress(ProcessLookupError):
                os.kill(one, signal.SIGCONT)

    def _hold_up(self, pid: int) -> None:
        with suppress(ProcessLookupError, FileNotFoundError):
            os.kill(pid, signal.SIGSTOP)
            while state_of(pid) not in ENDED_OR_HELD_UP:
                time.sleep(0.001)

    def _children(self) -> list[int]:
        assert self._process is not None
        pid = self._process.pid
        return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))

    def remove(self) -> None:
        """End it, and leave nothing."""
        if self._process is not None:
            self._end(signal.SIGQUIT)
        shutil.rmtree(self.folder, ignore_errors=True)

    def execute(self, statement: str, schema: str, database: str = DATABASE) -> None:
        """Have its administrator do something."""
        with self.connect(schema, database) as db:
            db.execute(statement.encode())

    def connect(self, schema: str, database: str = DATABASE) -> psycopg.Connection[Any]:
        """A connection as its administrator."""
        return psycopg.connect(
            host=str(self.folder),
            port=self.port,
            user="postgres",
            dbname=database,
            options=f"-csearch_path={schema}",
            autocommit=True,
            connect_timeout=5,
        )

    def new_url(self) -> str:
        """The URL of an empty schema: to us a database of its own, and sooner made than one."""
        self.schemas += 1
        name = f"test_{self.schemas}"
        self.execute(f"CREATE SCHEMA {name} AUTHORIZATION {USER}", "public")
        return f"{self.url()}?options=-csearch_path%3D{name}"

    def url(self, database: str = DATABASE) -> str:
        """The URL of a database, with the password."""
        return f"postgresql://{USER}:{PASSWORD}@127.0.0.1:{self.port}/{database}"

    def _run(self, command: list[str]) -> None:
        process = self._popen(command)
        told, _ = process.communicate()
        assert process.returncode == 0, told

    def _popen(self, command: list[str]) -> subprocess.Popen[bytes]:
        # Not by Popen, which would fork for it, and a process with gRPC in it must not fork.
        if user := account():
            become = [f"--reuid={user}", f"--regid={pwd.getpwnam(user).pw_gid}", "--clear-groups"]
            command = ["setpriv", *become, *command]
        with (self.folder / "log").open("ab") as log:
            return subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
            )

    def _end(self, number: signal.Signals) -> None:
        assert self._process is not None
        self._process.send_signal(number)
        self._process.wait(READY_WITHIN)


ENDED_OR_HELD_UP = "TZX"


def state_of(pid: int) -> str:
    """What a process does, as a letter of Linux."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


def schema_of(url: str) -> str:
    """The schema of a URL."""
    return url.rpartition("%3D")[2]
