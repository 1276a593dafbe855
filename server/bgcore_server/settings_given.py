"""From flags, environment and file to settings; the first of them that says something holds.

Everything that is wrong is told at once, each with the place where it was said.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError, create_model
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, EnvSettingsSource, SettingsConfigDict

from bgcore.nearest import nearest
from bgcore_server.operator_settings import SETTINGS, OperatorSettings, Setting

CONFIG = "config"
"""The one setting that no file can have: which file."""

BY_KEY = {setting.key: setting for setting in SETTINGS}
GROUPS = {setting.path[0] for setting in SETTINGS if len(setting.path) > 1}

MOST_NEAR = 3
"""Names that are offered instead of one that does not exist."""


class WrongSettings(Exception):
    """Settings that cannot be used, each with its place. No secret is among them."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Given:
    """A value, and where somebody set it."""

    value: object
    place: str


@dataclass(frozen=True, slots=True)
class Resolved:
    """Settings, and for each that somebody set, by its key, where."""

    settings: OperatorSettings
    places: Mapping[str, str]


def resolve(flags: Mapping[str, object], config: str | None = None) -> Resolved:
    """The settings. `flags` has those on the command line, by their names; `WrongSettings`.

    `config` is the file; without it `BGCORE_CONFIG` may name one.
    """
    said = _environment()
    faults: list[str] = []
    given: dict[str, Given] = {}
    file = config or said.pop(CONFIG, None)
    if file:
        given |= _file(Path(file), faults)
    for setting in SETTINGS:
        if setting.name in said:
            given[setting.key] = Given(said[setting.name], setting.variable)
        if setting.name in flags:
            given[setting.key] = Given(flags[setting.name], setting.flag)
    try:
        settings = OperatorSettings.model_validate(_nested(given))
    except ValidationError as wrong:
        faults += [_told(error, given) for error in wrong.errors(include_url=False)]
    if faults:
        raise WrongSettings(faults)
    return Resolved(settings, {key: one.place for key, one in given.items()})


class _Variables(BaseSettings):
    """The environment variables of all settings, as texts.

    They are flat, so that what else is called `BGCORE_…` is nobody's business: Kubernetes sets variables for
    each service, `BGCORE_LOG_PORT` for one called `bgcore-log`. An empty one is none.
    """

    model_config = SettingsConfigDict(env_prefix="BGCORE_", env_ignore_empty=True)


def _environment() -> dict[str, str]:
    names = [CONFIG, *(setting.name for setting in SETTINGS)]
    fields: dict[str, Any] = dict.fromkeys(names, (str | None, None))
    flat = create_model("_Flat", __base__=_Variables, **fields)
    return cast(dict[str, str], EnvSettingsSource(flat)())


def _file(file: Path, faults: list[str]) -> dict[str, Given]:
    """What a file says; what cannot stand there is a fault."""
    try:
        said = tomllib.loads(file.read_text(encoding="utf-8"))
    except OSError as problem:
        faults.append(f"{file}: {(problem.strerror or str(problem)).lower()}: expected a file")
        return {}
    except (ValueError, RecursionError) as problem:  # also a number of a thousand digits
        place = str(problem).rpartition("(")[2].removesuffix(")")
        where = place if place.startswith("at ") else "somewhere"
        faults.append(f"{file}: not TOML {where}: expected lines such as grace = 5")
        return {}
    return dict(_leaves(file, said, "", faults))


def _leaves(
    file: Path, said: Mapping[str, Any], above: str, faults: list[str]
) -> Iterator[tuple[str, Given]]:
    for name, value in said.items():
        key = above + name
        if key in BY_KEY:
            yield key, Given(value, f"{file}: {key}")
        elif key not in GROUPS:
            faults.append(f"{file}: {key}: no such setting, expected {_near(key)}")
        elif isinstance(value, dict):
            yield from _leaves(file, value, f"{key}.", faults)
        else:
            faults.append(f"{file}: {key}: expected a table, [{key}]")


def _near(key: str) -> str:
    near = nearest(key, BY_KEY) or nearest(key, GROUPS)
    return " or ".join(near[:MOST_NEAR]) or "one that bgcore serve --show-config lists"


def _nested(given: Mapping[str, Given]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, one in given.items():
        *groups, name = BY_KEY[key].path
        place = found
        for group in groups:
            place = place.setdefault(group, {})
        place[name] = one.value
    return found


def _told(error: ErrorDetails, given: Mapping[str, Given]) -> str:
    """A fault: its place, the value unless it is a secret, and what was expected."""
    key, setting = _of(error)
    said = error["msg"]
    if setting is None or key not in given:
        return f"{key}: {said.removeprefix('Value error, ')}"
    place = given[key].place
    if error["type"] == "value_error":  # ours, and it quotes the value
        return f"{place}: {said.removeprefix('Value error, ')}"
    value = "" if setting.secret else f" {given[key].value}"
    return f"{place}{value}: {said.replace('Input should be', 'expected', 1)}"


def _of(error: ErrorDetails) -> tuple[str, Setting | None]:
    """The setting that an error is about; one of a whole group has none."""
    parts = tuple(str(part) for part in error["loc"])
    for length in range(len(parts), 0, -1):
        if (key := ".".join(parts[:length])) in BY_KEY:
            return key, BY_KEY[key]
    return ".".join(parts) or "settings", None
