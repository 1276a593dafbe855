"""Make proto/bgcore_proto/v1 from proto/bgcore/v1/*.proto, or check that it is up to date.

    python tools/generate_proto.py [--check]

The generator is pinned low, since generated code refuses a protobuf runtime older than itself, and
it lives in an environment of its own (.venv/generator), so that everything else may use a newer
runtime. The descriptors keep their names, `bgcore/v1/….proto`: reflection and buf see what other
languages see. Only the Python modules move, to a package that does not hide the engine.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

GRPCIO_TOOLS = "1.66.2"  # protobuf 5.27.2: the lower bound in pyproject.toml

ROOT = Path(__file__).resolve().parent.parent
PROTO = ROOT / "proto"
TARGET = PROTO / "bgcore_proto" / "v1"
ENVIRONMENT = ROOT / ".venv" / "generator"
IMPORT = re.compile(r"^from bgcore\.v1 import", re.MULTILINE)


class NoGenerator(Exception):
    """The pinned generator cannot be had for this Python."""


def main() -> int:
    """Generate, or with `--check` compare; the exit status says whether all is well."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing, fail on a difference")
    check = parser.parse_args().check
    try:
        wanted = generated()
    except NoGenerator as error:
        print(error)
        return 1 if not check or os.environ.get("BGCORE_REQUIRE_ALL") == "1" else 0
    found = {path.name: path.read_text() for path in sorted(TARGET.glob("*_pb2.py*"))}
    if check:
        return report(wanted, found)
    TARGET.mkdir(parents=True, exist_ok=True)
    for name in found.keys() - wanted.keys():
        (TARGET / name).unlink()
    for name, text in wanted.items():
        (TARGET / name).write_text(text)
    print(f"{len(wanted)} files in {TARGET.relative_to(ROOT)}")
    return 0


def generated() -> dict[str, str]:
    """The text of every generated file, by name."""
    sources = sorted(str(path.relative_to(PROTO)) for path in (PROTO / "bgcore/v1").glob("*.proto"))
    if not sources:
        raise SystemExit("no .proto files in proto/bgcore/v1")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [
                *(generator(), "-m", "grpc_tools.protoc", "-I", "."),
                *(f"--python_out={folder}", f"--pyi_out={folder}"),
                *sources,
            ],
            cwd=PROTO,
            check=True,
        )
        return {
            path.name: IMPORT.sub("from bgcore_proto.v1 import", path.read_text())
            for path in sorted(Path(folder, "bgcore/v1").iterdir())
        }


def generator() -> str:
    """A Python that has the pinned grpcio-tools; it is installed when missing."""
    python = ENVIRONMENT / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    stamp = ENVIRONMENT / f"grpcio-tools-{GRPCIO_TOOLS}"
    if not stamp.exists():
        shutil.rmtree(ENVIRONMENT, ignore_errors=True)
        venv.create(ENVIRONMENT, with_pip=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        wanted = ["--only-binary=:all:", f"grpcio-tools=={GRPCIO_TOOLS}", "setuptools<81"]
        if subprocess.run([*install, *wanted], check=False).returncode:
            raise NoGenerator(
                f"grpcio-tools {GRPCIO_TOOLS} does not install here: Python 3.11 to 3.13 can"
            )
        stamp.touch()
    return str(python)


def report(wanted: dict[str, str], found: dict[str, str]) -> int:
    """Show how the committed files differ from the generated ones."""
    if wanted == found:
        return 0
    for name in sorted(wanted.keys() | found.keys()):
        lines = difflib.unified_diff(
            found.get(name, "").splitlines(),
            wanted.get(name, "").splitlines(),
            f"{name} (committed)",
            f"{name} (generated)",
            lineterm="",
            n=0,
        )
        for line in list(lines)[:12]:
            print(line[:200])
    print("proto/bgcore_proto is not what the .proto files give; run: make proto")
    return 1


if __name__ == "__main__":
    sys.exit(main())
