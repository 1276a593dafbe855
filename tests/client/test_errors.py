from __future__ import annotations

import time
import traceback

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import BadRequest, RetryInfo

from bgcore_client import (
    WHITE,
    AsyncClient,
    BgcoreClientError,
    Client,
    FailedPrecondition,
    InvalidArgument,
    NotFound,
    NotYourSeat,
    OutOfRange,
    PluginFailed,
    RuleBroken,
    SeatKey,
    StaleRevision,
    TooMuch,
    Unauthenticated,
    Unimplemented,
    Violation,
    messages,
)
from bgcore_client.errors import DETAILS
from tests.client.fake import Answer, FakeServer, once, refuse


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


def too_often(seconds: float) -> Answer:
    delay = Duration()
    delay.FromMilliseconds(round(seconds * 1000))
    info = RetryInfo(retry_delay=delay)
    code = grpc.StatusCode.RESOURCE_EXHAUSTED
    return lambda _, context: refuse(context, code, "TOO_MANY_REQUESTS", "too often", info)


def info(_: object, __: grpc.ServicerContext) -> messages.GetServerInfoResponse:
    return messages.GetServerInfoResponse()


def test_who_comes_too_often_comes_again_when_there_is_room() -> None:
    answers = {"GetServerInfo": once(too_often(0.2), info), "Act": once(too_often(0), acted)}
    with FakeServer(answers) as server, Client(server.target) as client:
        begin = time.monotonic()
        client.get_server_info()
        assert time.monotonic() - begin >= 0.2
        client.seat(SeatKey("t1", WHITE, "secret")).roll()
    assert len(server.requests) == 4


async def test_so_he_does_when_awaited() -> None:
    with FakeServer({"GetServerInfo": once(too_often(0.05), info)}) as server:
        async with AsyncClient(server.target) as client:
            await client.get_server_info()
    assert len(server.requests) == 2


def acted(_: object, __: grpc.ServicerContext) -> messages.ActResponse:
    return messages.ActResponse()


def test_where_that_is_later_than_there_is_time_the_error_says_when() -> None:
    with (
        FakeServer({"GetServerInfo": too_often(60)}) as server,
        Client(server.target, timeout=5) as client,
        pytest.raises(TooMuch) as raised,
    ):
        client.get_server_info()
    assert raised.value.retry_after == 60
    assert len(server.requests) == 1


def test_what_is_too_much_once_and_for_all_is_not_sent_again() -> None:
    code = grpc.StatusCode.RESOURCE_EXHAUSTED
    answers = {"GetServerInfo": lambda _, context: refuse(context, code, "TEXT_LENGTH")}
    with (
        FakeServer(answers) as server,
        Client(server.target) as client,
        pytest.raises(TooMuch) as raised,
    ):
        client.get_server_info()
    assert raised.value.retry_after is None
    assert len(server.requests) == 1


def test_an_error_is_shown_without_the_inside_of_grpc() -> None:
    refused = {"GetServerInfo": lambda _, context: refuse(context, grpc.StatusCode.NOT_FOUND, "X")}
    with (
        FakeServer(refused) as server,
        Client(server.target) as client,
        pytest.raises(NotFound) as raised,
    ):
        client.get_server_info()
    shown = "".join(traceback.format_exception(raised.value))
    assert "_InactiveRpcError" not in shown
    assert isinstance(raised.value.failed, grpc.RpcError)
