"""The README of the Python client is one program, and it runs."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from bgcore import load
from tests.wire.process import ServerProcess

README = Path(__file__).parents[2] / "clients" / "python" / "README.md"


def test_its_examples_run_one_after_another(server: ServerProcess) -> None:
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    program = "\n".join(blocks).replace("127.0.0.1:50051", server.grpc)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].startswith("16 2 [")
    assert lines[1] == "POINT_CLOSED C4"
    assert "'money-004'" in lines[2]
    assert "1 beaver" in lines[3]
    assert re.fullmatch(r"<Table \S+> <Seat white of table \S+>", lines[4])
    assert "[]" in lines
    assert "match 2" in lines
    assert "2 []" in lines
    assert any(re.match(r"[A-Z_]+ [CR]\d [01] ", line) for line in lines)
    assert lines[-1] == str(sorted(entry.variant.id for entry in load()))
