"""Match files as programs and servers write them ("Jellyfish text", `.mat`, `.txt`), as a tree.

Reading knows columns, keywords and the deviations of the dialects, and no rule of play: what stands in a
cell is for `bgcore.replay` to check. There is no written standard; what is accepted was met in files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from bgcore.cube import NEW_CUBE, Cube
from bgcore.errors import Fault, NotationError
from bgcore.notation.unread import OnError, raised
from bgcore.seat import Seat
from bgcore.setup import Setup

LONGEST_LINE = 1000
"""Characters of a line that is not a comment."""
BAD_MATCH = "BAD_MATCH_TEXT"
LINE_END = re.compile(r"\r\n|\r|\n")


class CellKind(StrEnum):
    """What one player does in a cell."""

    ROLL = "roll"
    DOUBLE = "double"
    ANIMAL = "animal"
    TAKE = "take"
    DROP = "drop"
    RESIGNS = "resigns"
    WINS = "wins"
    LOSES = "loses"


RESULTS = (CellKind.WINS, CellKind.LOSES)


@dataclass(frozen=True, slots=True)
class Cell:
    """One player's half of a row, or a result on a line of its own.

    A roll has `dice` and the text of its `play` (empty: none); a cube action the `value` it names; a
    result the points, and whether it says that the match is over. `seat` is `None` where only the game
    can tell whose result it is. `line` and `column` count from 1.
    """

    kind: CellKind
    seat: Seat | None
    line: int
    column: int
    dice: tuple[int, int] = (0, 0)
    play: str = ""
    value: int | None = None
    match: bool = False
    own_line: bool = False

    @property
    def unknown(self) -> bool:
        """Whether the play was not recorded (`????`)."""
        return bool(self.play) and not self.play.strip("?")


@dataclass(frozen=True, slots=True)
class Given:
    """What some notations tell of a game before its first cell.

    `board`, seen by `seat`, and the cube when it goes on from a set-up position (`line`); `crawford`
    whether it is the Crawford game; `automatic` how often ties doubled the stake. `may_stop`: a game
    without a result is not over yet, rather than one whose end was lost.
    """

    board: Setup | None = None
    seat: Seat = Seat.WHITE
    cube: Cube = NEW_CUBE
    line: int = 0
    crawford: bool | None = None
    automatic: int = 0
    may_stop: bool = False

    @property
    def position(self) -> bool:
        """Whether the game goes on from what was set up."""
        return self.board is not None or self.cube != NEW_CUBE


NOTHING_GIVEN = Given()


@dataclass(frozen=True, slots=True)
class GameText:
    """One game: the players' names and score before it, and its cells in the order of play.

    `row_inside_row`: a second row number stood in the middle of a row.
    """

    number: int
    line: int
    names_line: int
    last_line: int
    names: tuple[str, str]
    score: tuple[int, int]
    cells: tuple[Cell, ...]
    row_inside_row: bool = False
    given: Given = NOTHING_GIVEN


@dataclass(frozen=True, slots=True)
class MatchText:
    """A match as written; `length` 0 is a money session."""

    length: int
    line: int
    headers: Mapping[str, str]
    games: tuple[GameText, ...]

    def header(self, key: str) -> str:
        """The value of a header, its key in any case; empty when it is not there."""
        return self.headers.get(key.casefold(), "")


_MARKS = (
    (b"\xff\xfe\0\0", "UTF-32"),
    (b"\0\0\xfe\xff", "UTF-32"),
    (b"\xff\xfe", "UTF-16"),
    (b"\xfe\xff", "UTF-16"),
)
_NULS = {b"\1\0\0\0": "UTF-32", b"\0\0\0\1": "UTF-32", b"\1\0\1\0": "UTF-16", b"\0\1\0\1": "UTF-16"}
"""Which of the first four bytes are zero, where they are ASCII."""


def wide_encoding(data: bytes) -> str:
    r"""The name of an encoding that `decode` does not read, if a file is in one; else empty.

    >>> wide_encoding("7 point match".encode("utf-16")), wide_encoding(b"7 point match")
    ('UTF-16', '')
    """
    marked = next((name for mark, name in _MARKS if data.startswith(mark)), "")
    return marked or _NULS.get(bytes(map(bool, data[:4])), "")


def decode(data: bytes) -> str:
    r"""The text of a file: UTF-8, with or without a mark, else Windows-1252.

    `NotationError` for UTF-16 and UTF-32.

    >>> decode(b"Ren\xe9")
    'René'
    """
    if wide := wide_encoding(data):
        raise NotationError(Fault("BAD_ENCODING", "line 1", wide, "UTF-8"))
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def read_matches(text: str, on_error: OnError = raised) -> Iterator[MatchText]:
    """The matches of a file, one after another.

    `NotationError` at the first line that cannot be read, after the matches before it: it names the
    line, what stands there and what was expected. With `on_error` it is given that, the match that the
    line stands in is left out, and the reading goes on with the next line such as `7 point match`.

    >>> [match] = read_matches('''; [Site "Example"]
    ... 1 point match
    ...
    ...  Game 1
    ...  ann : 0                     bob : 0
    ...   1) 31: 8/5 6/5               Wins 1 point and the match
    ... ''')
    >>> match.length, match.header("site"), match.games[0].names
    (1, 'Example', ('ann', 'bob'))
    >>> [cell.kind.value for cell in match.games[0].cells]
    ['roll', 'wins']
    """
    reader = _Reader()
    for number, line in enumerate(LINE_END.split(text.removeprefix("\ufeff")), 1):
        try:
            match = reader.feed(number, line)
        except NotationError as error:
            on_error(error)
            match = reader.give_up(number, line)
        if match:
            yield match
    try:
        match = reader.finish()
    except NotationError as error:
        on_error(error)
        return
    if match:
        yield match


# -- lines -------------------------------------------------------------------------------------------

_LENGTH = re.compile(
    r"\s*(?:(\d{1,9})[\s-]*points?\s+match|(?:money|unlimited)\s+(?:session|game|match))\b.*",
    re.IGNORECASE,
)
_GAME = re.compile(r"\s*Game\s+(\d{1,9})\s*", re.IGNORECASE)
_SCORE = re.compile(r":\s*(\d{1,9})\s")
_LAST_SCORE = re.compile(r"\s*(\d{1,9})\s*")
_ROW = re.compile(r"\s*(\d{1,9})\)")
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


class _Reader:
    """What was read so far, fed line by line."""

    def __init__(self) -> None:
        self.headers: dict[str, str] = {}
        self.length: int | None = None
        self.match_line = 0
        self.match_headers: dict[str, str] = {}
        self.games: list[GameText] = []
        self.game: _GameReader | None = None
        self.line = 0
        self.broken = (
            0  # the line that could not be read, while the rest of its match is passed over
        )

    def feed(self, number: int, line: str) -> MatchText | None:
        """Takes a line; gives a match when the line begins the next one."""
        self.line = number
        if not line.strip() or line.lstrip().startswith(";"):
            self._note(line)
            return None
        if len(line) > LONGEST_LINE and not self.broken:
            raise _unreadable(number, 1, line, f"a line of at most {LONGEST_LINE} characters")
        is_names = len(line) > LONGEST_LINE or self._is_name_line(line)
        length = None if is_names else _LENGTH.fullmatch(line)
        if length:
            done = self._match() if self.length is not None else None
            self.length, self.match_line = int(length[1] or 0), number
            self.match_headers, self.headers = self.headers, {}
            self.games, self.game, self.broken = [], None, 0
            return done
        if self.broken:
            if number > self.broken:  # so what was noted before is not about the next match
                self.headers = {}
            return None
        if self.length is None:
            expected = 'a header such as ; [Site "…"] or a line such as 7 point match'
            raise _unreadable(number, 1, line, expected)
        self._game_line(number, line)
        return None

    def give_up(self, number: int, line: str) -> MatchText | None:
        """Leaves out the match that holds a line that cannot be read; the line may begin the next one."""
        self.length, self.games, self.game, self.broken = None, [], None, number
        return self.feed(number, line)

    def _is_name_line(self, line: str) -> bool:
        """Whether the names of a game are due and stand here; a player may be called "money game"."""
        due = self.broken or (self.game is not None and self.game.names is None)
        return bool(due) and _names(line.expandtabs(_TAB)) is not None

    def _note(self, line: str) -> None:
        """Keeps a header such as `; [Site "Example"]`; any other comment says nothing to us."""
        comment = line.strip().removeprefix(";").lstrip()
        key, quote, rest = comment.partition('"')
        value, closed, _ = rest.rpartition('"')
        if comment.startswith("[") and quote and closed:
            self.headers[key.removeprefix("[").strip().casefold()] = value

    def _game_line(self, number: int, line: str) -> None:
        if found := _GAME.fullmatch(line):
            self._end_game()
            self.game = _GameReader(int(found[1]), number)
        elif self.game and self.game.names is None:
            self.game.read_names(number, line)
        elif self.game is None or (not _ROW.match(line) and _names(line)):
            # A match that goes on in a second file may begin with the names.
            self._end_game()
            self.game = _GameReader(len(self.games) + 1, number)
            self.game.read_names(number, line)
        else:
            self.game.read_row(number, line)

    def _end_game(self) -> None:
        if self.game:
            self.games.append(self.game.finish())
        self.game = None

    def _match(self) -> MatchText:
        self._end_game()
        assert self.length is not None
        games = tuple(self.games)
        headers = _by_column(self.match_headers, games[0].names) if games else self.match_headers
        return MatchText(self.length, self.match_line, headers, games)

    def finish(self) -> MatchText | None:
        """The last match, if it could be read; `NotationError` when there is none."""
        if self.broken:
            return None
        if self.length is None:
            raise _unreadable(self.line, 1, "the end of the file", "a line such as 7 point match")
        return self._match()


class _Chunk(NamedTuple):
    """The mark that begins a cell, and what stands behind it."""

    mark: re.Match[str]
    rest: str


IN_ORDER = (Seat.WHITE, Seat.BLACK, None)
"""Whose the cells of a row are; a third is a result, and the game tells whose."""


@dataclass(slots=True)
class _GameReader:
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
        plain = line.expandtabs(_TAB)
        found = _names(plain)
        if found is None:
            raise _unreadable(
                number, 1, line, "both names with their scores, such as ann : 0   bob : 0"
            )
        self.names, self.score, right = found
        self.right = min(right, _FARTHEST_COLUMN)
        self.names_line = self.last = number

    def read_row(self, number: int, line: str) -> None:
        """A row of two cells, or a result on a line of its own."""
        self.last = number
        row = _ROW.match(line)
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
            raise _unreadable(number, column, plain[start:first].strip(), expected)
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
                raise _unreadable(number, chunk.mark.end() + 1, chunk.rest, expected)
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
                raise _unreadable(number, mark.start() + 1, mark.group(), "a row such as 1)")
            if index >= len(seats) or (seats[index] is None and not is_result):
                raise _unreadable(number, mark.start() + 1, mark.group(), "two cells a row")
            self.cells.append(self._cell(number, mark, rest, seats[index], own_line=not in_row))

    def _cell(
        self, number: int, mark: re.Match[str], rest: str, seat: Seat | None, *, own_line: bool
    ) -> Cell:
        column = mark.start() + 1
        if mark["roll"]:
            dice = int(mark["roll"][0]), int(mark["roll"][1])
            if not all(1 <= die <= 6 for die in dice):
                raise _unreadable(number, column, mark["roll"], "a roll of numbers from 1 to 6")
            return Cell(CellKind.ROLL, seat, number, column, dice, play=rest)
        kind = _kind(mark)
        if kind in RESULTS:
            points = _POINTS.fullmatch(rest)
            if points is None:
                expected = f"points such as {mark.group()} 2 points"
                raise _unreadable(number, column, f"{mark.group()} {rest}".strip(), expected)
            match = bool(points[2])
            return Cell(
                kind, seat, number, column, value=int(points[1]), match=match, own_line=own_line
            )
        value = _VALUE.fullmatch(rest)
        if value is None:
            raise _unreadable(
                number, mark.end() + 1, rest, f"nothing but a value after {mark.group()}"
            )
        return Cell(kind, seat, number, column, value=int(value[1]) if value[1] else None)

    def finish(self) -> GameText:
        if self.names is None:
            expected = "both names with their scores, such as ann : 0   bob : 0"
            raise _unreadable(self.line + 1, 1, "the end of the game", expected)
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


def _by_column(headers: dict[str, str], names: tuple[str, str]) -> dict[str, str]:
    """Headers that number the players by column: 1 is left. eXtreme Gammon's `Player 1` sits right.

    The names tell, where both are in the headers and differ; else whose file it is.
    """
    said = headers.get("player 1", ""), headers.get("player 2", "")
    swapped = headers.get("site", "").casefold() == "extreme gammon"
    if set(said) == set(names) and len(set(said)) == 2:
        swapped = said != names
    if not swapped:
        return headers
    other = {"player 1": "player 2", "player 2": "player 1"}
    return {other.get(key[:8], key[:8]) + key[8:]: value for key, value in headers.items()}


def _names(line: str) -> tuple[tuple[str, str], tuple[int, int], int] | None:
    """The names, the scores and where the second name starts, of a line that holds them."""
    head, _, tail = line.rpartition(":")
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


def _unreadable(line: int, column: int, found: str, expected: str) -> NotationError:
    shown = found.strip()
    shown = shown if len(shown) <= 60 else shown[:60] + "…"
    where = f"line {line}" + (f" column {column}" if column > 1 else "")
    return NotationError(Fault(BAD_MATCH, where, shown, expected))
