"""The command line: `bgcore COMMAND`."""

from __future__ import annotations

import errno
import importlib
import io
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn

import click

from bgcore_server import __version__

COMMANDS = {
    "serve": "Serve the rules and tables to clients.",
    "variants": "List the variants that are installed.",
    "check-variant": "Prove a variant with the conformance kit.",
    "new-variant": "Make a package with a variant of one's own.",
    "plays": "List legal plays: JSON lines in, JSON lines out.",
    "replay": "Check match files, roll by roll and play by play.",
    "verify-dice": "Verify that the throws of a record follow from its seeds.",
    "convert": "Turn matches and positions into another notation.",
    "perft": "Count positions, to compare with other programs.",
}
"""Each command and what it does; its module is imported when it is called."""


class Commands(click.Group):
    """Commands that are imported when they are used, so that each starts fast."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Runs a command; when its input or output fails, that is a message and status 1.

        A pipe that nobody reads any more, as behind `| head`, ends the command without a word.
        """
        open_streams()
        try:
            return super().main(*args, **extra)
        except OSError as problem:
            failed(problem)
        except Exception as problem:
            from bgcore.errors import PluginError  # late: help needs no engine

            if not isinstance(problem, PluginError):
                raise
            click.echo(f"Error: {problem}", err=True)  # BGCORE_STRICT_PLUGINS
            sys.exit(1)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names in the order in which help shows them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of a name."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"bgcore_server.commands.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The list of commands, without importing any."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


class Closed(io.TextIOBase):
    """What stands for a standard stream that was closed before the start: whoever uses it is told.

    Python has `None` there, on which a result is lost without a word.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    @property
    def buffer(self) -> Closed:
        """Its bytes, where there are none either."""
        return self

    def _refuse(self, *_: object) -> NoReturn:
        raise OSError(errno.EBADF, f"{self.name} is closed")

    read = readline = write = _refuse


def open_streams() -> None:
    """Makes every standard stream one that can be asked, and that shows whatever text there is.

    Messages that nobody wants, with standard error closed, are not to end among the results.
    """
    sys.stderr = sys.stderr or Path(os.devnull).open("w")  # noqa: SIM115  # open to the end
    sys.stdin = sys.stdin or Closed("standard input")
    sys.stdout = sys.stdout or Closed("standard output")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def failed(problem: OSError) -> NoReturn:
    """Says what input or output could not be done, and ends."""
    with suppress(OSError):
        name = f"{problem.filename}: " if problem.filename else ""
        click.echo(f"Error: input or output failed: {name}{problem.strerror or problem}", err=True)
    # What could not be written must not be tried again when Python ends.
    with suppress(OSError, ValueError):
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError, AttributeError):
                os.dup2(nowhere, stream.fileno())
    sys.exit(1)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="bgcore")
def main() -> None:
    """Rules of backgammon and its relatives, as a service and from the command line."""


if __name__ == "__main__":
    main()
