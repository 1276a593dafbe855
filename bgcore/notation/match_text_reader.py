"""Reads files of match text, line by line.

Reading knows columns, keywords and the deviations of the dialects, and no rule of play. There is no written
standard; what is accepted was met in files.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from bgcore.errors import NotationError
from bgcore.notation.match_text import GameText, MatchText
from bgcore.notation.match_text_rows import ROW, GameReader, names_in, unreadable
from bgcore.notation.text_file import LINE_END
from bgcore.notation.unread import OnError, raised

LONGEST_LINE = 1000
"""Characters of a line that is not a comment."""

_LENGTH = re.compile(
    r"\s*(?:(\d{1,9})[\s-]*points?\s+match|(?:money|unlimited)\s+(?:session|game|match))\b.*",
    re.IGNORECASE,
)
_GAME = re.compile(r"\s*Game\s+(\d{1,9})\s*", re.IGNORECASE)


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


class _Reader:
    """What was read so far, fed line by line."""

    def __init__(self) -> None:
        self.headers: dict[str, str] = {}
        self.length: int | None = None
        self.match_line = 0
        self.match_headers: dict[str, str] = {}
        self.games: list[GameText] = []
        self.game: GameReader | None = None
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
            raise unreadable(number, 1, line, f"a line of at most {LONGEST_LINE} characters")
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
            raise unreadable(number, 1, line, expected)
        self._game_line(number, line)
        return None

    def give_up(self, number: int, line: str) -> MatchText | None:
        """Leaves out the match that holds a line that cannot be read; the line may begin the next one."""
        self.length, self.games, self.game, self.broken = None, [], None, number
        return self.feed(number, line)

    def _is_name_line(self, line: str) -> bool:
        """Whether the names of a game are due and stand here; a player may be called "money game"."""
        due = self.broken or (self.game is not None and self.game.names is None)
        return bool(due) and names_in(line) is not None

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
            self.game = GameReader(int(found[1]), number)
        elif self.game and self.game.names is None:
            self.game.read_names(number, line)
        elif self.game is None or (not ROW.match(line) and names_in(line)):
            # A match that goes on in a second file may begin with the names.
            self._end_game()
            self.game = GameReader(len(self.games) + 1, number)
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
            raise unreadable(self.line, 1, "the end of the file", "a line such as 7 point match")
        return self._match()


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
