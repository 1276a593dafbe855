"""The keys that may sign accounts' tokens: a file of public keys, and which algorithm each is for.

What a token says of itself is not asked: a key knows its algorithms, and a token signed in another way is
not signed. So a public key is never taken for a secret, and nothing is ever unsigned.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ec import SECP256R1, EllipticCurvePublicKey
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.serialization import load_pem_public_key
from jwt.algorithms import ECAlgorithm, HMACAlgorithm, OKPAlgorithm, RSAAlgorithm
from jwt.exceptions import InvalidKeyError

from bgcore.errors import Fault
from bgcore_server.errors import BadFile
from bgcore_server.watched_files import read_file

FIELD = "accounts key file"
PEM = b"-----BEGIN "
PEM_END = b"-----END "
MOST_KEYS = 32
"""A token that names no key is tried with each."""

SHORTEST_RSA_BITS = 2048
SHORTEST_SECRET = 32
ALGORITHMS = ("RS256", "PS256", "ES256", "EdDSA", "HS256")
READERS: Mapping[str, Any] = {
    "RSA": RSAAlgorithm.from_jwk,
    "EC": ECAlgorithm.from_jwk,
    "OKP": OKPAlgorithm.from_jwk,
    "oct": HMACAlgorithm.from_jwk,
}


@dataclass(frozen=True, slots=True)
class Key:
    """A key, how it is called ("" where it has no name), and the algorithms that it is for."""

    id: str
    algorithms: tuple[str, ...]
    key: Any = field(repr=False)


def read_keys(file: Path) -> tuple[Key, ...]:
    """The keys of a file, PEM or a JSON Web Key Set; `BadFile` says what is wrong with it."""
    raw = read_file(FIELD, file)
    keys = _pem_keys(file, raw) if PEM in raw else _jwks(file, raw)
    if not 1 <= len(keys) <= MOST_KEYS:
        raise _bad(file, f"{len(keys)} keys that can be used", f"1 to {MOST_KEYS}")
    return keys


def _pem_keys(file: Path, raw: bytes) -> tuple[Key, ...]:
    keys = []
    for part in raw.split(PEM)[1:]:
        block = PEM + part[: part.find(b"\n", part.find(PEM_END)) + 1 or None]
        if b"PRIVATE KEY" in block:
            raise _bad(file, "a private key", "public keys: the server signs nothing")
        try:
            key = load_pem_public_key(block)
        except (ValueError, UnsupportedAlgorithm):
            raise _bad(file, "a block that is no public key", "PEM of public keys") from None
        keys.append(Key("", _algorithms(file, key), key))
    return tuple(keys)


def _jwks(file: Path, raw: bytes) -> tuple[Key, ...]:
    expected = 'PEM, or a JSON object with "keys"'
    try:
        form = json.loads(raw)
    except (ValueError, RecursionError):
        raise _bad(file, "neither PEM nor JSON", expected) from None
    entries = form.get("keys") if isinstance(form, dict) else None
    if not isinstance(entries, list) or not all(isinstance(one, dict) for one in entries):
        raise _bad(file, "other JSON", expected)
    keys = tuple(_jwk(file, entry) for entry in entries if _signs(entry))
    names = [key.id for key in keys if key.id]
    if len(set(names)) < len(names):
        raise _bad(file, "two keys of one kid", "one of each")
    return keys


def _signs(entry: Mapping[str, Any]) -> bool:
    """Whether a key is for signatures of a kind we know; sets have others beside them."""
    known = entry.get("kty") in tuple(READERS) and entry.get("crv", "P-256") in ("P-256", "Ed25519")
    return known and entry.get("use", "sig") == "sig" and entry.get("alg", "RS256") in ALGORITHMS


def _jwk(file: Path, entry: Mapping[str, Any]) -> Key:
    kind, name = entry["kty"], entry.get("kid", "")
    if not isinstance(name, str):
        raise _bad(file, "a kid that is no text", "a text")
    if kind != "oct" and "d" in entry:
        raise _bad(file, "a private key", "public keys: the server signs nothing")
    try:
        key = READERS[kind](entry)
    except (InvalidKeyError, LookupError, ValueError, TypeError, AttributeError):
        raise _bad(file, f"a key of kty {kind} that is none", "JSON Web Keys") from None
    algorithms = _algorithms(file, key)
    if wanted := entry.get("alg"):
        if wanted not in algorithms:
            raise _bad(file, f"a key of kty {kind} for {wanted}", " or ".join(algorithms))
        algorithms = (wanted,)
    return Key(name, algorithms, key)


def _algorithms(file: Path, key: object) -> tuple[str, ...]:
    match key:
        case RSAPublicKey():
            if key.key_size < SHORTEST_RSA_BITS:
                found = f"an RSA key of {key.key_size} bits"
                raise _bad(file, found, f"at least {SHORTEST_RSA_BITS}")
            return "RS256", "PS256"
        case EllipticCurvePublicKey() if isinstance(key.curve, SECP256R1):
            return ("ES256",)
        case Ed25519PublicKey():
            return ("EdDSA",)
        case bytes():
            if len(key) < SHORTEST_SECRET:
                found = f"a secret of {len(key)} bytes"
                raise _bad(file, found, f"at least {SHORTEST_SECRET}")
            return ("HS256",)
    raise _bad(file, "a key of another kind", "RSA, P-256, Ed25519 or, in a key set, oct")


def _bad(file: Path, found: str, expected: str) -> BadFile:
    what = f"{FIELD} {file}: {found}, expected {expected}"
    return BadFile(Fault("BAD_KEY_FILE", FIELD, found, expected, what))
