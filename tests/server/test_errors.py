"""Errors on the wire: one row each, one form, and plugins that fail."""

from __future__ import annotations

from collections.abc import Iterator

import grpc
import pytest
from google.protobuf.any_pb2 import Any
from google.rpc import error_details_pb2

import bgcore
from bgcore import BgcoreError, Outcome, Position, Rules
from bgcore.errors import Fault, IllegalPosition, PluginFailed
from bgcore_proto.v1 import rules_service_pb2 as rules
from bgcore_server.errors import (
    CODES,
    Code,
    ServerError,
    code_of,
    refusal,
    unexpected,
)
from bgcore_variants.western import WESTERN
from tests.server.helpers import opening, ref, refusal_of, running
from tests.server.test_tables import channel


def errors(base: type[BgcoreError]) -> Iterator[type[BgcoreError]]:
    for kind in base.__subclasses__():
        yield kind
        yield from errors(kind)


@pytest.mark.parametrize("kind", sorted(set(errors(BgcoreError)), key=str))
def test_every_error_has_a_row(kind: type[BgcoreError]) -> None:
    if kind is ServerError:
        return  # its kinds have
    assert kind in CODES


def test_only_a_plugin_that_failed_is_internal() -> None:
    assert [kind for kind, code in CODES.items() if code is Code.INTERNAL] == [PluginFailed]


def test_a_kind_without_a_row_has_the_code_of_its_base() -> None:
    class Local(IllegalPosition):
        """An error that a plugin derived."""

    assert code_of(Local) is Code.INVALID_ARGUMENT


def test_details_stay_small_whatever_was_sent() -> None:
    faults = [Fault("R", f"field {n}" * 50, "v" * 10**6, "e" * 10**6) for n in range(100)]
    refused = refusal(IllegalPosition(*faults))
    assert len(refused.status.SerializeToString()) < 8000
    assert len(refused.message) <= 1000


def test_an_error_has_one_info_and_its_violations() -> None:
    refused = refusal(IllegalPosition(Fault("A", "a", "1", "2"), Fault("B", "b", "3", "4")))
    info, bad = refused.details
    assert isinstance(info, error_details_pb2.ErrorInfo)
    assert dict(info.metadata) == {"field": "a", "value": "1", "expected": "2"}
    assert isinstance(bad, error_details_pb2.BadRequest)
    assert [violation.field for violation in bad.field_violations] == ["a", "b"]
    packed: Any = refused.status.details[0]
    assert packed.type_url == "type.googleapis.com/google.rpc.ErrorInfo"


def test_an_exception_of_ours_is_not_blamed_on_a_plugin() -> None:
    with pytest.raises(KeyError) as raised:
        raise KeyError("x")
    assert code_of(type(unexpected(raised.value, {"bgcore_variants"}))) is Code.UNKNOWN
    assert code_of(type(unexpected(raised.value, {"tests"}))) is Code.INTERNAL


class Broken(Rules):
    """A variant whose code raises."""

    def outcome(self, position: Position) -> Outcome | None:
        if position.mover.off:
            return super().outcome(position)
        raise ZeroDivisionError("on purpose")


async def test_a_variant_that_raises_is_named_and_the_server_lives() -> None:
    from dataclasses import replace

    registry = bgcore.load().using(bgcore.load().plugins[0])
    registry._entries["broken"] = replace(
        registry.entry("western"), variant=replace(WESTERN, id="broken"), rules=Broken
    )
    registry._names["broken"] = "broken"
    async with running(registry=registry) as server, channel(server.grpc) as client:
        request = rules.GetOutcomeRequest(variant=ref("broken"), position=opening())
        found = await refusal_of(client.GetOutcome(request))
        assert found.code is grpc.StatusCode.INTERNAL
        assert found.reason == "PLUGIN_FAILED"
        assert "tests" in found.message
        assert "ZeroDivisionError" in found.message
        assert [fault["event"] for fault in server.faults.found] == ["plugin failed"]
        request.variant.id = "western"
        assert not (await client.GetOutcome(request)).HasField("outcome")
