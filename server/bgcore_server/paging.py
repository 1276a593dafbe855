"""Pages of lists: how long they are, and the opaque tokens between them."""

from __future__ import annotations

import base64
import binascii

from bgcore_server.errors import Malformed, malformed

DEFAULT = 50
LARGEST = 500


def size(given: int) -> int:
    """The page size of a request that may leave it out.

    >>> size(0), size(7)
    (50, 7)
    """
    if given > LARGEST:
        raise malformed("PAGE_SIZE_OUT_OF_RANGE", "page_size", given, f"0 to {LARGEST}")
    return given or DEFAULT


def token(list_name: str, place: object) -> str:
    """A token for the place where a list goes on.

    >>> place("tables", token("tables", 12))
    '12'
    """
    return base64.urlsafe_b64encode(f"{list_name} {place}".encode()).rstrip(b"=").decode()


def place(list_name: str, given: str) -> str:
    """The place that a token means."""
    try:
        text = base64.urlsafe_b64decode(given + "=" * (-len(given) % 4)).decode()
        name, found = text.split(" ", 1)
    except (binascii.Error, ValueError):
        name, found = "", ""
    if name != list_name or not found:
        raise _invalid(given)
    return found


def number(list_name: str, given: str) -> int:
    """The place that a token means, where places are numbers."""
    found = place(list_name, given)
    if not (found.isascii() and found.isdigit() and len(found) < 19):
        raise _invalid(given)
    return int(found)


def _invalid(given: str) -> Malformed:
    expected = "a next_page_token of the same list"
    return malformed("PAGE_TOKEN_INVALID", "page_token", given, expected)
