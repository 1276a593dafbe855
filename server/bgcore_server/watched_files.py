"""Files that are read again when they change, without a restart: keys, certificates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Generic, TypeVar

from bgcore.errors import Fault
from bgcore_server.errors import BadFile, Log

T = TypeVar("T")

Stamp = tuple[tuple[int, int, int], ...]


class WatchedFiles(Generic[T]):
    """What some files say together, as of now.

    Whoever asks has the files looked at, which costs a microsecond each; there is no timer. While new files
    cannot be used, such as one of a pair that has not been renewed yet, what the old ones said holds, and the
    log says why, once for each change.
    """

    def __init__(
        self, what: str, files: Sequence[Path], read: Callable[[], T], log: Log | None = None
    ) -> None:
        """Read them for the first time; `BadFile` when they cannot be used."""
        self._what = what
        self._files = tuple(files)
        self._read = read
        self._log = log
        self._stamp = self._look()
        self._value = read()

    def now(self) -> T:
        """What they say."""
        stamp = self._look()
        if stamp != self._stamp:
            self._stamp = stamp
            try:
                self._value = self._read()
            except BadFile as problem:
                if self._log:
                    self._log.error(f"{self._what} not renewed", reason=str(problem))
        return self._value

    def _look(self) -> Stamp:
        """When they were written, and which files they are: a new link is a new file."""
        return tuple(map(_stamp, self._files))


def _stamp(file: Path) -> tuple[int, int, int]:
    try:
        found = file.stat()
    except OSError:
        return 0, 0, 0
    return found.st_mtime_ns, found.st_size, found.st_ino


def read_file(field: str, file: Path) -> bytes:
    """The bytes of a file that a setting names; `BadFile` says why there are none."""
    try:
        return file.read_bytes()
    except OSError as problem:
        why = (problem.strerror or str(problem)).lower()
        what = f"{field} {file}: {why}, expected a file that can be read"
        raise BadFile(Fault("FILE_UNREADABLE", field, str(file), "a readable file", what)) from None
