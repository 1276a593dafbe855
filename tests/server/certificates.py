"""Certificates for tests, made here and good for this machine."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

DAY = timedelta(days=1)


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


@dataclass(frozen=True)
class Pair:
    """A certificate and its key, in PEM."""

    cert: bytes
    key: bytes = field(repr=False)
    serial: int = 0

    def write(self, folder: Path, name: str) -> tuple[Path, Path]:
        """As two files."""
        files = folder / f"{name}.pem", folder / f"{name}.key"
        for file, raw in zip(files, (self.cert, self.key), strict=True):
            replace(file, raw)
        return files


def replace(file: Path, raw: bytes) -> None:
    """Write a file anew, at another time than it had."""
    before = file.stat().st_mtime_ns if file.exists() else 0
    file.write_bytes(raw)
    if before:
        os.utime(file, ns=(before + 10**9, before + 10**9))


class Authority:
    """Somebody who signs certificates."""

    def __init__(self, name: str = "tests") -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _name(name)
        constraints = x509.BasicConstraints(ca=True, path_length=0)
        usage = x509.KeyUsage(
            *(True, False, False, False, False, True, True, False, False)  # signing, certificates
        )
        self._cert = (
            self._builder(self._name, self._key.public_key())
            .add_extension(constraints, critical=True)
            .add_extension(usage, critical=True)
            .add_extension(
                x509.SubjectKeyIdentifier.from_public_key(self._key.public_key()), critical=False
            )
            .sign(self._key, SHA256())
        )

    @property
    def cert(self) -> bytes:
        """Its own certificate, in PEM."""
        return self._cert.public_bytes(Encoding.PEM)

    def server(self, password: str = "") -> Pair:
        """A certificate of a server on this machine."""
        names = [x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))]
        return self._pair("localhost", names, ExtendedKeyUsageOID.SERVER_AUTH, password)

    def client(self, name: str = "ann") -> Pair:
        """A certificate of a client."""
        return self._pair(name, [x509.DNSName(name)], ExtendedKeyUsageOID.CLIENT_AUTH)

    def _pair(
        self,
        name: str,
        names: list[x509.GeneralName],
        usage: x509.ObjectIdentifier,
        password: str = "",
    ) -> Pair:
        key = ec.generate_private_key(ec.SECP256R1())
        signer = x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key())
        cert = (
            self._builder(_name(name), key.public_key())
            .add_extension(x509.SubjectAlternativeName(names), critical=False)
            .add_extension(x509.ExtendedKeyUsage([usage]), critical=False)
            .add_extension(signer, critical=False)
            .sign(self._key, SHA256())
        )
        lock = BestAvailableEncryption(password.encode()) if password else NoEncryption()
        return Pair(
            cert.public_bytes(Encoding.PEM),
            key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, lock),
            cert.serial_number,
        )

    def _builder(self, name: x509.Name, key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
        now = datetime.now(UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(self._name)
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - DAY)
            .not_valid_after(now + DAY)
        )
