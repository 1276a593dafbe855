"""A match as a file of match text tells it ("Jellyfish text", `.mat`, `.txt`): games of cells.

Other notations of whole matches are read into the same tree. What stands in a cell is for `bgcore.replay`
to check.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from bgcore.cube import NEW_CUBE, Cube
from bgcore.seat import Seat
from bgcore.setup import Setup


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

    @property
    def is_money_game(self) -> bool:
        """Whether a server's "match" is really one money game, its length being a cap on the stake."""
        return is_money_length(self.length, len(self.games), self.header("site"))

    def header(self, key: str) -> str:
        """The value of a header, its key in any case; empty when it is not there."""
        return self.headers.get(key.casefold(), "")


def is_money_length(length: int, games: int, site: str) -> bool:
    """Whether that is what a length means that stands before so many games."""
    power = length >= 4 and length & (length - 1) == 0
    return power and games == 1 and site.casefold() == "backgammongalaxy"
