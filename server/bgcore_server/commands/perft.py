"""`bgcore perft`: one number, to compare play generators."""

from __future__ import annotations

import click

from bgcore import BgcoreError, Position, Rules, load
from bgcore.errors import PluginFailed
from bgcore.notation.board_text import read_board
from bgcore.perft import perft, perft_by_roll
from bgcore.perft import rolls_of as every_roll
from bgcore_server.commands.house_rules import variants_flag, with_house_rules
from bgcore_server.commands.progress import progress
from bgcore_server.commands.rules_flags import a_variants_code, plugin_failed, rules_flags, rules_of


@click.command("perft")
@rules_flags(variant=None)
@variants_flag
@click.option("--depth", type=click.IntRange(min=0), required=True, help="Turns to look ahead.")
@click.option("--position", metavar="TEXT", help="A position as text; the start, if not given.")
def command(
    variant: str,
    preset: str,
    options: dict[str, object],
    depth: int,
    position: str | None,
    folder: str | None,
) -> None:
    """Count positions: the sum over the 21 rolls of distinct results, so many turns deep.

    Where nothing can be played a roll counts 1. The opening of western gives 447 at depth 1.
    """
    rules = rules_of(with_house_rules(load(), folder), variant, preset, options)
    with a_variants_code():
        number = count(rules, start_of(rules, position), depth)
    click.echo(number)


def start_of(rules: Rules, position: str | None) -> Position:
    """The position to count from; a usage error says what is wrong with it."""
    if position is None:
        return rules.start
    try:
        return rules.position(read_board(position))
    except PluginFailed as failed:
        raise click.ClickException(plugin_failed(failed)) from failed
    except BgcoreError as error:
        raise click.BadParameter(str(error), param_hint="--position") from error


def count(rules: Rules, start: Position, depth: int) -> int:
    """The perft, with a bar that counts rolls."""
    if depth == 0 or rules.outcome(start):
        return perft(rules, start, depth)
    total = 0
    with progress("counting", len(every_roll(rules.variant.dice))) as bar:
        for number in perft_by_roll(rules, start, depth):
            total += number
            bar.advance()
    return total
