"""Requests over HTTP that come as a frame, those of Connect's streams and of gRPC-Web.

connectrpc refuses what is wrong with a frame and its headers too, but without details, and a compression that
was not named as INTERNAL. No rpc takes more than one message, so a request is one frame to its end.
"""

from __future__ import annotations

import re
from typing import Any

from bgcore.errors import BgcoreError, Fault, shown
from bgcore_server.adapters.http_body import Body, Raising
from bgcore_server.adapters.http_request import GRPC_WEB, STREAM, Receive, Scope, kind_of
from bgcore_server.adapters.service import HARD_LIMIT, too_large
from bgcore_server.adapters.web_call import ConnectCall
from bgcore_server.errors import Malformed

HEAD, COMPRESSED = 5, 1

PACKING = re.compile("|identity|gzip"), "identity or gzip"
GRPC_WEB_HEADERS = {
    "grpc-encoding": PACKING,
    "grpc-timeout": (
        re.compile("|[0-9]{1,8}[HMSmun]"),
        "at most eight digits and a unit, such as 500m",
    ),
}
STREAM_HEADERS = {"connect-content-encoding": PACKING}


def framed(call: ConnectCall, body: Body, raising: Raising) -> tuple[Scope, Receive]:
    """The call and its body as connectrpc is to see them, which then refuses nothing by itself.

    A wrong header is left out, and the call refused: that is told in its own protocol later, in which a status
    of HTTP would mean something else.
    """
    kind = kind_of(call.scope)
    if kind not in (*STREAM, *GRPC_WEB):
        return call.scope, body
    rules = GRPC_WEB_HEADERS if kind in GRPC_WEB else STREAM_HEADERS
    left_out, packed = set(), False
    for name, (allowed, expected) in rules.items():
        value = call.header(name)
        if not allowed.fullmatch(value):
            what = f"the header {name} {shown(value)}: expected {expected}"
            fault = Fault("BAD_HEADER", "request", shown(value), expected, what)
            call.refused = call.refused or Malformed(fault)
            left_out.add(name.encode())
        if not value:  # connectrpc takes an empty one for a wrong one
            left_out.add(name.encode())
        packed = packed or value == "gzip"
    headers = [pair for pair in call.scope["headers"] if pair[0] not in left_out]
    body.head = HEAD
    scope = {**call.scope, "headers": headers} if left_out else call.scope
    return scope, _OneFrame(call, body, raising, packed)


class _OneFrame:
    """Reads a request that must be one frame; raises what is wrong as soon as that is seen."""

    def __init__(self, call: ConnectCall, receive: Receive, raising: Raising, packed: bool) -> None:
        self._call = call
        self._receive = receive
        self._raising = raising
        self._packed = packed
        self._head = b""
        self._size = 0
        self._whole = False

    async def __call__(self) -> Any:
        message = await self._receive()
        if not self._whole and message["type"] == "http.request":
            try:
                self._take(message.get("body", b""))
                if not message.get("more_body", False):
                    self._whole = True
                    self._check_end()
            except BgcoreError as error:
                raise self._raising(self._call.refused or error) from None
        return message

    def _take(self, body: bytes) -> None:
        self._size += len(body)
        if len(self._head) < HEAD:
            self._head += body[: HEAD - len(self._head)]
            if len(self._head) == HEAD:
                self._check_head()

    def _check_head(self) -> None:
        flags, length = self._head[0], self._length
        if flags & ~COMPRESSED:
            raise _bad(f"flags {flags}", "0, or 1 for a compressed message")
        if flags and not self._packed:
            raise _bad("a compressed message", "a header that names its compression")
        if length > HARD_LIMIT:
            raise too_large(f"of {length} bytes")

    def _check_end(self) -> None:
        if len(self._head) < HEAD:
            raise _bad(f"{self._size} bytes", "a frame: flags, length, message")
        if self._size != HEAD + self._length:
            raise _bad(f"{self._size - HEAD} bytes", f"one frame of {self._length} bytes")

    @property
    def _length(self) -> int:
        return int.from_bytes(self._head[1:], "big")


def _bad(found: str, expected: str) -> Malformed:
    return Malformed(Fault("BAD_FRAME", "request", found, expected))
