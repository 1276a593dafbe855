"""What an operator may set about who is let in: TLS, accounts."""

from __future__ import annotations

from pathlib import Path
from typing import Self

from pydantic import model_validator

from bgcore_server.settings_group import Group, setting


class TlsSettings(Group):
    """Files in PEM: the server's certificate with its chain, its key, and who signs clients' certificates.

    While clients get their certificates, `client_optional` may be on: then the web port checks those that
    come with one. gRPC's library for Python cannot ask without insisting; its port then does not ask at all.
    """

    cert: Path | None = setting(
        None, "Certificate and its chain, PEM: both ports speak TLS.", metavar="FILE"
    )
    key: Path | None = setting(None, "The certificate's key, PEM, not encrypted.", metavar="FILE")
    client_ca: Path | None = setting(
        None, "Whose certificates clients must have, PEM (mutual TLS).", metavar="FILE"
    )
    client_optional: bool = setting(False, "Let clients in without a certificate, too.")

    @property
    def on(self) -> bool:
        """Whether there is a certificate."""
        return self.cert is not None

    @model_validator(mode="after")
    def _together(self) -> Self:
        if (self.cert is None) != (self.key is None):
            raise ValueError("expected both cert and key, or neither")
        if self.client_ca and not self.cert:
            raise ValueError("expected cert and key beside client_ca")
        return self


class AccountSettings(Group):
    """Whom the server believes who somebody is, and whether others may play."""

    issuer: str = setting("", "Whose accounts' tokens are believed (iss).")
    audience: str = setting("", "For whom they must have been made (aud).")
    key_file: Path | None = setting(
        None, "The issuer's public keys, PEM or a JSON Web Key Set.", metavar="FILE"
    )
    required: bool = setting(False, "Refuse new tables and seats to those without an account.")

    @property
    def on(self) -> bool:
        """Whether there are accounts."""
        return self.key_file is not None

    @model_validator(mode="after")
    def _together(self) -> Self:
        given = (bool(self.issuer), bool(self.audience), self.key_file is not None)
        if any(given) and not all(given):
            raise ValueError("expected all of issuer, audience and key_file, or none")
        if self.required and not self.on:
            raise ValueError("expected issuer, audience and key_file where accounts are required")
        return self
