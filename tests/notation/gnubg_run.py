"""Runs GNU Backgammon on commands, for all tests that ask it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

from tests.needs import gnubg

ALONE = (
    "set automatic roll off",
    "set automatic game off",
    "set automatic move off",
    "set automatic bearoff off",
    "set confirm new off",
    "set confirm save off",
    "set player 0 human",
    "set player 1 human",
)
"""Nobody acts but by a command."""


def said(commands: Iterable[str], home: Path) -> str:
    """What it says to some commands; `home` is the folder that it works in, and has no settings of anybody's."""
    program = gnubg()
    assert program is not None
    done = subprocess.run(
        [program, "-t", "-q", "-r"],
        input="\n".join((*ALONE, *commands)) + "\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
        cwd=home,
        env={**os.environ, "HOME": str(home), "LC_ALL": "C"},
    )
    return done.stdout + done.stderr
