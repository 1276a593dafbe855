"""The first events of a table as one piece: what an `Archive` has for its body.

A byte that says which form it is, then, compressed, lines of JSON: one about the whole, one for each event.
zlib's own sum at the end tells a damaged body from a good one.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from bgcore.errors import Fault
from bgcore_server.errors import NotNow
from bgcore_server.store.base import Event

FORM = 1
LEVEL = 9


@dataclass(frozen=True, slots=True)
class Packed:
    """What is in an archive: all events of a table up to one, and what whoever made it says of that moment."""

    events: tuple[Event, ...]
    digest: Mapping[str, object]

    @property
    def revision(self) -> int:
        """The last event in it, 0 where there is none."""
        return len(self.events)


def pack(events: Iterable[Event], digest: Mapping[str, object]) -> bytes:
    """The body of an archive. `digest` is anything that JSON gives back as it was.

    `ValueError` when it does not (a tuple comes back as a list), and unless the events are those of a
    log from its first one on, without a gap.
    """
    if json.loads(_said(digest)) != digest:
        raise ValueError("the digest: expected what JSON gives back as it was")
    said = [_said({"digest": digest})]
    time = 0
    for revision, event in enumerate(events, 1):
        if event.revision != revision:
            raise ValueError(f"event {event.revision}: expected {revision}")
        said.append(_said([event.time - time, event.seat, event.request_id, event.body]))
        time = event.time  # each time is kept as what has passed since the one before
    return bytes([FORM]) + zlib.compress("\n".join(said).encode(), LEVEL)


def unpack(body: bytes) -> Packed:
    """What was packed; `NotNow` (ARCHIVE_DAMAGED) when it is not what `pack` has made."""
    if body[:1] != bytes([FORM]):
        found = f"form {body[0]}" if body else "nothing"
        raise damaged(found, f"form {FORM}")
    try:
        about, *lines = (json.loads(line) for line in _text(body[1:]).split("\n"))
        return Packed(tuple(_events(lines)), about["digest"])
    except (ValueError, TypeError, KeyError, zlib.error, RecursionError) as error:
        raise damaged(str(error), "what pack has made") from error


def damaged(found: str, expected: str) -> NotNow:
    """The error of an archive that cannot be read; a backup may have a better one."""
    what = f"the archive of the table is damaged: {found}, expected {expected}"
    return NotNow(Fault("ARCHIVE_DAMAGED", "archive", found, expected, what))


def _said(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _text(compressed: bytes) -> str:
    stream = zlib.decompressobj()
    found = stream.decompress(compressed)
    if not stream.eof or stream.unused_data:
        raise ValueError(f"{len(compressed)} bytes that end too early or too late")
    return found.decode("ascii")


def _events(lines: Sequence[tuple[int, int | None, str, str]]) -> Iterator[Event]:
    time = 0
    for revision, (passed, seat, request_id, body) in enumerate(lines, 1):
        time += passed
        yield Event(revision, time, seat, request_id, body)
