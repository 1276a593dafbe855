"""A server that knows accounts, and tokens of them."""

from __future__ import annotations

import tempfile
import time
from functools import cache
from pathlib import Path

import jwt
from cryptography.hazmat.primitives.asymmetric import ed25519
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from bgcore_server.accounts import Accounts, AccountSettings
from bgcore_server.adapters.service import Service
from bgcore_server.callers import Callers
from bgcore_server.server import Server
from bgcore_server.services.table import TableService
from bgcore_server.tables import Tables

ISSUER, AUDIENCE = "https://id.example", "bgcore"
KEY = ed25519.Ed25519PrivateKey.generate()
FOLDER = tempfile.TemporaryDirectory()


@cache
def accounts(required: bool = False) -> Accounts:
    """Accounts of an issuer whose key is read once."""
    file = Path(FOLDER.name) / "keys"
    file.write_bytes(KEY.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    return Accounts(AccountSettings(ISSUER, AUDIENCE, file, required))


def signed(account: str, lasts: float = 600) -> str:
    """A token of an account."""
    claims = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "sub": account,
        "name": account.title(),
        "exp": time.time() + lasts,
    }
    return jwt.encode(claims, KEY, algorithm="EdDSA")


class WithAccounts(Server):
    """A server that believes this issuer."""

    required = False

    def _services(self, tables: Tables) -> list[Service]:
        services = super()._services(tables)
        for service in services:
            if isinstance(service.target, TableService):
                service.target._callers = Callers(accounts(self.required))
        return services


class AccountsRequired(WithAccounts):
    """A server where nobody plays without an account."""

    required = True
