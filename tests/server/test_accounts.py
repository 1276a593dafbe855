"""Accounts: whose token holds, and why another does not."""

from __future__ import annotations

import base64
import itertools
import json
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from jwt.algorithms import ECAlgorithm, HMACAlgorithm, OKPAlgorithm, RSAAlgorithm

from bgcore_server import accounts_keys
from bgcore_server.access_settings import AccountSettings
from bgcore_server.accounts import Account, Accounts, looks_like_jwt
from bgcore_server.callers import Callers
from bgcore_server.errors import BadFile, Unauthenticated
from bgcore_server.tokens import new_token
from tests.server.helpers import Faults

ISSUER, AUDIENCE = "https://id.example", "bgcore"
RSA = rsa.generate_private_key(65537, 2048)
OTHER_RSA = rsa.generate_private_key(65537, 2048)
EC = ec.generate_private_key(ec.SECP256R1())
ED = ed25519.Ed25519PrivateKey.generate()
SECRET = os.urandom(32)


def pem(*keys: Any) -> bytes:
    form = (Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return b"# ours\n" + b"\n".join(key.public_key().public_bytes(*form) for key in keys)


def jwks(*keys: dict[str, Any]) -> bytes:
    return json.dumps({"keys": keys}).encode()


def rsa_jwk(key: rsa.RSAPrivateKey = RSA, **more: Any) -> dict[str, Any]:
    return RSAAlgorithm.to_jwk(key.public_key(), as_dict=True) | more


EC_JWK = ECAlgorithm.to_jwk(EC.public_key(), as_dict=True)
ED_JWK = OKPAlgorithm.to_jwk(ED.public_key(), as_dict=True)
OCT_JWK = HMACAlgorithm.to_jwk(SECRET, as_dict=True)


def claims(**more: Any) -> dict[str, Any]:
    """The claims of a good token; those that are `None` are left out, and a `timedelta` is from now."""
    good = {
        "iss": ISSUER,
        "aud": AUDIENCE,
        "sub": "user-7",
        "name": "Ann",
        "exp": time.time() + 600,
    }
    now = time.time()
    given = {name: value for name, value in (good | more).items() if value is not None}
    return {
        name: now + value.total_seconds() if isinstance(value, timedelta) else value
        for name, value in given.items()
    }


def token(key: Any = RSA, algorithm: str = "RS256", kid: str = "", **more: Any) -> str:
    headers = {"kid": kid} if kid else {}
    return jwt.encode(claims(**more), key, algorithm=algorithm, headers=headers)


Make = Callable[..., Accounts]


def settings(file: Path, required: bool = False) -> AccountSettings:
    return AccountSettings(issuer=ISSUER, audience=AUDIENCE, key_file=file, required=required)


@pytest.fixture
def accounts(tmp_path: Path) -> Make:
    """Accounts whose keys are in a file."""

    def make(keys: bytes = pem(RSA), required: bool = False, log: Any = None) -> Accounts:
        file = tmp_path / "keys"
        file.write_bytes(keys)
        return Accounts(settings(file, required), log)

    return make


def reason(accounts: Accounts, text: str) -> str:
    """Why a token is refused; neither it nor a part of it is told."""
    with pytest.raises(Unauthenticated) as refused:
        accounts.account(text)
    told = repr(refused.value.faults) + str(refused.value)
    assert refused.value.__suppress_context__ or refused.value.__context__ is None
    parts = (part for part in text.split(".") if len(part) > 3)
    assert not any(part in told for part in parts)
    return refused.value.reason


@pytest.mark.parametrize(
    ("keys", "key", "algorithm"),
    [
        (pem(RSA), RSA, "RS256"),
        (pem(RSA), RSA, "PS256"),
        (pem(EC), EC, "ES256"),
        (pem(ED), ED, "EdDSA"),
        (pem(ED, EC, OTHER_RSA, RSA), RSA, "RS256"),
        (jwks(rsa_jwk()), RSA, "RS256"),
        (jwks(EC_JWK), EC, "ES256"),
        (jwks(ED_JWK), ED, "EdDSA"),
        (jwks(OCT_JWK), SECRET, "HS256"),
        (jwks(rsa_jwk(alg="PS256", use="sig")), RSA, "PS256"),
    ],
    ids=itertools.count(),  # the keys are new each time, and processes that share tests name them alike
)
def test_a_token_of_the_issuer_says_whose_it_is(
    accounts: Make, keys: bytes, key: Any, algorithm: str
) -> None:
    assert accounts(keys).account(token(key, algorithm)) == Account("user-7", "Ann")


def test_of_several_keys_the_token_names_one(accounts: Make) -> None:
    both = accounts(jwks(rsa_jwk(kid="old"), rsa_jwk(OTHER_RSA, kid="new")))
    assert both.account(token(RSA, kid="old")).id == "user-7"
    assert both.account(token(OTHER_RSA, kid="new")).id == "user-7"
    assert both.account(token(OTHER_RSA)).id == "user-7"
    assert reason(both, token(RSA, kid="new")) == "TOKEN_SIGNATURE"
    assert reason(both, token(RSA, kid="another")) == "TOKEN_SIGNATURE"


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"exp": timedelta(seconds=-31)}, "TOKEN_EXPIRED"),
        ({"nbf": timedelta(minutes=10)}, "TOKEN_NOT_YET"),
        ({"iat": timedelta(minutes=10)}, "TOKEN_NOT_YET"),
        ({"iss": "https://evil.example"}, "TOKEN_NOT_OURS"),
        ({"aud": "another service"}, "TOKEN_NOT_OURS"),
        ({"aud": ["a", "b"]}, "TOKEN_NOT_OURS"),
        ({"iss": None}, "TOKEN_NOT_OURS"),
        ({"aud": None}, "TOKEN_NOT_OURS"),
        ({"exp": None}, "TOKEN_CLAIM_MISSING"),
        ({"sub": None}, "TOKEN_CLAIM_MISSING"),
        ({"sub": "x" * 129}, "TOKEN_SUBJECT"),
        ({"sub": ""}, "TOKEN_SUBJECT"),
        ({"sub": "a\0b"}, "TOKEN_SUBJECT"),
        ({"sub": "a\ud800b"}, "TOKEN_SUBJECT"),
        ({"exp": "tomorrow"}, "TOKEN_MALFORMED"),
        ({"exp": float("inf")}, "TOKEN_MALFORMED"),
        ({"nbf": []}, "TOKEN_MALFORMED"),
    ],
)
def test_a_token_that_does_not_hold_is_refused_by_name(
    accounts: Make, more: dict[str, Any], expected: str
) -> None:
    assert reason(accounts(), token(**more)) == expected


