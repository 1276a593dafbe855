"""Who calls, and what that opens at a table of the model."""

from __future__ import annotations

from dataclasses import dataclass

from bgcore import Seat
from bgcore_server.errors import Code
from tests.server.model.refused import Refused


@dataclass(frozen=True)
class Caller:
    """What an `authorization` header shows: a secret, or an account. Neither: nothing was sent."""

    secret: str = ""
    account: str = ""


def caller(header: str) -> Caller:
    """Accounts have tokens such as `account.ann`; any other token with a dot is a false one."""
    if not header:
        return Caller()
    scheme, _, token = header.partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not token:
        raise unauthenticated("TOKEN_MALFORMED")
    if token.startswith("account."):
        return Caller(account=token.removeprefix("account."))
    if "." in token:
        raise unauthenticated("TOKEN_INVALID")
    return Caller(secret=token)


def known(header: str) -> Caller:
    """The same where something must be shown."""
    if not header:
        raise unauthenticated("TOKEN_MISSING")
    return caller(header)


def unauthenticated(reason: str) -> Refused:
    return Refused(Code.UNAUTHENTICATED, reason, "authorization")


@dataclass(frozen=True)
class Rights:
    """What a caller may do at a table."""

    look: bool
    join: bool
    host: bool
    seats: tuple[Seat, ...]
