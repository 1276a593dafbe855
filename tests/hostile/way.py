"""In which of its ways a server is attacked: on which database, through TLS or not, with or without accounts."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.server.certificates import Authority
from tests.server.known_accounts import AUDIENCE, ISSUER
from tests.server.known_accounts import accounts as known_accounts


@dataclass(frozen=True, slots=True)
class Way:
    """What an operator has chosen. Without a `database` there is a file."""

    database: str = ""
    tls: bool = False
    accounts: bool = False

    def certificates(self, folder: Path) -> tuple[bytes, tuple[str, ...]]:
        """Who signs, and the flags that name the files; nobody and none without TLS."""
        if not self.tls:
            return b"", ()
        authority = Authority()
        cert, key = authority.server().write(folder, "server")
        return authority.cert, ("--tls-cert", str(cert), "--tls-key", str(key))

    @property
    def accounts_flags(self) -> tuple[str, ...]:
        """The flags that name the issuer; none without accounts."""
        if not self.accounts:
            return ()
        file = known_accounts()["accounts"]["key_file"]
        return (
            *("--accounts-issuer", ISSUER, "--accounts-audience", AUDIENCE),
            *("--accounts-key-file", str(file)),
        )


PLAIN = Way()
