"""Settings for people: what holds and who says so, and the table of docs/configuration.md."""

from __future__ import annotations

import json
from typing import Any

from bgcore.errors import BgcoreError
from bgcore_server.operator_settings import DEFAULTS, SETTINGS, Setting
from bgcore_server.settings_given import Resolved
from bgcore_server.settings_group import NONE
from bgcore_server.store.open import POSTGRES, SQLITE

HIDDEN = "***"


def shown(resolved: Resolved) -> str:
    """All settings as a file has them, each with the place where it was set. Secrets are hidden."""
    lines: list[str] = []
    group: tuple[str, ...] = ()
    for setting in SETTINGS:
        if setting.path[:-1] != group:
            group = setting.path[:-1]
            lines.append(f"\n[{'.'.join(group)}]")
        place = resolved.places.get(setting.key, "default")
        value = setting.of(resolved.settings)
        if value is None and setting.of(DEFAULTS) is not None:
            value = NONE  # somebody chose that there be none
        text = _toml(_public(setting, value))
        line = f"{setting.path[-1]} = {text}" if text else f"# {setting.path[-1]} is not set"
        lines.append(f"{line}  # {place}")
    return "\n".join(lines)


def table() -> str:
    """All settings as a table in Markdown."""
    rows = ["| flag | environment | file | default | what |", "| --- | --- | --- | --- | --- |"]
    for setting in SETTINGS:
        default = default_of(setting)
        limits = f" `{setting.limits}`" if setting.limits else ""
        flag = setting.flag if setting.is_switch else f"{setting.flag} {setting.metavar}"
        cells = [
            f"`{flag}`".replace("|", "\\|"),
            f"`{setting.variable}`",
            f"`{setting.key}`",
            f"`{default}`" if default else "",
            setting.help.replace("|", "\\|") + limits,
        ]
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def default_of(setting: Setting) -> str:
    """The default as a person would write it; empty where nothing holds, or a switch is off."""
    value = setting.of(DEFAULTS)
    if setting.is_switch:
        return str(value).lower() if value else ""
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return "" if value is None else str(value)


def _public(setting: Setting, value: Any) -> Any:
    if not setting.secret or not value:
        return value
    return database(value) if setting.key == "db" else HIDDEN


def database(url: str) -> str:
    """The URL of a database without a password.

    >>> database("postgresql://ann:secret@db.example:5433/tables?sslmode=require")
    'postgresql://***@db.example:5433/tables'
    """
    if url.startswith(SQLITE):
        return url
    if url.startswith(POSTGRES):
        try:
            from bgcore_server.store.place import Place

            return f"postgresql://{HIDDEN}@{Place.read(url).name}"
        except (BgcoreError, ImportError):  # whoever serves is told why
            return f"postgresql://{HIDDEN}"
    return HIDDEN


def _toml(value: Any) -> str:
    """A value as TOML; empty for what is not set."""
    if value is None:
        return ""
    if isinstance(value, bool | int | float):
        return json.dumps(value)
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(_toml, value))}]"
    return json.dumps(str(value), ensure_ascii=False)
