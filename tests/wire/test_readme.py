"""The README's lines for the wire and the command line do what they say."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

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


def posted(line: str, server: ServerProcess) -> Any:
    """The answer to a line of curl: what it would send is sent, as there may be no curl here."""
    program, silent, url, header, content_type, data, body = shlex.split(line)
    assert (program, silent, header, data) == ("curl", "-s", "-H", "-d")
    name, _, value = content_type.partition(": ")
    there = url.replace("127.0.0.1:8080", server.http)
    request = urllib.request.Request(there, body.encode(), {name: value})
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.load(answer)


def test_the_curl_line_gives_the_answer_shown(server: ServerProcess) -> None:
    answer = posted(block("RulesService/CheckPlay"), server)
    assert answer == json.loads(block('"reason": "POINT_CLOSED"'))


def test_a_table_is_made_by_curl_with_a_preset_and_an_option(server: ServerProcess) -> None:
    made = posted(block("TableService/CreateTable"), server)["table"]
    assert made["options"]["animals"] == {"integer": "1"}  # 64 bits are a text in JSON
    assert made["options"]["animals_refusable"] == {"flag": False}


def test_the_buf_curl_line_needs_no_files(server: ServerProcess) -> None:
    if not BUF.exists():  # not made for every machine
        return
    program, *arguments = shlex.split(block("buf curl").replace("127.0.0.1:50051", server.grpc))
    assert program == "buf"
    done = subprocess.run([BUF, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["rulesVersions"]["western"]


def test_the_lines_of_the_command_line_run(tmp_path: Path) -> None:
    (tmp_path / "positions.jsonl").write_text('{"id": "4HPwATDgc/ABMA", "dice": [3, 1]}\n')
    more = block("positions.jsonl").replace("positions.jsonl", str(tmp_path / "positions.jsonl"))
    lines = (block("$ bgcore variants") + more).replace("$ ", "")
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
    assert "ann won 2" in done.stdout
    assert done.stdout.count('"n":16') == 2
    assert done.stdout.count("XGID=") == 2
    assert "money_rules_in_match=allow" in done.stdout
