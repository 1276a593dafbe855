"""`bgcore check-variant`: the conformance kit on one variant."""

from __future__ import annotations

import click

import bgcore
from bgcore import BgcoreError
from bgcore.testing import check_rules


@click.command("check-variant")
@click.argument("variant", metavar="ID")
@click.option(
    "--games", type=click.IntRange(1, 100_000), default=20, show_default=True, help="Random games."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Which random games.")
def command(variant: str, games: int, seed: int) -> None:
    """Prove a variant: random games, each list of plays compared with a plain search."""
    try:
        rules = bgcore.load().rules(variant)
    except BgcoreError as problem:
        raise click.ClickException(str(problem)) from None
    try:
        report = check_rules(rules, games=games, seed=seed)
    except AssertionError as problem:
        raise click.ClickException(f"{rules.variant.id}: {problem}") from None
    click.echo(
        f"{rules.variant.id}: {report.games} games, {report.positions} positions: all is well"
    )
