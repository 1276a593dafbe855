"""The page of a variant, written into a folder (`bgcore variants ID --page FOLDER`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import Any

import click

from bgcore import Registry
from bgcore.examples import Example, read_examples
from bgcore.page.page import Page
from bgcore.page.worked import ExampleError
from bgcore.registry import Entry
from bgcore_server.commands.paths import Named, in_the_way, reason
from bgcore_server.commands.rules_flags import a_variants_code

_page = click.option(
    "--page",
    type=Named(),
    metavar="FOLDER",
    help="Write the page of the variant and its pictures there.",
)
_examples = click.option(
    "--examples",
    type=Named(exists=True, dir_okay=False),
    help="Worked examples for that page, a JSON list or JSON lines (docs/variants.md).",
)
_overwrite = click.option("--overwrite", is_flag=True, help="Replace the files of that page.")


@dataclass(frozen=True)
class WantedPage:
    """What the flags say of a page."""

    folder: str | None
    examples: str | None
    overwrite: bool

    def write(self, registry: Registry, entry: Entry, house: str | None) -> str:
        """Writes the page and its pictures, and says where; a message tells why they cannot be written.

        `house` is the folder of house rules, if there is one. Nothing is written where a file is in the way.
        """
        folder = Path(self.folder or "")
        page = Page(
            registry,
            entry.variant.id,
            folder.absolute(),
            self._read(),
            file=_house_file(entry, house),
        )
        with a_variants_code():
            try:
                files = page.files()
            except ExampleError as problem:
                raise self._no_examples(f"{self.examples}: {problem}") from None
        if why := in_the_way(folder):
            raise click.ClickException(f"--page {folder}: {why}")
        with _writing(folder):
            folder.mkdir(parents=True, exist_ok=True)
            there = [name for name in files if (folder / name).exists()]
            if there and not self.overwrite:
                what = f"{folder / there[0]} exists already; --overwrite replaces it"
                raise click.ClickException(f"--page {folder}: {what}")
            for name, text in files.items():
                (folder / name).write_text(text, encoding="utf-8")
        return f"{folder / page.name}, and {len(files) - 1} pictures"

    def _read(self) -> list[Example]:
        if self.examples is None:
            return []
        try:
            return read_examples(self.examples)
        except ValueError as problem:
            raise self._no_examples(str(problem)) from None
        except OSError as problem:
            raise self._no_examples(f"{self.examples}: {reason(problem)}") from None

    @staticmethod
    def _no_examples(what: str) -> click.UsageError:
        return click.UsageError(f"--examples {what}")


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as problem:
        where = problem.filename or folder
        raise click.ClickException(f"--page {where}: {reason(problem)}") from None


def _house_file(entry: Entry, house: str | None) -> Path | None:
    """The file that says the house rules, if the variant is made of such."""
    if entry.spec is None or house is None:
        return None
    return Path(house).absolute() / Path(entry.plugin.name).name


def page_flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds `--page`, `--examples` and `--overwrite`, as one `WantedPage`."""

    @wraps(command)
    def with_page(
        *given: Any, page: str | None, examples: str | None, overwrite: bool, **others: Any
    ) -> Any:
        if page is None and (examples is not None or overwrite):
            raise click.UsageError("--examples and --overwrite: expected with --page")
        return command(*given, wanted=WantedPage(page, examples, overwrite), **others)

    return _page(_examples(_overwrite(with_page)))
