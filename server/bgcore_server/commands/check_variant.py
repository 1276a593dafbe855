"""`bgcore check-variant`: the conformance kit on one variant."""

from __future__ import annotations

import click

import bgcore
from bgcore.testing import Report, report_on
from bgcore.testing.checks import CHECKS
from bgcore_server.commands.house_rules import variants_flag, with_house_rules
from bgcore_server.commands.paths import Named, reason
from bgcore_server.commands.progress import progress
from bgcore_server.commands.rules_flags import choosing_options, rules_of


@click.command("check-variant")
@click.argument("variant", metavar="ID")
@click.option(
    "--games", type=click.IntRange(1, 100_000), default=20, show_default=True, help="Random games."
)
@click.option("--seed", type=int, default=1, show_default=True, help="Which random games.")
@click.option(
    "--examples",
    type=Named(exists=True, dir_okay=False),
    help="Worked examples, a JSON list or JSON lines (docs/variants.md).",
)
@click.option(
    "--traceback", is_flag=True, help="Show where the variant's own code raised what it did."
)
@choosing_options
@variants_flag
def command(
    variant: str,
    games: int,
    seed: int,
    examples: str | None,
    traceback: bool,
    preset: str,
    options: dict[str, object],
    folder: str | None,
) -> None:
    """Prove a variant: random games, every position of them checked, worked examples.

    What was checked is printed, and for each check that failed what does not hold, at the smallest position
    that was found. The exit status is 1 if any has.
    """
    registry = with_house_rules(bgcore.load(), folder)
    name = rules_of(registry, variant, preset, options).variant.id
    with progress(f"checking {name}", games + len(CHECKS)) as bar:
        try:
            report = report_on(
                *(name, preset, options),
                games=games,
                seed=seed,
                examples=examples or (),
                registry=registry,
                each=bar.advance,
            )
        except ValueError as problem:
            raise click.UsageError(f"--examples {problem}") from None
        except OSError as problem:
            raise click.UsageError(f"--examples {examples}: {reason(problem)}") from None
    click.echo("\n".join(told(report)))
    if traceback:
        for trace in dict.fromkeys(failure.trace for failure in report.failures if failure.trace):
            click.echo(trace, err=True)
    if report.failures:
        failed = len({failure.check for failure in report.failures})
        raise click.ClickException(f"{name}: {failed} of {len(report.checks)} checks failed")
    click.echo(f"{name}: all is well")


def told(report: Report) -> list[str]:
    """A report for people."""
    lines = [report.checked]
    for check in report.checks:
        failures = [failure for failure in report.failures if failure.check == check]
        mark = "FAILED" if failures else "not run" if check in report.not_run else "ok"
        lines.append(f"  {mark:<7} {check}")
        for failure in failures:
            lines.append(f"            {failure.what}")
            if failure.where:
                lines.append(f"            at {failure.where}")
    return lines
