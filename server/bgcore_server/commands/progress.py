"""A bar for long work, at a terminal only."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

WORTH_A_BAR = 100_000
"""Work of fewer steps (bytes, say) is over before anybody has looked."""


class Progress(Protocol):
    """Where the work tells how far it has come."""

    def advance(self, by: int) -> None:
        """So much more is done."""
        ...


class _Silent:
    def advance(self, by: int) -> None:
        pass


@contextmanager
def progress(doing: str, total: int | None) -> Iterator[Progress]:
    """A bar on standard error while it is a terminal that the results do not go to as well."""
    quiet = total is None or total < WORTH_A_BAR
    if quiet or not sys.stderr.isatty() or sys.stdout.isatty():
        yield _Silent()
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing, total=total)

        class Shown:
            def advance(self, by: int) -> None:
                bar.advance(task, by)

        yield Shown()
