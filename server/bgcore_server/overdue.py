"""Plugins' code that does not come to an end: it is interrupted, so that only who asked for it is let down.

Rules and bots are asked on the event loop, and while one of them is at work, nobody else is served. A thread looks now
and then whether the loop comes round. Where it finds a plugin's code at work at too many looks, it sends the main
thread a signal, whose handler raises in that code; the door to the engine makes a `PluginFailed` of it. Looks are
counted, not seconds, since a process may be suspended in between. The handler runs on the main thread, where it cannot
miss: what is on the stack then is at work.

Jobs of the queues ask rules, too, on threads of their own, where they hold up the queue. There a job is given up in
which one call of a plugin takes too long; nobody waits for its thread then, so it may be ended wherever it is.
"""

from __future__ import annotations

import asyncio
import ctypes
import math
import signal
import sys
import threading
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from types import FrameType

from bgcore import crossing
from bgcore.crossing import Overdue
from bgcore.errors import Fault, PluginFailed
from bgcore_server.errors import Log
from bgcore_server.workers import Job, Queue

LONGEST_PAUSE, SHORTEST_PAUSE = 1.0, 0.05
"""Seconds between two looks."""

LOOKS = 10
"""How often to look in the time that a plugin has, where that is neither long nor short."""

NAME = "SIGURG"
"""The signal. Nobody else has a use for it, and where it has no handler it does nothing."""


class PluginWatch:
    """Watches over code of plugins on the event loop and in the jobs of queues.

    It does nothing where the loop is not the main thread's, on platforms without such signals, and for no plugins.
    """

    def __init__(
        self, packages: Collection[str], seconds: float, log: Log, queues: Collection[Queue] = ()
    ) -> None:
        """`packages` are the top packages of the plugins' code, which has so many `seconds`; 0: no limit."""
        self._packages = packages
        self._seconds = seconds
        self._log = log
        self._pause = min(max(seconds / LOOKS, SHORTEST_PAUSE), LONGEST_PAUSE)
        self._most = math.ceil(seconds / self._pause)
        self._queues = [QueueWatch(queue, packages, seconds, self._most) for queue in queues]
        self._late = 0  # looks at which a plugin's code was at work, since the loop was asked
        self._asked = self._came = 0  # rounds that the loop was asked for, and those that came
        self._stopped = threading.Event()
        self._before: object = None
        self._on = False

    def start(self) -> None:
        """Watch from now on, called on the event loop."""
        main = threading.current_thread() is threading.main_thread()
        number = getattr(signal, NAME, None)
        if not (main and number and self._packages and self._seconds):
            return
        self._before = signal.signal(number, self._interrupt)
        self._on = True
        loop, thread = asyncio.get_running_loop(), threading.get_ident()
        look = threading.Thread(
            target=self._look_on, args=(loop, thread, number), name="bgcore-overdue", daemon=True
        )
        look.start()

    def stop(self) -> None:
        """Watch no longer."""
        self._stopped.set()
        number = getattr(signal, NAME, None)
        # Who has put a handler of his own before ours goes on to call ours, which does nothing now.
        if self._on and number and signal.getsignal(number) == self._interrupt:
            signal.signal(number, self._before)  # type: ignore[arg-type]  # as it was
        self._on = False

    def _look_on(
        self, loop: asyncio.AbstractEventLoop, thread: int, number: signal.Signals
    ) -> None:
        """On a thread of its own, until it is stopped."""
        while not self._stopped.wait(self._pause):
            try:
                self._look(loop, thread, number)
                for queue in self._queues:
                    if code := queue.look(loop):
                        self._tell(code)
            except RuntimeError:  # the loop has ended
                return

    def _look(self, loop: asyncio.AbstractEventLoop, thread: int, number: signal.Signals) -> None:
        if self._came == self._asked:
            self._late, self._asked = 0, self._asked + 1
            loop.call_soon_threadsafe(self._come, self._asked)
        elif found := at_work(sys._current_frames().get(thread), self._packages):
            self._late += 1
            if self._late >= self._most:
                # First this: to write down anything may take a lock that the plugin's code has.
                signal.pthread_kill(thread, number)
                if self._late % self._most == 0:
                    self._tell(found.code)

    def _tell(self, code: str) -> None:
        with suppress(Exception):  # the watch goes on though nothing can be written
            self._log.warning("plugin overdue", code=code, seconds=self._seconds)

    def _come(self, round: int) -> None:
        self._came = round

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        """The signal's handler, on the main thread: raises in a plugin's code that is at work."""
        late = self._on and self._late >= self._most and self._came != self._asked
        if late and (found := at_work(frame, self._packages)):
            failure = too_long(found.code, self._seconds)
            raise Overdue(failure) if found.is_asked else failure
        if callable(self._before):
            self._before(number, frame)


