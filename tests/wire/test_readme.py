"""The README's lines for the wire and the command line do what they say."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

from tests.wire.process import ServerProcess

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text()
BUF = Path(sys.executable).with_name("buf")


def block(marker: str) -> str:
    """The block of code that holds some words."""
    blocks: list[str] = re.findall(r"```\w*\n(.*?)```", README, re.DOTALL)
    return next(text for text in blocks if marker in text)


def test_the_tour_of_the_python_client_runs(server: ServerProcess) -> None:
    tour = block("from bgcore_client import").replace("127.0.0.1:50051", server.grpc)
    done = subprocess.run([sys.executable, "-c", tour], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "/" in done.stdout or "no play" in done.stdout or "[]" in done.stdout


def test_the_players_own_check_of_dice_runs(server: ServerProcess) -> None:
    shown = block("dice.check").replace("127.0.0.1:50051", server.grpc)
    done = subprocess.run(
        [sys.executable, "-c", shown], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    faults, record, *_ = done.stdout.splitlines()
    assert faults == "[]"
    assert json.loads(record)["bgcore"] == 1


def test_the_buf_curl_line_gives_the_answer_shown(server: ServerProcess) -> None:
    if not BUF.exists():  # not made for every machine
        return
    line = block("buf curl").replace("127.0.0.1:50051", server.grpc).replace("\\\n", " ")
    program, *arguments = shlex.split(line)
    assert program == "buf"
    done = subprocess.run([BUF, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == json.loads(block('"reason": "POINT_CLOSED"'))


def test_the_lines_of_the_command_line_run() -> None:
    lines = block("$ bgcore variants").replace("$ ", "")
    path = f"{Path(sys.executable).parent}:/usr/bin:/bin"
    done = subprocess.run(
        ["sh", "-ec", lines],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": path},
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    assert '"n":16' in done.stdout
    assert "LOCKED_AFTER_HIT" in done.stdout
    assert "player 1 won 2" in done.stdout
