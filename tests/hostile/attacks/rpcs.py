"""Every rpc over every protocol: what was never made by a client, and what was made and then spoilt."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor

from tests.hostile.senders import CONNECT, GRPC, JSON, WebSender
from tests.hostile.spoil import WORDS, nested_bytes, nested_json, spoilt_bytes, spoilt_json
from tests.hostile.stage import BY_NAME, RPCS, Stage

CORPUS = Path(__file__).resolve().parent.parent / "corpus"
DEPTHS = (30, 99, 101, 1000, 50_000)
MANY = 200_000


async def corpus(stage: Stage) -> None:
    """Cases that are kept: each line names an rpc, and a request as JSON, text or bytes."""
    for line in (CORPUS / "requests.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        rpc = BY_NAME[case["rpc"]]
        headers = tuple(case.get("headers", {}).items())
        if "hex" in case:
            for protocol in set(stage.senders) - {JSON}:
                await stage.send(protocol, rpc, bytes.fromhex(case["hex"]), *headers)
        else:
            text = case["text"] if "text" in case else json.dumps(case["json"])
            await stage.send(JSON, rpc, text.encode("utf-8", "surrogatepass"), *headers)


async def extremes(stage: Stage) -> None:
    """Messages that can be read, every field at its extremes; and the same, spoilt."""
    for _ in stage.times(12):
        for rpc in RPCS:
            for protocol in stage.senders:
                await _one(stage, rpc, protocol)
        if stage.over:
            return


async def _one(stage: Stage, rpc: MethodDescriptor, protocol: str) -> None:
    chance = stage.chance
    made = stage.maker.request(rpc.input_type, mild=chance.random() < 0.7)
    spoilt = chance.random() < 0.4
    try:
        body = made.SerializeToString()
        text = json_format.MessageToJson(made, indent=None)
    except (ValueError, OverflowError, json_format.SerializeToJsonError):
        return  # such as a time that has no form in JSON
    if protocol == JSON:
        body = spoilt_json(text, chance) if spoilt else text.encode()
    elif spoilt:
        body = spoilt_bytes(body, chance)
    tokens = [*stage.maker.known.get("token", ()), ""]
    token = chance.choice(tokens)
    headers = [("authorization", f"Bearer {token}")] if token else []
    await stage.send(protocol, rpc, body, *headers)


async def words(stage: Stage) -> None:
    """Each field of each request with each word that JSON has, or nearly has."""
    for rpc in RPCS:
        for one in rpc.input_type.fields:
            for word in WORDS if stage.effort >= 1 else WORDS[::4]:
                await stage.send(JSON, rpc, f'{{"{one.json_name}":{word}}}'.encode())
        if stage.over:
            return


async def depths(stage: Stage) -> None:
    """Messages in themselves, wherever a message can hold one of its kind; lists and objects in JSON."""
    for rpc in RPCS:
        for depth in DEPTHS:
            for open_, close in (("[", "]"), ('{"x":', "}"), ('{"variant":', "}")):
                await stage.send(JSON, rpc, nested_json(depth, open_, close))
    lists = '{"list":{"values":['
    for depth in DEPTHS[:4]:
        value = nested_json(depth, lists, "]}}").decode()
        for holder in ("options", "spec"):
            inside = f'{{"cube":{value}}}' if holder == "options" else f'{{"axes":{{"a":{value}}}}}'
            body = f'{{"variant":{{"id":"western","{holder}":{inside}}}}}'.encode()
            await stage.send(JSON, BY_NAME["CheckPosition"], body)
        for number in (1, 2, 4):
            raw = nested_bytes(number, depth)
            for protocol in set(stage.senders) - {JSON}:
                await stage.send(protocol, BY_NAME["CheckPosition"], b"\x0a" + _sized(raw))


async def crowds(stage: Stage) -> None:
    """Repeated fields with more values, texts with more characters than anybody needs."""
    for number, rpc in enumerate(RPCS):
        for one in rpc.input_type.fields:
            word = _plain(one)
            if one.is_repeated and word:
                long = f"[{','.join([word] * MANY)}]"
            elif one.cpp_type == FieldDescriptor.CPPTYPE_STRING:
                long = f'"{"x" * (900 << 10)}"'
            else:
                continue
            await stage.send(JSON, rpc, f'{{"{one.json_name}":{long}}}'.encode())
        if number % 4 and stage.effort < 1:
            continue
        for size in ((1 << 20) - 8, (1 << 20) + 1, (4 << 20) + 1):
            for protocol in stage.senders:
                # Fields that nobody knows; then one byte in as many messages as fit.
                await stage.send(protocol, rpc, b"\xfa\x3f\x00" * (size // 3))
        for protocol in (GRPC, "connect"):
            await stage.send(protocol, rpc, b"\x0a\x00" * (1 << 19))
            await stage.send(protocol, rpc, (b"\x0a\x06\x22\x04\x0a\x00\x12\x00") * (1 << 16))


async def large_at_once(stage: Stage) -> None:
    """Large requests, hundreds at once: those that may be, and those that may not."""
    many = 100 if stage.effort < 1 else 400
    for size in (1 << 20, (4 << 20) - 8):
        raw = b"\xfa\x3f\x00" * (size // 3)
        await asyncio.gather(*(stage.send(GRPC, BY_NAME["ListPlays"], raw) for _ in range(many)))
        await asyncio.gather(*(_sent_alone(stage, raw) for _ in range(many)))


async def _sent_alone(stage: Stage, raw: bytes) -> None:
    """On a connection of its own; beyond those that an address may have the server hangs up."""
    sender = WebSender(stage.victim.web, CONNECT)
    try:
        found = await sender(BY_NAME["ListPlays"], raw, ())
    finally:
        await sender.close()
    stage.tally.add(CONNECT, found, f"ListPlays of {len(raw)} bytes")


def _plain(one: FieldDescriptor) -> str:
    if one.message_type is not None:
        return "" if one.message_type.GetOptions().map_entry else "{}"
    return '""' if one.cpp_type == FieldDescriptor.CPPTYPE_STRING else "1"


def _sized(raw: bytes) -> bytes:
    size, out = len(raw), b""
    while size > 127:
        out += bytes([size & 127 | 128])
        size >>= 7
    return out + bytes([size]) + raw
