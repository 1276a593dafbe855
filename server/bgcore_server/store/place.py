"""Where a PostgreSQL database is: what its URL says, what may be told of it, and getting it ready."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Self

import psycopg
from psycopg.conninfo import conninfo_to_dict

from bgcore.errors import BgcoreError, Fault
from bgcore_server.errors import Malformed, Unavailable
from bgcore_server.store.migrate import prepare_postgres

# What libpq does unless the URL says otherwise: a peer that is gone is noticed, and a standby is none of ours.
DEFAULTS: dict[str, Any] = {
    "application_name": "bgcore",
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,  # milliseconds
    "target_session_attrs": "read-write",
}

SHORTEST_SECRET = 3
"""A text shorter than this is found everywhere, and tells nobody anything."""


@dataclass(frozen=True, slots=True)
class Place:
    """A database on a PostgreSQL server. Only `parameters` and `secrets` hold the password."""

    name: str
    parameters: dict[str, Any] = field(repr=False)
    secrets: tuple[str, ...] = field(repr=False)

    @classmethod
    def read(cls, url: str) -> Self:
        """The place of a URL as libpq takes it; `Malformed` when it is none.

        >>> Place.read("postgresql://ann:secret@db.example:5433/tables?sslmode=require")
        Place(name='db.example:5433/tables')
        """
        try:
            said = conninfo_to_dict(url)
        except psycopg.Error:
            raise _no_url() from None  # what libpq says of it may quote it, and with it the password
        ports = str(said.get("port") or "").replace(",", "")
        path = url.partition("://")[2].partition("?")[0].partition("/")[2]
        if "@" in path or not (ports.isdecimal() or not ports):
            raise _no_url()  # a password with a slash in it, so that the rest of it looks like a port
        host = said.get("host") or said.get("hostaddr") or "localhost"
        port = f":{said['port']}" if said.get("port") else ""
        name = f"{host}{port}/{said.get('dbname') or said.get('user') or ''}"
        hidden = (said.get("password"), said.get("sslpassword"))
        return cls(name, DEFAULTS | said, tuple(str(one) for one in hidden if one))

    def told(self, error: BaseException) -> str:
        """What an error says, on one line and without a secret."""
        text = " ".join(str(error).split()) or type(error).__name__
        for secret in self.secrets:
            if len(secret) >= SHORTEST_SECRET:
                text = text.replace(secret, "***")
        return text

    def prepare(self) -> None:
        """Make or upgrade the tables.

        `Unavailable` when the database cannot be used, `Malformed` when it is not for us.
        """
        try:
            with psycopg.connect(**self.parameters) as db:
                _check(db)
                prepare_postgres(db)
        except BgcoreError:
            raise
        except psycopg.Error as error:
            expected = "a database that can be used"
            what = f"the database {self.name} cannot be used: {self.told(error)} (--db)"
            raise Unavailable(
                Fault("DATABASE_UNREACHABLE", "db", self.name, expected, what)
            ) from None


def _no_url() -> Malformed:
    expected = "postgresql://USER:PASSWORD@HOST:PORT/DATABASE, special characters as %XX"
    what = f"--db: not a URL of PostgreSQL, expected {expected}"
    return Malformed(Fault("UNKNOWN_DATABASE", "db", "postgresql", expected, what))


def _check(db: psycopg.Connection[Any]) -> None:
    row = db.execute("SELECT current_schema(), current_setting('server_encoding')").fetchone()
    db.rollback()
    schema, encoding = row or (None, None)
    if schema is None:
        what = "the search path of the database names no schema that exists"
        expected = "a schema that exists"
        raise Malformed(Fault("UNKNOWN_SCHEMA", "db", "none", expected, what))
    if encoding != "UTF8":
        what = f"the database is encoded as {encoding}, expected UTF8"
        raise Malformed(Fault("UNKNOWN_ENCODING", "db", str(encoding), "UTF8", what))
