r"""Backgammon in SGF (`GM[6]`), as GNU Backgammon and others write it, read into the tree of match text.

One game tree a game, several in a file. There is no full standard; what is accepted was met in files.
Letters are White's points for both colours. Reading knows no rule of play: `bgcore.replay` checks.

>>> from bgcore.replay import replayed
>>> [match] = replayed("(;GM[6]MI[length:1]RE[W+1R];W[31hefe]\n;B[64alls])", read=read_sgf)
>>> print(*match.report.faults)
line 2: 64: 24/13: 11 is not left to play, expected one of 6 4; 24/18 18/14 is one of 11 legal plays
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from bgcore.cube import Cube
from bgcore.errors import NotationError
from bgcore.notation.match_text import Cell, CellKind, GameText, Given, MatchText, is_money_length
from bgcore.notation.sgf import TREE, Node, Place, Property, Tree, Unread, trees_in
from bgcore.notation.unread import OnError, raised
from bgcore.play import point_text
from bgcore.position import BAR, OFF, POINTS
from bgcore.seat import Seat
from bgcore.setup import Setup, SideSetup

BACKGAMMON = "6"
"""The game's number in `GM`."""
BAR_LETTER, OFF_LETTER = "y", "z"
LETTERS = "abcdefghijklmnopqrstuvwx"
"""White's points from 1 to 24."""
COLOURS = {"W": Seat.WHITE, "B": Seat.BLACK}
A_GAME = re.compile(r"\w+gammon\d?", re.ASCII | re.IGNORECASE)
"""A rule of `RU` that is a game: `Nackgammon`, `Hypergammon3`."""
HEADERS = {"EV": "event", "RO": "round", "PC": "site", "DT": "eventdate", "AN": "transcriber"}
"""Properties of a match, and what they are called among match text's headers, as GNU Backgammon has it."""
ACTIONS = {"double": CellKind.DOUBLE, "take": CellKind.TAKE, "drop": CellKind.DROP}
SET_UP = ("AE", "AW", "AB", "CV", "CP", "CO")
NOT_PLAYED = "????"
"""The play of a roll that was set (`DI`) and not played."""
MOST_TIES = 20
"""Automatic doubles that are read."""


def point_of(letter: str, seat: Seat) -> int:
    """An own point from its letter, 25 the bar, 0 off; `ValueError` for any other character.

    >>> point_of("h", Seat.WHITE), point_of("h", Seat.BLACK), point_of("z", Seat.WHITE)
    (8, 17, 0)
    """
    if letter in (BAR_LETTER, OFF_LETTER):
        return BAR if letter == BAR_LETTER else OFF
    point = LETTERS.index(letter) + 1
    return point if seat is Seat.WHITE else POINTS + 1 - point


def letter_of(point: int, seat: Seat) -> str:
    """The letter of an own point."""
    if point in (BAR, OFF):
        return BAR_LETTER if point == BAR else OFF_LETTER
    return LETTERS[point - 1 if seat is Seat.WHITE else POINTS - point]


def read_sgf(text: str, on_error: OnError = raised) -> Iterator[MatchText]:
    """The matches of a file, one after another: games with rising numbers and of one length are a match.

    `NotationError` at the first thing that cannot be read, after the matches before it: it names line
    and column, what stands there and what was expected. With `on_error` it is given that, the match is
    left out, and the reading goes on with the next tree of another one.

    >>> [match] = read_sgf("(;GM[6]MI[length:3][game:0]PW[ann]PB[bob]RE[W+1];W[31hefe];B[double];W[drop])")
    >>> match.length, match.games[0].names, [cell.kind.value for cell in match.games[0].cells]
    (3, ('ann', 'bob'), ['roll', 'double', 'drop', 'wins'])
    """
    match: list[_Root] = []
    whole = True
    for found in trees_in(text):
        unread = found.error if isinstance(found, Unread) else None
        root: _Root | None = None
        try:
            root = _Root.of(found.tree if isinstance(found, Unread) else found)
        except NotationError as error:
            unread = unread or error
        if match and not (root and match[-1].goes_on_with(root)):
            if whole:
                yield from _match(match, on_error)
            match, whole = [], True
        if root:
            match.append(root)
        if unread:
            whole = root is None
            on_error(unread)
    if match and whole:
        yield from _match(match, on_error)


