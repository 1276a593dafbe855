"""Every notation for matches and positions in one list: what it is called, and how it is read and written.

Matches go through a `Record`, positions through a `Situation`; so each format knows only itself, and any
can be turned into any other. A format that has no words for something refuses it by name. docs/notations.md
says of each what it cannot tell.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Protocol

from bgcore.errors import Fault, NotationError, shown
from bgcore.notation import brought, position_lines, read_back
from bgcore.notation.match_text_reader import read_matches
from bgcore.notation.match_text_writer import write_match_text
from bgcore.notation.read_back import proved
from bgcore.notation.record_text import is_record, write_record
from bgcore.notation.sgf_match import read_sgf
from bgcore.notation.sgf_writer import write_sgf
from bgcore.notation.situation import Situation
from bgcore.notation.text_file import LINE_END
from bgcore.notation.unread import OnError, raised
from bgcore.record import Record
from bgcore.registering import plain
from bgcore.registry import Registry
from bgcore.replay import EachGame, Reader, ReplayedMatch, replayed, unwatched
from bgcore.replay_record import replayed_records
from bgcore.rules import Rules

HEAD = 4000
"""Characters at the beginning of a text that a format is told by."""


class MatchReader(Protocol):
    """Gives the matches of a text, replayed, one by one."""

    def __call__(
        self,
        text: str,
        registry: Registry,
        /,
        each_game: EachGame = unwatched,
        on_error: OnError = raised,
    ) -> Iterator[ReplayedMatch]:
        """The matches; `each_game` is called before each game, and what it raises ends the reading."""
        ...


@dataclass(frozen=True, slots=True)
class MatchFormat:
    """A notation for matches.

    `read` gives the matches of a text, replayed, one by one, and raises `NotationError` at a line that it
    cannot read, or gives it to `on_error` and goes on with the next match. `write` raises it where the
    notation has no words for a match. Several matches are written with `between` between them. `suits`
    says whether a text looks like it.
    """

    id: str
    title: str
    suffixes: tuple[str, ...]  # of files, the first the usual one
    suits: Callable[[str], bool]
    read: MatchReader
    write: Callable[[Record, Registry], str]
    between: str = ""


@dataclass(frozen=True, slots=True)
class PositionFormat:
    """A notation for positions, under rules that are known.

    `read` takes what `write` gives, and proves nothing; `None`: it is only written, as drawings are. Both
    raise `NotationError`; `write` does it too where `read` would not find again what it tells of. `of_match`:
    it tells of score and cube too, not only of the board. `line`: it takes one line; and `alone`: there can
    be only one in a file.
    """

    id: str
    title: str
    suffixes: tuple[str, ...]
    suits: Callable[[str], bool]
    read: Callable[[str, Rules], Situation] | None
    write: Callable[[Situation, Rules], str]
    of_match: bool = False
    line: bool = True
    alone: bool = False


Format = MatchFormat | PositionFormat


def _through(read: Reader) -> MatchReader:
    """The reader of a notation that is read into the tree of match text."""

    def matches(
        text: str,
        registry: Registry,
        /,
        each_game: EachGame = unwatched,
        on_error: OnError = raised,
    ) -> Iterator[ReplayedMatch]:
        return replayed(text, registry, read, each_game, on_error)

    return matches


def _begins(pattern: str) -> Callable[[str], bool]:
    """Whether a text begins so, blanks apart."""
    beginning = re.compile(pattern, re.ASCII)
    return lambda text: beginning.match(_head(text)) is not None


def _head(text: str) -> str:
    """How a text begins, its lines ended by LF."""
    return LINE_END.sub("\n", text[:HEAD].removeprefix("\ufeff").lstrip())


def _never(text: str) -> bool:
    return False


_MATCH_LINE = re.compile(
    r"^ *(\d+ +points? +match|Game +\d+\b|; *\[)", re.MULTILINE | re.IGNORECASE
)


def _is_match_text(text: str) -> bool:
    return _MATCH_LINE.search(text[:HEAD].replace("\r", "\n")) is not None


MATCH_FORMATS: tuple[MatchFormat, ...] = (
    MatchFormat(
        "record", "bgcore's own record", (".jsonl",), is_record, replayed_records, write_record
    ),
    MatchFormat(
        "sgf",
        "Smart Game Format (GM[6])",
        (".sgf",),
        _begins(r"\(\s*;"),
        _through(read_sgf),
        write_sgf,
    ),
    MatchFormat(
        "mat",
        "match text",
        (".mat", ".txt"),
        _is_match_text,
        _through(read_matches),
        lambda record, registry: write_match_text([record], registry),
        between="\n",
    ),
)
"""Notations for matches, in the order in which they are looked for."""

POSITION_FORMATS: tuple[PositionFormat, ...] = (
    PositionFormat(
        "xgid",
        "XGID",
        (".xgid", ".txt"),
        _begins(r"(?i:XGID *=)|[-a-pA-P]{26}:"),
        position_lines.read_xgid,
        proved(position_lines.read_xgid, position_lines.write_xgid, read_back.of_xgid),
        of_match=True,
    ),
    PositionFormat(
        "match-id",
        "GNU Backgammon's Position ID and Match ID",
        (".ids", ".txt"),
        _begins(r"[A-Za-z0-9+/]{14}[: ][A-Za-z0-9+/]{12}(?![A-Za-z0-9+/])"),
        position_lines.read_ids,
        proved(position_lines.read_ids, position_lines.write_ids, read_back.of_ids),
        of_match=True,
    ),
    PositionFormat(
        "position-id",
        "GNU Backgammon's Position ID",
        (".ids", ".txt"),
        _begins(r"[A-Za-z0-9+/]{14}\s*(\n|$)"),
        position_lines.read_id,
        proved(position_lines.read_id, position_lines.write_id, read_back.of_board),
    ),
    PositionFormat(
        "json",
        "board as JSON",
        (".jsonl",),
        _begins(r"\{"),
        position_lines.read_json,
        proved(position_lines.read_json, position_lines.write_json, read_back.of_board_and_dice),
    ),
    PositionFormat(
        "text",
        "board text",
        (".txt",),
        _begins(r"[a-zA-Z0-9:=,; \t]*[/|][a-zA-Z0-9:=,; \t]*\r?(\n|$)"),
        position_lines.read_text,
        proved(position_lines.read_text, position_lines.write_text, read_back.of_board),
    ),
    PositionFormat(
        "ascii",
        "board drawn with letters",
        (".txt",),
        _never,
        None,
        position_lines.ascii_of,
        line=False,
    ),
    PositionFormat(
        "svg",
        "board drawn as SVG",
        (".svg",),
        _never,
        None,
        position_lines.svg_of,
        line=False,
        alone=True,
    ),
)
"""Notations for positions, in the order in which they are looked for."""

_ALL: tuple[Format, ...] = (*MATCH_FORMATS, *POSITION_FORMATS)

FORMATS: Mapping[str, Format] = MappingProxyType({one.id: one for one in _ALL})
"""Every format by its id."""


def formats(registry: Registry | None = None) -> Mapping[str, Format]:
    """Every format by its id, those of a registry's plugins behind the engine's; what they do is looked at."""
    others = registry.notations if registry else {}
    return {**FORMATS, **{one.id: looked_at(one) for one in others.values()}}


def format_of(id: str, registry: Registry | None = None) -> Format:
    """The format of an id, the engine's or one of a registry; `NotationError` lists the known ones.

    >>> format_of("xgid").title
    'XGID'
    """
    known = formats(registry)
    found = known.get(plain(id))
    if found is None:
        raise NotationError(
            Fault("UNKNOWN_FORMAT", "format", shown(id), f"one of {', '.join(known)}")
        )
    return found


def guess(text: str, registry: Registry | None = None) -> Format | None:
    """The format that a text looks like, first of the engine's; `None` where it looks like none.

    >>> [guess(text).id for text in ('{"bgcore":1}', "7 point match", "4HPwATDgc/ABMA", "24:2 / 13:1")]
    ['record', 'mat', 'position-id', 'text']
    """
    known = formats(registry).values()
    return next((one for one in known if one.read is not None and one.suits(text)), None)


def guess_match(text: str, registry: Registry | None = None) -> MatchFormat:
    """The format of a text that should hold matches; where none fits, match text, which says what it expects."""
    known = (one for one in formats(registry).values() if isinstance(one, MatchFormat))
    return next((one for one in known if one.suits(text)), FALLBACK)


def looked_at(form: Format) -> Format:
    """A notation whose functions are somebody else's: what they raise or return wrongly is `PluginFailed`."""
    suits = brought.suiting(form.suits)
    if isinstance(form, MatchFormat):
        matches = brought.matches(form.id, form.read)
        told = brought.texts(form.id, form.write, brought.LONGEST_MATCH)
        return replace(form, suits=suits, read=matches, write=told)
    read, write = form.read, brought.texts(form.id, form.write, brought.LONGEST_POSITION)
    situations = None if read is None else brought.situations(form.id, read)
    return replace(form, suits=suits, read=situations, write=write)


FALLBACK = next(one for one in MATCH_FORMATS if one.id == "mat")
