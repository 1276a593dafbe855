"""Legal play: the compiled kernel where there is one, else the same source as it is.

`movement.py` is the one source. The build compiles it as `_movement`, which carries the hash of
what it was made from; one that is older than the source is passed over. `BGCORE_PURE=1` asks for
the plain form.
"""

from __future__ import annotations

import os
from types import ModuleType
from typing import TYPE_CHECKING

from bgcore.kernel.tally import Tally


def _compiled() -> ModuleType | None:
    """The compiled kernel, if it is there, wanted and made from this source."""
    if os.environ.get("BGCORE_PURE") == "1":
        return None
    try:
        from bgcore.kernel import _movement
    except ImportError:
        return None
    from bgcore.kernel.source import SOURCES, digest

    now = digest()
    if now is None or _movement.SOURCE == now:
        return _movement
    import warnings

    warnings.warn(
        f"the compiled kernel is older than {' and '.join(SOURCES)}: the plain one is used; "
        "build it again with `python hatch_build.py`",
        RuntimeWarning,
        stacklevel=3,
    )
    return None


_kernel = _compiled()

COMPILED: bool = _kernel is not None
KERNEL: str = "compiled" if COMPILED else "plain"

if TYPE_CHECKING or _kernel is None:
    from bgcore.kernel import movement as _kernel

ORDINARY = _kernel.ORDINARY
FAULTS = _kernel.FAULTS

apply = _kernel.apply
batch = _kernel.batch
fault = _kernel.fault
playouts = _kernel.playouts
plays = _kernel.plays
probe = _kernel.probe
results = _kernel.results
sample = _kernel.sample
status = _kernel.status
step = _kernel.step
steps = _kernel.steps

__all__ = [
    "COMPILED",
    "FAULTS",
    "KERNEL",
    "ORDINARY",
    "Tally",
    "apply",
    "batch",
    "fault",
    "playouts",
    "plays",
    "probe",
    "results",
    "sample",
    "status",
    "step",
    "steps",
]
