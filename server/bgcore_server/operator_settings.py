"""What an operator may set of a server: each field is a setting.

To add one, add a field, or a group of fields. Its flag, its environment variable, its key in the file,
the help text and its row in docs/configuration.md follow from it (`make settings` writes the row):
`OperatorSettings.log.level` is `--log-level`, `BGCORE_LOG_LEVEL`, and `level` under `[log]`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Final, Literal

from annotated_types import Ge, Le
from pydantic import BaseModel, PlainValidator
from pydantic.fields import FieldInfo

from bgcore_server.access_settings import AccountSettings, TlsSettings
from bgcore_server.adapters.cors import Cors
from bgcore_server.address import Address
from bgcore_server.limit_settings import GrpcSettings, QuotaSettings, WebSettings
from bgcore_server.settings_group import NONE, Group, Seconds, setting
from bgcore_server.upkeep_settings import UpkeepSettings

WEB: Final = "web"
"""Metrics on the web port."""


def _address(value: object) -> Address:
    return value if isinstance(value, Address) else Address.read(str(value))


def _address_or_none(value: object) -> Address | None:
    return None if value in (None, NONE) else _address(value)


def _cors(value: object) -> tuple[str, ...]:
    origins = value.split(",") if isinstance(value, str) else value
    if not isinstance(origins, (list, tuple)):
        raise ValueError("expected origins, such as https://play.example")
    named = [str(origin).strip() for origin in origins if str(origin).strip() not in ("", NONE)]
    return tuple(sorted(Cors.read(named).origins))


def _names(value: object) -> tuple[str, ...]:
    names = value.split(",") if isinstance(value, str) else value
    if not isinstance(names, (list, tuple)) or not all(isinstance(name, str) for name in names):
        raise ValueError("expected names, separated by commas")
    return tuple(name.strip() for name in names if name.strip())


def _metrics_place(value: object) -> MetricsPlace:
    return WEB if value == WEB else _address_or_none(value)


MetricsPlace = Address | Literal["web"] | None

CorsOrigins = Annotated[tuple[str, ...], PlainValidator(_cors)]
Names = Annotated[tuple[str, ...], PlainValidator(_names)]
Listen = Annotated[Address, PlainValidator(_address)]
MayListen = Annotated[Address | None, PlainValidator(_address_or_none)]
Metrics = Annotated[MetricsPlace, PlainValidator(_metrics_place)]
Level = Literal["debug", "info", "warning", "error"]


class LogSettings(Group):
    """What is logged."""

    level: Level = setting("info", "The least that is logged.")
    calls: bool = setting(False, "Log every call, not only those that fail by a fault of ours.")


class OperatorSettings(Group):
    """Everything that an operator chooses."""

    listen: Listen = setting(Address("127.0.0.1", 50051), "gRPC.", metavar="HOST:PORT")
    http: MayListen = setting(
        Address("127.0.0.1", 8080),
        "Connect, gRPC-Web, JSON, /healthz and /readyz.",
        metavar="HOST:PORT",
    )
    db: str = setting(
        "sqlite:///bgcore.db",
        "Where tables are kept: sqlite:///FILE, postgresql://USER@HOST/DATABASE, which several"
        " servers may share, or sqlite:// for nowhere.",
        secret=True,
    )
    variants: str = setting(
        "",
        "A folder of house rules: every *.toml in it is a variant (docs/house-rules.md).",
        metavar="FOLDER",
    )
    allow_seeded: bool = setting(False, "Allow tables with seeded dice, for tests.")
    heartbeat: Seconds = setting(
        15.0, "Seconds between signs of life on a quiet watch.", ge=0.05, le=3600
    )
    grace: Seconds = setting(
        10.0, "Seconds that running calls have when the server stops.", ge=0, le=3600
    )
    drain_seconds: Seconds = setting(
        0.0,
        "Seconds between saying that it stops (/readyz, health) and taking no more calls, so that"
        " load balancers notice.",
        ge=0,
        le=3600,
    )
    metrics: Metrics = setting(
        WEB,
        "Where Prometheus finds /metrics: web for the port of --http, a HOST:PORT of its own, or"
        " none.",
        metavar="WHERE",
    )
    cors: CorsOrigins = setting(
        (),
        "Pages of these origins may use the HTTP port, such as https://play.example; * for all.",
        metavar="ORIGIN,…",
    )
    plugins: Names = setting(
        ("*",),
        "Which plugins to use, by the names of entry points or distributions; * for all, none for"
        " what is built in alone.",
        metavar="NAME,…",
    )
    plugin_seconds: Seconds = setting(
        10.0,
        "Seconds for which code of a plugin may hold up the server before it is interrupted; 0: for"
        " ever, as with a debugger.",
        ge=0,
        le=3600,
    )
    tls: TlsSettings = TlsSettings()
    accounts: AccountSettings = AccountSettings()
    quota: QuotaSettings = QuotaSettings()
    grpc: GrpcSettings = GrpcSettings()
    web: WebSettings = WebSettings()
    log: LogSettings = LogSettings()
    upkeep: UpkeepSettings = UpkeepSettings()


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: where it stands, and what its field says."""

    path: tuple[str, ...]
    field: FieldInfo

    @property
    def name(self) -> str:
        """Its name among all others, as an argument of Python."""
        return "_".join(self.path)

    @property
    def flag(self) -> str:
        """Its flag on the command line."""
        return "--" + self.name.replace("_", "-")

    @property
    def variable(self) -> str:
        """Its environment variable."""
        return "BGCORE_" + self.name.upper()

    @property
    def key(self) -> str:
        """Its key in the file, with that of its group."""
        return ".".join(self.path)

    @property
    def help(self) -> str:
        """What it does."""
        return self.field.description or ""

    @property
    def secret(self) -> bool:
        """Whether it must not be shown."""
        return bool(self._extra("secret"))

    @property
    def is_switch(self) -> bool:
        """Whether its flag stands alone."""
        return self.field.annotation is bool

    @property
    def metavar(self) -> str:
        """What kind of value it takes, as help shows it."""
        if chosen := self._extra("metavar"):
            return str(chosen)
        kind: object = self.field.annotation
        if words := getattr(kind, "__args__", ()):
            return f"[{'|'.join(map(str, words))}]"
        name = "FLOAT" if kind is float else "INTEGER" if kind is int else "TEXT"
        return f"{name} RANGE" if self.limits else name

    @property
    def limits(self) -> str:
        """The least and the most that it may be; empty where there is no limit."""
        low = next((m.ge for m in self.field.metadata if isinstance(m, Ge)), None)
        high = next((m.le for m in self.field.metadata if isinstance(m, Le)), None)
        if low is None and high is None:
            return ""
        return f"{'' if low is None else f'{low}<='}x{'' if high is None else f'<={high}'}"

    def of(self, settings: OperatorSettings) -> Any:
        """Its value."""
        value: Any = settings
        for part in self.path:
            value = getattr(value, part)
        return value

    def _extra(self, name: str) -> object:
        extra = self.field.json_schema_extra
        return extra.get(name) if isinstance(extra, dict) else None


def _settings(group: type[BaseModel], above: tuple[str, ...] = ()) -> Iterator[Setting]:
    for name, field in group.model_fields.items():
        kind, path = field.annotation, (*above, name)
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from _settings(kind, path)
        else:
            yield Setting(path, field)


SETTINGS = tuple(_settings(OperatorSettings))
"""Every setting, in the order in which help shows them."""

DEFAULTS = OperatorSettings()
