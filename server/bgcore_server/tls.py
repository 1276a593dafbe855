"""TLS for both ports, from files, which may be renewed while the server runs.

There is no timer: whenever somebody connects, the files are looked at. What is new is for new connections.
"""

from __future__ import annotations

import ssl
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import grpc

from bgcore.errors import Fault
from bgcore_server.access_settings import TlsSettings
from bgcore_server.errors import BadFile, Log
from bgcore_server.watched_files import WatchedFiles, read_file

OLDEST = ssl.TLSVersion.TLSv1_2


@dataclass(frozen=True, slots=True)
class _Files:
    cert: Path
    key: Path
    client_ca: Path | None
    client_optional: bool

    @classmethod
    def of(cls, settings: TlsSettings) -> _Files:
        if settings.cert is None or settings.key is None:
            raise ValueError("expected settings of TLS that is on")
        return cls(settings.cert, settings.key, settings.client_ca, settings.client_optional)


@dataclass(frozen=True, slots=True)
class _Loaded:
    """What the files hold, in the forms that both ports take."""

    grpc: grpc.ServerCertificateConfiguration = field(repr=False)
    context: ssl.SSLContext


class Tls:
    """The certificates of a server."""

    def __init__(self, settings: TlsSettings, log: Log | None = None) -> None:
        """`BadFile` when the files cannot be used, or not together."""
        self._pem = pem = _Files.of(settings)
        files = [pem.cert, pem.key, *([pem.client_ca] if pem.client_ca else [])]
        self._files = WatchedFiles("certificates", files, lambda: _load(pem), log)

    def grpc_credentials(self) -> grpc.ServerCredentials:
        """For the gRPC port."""
        given = self._files.now().grpc

        def renewed() -> grpc.ServerCertificateConfiguration | None:
            nonlocal given
            found = self._files.now().grpc
            if found is given:
                return None
            given = found
            return found

        insist = self._pem.client_ca is not None and not self._pem.client_optional
        # Its stubs do not know that nothing stands for what was there before.
        fetch = cast(Callable[[], grpc.ServerCertificateConfiguration], renewed)
        return grpc.dynamic_ssl_server_credentials(given, fetch, insist)

    def context(self) -> ssl.SSLContext:
        """For the web port: it hands each connection over to the newest one."""
        entrance = _load_context(self._pem)
        entrance.sni_callback = self._hand_over(entrance)
        return entrance

    def _hand_over(self, entrance: ssl.SSLContext) -> Callable[..., None]:
        def hand_over(connection: ssl.SSLObject, name: str | None, context: ssl.SSLContext) -> None:
            connection.context = self._files.now().context

        return hand_over


def _load(pem: _Files) -> _Loaded:
    context = _load_context(pem)  # the judge of whether they go together
    key, chain = read_file("tls key", pem.key), read_file("tls cert", pem.cert)
    clients = read_file("tls client ca", pem.client_ca) if pem.client_ca else None
    return _Loaded(grpc.ssl_server_certificate_configuration([(key, chain)], clients), context)


def _load_context(pem: _Files) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = OLDEST
    context.set_alpn_protocols(["http/1.1"])
    # A ticket would let in who has once been let in, whatever is in the files by then.
    context.num_tickets = 0
    context.options |= ssl.OP_NO_TICKET
    for name, file in (("tls cert", pem.cert), ("tls key", pem.key)):
        read_file(name, file)
    try:
        context.load_cert_chain(pem.cert, pem.key, password=_encrypted)
    except (ssl.SSLError, _Encrypted, ValueError) as problem:
        expected = "a certificate and its own key, in PEM, not encrypted"
        raise _bad("tls cert and key", f"{pem.cert}, {pem.key}", problem, expected) from None
    if pem.client_ca:
        read_file("tls client ca", pem.client_ca)
        try:
            context.load_verify_locations(pem.client_ca)
        except ssl.SSLError as problem:
            expected = "certificates in PEM of those who sign clients'"
            raise _bad("tls client ca", str(pem.client_ca), problem, expected) from None
        context.verify_mode = ssl.CERT_OPTIONAL if pem.client_optional else ssl.CERT_REQUIRED
    return context


class _Encrypted(Exception):
    """A key that nobody is there to unlock."""


def _encrypted() -> str:
    raise _Encrypted("the key is encrypted")


def _bad(field: str, value: str, problem: Exception, expected: str) -> BadFile:
    why = getattr(problem, "reason", None) or str(problem)
    what = f"{field} {value}: {why.lower().replace('_', ' ')}, expected {expected}"
    return BadFile(Fault("BAD_CERTIFICATE", field, value, expected, what))
