"""What every maker of a page does: ask the built-in games, and write the page or compare it."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import bgcore_variants
from bgcore import Registry

ROOT = Path(__file__).resolve().parent.parent


def built_in() -> Registry:
    """The registry without anybody's plugins."""
    registry = Registry()
    bgcore_variants.bgcore_register(registry)
    return registry


def only_checks(doc: str | None, arguments: list[str]) -> bool:
    """Whether a maker, whose docstring this is, was called to compare and to write nothing."""
    parser = argparse.ArgumentParser(description=(doc or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing, fail on a difference")
    return bool(parser.parse_args(arguments).check)


def made(
    doc: str | None, page: Path, text: Callable[[], str], says: str, arguments: list[str]
) -> int:
    """Writes a page, or with `--check` compares; the exit status says whether it is up to date.

    What is wrong then is that the page is not what somebody `says`, with what to run.
    """
    check, wanted = only_checks(doc, arguments), text()
    if not check:
        page.write_text(wanted, encoding="utf-8")
        return 0
    if page.is_file() and page.read_text(encoding="utf-8") == wanted:
        return 0
    print(f"{page.relative_to(ROOT).as_posix()} is not what {says}")
    return 1
