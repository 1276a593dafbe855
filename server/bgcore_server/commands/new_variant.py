"""`bgcore new-variant`: a package with a variant of one's own, to begin with."""

from __future__ import annotations

import json
import keyword
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from shlex import quote
from typing import Any

import click

import bgcore
from bgcore import Registry, Roll, Rules
from bgcore.nearest import one_of
from bgcore.notation.board_json import write_board_json
from bgcore.plugins import OWN_DISTRIBUTION
from bgcore.registering import GOOD_ID, ID, plain
from bgcore_server.commands.paths import Named, in_the_way
from bgcore_server.commands.progress import is_terminal
from bgcore_server.extras import how_to_install

TEMPLATE = Path(__file__).parents[1] / "template"
NUMBERS = (3, 1, 2)
"""The dice of the first example."""


@click.command("new-variant")
@click.argument("folder", metavar="DIR", type=Named(path_type=Path))
@click.option("--name", metavar="ID", help="Id of the variant; the folder's name, if it is one.")
@click.option("--title", help="What people call it.")
@click.option("--summary", help="What it is, in a sentence.")
@click.option("--parent", metavar="ID", help="The built-in variant that it is most like.")
def command(
    folder: Path, name: str | None, title: str | None, summary: str | None, parent: str | None
) -> None:
    """Make a package in DIR: a variant, worked examples, tests, and how to go on.

    At a terminal it asks for what the flags do not say; else it takes what suits. Needs the extra [author].
    """
    if why := in_the_way(folder):
        raise click.UsageError(f"{folder}: {why}")
    if folder.exists() and any(folder.iterdir()):
        raise click.UsageError(f"{folder}: expected a new or an empty folder")
    registry = bgcore.load()
    asking = is_terminal(sys.stdin) and is_terminal(sys.stderr)
    ask = _asked if asking else _usual
    usual = plain(folder.resolve().name)
    name = _given("--name", name, _id) or ask("Id of the variant", usual, _id)
    usual = name.replace("-", " ").title()
    title = _given("--title", title, _line) or ask("Title", usual, _line)
    one_of_ours, first = partial(_parent, registry), next(iter(registry)).variant.id
    chosen = _given("--parent", parent, one_of_ours)
    parent = chosen or ask("Most like which variant", first, one_of_ours)
    usual = f"As {registry.variant(parent).title}, with rules of the house."
    summary = _given("--summary", summary, _line) or ask("Summary", usual, _line)
    copy(folder, answers(registry.rules(parent), name, title, summary))
    click.echo(
        f"{name} is in {folder}. Next: pip install --no-deps -e {quote(str(folder))}; see its README.md"
    )


def answers(parent: Rules, name: str, title: str, summary: str) -> dict[str, str]:
    """All that the template asks for."""
    rules = type(parent)
    points = ", ".join(f"{point}: {count}" for point, count in parent.variant.start.items())
    return {
        "name": name,
        "title": title,
        "summary": summary,
        "parent": parent.variant.id,
        "module": name.replace("-", "_"),
        "class_name": "".join(word.capitalize() for word in name.split("-")),
        "rules": rules.__name__,
        "rules_module": rules.__module__,
        "start": f"{{{points}}}",
        "examples": json.dumps([example(parent)], indent=2),
    }


def example(rules: Rules) -> dict[str, object]:
    """What can be played from the parent's start with a plain roll; named so, as the start may change."""
    dice = NUMBERS[: rules.variant.dice]
    plays = rules.plays(rules.start, Roll.of(*dice))
    return {
        "id": f"the start of {rules.variant.id}",
        **write_board_json(rules.start),
        "dice": list(dice),
        "dice_used": plays.numbers_used,
        "legal_count": 0 if plays.nothing_playable else len(plays),
        "legal_includes": [str(play) for play in plays[:3] if play.numbers_used],
        "illegal": ["1/off"],
        "why": ["NO_CHECKER_THERE"],
    }


def copy(folder: Path, data: dict[str, str]) -> None:
    """The template, filled in."""
    try:
        import copier
    except ModuleNotFoundError as missing:
        expected = f"expected the extra [author], as by {how_to_install('author')}"
        raise click.ClickException(f"no module {missing.name}: {expected}") from None
    copier.run_copy(str(TEMPLATE), folder, data=data, defaults=True, quiet=True)


Read = Callable[[str], str]
"""Gives a text back that will do; `click.UsageError` says what was expected."""


def _given(flag: str, value: str | None, read: Read) -> str:
    """What a flag says, if it was given."""
    try:
        return read(value) if value else ""
    except click.UsageError as wrong:
        raise click.UsageError(f"{flag} {wrong.message}") from None


def _asked(what: str, usual: str, read: Read) -> str:
    """The answer of who sits at the terminal, who is asked again until it will do."""
    answer: Any = click.prompt(what, default=usual, err=True, value_proc=read)
    return str(answer)


def _usual(what: str, usual: str, read: Read) -> str:
    """What suits, where there is nobody to ask."""
    return read(usual)


def _id(name: str) -> str:
    if not ID.match(name) or keyword.iskeyword(name) or name.startswith(OWN_DISTRIBUTION):
        expected = f"{GOOD_ID}, no word of Python and not one of bgcore's own"
        raise click.UsageError(f"{name}: expected {expected}")
    if name.replace("-", "_") in sys.stdlib_module_names:
        raise click.UsageError(f"{name}: expected no module of Python's own")
    known = bgcore.load()
    if any(name in (entry.variant.id, *entry.variant.aliases) for entry in known):
        raise click.UsageError(f"{name}: expected an id that is not taken")
    return name


def _line(text: str) -> str:
    """A text that may stand between quotes in Python, TOML and Markdown."""
    if not text.isprintable() or set(text) & set('"\\{}'):
        raise click.UsageError(f"{text!r}: expected a line without quotes, braces or \\")
    return text


def _parent(registry: Registry, parent: str) -> str:
    known = {e.variant.id for e in registry if e.plugin.distribution == OWN_DISTRIBUTION}
    try:
        found = registry.variant(parent).id
    except bgcore.BgcoreError:
        found = ""
    if found not in known:
        raise click.UsageError(f"{parent}: expected {one_of(parent, sorted(known))}")
    return found
