"""The flags that choose rules, and what a wrong one is answered with."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from typing import Any, TextIO, TypeVar

import click

from bgcore import BgcoreError, Registry, Rules
from bgcore.crossing import told
from bgcore.errors import PluginFailed

Command = TypeVar("Command", bound=Callable[..., Any])


def rules_flags(*, variant: str | None) -> Callable[[Command], Command]:
    """Adds `--variant` (required, if there is no default), `--preset` and `--option k=v`."""
    # Even `default=None` would count as a default.
    default: dict[str, Any] = {"required": True} if variant is None else {"default": variant}

    which = click.option(
        "--variant",
        show_default=True,
        metavar="ID",
        help="The variant, by its id or an alias.",
        **default,
    )
    return lambda command: which(choosing_options(command))


def choosing_options(command: Command) -> Command:
    """Adds `--preset` and `--option k=v`."""
    option = click.option(
        "--option",
        "options",
        multiple=True,
        metavar="NAME=VALUE",
        callback=_read_options,
        help="An option of the variant; may be given several times.",
    )
    preset = click.option("--preset", default="", metavar="ID", help="A preset of the variant.")
    return preset(option(command))


def _read_options(
    context: click.Context, parameter: click.Parameter, pairs: tuple[str, ...]
) -> dict[str, object]:
    options: dict[str, object] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not name or not equals:
            raise click.BadParameter(f"{pair!r}: expected NAME=VALUE", context, parameter)
        options[name.strip()] = value.strip()
    return options


def rules_of(registry: Registry, variant: str, preset: str, options: dict[str, object]) -> Rules:
    """The rules that the flags choose; a usage error says what is wrong with them."""
    try:
        return registry.rules(variant, preset, options)
    except PluginFailed as failed:
        raise click.ClickException(plugin_failed(failed)) from failed
    except BgcoreError as error:
        raise click.UsageError(str(error)) from error
    except Exception as problem:
        raise click.ClickException(plugin_failed(problem)) from problem


def plugin_failed(problem: Exception) -> str:
    """What is said of a variant whose code raises what it should not."""
    return f"PLUGIN_FAILED: {failure(problem)}"


def failure(problem: Exception) -> str:
    """An exception in a line, with the method that raised it; of what the engine found the sentence alone."""
    ours = isinstance(problem, PluginFailed) and problem.__cause__ is None
    return str(problem) if ours else told(problem)


@contextmanager
def results_alone() -> Iterator[TextIO]:
    """Standard output for results only: what anybody prints meanwhile goes to standard error."""
    results = sys.stdout
    with redirect_stdout(sys.stderr):
        yield results


@contextmanager
def a_variants_code() -> Iterator[None]:
    """Around work for which a variant's own code runs: what it raises is its failure, told in a line."""
    try:
        yield
    except click.ClickException:
        raise
    except Exception as problem:
        raise click.ClickException(plugin_failed(problem)) from problem
