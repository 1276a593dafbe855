"""The commands of docs/http.md run one after another, and answer what the page shows."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.wire.process import ServerProcess

PAGE = (Path(__file__).parents[2] / "docs/http.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(sh|json)\n(.*?)```", PAGE, re.DOTALL)
ANYTHING = "…"
CUT = "\n-- next --\n"


def holds(found: Any, shown: Any) -> bool:
    """Whether an answer has everything that is shown of it."""
    match shown:
        case "…":
            return found is not None
        case dict():
            return all(name in found and holds(found[name], part) for name, part in shown.items())
        case list():
            return len(found) == len(shown) and all(map(holds, found, shown))
    return bool(found == shown)


@pytest.mark.needs_curl
def test_the_commands_of_the_page_answer_what_it_shows(
    server: ServerProcess, tmp_path: Path
) -> None:
    commands = [text for kind, text in BLOCKS if kind == "sh"]
    script = f"printf '{CUT}'\n".join(commands).replace("127.0.0.1:8080", server.http)
    done = subprocess.run(
        ["sh", "-euc", script], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    outputs = iter(done.stdout.split(CUT))
    checked, output = 0, ""
    for kind, text in BLOCKS:
        if kind == "sh":
            output = next(outputs)
        else:
            assert holds(json.loads(output), json.loads(text)), f"{output}\nis not\n{text}"
            checked += 1
    assert checked == 7
    assert next(outputs, None) is None


def test_what_the_page_leaves_out_may_be_anything_but_not_missing() -> None:
    assert holds({"a": [1, 2], "b": 3}, {"a": [ANYTHING, 2]})
    assert not holds({"a": [1, 2]}, {"a": [ANYTHING, 3]})
    assert not holds({"a": 1}, {"b": ANYTHING})