def test_clocks_may_differ_by_half_a_minute(accounts: Make) -> None:
    for more in (
        {"exp": timedelta(seconds=-25)},
        {"nbf": timedelta(seconds=25)},
        {"sub": "x" * 128},
    ):
        accounts().account(token(**more))


def test_a_sub_that_is_no_text_is_refused(accounts: Make) -> None:
    assert reason(accounts(jwks(OCT_JWK)), signed({"alg": "HS256"}, claims(sub=7))) in (
        "TOKEN_MALFORMED",
        "TOKEN_SUBJECT",
    )


@pytest.mark.parametrize(
    ("name", "shown"),
    [(None, ""), (7, ""), ("x" * 200, "x" * 100), ("a\nb\ud83d", "ab"), ("Zoë 🎲", "Zoë 🎲")],
)
def test_a_name_is_made_fit_to_be_shown(accounts: Make, name: Any, shown: str) -> None:
    assert accounts().account(token(name=name)).name == shown


def part(value: Any) -> str:
    raw = value if isinstance(value, bytes) else json.dumps(value).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def signed(header: Any, payload: Any, secret: bytes = SECRET) -> str:
    """A token made by hand, which the library would not make."""
    text = f"{part(header)}.{part(payload)}"
    digest = HMACAlgorithm(HMACAlgorithm.SHA256).sign(text.encode(), secret)
    return f"{text}.{part(digest)}"


def test_a_public_key_is_never_taken_for_a_secret(accounts: Make) -> None:
    keys = pem(RSA)
    for secret in (keys, keys.removeprefix(b"# ours\n"), keys.strip()):
        forged = signed({"alg": "HS256"}, claims(), secret)
        assert reason(accounts(keys), forged) == "TOKEN_SIGNATURE"


@pytest.mark.parametrize(
    "algorithm", ["none", "None", "nOnE", "", "HS512", "RS1", None, 7, ["RS256"]]
)
def test_a_token_does_not_choose_how_it_is_checked(accounts: Make, algorithm: Any) -> None:
    unsigned = f"{part({'alg': algorithm})}.{part(claims())}."
    for both in (unsigned, signed({"alg": algorithm}, claims())):
        assert reason(accounts(jwks(OCT_JWK, rsa_jwk())), both) in (
            "TOKEN_SIGNATURE",
            "TOKEN_MALFORMED",
        )


