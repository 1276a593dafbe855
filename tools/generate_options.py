"""Make docs/options.md: every option, its default in each variant, and every preset, from the engine's own data.

    python tools/generate_options.py [--check]

With `--check` nothing is written, and the exit status says whether the page is up to date.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bgcore import Registry, Variant
from bgcore.option import Option, Scope, spelt
from bgcore.page.markdown import shown, table, values_of
from bgcore.resolve import defaults_of, options_of
from tools.pages import built_in, made

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "options.md"
MONEY = {"match_length": None}

HEAD = """\
# Options and presets

What a table may choose: every option that the variants here have, what it is where nothing is chosen, and
what each preset sets. `make options` writes this page from the engine's data; a test fails when it is not up
to date. `bgcore variants ID` and `GetVariant` tell the same of one variant, plugins included.

[Choosing the rules](../README.md#choosing-the-rules) shows how: a variant, a preset where one fits, and options
that differ from it. `none` is unlimited, on the wire `{"none": {}}` and in Python `None`. The text of a number, of
true and false and of `none` will do for it everywhere: `"3"`, `{"text": "3"}`. Options that do not go together are
refused, and the answer names each with what was expected and its [rule](rules.md):

```python
>>> from bgcore import load
>>> load().rules("western", options={"jacoby": True, "animals": 20, "holland": True, "crawford": False})
Traceback (most recent call last):
bgcore.errors.OptionError: option animals 20: expected a number from 0 to 16, or none; option jacoby true: \
expected false in a match (match_length 7) unless money_rules_in_match is allow; money sessions have \
match_length none; option holland true: expected false without crawford, as it speaks of the games after the \
Crawford game

```
"""

SCOPES = {
    Scope.GAME: (
        "Options of the game",
        "They change the rules of a game, and every client needs them.",
    ),
    Scope.MATCH: (
        "Options of cube and match",
        "They change who may double or resign and when, and what a game counts.",
    ),
    Scope.TABLE: (
        "Options of the table",
        "They change how a table is run, not how the game is played.",
    ),
}

PRESETS = """\
## Presets

A preset is a set of values with a name; what is chosen beside it beats it. A bundle is one that a variant
brings along. [The rule book](rulebook.md#presets) has the presets `vog` to `money-004` as their rulebooks have
them, and what a table may switch on besides. Under each variant stands every option that one of its presets
sets; what differs from the default is bold.
"""


@dataclass(frozen=True)
class Page:
    """What the page is made of."""

    registry: Registry

    @property
    def variants(self) -> list[Variant]:
        """The variants, in the order in which they are registered."""
        return [entry.variant for entry in self.registry]

    def text(self) -> str:
        """The text of docs/options.md."""
        parts = [HEAD]
        for scope, (title, what) in SCOPES.items():
            head = ["option", "values", "default", "what it does", "rule", "in"]
            parts.append(f"## {title}\n\n{what}\n\n{table(head, self.options(scope))}")
        parts.append(self.defaults())
        head = ["preset", "what it is", "for"]
        parts.append(f"{PRESETS}\n{table(head, self.presets())}")
        parts += [self.presets_of(variant) for variant in self.variants]
        return "\n".join(parts)

    def holders(self) -> dict[str, dict[str, Option]]:
        """Every option by its name, as each variant that has it knows it."""
        found: dict[str, dict[str, Option]] = {}
        for variant in self.variants:
            for option in options_of(variant).values():
                found.setdefault(option.name, {})[variant.id] = option
        return found

    def options(self, scope: Scope) -> Iterator[list[str]]:
        """A row for each option of a scope."""
        for name, held in self.holders().items():
            option = next(iter(held.values()))
            if option.scope is scope:
                yield [
                    f'<a id="{name}"></a>`{name}`',
                    "; ".join(grouped({of: values_of(one) for of, one in held.items()})),
                    "; ".join(grouped({of: self.default(of, name) for of in held})),
                    option.meaning,
                    f"[{option.rule}](rules.md#{option.rule.lower()})",
                    "all" if len(held) == len(self.variants) else ", ".join(held),
                ]

    def default(self, id: str, name: str) -> str:
        """What holds where nothing is chosen, and in a money session where that is another value."""
        variant = self.registry.variant(id)
        usual, money = defaults_of(variant)[name], defaults_of(variant, MONEY)[name]
        return shown(usual) + (f", {shown(money)} in money sessions" if usual != money else "")

    def defaults(self) -> str:
        """The options in which the variants differ."""
        rows = []
        for name, held in self.holders().items():
            cells = [self.default(one.id, name) if one.id in held else "" for one in self.variants]
            if len({*cells}) > 1:
                rows.append([f"`{name}`", *cells])
        head = ["option", *(f"`{one.id}`" for one in self.variants)]
        what = "The options in which the variants differ; where a cell is empty, the variant does not have it."
        return f"## Defaults by variant\n\n{what}\n\n{table(head, rows)}"

    def presets(self) -> Iterator[list[str]]:
        """A row for each preset and bundle, with the variants that have it."""
        titles = {name: preset.title for name, preset in self.registry.presets.items()}
        bundles = [name for variant in self.variants for name in variant.bundles]
        for name in (*titles, *dict.fromkeys(bundles)):
            of = [one.id for one in self.variants if name in self.registry.presets_of(one)]
            every = len(of) == len(self.variants)
            title = titles.get(name, "a bundle of values")
            yield [f"`{name}`", title, "all" if every else ", ".join(of)]

    def presets_of(self, variant: Variant) -> str:
        """The presets of a variant, resolved to the value of every option that they are about."""
        named = self.registry.presets_of(variant)
        resolved = {name: self.registry.rules(variant.id, name).options for name in named}
        usual, rows = defaults_of(variant), []
        for name, value in usual.items():
            there = [values[name] for values in resolved.values()]
            if any(name in values for values in named.values()) or any(
                one != value for one in there
            ):
                cells = [f"**{spelt(one)}**" if one != value else spelt(one) for one in there]
                rows.append([f"`{name}`", spelt(value), *cells])
        head = ["option", "default", *(f"`{name}`" for name in named)]
        return f"### Presets of {variant.id}\n\n{table(head, rows)}"


def grouped(cells: dict[str, str]) -> list[str]:
    """What the variants have, each text once; with the names of those that have it, if there are several."""
    texts = list(dict.fromkeys(cells.values()))
    if len(texts) == 1:
        return texts
    return [f"{text} ({', '.join(of for of in cells if cells[of] == text)})" for text in texts]


def main(arguments: list[str]) -> int:
    """Write the page, or with `--check` compare; the exit status says whether it is up to date."""
    return made(
        __doc__,
        PAGE,
        lambda: Page(built_in()).text(),
        "the engine has; run: make options",
        arguments,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
