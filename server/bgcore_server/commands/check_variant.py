"""`bgcore check-variant`: the conformance kit on one variant."""

from __future__ import annotations

from random import Random

import click

import bgcore
from bgcore.testing import check_rules
from bgcore_server.commands.house_rules import variants_flag, with_house_rules
from bgcore_server.commands.progress import progress
from bgcore_server.commands.rules_flags import a_variants_code, rules_of


@click.command("check-variant")
@click.argument("variant", metavar="ID")
@click.option(
    "--games", type=click.IntRange(1, 100_000), default=20, show_default=True, help="Random games."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Which random games.")
@variants_flag
def command(variant: str, games: int, seed: int, folder: str | None) -> None:
    """Prove a variant: random games, each list of plays compared with a plain search.

    The exit status is 1, and a message says what does not hold and in which game, if the variant fails.
    """
    rules = rules_of(with_house_rules(bgcore.load(), folder), variant, "", {})
    name = rules.variant.id
    seeds = Random(seed)
    positions = 0
    with progress(f"checking {name}", games) as bar, a_variants_code():
        for _ in range(games):
            one = seeds.getrandbits(32)
            try:
                positions += check_rules(rules, games=1, seed=one).positions
            except AssertionError as problem:
                again = f"check_rules(rules, games=1, seed={one}) shows it"
                raise click.ClickException(f"{name}: {problem} ({again})") from None
            bar.advance()
    click.echo(f"{name}: {games} games, {positions} positions: all is well")
