"""Make docs/family: a page with pictures of every built-in variant, and an index, from the engine's own data.

    python tools/generate_family.py [--check]

With `--check` nothing is written, and the exit status says whether the folder is up to date.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from bgcore import Registry, Rules, load
from bgcore.examples import Example, read_examples
from bgcore.page.facts import in_words
from bgcore.page.markdown import plain, table
from bgcore.page.match_sentences import ROTATION
from bgcore.page.origin import origin_of
from bgcore.page.page import Page
from bgcore.registry import Entry
from tools.pages import only_checks

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "family"
EXAMPLES = ROOT / "tests" / "data" / "examples"
INDEX = "index.md"

HEAD = """\
# The family

Every game that is built in, on a page of its own: the start and the way round as pictures, the rules in prose,
worked examples, what a table may choose. `make family` writes these pages from the data of the variants; a
test fails when they are not up to date. `bgcore variants ID --page FOLDER` writes such a page for any variant,
a plugin's and house rules, too ([writing a variant](../variants.md#its-page)).
"""

ROTATIONS = """\
## Rotations

Matches whose games change ([rotations](../variants.md#rotations)).
"""


def family() -> dict[str, str]:
    """The text of every file of the folder, by its name."""
    registry, examples = load(["none"]), every_example()
    found = {INDEX: index(registry)}
    for entry in registry:
        found |= Page(registry, entry.variant.id, FOLDER, examples, "../rules.md").files()
    return found


def every_example() -> list[Example]:
    """The worked examples of the rule files, and ours."""
    return [one for file in sorted(EXAMPLES.glob("*.jsonl")) for one in read_examples(file)]


def index(registry: Registry) -> str:
    """The page that lists the others."""
    head = ["game", "id", "what it is", "layout", "contact", "start", "lines"]
    games = table(head, (row(entry) for entry in registry))
    what = "A star: it has methods of its own. Lines are those of the file that says how the game differs."
    head = ["rotation", "games", "what it is"]
    rotations = table(head, rotation_rows(registry))
    return "\n".join([HEAD, games, f"{what}\n", ROTATIONS, rotations])


def row(entry: Entry) -> list[str]:
    """A variant in the index."""
    variant, origin = entry.variant, origin_of(entry)
    start = in_words(variant.start) or f"{variant.unentered} to be entered"
    own = " *" if entry.rules is not Rules else ""
    return [
        f"[{plain(variant.title)}]({variant.id}.md){own}",
        f"`{variant.id}`",
        plain(variant.summary),
        variant.layout,
        variant.contact,
        start,
        str(origin.lines) if origin else "",
    ]


def rotation_rows(registry: Registry) -> Iterator[list[str]]:
    """A row for each rotation."""
    for one in registry.rotations.values():
        played = [registry.rules(game.variant, game.preset).variant for game in one.games]
        games = ", ".join(
            f"[{variant.title}]({variant.id}.md)" + (f" (`{game.preset}`)" if game.preset else "")
            for variant, game in zip(played, one.games, strict=True)
        )
        drawn = ROTATION.said({"draw_policy": one.draw_policy})
        yield [f"{plain(one.title)}, `{one.id}`", games, f"{plain(one.summary)} {drawn}"]


def difference(files: dict[str, str]) -> list[str]:
    """The files that are not what they should be."""
    there = {path.name for path in FOLDER.glob("*")}
    changed = [
        name
        for name, text in files.items()
        if name not in there or (FOLDER / name).read_text(encoding="utf-8") != text
    ]
    return sorted({*changed, *(there - files.keys())})


def write(files: dict[str, str]) -> None:
    """Write the folder, without what is not of it any more."""
    FOLDER.mkdir(exist_ok=True)
    for name in {path.name for path in FOLDER.glob("*")} - files.keys():
        (FOLDER / name).unlink()
    for name, text in files.items():
        (FOLDER / name).write_text(text, encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Write the folder, or with `--check` compare; the exit status says whether it is up to date."""
    check = only_checks(__doc__, arguments)
    files = family()
    if not check:
        write(files)
        return 0
    if wrong := difference(files):
        print(f"docs/family is not what the engine has ({', '.join(wrong[:5])}); run: make family")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
