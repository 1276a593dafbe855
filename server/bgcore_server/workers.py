"""Whole matches and batches of positions, on threads of their own, so that other calls do not wait for them.

Anybody may send a file, and it may take a second. So who waits does it in short queues: one for files that anybody
sends, records for new tables among them, one for tables, whose players do not stand behind strangers, one for
batches, which take milliseconds and do not stand behind files. Whoever does not find room is told when to come
again, and a job whose caller has left ends at its next game. One caller may have only a few jobs in a queue, so that
nobody fills it for all.

A notation that a plugin brought is asked here alone, never on the event loop. One that takes too long is given up:
its caller is told, another thread goes on with the jobs behind, and until it ends it is not asked again. A job in which
the rules of a plugin take too long is given up in the same way, by who watches over these (`overdue`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import Future
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from queue import Empty, SimpleQueue
from threading import Lock, Thread, current_thread
from time import monotonic
from typing import Any, TypeVar

from bgcore.errors import Fault, PluginFailed
from bgcore_server.errors import Busy, Unavailable, stopping

T = TypeVar("T")

MOST_WAITING = 8
"""Jobs that wait in a queue beside the one that runs."""

MOST_BATCHES = 64
"""The same of batches."""

MOST_OF_ONE = 2
"""Jobs of one caller in a queue, that which runs included."""

MOST_BATCHES_OF_ONE = 16
"""The same of batches."""


NOTATION_SECONDS = 20.0
"""So long a notation of a plugin may take for one text."""


@dataclass(slots=True)
class Waiter:
    """Who waits for a job, "" when it does not matter. The job runs on another thread and looks here now and then.

    `asked` is the notation of a plugin that the job is asking, and since when; `tell` tells the queue of it.
    `late` are those that were given up and are still at work.
    """

    who: str = ""
    gone: bool = False
    late: Callable[[], Collection[str]] = tuple
    asked: tuple[str, float] | None = None
    tell: Callable[[], object] = str

    def check(self) -> None:
        """`Unavailable` when nobody waits for the answer any more, so nobody will read it either."""
        if self.gone:
            raise Unavailable(Fault("CALLER_LEFT", "", "nobody", "somebody who waits"))

    @contextmanager
    def asking(self, notation: str) -> Iterator[None]:
        """Around work of a plugin's notation; `PluginFailed` while it is still at work on an earlier text."""
        self.check()
        if notation in self.late():
            raise too_long(notation)
        self.asked = notation, monotonic()
        self.tell()
        try:
            yield
        finally:
            self.asked = None
            self.tell()


def too_long(notation: str) -> PluginFailed:
    """The error of a notation that has not answered in time."""
    expected = f"an answer within {NOTATION_SECONDS:g} seconds"
    what = f"notation {notation} gave no answer: expected one within {NOTATION_SECONDS:g} seconds"
    return PluginFailed(Fault("PLUGIN_FAILED", "", "no answer", expected, what))


