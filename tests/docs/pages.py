"""Pages whose code is run: files that they name, and commands with what they print."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

BLOCK = re.compile(
    r"(?:^`(?P<file>[^`\n]+)`:\n\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)


@dataclass(frozen=True)
class Block:
    """A block of a page: a file, if it says which, or else what is typed and printed at a terminal."""

    file: str
    kind: str
    text: str

    def commands(self) -> Iterator[tuple[str, str]]:
        """Each command with what it prints."""
        for part in re.split(r"^\$ ", self.text, flags=re.MULTILINE)[1:]:
            command, _, printed = part.partition("\n")
            yield command, printed


def blocks(page: Path) -> list[Block]:
    """The blocks of a page, in order."""
    found = BLOCK.finditer(page.read_text(encoding="utf-8"))
    return [Block(one["file"] or "", one["kind"], one["text"]) for one in found]
