"""How much one caller may have: requests, watches, new tables. Others should not notice him.

A caller is an address, of IPv6 a whole /64, and besides whatever token he shows. Tokens are not looked into
here, so that a made-up one gives nobody anything: the address counts in any case. New tables alone are counted for
an account where one is proven, and then not for the address.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from bgcore.errors import Fault
from bgcore_server import tokens
from bgcore_server.buckets import Buckets
from bgcore_server.errors import TooMuch, TooOften
from bgcore_server.limit_settings import QuotaSettings
from bgcore_server.peers import REMEMBERED, block_of, within

HOUR = 3600.0


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a watch among those that there may be."""

    close: Callable[[], None]


class Quotas:
    """Counts what callers have. All of it is in memory, and each server counts for itself."""

    def __init__(
        self, settings: QuotaSettings | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._settings = limits = settings or QuotaSettings()
        self._clock = clock
        self._requests = _buckets(limits.address_requests, limits.address_burst)
        self._token_requests = _buckets(limits.token_requests, limits.token_burst)
        self._tables = _buckets(limits.address_tables / HOUR, limits.address_tables)
        self._account_tables = _buckets(limits.account_tables / HOUR, limits.account_tables)
        self._watches: Counter[str | int] = Counter()
        self._all_watches = 0
        self.block = lru_cache(REMEMBERED)(self._block)

    def _block(self, peer: str) -> str:
        """What an address counts as; "" where nothing is counted."""
        return "" if within(peer, self._settings.unlimited) else block_of(peer)

    def request(self, peer: str, authorization: str) -> None:
        """Count a request; `TooOften` for one too many."""
        if not (block := self.block(peer)):
            return
        now = self._clock()
        if self._requests is not None and (wait := self._requests.wait(block, now)):
            raise _too_often(f"{self._settings.address_requests:g} a second of one address", wait)
        # Of a token only a hash is kept: it is a secret, and may be long.
        if self._token_requests is not None and (token := tokens.shown(authorization)):
            if wait := self._token_requests.wait(hash(token), now):
                raise _too_often(f"{self._settings.token_requests:g} a second of one token", wait)

    def table(self, peer: str, account: str = "") -> None:
        """Count a new table, of an account or else of an address; `TooOften` for one too many."""
        if not (block := self.block(peer)):
            return
        if account:
            buckets, most = self._account_tables, self._settings.account_tables
            who, what = account, "account"
        else:
            buckets, most = self._tables, self._settings.address_tables
            who, what = block, "address"
        if buckets is not None and (wait := buckets.wait(who, self._clock())):
            expected = f"at most {most} new tables an hour of one {what}"
            raise TooOften(_fault("TOO_MANY_TABLES", "one more", expected, wait), seconds=wait)

    def watch(self, peer: str, authorization: str) -> Place:
        """Count a watch, until its place is closed; `TooMuch` for one too many."""
        limits, block = self._settings, self.block(peer)
        if limits.watches and self._all_watches >= limits.watches:
            raise _too_many_watches(limits.watches, "all callers together")
        counted: list[str | int] = []
        if block:
            self._check_watches(block, limits.address_watches, "one address")
            counted.append(block)
            if token := tokens.shown(authorization):
                self._check_watches(hash(token), limits.token_watches, "one token")
                counted.append(hash(token))
        self._all_watches += 1
        self._watches.update(counted)
        return Place(lambda: self._leave(counted))

    def _leave(self, counted: list[str | int]) -> None:
        self._all_watches -= 1
        self._watches.subtract(counted)
        for who in counted:
            if not self._watches[who]:
                del self._watches[who]

    def _check_watches(self, who: str | int, most: int, whose: str) -> None:
        if most and self._watches[who] >= most:
            raise _too_many_watches(most, whose)


def _buckets(per_second: float, burst: int) -> Buckets | None:
    return Buckets(per_second, max(1, burst)) if per_second else None


def _too_often(limit: str, wait: float) -> TooOften:
    fault = _fault("TOO_MANY_REQUESTS", "one more request", f"at most {limit}", wait)
    return TooOften(fault, seconds=wait)


def _fault(reason: str, value: str, expected: str, wait: float) -> Fault:
    expected = f"{expected}; try again in {max(wait, 0.001):.3g} s"
    return Fault(reason, "", value, expected)


def _too_many_watches(most: int, whose: str) -> TooMuch:
    expected = f"at most {most} open watches of {whose}"
    return TooMuch(Fault("TOO_MANY_WATCHES", "", "one more watch", expected))
