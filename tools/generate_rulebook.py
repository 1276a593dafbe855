"""Make docs/rulebook.md: every sentence of the rulebooks, how it is read, and the tests that prove it.

    python tools/generate_rulebook.py [--check]

The sentences and examples are the lines of tests/data/rulebook. Which test proves what is said by the
marker `rule`: pytest collects the tests that have one, and the page lists them. With `--check` nothing
is written, and the exit status says whether the page is up to date and every id proved.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from tools.pages import built_in, only_checks

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "tests" / "data" / "rulebook"
REASONS = "tests/data/rulebook/equipment.jsonl"
PAGE = ROOT / "docs" / "rulebook.md"
MARKS = ("pytest.mark.rule", "tests.rulebook.helpers")
"""Texts without which a test file marks nothing."""

HEAD = """\
# The rule book, sentence by sentence

Five rulebooks are played here, each under presets of its own. This page has every sentence of them in
our words, the option or rule that it maps to, and the tests that prove it under that rulebook's preset;
or why it is a matter of equipment. `make rulebook` writes it from
[tests/data/rulebook](../tests/data/rulebook) and the tests' marker `rule`; a test fails when a sentence
has neither a test nor a reason, or when this page is not up to date.

R, C and M are [the numbered rules](rules.md) that the engine's messages name, and a name with a value is
[an option](options.md). Each row counts its tests by file; [the tests by name](#the-tests-by-name) are at
the end.

What is not to be taken literally:

- The games here are {games}. Where a sentence speaks of
  another, or of an option that comes with one, its row says so under "read as".
- A preset exists where its rulebook has the game: {presets}.
- The money presets have no match length. Sentences about matches are proved under them with a
  `match_length` and with `jacoby = false` and `animals = 0`, since a match has no money rules.
- Jacoby, animals and automatic doubles are for money. To have them in a match a table sets
  `money_rules_in_match = allow` beside them ([M8](rules.md#m8)); of the presets only `vog` does.
"""

NOTES = {
    "S0-29": "in a match, `jacoby = true` needs `money_rules_in_match = allow` where it is not the default",
    "S0-30": "in a match it needs `money_rules_in_match = allow`, which `vog` has",
    "S0-31": "in a match it needs `money_rules_in_match = allow`, which `vog` has",
    "S1-21": "in a match `jacoby = true` needs `money_rules_in_match = allow`",
    "S2-19": "in a match `jacoby = true` needs `money_rules_in_match = allow`; for money it is the default",
    "S3-29": "both are options of moultezim; gul-bara has these values as data",
    "S4-24": "in a match `jacoby = true` needs `money_rules_in_match = allow`",
}
"""What the reading of a sentence leaves out, for who has the games and options of today."""

BY_NAME = """\
## The tests by name

A name in brackets after a test is the preset or the example with which it runs.

"""


@dataclass(frozen=True)
class Proof:
    """A test as it was collected: its file, its function, and the parameters in brackets."""

    file: str
    function: str
    case: str = ""

    @classmethod
    def of(cls, item: pytest.Item) -> Proof:
        """The proof that a collected test is."""
        file, _, name = item.nodeid.partition("::")
        function, _, case = name.partition("[")
        return cls(file, function, case.removesuffix("]"))


@dataclass
class Collector:
    """A pytest plugin that notes which test says that it proves what."""

    proofs: dict[str, list[Proof]] = field(default_factory=dict)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Called by pytest with every test it has found."""
        for item in items:
            for mark in item.iter_markers("rule"):
                for sentence in mark.args:
                    self.proofs.setdefault(sentence, []).append(Proof.of(item))


@dataclass(frozen=True)
class Book:
    """What the page is made of."""

    sentences: list[dict[str, str]]
    reasons: Mapping[str, str]
    examples: Mapping[str, list[list[str]]]
    presets: list[dict[str, str]]
    proofs: Mapping[str, list[Proof]]
    notes: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def read(cls) -> Book:
        """The data files, and the proofs that pytest finds."""
        return cls(
            sentences=lines("sentences"),
            reasons={line["id"]: line["reason"] for line in lines("equipment")},
            examples=examples(),
            presets=lines("presets"),
            proofs=collected(),
            notes=NOTES,
        )

    @property
    def ids(self) -> list[str]:
        """Every id that must be proved or explained."""
        rows = (row[0] for rows in self.examples.values() for row in rows)
        return [line["id"] for line in self.sentences] + list(rows)

    def faults(self) -> Iterator[str]:
        """What is wrong with the proofs, in words."""
        ids = Counter(self.ids)
        for one in sorted(self.notes.keys() - ids.keys()):
            yield f"{one}: a note, and no sentence has this id"
        for one, count in ids.items():
            if count > 1:
                yield f"{one} is there {count} times"
            if one not in self.proofs and one not in self.reasons:
                yield f"{one}: no test proves it, and no reason says why none does"
            if one in self.proofs and one in self.reasons:
                yield f"{one}: a test proves it, and {REASONS} says why none does"
        for one in sorted({*self.proofs, *self.reasons} - {*ids}):
            yield f"{one}: no sentence or example has this id"

    def page(self) -> str:
        """The text of docs/rulebook.md."""
        parts = [HEAD.format(games=games(), presets=presets())]
        for title, sentences in groupby(self.sentences, key=lambda line: line["rulebook"]):
            rows = [
                [line["id"], line["text"], self.reading(line), self.proved(line["id"])]
                for line in sentences
            ]
            parts.append(section(title, ["id", "the rulebook says", "read as", "proved by"], rows))
        for title, found in self.examples.items():
            rows = [[*row, self.proved(row[0])] for row in found]
            parts.append(section(title, ["id", "example", "result", "proved by"], rows))
        parts += [self.table_of_presets(), BY_NAME + "\n".join(self.tests())]
        return "\n".join(parts) + "\n"

    def reading(self, line: Mapping[str, str]) -> str:
        """How a sentence is read, and what is to be known besides."""
        note = self.notes.get(line["id"])
        return f"{line['reading']} ({note})" if note else line["reading"]

    def proved(self, id: str) -> str:
        """The last cell of a row."""
        if id in self.reasons:
            return f"not a rule: {self.reasons[id]}"
        return ", ".join(counted(self.proofs.get(id, ())))

    def tests(self) -> Iterator[str]:
        """A line for each id that is proved, with its tests by name."""
        for one in self.ids:
            if one in self.proofs:
                yield f"- {one}: {'; '.join(linked(self.proofs[one]))}"

    def table_of_presets(self) -> str:
        """What each preset has; the test of the table goes through it cell by cell."""
        names = list(dict.fromkeys(line["preset"] for line in self.presets))
        rows = [
            [f"`{option}`", *(line["cell"] for line in cells)]
            for option, cells in groupby(self.presets, key=lambda line: line["option"])
        ]
        text = section("Presets", ["option", *(f"`{name}`" for name in names)], rows)
        link = "[test_presets.py](../tests/rulebook/test_presets.py)"
        more = "[Options](options.md#presets) has them resolved, variant by variant."
        return f"{text}\nA value in brackets is for the table to switch on. Proved cell by cell: {link}. {more}\n"


def lines(name: str) -> list[dict[str, Any]]:
    """The objects of a data file, one a line."""
    text = (DATA / f"{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def on_cube(line: Mapping[str, Any]) -> str:
    """The cube of an example, if it was turned."""
    return f"cube {line['cube']}, " if "cube" in line else ""


def examples() -> dict[str, list[list[str]]]:
    """The worked examples as rows without their proofs, under the title of their section."""
    return {
        "Worked examples of the cube": [
            [line["id"], f"{line['state']}; {line['action']}".removesuffix("; -"), line["result"]]
            for line in lines("cube_examples")
        ],
        "Results": [
            *(
                [
                    line["id"],
                    f"{line['variant']}, {on_cube(line)}loser `{line['loser']}`: {line['why']}",
                    f"{line['level']}, {line['points']}",
                ]
                for line in lines("results")
            ),
            *([line["id"], line["situation"], line["result"]] for line in lines("mothers")),
        ],
        "What follows in a turn": [
            [line["id"], line["situation"], line["result"]] for line in lines("turns")
        ],
        "Matches whose games change": [
            [line["id"], line["situation"], line["result"]] for line in lines("rotations")
        ],
        "Ladders of gul-bara": [
            [
                line["id"],
                f"{'-'.join(map(str, line['roll']))} as own roll {line['own_roll']}",
                line["steps"],
            ]
            for line in lines("ladders")
        ],
    }


def collected() -> dict[str, list[Proof]]:
    """What each id is proved by, as pytest collects it; `SystemExit` when it cannot."""
    files = [
        str(path)
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        if any(mark in path.read_text(encoding="utf-8") for mark in MARKS)
    ]
    collector, said = Collector(), io.StringIO()
    with contextlib.redirect_stdout(said):
        arguments = ["--collect-only", "-q", "-p", "no:cacheprovider", f"--rootdir={ROOT}", *files]
        status = pytest.main(arguments, plugins=[collector])
    if status:
        raise SystemExit(f"pytest cannot collect the tests:\n{said.getvalue()}")
    return collector.proofs


def counted(proofs: Iterable[Proof]) -> Iterator[str]:
    """A link to each file with the number of its functions that prove a sentence."""
    for file, in_file in groupby(proofs, key=lambda proof: proof.file):
        count = len({proof.function for proof in in_file})
        yield f"[{file.rpartition('/')[2]}](../{file}) {count}"


@cache
def games() -> str:
    """The variants that are here."""
    return listed([f"`{entry.variant.id}`" for entry in built_in()])


def presets() -> str:
    """For which variants each rulebook's preset exists."""
    variants = [entry.variant for entry in built_in()]
    by_games: dict[str, list[str]] = {}
    for name in dict.fromkeys(line["preset"] for line in lines("presets")):
        found = [one.id for one in variants if name in built_in().presets_of(one)]
        where = "every game" if len(found) == len(variants) else listed(found)
        by_games.setdefault(where, []).append(f"`{name}`")
    return "; ".join(f"{listed(these)} for {where}" for where, these in by_games.items())


def listed(words: Sequence[str]) -> str:
    """Words with commas, and an `and` before the last."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def linked(proofs: Iterable[Proof]) -> Iterator[str]:
    """A link to each file, with the names of its tests and the cases that prove the sentence."""
    for file, in_file in groupby(proofs, key=lambda proof: proof.file):
        named = []
        for function, same in groupby(in_file, key=lambda proof: proof.function):
            cases = ", ".join(proof.case for proof in same if proof.case)
            named.append(f"`{function}`" + (f" ({cases})" if cases else ""))
        yield f"[{file.rpartition('/')[2]}](../{file}): {', '.join(named)}"


def section(title: str, head: list[str], rows: Iterable[list[str]]) -> str:
    """A heading and a table."""
    table = [head, ["---"] * len(head), *rows]
    return "\n".join([f"## {title}", "", *(f"| {' | '.join(row)} |" for row in table), ""])


def main(arguments: list[str]) -> int:
    """Write the page, or with `--check` compare; the exit status says whether all is well."""
    check = only_checks(__doc__, arguments)
    book = Book.read()
    faults = list(book.faults())
    if check:
        if not PAGE.is_file() or PAGE.read_text(encoding="utf-8") != book.page():
            faults.append("docs/rulebook.md is not what the tests give; run: make rulebook")
    else:
        PAGE.write_text(book.page(), encoding="utf-8")
    print("\n".join(faults) or f"{len(book.ids)} sentences and examples, each proved or explained")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
