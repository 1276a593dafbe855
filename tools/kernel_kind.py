"""Say which kernel this environment runs: the compiled one, or the plain one."""

from __future__ import annotations

from bgcore import kernel


def main() -> None:
    """Print one line."""
    if kernel.COMPILED:
        print("kernel: compiled")
    else:
        print("kernel: plain (no C compiler made the fast one): the same answers, more slowly")


if __name__ == "__main__":
    main()