@dataclass(slots=True, eq=False)
class Job:
    """Work that waits or runs. Whether it ended or was given up first, the lock decides."""

    work: Callable[[Waiter], Any]
    caller: Waiter
    answer: Future[Any] = field(default_factory=Future)
    timer: asyncio.TimerHandle | None = None
    ended: bool = False
    given_up: bool = False
    lock: Lock = field(default_factory=Lock)
    thread: Thread | None = None  # on which it runs, or ran

    def do(self) -> None:
        """On a thread: the work, and its answer for who waits."""
        self.thread = current_thread()
        try:
            result, problem = self.work(self.caller), None
        except BaseException as raised:
            result, problem = None, raised
        with self.lock:
            self.ended = True
            if self.given_up:
                return
        if problem is None:
            self.answer.set_result(result)
        else:
            self.answer.set_exception(problem)

    def give_up(self, why: Exception) -> bool:
        """On the event loop: `why` is the answer, if there is none yet."""
        with self.lock:
            self.given_up = not self.ended
        if self.given_up:
            self.answer.set_exception(why)
        return self.given_up


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
        self._name = f"bgcore-{name}"
        self._served = False  # by a thread, from the first job on
        self._stopped = False
        self._waiting: SimpleQueue[Job | None] = SimpleQueue()  # None: nothing will follow
        self._most = most_waiting + 1
        self._most_of_one = most_of_one
        self._what = jobs
        self._block = block
        self._jobs: dict[Future[Any], Waiter] = {}
        self._late: list[Job] = []
        self.running: Job | None = None

    async def run(self, work: Callable[[Waiter], T], peer: str = "") -> T:
        """What a job comes to, after those before it; `Busy` where too many wait, or too many of one address.

        The job is given its caller, whom it should check in between.
        """
        if self._stopped:
            raise stopping()
        self._jobs = {job: who for job, who in self._jobs.items() if not job.done()}
        if len(self._jobs) >= self._most:
            waiting = len(self._jobs) - 1
            expected = f"fewer than {self._most - 1} before it; try again in a second"
            what = f"the server is busy: {waiting} {self._what} wait: expected {expected}"
            raise Busy(Fault("SERVER_BUSY", "", f"{waiting} waiting", expected, what))
        caller = Waiter(self._block(peer), late=self._given_up)
        self._check_share(caller.who)
        job = Job(work, caller)
        caller.tell = partial(self._tell, asyncio.get_running_loop(), job)
        self._jobs[job.answer] = caller
        if not self._served:
            self._serve()
        self._waiting.put(job)
        try:
            return await asyncio.wrap_future(job.answer)
        finally:
            caller.gone = True

    def _serve(self) -> None:
        # A thread that hangs in a plugin's code must not keep the process from ending.
        Thread(target=self._work, name=self._name, daemon=True).start()
        self._served = True

    def _work(self) -> None:
        """On a thread: one job after another, until another thread takes over."""
        while (job := self._waiting.get()) is not None:
            if not job.answer.set_running_or_notify_cancel():
                continue
            self.running = job
            job.do()
            if self.running is job:
                self.running = None
            if job.given_up:
                return
            del job  # and what it answered

    def _tell(self, loop: asyncio.AbstractEventLoop, job: Job) -> None:
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(self._watch, loop, job)

    def _watch(self, loop: asyncio.AbstractEventLoop, job: Job) -> None:
        """Looks whether a job has waited too long for a notation, and once more when it will have."""
        if job.timer:
            job.timer.cancel()
        asked = job.caller.asked
        if asked is None or job.given_up:
            return
        notation, since = asked
        left = NOTATION_SECONDS - (monotonic() - since)
        if left > 0:
            job.timer = loop.call_later(left, self._watch, loop, job)
        else:
            self.give_up(job, too_long(notation))

    def give_up(self, job: Job, why: Exception) -> None:
        """On the event loop: `why` is what the caller of a job that runs is told, if it has not ended; others go on."""
        if job.give_up(why):
            self._late = [other for other in self._late if not other.ended] + [job]
            self._serve()

    def _given_up(self) -> frozenset[str]:
        """The notations that were given up and are still at work."""
        found = (job.caller.asked for job in self._late if not job.ended)
        return frozenset(asked[0] for asked in found if asked)

    def _check_share(self, who: str) -> None:
        if not who:
            return
        found = sum(caller.who == who for caller in self._jobs.values())
        if found >= self._most_of_one:
            expected = f"at most {self._most_of_one} of one address; try again in a second"
            what = f"{found} {self._what} of yours wait: expected {expected}"
            raise Busy(Fault("TOO_MANY_JOBS", "", f"{found} waiting", expected, what))

    @property
    def length(self) -> int:
        """Jobs that wait or run."""
        return sum(not job.done() for job in list(self._jobs))

    def stop(self) -> None:
        """Let go of the jobs that wait, and of the one that runs at its next game."""
        self._stopped = True
        for caller in self._jobs.values():
            caller.gone = True
        with suppress(Empty):
            while job := self._waiting.get_nowait():
                job.answer.cancel()
        self._waiting.put(None)


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
