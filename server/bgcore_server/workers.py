"""Whole matches and batches of positions, on threads of their own, so that other calls do not wait for them.

Anybody may send a file, and it may take a second. So who waits does it in short queues: one for files that anybody
sends, records for new tables among them, one for tables, whose players do not stand behind strangers, one for
batches, which take milliseconds and do not stand behind files. Whoever does not find room is told when to come
again, and a job whose caller has left ends at its next game. One caller may have only a few jobs in a queue, so that
nobody fills it for all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

from bgcore.errors import Fault
from bgcore_server.errors import Busy, Unavailable

T = TypeVar("T")

MOST_WAITING = 8
"""Jobs that wait in a queue beside the one that runs."""

MOST_BATCHES = 64
"""The same of batches."""

MOST_OF_ONE = 2
"""Jobs of one caller in a queue, that which runs included."""

MOST_BATCHES_OF_ONE = 16
"""The same of batches."""


@dataclass(slots=True)
class Job:
    """A job, and who waits for it, "" when that does not matter.

    It runs on another thread and looks here now and then.
    """

    who: str = ""
    gone: bool = False

    def check(self) -> None:
        """`Unavailable` when nobody waits for the answer any more, so nobody will read it either."""
        if self.gone:
            raise Unavailable(Fault("CALLER_LEFT", "", "nobody", "somebody who waits"))


class Queue:
    """One thread for what takes long, and a queue before it. All but the jobs is of the event loop."""

    def __init__(
        self,
        name: str,
        most_waiting: int = MOST_WAITING,
        jobs: str = "whole matches",
        most_of_one: int = MOST_OF_ONE,
        block: Callable[[str], str] = str,
    ) -> None:
        """`block` tells whom an address belongs to, "" where that does not matter."""
        self._thread = ThreadPoolExecutor(1, f"bgcore-{name}")
        self._most = most_waiting + 1
        self._most_of_one = most_of_one
        self._what = jobs
        self._block = block
        self._jobs: dict[Future[Any], Job] = {}

    async def run(self, work: Callable[[Job], T], peer: str = "") -> T:
        """What a job comes to, after those before it; `Busy` where too many wait, or too many of one address.

        It should check in between whether somebody waits.
        """
        self._jobs = {done: job for done, job in self._jobs.items() if not done.done()}
        if len(self._jobs) >= self._most:
            waiting = len(self._jobs) - 1
            expected = f"fewer than {self._most - 1} before it; try again in a second"
            what = f"the server is busy: {waiting} {self._what} wait: expected {expected}"
            raise Busy(Fault("SERVER_BUSY", "", f"{waiting} waiting", expected, what))
        job = Job(self._block(peer))
        self._check_share(job.who)
        done = self._thread.submit(work, job)
        self._jobs[done] = job
        try:
            return await asyncio.wrap_future(done)
        finally:
            job.gone = True

    def _check_share(self, who: str) -> None:
        if not who:
            return
        found = sum(job.who == who for job in self._jobs.values())
        if found >= self._most_of_one:
            expected = f"at most {self._most_of_one} of one address; try again in a second"
            what = f"{found} {self._what} of yours wait: expected {expected}"
            raise Busy(Fault("TOO_MANY_JOBS", "", f"{found} waiting", expected, what))

    @property
    def length(self) -> int:
        """Jobs that wait or run."""
        return sum(not done.done() for done in list(self._jobs))

    def stop(self) -> None:
        """Let go of the jobs that wait, and of the one that runs at its next game."""
        for job in self._jobs.values():
            job.gone = True
        self._thread.shutdown(wait=False, cancel_futures=True)


class Workers:
    """The queues of a server."""

    def __init__(self, block: Callable[[str], str] = str) -> None:
        self.files = Queue("files", block=block)
        self.tables = Queue("tables", block=block)
        self.batches = Queue("batches", MOST_BATCHES, "batches", MOST_BATCHES_OF_ONE, block)

    @property
    def queues(self) -> dict[str, Queue]:
        """Each by its name."""
        return {"files": self.files, "tables": self.tables, "batches": self.batches}

    def stop(self) -> None:
        """End them all."""
        for queue in self.queues.values():
            queue.stop()
