"""A server for all tests here, and one for each test that kills it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bgcore.replay import ReplayedMatch, matches_in
from bgcore_client import AsyncClient, Client
from tests.wire.process import ServerProcess
from tests.wire.random_matches import ARGUMENTS

if TYPE_CHECKING:
    from tests.postgres import Postgres


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server that lives as long as the tests."""
    process = ServerProcess(tmp_path_factory.mktemp("server"), ARGUMENTS).start()
    try:
        yield process
        assert process.alive, process.told()
        assert "server fault" not in process.told()
    finally:
        process.kill()


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[ServerProcess]:
    """A server that a test may kill."""
    process = ServerProcess(tmp_path).start()
    try:
        yield process
    finally:
        process.kill()


@pytest.fixture
def replicas(tmp_path: Path, postgres: Postgres) -> Iterator[list[ServerProcess]]:
    """Two servers on one PostgreSQL that a test may kill."""
    url = postgres.new_url()
    processes = [ServerProcess(tmp_path / name, database=url) for name in ("one", "two")]
    try:
        yield [process.start() for process in processes]
        for process in processes:
            assert "server fault" not in process.told()
    finally:
        for process in processes:
            process.kill()


@pytest.fixture
def client(server: ServerProcess) -> Iterator[Client]:
    with Client(server.grpc) as client:
        yield client


@pytest.fixture
async def async_client(server: ServerProcess) -> AsyncIterator[AsyncClient]:
    async with AsyncClient(server.grpc, timeout=60) as client:
        yield client


@pytest.fixture(scope="session")
def sample() -> ReplayedMatch:
    """A match of our own: cube, resignation, gammon, Crawford game."""
    text = (Path(__file__).parent / "data/sample.txt").read_text(encoding="utf-8")
    [match] = matches_in(text)
    assert not match.report.faults
    return match
