"""What Prometheus is told. Counting is adding numbers; they become families when somebody asks.

The library's own counters take a lock and look labels up each time, which the fastest calls would feel. All
numbers are changed on the event loop alone, and may be read from another thread.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import accumulate

from prometheus_client import CollectorRegistry, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from bgcore_server.adapters.around import Ongoing
from bgcore_server.errors import Log
from bgcore_server.workers import Queue

BOUNDS = (
    *(0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5),
    *(1.0, 2.5, 5.0, 10.0),
)
"""Seconds: the upper ends of the histograms' buckets; the last one has none."""

Gauge = tuple[str, Callable[[], float]]
"""What something means, and how much it is now."""


class Times:
    """How long something took, as a histogram."""

    __slots__ = ("counts", "sum")

    def __init__(self) -> None:
        self.counts = [0] * (len(BOUNDS) + 1)
        self.sum = 0.0

    def add(self, seconds: float) -> None:
        """One more."""
        self.counts[bisect_left(BOUNDS, seconds)] += 1
        self.sum += seconds

    def buckets(self) -> list[tuple[str, float]]:
        """Each bucket's upper end, and how many are below it."""
        return list(zip((*map(str, BOUNDS), "+Inf"), accumulate(self.counts), strict=True))


class Rpc:
    """The calls of one rpc."""

    __slots__ = ("codes", "open", "times")

    def __init__(self) -> None:
        self.codes: Counter[str] = Counter()
        self.times = Times()
        self.open = 0


class Metrics(Collector):
    """The numbers of one server."""

    def __init__(
        self,
        info: Mapping[str, str],
        gauges: Mapping[str, Gauge],
        queues: Mapping[str, Queue],
    ) -> None:
        self._info = info
        self._gauges = gauges
        self._queues = queues
        self._rpcs: dict[str, Rpc] = {}
        self.faults: Counter[str] = Counter()
        self.acts = 0
        self.commands: Counter[tuple[str, str]] = Counter()
        self.store_times = {"create": Times(), "append": Times()}
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)

    @property
    def registry(self) -> CollectorRegistry:
        """All of it, with the process's own."""
        return self._registry

    # -- steps around a call ------------------------------------------------------------------------

    def begun(self, call: Ongoing) -> None:
        """A call begins."""
        path = call.method.path
        rpc = self._rpcs.get(path)
        if rpc is None:
            rpc = self._rpcs[path] = Rpc()
        rpc.open += 1

    def ended(self, call: Ongoing) -> None:
        """A call has ended."""
        rpc = self._rpcs[call.method.path]
        rpc.open -= 1
        rpc.codes[call.code] += 1
        if not call.method.streams:  # how long somebody watches is no latency
            rpc.times.add(call.seconds)

    # -- what is told -------------------------------------------------------------------------------

    def exposition(self) -> tuple[bytes, bytes]:
        """The content type, and all that Prometheus is told."""
        return CONTENT_TYPE_PLAIN_0_0_4.encode(), generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """The families, as they are now."""
        yield InfoMetricFamily("bgcore_build", "What runs.", value=dict(self._info))
        yield from self._calls()
        yield CounterMetricFamily("bgcore_acts", "Events that acts put into logs.", self.acts)
        yield from self._store()
        faults = CounterMetricFamily(
            "bgcore_faults", "Errors in the log, by what it calls them.", labels=["event"]
        )
        for event, count in list(self.faults.items()):
            faults.add_metric([event], count)
        yield faults
        yield from self._now()

    def _calls(self) -> Iterator[Metric]:
        calls = CounterMetricFamily(
            "bgcore_calls", "Calls that have ended, by code.", labels=["rpc", "code"]
        )
        times = HistogramMetricFamily(
            "bgcore_call_seconds", "How long calls took; streams are left out.", labels=["rpc"]
        )
        running = GaugeMetricFamily(
            "bgcore_calls_open",
            "Calls that run; of WatchTable those who watch.",
            labels=["rpc"],
        )
        for path, rpc in list(self._rpcs.items()):
            name = path[1:]
            for code, count in list(rpc.codes.items()):
                calls.add_metric([name, code], count)
            running.add_metric([name], rpc.open)
            if any(rpc.times.counts):
                times.add_metric([name], rpc.times.buckets(), rpc.times.sum)
        yield from (calls, times, running)

    def _store(self) -> Iterator[Metric]:
        commands = CounterMetricFamily(
            "bgcore_store_commits",
            "Commands that the store was given, and what became of them.",
            labels=["command", "result"],
        )
        for (command, result), count in list(self.commands.items()):
            commands.add_metric([command, result], count)
        times = HistogramMetricFamily(
            "bgcore_store_seconds",
            "How long the store took until it was on disk.",
            labels=["command"],
        )
        for command, found in self.store_times.items():
            times.add_metric([command], found.buckets(), found.sum)
        yield from (commands, times)

    def _now(self) -> Iterator[Metric]:
        for name, (what, gauge) in self._gauges.items():
            yield GaugeMetricFamily(f"bgcore_{name}", what, gauge())
        jobs = GaugeMetricFamily("bgcore_queue_jobs", "Jobs that wait or run.", labels=["queue"])
        for name, queue in self._queues.items():
            jobs.add_metric([name], queue.length)
        yield jobs


class CountedLog:
    """A log that counts its errors."""

    def __init__(self, log: Log, metrics: Metrics) -> None:
        self._log = log
        self._metrics = metrics

    def error(self, event: str, **values: object) -> object:
        """One entry."""
        self._metrics.faults[event] += 1
        return self._log.error(event, **values)

    def warning(self, event: str, **values: object) -> object:
        """One entry of less weight."""
        return self._log.warning(event, **values)

    def info(self, event: str, **values: object) -> object:
        """One entry of no weight."""
        return self._log.info(event, **values)