# -- the root ----------------------------------------------------------------------------------------

_INFO = re.compile(r"\s*(length|game|ws|bs)\s*:\s*(\d{1,30})\s*", re.ASCII)
_RESULT = re.compile(r"([WB])\+(\d{1,30})\s*(?:R|RESIGN)?", re.IGNORECASE | re.ASCII)
_NO_RESULT = ("", "?", "VOID")
CRAWFORD, OF_A_GAME, JACOBY, NO_CUBE = "Crawford", "CrawfordGame", "Jacoby", "NoCube"


@dataclass(frozen=True, slots=True)
class _Root:
    """What the first node of a game says."""

    tree: Tree
    length: int
    game: int
    score: tuple[int, int]
    rules: frozenset[str]
    crawford: bool

    @property
    def node(self) -> Node:
        return self.tree[0]

    def goes_on_with(self, other: _Root) -> bool:
        """Whether another game belongs to the same match."""
        same = (self.length, self.rules) == (other.length, other.rules)
        return same and self.game < other.game

    @classmethod
    def of(cls, tree: Tree) -> _Root:
        if not tree:
            raise Place(1, 1).refuse("", TREE)
        node = tree[0]
        game = node.first("GM")
        if game is None or game.value.strip() != BACKGAMMON:
            where = game.place if game else node.place
            raise where.refuse(f"GM[{game.value}]" if game else ";", f"GM[{BACKGAMMON}]")
        info = {"length": 0, "game": 0, "ws": 0, "bs": 0}
        told = node.first("MI")
        for value in told.values if told else ():
            found = _INFO.fullmatch(value)
            if found:
                info[found[1]] = int(found[2])
            elif told and value.strip().partition(":")[0] in info:
                raise told.refuse("a number such as length:7", value)
        rules = {rule.strip() for rule in node.text("RU").split(":")}
        score = info["ws"], info["bs"]
        crawford = OF_A_GAME in rules
        every = frozenset(rules - {OF_A_GAME, ""})
        return cls(tree, info["length"], info["game"], score, every, crawford)


def _match(roots: Sequence[_Root], on_error: OnError) -> Iterator[MatchText]:
    """The match of some games, if all of them can be read."""
    first = roots[0]
    try:
        games = tuple(_game(root) for root in roots)
    except NotationError as error:
        on_error(error)
        return
    yield MatchText(first.length, first.node.place.line, _headers(roots, games), games)


_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


def _headers(roots: Sequence[_Root], games: Sequence[GameText]) -> dict[str, str]:
    first = roots[0]
    told = ((header, first.node.text(name)) for name, header in HEADERS.items())
    headers = {header: text.strip() for header, text in told if text.strip()}
    if _DATE.fullmatch(headers.get("eventdate", "")):
        headers["eventdate"] = headers["eventdate"].replace("-", ".")
    if is_money_length(first.length, len(games), headers.get("site", "")):
        headers["place"] = headers.pop("site")  # else the length would be read as a stake
    crawford = CRAWFORD in first.rules or any(root.crawford for root in roots)
    headers["crawford"] = "On" if crawford else "Off"
    headers["jacoby"] = "On" if JACOBY in first.rules else "Off"
    if options := " ".join(_options(first, games)):
        headers["options"] = options
    for rule in sorted(filter(A_GAME.fullmatch, first.rules)):
        headers["variation"] = rule
    return headers


def _options(first: _Root, games: Sequence[GameText]) -> Iterator[str]:
    """The options that no header of match text names, in the words of `bgcore.replay_options`."""
    if NO_CUBE in first.rules:
        yield "cube=false"
    automatic = any(game.given.automatic for game in games)
    if automatic:
        yield "auto_doubles=none"
    if not first.length:
        return
    # What belongs to money sessions may be agreed on in a match (M8).
    beavers = any(cell.kind is CellKind.ANIMAL for game in games for cell in game.cells)
    if beavers:
        yield "animals=none"
    if JACOBY in first.rules:
        yield "jacoby=true"
    if beavers or automatic or JACOBY in first.rules:
        yield "money_rules_in_match=allow"