class QueueWatch:
    """Watches over code of plugins in the jobs of one queue; one call may be seen at fewer than `most` looks."""

    def __init__(self, queue: Queue, packages: Collection[str], seconds: float, most: int) -> None:
        self._queue = queue
        self._packages = packages
        self._seconds = seconds
        self._most = most
        self._call: FrameType | None = None
        self._seen = 0
        self._overdue: list[Job] = []

    def look(self, loop: asyncio.AbstractEventLoop) -> str:
        """Once more; the function for which a job is given up now, or nothing."""
        self._end_overdue()
        job, found = self._queue.running, None
        # Notations have a time of their own, and are not asked again until they come to an end.
        if job and job.thread and not (job.given_up or job.caller.asked):
            found = at_work(sys._current_frames().get(job.thread.ident or 0), self._packages)
        if job is None or found is None or found.call is not self._call:
            self._call, self._seen = found.call if found else None, 0
            return ""
        self._seen += 1
        if self._seen < self._most:
            return ""
        self._call = None
        self._overdue.append(job)
        why = too_long(found.code, self._seconds)
        loop.call_soon_threadsafe(self._queue.give_up, job, why)
        return found.code

    def _end_overdue(self) -> None:
        """Rules are asked again, so what is at work in vain must not pile up."""
        self._overdue = [job for job in self._overdue if not job.ended]
        for job in self._overdue:
            if job.given_up and job.thread:
                end(job.thread)


def end(thread: threading.Thread) -> None:
    """Has a thread end as soon as it is back from C. Not every Python can do that."""
    if python := getattr(ctypes, "pythonapi", None):
        number, raised = ctypes.c_ulong(thread.ident or 0), ctypes.py_object(SystemExit)
        if thread.is_alive():  # its number could be another's otherwise
            python.PyThreadState_SetAsyncExc(number, raised)


@dataclass(frozen=True, slots=True)
class AtWork:
    """A function of a plugin that is at work.

    `call` is its frame, the same as long as it has not returned; `is_asked` whether the engine's door stands before it.
    """

    code: str
    call: FrameType
    is_asked: bool


def at_work(frame: FrameType | None, packages: Collection[str]) -> AtWork | None:
    """What is at work of a plugin in a frame: the outermost function that the engine or the server has called.

    Below these may be the program in which they run, which may well be a plugin's package, too.
    """
    inner: tuple[str, FrameType] | None = None
    found: AtWork | None = None
    while frame is not None:
        name = str(frame.f_globals.get("__name__", ""))
        package = name.partition(".")[0]
        if package in packages:
            inner = f"{name}.{frame.f_code.co_qualname}", frame
        elif inner and package in OURS:
            door = frame.f_code.co_filename == crossing.__file__
            found = AtWork(*inner, door or (found is not None and found.is_asked))
        frame = frame.f_back
    return found


OURS = frozenset({"bgcore", "bgcore_server"})


def too_long(code: str, seconds: float) -> PluginFailed:
    """The error of a plugin's function that did not come to an end."""
    expected = f"an answer within {seconds:g} seconds"
    what = f"{code} gave no answer: expected one within {seconds:g} seconds"
    return PluginFailed(Fault("PLUGIN_FAILED", "", "no answer", expected, what))
