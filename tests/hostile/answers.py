"""Answers of all protocols in one form, and what must hold for each."""

from __future__ import annotations

import base64
import json
import struct
from collections import Counter
from dataclasses import dataclass, field

import grpc
from google.rpc import error_details_pb2, status_pb2

from tests.hostile.http1 import HttpAnswer

NAMES = {code.value[0]: code.name for code in grpc.StatusCode}
LIBRARIES = frozenset({"RESOURCE_EXHAUSTED", "DEADLINE_EXCEEDED", "CANCELLED", "UNAVAILABLE"})
"""What a transport may answer in its own words (docs/security.md)."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a call led to."""

    code: str
    infos: tuple[tuple[str, str], ...] = ()
    """Of each ErrorInfo its reason and its field."""
    words: str = ""

    @property
    def reason(self) -> str:
        return self.infos[0][0] if self.infos else ""


@dataclass
class Tally:
    """Answers by protocol and code, and those that must not be."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)

    def add(self, protocol: str, found: Answer, what: str) -> Answer:
        """Count an answer to `what`."""
        self.counts[protocol, found.code] += 1
        if problem := wrong(found):
            self.wrong.append(f"{protocol} {what}: {problem}: {found}")
        return found


def wrong(found: Answer) -> str:
    """What an answer breaks; empty: nothing."""
    if found.code in ("INTERNAL", "UNKNOWN", "DATA_LOSS"):
        return "a fault of ours"
    if found.code == "OK":
        return ""
    if not found.infos:
        return "" if found.code in LIBRARIES else "no ErrorInfo"
    return "" if len(found.infos) == 1 and found.reason else "not exactly one ErrorInfo"


def of_status(code: str, packed: bytes, words: str) -> Answer:
    """An answer with a google.rpc.Status."""
    infos = []
    for detail in status_pb2.Status.FromString(packed).details:
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            infos.append((info.reason, info.metadata.get("field", "")))
    return Answer(code, tuple(infos), words)


def of_grpc(error: grpc.aio.AioRpcError) -> Answer:
    """What grpc's client raised."""
    packed = dict(error.trailing_metadata() or ()).get("grpc-status-details-bin", b"")
    assert isinstance(packed, bytes)
    return of_status(error.code().name, packed, error.details() or "")


def of_connect(answer: HttpAnswer) -> Answer:
    """A Connect answer to a unary call."""
    return Answer("OK") if answer.status == 200 else _of_json(json.loads(answer.body))


def of_connect_stream(answer: HttpAnswer) -> Answer:
    """A Connect answer to a call that streams: its end, or its beginning where that did not come."""
    if answer.status != 200:
        return of_connect(answer)
    for flags, body in frames(answer.body):
        if flags & 2 and (error := json.loads(body).get("error")):
            return _of_json(error)
    return Answer("OK")


def of_grpc_web(answer: HttpAnswer) -> Answer:
    """A gRPC-Web answer."""
    if answer.status != 200:
        return of_connect(answer)
    trailers = dict(answer.headers)
    for flags, body in frames(answer.body):
        if flags & 0x80:
            for line in body.decode().split("\r\n"):
                name, _, value = line.partition(":")
                trailers[name.strip().lower()] = value.strip()
    packed = trailers.get("grpc-status-details-bin", "")
    raw = base64.b64decode(packed + "=" * (-len(packed) % 4))
    code = NAMES[int(trailers.get("grpc-status", "0"))]
    return of_status(code, raw, trailers.get("grpc-message", ""))


def frames(body: bytes) -> list[tuple[int, bytes]]:
    """The flags and contents of the frames of a stream."""
    found, at = [], 0
    while at + 5 <= len(body):
        flags, size = struct.unpack_from(">BI", body, at)
        found.append((flags, body[at + 5 : at + 5 + size]))
        at += 5 + size
    return found


def framed(body: bytes, flags: int = 0) -> bytes:
    """A message as the only one of a stream."""
    return struct.pack(">BI", flags, len(body)) + body


def _of_json(error: dict[str, object]) -> Answer:
    details = error.get("details", [])
    assert isinstance(details, list)
    infos = []
    for detail in details:
        if detail["type"].endswith("google.rpc.ErrorInfo"):
            raw = detail["value"] + "=" * (-len(detail["value"]) % 4)
            info = error_details_pb2.ErrorInfo.FromString(base64.b64decode(raw))
            infos.append((info.reason, info.metadata.get("field", "")))
    code = str(error["code"]).upper().replace("CANCELED", "CANCELLED")
    return Answer(code, tuple(infos), str(error.get("message", "")))
