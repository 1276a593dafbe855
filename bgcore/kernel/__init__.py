"""Legal play: the compiled kernel where there is one, else the same source as it is.

`movement.py` is the one source. The build compiles it as `_movement`, which carries the hash of
what it was made from; one that is older than the source is passed over. `BGCORE_PURE=1` asks for
the plain form.
"""

from __future__ import annotations

import importlib
import os
import warnings
from types import ModuleType
from typing import TYPE_CHECKING

from bgcore.kernel.source import SOURCES, digest
from bgcore.kernel.tally import Tally


def _compiled() -> ModuleType | None:
    """The compiled kernel, if it is there, wanted and made from this source."""
    if os.environ.get("BGCORE_PURE") == "1":
        return None
    try:
        found = importlib.import_module("bgcore.kernel._movement")
    except ImportError:
        return None
    if digest() in (None, getattr(found, "SOURCE", "")):
        return found
    warnings.warn(
        f"the compiled kernel is older than {' and '.join(SOURCES)}: the plain one is used; "
        "build it again with `python hatch_build.py`",
        RuntimeWarning,
        stacklevel=3,
    )
    return None


if TYPE_CHECKING:
    from bgcore.kernel import movement as _kernel
else:
    _kernel = _compiled() or importlib.import_module("bgcore.kernel.movement")

COMPILED: bool = _kernel.__name__ == "bgcore.kernel._movement"
KERNEL: str = "compiled" if COMPILED else "plain"

ENDED = _kernel.ENDED
ORDINARY = _kernel.ORDINARY
FAULTS: tuple[str, ...] = _kernel.FAULTS

apply = _kernel.apply
barred = _kernel.barred
batch = _kernel.batch
fault = _kernel.fault
playouts = _kernel.playouts
plays = _kernel.plays
plays_asking = _kernel.plays_asking
probe = _kernel.probe
results = _kernel.results
sample = _kernel.sample
status = _kernel.status
step = _kernel.step
steps = _kernel.steps

__all__ = [
    "COMPILED",
    "ENDED",
    "FAULTS",
    "KERNEL",
    "ORDINARY",
    "Tally",
    "apply",
    "barred",
    "batch",
    "fault",
    "playouts",
    "plays",
    "plays_asking",
    "probe",
    "results",
    "sample",
    "status",
    "step",
    "steps",
]
