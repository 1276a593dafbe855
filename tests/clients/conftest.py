"""A server for the clients' own suites and examples, and what they need."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.serving import Server
from tests.needs import REQUIRE_ALL, ROOT

TYPESCRIPT = ROOT / "clients/typescript"


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Where everything is required, packages that are only missing are installed."""
    if REQUIRE_ALL and item.get_closest_marker("needs_node") and shutil.which("npm"):
        if not (TYPESCRIPT / "node_modules").is_dir():
            subprocess.run(["npm", "ci"], cwd=TYPESCRIPT, check=True)


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where a server listens that all tests share."""
    with Server(tmp_path_factory.mktemp("server") / "bgcore.db") as server:
        yield server.address


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Server]:
    """A server to be killed."""
    with Server(tmp_path / "bgcore.db") as server:
        yield server
