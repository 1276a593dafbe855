"""The flag for a folder of house rules, and what it comes to."""

from __future__ import annotations

import os
from pathlib import Path

import click

from bgcore import BgcoreError, Registry
from bgcore.plugins import STRICT
from bgcore.spec_folder import with_folder
from bgcore_server.commands.paths import Named, reason

variants_flag = click.option(
    "--variants",
    "folder",
    type=Named(),
    metavar="FOLDER",
    envvar="BGCORE_VARIANTS",
    help="House rules, too: every *.toml in this folder (docs/house-rules.md).",
)


def with_house_rules(registry: Registry, folder: str | None) -> Registry:
    """The registry with the variants of a folder, if there is one; a message says why it cannot be used."""
    if not folder:
        return registry
    try:
        return with_folder(registry, Path(folder), strict=os.environ.get(STRICT) == "1")
    except OSError as problem:
        what = f"{reason(problem)}: expected a folder"
        raise click.ClickException(f"--variants {folder}: {what}") from None
    except BgcoreError as problem:
        raise click.ClickException(f"--variants {folder}: {problem}") from None
