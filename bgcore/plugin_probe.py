"""Trying a plugin in a process of its own first, so that one that hangs or ends its process hurts nobody.

What came of it is remembered, for these versions and files; so only the first start takes the time.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from importlib.machinery import all_suffixes
from importlib.metadata import Distribution, EntryPoint
from importlib.util import find_spec
from pathlib import Path
from typing import IO
from urllib.parse import urlparse
from urllib.request import url2pathname

PROBE_SECONDS = 15.0
"""A plugin that takes longer is reported; `BGCORE_PROBE_SECONDS` says otherwise."""

BAD_SECONDS = 3600.0
"""So long a bad verdict is believed: perhaps the machine was only busy, or something was missing."""

PROBING = "BGCORE_PROBING"
"""Set in the environment of a process in which a plugin is tried."""

CACHE = "BGCORE_CACHE"
"""The folder of what is remembered; else it is where the user's caches are."""

MOST_FILES = 10_000
"""Of a plugin with more files it is not remembered what came of it."""

UNKNOWN = (OSError, ValueError, TypeError, LookupError, AttributeError, ImportError, RuntimeError)
"""What may go wrong where somebody looks for a plugin's files, or for what is remembered of them."""

SHOWN = 200

# The child looks for modules where we do, and tells its verdict in a file: its streams are the plugin's.
CHILD = (
    "import json, sys\n"
    "path, *rest = json.loads(sys.argv[1])\n"
    "sys.path[:] = path\n"
    "from bgcore.plugins import tried\n"
    "tried(*rest)\n"
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of trying a plugin; without a fault it may be loaded."""

    fault: str = ""
    state: str = "loaded"
    api_level: int = 0
    time: float = 0.0

    @property
    def believed(self) -> bool:
        """Whether it still holds."""
        return not self.fault or 0 <= time.time() - self.time < BAD_SECONDS


def probe(points: Iterable[EntryPoint]) -> Mapping[EntryPoint, Verdict]:
    """A verdict on each of these plugins; those that are not remembered are tried side by side.

    What this process has imported already is not tried: nothing can come of it that has not come.
    """
    found: dict[EntryPoint, Verdict] = {}
    trials: dict[EntryPoint, Trial] = {}
    for point in points:
        if point.module in sys.modules or not sys.executable:
            found[point] = Verdict()
        elif (known := remembered(point)) is not None:
            found[point] = known
        else:
            trials[point] = Trial(point)
    until = time.monotonic() + probe_seconds()
    for point, trial in trials.items():
        found[point] = trial.verdict(until)
        remember(point, found[point])
    return found


def probe_seconds() -> float:
    """How long a plugin may take."""
    try:
        return float(os.environ["BGCORE_PROBE_SECONDS"])
    except (KeyError, ValueError):
        return PROBE_SECONDS


class Trial:
    """A plugin that is tried in a child process."""

    def __init__(self, point: EntryPoint) -> None:
        self._output: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  # until the verdict
        handle, name = tempfile.mkstemp(prefix="bgcore-probe-")
        os.close(handle)
        self._told = Path(name)
        given = json.dumps([sys.path, point.name, point.value, name])
        self._process = subprocess.Popen(
            [sys.executable, "-c", CHILD, given],
            stdin=subprocess.DEVNULL,
            stdout=self._output,
            stderr=subprocess.DEVNULL,
            env={**os.environ, PROBING: "1"},
            start_new_session=True,
        )

    def verdict(self, until: float) -> Verdict:
        """What came of it, at the latest at a time of the monotonic clock; nothing of it is left."""
        try:
            status: int | None = self._process.wait(max(until - time.monotonic(), 0))
        except subprocess.TimeoutExpired:
            status = None
        self._end()
        with self._output as output:
            output.seek(0)
            written = output.read(SHOWN)
        told = self._told.read_text(encoding="utf-8")
        self._told.unlink(missing_ok=True)
        verdict = Verdict(**json.loads(told)) if told else Verdict()
        if status is None:
            fault = f"still not imported after {probe_seconds():g} seconds"
        elif not told:
            fault = f"its import {ended(status)}"
        elif verdict.fault:
            return verdict
        elif written:
            text = written.decode("utf-8", "backslashreplace").strip()
            fault = f"its import writes on standard output, where results go: {text!r}"
        else:
            return verdict
        return Verdict(fault, "broken", verdict.api_level, time.time())

    def _end(self) -> None:
        """The child and what it has started are gone."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        self._process.wait()


def ended(status: int) -> str:
    """How a process ended that should have told something first."""
    if status >= 0:
        return f"ends the process, with status {status}"
    try:
        return f"kills the process, by {signal.Signals(-status).name}"
    except ValueError:
        return f"kills the process, by signal {-status}"


def tell(verdict: Verdict, file: str) -> None:
    """In the child: a verdict for who waits for it."""
    Path(file).write_text(json.dumps(asdict(verdict)), encoding="utf-8")


# -- what is remembered ------------------------------------------------------------------------------


def remembered(point: EntryPoint) -> Verdict | None:
    """What came of a plugin before, if it is still the same."""
    try:
        known = Verdict(**json.loads(_place(point).read_text(encoding="utf-8")))
        return known if known.believed else None
    except UNKNOWN:
        return None


def remember(point: EntryPoint, verdict: Verdict) -> None:
    """Keep a verdict, if there is a place for it."""
    with contextlib.suppress(*UNKNOWN):
        place = _place(point)
        place.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        new = place.with_suffix(f".{os.getpid()}")
        new.write_text(json.dumps(asdict(verdict)), encoding="utf-8")
        new.replace(place)


def _place(point: EntryPoint) -> Path:
    """The file of a plugin of this version, with these files, for this Python and this engine."""
    from bgcore.plugins import OWN_DISTRIBUTION, version_of  # the door imports this file

    distribution = (point.dist.name, point.dist.version) if point.dist else ()
    words = [point.name, point.value, *distribution, sys.executable, sys.version]
    words += [version_of(OWN_DISTRIBUTION), str(Path(__file__).parent), *_stamp(point)]
    return _folder() / f"plugin-{hashlib.sha256(repr(words).encode()).hexdigest()[:32]}.json"


def _folder() -> Path:
    if chosen := os.environ.get(CACHE):
        return Path(chosen)
    if caches := os.environ.get("XDG_CACHE_HOME"):
        return Path(caches) / "bgcore"
    return Path.home() / ".cache" / "bgcore"


def _stamp(point: EntryPoint) -> list[str]:
    """Where its code is and when any of it was last changed, without running any of it.

    That is its package and all of its distribution: what a module imports from beside it counts, too.
    `RuntimeError` for more files than can be looked at before each start.
    """
    files: set[Path] = set()
    for file in _files(point):
        if "__pycache__" not in file.parts:
            files.add(file)
        if len(files) > MOST_FILES:
            raise RuntimeError(f"more than {MOST_FILES} files")
    stats = ((file, file.stat()) for file in sorted(files) if file.is_file())
    return [f"{file}:{stat.st_mtime_ns}:{stat.st_size}" for file, stat in stats]


def _files(point: EntryPoint) -> Iterator[Path]:
    """The files of its package, or its one module, and those that its distribution says it has."""
    spec = find_spec(point.module.partition(".")[0])
    if spec is not None:
        if spec.origin:
            yield Path(spec.origin)
        for folder in spec.submodule_search_locations or ():
            yield from _below(folder)
    if point.dist is not None:
        yield from (Path(str(file.locate())) for file in point.dist.files or ())
        yield from _below(_worked_on(point.dist), tuple(all_suffixes()))


def _worked_on(dist: Distribution) -> str:
    """The folder of a distribution that is installed for work on it (`pip install -e`); of another "", none."""
    told = json.loads(dist.read_text("direct_url.json") or "{}")
    editable = told.get("dir_info", {}).get("editable")
    return url2pathname(urlparse(told["url"]).path) if editable else ""


def _below(folder: str, endings: tuple[str, ...] = ("",)) -> Iterator[Path]:
    """The files in a folder that end so; nothing that is hidden, or of an environment in it."""
    for place, folders, files in os.walk(folder):
        if "pyvenv.cfg" in files:
            folders.clear()
            continue
        folders[:] = (
            name for name in folders if not name.startswith((".", "__pycache__", "node_"))
        )
        yield from (Path(place, name) for name in files if name.endswith(endings))
