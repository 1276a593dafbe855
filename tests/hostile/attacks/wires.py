"""Below the rpcs: frames, headers, compression, and bytes that are no HTTP."""

from __future__ import annotations

import asyncio
import gzip
import json
import struct
from pathlib import Path
from typing import Any

import grpc

from tests.hostile.answers import of_connect, of_connect_stream, of_grpc, of_grpc_web
from tests.hostile.http1 import HttpAnswer, HungUp, connected, exchange, post
from tests.hostile.port import Port
from tests.hostile.senders import CONNECT, JSON, WEB, path_of
from tests.hostile.stage import BY_NAME, Stage
from tests.server.http2 import PREFACE, SETTINGS, frame

CORPUS = Path(__file__).resolve().parent.parent / "corpus"
BOMB = gzip.compress(bytes(256 << 20), 9)
INFO = path_of(BY_NAME["GetServerInfo"])
HEADERS, DATA, RST, CONTINUATION, WINDOW = 1, 0, 3, 9, 8
END_STREAM, END_HEADERS = 1, 4


async def frames(stage: Stage) -> None:
    """Calls that are framed, with frames that are none."""
    for line in (CORPUS / "frames.jsonl").read_text().splitlines():
        case = json.loads(line)
        for rpc in (BY_NAME["GetServerInfo"], BY_NAME["WatchTable"]):
            if case["kind"].startswith("application/connect") and not rpc.server_streaming:
                continue
            headers = [("content-type", case["kind"]), *case.get("headers", {}).items()]
            raw = post(path_of(rpc), bytes.fromhex(case["hex"]), *headers)
            found = await _answer(stage, raw)
            if found is None:
                continue
            read = of_grpc_web if "grpc-web" in case["kind"] else of_connect_stream
            stage.tally.add("frames", read(found), f"{rpc.name} {line:.300}")


async def headers(stage: Stage) -> None:
    """Headers that are wrong, too many, too long or there twice; methods and paths that there are not."""
    for line in (CORPUS / "headers.jsonl").read_text().splitlines():
        case = json.loads(line)
        given = [tuple(pair) for pair in case["headers"]]
        given += [(case["name"], case["word"] * case["times"])] if "times" in case else []
        path = case.get("path", INFO)
        for kind in case.get("kinds", ("application/json",)):
            body = b"{}" if kind == "application/json" else b"\0\0\0\0\0"
            raw = post(path, body, ("content-type", kind), *given)
            if found := await _answer(stage, raw):
                if not found.headers.get("content-type", "").startswith("application/"):
                    stage.tally.counts["http", str(found.status)] += 1
                    assert found.status < 500, (line, found)
                    continue
                read = of_grpc_web if "grpc-web" in kind else of_connect
                stage.tally.add("headers", read(found), f"{kind} {line:.300}")
    async with stage.victim.grpc.channel() as channel:
        for metadata in (
            [(f"x-{n}", "v") for n in range(2000)],
            [("x-long", "v" * 15_000)],
            [("x-long", "v" * 60_000)],
            [("x-bin", b"\xff" * 9000)],
            [("authorization", f"Bearer {n}") for n in range(50)],
            [("x-request-id", "\x7e" * 500), ("x-request-id", "b")],
            [("traceparent", "00-" + "f" * 32 + "-" + "0" * 16 + "-zz")],
            [("x-forwarded-for", ",".join(["1.2.3.4"] * 900))],
        ):
            try:
                rpc: Any = channel.unary_unary(INFO)
                await rpc(b"", metadata=tuple(metadata), timeout=60)
                stage.tally.counts["grpc", "OK"] += 1
            except grpc.aio.AioRpcError as error:
                stage.tally.add("grpc", of_grpc(error), f"metadata {metadata!r:.80}")


async def bombs(stage: Stage) -> None:
    """Little that becomes much: gzip over every protocol, with one member or many."""
    bodies = [BOMB, BOMB * 3, gzip.compress(BOMB), BOMB[:-9], gzip.compress(b"{}") * 9, b"\x1f\x8b"]
    for body in bodies:
        raw = post(INFO, body, ("content-type", "application/json"), ("content-encoding", "gzip"))
        if found := await _answer(stage, raw):
            stage.tally.add(JSON, of_connect(found), "a bomb")
        framed = struct.pack(">BI", 1, len(body)) + body
        kind = ("content-type", "application/grpc-web+proto")
        if found := await _answer(stage, post(INFO, framed, kind, ("grpc-encoding", "gzip"))):
            stage.tally.add(WEB, of_grpc_web(found), "a bomb")
        kind = ("content-type", "application/connect+proto")
        encoding = ("connect-content-encoding", "gzip")
        if found := await _answer(
            stage, post(path_of(BY_NAME["WatchTable"]), framed, kind, encoding)
        ):
            stage.tally.add(CONNECT, of_connect_stream(found), "a bomb")
    for algorithm in (grpc.Compression.Gzip, grpc.Compression.Deflate):
        async with stage.victim.grpc.channel(compression=algorithm) as channel:
            bomb: Any = channel.unary_unary(INFO)
            tasks = [bomb(bytes(64 << 20), timeout=60) for _ in stage.times(3)]
            for task in tasks:
                try:
                    await task
                except grpc.aio.AioRpcError as error:
                    stage.tally.add("grpc", of_grpc(error), "a bomb")


