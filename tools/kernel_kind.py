"""Say which kernel this environment runs: the compiled one, or the plain one and why."""

from __future__ import annotations

import importlib.util
import os


def main() -> None:
    """Print one line."""
    if os.environ.get("BGCORE_PURE"):
        print("kernel: plain, as BGCORE_PURE asks")
    elif importlib.util.find_spec("bgcore.kernel._movement") is None:
        print("kernel: plain, since no C compiler made the fast one; everything works, more slowly")
    else:
        print("kernel: compiled")


if __name__ == "__main__":
    main()
