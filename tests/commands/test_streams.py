"""What commands do when a standard stream is closed, full or a terminal."""

from __future__ import annotations

import json
import os
import pty
import re
import shlex
import subprocess
import sys
import termios
from pathlib import Path

import pytest

from tests.notation.samples import SAMPLE

BGCORE = f"{shlex.quote(sys.executable)} -m bgcore_server.cli"
LINE = json.dumps({"board": "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5", "dice": [3, 1]})
COMMANDS = [
    "perft --variant western --depth 1",
    "check-variant western --games 1",
    "variants",
    "variants --json",
    "plays lines",
    "replay sample",
    "replay --json sample",
    "replay broken",
    "--help",
    "plays --help",
    "--version",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    (folder / "sample").write_text(SAMPLE)
    (folder / "broken").write_text(SAMPLE.replace("8/5 6/5", "8/5 6/4"))
    (folder / "lines").write_text(f"{LINE}\n")
    return folder


def environment(**more: str) -> dict[str, str]:
    """That of a command which finds the packages where this test does."""
    return os.environ | {"PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path)), **more}


def shell(folder: Path, command: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["sh", "-c", f"{BGCORE} {command}"],
        cwd=folder,
        env=environment(**more),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("where", [">/dev/full", ">&-"])
def test_output_that_cannot_be_written_is_a_message_and_status_1(
    folder: Path, command: str, where: str
) -> None:
    ran = shell(folder, f"{command} {where}")
    assert (ran.returncode, ran.stdout) == (1, "")
    says = "standard output is closed" if where == ">&-" else "No space left on device"
    assert ran.stderr.splitlines()[-1] == f"Error: input or output failed: {says}"
    assert "Traceback" not in ran.stderr


def test_input_that_is_closed_is_a_message_and_status_1(folder: Path) -> None:
    ran = shell(folder, "plays <&-")
    assert (ran.returncode, ran.stdout) == (1, "")
    assert ran.stderr == "Error: input or output failed: standard input is closed\n"


@pytest.mark.parametrize(("command", "status"), [("replay broken", 1), ("plays nothing", 2)])
def test_messages_never_end_among_the_results(folder: Path, command: str, status: int) -> None:
    ran = shell(folder, f"{command} 2>&-")
    assert ran.returncode == status
    assert "rror" not in ran.stdout
    assert "expected" not in ran.stdout


def test_a_pipe_that_nobody_reads_any_more_is_no_error(folder: Path) -> None:
    (folder / "many").write_text(f"{LINE}\n" * 3000)
    ran = shell(folder, "plays many | head -1")
    assert json.loads(ran.stdout)["legal_count"] == 16
    assert ran.stderr == ""


def test_text_that_standard_output_has_no_letters_for_is_spelt_out(folder: Path) -> None:
    (folder / "zoe").write_text(SAMPLE.replace("ann", "Žoë"), encoding="utf-8")
    ran = shell(folder, "replay zoe", PYTHONIOENCODING="cp1251")
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "match, \\u017do" in ran.stdout


# -- at a terminal -----------------------------------------------------------------------------------


def at_a_terminal(folder: Path, command: str, *, output: bool) -> tuple[str, str]:
    """What a command shows at a terminal, and what it writes to a file, if not its output as well."""
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (40, 100))
    slowly = (
        "import bgcore_server.commands.progress as one; one.PATIENCE = one.BETWEEN = 0;"
        "from bgcore_server.cli import main; main()"
    )
    with (folder / "output").open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-c", slowly, *command.split()],
            cwd=folder,
            env=environment(TERM="xterm"),
            stdin=subprocess.DEVNULL,
            stdout=theirs if output else file,
            stderr=theirs,
        )
        os.close(theirs)
        shown = b""
        while True:
            try:
                more = os.read(ours, 65536)
            except OSError:  # nobody has the other end any more
                break
            if not more:
                break
            shown += more
        assert process.wait(60) == 0
    os.close(ours)
    return shown.decode(), (folder / "output").read_text()


@pytest.mark.parametrize(
    ("command", "doing", "result"),
    [
        ("perft --variant western --depth 1", "counting", "447\n"),
        ("check-variant tavla --games 2", "checking tavla", "all is well\n"),
        ("replay sample sample", "replaying", "by resignation, 3 rolls\n"),
        ("plays lines", "answering", "}\n"),
    ],
)
@pytest.mark.parametrize("output", [False, True])
def test_long_work_shows_a_bar_that_leaves_the_results_alone(
    folder: Path, command: str, doing: str, result: str, output: bool
) -> None:
    shown, written = at_a_terminal(folder, command, output=output)
    assert doing in shown
    assert "%" in shown
    last = screen(shown) if output else written
    assert last.endswith(result)
    assert doing not in last
    assert "%" not in written


def screen(shown: str) -> str:
    """What stands on the screen in the end: enough of a terminal for a bar of one line."""
    lines = [""]
    at = 0
    for part in shown.replace("\x1b[2K", "\0").replace("\x1b[1A", "\1").split("\n"):
        for one in plain(part):
            if one == "\0":
                lines[at] = ""
            elif one == "\1":
                at -= 1
            elif one != "\r":
                lines[at] += one
        at += 1
        if at == len(lines):
            lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


def plain(text: str) -> str:
    """Without colours and the like."""
    return re.sub(r"\x1b\[[?0-9;]*[A-Za-z]", "", text)


def test_short_work_shows_no_bar(folder: Path) -> None:
    ours, theirs = pty.openpty()
    subprocess.run(
        ["sh", "-c", f"{BGCORE} replay sample >nothing"],
        cwd=folder,
        env=environment(TERM="xterm"),
        stderr=theirs,
        check=True,
    )
    os.write(theirs, b"end")
    assert os.read(ours, 100) == b"end"
    os.close(ours)
    os.close(theirs)
