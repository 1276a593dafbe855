"""A server for each test, and a client of it."""

from __future__ import annotations

from collections.abc import AsyncIterator

import grpc
import pytest

from tests.server.helpers import Client, Running, running


@pytest.fixture
async def server() -> AsyncIterator[Running]:
    async with running() as found:
        yield found
    assert not found.faults.found


@pytest.fixture
async def client(server: Running) -> AsyncIterator[Client]:
    async with grpc.aio.insecure_channel(str(server.grpc)) as channel:
        yield Client(channel)
