"""Seat tokens: secrets of 256 bits, of which only a hash is kept."""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets

from bgcore.errors import Fault
from bgcore_server.errors import NOTHING, Unauthenticated

BYTES = 32
SCHEME = "bearer"


def new_salt() -> bytes:
    """What is kept beside a seat so that a repeated request can be given its token again."""
    return secrets.token_bytes(BYTES)


def new_token(salt: bytes, request_id: str) -> str:
    """The token of a seat: the same for the same salt and request id, any other without an id.

    The id is not kept, so what is kept does not give the token away.

    >>> new_token(b"salt", "an id") == new_token(b"salt", "an id") != new_token(b"salt", "")
    True
    """
    if not request_id:
        return secrets.token_urlsafe(BYTES)
    return derived(salt, request_id)


def derived(salt: bytes, request_id: str, role: str = "") -> str:
    """The secret that follows from a salt and a request id, for each role another."""
    what = f"{role}\0{request_id}" if role else request_id
    digest = hmac.digest(salt, what.encode(), "sha256")
    return base64.urlsafe_b64encode(digest).rstrip(b"=").decode()


def hashed(secret: str) -> bytes:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode()).digest()


def same(one: bytes, other: bytes) -> bool:
    """Whether two hashes are the same, in a time that tells nothing."""
    return hmac.compare_digest(one, other)


def shown(authorization: str) -> str:
    """The token that an `authorization` header shows, however it is spelt; empty when it shows none.

    >>> shown("Bearer abc"), shown("bearer  abc "), shown("Basic abc")
    ('abc', 'abc', '')
    """
    scheme, _, token = authorization.partition(" ")
    return token.strip() if scheme.lower() == SCHEME else ""


def bearer(authorization: str) -> str:
    """The token of an `authorization` header.

    >>> bearer("Bearer abc")
    'abc'
    """
    if not authorization:
        raise _refused("TOKEN_MISSING", NOTHING)
    if not (token := shown(authorization)):
        # What was sent is left out on purpose: what looks malformed may still be a secret.
        raise _refused("TOKEN_MALFORMED", "without a token")
    return token


def _refused(reason: str, found: str) -> Unauthenticated:
    expected = "Bearer and the token that JoinTable gave"
    return Unauthenticated(Fault(reason, "authorization", found, expected))
