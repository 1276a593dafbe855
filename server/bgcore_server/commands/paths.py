"""Paths on the command line: one that is none, and what is in the way of one, is told by the name that was given."""

from __future__ import annotations

import os
from pathlib import Path
from stat import S_ISDIR
from typing import Any

import click


class Named(click.Path):
    """A path that names something; an empty text would be the folder where somebody happens to be."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path; a usage error where it is none."""
        if not os.fspath(value):
            self.fail("expected a path, and this is empty", param, ctx)
        if "\0" in os.fspath(value):
            self.fail(f"{value!r}: expected a path without a zero byte", param, ctx)
        return super().convert(value, param, ctx)


def in_the_way(folder: Path) -> str:
    """Why there can be no folder of this name, in words that follow it; empty: there is one, or may be made.

    >>> in_the_way(Path(__file__) / "pages")  # doctest: +ELLIPSIS
    '...paths.py is no folder: expected a folder'
    """
    for place in (folder, *folder.parents):
        try:
            mode = place.stat().st_mode
        except (FileNotFoundError, NotADirectoryError):
            if place.is_symlink():
                return f"{place} is a link to nothing: expected a folder"
        except OSError as problem:
            return f"{reason(problem)}: expected a folder"
        else:
            return "" if S_ISDIR(mode) else f"{place} is no folder: expected a folder"
    return ""


def no_file(file: Path) -> str:
    """Why there can be no file of this name, in words that follow it; empty: there is one, or may be made."""
    if why := in_the_way(file.parent):
        return why
    try:
        mode = file.stat().st_mode
    except FileNotFoundError:
        return ""
    except OSError as problem:
        return f"{reason(problem)}: expected a file"
    return "a folder: expected a file" if S_ISDIR(mode) else ""


def reason(problem: OSError) -> str:
    """Why input or output failed, without the path, which is told beside it."""
    return problem.strerror or str(problem)