# -- a game ------------------------------------------------------------------------------------------


def _game(root: _Root) -> GameText:
    node = root.node
    before = _SetUp()
    cells: list[Cell] = []
    for one in root.tree:
        _read_node(one, before, cells)
    # Whoever acts first is on turn: GNU Backgammon may write PL[W] all the same.
    if cells:
        before.seat = cells[0].seat
    result = _result(node)
    if result:
        cells = [*_without_hint(cells, result), result]
    last = root.tree[-1].place.line
    return GameText(
        root.game + 1,
        node.place.line,
        node.place.line,
        last,
        (node.text("PW"), node.text("PB")),
        root.score,
        tuple(cells),
        given=before.given(root),
    )


def _read_node(node: Node, before: _SetUp, cells: list[Cell]) -> None:
    """One node: what was set up, or what was done."""
    automatic = _automatic(node)
    for one in node.properties:
        if one.name in SET_UP and one is not automatic:
            if cells:
                raise one.refuse("nothing set up once the game has begun")
            before.read(one)
        elif one.name == "PL" and not cells:
            before.seat = _colour(one)
    dice, done = node.first("DI"), node.first(*COLOURS)
    if dice:
        told = node.first("PL")
        _add(cells, _set_dice(dice, _colour(told) if told else before.seat))
    if done:
        _add(cells, _cell(done, COLOURS[done.name], cells))


def _add(cells: list[Cell], cell: Cell) -> None:
    """One more cell; dice that were set are forgotten when the same side rolls after that."""
    last = cells[-1] if cells else None
    rolls = last is not None and last.kind is cell.kind is CellKind.ROLL
    if last and rolls and last.play == NOT_PLAYED and last.seat is cell.seat:
        cells.pop()
    cells.append(cell)


def _colour(one: Property) -> Seat:
    seat = COLOURS.get(one.value.strip()[:1].upper())
    if seat is None:
        raise one.refuse("W or B")
    return seat


def _cell(done: Property, seat: Seat, cells: list[Cell]) -> Cell:
    """What a side did: a cube action, or a roll and its play."""
    word = done.value.strip()
    kind = ACTIONS.get(word.casefold())
    line, column = done.place.line, done.place.column
    if kind is None:
        dice = _dice(done, word[:2])
        return Cell(CellKind.ROLL, seat, line, column, dice, _play(done, word[2:], seat))
    last = cells[-1] if cells else None
    offered = last is not None and last.kind in (CellKind.DOUBLE, CellKind.ANIMAL)
    if kind is CellKind.DOUBLE and offered and last and last.seat is not seat:
        kind = CellKind.ANIMAL
    return Cell(kind, seat, line, column)


def _set_dice(dice: Property, seat: Seat | None) -> Cell:
    if seat is None:
        raise dice.refuse("PL[W] or PL[B] before it")
    found = _dice(dice, dice.value.strip())
    return Cell(CellKind.ROLL, seat, dice.place.line, dice.place.column, found, play=NOT_PLAYED)


def _dice(of: Property, text: str) -> tuple[int, int]:
    if len(text) != 2 or not all(die in "123456" for die in text):
        of_a_roll = "two dice" if of.name == "DI" else "two dice and a play such as 31hefe"
        words = "" if of.name == "DI" else ", double, take or drop"
        raise of.refuse(of_a_roll + words)
    return int(text[0]), int(text[1])


_PAIRS = re.compile(r"(?:[a-y][a-xz]){0,4}")


def _play(done: Property, pairs: str, seat: Seat) -> str:
    """The text of a play from its pairs of letters."""
    if not _PAIRS.fullmatch(pairs):
        raise done.refuse("at most four pairs of letters, from a to x, y the bar, z off")
    points = [point_text(point_of(letter, seat)) for letter in pairs]
    return " ".join(map("/".join, zip(points[::2], points[1::2], strict=True)))


