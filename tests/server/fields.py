"""Whether a text is the path of a field in a request."""

from __future__ import annotations

import re

from google.protobuf.descriptor import Descriptor

OUTSIDE = frozenset({"authorization", "request", "rpc"})
"""What may be wrong besides fields: the header, the message as a whole, the name of the rpc."""

PART = re.compile(
    r'(?P<name>[a-z_]+)(?P<index>\[[0-9]+\]|\["(?:[^"\\]|\\.)*"\])?(?:\.|\Z)', re.DOTALL
)


def is_path(kind: Descriptor | None, path: str) -> bool:
    """Whether every part of a path is a field, with an index only where there may be one."""
    if path in OUTSIDE:
        return True
    at = 0
    while at < len(path):
        part = PART.match(path, at)
        field = kind.fields_by_name.get(part["name"]) if kind and part else None
        if part is None or field is None:
            return False
        kind = field.message_type
        if kind is not None and kind.GetOptions().map_entry:
            kind = kind.fields_by_name["value"].message_type
        at = part.end()
    return bool(path)
