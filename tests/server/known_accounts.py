"""Accounts of an issuer that a server believes, and tokens of them."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ed25519
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

SOMEBODY = "ann"
ISSUER, AUDIENCE = "https://id.example", "bgcore"
KEY = ed25519.Ed25519PrivateKey.generate()
FOLDER = tempfile.TemporaryDirectory()


def accounts(required: bool = False) -> dict[str, Any]:
    """The settings of a server that knows accounts."""
    file = Path(FOLDER.name) / "keys"
    if not file.exists():
        form = (Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
        file.write_bytes(KEY.public_key().public_bytes(*form))
    told = {"issuer": ISSUER, "audience": AUDIENCE, "key_file": file, "required": required}
    return {"accounts": told}


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