@pytest.mark.parametrize("more", [{"alg": "ES256"}, {"jku": "https://evil.example"}])
def test_a_key_that_a_token_brings_is_not_used(accounts: Make, more: dict[str, str]) -> None:
    headers = {"jwk": rsa_jwk(OTHER_RSA), **more}
    forged = jwt.encode(claims(), OTHER_RSA, "RS256", headers={**headers, "alg": "RS256"})
    assert reason(accounts(), forged) == "TOKEN_SIGNATURE"


def test_a_key_for_one_algorithm_is_not_used_for_another(accounts: Make) -> None:
    assert reason(accounts(jwks(rsa_jwk(alg="PS256"))), token()) == "TOKEN_SIGNATURE"


def test_what_a_token_calls_critical_must_be_understood(accounts: Make) -> None:
    strange = signed({"alg": "HS256", "crit": ["role"], "role": "guest"}, claims())
    assert reason(accounts(jwks(OCT_JWK)), strange) == "TOKEN_MALFORMED"


def test_a_changed_token_is_not_signed(accounts: Make) -> None:
    head, _, signature = token().split(".")
    assert reason(accounts(), f"{head}.{part(claims(sub='root'))}.{signature}") == "TOKEN_SIGNATURE"


@pytest.mark.parametrize(
    "text",
    [
        ".",
        "..",
        "a.b.c",
        "....",
        "eyJ.eyJ.x",
        "é.é.é",
        "\0.\0.\0",
        part([]) + ".e30.x",
        part({"alg": "RS256", "kid": 7}) + ".e30.x",
        part({"alg": "RS256", "kid": ["a"]}) + ".e30.x",
        part(b"[" * 4000) + ".e30.x",
        part(b'{"alg":' + b"9" * 5000 + b"}") + ".e30.x",
        part(b"\xff\xfe") + ".e30.x",
    ],
)
def test_what_is_no_token_is_refused(accounts: Make, text: str) -> None:
    assert reason(accounts(), text) in ("TOKEN_MALFORMED", "TOKEN_SIGNATURE")


@pytest.mark.parametrize(
    "respelt",
    [
        lambda head, body, signature: f"{head}.{body}.{signature}=",
        lambda head, body, signature: f"{head}.{body}.{signature[:9]}!{signature[9:]}",
        lambda head, body, signature: f"{head}.{body}.{last_bits_changed(signature)}",
    ],
    ids=["padding", "a strange character", "bits that mean nothing"],
)
def test_a_token_has_one_spelling(accounts: Make, respelt: Callable[..., str]) -> None:
    """Else each of its spellings would have requests of its own."""
    good = token()
    assert accounts().account(good)
    assert reason(accounts(), respelt(*good.split("."))) == "TOKEN_MALFORMED"


def last_bits_changed(signature: str) -> str:
    """The same 256 bytes: of the last of 342 characters, four bits are not used."""
    other = signature[:-1] + chr(ord(signature[-1]) + 1)
    assert base64.urlsafe_b64decode(other + "==") == base64.urlsafe_b64decode(signature + "==")
    return other


def test_signed_nonsense_is_refused(accounts: Make) -> None:
    ours = accounts(jwks(OCT_JWK))
    for payload in (b"[" * 4000, b"9" * 5000, b"\xff", b"[]", b"null", b'{"exp":1e999}'):
        assert reason(ours, signed({"alg": "HS256"}, payload)) in (
            "TOKEN_MALFORMED",
            "TOKEN_CLAIM_MISSING",
        )


def test_a_huge_token_is_not_looked_at(accounts: Make) -> None:
    assert reason(accounts(), token(more="x" * 8000)) == "TOKEN_TOO_LONG"
    accounts().account(token(more="x" * 4000))


# -- who is calling -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Said:
    """A call with a header."""

    authorization: str
    peer: str = "192.0.2.1"


def test_a_header_tells_the_account(accounts: Make) -> None:
    caller = Callers(accounts()).of(Said(f"Bearer {token()}"))
    assert (caller.account, caller.name) == ("user-7", "Ann")


def test_who_shows_no_account_has_none(accounts: Make) -> None:
    seat = new_token(b"salt", "")
    assert not looks_like_jwt(seat)
    assert Callers(accounts()).of(Said("")).unknown
    assert Callers(accounts()).of(Said(f"Bearer {seat}")).account == ""


def test_an_account_may_be_required(accounts: Make) -> None:
    for header in ("", f"Bearer {new_token(b'salt', '')}"):
        with pytest.raises(Unauthenticated, match="Bearer and the token of an account"):
            Callers(accounts(required=True)).player(Said(header))


