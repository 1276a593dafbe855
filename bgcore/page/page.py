"""The page of a variant: a file of Markdown, and its pictures."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from bgcore.cube import NEW_CUBE
from bgcore.errors import Fault
from bgcore.examples import Example
from bgcore.notation.svg_board import svg_board
from bgcore.notation.svg_track import svg_track
from bgcore.option import Option, Scope, Values, spelt
from bgcore.page.markdown import plain, shown, table, values_of
from bgcore.page.origin import Origin, origin_of
from bgcore.page.prose import Sentence, prose
from bgcore.page.worked import Worked, worked
from bgcore.registry import Entry, Registry
from bgcore.resolve import defaults_of, options_of
from bgcore.rules import Rules
from bgcore.seat import Seat
from bgcore.variant import Variant

SCOPES: Mapping[Scope, str] = {
    Scope.GAME: "Of the game",
    Scope.MATCH: "Of cube and match",
    Scope.TABLE: "Of the table",
}
RULES = """\
As they are where nobody chooses anything else. Behind each sentence stands the number of {}, and the option that
changes it where a table may choose.
"""
EXAMPLES = """\
You are White, sit below, and are to play. `8/5` goes from your 8 to your 5, `bar/20` comes in from the bar, `in/20`
enters a checker, `6/off` bears one off; `*` hits, `^` pins. Plays that lead to the same position are one.
"""


@dataclass(frozen=True)
class Page:
    """The page of a variant, as it will lie in `folder`.

    `examples` are those of `bgcore.testing`; those about other variants are left out. `rules_page` is the
    link to the numbered rules; without one their numbers stand alone. `file` is where house rules come from.
    """

    registry: Registry
    id: str
    folder: Path
    examples: Sequence[Example] = ()
    rules_page: str = ""
    file: Path | None = None

    @property
    def entry(self) -> Entry:
        """What is registered."""
        return self.registry.entry(self.id)

    @property
    def variant(self) -> Variant:
        """The variant as it is where a table chooses nothing."""
        return self.entry.variant

    @property
    def rules(self) -> Rules:
        """Its rules as they are where a table chooses nothing."""
        return self.registry.rules(self.variant.id)

    @property
    def name(self) -> str:
        """The name of the page's file."""
        return f"{self.variant.id}.md"

    def files(self) -> dict[str, str]:
        """The text of each file, by its name; `ExampleError` for an example that does not hold."""
        found = worked(self.examples, self.variant, self._rules_under)
        rules = self.rules
        cube = NEW_CUBE if rules.options.get("cube", self.variant.cube) else None
        start = svg_board(rules, rules.start, Seat.WHITE, cube=cube, to_play=False)
        drawn = self._drawn(found)
        return {
            self.name: self._text(rules, found, drawn),
            self._picture("start"): start,
            self._picture("track"): svg_track(rules),
            **{name: picture for picture, name in drawn.items()},
        }

    def _drawn(self, found: Sequence[Worked]) -> dict[str, str]:
        """The name of each picture of the examples; several examples may be about one position."""
        drawn: dict[str, str] = {}
        for one in found:
            drawn.setdefault(one.picture, self._picture(f"example-{one.number}"))
        return drawn

    def _rules_under(self, preset: str, options: Mapping[str, object]) -> Rules:
        return self.registry.rules(self.variant.id, preset, options)

    def _picture(self, what: str) -> str:
        return f"{self.variant.id}-{what}.svg"

    def _text(self, rules: Rules, found: Sequence[Worked], drawn: Mapping[str, str]) -> str:
        variant = self.variant
        parts = [
            f"# {plain(variant.title)}\n\n{plain(variant.summary)}\n",
            self._about(),
            f"![The start]({self._picture('start')})\n",
            "## The way round\n",
            f"![The way of each side]({self._picture('track')})\n",
            "## Rules\n",
            RULES.format(self._numbered("the rule")),
            *(self._chapter(title, told) for title, told in prose(rules).items()),
            *self._examples(found, drawn),
            "## Options\n",
            *self._options(),
            *self._presets(),
        ]
        return "\n".join(parts)

    def _about(self) -> str:
        """What it is called elsewhere, where its rules come from, and where it is written down."""
        variant = self.variant
        told = {
            "id": f"`{variant.id}`",
            "also": ", ".join(plain(alias) for alias in variant.aliases),
            "rules": f"{plain(variant.source)}, version {plain(variant.rules_version)}",
            "written in": self._written(),
        }
        rows = [[name, value] for name, value in told.items() if value]
        return table(["", ""], rows) + self._spec()

    def _written(self) -> str:
        origin = self._origin()
        if origin is None:
            return ""
        link = Path(os.path.relpath(origin.file, self.folder)).as_posix()
        return f"[{plain(origin.name)}]({link}), {origin.lines} lines"

    def _origin(self) -> Origin | None:
        """The file that says what the variant is, as far as it can be told."""
        if self.file is not None:
            return Origin.of(self.file.name, self.file)
        return None if self.entry.spec else origin_of(self.entry)

    def _spec(self) -> str:
        """What house rules say, in their plainest words."""
        if self.entry.spec is None:
            return ""
        told = json.dumps(self.entry.spec.form, indent=2, ensure_ascii=False)
        return f"\nHouse rules, which say:\n\n```json\n{told}\n```\n"

    def _chapter(self, title: str, told: Sequence[Sentence]) -> str:
        lines = "".join(f"* {plain(one.text)}{self._behind(one)}\n" for one in told)
        return f"### {title}\n\n{lines}"

    def _behind(self, sentence: Sentence) -> str:
        """The rule and the option of a sentence, in brackets."""
        rule = self._rule(sentence.rule) if sentence.rule else ""
        option = f"[`{sentence.option}`](#options)" if sentence.option else ""
        told = ", ".join(part for part in (rule, option) if part)
        return f" ({told})" if told else ""

    def _rule(self, rule: str) -> str:
        linked = rule and self.rules_page  # an option of a game's own may be in no rule
        return f"[{rule}]({self.rules_page}#{rule.lower()})" if linked else rule

    def _numbered(self, words: str) -> str:
        return f"[{words}]({self.rules_page})" if self.rules_page else words

    # -- examples ------------------------------------------------------------------------------------

    def _examples(self, found: Sequence[Worked], drawn: Mapping[str, str]) -> Iterator[str]:
        if found:
            yield "## Examples\n"
            yield EXAMPLES
        for one in found:
            yield f"### {plain(one.title)}\n"
            if told := [plain(part) for part in (one.note, _with(one)) if part]:
                yield "\n\n".join(told) + "\n"
            yield f"![{plain(one.title)}]({drawn[one.picture]})\n"
            yield _legal(one)
            if refused := "".join(self._refused(text, fault) for text, fault in one.refused):
                yield refused

    def _refused(self, text: str, fault: Fault) -> str:
        rule = f", {self._rule(fault.rule)}" if fault.rule else ""
        return f"* not {_play(text)}: {plain(_sentence(fault))} (`{fault.reason}`{rule})\n"

    # -- options -------------------------------------------------------------------------------------

    def _options(self) -> Iterator[str]:
        options = options_of(self.variant)
        usual = defaults_of(self.variant)
        money = defaults_of(self.variant, {"match_length": None})
        for scope, title in SCOPES.items():
            rows = [
                self._option(option, usual, money)
                for option in options.values()
                if option.scope is scope
            ]
            if rows:
                head = ["option", "values", "default", "what it does", "rule"]
                yield f"### {title}\n\n{table(head, rows)}"

    def _option(self, option: Option, usual: Values, money: Values) -> list[str]:
        default, other = usual[option.name], money[option.name]
        if default != other and option.name != "match_length":
            told = f"{shown(default)}, {shown(other)} in money sessions"
        else:
            told = shown(default)
        rule = self._rule(option.rule)
        return [f"`{option.name}`", values_of(option), told, plain(option.meaning), rule]

    def _presets(self) -> Iterator[str]:
        named = self.registry.presets_of(self.variant)
        rows = [[f"`{name}`", self._preset_title(name), _set(named[name])] for name in named]
        if rows:
            what = "Option values with a name; what is chosen beside one beats it."
            head = ["preset", "what it is", "sets"]
            yield f"## Presets and bundles\n\n{what}\n\n{table(head, rows)}"

    def _preset_title(self, name: str) -> str:
        if name in self.variant.bundles:
            return "a bundle of this game"
        return plain(self.registry.presets[name].title)


def _set(values: Values) -> str:
    return " ".join(f"`{name}={spelt(value)}`" for name, value in values.items())


def _with(one: Worked) -> str:
    """What is not as usual in an example, as a sentence."""
    told = ", ".join(one.conditions)
    return f"With {told}." if told else ""


def _legal(one: Worked) -> str:
    """The legal plays of an example, or some of them."""
    dice = "-".join(map(str, one.dice))
    texts = ", ".join(f"`{text}`" for text in one.legal)
    if not texts:
        return f"{dice}: nothing can be played.\n"
    count = len(one.plays)
    if count == 1:
        return f"{dice}: the only play is {texts}.\n"
    if len(one.legal) == count:
        return f"{dice}: the {count} plays are {texts}.\n"
    return f"{dice}: {count} plays, among them {texts}.\n"


def _play(text: str) -> str:
    return f"`{text}`" if text else "a pass"


def _sentence(fault: Fault) -> str:
    return fault.message or f"expected {fault.expected}"
