"""What an operator may set about how much callers may have. 0 switches a limit off."""

from __future__ import annotations

from ipaddress import ip_network
from typing import Annotated

from pydantic import PlainValidator

from bgcore_server.peers import LOOPBACK, Network
from bgcore_server.settings_group import Group, Seconds, setting


def _networks(value: object) -> tuple[Network, ...]:
    """Networks from a text with commas, or a list. "none": no network."""
    parts = value.split(",") if isinstance(value, str) else value
    if not isinstance(parts, list | tuple):
        raise ValueError("expected networks, such as 10.0.0.0/8,fd00::/8")
    if parts in (["none"], [""]):
        return ()
    try:
        return tuple(ip_network(str(one).strip()) for one in parts)
    except ValueError as problem:
        raise ValueError(f"{problem}: expected networks, such as 10.0.0.0/8,fd00::/8") from None


Networks = Annotated[tuple[Network, ...], PlainValidator(_networks)]


class QuotaSettings(Group):
    """What one caller may have."""

    address_requests: float = setting(
        1000.0, "Requests a second of one address, for long.", ge=0, le=1e6
    )
    address_burst: int = setting(5000, "Requests of one address at once.", ge=1, le=10**6)
    token_requests: float = setting(
        500.0, "Requests a second with one token, for long.", ge=0, le=1e6
    )
    token_burst: int = setting(2000, "Requests with one token at once.", ge=1, le=10**6)
    address_reading: int = setting(
        16,
        "Requests of one address that are read at once, of those over HTTP the large ones; others wait.",
        ge=0,
        le=10**6,
    )
    address_watches: int = setting(1000, "Open watches of one address.", ge=0, le=10**6)
    token_watches: int = setting(200, "Open watches with one token.", ge=0, le=10**6)
    watches: int = setting(10_000, "Open watches of all callers together.", ge=0, le=10**6)
    address_tables: int = setting(
        2000, "New tables an hour of one address, of callers without an account.", ge=0, le=10**6
    )
    account_tables: int = setting(
        1000, "New tables an hour of one account, whatever its address.", ge=0, le=10**6
    )
    unlimited: Networks = setting(
        LOOPBACK,
        "Whose requests, watches and tables are not counted; none for nobody's.",
        metavar="NETWORK,…",
    )
    trusted_proxies: Networks = setting(
        (),
        "Proxies that are believed from where a call comes (x-forwarded-for).",
        metavar="NETWORK,…",
    )


class GrpcSettings(Group):
    """The connections of the gRPC port."""

    min_ping: Seconds = setting(
        10.0, "Seconds between two pings of a client; who pings more is hung up on.", ge=0, le=3600
    )
    ping: Seconds = setting(
        60.0,
        "Seconds of silence after which the server asks whether a client lives.",
        ge=1,
        le=7200,
    )
    ping_timeout: Seconds = setting(20.0, "Seconds that a client has to say so.", ge=1, le=3600)
    max_idle: Seconds = setting(
        600.0, "Seconds after which a connection without calls is closed.", ge=0, le=86400
    )
    max_age: Seconds = setting(
        3600.0, "Seconds after which a client is asked to connect anew.", ge=0, le=864000
    )
    age_grace: Seconds = setting(
        60.0, "Seconds that its running calls have then; watches end and go on.", ge=0, le=86400
    )
    streams: int = setting(2000, "Calls and watches at once on a connection.", ge=1, le=10**6)
    request_time: Seconds = setting(
        30.0, "Seconds in which a request must have come in.", ge=0, le=3600
    )


class WebSettings(Group):
    """The connections of the web port."""

    connections: int = setting(4096, "Connections at once; more are answered 503.", ge=0, le=10**6)
    address_connections: int = setting(
        256, "Connections at once of one address; more are hung up on.", ge=0, le=10**6
    )
    keep_alive: Seconds = setting(75.0, "Seconds that a connection may be idle.", ge=1, le=3600)
    request_time: Seconds = setting(
        30.0, "Seconds in which a request must have come in.", ge=0, le=3600
    )
    send_time: Seconds = setting(
        60.0, "Seconds for which a client may stop reading its answer.", ge=0, le=3600
    )
    headers: int = setting(16384, "Bytes of a request's headers.", ge=1024, le=10**6)
