"""The server as a whole: what is built from what, and in which order it starts and stops."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterable
from typing import cast

from google.protobuf.descriptor import ServiceDescriptor
from grpc_health.v1 import health_pb2

import bgcore_server
from bgcore import Registry, kernel
from bgcore.plugins import OWN_DISTRIBUTION
from bgcore_proto.v1 import (
    rules_service_pb2,
    table_pb2,
    table_service_pb2,
    variant_service_pb2,
)
from bgcore_server import paging
from bgcore_server.accounts import Accounts
from bgcore_server.adapters.admission import Admission
from bgcore_server.adapters.around import Around
from bgcore_server.adapters.connect import WebServer
from bgcore_server.adapters.cors import Cors
from bgcore_server.adapters.grpc import GrpcServer
from bgcore_server.adapters.grpc_reading import Reading
from bgcore_server.adapters.service import LARGEST_REQUEST, Guard, Service
from bgcore_server.address import Address
from bgcore_server.callers import Callers
from bgcore_server.convert.options import Shelf
from bgcore_server.errors import Log
from bgcore_server.health import Health
from bgcore_server.lengths import LONGEST_NAME
from bgcore_server.logs import CallLog
from bgcore_server.metrics import CountedLog, Gauge, Metrics
from bgcore_server.metrics_port import Scraped
from bgcore_server.operator_settings import WEB, OperatorSettings
from bgcore_server.overdue import PluginWatch
from bgcore_server.services.rules import RulesService
from bgcore_server.services.table import TableService
from bgcore_server.services.table_fields import LONGEST_REQUEST_ID
from bgcore_server.services.variant import VariantService
from bgcore_server.store import Store, open_store
from bgcore_server.store_measured import measured
from bgcore_server.tables import Tables
from bgcore_server.tables.command import now
from bgcore_server.tls import Tls
from bgcore_server.tracing import spans_of_environment
from bgcore_server.workers import Workers

OWN_PACKAGES = frozenset({"bgcore", "bgcore_server", "bgcore_proto"})


Options = OperatorSettings
"""What an operator chooses."""


class Server:
    """Everything that runs in one process."""

    def __init__(
        self, options: Options, registry: Registry, log: Log, now: Callable[[], int] = now
    ) -> None:
        self._now = now
        self._door = Admission(options.quota)
        self._workers = Workers(self._door.quotas.block)
        self._options = options
        self._registry = registry
        self._metrics = self._new_metrics()
        self._log = CountedLog(log, self._metrics)
        self._accounts = Accounts(options.accounts, self._log) if options.accounts.on else None
        self._store: Store | None = None
        self._tables: Tables | None = None
        self._grpc: GrpcServer | None = None
        self._web: WebServer | None = None
        self._health = Health(service.full_name for service in DESCRIPTORS)
        self._resuming: asyncio.Task[None] | None = None
        self._scraped: Scraped | None = None
        self._spans = spans_of_environment()
        self._watch = PluginWatch(
            guest_packages(registry),
            options.plugin_seconds,
            self._log,
            self._workers.queues.values(),
        )

    async def start(self) -> tuple[Address, Address | None]:
        """Open the store and listen; tells on which addresses. `OSError` when one cannot be had."""
        options = self._options
        self._watch.start()
        self._store = measured(await open_store(options.db), self._metrics)
        self._tables = Tables(
            self._store, self._registry, self._log, options.heartbeat, self._now, options.upkeep
        )
        services = self._services(self._tables)
        around = self._around()
        tls = Tls(options.tls, self._log) if options.tls.on else None
        reading = Reading(options.grpc, self._door.turns)
        self._grpc = GrpcServer(services, around, options.grpc, reading, tls)
        listening = Address(options.listen.host, await self._grpc.start(str(options.listen)))
        web = None
        if options.http:
            metrics = self._metrics if options.metrics == WEB else None
            ready, grace = (lambda: self._health.serving), options.grace
            connections = self._door.connections(options.web)
            self._web = WebServer(
                services, around, ready, grace, Cors.read(options.cors), connections, tls, metrics
            )
            port = await self._web.start(options.http.host, options.http.port)
            web = Address(options.http.host, port)
        if isinstance(options.metrics, Address):
            self._scraped = Scraped(self._metrics, options.metrics)
        self._tables.start()
        self._resuming = asyncio.create_task(self._tables.resume_bots())
        return listening, web

    async def drain(self) -> None:
        """Say that no new calls are welcome, and serve them nevertheless until that has been noticed."""
        self._health.stop()
        await asyncio.sleep(self._options.drain_seconds)

    async def stop(self) -> None:
        """Take no new calls, end the watches, let running calls finish, close the store. Once is enough."""
        self._health.stop()
        if self._resuming:
            self._resuming.cancel()
        if self._web:
            await self._web.leave()
        # Both take no new calls from here on, and wait for those that run; watches would run for ever.
        stops = [self._grpc.stop(self._options.grace)] if self._grpc else []
        stops += [self._web.stop()] if self._web else []
        stopping = [asyncio.ensure_future(stop) for stop in stops]
        await asyncio.sleep(0)
        if self._tables:
            await self._tables.stop()
        await asyncio.gather(*stopping)
        self._workers.stop()
        if self._store:
            await self._store.close()
        if self._scraped:
            await asyncio.to_thread(self._scraped.stop)
        if self._spans:
            await asyncio.to_thread(self._spans.stop)
        self._watch.stop()
        self._tables = self._grpc = self._web = self._store = self._scraped = self._spans = None

    def _around(self) -> Around:
        """What happens around every call, in this order."""
        guard = Guard(self._log, plugin_packages(self._registry))
        before, after = [self._metrics.begun], [self._metrics.ended]
        after.append(CallLog(self._log, every=self._options.log.calls).ended)
        if self._spans:
            before.append(self._spans.begun)
            after.append(self._spans.ended)
        before.append(self._door.begun)
        after.append(self._door.ended)
        return Around(guard, before, after)

    @property
    def metrics_port(self) -> int | None:
        """The port on which metrics are told, if they have one of their own."""
        return self._scraped.port if self._scraped else None

    def _new_metrics(self) -> Metrics:
        info = {"version": bgcore_server.__version__, "kernel": kernel.KERNEL}
        gauges: dict[str, Gauge] = {
            "ready": ("1 until a stop begins.", lambda: self._health.serving),
            "tables_in_memory": (
                "Tables in memory.",
                lambda: len(self._tables.loaded) if self._tables else 0,
            ),
        }
        return Metrics(info, gauges, self._workers.queues)

    def _services(self, tables: Tables) -> list[Service]:
        modes = [
            table_pb2.DICE_MODE_SYSTEM,
            table_pb2.DICE_MODE_MANUAL,
            table_pb2.DICE_MODE_COMMITTED,
        ]
        if self._options.allow_seeded:
            modes.append(table_pb2.DICE_MODE_SEEDED)
        shelf = Shelf(self._registry)
        targets = (
            VariantService(self._registry, limits(self._options), modes),
            RulesService(self._registry, shelf, self._workers.files, self._workers.batches),
            TableService(
                self._registry,
                shelf,
                tables,
                modes,
                self._workers.tables,
                self._workers.files,
                self._door.quotas,
                Callers(self._accounts),
            ),
            self._health,
        )
        return [
            Service(descriptor, target)
            for descriptor, target in zip(DESCRIPTORS, targets, strict=True)
        ]


DESCRIPTORS: tuple[ServiceDescriptor, ...] = (
    variant_service_pb2.DESCRIPTOR.services_by_name["VariantService"],
    rules_service_pb2.DESCRIPTOR.services_by_name["RulesService"],
    table_service_pb2.DESCRIPTOR.services_by_name["TableService"],
    cast(ServiceDescriptor, health_pb2.DESCRIPTOR.services_by_name["Health"]),
)


def limits(options: Options) -> variant_service_pb2.Limits:
    """What this server refuses as too much; of a token's, account's and address's limits the smallest."""
    quota = options.quota
    rates = (
        (quota.address_requests, quota.address_burst),
        (quota.token_requests, quota.token_burst),
    )
    return variant_service_pb2.Limits(
        message_bytes=LARGEST_REQUEST,
        page_size=paging.LARGEST,
        default_page_size=paging.DEFAULT,
        request_id_length=LONGEST_REQUEST_ID,
        name_length=LONGEST_NAME,
        heartbeat_seconds=round(options.heartbeat),
        requests_per_second=math.ceil(smallest(rate for rate, _ in rates)),
        request_burst=int(smallest(burst for rate, burst in rates if rate)),
        watches=int(smallest((quota.address_watches, quota.token_watches))),
        tables_per_hour=int(smallest((quota.address_tables, quota.account_tables))),
        account_required=options.accounts.on and options.accounts.required,
        account_issuer=options.accounts.issuer if options.accounts.on else "",
    )


def smallest(limits: Iterable[float]) -> float:
    """The smallest of some limits that are on; 0 when none is.

    >>> smallest((0, 5, 3)), smallest((0, 0))
    (3, 0)
    """
    return min(filter(None, limits), default=0)


def plugin_packages(registry: Registry) -> frozenset[str]:
    """The top packages of all code that plugins brought."""
    brought = [entry.rules for entry in registry] + [type(bot) for bot in registry.bots.values()]
    tops = {kind.__module__.partition(".")[0] for kind in brought}
    tops.update(plugin.package for plugin in registry.plugins)
    return frozenset(tops) - OWN_PACKAGES - {""}


def guest_packages(registry: Registry) -> frozenset[str]:
    """The same of those plugins that are not built in."""
    own = {one.package for one in registry.plugins if one.distribution == OWN_DISTRIBUTION}
    return plugin_packages(registry) - own
