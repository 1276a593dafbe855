"""What a server refuses, as exceptions.

    BgcoreClientError
    ├── InvalidArgument      malformed, whatever the state of the server
    │   └── OutOfRange       a place in a sequence that is gone, or not reached yet
    ├── NotFound             no such table, variant, preset or bot
    ├── FailedPrecondition   not now
    │   └── RuleBroken       against a rule of the game; `rule` and `step` may say which and where
    ├── StaleRevision        the table has moved on: look again
    ├── Unauthenticated      no seat token, or a malformed one
    ├── NotYourSeat          not with this token
    ├── TooMuch              more than the server takes, or more often; `retry_after` may say when to come again
    ├── Unimplemented        in the contract, but not in this server
    ├── PluginFailed         the code of a variant or a bot raised something
    ├── Unavailable          no server, or none that can answer just now
    └── DeadlineExceeded     no answer in time; it may have been done all the same

Where there is no answer at all (`Unavailable`, `DeadlineExceeded`), `reason` is empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol, cast

import grpc
from google.protobuf.message import DecodeError
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, PreconditionFailure, RetryInfo
from google.rpc.status_pb2 import Status

DOMAIN = "bgcore"
DETAILS = "grpc-status-details-bin"

RULES = frozenset(
    {
        "NO_CHECKER_THERE",
        "NUMBER_NOT_ROLLED",
        "CHECKER_ON_BAR",
        "MUST_ENTER_FIRST",
        "CHECKER_PINNED",
        "HEAD_LIMIT",
        "RUNNER_FIRST",
        "FIRST_HALF_ONLY",
        "LOCKED_AFTER_HIT",
        "POINT_CLOSED",
        "HIT_NOT_ALLOWED_YET",
        "FORMATION_FORBIDDEN",
        "NO_BEARING_OFF_WHILE_PINNED",
        "NOT_ALL_HOME",
        "HIGHER_CHECKER_FIRST",
        "EXACT_NUMBER_ONLY",
        "MUST_USE_MORE_NUMBERS",
        "MUST_USE_LARGER_NUMBER",
        "MUST_UNBLOCK",
    }
)
"""The reasons that speak of a rule of play. A variant's own name a rule or a step."""


@dataclass(frozen=True, slots=True)
class Violation:
    """One of several things that are wrong: where, and what of it, for people."""

    subject: str
    description: str


class BgcoreClientError(Exception):
    """A call that failed. `reason` is stable; `message` is for people and names value and expectation."""

    def __init__(
        self,
        code: grpc.StatusCode,
        message: str,
        reason: str = "",
        metadata: Mapping[str, str] | None = None,
        violations: tuple[Violation, ...] = (),
        retry_after: float | None = None,
    ) -> None:
        super().__init__(f"{reason}: {message}" if reason else message)
        self.code = code
        self.message = message
        self.reason = reason
        self.metadata = dict(metadata or {})
        self.violations = violations
        self.retry_after = retry_after
        """Seconds after which the server says that trying again may help; `None` where it says nothing of it."""

        self.failed: grpc.RpcError | None = None
        """What grpc raised, where it did."""

    @property
    def field(self) -> str:
        """The field of the request that it is about."""
        return self.metadata.get("field", "")

    @property
    def value(self) -> str:
        """What was found there."""
        return self.metadata.get("value", "")

    @property
    def expected(self) -> str:
        """What may stand there."""
        return self.metadata.get("expected", "")

    @property
    def rule(self) -> str:
        """The rule behind it, as numbered in the rules text."""
        return self.metadata.get("rule", "")

    @property
    def step(self) -> int | None:
        """The step of a play that fails, from 0."""
        return int(self.metadata["step"]) if "step" in self.metadata else None


class InvalidArgument(BgcoreClientError):
    """A request that is malformed, whatever the state of the server."""


class OutOfRange(InvalidArgument):
    """A place in a sequence that is gone, or not reached yet."""


class NotFound(BgcoreClientError):
    """No such table, variant, preset or bot."""


class FailedPrecondition(BgcoreClientError):
    """The state of the table or server does not allow it."""


class RuleBroken(FailedPrecondition):
    """Against a rule of the game."""


class StaleRevision(BgcoreClientError):
    """The table has moved on since `expected_revision`."""


class Unauthenticated(BgcoreClientError):
    """No proof of who is calling."""


class NotYourSeat(BgcoreClientError):
    """The token is not that of the seat."""


