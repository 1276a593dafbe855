"""The event loop of a server: uvloop's, where it can be had."""

from __future__ import annotations

import asyncio


def new_event_loop() -> asyncio.AbstractEventLoop:
    """A new loop. uvloop has none for Windows and PyPy; there asyncio's own does the same, but takes longer.

    A call goes round the loop eight times, as grpc is told of each part of it by a wake-up of its own.
    """
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()
