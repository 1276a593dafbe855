"""Numbers as GNU Backgammon's IDs write them: little-endian bytes in base64, without padding."""

from __future__ import annotations

from binascii import a2b_base64, b2a_base64

from bgcore.errors import Fault, NotationError

_ALPHABET = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")


def read_bits(text: str, name: str, length: int) -> int:
    """The number behind `length` characters; `NotationError` names the character that is none.

    Bits that do not fill a byte at the end are dropped. `name` says what is read (`match ID`).

    >>> read_bits("cAkAAAAAAAAA", "match ID", 12)
    2416
    """
    if not _ALPHABET.issuperset(text):
        column = next(at for at, letter in enumerate(text) if letter not in _ALPHABET)
        field = f"{name} {_shown(text, length)} character {column + 1}"
        raise unreadable(name, field, repr(text[column]), "a letter, a digit, + or /")
    if len(text) != length:
        found = f"{_shown(text, length)} ({len(text)} characters)"
        raise unreadable(name, name, found, f"{length} characters")
    return int.from_bytes(a2b_base64(text + "=" * (-length % 4)), "little")


def write_bits(number: int, length: int) -> str:
    """A number that fits into so many characters of six bits, as these characters.

    >>> write_bits(2416, 12)
    'cAkAAAAAAAAA'
    """
    packed = number.to_bytes(length * 6 // 8, "little")
    return b2a_base64(packed, newline=False)[:length].decode()


def unreadable(name: str, field: str, value: str, expected: str) -> NotationError:
    """The error of an ID called `name` that cannot be read."""
    return NotationError(Fault(f"BAD_{name.upper().replace(' ', '_')}", field, value, expected))


def _shown(text: str, length: int) -> str:
    return text if len(text) <= 2 * length else text[: 2 * length] + "…"
