"""A disk that is full, or fails: acts are refused, nothing is lost, and it goes on when there is room again."""

from __future__ import annotations

import errno
import os
import resource
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pytest

from bgcore_client import (
    BLACK,
    WHITE,
    Client,
    DeadlineExceeded,
    Seat,
    Table,
    Unavailable,
    bot,
    messages,
)
from tests.wire.process import ServerProcess, command

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits and mounts of Linux")

OWN_MOUNTS = ("unshare", "--user", "--map-root-user", "--mount")
UNLIMITED = resource.RLIM_INFINITY
IDLE = 1.2
"""Seconds in which the writer copies its log, for want of anything else to do."""


@cache
def no_mounts() -> str:
    """Why there can be no small file system here; empty: there can."""
    if shutil.which(OWN_MOUNTS[0]) is None:
        return "no unshare on the PATH"
    mount = [*OWN_MOUNTS, "mount", "-t", "tmpfs", "none", "/mnt"]
    tried = subprocess.run(mount, capture_output=True, check=False)
    return "no mounts of one's own here" if tried.returncode else ""


class Full:
    """A file system of a megabyte or two, filled by something else."""

    def __init__(self, folder: Path) -> None:
        if reason := no_mounts():
            pytest.skip(reason)
        self._place = folder / "small"
        self._place.mkdir()
        mount = f"mount -t tmpfs -o size=2m none {shlex.quote(str(self._place))}"
        self.server = ServerProcess(
            folder,
            database=f"sqlite:///{self._place}/tables.db",
            program=(*OWN_MOUNTS, "sh", "-c", f'{mount} && exec "$@"', "sh", command()),
        )

    @property
    def _other(self) -> Path:
        """A file of somebody else's, as it is seen from outside."""
        return Path(f"/proc/{self.server.pid}/root{self._place}/other")

    def begin(self) -> None:
        """No room any more."""
        with self._other.open("ab", buffering=0) as file:
            try:
                while True:
                    file.write(bytes(512))
            except OSError as full:
                if full.errno != errno.ENOSPC:
                    raise

    def end(self) -> None:
        """Room again."""
        self._other.unlink()


class Failing:
    """A disk on which nothing can be written: what the process is allowed is no more than it has."""

    def __init__(self, folder: Path) -> None:
        self.server = ServerProcess(folder)

    def begin(self) -> None:
        """From now on no file may grow."""
        resource.prlimit(self.server.pid, resource.RLIMIT_FSIZE, (0, UNLIMITED))

    def end(self) -> None:
        """As it was."""
        resource.prlimit(self.server.pid, resource.RLIMIT_FSIZE, (UNLIMITED, UNLIMITED))


Disk = Full | Failing


@pytest.fixture(params=[Full, Failing], ids=["full", "failing"])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Disk]:
    found: Disk = request.param(tmp_path)
    found.server.start()
    try:
        yield found
        assert "server fault" not in found.server.told()
        assert "Traceback" not in found.server.told()
    finally:
        found.server.kill()


@dataclass
class Game:
    """Two who roll and play, and what was acknowledged to them."""

    table: Table
    seats: dict[messages.Seat, Seat]
    state: messages.TableState
    events: list[messages.Event] = field(default_factory=list)

    @classmethod
    def begin(cls, client: Client) -> Game:
        table = client.create_table("western", dice="seeded", seed=4)
        seats = {seat: table.join(seat) for seat in (WHITE, BLACK)}
        return cls(table, seats, table.get().state)

    def act(self, name: str = "", patience: float = 10) -> None:
        """The next act, the first play where there is a choice."""
        decision = self.state.decision
        seat = self.seats[decision.seat or WHITE].within(patience)
        how = {"request_id": name} if name else {}
        match decision.kinds[0]:
            case messages.ACTION_KIND_PLAY:
                size = decision.plays.lengths[0]
                origins, numbers = decision.plays.origins[:size], decision.plays.numbers[:size]
                answer = seat.play(list(zip(origins, numbers, strict=True)), **how)  # type: ignore[arg-type]
            case messages.ACTION_KIND_THROW:
                answer = seat.throw(**how)  # type: ignore[arg-type]
            case _:
                answer = seat.roll(**how)  # type: ignore[arg-type]
        self.state = answer.state
        self.events += answer.events

    def logged(self) -> list[messages.Event]:
        """What the log has of it."""
        return list(self.table.events(2, page_size=500))


def refused(ask: Callable[[], object]) -> bool:
    """Whether it is refused, and not done. The client tries again, and its time may be over in the middle."""
    for _ in range(30):
        try:
            ask()
            return False
        except Unavailable as error:
            if error.reason != "STORE_UNAVAILABLE":
                raise
            return True
        except DeadlineExceeded:
            continue
    raise AssertionError("neither done nor refused")


def until_refused(game: Game) -> str:
    """Act until an act is refused; the request id of that one."""
    for _ in range(10_000):
        name = f"act {game.state.revision} of {game.table.id}"
        if refused(lambda name=name: game.act(name, patience=1)):  # type: ignore[misc]
            return name
    raise AssertionError("it is never refused")


def test_acts_are_refused_and_nothing_is_lost_and_it_goes_on_when_there_is_room(disk: Disk) -> None:
    with Client(disk.server.grpc) as client:
        game = Game.begin(client)
        for _ in range(20):
            game.act()
        for _ in range(2):
            disk.begin()
            until_refused(game)
            assert refused(lambda: client.within(1).create_table("tavla"))
            time.sleep(IDLE)
            # Idle, it has tidied its log, where some acts may find room; then there is none again.
            name = until_refused(game)
            # Whoever looks is served.
            assert game.table.get().state == game.state
            assert game.logged() == game.events
            with closing(game.table.watch(0)) as watch:
                seen = [next(watch).revision for _ in range(game.state.revision)]
            assert seen == list(range(1, game.state.revision + 1))
            disk.end()
            game.act(name)
            for _ in range(20):
                game.act()
            assert game.logged() == game.events
        disk.server.restart() if isinstance(disk, Failing) else None
        assert game.logged() == game.events
        assert game.table.get().state == game.state


def test_a_bot_goes_on_when_there_is_room_again(disk: Disk) -> None:
    with Client(disk.server.grpc) as client:
        made = client.create_table(
            "tavla", options={"match_length": 25}, white=bot("greedy"), black=bot("greedy")
        )
        table = client.table(made.id)
        while table.get().state.revision < 20:
            time.sleep(0.01)
        disk.begin()
        time.sleep(0.2)
        seen = table.get().state.revision
        time.sleep(IDLE)
        assert table.get().state.revision == seen
        disk.end()
        for news in table.watch(seen):
            if news.revision > seen + 5:
                break


def test_a_file_that_may_only_be_read_is_refused_by_name(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path)
    server.start().kill()
    file = tmp_path / "tables.db"
    # An administrator may write everywhere, unless he gives up that right.
    may_not = "-dac_override,-dac_read_search"
    rights = ("setpriv", f"--bounding-set={may_not}", f"--inh-caps={may_not}")
    for path in (file, tmp_path):
        path.chmod(0o555)
    try:
        tried = subprocess.run(
            [
                *(rights if os.geteuid() == 0 else ()),
                *(command(), "serve", "--listen", "127.0.0.1:0", "--http", "127.0.0.1:0"),
                *("--db", f"sqlite:///{file}"),
            ],
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
    finally:
        for path in (file, tmp_path):
            path.chmod(0o755)
    assert tried.returncode == 1
    assert "tables.db" in tried.stderr
    assert "readonly" in tried.stderr
    assert "Traceback" not in tried.stderr
