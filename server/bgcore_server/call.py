"""What a service may know of the call it answers, whatever brought it."""

from __future__ import annotations

from typing import Protocol


class Call(Protocol):
    """One call. An adapter passes its own kind."""

    @property
    def authorization(self) -> str:
        """The `authorization` header; empty when there is none."""
        ...

    @property
    def peer(self) -> str:
        """The address of who calls, without a port; behind trusted proxies the one that they tell."""
        ...
