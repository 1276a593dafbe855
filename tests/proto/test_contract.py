"""What the design fixes about the contract and buf does not check."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from google.protobuf.descriptor import Descriptor, FileDescriptor, MethodDescriptor

from bgcore_proto.v1 import (
    common_pb2,
    rules_service_pb2,
    table_pb2,
    table_service_pb2,
    variant_service_pb2,
)

FILES: list[FileDescriptor] = [
    common_pb2.DESCRIPTOR,
    rules_service_pb2.DESCRIPTOR,
    table_pb2.DESCRIPTOR,
    table_service_pb2.DESCRIPTOR,
    variant_service_pb2.DESCRIPTOR,
]


def messages() -> Iterator[Descriptor]:
    for file in FILES:
        yield from file.message_types_by_name.values()


def rpcs() -> Iterator[MethodDescriptor]:
    for file in FILES:
        for service in file.services_by_name.values():
            yield from service.methods


def test_every_rpc_has_a_request_and_a_response_of_its_own() -> None:
    for rpc in rpcs():
        assert rpc.input_type.name == f"{rpc.name}Request"
        assert rpc.output_type.name == f"{rpc.name}Response"


def test_no_rpc_takes_a_stream() -> None:
    assert not [rpc.name for rpc in rpcs() if rpc.client_streaming]


def test_no_field_is_called_from() -> None:
    assert not [m.name for m in messages() if "from" in m.fields_by_name]


@pytest.mark.parametrize(
    "rpc", [rpc for rpc in rpcs() if rpc.name.startswith("List")], ids=lambda rpc: rpc.name
)
def test_lists_that_can_grow_come_in_pages(rpc: MethodDescriptor) -> None:
    if rpc.containing_service.name == "RulesService":
        return  # the plays and steps of one position
    assert {"page_size", "page_token"} <= set(rpc.input_type.fields_by_name)
    assert "next_page_token" in rpc.output_type.fields_by_name


def test_a_kind_of_action_has_the_number_of_its_field() -> None:
    kinds = {
        value.name.removeprefix("ACTION_KIND_").lower(): value.number
        for value in table_pb2.DESCRIPTOR.enum_types_by_name["ActionKind"].values
        if value.number
    }
    fields = {f.name: f.number for f in table_pb2.Action.DESCRIPTOR.fields}
    assert kinds == fields


def test_every_request_that_needs_rules_says_which() -> None:
    for rpc in rpcs():
        if rpc.name in {"ReplayMatch", "FormatMatch"}:
            continue  # a file says itself what was played
        if rpc.containing_service.name == "RulesService" or rpc.name == "CreateTable":
            kind = rpc.input_type.fields_by_name["variant"].message_type
            assert kind is common_pb2.VariantRef.DESCRIPTOR


def test_descriptors_keep_the_names_that_other_languages_see() -> None:
    assert {file.name for file in FILES} == {
        f"bgcore/v1/{name}.proto"
        for name in ("common", "rules_service", "table", "table_service", "variant_service")
    }
    assert {file.package for file in FILES} == {"bgcore.v1"}
