"""The rows of a game in match text: two columns of cells, and who moves by where a cell stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from bgcore.errors import Fault, NotationError
from bgcore.notation.match_text import RESULTS, Cell, CellKind, GameText
from bgcore.seat import Seat

_SCORE = re.compile(r":\s*(\d{1,9})\s")
_LAST_SCORE = re.compile(r"\s*(\d{1,9})\s*")
ROW = re.compile(r"\s*(\d{1,9})\)")
_CELL = re.compile(
    r"(?P<row>(?<!\S)\d{1,9}\))"
    r"|(?P<roll>(?<!\S)[0-9]{2}\s*:)"
    r"|(?P<word>(?<!\S)(?:(?:re)?doubles?|takes?|drops?|passes|beavers?|raccoons?|otters?|monkeys?"
    r"|wins?|losses|loses|resigns?)\b)",
    re.IGNORECASE,
)
_POINTS = re.compile(r"(\d{1,9})\s+points?\b(\s+and\s+the\s+match)?", re.IGNORECASE)
_VALUE = re.compile(r"(?:=>|->|to|:)?\s*(\d{1,9})?", re.IGNORECASE)

_WORDS = {
    "doubles": CellKind.DOUBLE,
    "redoubles": CellKind.DOUBLE,
    "beavers": CellKind.ANIMAL,
    "raccoons": CellKind.ANIMAL,
    "otters": CellKind.ANIMAL,
    "monkeys": CellKind.ANIMAL,
    "takes": CellKind.TAKE,
    "drops": CellKind.DROP,
    "passes": CellKind.DROP,
    "wins": CellKind.WINS,
    "losses": CellKind.LOSES,
    "loses": CellKind.LOSES,
    "resigns": CellKind.RESIGNS,
}
"""Kinds by their words; the last letter may be missing."""

_RATING = re.compile(r",\d{3,4}(?:\.\d+)?$")
"""What GamesGrid and its kin write behind a name."""

_USUAL_COLUMN = 33
"""Where the right column starts when no name line tells."""
_FARTHEST_COLUMN = 60
"""Beyond it a right column is no column: a long name has pushed the second one there."""
_INDENTED = 4
"""A result on a line of its own that is indented less may be anybody's."""
_TAB = 8


class _Chunk(NamedTuple):
    """The mark that begins a cell, and what stands behind it."""

    mark: re.Match[str]
    rest: str


IN_ORDER = (Seat.WHITE, Seat.BLACK, None)
"""Whose the cells of a row are; a third is a result, and the game tells whose."""


