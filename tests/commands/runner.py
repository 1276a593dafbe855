"""Runs `bgcore` commands in this process."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from click.testing import CliRunner

from bgcore_server.cli import main


class Ran(NamedTuple):
    """What a command wrote, and its exit status."""

    status: int
    output: str
    errors: str

    @property
    def objects(self) -> list[Any]:
        """The output as JSON lines."""
        return [json.loads(line) for line in self.output.splitlines()]


def bgcore(*arguments: str, given: str | bytes = "") -> Ran:
    result = CliRunner().invoke(main, arguments, input=given, catch_exceptions=False)
    return Ran(result.exit_code, result.stdout, result.stderr)


def plays(lines: Iterable[object], *flags: str) -> Ran:
    """`bgcore plays` of these objects; texts are taken as they are."""
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    return bgcore("plays", *flags, given="".join(f"{text}\n" for text in texts))
