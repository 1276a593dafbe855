"""One server a file: two would not hear of each other's events."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import IO

from bgcore.errors import Fault
from bgcore_server.errors import Unavailable


def hold(path: Path) -> IO[str] | None:
    """Keep a database file for this process, until it ends in whatever way or closes what it is given.

    `Unavailable` when another server has it. Where the system has no such locks nothing is held.
    """
    if sys.platform == "win32":
        return None
    import fcntl

    path.parent.mkdir(parents=True, exist_ok=True)
    lock = path.with_name(path.name + ".lock").open("a")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        expected = "one that no other server uses"
        what = f"the database {path} is in use by another server, expected {expected} (--db)"
        raise Unavailable(Fault("DATABASE_IN_USE", "db", str(path), expected, what)) from None
    return lock
