"""An environment of its own for a plugin, beside the bgcore that runs the tests."""

from __future__ import annotations

import os
import site
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SOURCES = (".", "variants", "server", "clients/python", "proto")


@dataclass(frozen=True)
class Environment:
    """A virtual environment; what the tests' own environment has installed can be imported in it."""

    folder: Path

    @classmethod
    def make(cls, folder: Path) -> Environment:
        venv.create(folder)
        made = cls(folder)
        [packages] = folder.glob("lib/python*/site-packages")
        beside = [f"import site; site.addsitedir({place!r})" for place in site.getsitepackages()]
        (packages / "beside.pth").write_text("\n".join(beside) + "\n")
        command = made.folder / "bin" / "bgcore"
        command.write_text(f"#!{made.python}\nfrom bgcore_server.start import main\nmain()\n")
        command.chmod(0o755)
        return made

    @property
    def python(self) -> str:
        return str(self.folder / "bin" / "python")

    @property
    def bgcore(self) -> str:
        return str(self.folder / "bin" / "bgcore")

    def install(self, package: Path) -> None:
        """Install a package from its folder, without asking anybody for anything."""
        flags = ("--no-index", "--no-build-isolation", "--no-deps", "--quiet")
        ran = self.run("-m", "pip", "--disable-pip-version-check", "install", *flags, str(package))
        assert ran.returncode == 0, ran.stdout + ran.stderr

    def run(
        self, *arguments: str, cwd: Path | None = None, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """Run this environment's Python."""
        kept = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
        return subprocess.run(
            [self.python, *arguments],
            capture_output=True,
            text=True,
            check=False,
            cwd=cwd,
            env={**kept, **variables},
        )


def tool(name: str) -> str:
    """A program of the tests' environment."""
    return str(Path(sys.executable).with_name(name))


def types_of(environment: Environment, package: Path) -> subprocess.CompletedProcess[str]:
    """mypy on a package, as strict as it says itself."""
    path = os.pathsep.join(str(ROOT / source) for source in SOURCES)
    return environment.run("-m", "mypy", cwd=package, MYPYPATH=path)
