"""Running the tools of other languages."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from textwrap import dedent

from bgcore_client import Client
from tests.clients.serving import Server
from tests.conftest import insist
from tests.needs import ROOT, Need

SCORE = re.compile(r"(?P<variant>[a-z-]+): \w+ (?P<ours>\d+), greedy (?P<theirs>\d+)\n")
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def run(*command: str | Path, cwd: Path, timeout: float = 280, **variables: str) -> str:
    """What a program prints; it fails with that when the program fails."""
    done = subprocess.run(
        command,
        cwd=cwd,
        # Nothing of Go's here is C, and there may be no compiler for it.
        env=os.environ | {"CGO_ENABLED": "0"} | variables,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stdout}"
    return done.stdout


def no_buf() -> str:
    return "" if shutil.which("buf", path=paths()) else "no buf on the PATH (buf-bin)"


def paths() -> str:
    """The PATH, and before it where this Python's programs are."""
    return os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])


def check_generated(client: Path, folder: Path) -> None:
    """Generate a client's code once more, and compare."""
    insist(Need("buf", no_buf))
    template = client / "buf.gen.yaml"
    run("buf", "generate", "--template", template, "-o", folder, cwd=ROOT, PATH=paths())
    [target] = (path for path in folder.rglob("gen") if path.is_dir())
    wanted = files(target)
    assert wanted, "nothing was generated"
    found = files(ROOT / target.relative_to(folder))
    assert found.keys() == wanted.keys()
    different = [name for name, text in wanted.items() if found[name] != text]
    assert not different, f"run: buf generate --template {template.relative_to(ROOT)}"


def files(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): path.read_text()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def check_blocks(readme: Path, language: str, sources: Sequence[Path]) -> None:
    """Each block of code of a README stands word for word in a program that the tests run."""
    texts = [unindented(path.read_text()) for path in sources]
    blocks = [code for kind, code in BLOCK.findall(readme.read_text()) if kind == language]
    assert blocks
    for code in blocks:
        assert any(unindented(code) in text for text in texts), code


def unindented(text: str) -> str:
    return "\n".join(line.strip() for line in dedent(text).splitlines())


def check_score(printed: str, variant: str, length: int = 3) -> None:
    """The match was played to its end."""
    score = SCORE.fullmatch(printed)
    assert score, printed
    assert score["variant"] == variant
    points = sorted([int(score["ours"]), int(score["theirs"])])
    assert points[0] < length <= points[1], printed


MONEY = ("money-001", "money-004")
MATCHES = ("vog", "club-002", "jpgames", "tournament-004")


def check_ended(printed: str) -> None:
    """It was played until nothing was to be decided any more, or the program would have failed."""
    assert SCORE.fullmatch(printed), printed


TRIES = "60"
"""How often a client calls a server that is away: for two minutes and more, since it must only come back.

By themselves they give up after ten seconds, and on a machine with much else to do a start takes longer.
"""


def wait_for_events(server: Server, count: int, match: subprocess.Popen[str]) -> None:
    """Wait until so much has happened at the only table: on a machine with much else to do that takes its time."""
    give_up = time.monotonic() + 120
    with Client(server.address) as client:
        while not any(table.revision >= count for table in client.tables()):
            assert match.poll() is None, match.communicate()[0]
            assert time.monotonic() < give_up, "the match does not get on"
            time.sleep(0.05)


def check_survival(server: Server, command: Sequence[str | Path], cwd: Path, length: int) -> None:
    """A match goes on, and is played to its end, though the server is killed in its midst."""
    with subprocess.Popen(
        command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as match:
        try:
            for deaths in range(2):
                wait_for_events(server, 60 * (deaths + 1), match)
                server.kill()
                assert match.poll() is None, "it was over before the server died"
                time.sleep(0.2)
                server.start()
            printed, _ = match.communicate(timeout=200)
        finally:
            match.kill()
    assert match.returncode == 0, printed
    check_score(printed, "western", length)
