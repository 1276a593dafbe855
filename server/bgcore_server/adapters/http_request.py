"""What is wrong with an HTTP request before it is one of Connect's, of which connectrpc says little or nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from bgcore.errors import BgcoreError, Fault, shown
from bgcore_server.adapters.details import detail_json
from bgcore_server.errors import Malformed, NotBuilt, refusal

Scope = Mapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]

UNARY = ("application/json", "application/proto")
STREAM = ("application/connect+json", "application/connect+proto")
GRPC_WEB = ("application/grpc-web", "application/grpc-web+proto", "application/grpc-web+json")
GRPC = ("application/grpc", "application/grpc+proto", "application/grpc+json")

CONNECT_HEADERS = (
    ("connect-protocol-version", re.compile("1"), "1"),
    ("connect-timeout-ms", re.compile("[0-9]{0,10}"), "milliseconds, at most ten digits"),
    ("content-encoding", re.compile("|identity|gzip"), "identity or gzip"),
)
"""Headers of which connectrpc says what is wrong, but not in details."""


def wrong(scope: Scope, streams: Mapping[str, bool]) -> tuple[int, BgcoreError] | None:
    """What is wrong and the status for it; `streams` has the paths of the rpcs, and whether they stream."""
    path, method = scope.get("path", ""), scope.get("method", "")
    if path not in streams:
        expected = "the path of an rpc, such as /bgcore.v1.RulesService/ListPlays"
        return 404, NotBuilt(Fault("UNKNOWN_RPC", "rpc", shown(path), expected))
    if method != "POST":
        return 405, Malformed(Fault("NOT_A_POST", "request", shown(method), "POST"))
    try:
        headers = _texts(scope.get("headers", ()))
    except _NoText as header:
        expected = f"UTF-8 in the header {header}"
        return 400, Malformed(Fault("BAD_HEADER", "request", "other bytes", expected))
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind in GRPC:
        expected = "Connect, gRPC-Web or JSON: plain gRPC has a port of its own"
        return 415, NotBuilt(Fault("WRONG_PORT", "request", kind, expected))
    if kind in GRPC_WEB:
        return None
    if kind not in (known := STREAM if streams[path] else UNARY):
        return 415, _wrong_kind(kind, known, streams=streams[path])
    for name, allowed, expected in CONNECT_HEADERS:
        if not allowed.fullmatch(value := headers.get(name, "1")) and name in headers:
            what = f"the header {name} {shown(value)}: expected {expected}"
            return 400, Malformed(Fault("BAD_HEADER", "request", shown(value), expected, what))
    return None


def kind_of(scope: Scope) -> str:
    """The content type of a request, without parameters."""
    for name, value in scope.get("headers", ()):
        if name == b"content-type":
            text: str = value.decode("latin-1")
            return text.partition(";")[0].strip().lower()
    return ""


def _wrong_kind(kind: str, known: tuple[str, ...], *, streams: bool) -> BgcoreError:
    expected = f"{known[0]}, or {known[1]} for protobuf's bytes"
    if streams:
        expected += ": what this rpc answers is a stream"
    found = shown(kind) or "nothing"
    what = f"the header content-type {found}: expected {expected}"
    return Malformed(Fault("WRONG_CONTENT_TYPE", "request", found, expected, what))


class _NoText(Exception):
    """A header, by its name, that is not UTF-8."""


def _texts(headers: Any) -> dict[str, str]:
    found = {}
    for name, value in headers:
        try:
            found[name.decode()] = value.decode()
        except UnicodeDecodeError:
            raise _NoText(name.decode(errors="replace")) from None
    return found


async def refuse(send: Send, status: int, error: BgcoreError) -> None:
    """Send an error as Connect's JSON."""
    refused = refusal(error)
    form = {
        "code": refused.code.name.lower(),
        "message": refused.message,
        "details": [detail_json(detail) for detail in refused.details],
    }
    headers = [(b"content-type", b"application/json")]
    if status == 405:
        headers.append((b"allow", b"POST"))
    if status == 415:
        headers.append((b"accept-post", ", ".join(UNARY).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    body = json.dumps(form, ensure_ascii=False).encode() + b"\n"
    await send({"type": "http.response.body", "body": body})
