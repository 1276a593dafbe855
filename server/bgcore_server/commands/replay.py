"""`bgcore replay`: match files checked from the first roll to the last score."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import click

from bgcore import NotationError, Registry, load
from bgcore.errors import PluginFailed
from bgcore.game_report import GameReport
from bgcore.notation.formats import MatchFormat, guess_match
from bgcore.notation.text_file import decode
from bgcore.replay import ReplayedMatch
from bgcore.row_fault import RowFault
from bgcore_server.commands.house_rules import variants_flag, with_house_rules
from bgcore_server.commands.paths import Named, reason
from bgcore_server.commands.progress import progress


@click.command("replay")
@click.argument(
    "files",
    nargs=-1,
    required=True,
    metavar="FILE…",
    type=Named(path_type=Path),
)
@click.option("--json", "as_json", is_flag=True, help="One JSON line a match instead of a summary.")
@variants_flag
@click.pass_context
def command(
    context: click.Context, files: tuple[Path, ...], as_json: bool, folder: str | None
) -> None:
    """Replay match files and check every roll, play, cube action and score.

    Takes match text ("Jellyfish", .mat, .txt) of any dialect, SGF (GM[6], .sgf) and records of bgcore
    (.jsonl), told by how they begin. What does not hold is reported on standard error as FILE:LINE with
    what was expected, and a file that cannot be read as FILE; the other matches and files are replayed all
    the same, and the exit status is 1.
    """
    registry = with_house_rules(load(), folder)
    faults = 0
    sizes = [_size(file) for file in files]
    with progress("replaying", sum(sizes)) as bar:
        for file, size in zip(files, sizes, strict=True):
            for found in replay_file(file, registry):
                bar.clear()
                if isinstance(found, RowFault):
                    faults += 1
                    click.echo(located(str(file), found), err=True)
                elif as_json:
                    click.echo(json.dumps(object_of(found, str(file)), separators=(",", ":")))
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
    """The matches of a file, each before its faults, and the lines that cannot be read."""
    try:
        text = decode(file.read_bytes())
    except OSError as error:
        yield unreadable(error)
        return
    except NotationError as error:
        yield unread_line(error)
        return
    for found in replay_text(text, guess_match(text, registry), registry):
        yield found
        if isinstance(found, ReplayedMatch):
            yield from found.report.faults


WHOLE_FILE = 0
"""The line of a fault that is about a file as a whole."""


def unreadable(error: OSError) -> RowFault:
    """What is said of a file that cannot be read at all."""
    message = f"{reason(error)}: expected a file that can be read"
    return RowFault(WHOLE_FILE, "FILE_UNREADABLE", message)


def located(file: str, fault: RowFault) -> str:
    """A fault for people: FILE:LINE and what is wrong there, or FILE alone.

    >>> located("a.txt", RowFault(3, "BAD_LINE", "expected a game"))
    'a.txt:3: expected a game'
    """
    place = file if fault.line == WHOLE_FILE else f"{file}:{fault.line}"
    return printable(f"{place}: {fault.message}")


def replay_text(
    text: str, form: MatchFormat, registry: Registry
) -> Iterator[ReplayedMatch | RowFault]:
    """The matches of a text, whose faults are in their reports, and the lines that cannot be read."""
    unread: deque[NotationError] = deque()
    try:
        for match in form.read(text, registry, on_error=unread.append):
            while unread:
                yield unread_line(unread.popleft())
            yield match
    except NotationError as error:  # a plugin's reader may know nothing of those behind
        unread.append(error)
    except PluginFailed as error:
        yield from map(unread_line, unread)
        yield RowFault(WHOLE_FILE, error.reason, f"{error.reason}: {error}")
        return
    yield from map(unread_line, unread)


def unread_line(error: NotationError) -> RowFault:
    """The fault of a line that cannot be read."""
    fault = error.faults[0]
    line = fault.line or 1
    return RowFault(line, fault.reason, re.sub(rf"\Aline {line}:? ?", "", str(fault)))


def unknown(match: ReplayedMatch) -> bool:
    """Whether not even the rules of a match are known, so that nothing of it could be replayed."""
    report = match.report
    return match.match is None and not (report.games or report.length)


def object_of(match: ReplayedMatch, file: str) -> dict[str, object]:
    """What a match came to as an object; the length is null where its rules are not known."""
    form = match.report.to_json(file)
    return {**form, "length": None} if unknown(match) else form


def summary(match: ReplayedMatch, file: str) -> list[str]:
    """What a match came to, for people: a line for it and one for each game."""
    report = match.report
    white, black = names = names_of(report.names)
    if unknown(match):
        return [f"{file}: {white} against {black}: not replayed"]
    score = "-".join(map(str, report.score))
    length = f"{report.length} point match" if report.length else "money session"
    ended = "not won yet" if report.winner is None else f"{names[report.winner]} won"
    first = f"{file}: {length}, {white} against {black}: {score}, {ended}"
    return [first, *(_game(game, names) for game in report.games)]


def names_of(told: tuple[str, str]) -> tuple[str, str]:
    """What the players are called: by number where a name is missing, or both have the same."""
    white, black = told
    if white == black:
        return "player 1", "player 2"
    return white or "player 1", black or "player 2"


def _game(game: GameReport, names: tuple[str, str]) -> str:
    flags = f" [{', '.join(game.flags)}]" if game.flags else ""
    rolls = f"{game.rolls} roll{'s' * (game.rolls != 1)}"
    before = "-".join(map(str, game.score))
    return f"  game {game.number} at {before}: {_result(game, names)}, {rolls}{flags}"


def _result(game: GameReport, names: tuple[str, str]) -> str:
    if game.winner is None:
        return "no result"
    by = {"bearoff": "bearing off", "drop": "a drop", "resign": "resignation"}.get(
        game.ended_by, game.ended_by
    )
    points = game.points if game.points is not None else game.points_by_rule
    level = f"{game.level}, " if game.level != "?" else ""
    return f"{names[game.winner]} won {points} ({level}cube {game.cube}) by {by}"
