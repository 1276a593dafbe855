"""What the wire says of an error: one table from errors to codes, one form of details.

A service raises `BgcoreError`s, those of the engine and those of this file, and knows no codes.
"""

from __future__ import annotations

import math
import traceback
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from google.protobuf.any_pb2 import Any
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import (
    BadRequest,
    ErrorInfo,
    PreconditionFailure,
    RetryInfo,
)
from google.rpc.status_pb2 import Status

from bgcore.errors import (
    BgcoreError,
    Fault,
    IllegalAction,
    IllegalPosition,
    NotationError,
    NotRegistered,
    OptionError,
    PluginError,
    PluginFailed,
    SpecError,
    said,
)
from bgcore_server.fields import located
from bgcore_server.spec_fields import in_wire_words

DOMAIN = "bgcore"

# Details travel in the headers, which transports keep small: 8 KiB in all is the usual limit.
LONGEST_VALUE = 100
LONGEST_EXPECTED = 800
"""Room for the names of all options of a variant: no client can guess the one that was left out."""
LONGEST_MESSAGE = 1000
MOST_VIOLATIONS = 12

RETRY_SECONDS = 1
"""When who finds the server busy should try again."""

NOTHING = "nothing"
"""The value of what should have been sent and was not."""


class Code(Enum):
    """The canonical codes that this server uses, by their numbers on the wire."""

    UNKNOWN = 2
    INVALID_ARGUMENT = 3
    DEADLINE_EXCEEDED = 4
    NOT_FOUND = 5
    PERMISSION_DENIED = 7
    RESOURCE_EXHAUSTED = 8
    FAILED_PRECONDITION = 9
    ABORTED = 10
    OUT_OF_RANGE = 11
    UNIMPLEMENTED = 12
    INTERNAL = 13
    UNAVAILABLE = 14
    UNAUTHENTICATED = 16


class ServerError(BgcoreError):
    """An error that the engine does not know, since it is about requests, tables or this server."""


class Malformed(ServerError):
    """A request that is not one, whatever the state of the server."""


class NotFound(ServerError):
    """A table, or something else with an id, that does not exist."""


class NotNow(ServerError):
    """A request that the state of a table does not allow."""


class TimeOver(NotNow):
    """Somebody's time has run out; whatever was to be done comes too late (M10)."""


class Stale(ServerError):
    """The table has moved on since the client looked."""


class Unauthenticated(ServerError):
    """No proof of who is calling."""


class NotAllowed(ServerError):
    """Not with this proof: another's seat."""


class TooMuch(ServerError):
    """More than this server takes."""


class Busy(TooMuch):
    """Too much at once: trying again in `seconds` may help."""

    seconds: float = RETRY_SECONDS


class TooOften(Busy):
    """More than one caller may ask for in a time; in `seconds` there is room for one more."""

    def __init__(self, *faults: Fault, seconds: float) -> None:
        super().__init__(*faults)
        self.seconds = seconds


class OutOfRange(ServerError):
    """A place in a sequence that is gone or not reached yet."""


class NotBuilt(ServerError):
    """Part of the contract, but not of this server."""


class BadFile(ServerError):
    """A file that the operator named and that cannot be used: keys, certificates."""


class Unavailable(ServerError):
    """Not just now: the server stops, or its store does not answer. Trying again may help."""


def stopping() -> Unavailable:
    """The error of what is asked while the server stops."""
    what, expected = "the server stops; try again", "a server that runs"
    return Unavailable(Fault("SERVER_STOPPING", "", "stopping", expected, what))


class TooNew(ServerError):
    """Something in the store that a newer server has written, and that this one does not know."""


def too_new(what: str, found: object) -> TooNew:
    """The error of something that this server cannot read, though another may."""
    said = f"{what} {found}: expected one that this server knows; a newer one has written it"
    return TooNew(Fault("LOG_NEWER", "table", str(found), "a newer server", said))


class TooLate(ServerError):
    """The caller's deadline has passed."""


class ServerFault(ServerError):
    """A fault of this server. Nothing should be one."""


CODES: Mapping[type[BgcoreError], Code] = {
    IllegalPosition: Code.INVALID_ARGUMENT,
    IllegalAction: Code.FAILED_PRECONDITION,
    OptionError: Code.INVALID_ARGUMENT,
    SpecError: Code.INVALID_ARGUMENT,
    NotationError: Code.INVALID_ARGUMENT,
    NotRegistered: Code.NOT_FOUND,
    PluginError: Code.FAILED_PRECONDITION,
    Malformed: Code.INVALID_ARGUMENT,
    NotFound: Code.NOT_FOUND,
    NotNow: Code.FAILED_PRECONDITION,
    TimeOver: Code.FAILED_PRECONDITION,
    Stale: Code.ABORTED,
    Unauthenticated: Code.UNAUTHENTICATED,
    NotAllowed: Code.PERMISSION_DENIED,
    TooMuch: Code.RESOURCE_EXHAUSTED,
    Busy: Code.RESOURCE_EXHAUSTED,
    TooOften: Code.RESOURCE_EXHAUSTED,
    OutOfRange: Code.OUT_OF_RANGE,
    NotBuilt: Code.UNIMPLEMENTED,
    BadFile: Code.FAILED_PRECONDITION,
    Unavailable: Code.UNAVAILABLE,
    TooNew: Code.UNAVAILABLE,
    TooLate: Code.DEADLINE_EXCEEDED,
    PluginFailed: Code.INTERNAL,
    ServerFault: Code.UNKNOWN,
}
"""The code of each error. A test checks that every error has a row."""

