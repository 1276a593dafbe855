"""The facts that the tests of the rule book play: `tests/data/rulebook`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).parents[1] / "data" / "rulebook"


def lines(name: str) -> list[dict[str, Any]]:
    """The JSON objects of a file, one a line."""
    text = (DATA / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]
