"""Refusals, as the model foresees them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from google.protobuf.message import Message
from google.rpc.error_details_pb2 import ErrorInfo

from bgcore import BgcoreError
from bgcore_server.errors import Code, refusal


class Refused(Exception):
    """What a call is refused with: the canonical code, the stable reason, and the field it is about."""

    def __init__(self, code: Code, reason: str, field: str = "") -> None:
        super().__init__(code.name, reason, field)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Refused) and self.args == other.args

    def __hash__(self) -> int:
        return hash(self.args)


class NotForeseen(AssertionError):
    """The server did what the model does not expect of it."""


def malformed(reason: str, field: str) -> Refused:
    return Refused(Code.INVALID_ARGUMENT, reason, field)


def not_now(reason: str, field: str) -> Refused:
    return Refused(Code.FAILED_PRECONDITION, reason, field)


def not_allowed(reason: str, field: str = "authorization") -> Refused:
    return Refused(Code.PERMISSION_DENIED, reason, field)


def not_found() -> Refused:
    return Refused(Code.NOT_FOUND, "UNKNOWN_TABLE", "table")


def told(error: BgcoreError, request: Message) -> Refused:
    """An error as a client sees it."""
    found = refusal(error, request)
    [info] = [detail for detail in found.details if isinstance(detail, ErrorInfo)]
    return Refused(found.code, info.reason, info.metadata.get("field", ""))


@contextmanager
def by_the_rules(request: Message) -> Iterator[None]:
    """What the engine or a converter refuses, the server refuses."""
    try:
        yield
    except BgcoreError as error:
        raise told(error, request) from None