def test_a_token_that_does_not_hold_is_not_taken_for_none(accounts: Make) -> None:
    with pytest.raises(Unauthenticated):
        Callers(accounts()).of(Said(f"Bearer {token(OTHER_RSA)}"))


# -- the file of keys ---------------------------------------------------------------------------------


def write(file: Path, raw: bytes) -> None:
    """Replace a file, at another time than it had."""
    before = file.stat().st_mtime_ns
    file.write_bytes(raw)
    os.utime(file, ns=(before + 10**9, before + 10**9))


def test_new_keys_are_used_without_a_restart(accounts: Make, tmp_path: Path) -> None:
    ours = accounts(pem(RSA))
    write(tmp_path / "keys", pem(OTHER_RSA))
    assert reason(ours, token(RSA)) == "TOKEN_SIGNATURE"
    assert ours.account(token(OTHER_RSA)).id == "user-7"


@pytest.mark.parametrize("broken", [b"", b"{", pem(RSA)[:200], b'{"keys":[]}', None])
def test_old_keys_hold_while_new_ones_cannot_be_used(
    accounts: Make, tmp_path: Path, broken: bytes | None
) -> None:
    log = Faults()
    ours = accounts(pem(RSA), log=log)
    file = tmp_path / "keys"
    if broken is None:
        file.unlink()
    else:
        write(file, broken)
    for _ in range(3):
        ours.account(token(RSA))
    [entry] = log.found
    assert entry["event"] == "keys of accounts not renewed"
    file.write_bytes(pem(OTHER_RSA))
    assert ours.account(token(OTHER_RSA)).id == "user-7"


PRIVATE = RSA.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
SMALL_RSA = rsa.generate_private_key(65537, 1024)


@pytest.mark.parametrize(
    ("raw", "why"),
    [
        (b"", "neither PEM nor JSON"),
        (b"nonsense", "neither PEM nor JSON"),
        (b"[" * 10**5, "neither PEM nor JSON"),
        (b"[]", "other JSON"),
        (b'{"keys":{}}', "other JSON"),
        (b'{"keys":[7]}', "other JSON"),
        (jwks(), "0 keys"),
        (PRIVATE, "a private key"),
        (jwks(RSAAlgorithm.to_jwk(RSA, as_dict=True)), "a private key"),
        (pem(SMALL_RSA), "an RSA key of 1024 bits"),
        (pem(ec.generate_private_key(ec.SECP384R1())), "another kind"),
        (pem(ed448.Ed448PrivateKey.generate()), "another kind"),
        (b"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n", "no public key"),
        (b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "no public key"),
        (jwks(HMACAlgorithm.to_jwk(b"short", as_dict=True)), "a secret of 5 bytes"),
        (jwks({"kty": "RSA", "n": "!", "e": "AQAB"}), "a key of kty RSA that is none"),
        (jwks({"kty": "oct"}), "a key of kty oct that is none"),
        (jwks({"kty": "oct", "k": []}), "a key of kty oct that is none"),
        (jwks({"kty": []}), "0 keys"),
        (jwks({"kty": "EC", "crv": "P-256"}), "a key of kty EC that is none"),
        (jwks(rsa_jwk(kid=7)), "a kid that is no text"),
        (jwks(rsa_jwk(kid="a"), EC_JWK | {"kid": "a"}), "two keys of one kid"),
        (jwks(EC_JWK | {"alg": "RS256"}), "a key of kty EC for RS256"),
        (jwks(*[rsa_jwk()] * 33), "33 keys"),
    ],
)
def test_a_file_without_usable_keys_is_refused_at_once(
    accounts: Make, raw: bytes, why: str
) -> None:
    with pytest.raises(BadFile, match=why) as refused:
        accounts(raw)
    assert accounts_keys.FIELD in str(refused.value)


def test_a_file_that_is_not_there_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="no such file"):
        Accounts(settings(tmp_path / "none"))


def test_keys_of_a_set_that_are_for_something_else_are_passed_over(accounts: Make) -> None:
    others = (
        rsa_jwk(use="enc"),
        rsa_jwk(alg="RSA-OAEP"),
        {"kty": "OKP", "crv": "X25519", "x": "AAAA"},
        {"kty": "AKP", "alg": "ML-DSA-65", "pub": "AAAA"},
    )
    ours = accounts(jwks(*others, rsa_jwk(OTHER_RSA)))
    assert ours.account(token(OTHER_RSA)).id == "user-7"
    assert reason(ours, token(RSA)) == "TOKEN_SIGNATURE"


def test_secrets_are_not_shown() -> None:
    key = accounts_keys.Key("a", ("HS256",), b"secret")
    assert "secret" not in repr(key)