@dataclass(slots=True)
class GameReader:
    """What was read so far of game `number`, which begins at `line`; fed line by line."""

    number: int
    line: int
    names: tuple[str, str] | None = None
    score: tuple[int, int] = (0, 0)
    right: int = _USUAL_COLUMN  # where the right column starts, from 0
    names_line: int = 0
    last: int = 0
    inside: bool = False
    cells: list[Cell] = field(default_factory=list)

    def read_names(self, number: int, line: str) -> None:
        found = names_in(line)
        if found is None:
            raise unreadable(
                number, 1, line, "both names with their scores, such as ann : 0   bob : 0"
            )
        self.names, self.score, right = found
        self.right = min(right, _FARTHEST_COLUMN)
        self.names_line = self.last = number

    def read_row(self, number: int, line: str) -> None:
        """A row of two cells, or a result on a line of its own."""
        self.last = number
        row = ROW.match(line)
        start = row.end() if row else 0
        tabs = self._tabs(line, start)
        plain = line.expandtabs(_TAB).rstrip()
        start = len(line[:start].expandtabs(_TAB))
        marks = list(_CELL.finditer(plain, start))
        first = marks[0].start() if marks else len(plain)
        if plain[start:first].strip():
            column = len(plain[:first]) - len(plain[:first].lstrip()) + 1 if not row else start + 1
            expected = (
                "a roll such as 31:, Doubles, Takes, Drops or Wins" if row else "a row such as 1)"
            )
            raise unreadable(number, column, plain[start:first].strip(), expected)
        ends = [mark.start() for mark in marks[1:]] + [len(plain)]
        chunks = [
            _Chunk(mark, plain[mark.end() : ends[at]].strip()) for at, mark in enumerate(marks)
        ]
        self._read_cells(number, chunks, in_row=row is not None, far=tabs)

    def _tabs(self, line: str, start: int) -> bool:
        """Whether tabs put the first cell of a row into the right column."""
        lead = line[start : len(line) - len(line[start:].lstrip())] if line[start:].strip() else ""
        return lead.count("\t") >= 2

    def _read_cells(self, number: int, chunks: list[_Chunk], *, in_row: bool, far: bool) -> None:
        rows: list[list[_Chunk]] = [[]]
        for chunk in chunks:
            if not chunk.mark["row"]:
                rows[-1].append(chunk)
                continue
            if chunk.rest:
                expected = "a roll, a cube action or a result"
                raise unreadable(number, chunk.mark.end() + 1, chunk.rest, expected)
            # The number opens a new row: what stands before it is over, left is left again.
            rows.append([])
            self.inside = True
        self._sides(number, rows[0], self._seats(rows[0], in_row=in_row, far=far), in_row=in_row)
        for row in rows[1:]:
            self._sides(number, row, IN_ORDER, in_row=True)

    def _seats(self, row: list[_Chunk], *, in_row: bool, far: bool) -> Sequence[Seat | None]:
        """Whose the cells are: in a row the first tells by its column, else each does."""
        sides = [self._side(chunk.mark.start(), far=far) for chunk in row]
        if in_row and sides == [Seat.WHITE, Seat.WHITE] and _is_win(row[1]):
            return sides  # GNU BG: White had rolled, and Black gave up
        if in_row:
            return (Seat.BLACK, None) if sides[:1] == [Seat.BLACK] else IN_ORDER
        return [
            None if chunk.mark.start() < _INDENTED else side
            for chunk, side in zip(row, sides, strict=True)
        ]

    def _side(self, column: int, *, far: bool) -> Seat:
        return Seat.BLACK if far or 2 * column >= self.right + 5 else Seat.WHITE

    def _sides(
        self, number: int, row: list[_Chunk], seats: Sequence[Seat | None], *, in_row: bool
    ) -> None:
        for index, (mark, rest) in enumerate(row):
            is_result = mark["word"] is not None and _kind(mark) in RESULTS
            if not in_row and not is_result:
                raise unreadable(number, mark.start() + 1, mark.group(), "a row such as 1)")
            if index >= len(seats) or (seats[index] is None and not is_result):
                raise unreadable(number, mark.start() + 1, mark.group(), "two cells a row")
            self.cells.append(self._cell(number, mark, rest, seats[index], own_line=not in_row))

    def _cell(
        self, number: int, mark: re.Match[str], rest: str, seat: Seat | None, *, own_line: bool
    ) -> Cell:
        column = mark.start() + 1
        if mark["roll"]:
            dice = int(mark["roll"][0]), int(mark["roll"][1])
            if not all(1 <= die <= 6 for die in dice):
                raise unreadable(number, column, mark["roll"], "a roll of numbers from 1 to 6")
            return Cell(CellKind.ROLL, seat, number, column, dice, play=rest)
        kind = _kind(mark)
        if kind in RESULTS:
            points = _POINTS.fullmatch(rest)
            if points is None:
                expected = f"points such as {mark.group()} 2 points"
                raise unreadable(number, column, f"{mark.group()} {rest}".strip(), expected)
            match = bool(points[2])
            return Cell(
                kind, seat, number, column, value=int(points[1]), match=match, own_line=own_line
            )
        value = _VALUE.fullmatch(rest)
        if value is None:
            raise unreadable(
                number, mark.end() + 1, rest, f"nothing but a value after {mark.group()}"
            )
        return Cell(kind, seat, number, column, value=int(value[1]) if value[1] else None)

    def finish(self) -> GameText:
        if self.names is None:
            expected = "both names with their scores, such as ann : 0   bob : 0"
            raise unreadable(self.line + 1, 1, "the end of the game", expected)
        return GameText(
            self.number,
            self.line,
            self.names_line,
            self.last,
            self.names,
            self.score,
            tuple(self.cells),
            self.inside,
        )


def names_in(line: str) -> tuple[tuple[str, str], tuple[int, int], int] | None:
    """The names, the scores and where the second name starts, of a line that holds them."""
    head, _, tail = line.expandtabs(_TAB).rpartition(":")
    second, first = _LAST_SCORE.fullmatch(tail), _SCORE.search(head)
    if second is None or first is None:
        return None
    two = head[first.end() :]
    names = tuple(_RATING.sub("", name.strip()) for name in (head[: first.start()], two))
    return (names[0], names[1]), (int(first[1]), int(second[1])), len(head) - len(two.lstrip())


def _is_win(chunk: _Chunk) -> bool:
    return chunk.mark["word"] is not None and _kind(chunk.mark) is CellKind.WINS


def _kind(mark: re.Match[str]) -> CellKind:
    word = mark["word"].casefold()
    return _WORDS[word if word in _WORDS else f"{word}s"]


def unreadable(line: int, column: int, found: str, expected: str) -> NotationError:
    """The error that names what stands in a line, and what was expected there."""
    shown = found.strip()
    shown = shown if len(shown) <= 60 else shown[:60] + "…"
    where = f"line {line}" + (f" column {column}" if column > 1 else "")
    return NotationError(Fault("BAD_MATCH_TEXT", where, shown, expected, line=line))
