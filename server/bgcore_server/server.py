"""The server as a whole: what is built from what, and in which order it starts and stops."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast

from google.protobuf.descriptor import ServiceDescriptor
from grpc_health.v1 import health_pb2

from bgcore import Registry
from bgcore_proto.v1 import (
    rules_service_pb2,
    table_pb2,
    table_service_pb2,
    variant_service_pb2,
)
from bgcore_server import paging
from bgcore_server.adapters.connect import WebServer
from bgcore_server.adapters.cors import NOWHERE, Cors
from bgcore_server.adapters.grpc import GrpcServer
from bgcore_server.adapters.service import LARGEST_REQUEST, Guard, Service
from bgcore_server.convert.options import Shelf
from bgcore_server.errors import Log
from bgcore_server.health import Health
from bgcore_server.services.rules import RulesService
from bgcore_server.services.table import LONGEST_NAME, LONGEST_REQUEST_ID, TableService
from bgcore_server.services.variant import VariantService
from bgcore_server.store import Store, open_store
from bgcore_server.tables import Tables
from bgcore_server.tables.hub import now
from bgcore_server.workers import Workers

OWN_PACKAGES = frozenset({"bgcore", "bgcore_server", "bgcore_proto"})


@dataclass(frozen=True, slots=True)
class Address:
    """A host and a port; port 0 means any free one."""

    host: str
    port: int

    @classmethod
    def read(cls, text: str) -> Address:
        """The address of a text; `ValueError` when it is none.

        >>> Address.read("[::1]:50051")
        Address(host='::1', port=50051)
        """
        host, _, port = text.rpartition(":")
        if not host or not (port.isascii() and port.isdigit()) or int(port) > 65535:
            raise ValueError(f"{text}: expected HOST:PORT, such as 127.0.0.1:50051")
        return cls(host.removeprefix("[").removesuffix("]"), int(port))

    def check_free(self) -> None:
        """`OSError` says why nobody can listen here; grpc itself would not say it."""
        try:
            family = socket.AF_INET6 if ":" in self.host else socket.AF_INET
            with socket.socket(family, socket.SOCK_STREAM) as trial:
                trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                trial.bind((self.host, self.port))
        except OSError as problem:
            why = (problem.strerror or str(problem)).lower()
            raise OSError(f"cannot listen on {self}: {why}, expected a free HOST:PORT") from None

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


@dataclass(frozen=True, slots=True)
class Options:
    """What an operator chooses."""

    listen: Address
    http: Address | None  # None: gRPC only
    database: str = field(repr=False)  # it may hold a password
    allow_seeded: bool = False
    heartbeat: float = 15.0
    grace: float = 10.0
    cors: Cors = NOWHERE


class Server:
    """Everything that runs in one process."""

    def __init__(
        self, options: Options, registry: Registry, log: Log, now: Callable[[], int] = now
    ) -> None:
        self._now = now
        self._workers = Workers()
        self._options = options
        self._registry = registry
        self._log = log
        self._store: Store | None = None
        self._tables: Tables | None = None
        self._grpc: GrpcServer | None = None
        self._web: WebServer | None = None
        self._health = Health(service.full_name for service in DESCRIPTORS)
        self._resuming: asyncio.Task[None] | None = None

    async def start(self) -> tuple[Address, Address | None]:
        """Open the store and listen; tells on which addresses. `OSError` when one cannot be had."""
        options = self._options
        self._store = await open_store(options.database)
        heartbeat, now = options.heartbeat, self._now
        self._tables = Tables(self._store, self._registry, self._log, heartbeat, now)
        services = self._services(self._tables)
        guard = Guard(self._log, plugin_packages(self._registry))
        self._grpc = GrpcServer(services, guard)
        listening = Address(options.listen.host, await self._grpc.start(str(options.listen)))
        web = None
        if options.http:
            self._web = WebServer(
                services, guard, lambda: self._health.serving, options.grace, options.cors
            )
            port = await self._web.start(options.http.host, options.http.port)
            web = Address(options.http.host, port)
        self._tables.follow()
        self._resuming = asyncio.create_task(self._tables.resume_bots())
        return listening, web

    async def stop(self) -> None:
        """Say so, end the watches, let running calls finish, close the store. Once is enough."""
        self._health.stop()
        if self._resuming:
            self._resuming.cancel()
        if self._tables:
            await self._tables.stop()
        stops = [self._grpc.stop(self._options.grace)] if self._grpc else []
        await asyncio.gather(*stops, *([self._web.stop()] if self._web else []))
        self._workers.stop()
        if self._store:
            await self._store.close()
        self._tables = self._grpc = self._web = self._store = None

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
            TableService(self._registry, shelf, tables, modes, self._workers.tables),
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
    """What this server refuses as too much."""
    return variant_service_pb2.Limits(
        message_bytes=LARGEST_REQUEST,
        page_size=paging.LARGEST,
        default_page_size=paging.DEFAULT,
        request_id_length=LONGEST_REQUEST_ID,
        name_length=LONGEST_NAME,
        heartbeat_seconds=round(options.heartbeat),
    )


def plugin_packages(registry: Registry) -> frozenset[str]:
    """The top packages of all code that plugins brought."""
    brought = [entry.rules for entry in registry] + [type(bot) for bot in registry.bots.values()]
    return frozenset(kind.__module__.partition(".")[0] for kind in brought) - OWN_PACKAGES
