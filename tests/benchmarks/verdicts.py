"""Whether figures are as good as they should be. Who runs a benchmark is told so by its status, too."""

from __future__ import annotations

import sys
from collections.abc import Callable

MISSED, OK = "MISSED", "OK"
_missed: list[str] = []


def verdict(name: str, good: bool) -> str:
    """What to print beside a figure; one that is not good is remembered."""
    if not good:
        _missed.append(name)
    return OK if good else MISSED


def run(main: Callable[[], None]) -> None:
    """Be a program: status 1, after all has been measured, where a figure is not as good as it should be."""
    main()
    if _missed:
        sys.exit(f"missed: {', '.join(_missed)}")
