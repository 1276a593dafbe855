"""The command line: `bgcore COMMAND`."""

from __future__ import annotations

import importlib

import click

from bgcore_server import __version__

COMMANDS = {
    "serve": "Serve the rules and tables to clients.",
    "variants": "List the variants that are installed.",
    "check-variant": "Prove a variant with the conformance kit.",
    "plays": "List legal plays: JSON lines in, JSON lines out.",
    "replay": "Check match files, roll by roll and play by play.",
    "perft": "Count positions, to compare with other programs.",
}
"""Each command and what it does; its module is imported when it is called."""


class Commands(click.Group):
    """Commands that are imported when they are used, so that each starts fast."""

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


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="bgcore")
def main() -> None:
    """Rules of backgammon and its relatives, as a service and from the command line."""


if __name__ == "__main__":
    main()
