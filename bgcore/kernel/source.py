"""What the compiled kernel is made from, and how to tell whether it is still the same."""

from __future__ import annotations

import hashlib
from pathlib import Path

SOURCES = ("movement.py", "movement.pxd")


def digest(folder: Path | None = None) -> str | None:
    """The hash of the kernel's sources; `None` where they are not there to be read."""
    folder = folder or Path(__file__).parent
    total = hashlib.sha256()
    try:
        for name in SOURCES:
            total.update((folder / name).read_bytes())
    except OSError:
        return None
    return total.hexdigest()
