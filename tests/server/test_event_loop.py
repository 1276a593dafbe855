"""The loop that a server runs on."""

from __future__ import annotations

import asyncio
import sys

import pytest

from bgcore_server.event_loop import new_event_loop


def test_a_server_runs_on_uvloop() -> None:
    uvloop = pytest.importorskip("uvloop", reason="uvloop is not made for this platform")
    loop = new_event_loop()
    try:
        assert isinstance(loop, uvloop.Loop)
    finally:
        loop.close()


def test_where_uvloop_cannot_be_had_asyncios_own_loop_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "uvloop", None)
    loop = new_event_loop()
    try:
        assert isinstance(loop, asyncio.BaseEventLoop)
    finally:
        loop.close()
