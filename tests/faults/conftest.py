"""The server and the client of the tests at tables."""

from tests.server.conftest import client, server

__all__ = ["client", "server"]
