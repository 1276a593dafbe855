"""What deploy/Dockerfile does, done in a folder: there need be nothing here that runs containers."""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dockerfile_parse import DockerfileParser

from tests.needs import ROOT

FILE = ROOT / "deploy/Dockerfile"
IGNORED = ROOT / "deploy/Dockerfile.dockerignore"
PLACES = re.compile(r"(?<![\w.-])/(?=(?:src|wheel|opt/bgcore|data)\b)")
"""Where something lies in the image, and here below the folder."""


PYTHON = """#!/bin/sh
test "$1 $2" = "-m pip" && exec {ours} "$@"
exec {whoever} "$@"
"""
"""The image's `python`: our pip, which the machine's may be without, and whichever Python everybody may run."""


def interpreter() -> Path:
    """This Python; or, where it is in a home that nobody else may enter, the machine's of the same version."""
    ours = Path(sys.executable).resolve()
    system = Path(f"/usr/bin/python3.{sys.version_info.minor}")
    return system if not for_everybody(ours) and system.exists() else ours


def for_everybody(path: Path) -> bool:
    """Whether any account may get there."""
    return all(folder.stat().st_mode & 0o001 for folder in path.resolve().parents)


@dataclass(frozen=True)
class Step:
    """One instruction of a stage."""

    stage: int
    kind: str
    value: str


def steps() -> list[Step]:
    """All instructions; what stands before the first FROM is in stage 0."""
    parser = DockerfileParser(fileobj=io.BytesIO(FILE.read_bytes()))
    stage, found = 0, []
    for part in parser.structure:
        if part["instruction"] == "COMMENT":
            continue
        stage += part["instruction"] == "FROM"
        found.append(Step(stage, part["instruction"], part["value"]))
    return found


def last(kind: str) -> str:
    """What the last instruction of a kind says."""
    return [step.value for step in steps() if step.kind == kind][-1]


def copied(step: Step) -> tuple[str, list[str], str]:
    """Of a COPY: the stage it takes from (empty: the checkout), what, and where to."""
    words = shlex.split(step.value)
    options = [word for word in words if word.startswith("--")]
    *sources, target = [word for word in words if word not in options]
    stage = next((o.partition("=")[2] for o in options if o.startswith("--from=")), "")
    return stage, sources, target


def sent() -> tuple[list[str], list[str]]:
    """Of the checkout: the paths that are sent to the builder, and the patterns that are not for all that."""
    lines = [line for line in IGNORED.read_text().splitlines() if line and line[0] != "#"]
    assert lines[0] == "*"
    kept = [line[1:] for line in lines if line[0] == "!"]
    return kept, [line.removeprefix("**/") for line in lines if line.startswith("**/")]


class Image:
    """The image's files, below a folder that everybody may read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._workdir = folder
        self._env: dict[str, str] = {}

    def here(self, text: str) -> str:
        """The same with the image's paths as they are here."""
        return PLACES.sub(f"{self.folder}/", text)

    def build(self) -> None:
        """Carry out the first stage, and lay out the second; accounts are not made."""
        for step in steps():
            if step.kind == "WORKDIR" and step.stage == 1:
                self._workdir = Path(self.here(step.value))
                self._workdir.mkdir(parents=True)
            elif step.kind == "ENV" and step.stage == 1:
                self._env |= dict(pair.split("=", 1) for pair in shlex.split(step.value))
            elif step.kind == "COPY":
                self._copy(step)
            elif step.kind == "RUN" and step.stage == 1:
                self._run(step.value)
        data = self.folder / "data"
        data.mkdir(mode=0o750)
        if os.geteuid() == 0:
            os.chown(data, 10001, 10001)

    def _copy(self, step: Step) -> None:
        stage, sources, target = copied(step)
        if stage:  # both stages are in one folder
            assert all(Path(self.here(source)).exists() for source in sources)
            return
        _, patterns = sent()
        for source in sources:
            to = self._workdir / self.here(target)
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, to, ignore=shutil.ignore_patterns(*patterns))
            else:
                shutil.copy(ROOT / source, to)

    def _run(self, command: str) -> None:
        programs = self.folder / "programs"
        programs.mkdir(exist_ok=True)
        python = programs / "python"
        python.write_text(PYTHON.format(ours=sys.executable, whoever=interpreter()))
        python.chmod(0o755)
        env = os.environ | self._env | {"PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
        env.pop("PYTHONPATH", None)
        done = subprocess.run(
            ["/bin/sh", "-ec", self.here(command)],
            cwd=self._workdir,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}"

    def command(self) -> list[str]:
        """What the image runs, at any free ports of this machine."""
        words = [*json.loads(last("ENTRYPOINT")), *json.loads(last("CMD"))]
        return [re.sub(r"^0\.0\.0\.0:\d+$", "127.0.0.1:0", self.here(word)) for word in words]

    def probe(self, url: str) -> int:
        """The status of the health check."""
        _, _, command = last("HEALTHCHECK").partition("CMD ")
        words = [self.here(word) for word in json.loads(command)]
        return subprocess.run([*words, url], stderr=subprocess.DEVNULL, check=False).returncode

    def files(self) -> set[Path]:
        """Everything but the volume."""
        return set(self._files())

    def _files(self) -> Iterator[Path]:
        for path in self.folder.rglob("*"):
            if self.folder / "data" not in (path, *path.parents):
                yield path
