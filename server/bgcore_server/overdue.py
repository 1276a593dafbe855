"""Plugins' code that does not come to an end: it is interrupted, so that only who asked for it is let down.

Rules and bots are asked on the event loop, and while one of them is at work, nobody else is served. A thread looks now
and then whether the loop comes round. Where it finds a plugin's code at work at too many looks, it sends the main
thread a signal, whose handler raises in that code; the door to the engine makes a `PluginFailed` of it. Looks are
counted, not seconds, since a process may be suspended in between. The handler runs on the main thread, where it cannot
miss: what is on the stack then is at work.
"""

from __future__ import annotations

import asyncio
import math
import signal
import sys
import threading
from collections.abc import Collection
from types import FrameType

from bgcore import crossing
from bgcore.crossing import Overdue
from bgcore.errors import Fault, PluginFailed
from bgcore_server.errors import Log

LONGEST_PAUSE, SHORTEST_PAUSE = 1.0, 0.05
"""Seconds between two looks."""

LOOKS = 10
"""How often to look in the time that a plugin has, where that is neither long nor short."""

NAME = "SIGURG"
"""The signal. Nobody else has a use for it, and where it has no handler it does nothing."""


class PluginWatch:
    """Watches over code of plugins on the event loop.

    It does nothing where the loop is not the main thread's, on platforms without such signals, and for no plugins.
    """

    def __init__(self, packages: Collection[str], seconds: float, log: Log) -> None:
        """`packages` are the top packages of the plugins' code, which has so many `seconds`; 0: no limit."""
        self._packages = packages
        self._seconds = seconds
        self._log = log
        self._pause = min(max(seconds / LOOKS, SHORTEST_PAUSE), LONGEST_PAUSE)
        self._most = math.ceil(seconds / self._pause)
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
            if self._came == self._asked:
                self._late, self._asked = 0, self._asked + 1
                try:
                    loop.call_soon_threadsafe(self._come, self._asked)
                except RuntimeError:  # the loop has ended
                    return
            elif found := at_work(sys._current_frames().get(thread), self._packages):
                self._late += 1
                if self._late >= self._most:
                    # First this: to write down anything may take a lock that the plugin's code has.
                    signal.pthread_kill(thread, number)
                    if self._late % self._most == 0:
                        self._log.warning("plugin overdue", code=found[0], seconds=self._seconds)

    def _come(self, round: int) -> None:
        self._came = round

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        """The signal's handler, on the main thread: raises in a plugin's code that is at work."""
        late = self._on and self._late >= self._most and self._came != self._asked
        if late and (found := at_work(frame, self._packages)):
            code, is_asked = found
            failure = too_long(code, self._seconds)
            raise Overdue(failure) if is_asked else failure
        if callable(self._before):
            self._before(number, frame)


def at_work(frame: FrameType | None, packages: Collection[str]) -> tuple[str, bool] | None:
    """The function of a plugin that is at work in a frame, and whether the engine's door stands before it.

    That is the outermost one that the engine or the server has called. Below these may be the program in which
    they run, which may well be a plugin's package, too.
    """
    inner, found, is_asked = None, "", False
    while frame is not None:
        name = str(frame.f_globals.get("__name__", ""))
        package = name.partition(".")[0]
        if package in packages:
            inner = f"{name}.{frame.f_code.co_qualname}"
        elif inner and package in OURS:
            found = inner
            is_asked = is_asked or frame.f_code.co_filename == crossing.__file__
        frame = frame.f_back
    return (found, is_asked) if found else None


OURS = frozenset({"bgcore", "bgcore_server"})


def too_long(code: str, seconds: float) -> PluginFailed:
    """The error of a plugin's function that did not come to an end."""
    expected = f"an answer within {seconds:g} seconds"
    what = f"{code} gave no answer: expected one within {seconds:g} seconds"
    return PluginFailed(Fault("PLUGIN_FAILED", "", "no answer", expected, what))