def _result(root: Node) -> Cell | None:
    told = root.first("RE")
    if told is None or told.value.strip().upper() in _NO_RESULT:
        return None
    found = _RESULT.fullmatch(told.value.strip())
    if found is None:
        raise told.refuse("a winner and points such as W+2 or B+1R")
    line, column = told.place.line, told.place.column
    seat = COLOURS[found[1].upper()]
    return Cell(CellKind.WINS, seat, line, column, value=int(found[2]), own_line=True)


def _without_hint(cells: list[Cell], result: Cell) -> list[Cell]:
    """Without a last double that was only a question to a program: whoever doubled last resigned."""
    hint = cells and cells[-1].kind is CellKind.DOUBLE and cells[-1].seat is not result.seat
    return cells[:-1] if hint else cells


# -- what is set up ----------------------------------------------------------------------------------


@dataclass(slots=True)
class _SetUp:
    """What the nodes before a game's first cell say of where it begins."""

    line: int = 0
    cleared: bool = False
    letters: dict[Seat, list[str]] = field(default_factory=dict)
    value: int = 1
    owner: Seat | None = None
    seat: Seat | None = None

    def read(self, one: Property) -> None:
        self.line = self.line or one.place.line
        if one.name == "CV":
            self.value = _cube_value(one)
        elif one.name in ("CP", "CO"):
            self._owner(one)
        elif one.name == "AE":
            if len(set(_letters(one))) <= POINTS:
                raise one.refuse("AE[a:y], as the whole board is set up anew")
            self.cleared, self.letters = True, {}
        else:
            if not self.cleared:
                raise one.refuse("AE[a:y] before it, as the whole board is set up anew")
            self.letters.setdefault(COLOURS[one.name[1]], []).extend(_letters(one))

    def _owner(self, one: Property) -> None:
        word = one.value.strip().lower()[:1]
        if word not in ("c", "w", "b", "n"):
            raise one.refuse("c, w or b")
        self.owner = COLOURS.get(word.upper())

    def given(self, root: _Root) -> Given:
        seat = Seat.WHITE if self.seat is None else self.seat
        board = None
        if self.cleared:
            board = Setup(self._side(seat), self._side(seat.other))
        automatic = _automatic(root.node)
        return Given(
            board,
            seat,
            Cube(self.value, self.owner, turned=self.owner is not None),
            self.line or root.node.place.line,
            root.crawford,
            _ties(automatic) if automatic else 0,
            may_stop=True,
        )

    def _side(self, seat: Seat) -> SideSetup:
        own = sorted(point_of(letter, seat) for letter in self.letters.get(seat, ()))
        counts = {point: len(list(same)) for point, same in groupby(own)}
        bar = counts.pop(BAR, 0)
        return SideSetup(counts, bar)


def _letters(one: Property) -> Iterator[str]:
    """The letters of a list of points, ranges written out."""
    every = LETTERS + BAR_LETTER
    for value in one.values:
        first, colon, last = value.strip().partition(":")
        known = len(first) == 1 and first in every
        if not known or (colon and (len(last) != 1 or last not in every)):
            raise one.refuse("a letter from a to y, or a range such as a:y", value)
        yield from every[every.index(first) : every.index(last or first) + 1]


def _cube_value(one: Property) -> int:
    word = one.value.strip()
    if not (word.isascii() and word.isdigit() and len(word) <= 30):
        raise one.refuse("a value of the cube such as 2")
    return int(word)


def _automatic(node: Node) -> Property | None:
    """The cube of a root, which ties have turned; a root that sets up a position has none."""
    is_root = node.first("GM") is not None and node.first("AE", "AW", "AB", "CP", "CO") is None
    return node.first("CV") if is_root else None


def _ties(one: Property) -> int:
    """How many automatic doubles make a cube of this value."""
    value = _cube_value(one)
    ties = value.bit_length() - 1
    if value != 1 << max(ties, 0) or ties > MOST_TIES:
        raise one.refuse(f"1, 2, 4 and so on, at most {1 << MOST_TIES}")
    return ties
