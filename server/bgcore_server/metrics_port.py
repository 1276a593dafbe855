"""A port for metrics alone, so that they need not be where the players are."""

from __future__ import annotations

from prometheus_client import start_http_server

from bgcore_server.address import Address
from bgcore_server.metrics import Metrics


class Scraped:
    """Listens on a thread of its own; `OSError` when the address cannot be had."""

    def __init__(self, metrics: Metrics, address: Address) -> None:
        self._server, self._thread = start_http_server(
            address.port, address.host, registry=metrics.registry
        )
        self.port = int(self._server.server_port)

    def stop(self) -> None:
        """Let go of the port."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
