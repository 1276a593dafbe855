"""The flags of `bgcore serve`: one for each setting, and those that say where settings come from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click
from click.core import ParameterSource

from bgcore_server.commands.paths import Named
from bgcore_server.operator_settings import SETTINGS, Setting
from bgcore_server.settings_given import Resolved, WrongSettings, resolve
from bgcore_server.settings_shown import default_of, shown


def settings_options(function: Callable[[Resolved], None]) -> Callable[..., None]:
    """Gives a command a flag for each setting; it is called with what all sources come to."""

    def wrapped(config: str | None, show_config: bool, **said: Any) -> None:
        ctx = click.get_current_context()
        flags = {
            name: value
            for name, value in said.items()
            if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
        }
        try:
            resolved = resolve(flags, config)
        except WrongSettings as wrong:
            raise click.UsageError("\n  ".join(("settings:", *wrong.faults))) from None
        if show_config:
            click.echo(shown(resolved))
        else:
            function(resolved)

    wrapped.__doc__ = function.__doc__
    wrapped.__name__ = function.__name__
    options = [*map(_option, SETTINGS), *OWN]
    for option in reversed(options):
        wrapped = option(wrapped)
    return wrapped


def _option(setting: Setting) -> Callable[[Any], Any]:
    if setting.is_switch:
        return click.option(setting.flag, setting.name, is_flag=True, help=setting.help)
    extra = []
    if default := default_of(setting):
        extra.append(f"default: {default}")
    if setting.limits:
        extra.append(setting.limits)
    text = setting.help + (f"  [{'; '.join(extra)}]" if extra else "")
    # The values are read with those of the other sources, so that all that is wrong is told at once.
    return click.option(setting.flag, setting.name, metavar=setting.metavar, help=text)


OWN = (
    click.option(
        "--config", type=Named(), metavar="FILE", help="Take settings from a TOML file, too."
    ),
    click.option(
        "--show-config", is_flag=True, help="Print all settings and who set them, and exit."
    ),
)
