from __future__ import annotations

import grpc
import pytest
from google.rpc.error_details_pb2 import BadRequest

from bgcore_client import (
    BgcoreClientError,
    Client,
    FailedPrecondition,
    InvalidArgument,
    NotFound,
    NotYourSeat,
    OutOfRange,
    PluginFailed,
    RuleBroken,
    StaleRevision,
    TooMuch,
    Unauthenticated,
    Unimplemented,
    Violation,
)
from bgcore_client.errors import DETAILS
from tests.client.fake import FakeServer, refuse


def refused_with(code: grpc.StatusCode, reason: str = "A_REASON", **metadata: str) -> type:
    answers = {"GetServerInfo": lambda _, context: refuse(context, code, reason, **metadata)}
    with (
        FakeServer(answers) as server,
        Client(server.target) as client,
        pytest.raises(BgcoreClientError) as raised,
    ):
        client.get_server_info()
    return raised.type


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        (grpc.StatusCode.INVALID_ARGUMENT, InvalidArgument),
        (grpc.StatusCode.OUT_OF_RANGE, OutOfRange),
        (grpc.StatusCode.NOT_FOUND, NotFound),
        (grpc.StatusCode.FAILED_PRECONDITION, FailedPrecondition),
        (grpc.StatusCode.ABORTED, StaleRevision),
        (grpc.StatusCode.UNAUTHENTICATED, Unauthenticated),
        (grpc.StatusCode.PERMISSION_DENIED, NotYourSeat),
        (grpc.StatusCode.RESOURCE_EXHAUSTED, TooMuch),
        (grpc.StatusCode.UNIMPLEMENTED, Unimplemented),
        (grpc.StatusCode.INTERNAL, PluginFailed),
        (grpc.StatusCode.UNKNOWN, BgcoreClientError),
    ],
)
def test_each_code_has_its_exception(code: grpc.StatusCode, kind: type) -> None:
    assert refused_with(code) is kind


def test_an_internal_error_of_grpc_itself_is_no_plugins_fault() -> None:
    assert refused_with(grpc.StatusCode.INTERNAL, reason="") is BgcoreClientError


@pytest.mark.parametrize(
    ("reason", "metadata"),
    [
        ("POINT_CLOSED", {"step": "1"}),
        ("MUST_USE_MORE_NUMBERS", {}),
        ("FEVGA_WALL", {"rule": "F7"}),
    ],
)
def test_what_speaks_of_a_rule_is_a_rule_broken(reason: str, metadata: dict[str, str]) -> None:
    assert refused_with(grpc.StatusCode.FAILED_PRECONDITION, reason, **metadata) is RuleBroken


def test_an_exception_tells_all_that_the_server_said() -> None:
    violations = BadRequest(
        field_violations=[BadRequest.FieldViolation(field="dice[0]", description="too high")]
    )
    answers = {
        "GetServerInfo": lambda _, context: refuse(
            context,
            grpc.StatusCode.INVALID_ARGUMENT,
            "BAD_DICE",
            "dice[0] 7: expected 1 to 6",
            violations,
            field="dice[0]",
            value="7",
            expected="1 to 6",
            step="2",
        )
    }
    with (
        FakeServer(answers) as server,
        Client(server.target) as client,
        pytest.raises(InvalidArgument) as raised,
    ):
        client.get_server_info()
    error = raised.value
    assert str(error) == "BAD_DICE: dice[0] 7: expected 1 to 6"
    assert (error.reason, error.message) == ("BAD_DICE", "dice[0] 7: expected 1 to 6")
    assert (error.field, error.value, error.expected) == ("dice[0]", "7", "1 to 6")
    assert (error.rule, error.step) == ("", 2)
    assert error.code is grpc.StatusCode.INVALID_ARGUMENT
    assert error.violations == (Violation("dice[0]", "too high"),)


def test_details_that_cannot_be_read_leave_code_and_message() -> None:
    def garbled(_: object, context: grpc.ServicerContext) -> None:
        context.set_trailing_metadata(((DETAILS, b"\xff\xff"),))
        context.abort(grpc.StatusCode.NOT_FOUND, "no such table")

    with (
        FakeServer({"GetServerInfo": garbled}) as server,
        Client(server.target) as client,
        pytest.raises(NotFound, match="no such table") as raised,
    ):
        client.get_server_info()
    assert raised.value.reason == ""
