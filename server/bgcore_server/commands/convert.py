"""`bgcore convert`: matches and positions from one notation to another."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import click

from bgcore import BgcoreError, Match, NotationError, Registry, Rules, load
from bgcore.errors import PluginFailed, illegal
from bgcore.notation.formats import (
    Format,
    MatchFormat,
    PositionFormat,
    format_of,
    formats,
    guess,
)
from bgcore.notation.situation import Situation
from bgcore.notation.text_file import LINE_END, decode
from bgcore.option import Values
from bgcore.record import Record
from bgcore.registry import DEFAULT_VARIANT
from bgcore.row_fault import RowFault
from bgcore_server.commands.paths import Named, in_the_way, no_file
from bgcore_server.commands.progress import progress
from bgcore_server.commands.replay import located, replay_text, unread_line, unreadable
from bgcore_server.commands.rules_flags import rules_flags, rules_of

STANDARD_INPUT = "-"


@click.command("convert")
@click.argument(
    "files",
    nargs=-1,
    metavar="[FILE…]",
    type=Named(allow_dash=True),
)
@click.option(
    "--from",
    "source",
    metavar="FORMAT",
    help="The format read; by default guessed.",
)
@click.option(
    "--to",
    "target",
    required=True,
    metavar="FORMAT",
    help="The format written.",
)
@click.option(
    "--output",
    type=Named(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write there, not to standard output.",
)
@click.option(
    "--output-folder",
    "folder",
    type=Named(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write a file for each FILE there.",
)
@click.option(
    "--at",
    type=int,
    metavar="N",
    help="Take a match as it stood after N of its actions; --at=-1: before its last, --at=-2 and so on.",
)
@rules_flags(variant=DEFAULT_VARIANT)
@click.pass_context
def command(
    context: click.Context,
    files: tuple[str, ...],
    source: str | None,
    target: str,
    output: Path | None,
    folder: Path | None,
    at: int | None,
    variant: str,
    preset: str,
    options: dict[str, object],
) -> None:
    """Turn the matches or positions of each FILE (standard input, if there is none) into another notation.

    \b
    Matches:    record (bgcore's own), sgf, mat (match text)
    Positions:  text, position-id, match-id (both IDs), xgid, json; ascii and svg are only written
    Any:        what plugins brought; `bgcore variants` lists it

    Positions stand one a line, and are of --variant under --preset and --option. A match becomes the
    position in which it ends, or with --at an earlier one: the actions are the lines of its record between
    the first and the last. A position becomes the match that goes on from there.

    What cannot be read, breaks a rule or cannot be said in the other notation is reported on standard error
    as FILE:LINE with what was expected; the rest is written, and the exit status is 1.
    """  # noqa: D301  # \b is meant: it keeps the lines after it apart
    if output and folder:
        raise click.UsageError("--output and --output-folder: expected one of them")
    _check_free(output, folder)
    registry = load()
    rules_of(registry, variant, preset, options)
    form = _format("--to", target, registry)
    read = _format("--from", source, registry) if source else None
    if read is not None and read.read is None:
        known = ", ".join(one.id for one in formats(registry).values() if one.read)
        raise click.UsageError(f"--from {read.id}: expected one of {known}, as it is only written")
    names = list(dict.fromkeys(files)) or [STANDARD_INPUT]
    places = _places(names, folder, form) if folder else {}
    converter = Converter(registry, variant, preset, options, form, at)
    written: list[str] = []
    with progress("converting", len(names)) as bar:
        for name in names:
            texts = list(converter.texts(name, read))
            bar.clear()
            for fault in converter.faults:
                click.echo(located(name, fault), err=True)
            converter.end_file()
            written += texts
            if folder:
                write_files(places[name], form, texts)
            bar.advance()
    if not folder:
        write_all(output, form, written)
    if converter.failed:
        context.exit(1)


def _check_free(output: Path | None, folder: Path | None) -> None:
    """A usage error, before anything is read, where what is written would find no place."""
    if output and (why := no_file(output)):
        raise click.UsageError(f"--output {output}: {why}")
    if folder and (why := in_the_way(folder)):
        raise click.UsageError(f"--output-folder {folder}: {why}")


def _format(flag: str, id: str, registry: Registry) -> Format:
    """A notation by its id; a usage error lists those that there are."""
    try:
        return format_of(id, registry)
    except NotationError as error:
        raise click.UsageError(f"{flag}: {error}") from None


# -- converting --------------------------------------------------------------------------------------


class Converter:
    """Turns files into texts of one format; what could not be is in `faults` until `end_file`."""

    def __init__(
        self,
        registry: Registry,
        variant: str,
        preset: str,
        options: dict[str, object],
        target: Format,
        at: int | None = None,
    ) -> None:
        self.registry = registry
        self.variant, self.preset, self.options = variant, preset, options
        self.target, self.at = target, at
        self.faults: list[RowFault] = []
        self.failed = False

    def end_file(self) -> None:
        """Forgets the faults of a file, but not that there were some."""
        self.failed = self.failed or bool(self.faults)
        self.faults.clear()

    def texts(self, name: str, source: Format | None) -> Iterator[str]:
        """Each match or position of a file in the target's form."""
        try:
            data = sys.stdin.buffer.read() if name == STANDARD_INPUT else Path(name).read_bytes()
        except OSError as error:
            if name == STANDARD_INPUT:
                raise
            self.faults.append(unreadable(error))
            return
        try:
            text = decode(data)
        except NotationError as error:
            self.faults.append(unread_line(error))
            return
        form = source or guess(text, self.registry)
        if form is None:
            ids = ", ".join(one.id for one in formats(self.registry).values() if one.read)
            known = f"the beginning of one of {ids}, or --from"
            self.faults.append(RowFault(1, "UNKNOWN_FORMAT", f"no known format: expected {known}"))
        elif isinstance(form, MatchFormat):
            yield from self._of_matches(text, form)
        else:
            yield from self._of_positions(text, form)

    def _of_matches(self, text: str, form: MatchFormat) -> Iterator[str]:
        for found in replay_text(text, form, self.registry):
            if isinstance(found, RowFault):
                self.faults.append(found)
            elif found.match and (found.breaks_off or not found.report.faults):
                yield from self._written(found.line, found.record, found.match)
            else:
                self.faults += found.report.faults

    def _of_positions(self, text: str, form: PositionFormat) -> Iterator[str]:
        assert form.read is not None
        lines = LINE_END.split(text) if form.line else [text]
        for number, line in enumerate(lines, 1):
            if not line.strip():
                continue
            if self.at is not None:
                message = f"--at {self.at}: expected a match, as this is a position"
                self.faults.append(RowFault(number, "NOT_A_MATCH", message))
                return
            try:
                situation = form.read(line.strip(), self._rules())
                told = situation.options(self._rules().variant) if form.of_match else {}
                rules = self._rules(told)
                if isinstance(self.target, PositionFormat):
                    yield self.target.write(situation, rules)
                else:
                    match = situation.match(rules)
                    yield from self._written(number, Record.of(match), match)
            except Exception as problem:  # also of a variant's code
                self.faults.append(RowFault.of(number, problem))

    def _written(self, line: int, record: Record, match: Match) -> Iterator[str]:
        """A match in the target's form, as it stood at `at`; a position, if that is one."""
        try:
            if self.at is not None:
                match = earlier(match, self.at)
                record = replace(record, actions=match.actions)
            if isinstance(self.target, PositionFormat):
                yield from self._position(line, match)
            else:
                yield self.target.write(record, self.registry)
        except Exception as problem:  # also of a variant's code
            self.faults.append(RowFault.of(line, problem))

    def _position(self, line: int, match: Match) -> Iterator[str]:
        """The position in which a match stands; between games not every notation has words for it."""
        assert isinstance(self.target, PositionFormat)
        situation = Situation.of(match)
        try:
            yield self.target.write(situation, match.rules)
        except PluginFailed:
            raise
        except BgcoreError as error:
            on = situation.running and situation.resigned is None
            hint = "" if on else "; --at N takes another position of the match, such as --at=-2"
            self.faults.append(RowFault(line, error.reason, f"{error}{hint}"))

    def _rules(self, told: Values | None = None) -> Rules:
        """The rules of the flags, and what a position tells of its match, which beats them."""
        return self.registry.rules(self.variant, self.preset, {**self.options, **(told or {})})


def earlier(match: Match, at: int) -> Match:
    """A match as it stood after `at` of its actions, or so many before its end where that is negative.

    `IllegalAction` where it has not as many.
    """
    actions = match.actions
    count = at + len(actions) if at < 0 else at
    if not 0 <= count <= len(actions):
        expected = f"{-len(actions)} to {len(actions)}"
        raise illegal(
            "NO_SUCH_ACTION", "at", f"--at {at}", "the match has no such action", expected
        )
    return Match.replay(match.cycle, actions[:count], match.start)


# -- writing -----------------------------------------------------------------------------------------


def document(form: Format, texts: list[str]) -> str:
    """Texts of a format as the one text of a file."""
    if isinstance(form, MatchFormat):
        return form.between.join(texts)
    between = "" if form.line or form.alone else "\n"
    return between.join(text if text.endswith("\n") else text + "\n" for text in texts)


def write_all(output: Path | None, form: Format, texts: list[str]) -> None:
    """Everything to one file, or to standard output."""
    if isinstance(form, PositionFormat) and form.alone and len(texts) > 1:
        raise click.ClickException(
            f"{len(texts)} positions: expected one, as a file of {form.id} holds one; "
            "--output-folder writes a file for each"
        )
    if output is None:
        sys.stdout.write(document(form, texts))
    elif texts:
        save(output, document(form, texts))


def write_files(place: Path, form: Format, texts: list[str]) -> None:
    """What came of one file, to its place; numbered, where only one goes into a file."""
    if isinstance(form, PositionFormat) and form.alone and len(texts) > 1:
        for number, text in enumerate(texts, 1):
            save(place.with_name(f"{place.stem}-{number}{place.suffix}"), document(form, [text]))
    elif texts:
        save(place, document(form, texts))


def save(file: Path, text: str) -> None:
    """A text to a file, in a folder that is made where it is missing."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8", newline="")


def _places(names: list[str], folder: Path, form: Format) -> dict[str, Path]:
    """Where what comes of each file goes; a usage error where two would go to the same place."""
    places: dict[Path, str] = {}
    for name in names:
        stem = "standard-input" if name == STANDARD_INPUT else Path(name).stem
        place = folder / f"{stem}{form.suffixes[0]}"
        if place in places:
            raise click.UsageError(
                f"{places[place]} and {name}: expected files of different names, as both become {place}"
            )
        places[place] = name
    return {name: place for place, name in places.items()}