PRECONDITIONS = frozenset({Code.FAILED_PRECONDITION, Code.ABORTED})
FIELD_CODES = frozenset({Code.INVALID_ARGUMENT, Code.OUT_OF_RANGE})


def malformed(
    reason: str, field: str, value: object = "", expected: str = "", message: str = ""
) -> Malformed:
    """The error of one field of a request.

    >>> str(malformed("NUMBER_OUT_OF_RANGE", "dice[0]", 7, "1 to 6"))
    'dice[0] 7: expected 1 to 6'
    """
    return Malformed(Fault(reason, field, str(value), expected, message))


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error as a transport sends it."""

    code: Code
    message: str
    details: tuple[Message, ...]

    @property
    def status(self) -> Status:
        """The same as google.rpc.Status, which gRPC packs into a trailer."""
        packed = []
        for detail in self.details:
            packed.append(Any())
            packed[-1].Pack(detail)
        return Status(code=self.code.value, message=self.message, details=packed)


def refusal(error: BgcoreError, request: Message | None = None) -> Refusal:
    """What the wire says of an error: its code, exactly one ErrorInfo, and what was violated.

    Fields are told as paths of the request, if it could be read.
    """
    code = code_of(type(error))
    if isinstance(error, SpecError):
        told = map(in_wire_words, error.faults[:MOST_VIOLATIONS])
        error = SpecError(*told, *error.faults[MOST_VIOLATIONS:])
    faults = error.faults[:MOST_VIOLATIONS]
    if request is not None:
        faults = tuple(located(fault, request) for fault in faults)
    first = faults[0]
    metadata = {"value": first.value, "expected": first.expected}
    optional = {
        "field": first.field,
        "rule": first.rule,
        "step": "" if first.step is None else str(first.step),
    }
    metadata |= {name: value for name, value in optional.items() if value}
    limits = {"expected": LONGEST_EXPECTED}
    info = ErrorInfo(
        domain=DOMAIN,
        reason=first.reason,
        metadata={
            name: shortened(value, limits.get(name, LONGEST_VALUE * 2))
            for name, value in metadata.items()
        },
    )
    details = (info, *violations(code, faults), *when_to_retry(error))
    return Refusal(code, shortened(str(error), LONGEST_MESSAGE), details)


def code_of(kind: type[BgcoreError]) -> Code:
    """The code of a kind of error, or of what it derives from."""
    return next(CODES[base] for base in kind.__mro__ if base in CODES)


def violations(code: Code, faults: Sequence[Fault]) -> tuple[Message, ...]:
    """Every fault once more, in the form that tools know."""
    if code in FIELD_CODES:
        fields = [
            BadRequest.FieldViolation(field=shortened(f.field), description=shortened(str(f)))
            for f in faults
        ]
        return (BadRequest(field_violations=fields),)
    if code in PRECONDITIONS:
        conditions = [
            PreconditionFailure.Violation(
                type=f.reason, subject=shortened(f.field), description=shortened(str(f))
            )
            for f in faults
        ]
        return (PreconditionFailure(violations=conditions),)
    return ()


def when_to_retry(error: BgcoreError) -> tuple[Message, ...]:
    """When to try again, where that alone helps."""
    if not isinstance(error, Busy):
        return ()
    delay = Duration()
    delay.FromMilliseconds(math.ceil(error.seconds * 1000))
    return (RetryInfo(retry_delay=delay),)


def retry_after(error: BgcoreError | None) -> int | None:
    """The same in whole seconds, rounded up, as HTTP has it."""
    return math.ceil(error.seconds) if isinstance(error, Busy) else None


def shortened(text: str, longest: int = LONGEST_VALUE * 2) -> str:
    """A text that fits into a header.

    >>> shortened("12345", longest=4)
    '123…'
    """
    return text if len(text) <= longest else text[: longest - 1] + "…"


class Log(Protocol):
    """Where the server tells of faults, and of calls."""

    def error(self, event: str, **values: object) -> object:
        """One entry."""
        ...

    def warning(self, event: str, **values: object) -> object:
        """One entry of less weight."""
        ...

    def info(self, event: str, **values: object) -> object:
        """One entry of no weight."""
        ...


def unexpected(error: Exception, plugins: Collection[str]) -> BgcoreError:
    """What should not happen, as an error to be sent: a plugin's fault if it came through a plugin's code.

    `plugins` are the top packages of everything that was loaded as a plugin.
    """
    if isinstance(error, PluginFailed):
        return error
    for frame, _ in traceback.walk_tb(error.__traceback__):
        package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
        if package in plugins:
            what = f"{package} raised {said(error)}"
            return PluginFailed(Fault("PLUGIN_FAILED", "", package, "an answer", what))
    found = type(error).__name__
    what = f"{found} in the server; it is in its log"
    return ServerFault(Fault("SERVER_FAULT", "", found, "an answer", what))
