"""`bgcore replay`: match files checked from the first roll to the last score."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import click

from bgcore import NotationError, Registry, Seat, load
from bgcore.notation.formats import MatchFormat, guess_match
from bgcore.notation.match_text import decode
from bgcore.replay import ReplayedMatch, line_of
from bgcore.replay_game import GameReport, RowFault
from bgcore_server.commands.progress import progress


@click.command("replay")
@click.argument(
    "files",
    nargs=-1,
    required=True,
    metavar="FILE…",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
)
@click.option("--json", "as_json", is_flag=True, help="One JSON line a match instead of a summary.")
@click.pass_context
def command(context: click.Context, files: tuple[Path, ...], as_json: bool) -> None:
    """Replay match files and check every roll, play, cube action and score.

    Takes match text ("Jellyfish", .mat, .txt) of any dialect and records of bgcore, told by how they
    begin. What does not hold is reported on standard error as FILE:LINE with what was expected, and the
    exit status is 1.
    """
    registry = load()
    faults = 0
    sizes = [_size(file) for file in files]
    with progress("replaying", sum(sizes)) as bar:
        for file, size in zip(files, sizes, strict=True):
            for found in replay_file(file, registry):
                bar.clear()
                if isinstance(found, RowFault):
                    faults += 1
                    click.echo(printable(f"{file}:{found.line}: {found.message}"), err=True)
                elif as_json:
                    click.echo(json.dumps(found.report.to_json(str(file)), separators=(",", ":")))
                else:
                    click.echo("\n".join(map(printable, summary(found, str(file)))))
            bar.advance(size)
    if faults:
        context.exit(1)


def _size(file: Path) -> int:
    """The bytes of a file; one that has gone, or is a pipe, has none yet."""
    try:
        return file.stat().st_size
    except OSError:
        return 0


def printable(text: str) -> str:
    r"""A text whose control characters are spelt out, as a file may hold what a terminal would obey.

    >>> print(printable("ann\x1b[2J, Zoë"))
    ann\x1b[2J, Zoë
    """
    return "".join(
        one if one.isprintable() else one.encode("unicode_escape").decode() for one in text
    )


def replay_file(file: Path, registry: Registry) -> Iterator[ReplayedMatch | RowFault]:
    """The matches of a file, each before its faults; a line that cannot be read comes last."""
    try:
        text = decode(file.read_bytes())
    except OSError as error:
        yield unreadable(error)
        return
    yield from replay_text(text, guess_match(text), registry)


def unreadable(error: OSError) -> RowFault:
    """What is said of a file that cannot be read at all."""
    return RowFault(1, "FILE_UNREADABLE", f"{error.strerror}: expected a file that can be read")


def replay_text(
    text: str, form: MatchFormat, registry: Registry
) -> Iterator[ReplayedMatch | RowFault]:
    """The same for a text whose format is known."""
    try:
        for match in form.read(text, registry):
            yield match
            yield from match.report.faults
    except NotationError as error:
        fault = error.faults[0]
        line = line_of(fault)
        yield RowFault(line, fault.reason, re.sub(rf"\Aline {line}:? ?", "", str(fault)))


def summary(match: ReplayedMatch, file: str) -> list[str]:
    """What a match came to, for people: a line for it and one for each game."""
    report = match.report
    white, black = report.names
    score = "-".join(map(str, report.score))
    length = f"{report.length} point match" if report.length else "money session"
    ended = f"player {report.winner + 1} won" if report.winner is not None else "not won yet"
    lines = [
        f"{file}: {length}, {white or 'player 1'} against {black or 'player 2'}: {score}, {ended}"
    ]
    return [*lines, *map(_game, report.games)]


def _game(game: GameReport) -> str:
    flags = f" [{', '.join(game.flags)}]" if game.flags else ""
    rolls = f"{game.rolls} roll{'s' * (game.rolls != 1)}"
    before = "-".join(map(str, game.score))
    return f"  game {game.number} at {before}: {_result(game)}, {rolls}{flags}"


def _result(game: GameReport) -> str:
    if game.winner is None:
        return "no result"
    by = {"bearoff": "bearing off", "drop": "a drop", "resign": "resignation"}.get(
        game.ended_by, game.ended_by
    )
    points = game.points if game.points is not None else game.points_by_rule
    level = f"{game.level}, " if game.level != "?" else ""
    return f"player {Seat(game.winner) + 1} won {points} ({level}cube {game.cube}) by {by}"
