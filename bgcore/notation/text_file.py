"""The bytes of a text file as lines: encodings and line ends as they are met in files of matches."""

from __future__ import annotations

import re

from bgcore.errors import Fault, NotationError

LINE_END = re.compile(r"\r\n|\r|\n")

_MARKS = (
    (b"\xff\xfe\0\0", "UTF-32"),
    (b"\0\0\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
_NULS = {b"\1\0\0\0": "UTF-32", b"\0\0\0\1": "UTF-32", b"\1\0\1\0": "UTF-16", b"\0\1\0\1": "UTF-16"}
"""Which of the first four bytes are zero, where they are ASCII."""


def wide_encoding(data: bytes) -> str:
    r"""The name of an encoding that `decode` does not read, if a file is in one; else empty.

    >>> wide_encoding("7 point match".encode("utf-16")), wide_encoding(b"7 point match")
    ('UTF-16', '')
    """
    marked = next((name for mark, name in _MARKS if data.startswith(mark)), "")
    return marked or _NULS.get(bytes(map(bool, data[:4])), "")


def decode(data: bytes) -> str:
    r"""The text of a file: UTF-8, with or without a mark, else Windows-1252.

    `NotationError` for UTF-16 and UTF-32.

    >>> decode(b"Ren\xe9")
    'René'
    """
    if wide := wide_encoding(data):
        raise NotationError(Fault("BAD_ENCODING", "line 1", wide, "UTF-8", line=1))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")