async def no_http(stage: Stage) -> None:
    """Bytes for the ports themselves: smuggling, pipelines, halves, HTTP/2 by hand, noise."""
    for line in (CORPUS / "wire.jsonl").read_text().splitlines():
        case = json.loads(line)
        port = stage.victim.web if case["port"] == "web" else stage.victim.grpc
        raw = case["text"].encode("latin-1") * case.get("times", 1)
        await _throw(port, raw)
        stage.tally.counts["raw", case["port"]] += 1
    for raw in _frames2(stage):
        await _throw(stage.victim.grpc, PREFACE + frame(SETTINGS) + raw)
        stage.tally.counts["raw", "grpc"] += 1
    for _ in stage.times(60):
        noise = stage.chance.randbytes(stage.chance.choice((1, 24, 500, 20_000)))
        await _throw(stage.victim.web, noise)
        if stage.victim.web.authority:  # who begins no handshake, or one that is none
            hello = stage.chance.choice((b"", b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03"))
            await _throw(stage.victim.web.plain, hello + noise)
            await _throw(stage.victim.grpc.plain, hello + noise)
        await _throw(stage.victim.grpc, stage.chance.choice((b"", PREFACE)) + noise)
        stage.tally.counts["raw", "noise"] += 2


async def _throw(port: Port, raw: bytes) -> None:
    """Send bytes, hear what comes for a moment, hang up."""
    async with connected(port) as (reader, writer):
        try:
            writer.write(raw)
            async with asyncio.timeout(0.05):
                while await reader.read(1 << 16):
                    pass
        except (TimeoutError, OSError):
            pass


async def _answer(stage: Stage, raw: bytes) -> HttpAnswer | None:
    try:
        return await exchange(stage.victim.web, raw)
    except HungUp:
        stage.tally.counts["http", "hung up"] += 1
        return None


def literal(name: bytes, value: bytes) -> bytes:
    """A header as HPACK writes it without its tables."""
    return b"\0" + _length(name) + _length(value)


def _length(text: bytes) -> bytes:
    size, out = len(text), b""
    if size < 127:
        return bytes([size]) + text
    size -= 127
    while size > 127:
        out += bytes([size & 127 | 128])
        size >>= 7
    return b"\x7f" + out + bytes([size]) + text


def request_headers(path: bytes = INFO.encode(), **more: bytes) -> bytes:
    """The headers of a call over HTTP/2."""
    named = {b":method": b"POST", b":scheme": b"http", b":path": path, b":authority": b"x"}
    named |= {b"content-type": b"application/grpc", b"te": b"trailers"}
    named |= {name.replace("_", "-").encode(): value for name, value in more.items()}
    return b"".join(literal(name, value) for name, value in named.items())


def _frames2(stage: Stage) -> list[bytes]:
    """Frames of HTTP/2 that no library sends."""
    call = frame(HEADERS, request_headers(), END_HEADERS, 1)
    empty, open_ = bytes(5), frame(HEADERS, request_headers(), END_HEADERS, 1)
    found = [
        call + frame(DATA, empty, END_STREAM, 1),
        call + frame(DATA, b"\0\xff\xff\xff\xff", END_STREAM, 1),
        call + frame(DATA, b"\2\0\0\0\0", END_STREAM, 1),
        call + frame(DATA, b"\1\0\0\0\1x", END_STREAM, 1),
        call + frame(DATA, empty * 1000, END_STREAM, 1),
        call + frame(DATA, b"", END_STREAM, 1),
        call + call,
        open_ + frame(RST, bytes(4), 0, 1),
        frame(DATA, empty, 0, 99),
        frame(CONTINUATION, b"x", 0, 1),
        frame(WINDOW, bytes(4)) + frame(WINDOW, b"\x7f\xff\xff\xff") * 2,
        frame(SETTINGS, b"\0\1\xff\xff\xff\xff" * 5000),
        frame(SETTINGS, b"\0\4\xff\xff\xff\xff"),
        frame(99, b"x" * 16_000) * 20,
        b"\xff\xff\xff\x00\x00\x00\x00\x00\x01",
        frame(HEADERS, b"\x80" * 100, END_HEADERS, 1),
        frame(HEADERS, b"\x3f\xff\xff\xff\xff\xff", END_HEADERS, 1),
        frame(HEADERS, request_headers(x=b"v" * 14_000), 0, 1)
        + frame(CONTINUATION, literal(b"y", b"v" * 16_000), 0, 1) * 60,
    ]
    for more in (
        {"path": b"/\xff\xfe"},
        {"authorization": b"Bearer \xff\xfe"},
        {"x_request_id": b"\xff"},
        {"grpc_timeout": b"-1S"},
        {"grpc_timeout": b"99999999999H"},
        {"grpc_encoding": b"zip"},
        {"x_bin": b"!!!"},
        {"content_length": b"-5"},
    ):
        head = frame(HEADERS, request_headers(**more), END_HEADERS, 1)
        found.append(head + frame(DATA, empty, END_STREAM, 1))
    storm = b"".join(
        frame(HEADERS, request_headers(), END_HEADERS, n) + frame(RST, b"\0\0\0\x08", 0, n)
        for n in range(1, 400, 2)
    )
    return [*found, *[storm for _ in stage.times(10)]]