class TooMuch(BgcoreClientError):
    """More than the server takes."""


class Unimplemented(BgcoreClientError):
    """Part of the contract, but not of this server."""


class PluginFailed(BgcoreClientError):
    """The code of a variant or a bot raised something."""


class Unavailable(BgcoreClientError):
    """No server, or none that can answer just now, or a call that was cut off on the way."""


class DeadlineExceeded(BgcoreClientError):
    """No answer in time; what was asked for may have been done all the same."""


KINDS: Mapping[grpc.StatusCode, type[BgcoreClientError]] = {
    grpc.StatusCode.INVALID_ARGUMENT: InvalidArgument,
    grpc.StatusCode.OUT_OF_RANGE: OutOfRange,
    grpc.StatusCode.NOT_FOUND: NotFound,
    grpc.StatusCode.FAILED_PRECONDITION: FailedPrecondition,
    grpc.StatusCode.ABORTED: StaleRevision,
    grpc.StatusCode.UNAUTHENTICATED: Unauthenticated,
    grpc.StatusCode.PERMISSION_DENIED: NotYourSeat,
    grpc.StatusCode.RESOURCE_EXHAUSTED: TooMuch,
    grpc.StatusCode.UNIMPLEMENTED: Unimplemented,
    grpc.StatusCode.INTERNAL: PluginFailed,
    grpc.StatusCode.UNAVAILABLE: Unavailable,
    grpc.StatusCode.DEADLINE_EXCEEDED: DeadlineExceeded,
}
"""The exception of each code; of any other, `BgcoreClientError` itself."""

OUR_OWN = ("Channel closed!", "Locally cancelled by application!")
"""What grpc says of calls that were cancelled here. Others were cut off on the way, by a server or a proxy."""


class FailedCall(Protocol):
    """What both of grpc's kinds of error tell."""

    def code(self) -> grpc.StatusCode: ...
    def details(self) -> str | None: ...
    def trailing_metadata(self) -> Iterable[tuple[str, str | bytes]] | None: ...


def error_of(failed: grpc.RpcError) -> BgcoreClientError:
    """The exception for a call that grpc says has failed."""
    call = cast(FailedCall, failed)
    info, violations, retry_after = _details(call.trailing_metadata() or ())
    code, metadata = call.code(), dict(info.metadata)
    kind = KINDS.get(code, BgcoreClientError)
    if code is grpc.StatusCode.CANCELLED and call.details() not in OUR_OWN:
        kind = Unavailable
    if kind is FailedPrecondition and (info.reason in RULES or metadata.keys() & {"rule", "step"}):
        kind = RuleBroken
    if kind is PluginFailed and not info.reason:
        kind = BgcoreClientError  # grpc's own, not the server's
    message = call.details() or code.name
    error = kind(code, message, info.reason, metadata, violations, retry_after)
    error.failed = failed
    # Its traceback is long and of grpc's inside; what it says is in the error.
    error.__suppress_context__ = True
    return error


def _details(
    trailers: Iterable[tuple[str, str | bytes]],
) -> tuple[ErrorInfo, tuple[Violation, ...], float | None]:
    """Our ErrorInfo, empty if there is none, all that is violated, and when to try again."""
    info, violations = ErrorInfo(), []
    retry_after: float | None = None
    for detail in _status(trailers).details:
        if detail.Is(ErrorInfo.DESCRIPTOR):
            found = ErrorInfo.FromString(detail.value)
            info = found if found.domain == DOMAIN else info
        elif detail.Is(BadRequest.DESCRIPTOR):
            for field in BadRequest.FromString(detail.value).field_violations:
                violations.append(Violation(field.field, field.description))
        elif detail.Is(PreconditionFailure.DESCRIPTOR):
            for one in PreconditionFailure.FromString(detail.value).violations:
                violations.append(Violation(one.subject, one.description))
        elif detail.Is(RetryInfo.DESCRIPTOR):
            delay = RetryInfo.FromString(detail.value).retry_delay
            retry_after = max(delay.ToMilliseconds() / 1000, 0.0)
    return info, tuple(violations), retry_after


def _status(trailers: Iterable[tuple[str, str | bytes]]) -> Status:
    for name, value in trailers:
        if name == DETAILS and isinstance(value, bytes):
            try:
                return Status.FromString(value)
            except DecodeError:  # a proxy's doing; code and message still tell something
                break
    return Status()
