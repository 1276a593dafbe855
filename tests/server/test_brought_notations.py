"""Notations of plugins over the wire."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import grpc
import pytest

from bgcore_proto.v1 import common_pb2 as pb
from bgcore_proto.v1 import rules_service_pb2 as rules
from bgcore_proto.v1 import table_service_pb2 as service
from bgcore_proto.v1 import variant_service_pb2 as variants
from tests.notation import brought
from tests.notation.test_record_text import SMALL
from tests.server.helpers import Client, at_table, opening, ref, refusal_of, running

START = "24:2 13:5 8:3 6:5 / 24:2 13:5 8:3 6:5"
INVALID = grpc.StatusCode.INVALID_ARGUMENT
SHOUTED = f"MATCH!\n{SMALL}"


@pytest.fixture
async def client() -> AsyncIterator[Client]:
    async with (
        running(registry=brought.registry()) as found,
        grpc.aio.insecure_channel(str(found.grpc)) as channel,
    ):
        yield Client(channel)


def position(**more: Any) -> rules.ConvertPositionRequest:
    return rules.ConvertPositionRequest(variant=ref(), **more)


async def test_they_are_listed_with_their_plugin(client: Client) -> None:
    listed = await client.ListVariants(variants.ListVariantsRequest())
    found = {one.id: one for one in listed.notations}
    assert not found["xgid"].of_matches
    assert not found["svg"].readable
    shouted = found["shouted"]
    assert (shouted.of_matches, shouted.readable) == (True, True)
    assert (shouted.plugin.name, shouted.plugin.version) == ("shouting", "1.2")
    [tavli] = [one for one in listed.rotations if one.rotation.id == "tavli"]
    assert (tavli.plugin.distribution, tavli.rules_version) == ("bgcore", "1, 1, 1")


async def test_a_position_is_written_and_read(client: Client) -> None:
    asked = position(
        position=opening(),
        target_formats=[pb.POSITION_FORMAT_XGID],
        target_notations=["Shout", "position-id"],
    )
    xgid, shout, plain = (await client.ConvertPosition(asked)).texts
    assert (xgid.format, xgid.notation) == (pb.POSITION_FORMAT_XGID, "")
    assert (shout.format, shout.notation, shout.text) == (0, "shout", f"BOARD! {START}")
    assert (plain.format, plain.text) == (pb.POSITION_FORMAT_POSITION_ID, "4HPwATDgc/ABMA")
    for more in ({}, {"source_notation": "shout"}):
        read = await client.ConvertPosition(position(text=shout.text, **more))
        assert (read.source_format, read.source_notation) == (0, "shout")
        assert read.position.white.points[23] == 2
        assert "shout" not in {one.notation for one in read.texts}  # those of the contract
    named = await client.ConvertPosition(position(text=plain.text, source_notation="position-id"))
    assert named.source_format == pb.POSITION_FORMAT_POSITION_ID


async def test_a_match_is_written_read_and_exported(client: Client) -> None:
    for more in ({}, {"notation": "shouted"}):
        told = await client.ReplayMatch(rules.ReplayMatchRequest(text=SHOUTED, **more))
        assert (told.format, told.notation, len(told.matches)) == (0, "shouted", 1)
    for source in (
        {"match": told.matches[0]},
        {"text": SHOUTED},
        {"text": SHOUTED, "source_notation": "shouted"},
    ):
        request = rules.FormatMatchRequest(notation="shouted", **source)
        written = await client.FormatMatch(request)
        assert (written.format, written.notation) == (0, "shouted")
        assert written.text.startswith("MATCH!\n")
    named = await client.FormatMatch(rules.FormatMatchRequest(notation="record", text=SHOUTED))
    assert (named.format, named.notation) == (pb.MATCH_FORMAT_RECORD, "")
    at = await at_table(client)
    out = await client.ExportMatch(service.ExportMatchRequest(table=at.id, notation="shouted"))
    assert (out.format, out.notation, out.media_type) == (0, "shouted", "text/plain")
    assert out.file_name == f"{at.id}.shouted"
    assert out.text.startswith("MATCH!\n")


FORMAT = pb.MATCH_FORMAT_RECORD
WRONG: tuple[tuple[str, Any, str, str], ...] = (
    ("ConvertPosition", position(text=START, source_notation="x"), "UNKNOWN", "source_notation"),
    ("ConvertPosition", position(text=START, source_notation="svg"), "NOT_READ", "source_notation"),
    (
        "ConvertPosition",
        position(text=START, source_notation="record"),
        "UNKNOWN",
        "source_notation",
    ),
    (
        "ConvertPosition",
        position(text=START, source_notation="shout", source_format=1),
        "UNUSED",
        "source_format",
    ),
    (
        "ConvertPosition",
        position(position=opening(), source_notation="shout"),
        "UNUSED",
        "source_notation",
    ),
    (
        "ConvertPosition",
        position(text=START, target_notations=["shout", "x"]),
        "UNKNOWN",
        "target_notations[1]",
    ),
    (
        "ConvertPosition",
        position(text=START, target_notations=["shout"] * 21),
        "TOO_MANY_FORMATS",
        "target_notations",
    ),
    (
        "ReplayMatch",
        rules.ReplayMatchRequest(text=SMALL, notation="shout"),
        "UNKNOWN",
        "notation",
    ),
    (
        "ReplayMatch",
        rules.ReplayMatchRequest(text=SMALL, notation="shouted", format=FORMAT),
        "UNUSED",
        "format",
    ),
    (
        "FormatMatch",
        rules.FormatMatchRequest(match=rules.ReplayedMatch(), source_notation="shouted"),
        "UNUSED",
        "source_notation",
    ),
    (
        "FormatMatch",
        rules.FormatMatchRequest(text=SMALL, notation="x" * 9999),
        "UNKNOWN",
        "notation",
    ),
)


@pytest.mark.parametrize(("rpc", "request_", "reason", "field"), WRONG)
async def test_what_is_wrong_with_a_name_is_told(
    client: Client, rpc: str, request_: Any, reason: str, field: str
) -> None:
    found = await refusal_of(getattr(client, rpc)(request_))
    assert (found.code, found.field) == (INVALID, field)
    assert reason in found.reason


FAILING: tuple[tuple[str, Any], ...] = (
    *(
        ("ConvertPosition", position(text=f"BOARD! {START}", source_notation=name))
        for name in ("hoarse", "mumble")
    ),
    *(
        ("ConvertPosition", position(text=START, target_notations=[name]))
        for name in ("hoarse", "mumble")
    ),
    *(
        ("ReplayMatch", rules.ReplayMatchRequest(text=SHOUTED, notation=name))
        for name in ("hoarse-match", "mumble-match")
    ),
    *(
        ("FormatMatch", rules.FormatMatchRequest(text=SMALL, notation=name))
        for name in ("hoarse-match", "mumble-match")
    ),
)


@pytest.mark.parametrize(("rpc", "request_"), FAILING)
async def test_one_that_fails_is_the_plugins_failure(
    client: Client, rpc: str, request_: Any
) -> None:
    found = await refusal_of(getattr(client, rpc)(request_))
    assert (found.code, found.reason) == (grpc.StatusCode.INTERNAL, "PLUGIN_FAILED")
    assert "notation " in found.message
    assert "Traceback" not in found.message


async def test_a_table_is_not_hurt_by_a_notation_that_fails(client: Client) -> None:
    at = await at_table(client)
    request = service.ExportMatchRequest(table=at.id, notation="hoarse-match")
    assert (await refusal_of(client.ExportMatch(request))).reason == "PLUGIN_FAILED"
    assert (await client.ExportMatch(service.ExportMatchRequest(table=at.id))).text
