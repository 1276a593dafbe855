"""Make docs/axes.md: every field of a variant and every word of its axes, from bgcore's own docstrings.

    python tools/generate_axes.py [--check]

With `--check` nothing is written, and the exit status says whether the page is up to date.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields
from pathlib import Path
from typing import Any

from bgcore import Registry, Variant
from bgcore.axes import Axis
from bgcore.kernel.record import Movement
from bgcore.option import Value
from bgcore.page.markdown import shown, table, values_of
from bgcore.resolve import options_of
from bgcore.spec_words import AXES
from tools.pages import built_in, made

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "axes.md"
RULE = re.compile(r" \(([A-Z]\d+)\)$")

HEAD = """\
# The fields of a variant

What a variant is made of: a keyword of `bgcore.Variant` each, and but for the first table a key of
[house rules](house-rules.md), too. `make axes` writes this page from the docstrings; a test fails when it is not up to
date. `help(bgcore.Variant)` says the same.
"""

NAMES = """\
## Who it is

Without a default where none is given.
"""

FIELDS = """\
## Axes

An axis with a link is an option as well, which a table may set where the variant's `options` name it. The last column
has built-in games that differ from the default, to look at.
"""

WORDS = """\
## Words

An axis of words is an enumeration of `bgcore.axes`: `bear_off=BearOff.EXACT`, in house rules `"exact"`.
"""


def meanings(documented: type) -> dict[str, str]:
    """What the docstring of a class says of each name under `Attributes` or `Words`."""
    _, _, listed = inspect.cleandoc(documented.__doc__ or "").partition(":\n    ")
    lines = re.sub(r"\n {8}", " ", listed)
    found = re.findall(r"^ *(\w+): (.*?)\.?$", lines, re.MULTILINE)
    return dict(found)


MEANINGS = meanings(Variant) | meanings(Movement)


def axes() -> dict[str, Field[Any]]:
    """The fields that are axes, in the order in which a page has them."""
    known = {field.name: field for field in fields(Variant)}
    return {name: known[name] for name in AXES}


def words_of(field: Field[Any]) -> type[Axis] | None:
    """The words of an axis, if it has any."""
    kind = type(field.default)
    return kind if issubclass(kind, Axis) else None


def default_of(field: Field[Any]) -> Value:
    """What an axis is where nothing is said, as options have it."""
    default: Any = field.default
    return str(default) if words_of(field) else default


def said(name: str) -> tuple[str, str]:
    """What a field means, and its rule."""
    meaning = MEANINGS[name]
    rule = RULE.search(meaning)
    return RULE.sub("", meaning), rule[1] if rule else ""


def text(registry: Registry) -> str:
    """The text of docs/axes.md."""
    return "\n".join(
        (
            HEAD,
            f"{NAMES}\n{table(['field', 'default', 'what it says'], names())}",
            f"{FIELDS}\n{table(AXIS_HEAD, rows(registry))}",
            f"{WORDS}\n{table(['axis', 'word', 'what it says', 'games'], words(registry))}",
        )
    )


AXIS_HEAD = ["axis", "values", "default", "what it says", "rule", "differs in"]


def names() -> Iterator[list[str]]:
    """A row for each field that is no axis."""
    for field in fields(Variant):
        if field.name not in AXES:
            required = field.default is MISSING and field.default_factory is MISSING
            yield [f"`{field.name}`", "" if required else "empty", said(field.name)[0]]


def rows(registry: Registry) -> Iterator[list[str]]:
    """A row for each axis."""
    optional = {name for entry in registry for name in options_of(entry.variant)}
    for name, field in axes().items():
        meaning, rule = said(name)
        differ = [
            entry.variant.id for entry in registry if getattr(entry.variant, name) != field.default
        ]
        yield [
            f"[`{name}`](options.md#{name})" if name in optional else f"`{name}`",
            values_of(AXES[name]),
            shown(default_of(field)),
            meaning,
            f"[{rule}](rules.md#{rule.lower()})",
            some(differ),
        ]


def words(registry: Registry) -> Iterator[list[str]]:
    """A row for each word of each axis."""
    for name, field in axes().items():
        if kind := words_of(field):
            for word, meaning in meanings(kind).items():
                here = [e.variant.id for e in registry if getattr(e.variant, name) == word]
                default = default_of(field) == word
                yield [f"`{name}`", f"`{word}`", meaning, "the others" if default else some(here)]


def some(ids: list[str], most: int = 4) -> str:
    """The first of some variants."""
    return ", ".join(ids[:most]) + (", …" if len(ids) > most else "")


def main(arguments: list[str]) -> int:
    """Write the page, or with `--check` compare; the exit status says whether it is up to date."""
    return made(
        __doc__, PAGE, lambda: text(built_in()), "the engine has; run: make axes", arguments
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
