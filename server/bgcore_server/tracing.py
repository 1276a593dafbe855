"""Traces by OpenTelemetry, if the usual variables name an exporter: a span for each call.

Nothing of it is imported otherwise. The variables are the standard's own: `OTEL_TRACES_EXPORTER` (otlp,
console), `OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_SERVICE_NAME`, `OTEL_TRACES_SAMPLER` and so on.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib.metadata import entry_points
from typing import TYPE_CHECKING

import bgcore_server
from bgcore.errors import Fault
from bgcore_server.adapters.around import OK, Ongoing
from bgcore_server.errors import Malformed
from bgcore_server.extras import how_to_install

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

ENDPOINTS = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
CARRIED = ("traceparent", "tracestate")
"""The metadata, or headers, with the trace that a call belongs to (W3C)."""

OURS = frozenset({"UNKNOWN", "DEADLINE_EXCEEDED", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE"})
"""Codes with which a server's span is an error, by OpenTelemetry's conventions."""


class Spans:
    """Steps around each call that make its span."""

    def __init__(self, provider: TracerProvider) -> None:
        from opentelemetry.trace import SpanKind, Status, StatusCode
        from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

        self._provider = provider
        self._tracer = provider.get_tracer("bgcore", bgcore_server.__version__)
        self._extract = TraceContextTextMapPropagator().extract
        self._kind = SpanKind.SERVER
        self._error = Status(StatusCode.ERROR)

    def begun(self, call: Ongoing) -> None:
        """A step before each call."""
        carrier = {name: value for name in CARRIED if (value := call.header(name))}
        service, _, method = call.method.path[1:].partition("/")
        attributes = {
            "rpc.system": call.system,
            "rpc.service": service,
            "rpc.method": method,
            "bgcore.request_id": call.request_id,
        }
        call.span = self._tracer.start_span(
            call.method.path[1:], self._extract(carrier), self._kind, attributes
        )

    def ended(self, call: Ongoing) -> None:
        """A step after each call."""
        span = call.span
        if span is None:
            return
        span.set_attribute("rpc.response.status_code", call.code)
        if call.error:
            span.set_attribute("error.type", call.error.reason)
        elif call.code != OK:
            span.set_attribute("error.type", call.code)
        if call.code in OURS:
            span.set_status(self._error)
        span.end()

    def stop(self) -> None:
        """Send what there is."""
        self._provider.shutdown()


def spans_of_environment(variables: Mapping[str, str] = os.environ) -> Spans | None:
    """Spans if the variables name an exporter; `Malformed` for one that is not installed."""
    if variables.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return None
    named = variables.get("OTEL_TRACES_EXPORTER", "")
    if not named and any(variables.get(name) for name in ENDPOINTS):
        named = "otlp"
    names = [name for one in named.split(",") if (name := one.strip()) not in ("", "none")]
    return _spans(names, variables) if names else None


def _spans(names: list[str], variables: Mapping[str, str]) -> Spans:
    try:
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        raise _missing("OTEL_TRACES_EXPORTER", ",".join(names)) from None
    # The rest of the resource, and the sampler, the library makes from further variables.
    name_is_given = "service.name=" in variables.get("OTEL_RESOURCE_ATTRIBUTES", "")
    own = {"service.name": variables.get("OTEL_SERVICE_NAME") or "bgcore"}
    provider = TracerProvider(resource=Resource.create({} if name_is_given else own))
    for name in names:
        found = entry_points(group="opentelemetry_traces_exporter", name=_full(name, variables))
        if not found:
            raise _missing("OTEL_TRACES_EXPORTER", name)
        exporter = next(iter(found)).load()
        provider.add_span_processor(BatchSpanProcessor(exporter()))
    return Spans(provider)


def _full(name: str, variables: Mapping[str, str]) -> str:
    """The name of an exporter as packages register it: that of OTLP depends on the protocol."""
    if name != "otlp":
        return name
    protocol = variables.get("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL") or variables.get(
        "OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf"
    )
    return "otlp_proto_grpc" if protocol == "grpc" else "otlp_proto_http"


def _missing(variable: str, name: str) -> Malformed:
    expected = f"an exporter that is installed, or {how_to_install('otel')}"
    what = f"{variable} {name}: no such exporter, expected {expected}"
    return Malformed(Fault("EXPORTER_MISSING", variable, name, expected, what))
