"""A bar for long work, at a terminal only."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.progress import Progress as RichProgress

PATIENCE = 0.5
"""Seconds before a bar appears; shorter work is over before anybody has looked."""
BETWEEN = 0.1
"""Seconds between two drawings."""
ERASE_LINE = "\r\x1b[2K"


class Progress:
    """Where the work tells how far it has come. Without a terminal, or a total, it shows nothing.

    It draws only when it is told something, so that whatever is printed between never mixes with it.
    """

    def __init__(self, doing: str, total: int | None) -> None:
        self._doing = doing
        self._total = total if at_terminal(sys.stderr) else None
        self._done = 0
        self._due = monotonic() + PATIENCE
        self._bar: RichProgress | None = None
        self._drawn = False

    def advance(self, by: int = 1) -> None:
        """So much more is done."""
        self._done += by
        if self._total is not None and monotonic() >= self._due:
            self._draw(self._total)
            self._due = monotonic() + BETWEEN

    def _draw(self, total: int) -> None:
        if self._bar is None:
            from rich.console import Console
            from rich.progress import Progress as RichProgress

            console = Console(stderr=True)
            self._bar = RichProgress(
                console=console,
                transient=True,
                auto_refresh=False,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._bar.add_task(self._doing, total=total)
            self._bar.start()
        self._bar.update(self._bar.task_ids[0], completed=self._done, refresh=True)
        self._drawn = True

    def clear(self) -> None:
        """Makes room for a line that is printed now; the bar comes back below it."""
        if self._drawn:
            sys.stderr.write(ERASE_LINE)
            sys.stderr.flush()
            self._drawn = False

    def close(self) -> None:
        """Nothing of the bar stays."""
        self._total = None
        if self._bar:
            self._bar.stop()
            self.clear()


def at_terminal(stream: IO[Any] | None) -> bool:
    """Whether a stream is shown where a line can be drawn again."""
    return is_terminal(stream) and os.environ.get("TERM") not in ("dumb", "unknown")


def is_terminal(stream: IO[Any] | None) -> bool:
    """Whether somebody sits at a stream, who can be asked; also where no line can be drawn again."""
    return stream is not None and stream.isatty()


@contextmanager
def progress(doing: str, total: int | None) -> Iterator[Progress]:
    """A bar on standard error, if that is a terminal, as soon as the work turns out to be long."""
    bar = Progress(doing, total)
    try:
        yield bar
    finally:
        bar.close()
