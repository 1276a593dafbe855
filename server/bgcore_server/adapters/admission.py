"""Whether a call is let in, before anything of it is read: not too late, not too often."""

from __future__ import annotations

from bgcore.errors import Fault
from bgcore_server.adapters.around import Ongoing
from bgcore_server.adapters.http_connection import Connections
from bgcore_server.errors import TooLate
from bgcore_server.limit_settings import QuotaSettings, WebSettings
from bgcore_server.peers import FORWARDED, Peers
from bgcore_server.quotas import Quotas
from bgcore_server.turns import Turns


class Admission:
    """The door of both ports: who calls, and how much that caller may."""

    def __init__(self, settings: QuotaSettings | None = None) -> None:
        settings = settings or QuotaSettings()
        self._peers = Peers(settings.trusted_proxies)
        self.quotas = Quotas(settings)
        self.turns = Turns(settings.address_reading, self.quotas.block)

    def begun(self, call: Ongoing) -> None:
        """A step before each call.

        `TooLate` for one that nobody waits for any more, `TooOften` for one too many, `TooMuch` for a watch
        too many.
        """
        call.peer = peer = self._peers.of(call.address, lambda: call.headers(FORWARDED))
        if call.is_late:
            fault = Fault("DEADLINE_PASSED", "", "a call whose time was over", "more time")
            raise TooLate(fault)
        if self.quotas.block(peer):  # else its headers need not be searched for a token
            self.quotas.request(peer, call.authorization)
        if call.method.streams:
            call.place = self.quotas.watch(peer, call.authorization)

    def ended(self, call: Ongoing) -> None:
        """A step after each call."""
        if call.place:
            call.place.close()

    def connections(self, settings: WebSettings) -> Connections:
        """The connections of the web port; those of proxies, which hold many, are not counted."""
        return Connections(
            settings,
            lambda address: "" if self._peers.is_proxy(address) else self.quotas.block(address),
            self.turns,
        )
