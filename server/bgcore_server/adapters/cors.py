"""Which pages of other origins a browser lets talk to the HTTP port, and what it lets them read."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.middleware.cors import CORSMiddleware

from bgcore_server.adapters.http_request import Receive, Scope, Send

if TYPE_CHECKING:
    from starlette.types import ASGIApp

ANY = "*"

ORIGIN = re.compile(r"https?://(\[[0-9a-f:.]+\]|[a-z0-9_.-]+)(:[0-9]{1,5})?")
"""As browsers send it: no path, no slash at the end, lower case."""

ASKED = (
    "authorization",  # a seat's token; no cookie is ever read
    "connect-protocol-version",
    "connect-timeout-ms",
    "content-encoding",
    "grpc-timeout",
    "traceparent",
    "tracestate",
    "x-grpc-web",
    "x-request-id",
    "x-user-agent",
)
"""What a page may send, besides what browsers always allow."""

TOLD = (
    "grpc-status",
    "grpc-message",
    "grpc-status-details-bin",
    "retry-after",
    "x-request-id",
)
"""What a page may read of an answer's headers, besides what browsers always allow."""

REMEMBERED = 7200
"""Seconds for which a browser need not ask again; Chromium remembers no longer."""


@dataclass(frozen=True, slots=True)
class Cors:
    """The origins whose pages may talk to the HTTP port; without any, browsers let none.

    >>> Cors.read(["https://play.example", "http://localhost:5173"]).allows("https://play.example")
    True
    """

    origins: frozenset[str] = frozenset()

    @classmethod
    def read(cls, origins: Iterable[str]) -> Cors:
        """The setting as an operator writes it; `ValueError` when one is no origin."""
        found = frozenset(origins)
        for origin in sorted(found):
            if origin != ANY and not ORIGIN.fullmatch(origin):
                raise ValueError(
                    f"{origin}: expected an origin, such as https://play.example, or *"
                )
        return cls(found)

    def allows(self, origin: str) -> bool:
        """Whether pages of this origin may."""
        return ANY in self.origins or origin in self.origins

    def around(self, app: ASGIApp) -> ASGIApp:
        """The same application for pages of these origins too.

        Starlette's layer is only asked for them, as it tells headers to everybody. Who is not listed gets what
        a program gets: the preflight is refused as no POST, without a word that a browser would take for leave.
        """
        if not self.origins:
            return app
        layer = CORSMiddleware(
            app,
            allow_origins=self.origins,
            allow_methods=("POST", "GET"),
            allow_headers=ASKED,
            expose_headers=TOLD,
            max_age=REMEMBERED,
        )

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            chosen = layer if self.allows(_origin(scope)) else app
            await chosen(dict(scope), receive, send)

        return answer


def _origin(scope: Scope) -> str:
    for name, value in scope.get("headers", ()):
        if name == b"origin":
            text: str = value.decode("latin-1")
            return text
    return ""
