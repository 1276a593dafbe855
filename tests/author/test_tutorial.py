"""The tutorial, step by step as it says, in an environment beside an installed bgcore."""

from __future__ import annotations

import doctest
import os
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.author.environment import ROOT, Environment, tool, types_of
from tests.docs.pages import blocks
from tests.wire import process
from tests.wire.process import ServerProcess

pytestmark = pytest.mark.slow

PLACE = "127.0.0.1:50051"
"""Where the tutorial's server listens; in the tests it is wherever there is room."""

MODULES = {"pip": ("-m", "pip"), "pytest": ("-m", "pytest"), "python": ()}


class Reader:
    """Somebody who does what a page says, in a folder."""

    def __init__(self, folder: Path, environment: Environment) -> None:
        self.folder = folder
        self.environment = environment
        self.server = ServerProcess(folder / "server")
        self.done: list[str] = []

    def write(self, file: str, text: str) -> None:
        place = self.folder / file
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text.replace(PLACE, self.server.grpc), encoding="utf-8")

    def type(self, command: str, printed: str) -> None:
        self.done.append(command)
        if command == "bgcore serve":
            self.server.start()
            return
        program, *arguments = shlex.split(command)
        if program != "bgcore":
            arguments = [self.environment.python, *MODULES[program], *arguments]
        else:
            arguments = [self.environment.bgcore, *arguments]
        offline = {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_QUIET": "1"}
        ran = subprocess.run(
            arguments,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            cwd=self.folder,
            env={**os.environ, **offline, "BGCORE_CACHE": str(self.folder / "cache")},
            check=False,
        )
        assert ran.returncode == 0, f"{command}\n{ran.stdout}{ran.stderr}"
        same = doctest.OutputChecker().check_output(printed, ran.stdout, doctest.ELLIPSIS)
        assert same, f"{command}\n{ran.stdout}"


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Reader]:
    environment = Environment.make(tmp_path / "environment")
    monkeypatch.setattr(process, "command", lambda: environment.bgcore)
    monkeypatch.setenv("BGCORE_CACHE", str(tmp_path / "cache"))
    found = Reader(tmp_path, environment)
    yield found
    found.server.kill()


def test_the_tutorial_can_be_followed(reader: Reader) -> None:
    for block in blocks(ROOT / "docs" / "tutorial.md"):
        if block.file:
            reader.write(block.file, block.text)
        else:
            assert block.kind == "console"
            for command, printed in block.commands():
                reader.type(command, printed)
    assert reader.done[-2:] == ["bgcore serve", "python play.py"]
    package = reader.folder / "harbour"
    for check in (("check",), ("format", "--check")):
        ran = subprocess.run(
            [tool("ruff"), *check, "--no-cache", "."],
            capture_output=True,
            text=True,
            cwd=package,
            check=False,
        )
        assert ran.returncode == 0, ran.stdout
    checked = types_of(reader.environment, package)
    assert checked.returncode == 0, checked.stdout
