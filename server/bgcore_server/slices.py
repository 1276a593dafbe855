"""Work of the event loop that takes long, in slices, so that others get a word in between."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable
from time import monotonic
from typing import TypeVar

T = TypeVar("T")

SLICE = 0.002
"""Seconds after which others are let in."""


async def sliced(items: Iterable[T]) -> AsyncIterator[T]:
    """The items of an iterable, each made when it is asked for."""
    begun = monotonic()
    for item in items:
        yield item
        if monotonic() - begun > SLICE:
            await asyncio.sleep(0)
            begun = monotonic()
