"""What of grpc's own log an operator hears."""

from __future__ import annotations

import logging
from importlib import import_module

import pytest

from bgcore_server.logs import is_heard, is_no_bad_text

cygrpc = import_module("grpc._cython.cygrpc")


def record(raised: Exception | None) -> logging.LogRecord:
    info = (type(raised), raised, None) if raised else None
    return logging.LogRecord("grpc._cython.cygrpc", logging.ERROR, "", 0, "told", (), info)


def test_an_answer_to_who_hung_up_is_no_fault() -> None:
    assert not is_heard(record(cygrpc.ExecuteBatchError("Failed", (), ())))
    assert not is_no_bad_text(record(UnicodeDecodeError("utf-8", b"\xff", 0, 1, "no start")))


@pytest.mark.parametrize("raised", [None, RuntimeError("any other")])
def test_everything_else_is_heard(raised: Exception | None) -> None:
    assert is_heard(record(raised)) and is_no_bad_text(record(raised))
