"""The Dockerfile is well made, and what it does gives a server that runs as nobody in particular."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.deploy.image import FILE, Image, copied, for_everybody, interpreter, last, sent, steps
from tests.needs import ROOT, hadolint

SOMEBODY = 10001
LISTENING = re.compile(r"listening grpc=\S+:\d+ http=(\S+:\d+)\n")
PIN = re.compile(r"^([\w.-]+)==(\S+)$", re.MULTILINE)


@pytest.mark.needs_deploy_tools
def test_hadolint_has_nothing_against_it() -> None:
    program = hadolint()
    assert program
    done = subprocess.run([program, str(FILE)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_it_copies_is_there_and_is_sent_to_the_builder() -> None:
    kept, _ = sent()
    taken = [source for step in steps() if step.kind == "COPY" for source in sources(step.value)]
    assert taken
    assert all((ROOT / path).exists() for path in taken)
    assert sorted(kept) == sorted(taken)


def sources(value: str) -> list[str]:
    [step] = [step for step in steps() if step.kind == "COPY" and step.value == value]
    stage, found, _ = copied(step)
    return [] if stage else found


def test_what_runs_has_no_compiler_no_installer_and_no_rights() -> None:
    final = [step for step in steps() if step.stage == 2]
    assert not any("apt-get" in step.value or "pip" in step.value for step in final)
    assert last("USER") == f"{SOMEBODY}:{SOMEBODY}"
    assert any(f"--uid {SOMEBODY} " in step.value for step in final)
    assert json.loads(last("VOLUME")) == ["/data"]
    assert "slim" in next(s.value for s in steps() if s.value.startswith("BASE_IMAGE="))


def test_it_says_what_it_is() -> None:
    label = last("LABEL")
    for name in ("title", "description", "licenses", "version", "revision"):
        assert f"org.opencontainers.image.{name}=" in label
    version = re.search(r'^version = "(.+)"$', (ROOT / "pyproject.toml").read_text(), re.MULTILINE)
    assert version
    assert f"VERSION={version[1]}" in [step.value for step in steps()]


@pytest.fixture(scope="module")
def image() -> Iterator[Image]:
    # Not pytest's folder, which is for nobody else to look into.
    folder = Path(tempfile.mkdtemp(prefix="bgcore-image-"))
    folder.chmod(0o755)
    try:
        made = Image(folder)
        made.build()
        yield made
    finally:
        shutil.rmtree(folder)


def somebody() -> int | None:
    """Another account, where we may be another and it can reach a Python; else ourselves."""
    return SOMEBODY if os.geteuid() == 0 and for_everybody(interpreter()) else None


@pytest.mark.slow
@pytest.mark.timeout(900)  # it installs what the image has
@pytest.mark.needs_deploy_tools
def test_only_pinned_versions_are_installed(image: Image) -> None:
    python = str(image.folder / "opt/bgcore/bin/python")
    listed = subprocess.run(
        [sys.executable, "-m", "pip", "--python", python, "freeze", "--exclude", "bgcore"],
        capture_output=True,
        text=True,
        check=True,
    )
    pins = dict(PIN.findall((ROOT / "deploy/constraints.txt").read_text()))
    assert dict(PIN.findall(listed.stdout)) == pins, "run: make pins"


@pytest.mark.slow
@pytest.mark.timeout(900)  # it installs what the image has
@pytest.mark.needs_deploy_tools
def test_it_serves_as_somebody_else_and_writes_to_its_volume_only(image: Image) -> None:
    before = image.files()
    user = somebody()
    command = image.command()
    with subprocess.Popen(
        command,
        cwd=image.folder / "opt",  # which is not his to write to
        user=user,
        group=user,
        extra_groups=None if user is None else [],
        env={"PYTHONDONTWRITEBYTECODE": "1", "PYTHONUNBUFFERED": "1", "TMPDIR": "/nowhere"},
        stdout=subprocess.PIPE,
        text=True,
    ) as server:
        assert server.stdout
        listening = LISTENING.fullmatch(server.stdout.readline())
        assert listening
        base = f"http://{listening[1]}"
        assert image.probe(f"{base}/readyz") == 0
        ask = urllib.request.Request(
            f"{base}/bgcore.v1.TableService/CreateTable",
            b'{"variant": {"id": "western"}}',
            {"content-type": "application/json"},
        )
        with urllib.request.urlopen(ask) as answer:
            assert json.load(answer)["table"]["id"]
        server.terminate()
        assert server.wait() == 0
    assert image.probe(f"{base}/readyz") == 1
    assert image.files() == before
    kept = image.folder / "data/bgcore.db"
    assert kept.stat().st_uid == (os.geteuid() if user is None else user)
