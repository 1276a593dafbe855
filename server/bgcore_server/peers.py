"""Where a call comes from: an address without its port, which behind trusted proxies they tell."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import unquote

Network = IPv4Network | IPv6Network

FORWARDED = "x-forwarded-for"
LOOPBACK: tuple[Network, ...] = (ip_network("127.0.0.0/8"), ip_network("::1"))
IPV6_BLOCK = 64
"""Bits of an IPv6 address that say whose it is: anybody has all that begin with the same."""

LONGEST = 64
"""Characters of an address, or of what stands for one, such as a socket in the file system."""

REMEMBERED = 4096
"""Addresses of which it is remembered what they mean."""


class Peers:
    """Tells callers by their addresses.

    >>> peers = Peers([ip_network("10.0.0.0/8")])
    >>> peers.of("192.0.2.1", lambda: "203.0.113.9")
    '192.0.2.1'
    >>> peers.of("10.0.0.1", lambda: "1.1.1.1, 203.0.113.9, 10.0.0.2")
    '203.0.113.9'
    """

    def __init__(self, trusted_proxies: Collection[Network] = ()) -> None:
        self._trusted = tuple(trusted_proxies)
        self.is_proxy = lru_cache(REMEMBERED)(lambda address: within(address, self._trusted))

    def of(self, address: str, forwarded: Callable[[], str]) -> str:
        """Who calls: whoever connected, or before trusted proxies the last whom they did not trust.

        `forwarded` gives the header in which proxies say it. What stands before that, anybody may have written.
        """
        if not self._trusted or not self.is_proxy(address):
            return address
        for told in reversed(forwarded().split(",")):
            before = address_of(told.strip()[:LONGEST])  # it is remembered, so not for ever longer
            if _parsed(before) is None:
                break
            address = before
            if not self.is_proxy(address):
                break
        return address


@lru_cache(REMEMBERED)
def address_of(peer: str) -> str:
    """The address of what gRPC or a proxy calls a peer.

    >>> address_of("ipv4:192.0.2.1:40000"), address_of("ipv6:%5B2001:db8::1%5D:40000")
    ('192.0.2.1', '2001:db8::1')
    >>> address_of("[2001:db8::1]:80"), address_of("2001:db8::1"), address_of("192.0.2.1:80")
    ('2001:db8::1', '2001:db8::1', '192.0.2.1')
    """
    text = unquote(peer.removeprefix("ipv4:").removeprefix("ipv6:"))
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text


def block_of(address: str) -> str:
    """What counts as one caller: an IPv4 address, the first half of an IPv6 address.

    >>> block_of("192.0.2.1"), block_of("::ffff:192.0.2.1"), block_of("2001:db8:1:2:3:4:5:6")
    ('192.0.2.1', '192.0.2.1', '2001:db8:1:2::')
    """
    found = _parsed(address[:LONGEST])
    if found is None:
        return address[:LONGEST]
    if isinstance(found, IPv6Address):
        return str(ip_network((found, IPV6_BLOCK), strict=False).network_address)
    return str(found)


def within(address: str, networks: Collection[Network]) -> bool:
    """Whether an address is in one of the networks."""
    found = _parsed(address[:LONGEST])
    return found is not None and any(found in network for network in networks)


@lru_cache(REMEMBERED)
def _parsed(address: str) -> IPv4Address | IPv6Address | None:
    """An address; one of IPv4 in IPv6's clothes as what it is."""
    try:
        found = ip_address(address.partition("%")[0])
    except ValueError:
        return None
    return (found.ipv4_mapped or found) if isinstance(found, IPv6Address) else found
