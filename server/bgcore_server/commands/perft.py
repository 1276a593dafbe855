"""`bgcore perft`: one number, to compare play generators."""

from __future__ import annotations

import click

from bgcore import BgcoreError, load
from bgcore.notation.board_text import read_board
from bgcore.perft import perft
from bgcore_server.commands.rules_flags import rules_flags, rules_of


@click.command("perft")
@rules_flags(variant=None)
@click.option("--depth", type=click.IntRange(min=0), required=True, help="Turns to look ahead.")
@click.option("--position", metavar="TEXT", help="A position as text; the start, if not given.")
def command(
    variant: str, preset: str, options: dict[str, object], depth: int, position: str | None
) -> None:
    """Count positions: the sum over the 21 rolls of distinct results, so many turns deep.

    Where nothing can be played a roll counts 1. The opening of western gives 447 at depth 1.
    """
    rules = rules_of(load(), variant, preset, options)
    start = rules.start
    if position is not None:
        try:
            start = rules.position(read_board(position))
        except BgcoreError as error:
            raise click.BadParameter(str(error), param_hint="--position") from error
    click.echo(perft(rules, start, depth))
