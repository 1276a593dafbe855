"""Accounts: who somebody is, as another service has signed it in a JSON Web Token.

bgcore keeps no accounts and signs nothing. It believes an issuer, whose public keys are in a file.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import jwt
from jwt.utils import base64url_decode, base64url_encode

from bgcore.errors import Fault
from bgcore_server.access_settings import AccountSettings
from bgcore_server.accounts_keys import Key, read_keys
from bgcore_server.errors import NOTHING, Log, Unauthenticated
from bgcore_server.lengths import LONGEST_ACCOUNT, LONGEST_NAME
from bgcore_server.watched_files import WatchedFiles

LONGEST_TOKEN = 8 << 10
"""Bytes; of all headers together gRPC takes 16 KiB."""

SKEW_SECONDS = 30
"""By which our clock and the issuer's may differ."""


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody, as the issuer knows him: an id that never changes, and a name to show ("" without).

    `until` is when his token has expired for us, in seconds since 1970.
    """

    id: str
    name: str = ""
    until: float = field(default=math.inf, compare=False)


class Accounts:
    """Reads the tokens of one issuer. Its keys are read again when their file changes."""

    def __init__(self, settings: AccountSettings, log: Log | None = None) -> None:
        """`BadFile` when there are no keys that can be used."""
        self.required = settings.required
        self._issuer = settings.issuer
        self._audience = settings.audience
        if (file := settings.key_file) is None:
            raise ValueError("expected settings of accounts that are on")
        self._keys = WatchedFiles("keys of accounts", (file,), lambda: read_keys(file), log)

    def account(self, token: str) -> Account:
        """Whose a token is; `Unauthenticated` says why it does not hold, and nothing of what is in it."""
        if len(token) > LONGEST_TOKEN:
            raise _refused("TOKEN_TOO_LONG", "of too many bytes", f"at most {LONGEST_TOKEN}")
        try:
            if not all(map(_is_strict, token.split("."))):
                raise ValueError
            return _account(self._claims(token))
        except (jwt.ExpiredSignatureError, jwt.ImmatureSignatureError) as error:
            if isinstance(error, jwt.ExpiredSignatureError):
                raise _refused("TOKEN_EXPIRED", "expired", "one that has not expired") from None
            raise _refused("TOKEN_NOT_YET", "of the future", "one that holds already") from None
        except (jwt.InvalidIssuerError, jwt.InvalidAudienceError):
            raise self._not_ours() from None
        except jwt.MissingRequiredClaimError as error:
            if error.claim in ("iss", "aud"):
                raise self._not_ours() from None
            found = f"without {error.claim}"
            raise _refused("TOKEN_CLAIM_MISSING", found, f"one with {error.claim}") from None
        except (jwt.InvalidSignatureError, jwt.InvalidAlgorithmError, jwt.InvalidKeyError):
            expected = "one signed with a key of the issuer's, in the way of that key"
            raise _refused("TOKEN_SIGNATURE", "not signed by the issuer", expected) from None
        except (jwt.PyJWTError, ValueError, OverflowError, RecursionError):
            raise _refused("TOKEN_MALFORMED", "no JSON Web Token", "a signed one") from None

    def _claims(self, token: str) -> Mapping[str, Any]:
        """What a token claims, if one of the keys that it may be signed with says so."""
        name = jwt.get_unverified_header(token).get("kid")
        for key in _candidates(self._keys.now(), name):
            try:
                claims: Mapping[str, Any] = jwt.decode(
                    token,
                    key.key,
                    algorithms=key.algorithms,
                    issuer=self._issuer,
                    audience=self._audience,
                    leeway=SKEW_SECONDS,
                    options={"require": ["exp", "sub", "iss", "aud"]},
                )
            except (jwt.InvalidSignatureError, jwt.InvalidAlgorithmError, jwt.InvalidKeyError):
                continue
            return claims
        raise jwt.InvalidSignatureError

    def _not_ours(self) -> Unauthenticated:
        expected = f"one that {self._issuer} made for {self._audience}"
        return _refused("TOKEN_NOT_OURS", "of another issuer or for somebody else", expected)


def looks_like_jwt(token: str) -> bool:
    """Whether a token is an account's: those of seats have no dots.

    >>> looks_like_jwt("eyJh.eyJz.c2ln"), looks_like_jwt("c2VhdA-_")
    (True, False)
    """
    return "." in token


def _is_strict(part: str) -> bool:
    """Whether a part of a token is base64url in its one spelling: limits count a token by its text."""
    # What reads it for the signature passes over strange characters, padding and the last few bits.
    return base64url_encode(base64url_decode(part)).decode() == part


def _candidates(keys: tuple[Key, ...], name: object) -> tuple[Key, ...]:
    """The keys that a token may be signed with: the one it names, or those without a name."""
    if name is None:
        return keys
    return tuple(key for key in keys if key.id == name) or tuple(key for key in keys if not key.id)


def _account(claims: Mapping[str, Any]) -> Account:
    who, name = claims["sub"], claims.get("name")
    if not isinstance(who, str) or not 1 <= len(who) <= LONGEST_ACCOUNT or _plain(who) != who:
        expected = f"a sub of 1 to {LONGEST_ACCOUNT} characters"
        raise _refused("TOKEN_SUBJECT", "with another sub", expected)
    shown = _plain(name)[:LONGEST_NAME] if isinstance(name, str) else ""
    return Account(who, shown, int(claims["exp"]) + SKEW_SECONDS)


def _plain(text: str) -> str:
    """A text without what cannot be shown or kept: control characters, halves of surrogate pairs."""
    return "".join(one for one in text if unicodedata.category(one) not in ("Cc", "Cs"))


def _refused(reason: str, found: str, expected: str) -> Unauthenticated:
    return Unauthenticated(Fault(reason, "authorization", found or NOTHING, expected))
