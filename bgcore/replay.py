"""Match files replayed: every roll, play, cube action, result and score is checked by the engine.

What a file says in its own way becomes the actions of a `Match`, so that the same match can be played
again anywhere; what it says against the rules becomes a fault with its line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from bgcore.action import Action, Kind
from bgcore.decision import Phase
from bgcore.errors import BgcoreError, Fault, IllegalAction, NotationError
from bgcore.game import Game
from bgcore.match import Crawford, Match, Start
from bgcore.notation.match_text import (
    RESULTS,
    Cell,
    CellKind,
    GameText,
    MatchText,
    read_matches,
)
from bgcore.option import Value
from bgcore.outcome import Ending, Level
from bgcore.plugins import load
from bgcore.registry import Registry
from bgcore.resolve import options_of
from bgcore.rules import Rules
from bgcore.seat import Seat

DEFAULT_VARIANT = "western"
HIGHEST_CUBE = 1 << 20

ENDED_BY = {Ending.BORNE_OFF: "bearoff", Ending.DROPPED: "drop", Ending.RESIGNED: "resign"}
BROKEN, UNFINISHED = "broken", "unfinished"
DRAWN = "?"


@dataclass(frozen=True, slots=True)
class RowFault:
    """Something in a file that does not hold, with the line it stands in."""

    line: int
    reason: str
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


@dataclass(frozen=True, slots=True)
class GameReport:
    """What one game came to.

    `points` are those recorded, `points_by_rule` what cube and level make (`None` where the game was
    given up, since then only the recorded ones are known). `level` is a level's word, or `?`.
    """

    number: int
    score: tuple[int, int]  # before the game
    winner: Seat | None
    points: int | None
    points_by_rule: int | None
    ended_by: str
    level: str
    cube: int
    rolls: int
    doubles: int
    flags: tuple[str, ...]

    def to_json(self) -> dict[str, object]:
        """The form that `bgcore replay --json` prints."""
        return {
            "winner": _number(self.winner),
            "points": self.points,
            "points_by_rule": self.points_by_rule,
            "ended_by": self.ended_by,
            "cube": self.cube,
            "rolls": self.rolls,
            "flags": list(self.flags),
        }


@dataclass(frozen=True, slots=True)
class MatchReport:
    """What a match came to, points and score as recorded."""

    length: int
    names: tuple[str, str]
    winner: Seat | None
    score: tuple[int, int]
    games: tuple[GameReport, ...]
    faults: tuple[RowFault, ...]

    def to_json(self, file: str) -> dict[str, object]:
        """The form that `bgcore replay --json` prints, one line a match."""
        return {
            "file": file,
            "length": self.length,
            "winner": _number(self.winner),
            "score": list(self.score),
            "games": [game.to_json() for game in self.games],
        }


@dataclass(frozen=True, slots=True)
class ReplayedMatch:
    """A match of a file: the rules and actions that play it again, and the report.

    `Match.replay(registry.rules(variant, options=options), actions, start)` is `match`. With faults it
    goes only as far as the first of them.
    """

    variant: str
    options: Mapping[str, Value]
    start: Start
    actions: tuple[Action, ...]
    match: Match | None
    report: MatchReport


def matches_in(text: str, registry: Registry | None = None) -> list[ReplayedMatch]:
    """Every match of a file's text, replayed.

    `NotationError` when the text cannot be read as one. What breaks a rule is a fault in the report.

    >>> [match] = matches_in('''
    ... 1 point match
    ...
    ...  Game 1
    ...  ann : 0                     bob : 0
    ...   1) 31: 8/5 6/5                 Wins 1 point and the match
    ... ''')
    >>> match.report.games[0].ended_by, match.report.winner, str(match.actions[2].kind)
    ('resign', <Seat.BLACK: 1>, 'resign')
    """
    return list(replayed(text, registry))


def replayed(text: str, registry: Registry | None = None) -> Iterator[ReplayedMatch]:
    """The same, match by match: what comes before a line that cannot be read is given first."""
    known = registry or load()
    for match in read_matches(text):
        yield _replay(match, known)


# -- a match -----------------------------------------------------------------------------------------


def is_money_game(text: MatchText) -> bool:
    """Whether a server's "match" is really one money game, its length being a cap on the stake."""
    power = text.length >= 4 and text.length & (text.length - 1) == 0
    return power and len(text.games) == 1 and text.header("site").casefold() == "backgammongalaxy"


def options_in(text: MatchText, registry: Registry) -> tuple[str, dict[str, Value]]:
    """The variant and the options that a file's headers tell of.

    Jacoby is in force in money games unless a header turns it off; without a header no cube is too high.
    """
    variant = registry.variant(text.header("variation") or DEFAULT_VARIANT)
    money = text.length == 0 or is_money_game(text)
    limit = text.header("cubelimit")
    cap = int(limit) if limit.isascii() and limit.isdigit() and len(limit) < 8 else HIGHEST_CUBE + 1
    wanted: dict[str, Value] = {
        "match_length": None if money else text.length,
        "crawford": text.header("crawford").casefold() != "off",
        "cube_cap": cap if 1 <= cap <= HIGHEST_CUBE else None,
    }
    if money:
        wanted["jacoby"] = text.header("jacoby").casefold() not in ("off", "no", "false", "0")
    takes = options_of(variant)
    return variant.id, {name: value for name, value in wanted.items() if name in takes}


def _replay(text: MatchText, registry: Registry) -> ReplayedMatch:
    try:
        variant, options = options_in(text, registry)
        rules = registry.rules(variant, options=options)
    except BgcoreError as error:
        fault = RowFault(text.line, error.reason, str(error))
        report = MatchReport(text.length, ("", ""), None, (0, 0), (), (fault,))
        return ReplayedMatch("", {}, Start(), (), None, report)
    referee = _Referee(text, rules)
    for index in range(len(text.games)):
        if not referee.game(index):
            break
    return ReplayedMatch(
        variant, options, referee.start, referee.actions, referee.record, referee.report()
    )


class _Stop(Exception):
    """A row that cannot be replayed; the game ends here."""

    def __init__(self, fault: RowFault) -> None:
        self.fault = fault


@dataclass(slots=True)
class _Referee:
    """Replays a match game by game; after a broken game it goes on from the recorded score."""

    text: MatchText
    rules: Rules
    start: Start = field(default_factory=Start)
    match: Match | None = None
    record: Match | None = None  # what the actions from the start alone lead to
    reports: list[GameReport] = field(default_factory=list)
    faults: list[RowFault] = field(default_factory=list)
    score: tuple[int, int] = (0, 0)  # as recorded

    @property
    def actions(self) -> tuple[Action, ...]:
        return self.record.actions if self.record else ()

    def game(self, index: int) -> bool:
        """Replays a game; false when nothing behind it can be judged."""
        text = self.text.games[index]
        if index == 0:
            self.score = text.score
        elif text.score != self.score:
            found = f"score {text.score[0]}-{text.score[1]}"
            expected = f"{self.score[0]}-{self.score[1]}, from the game before"
            self._fault(text.names_line, "SCORE_MISMATCH", f"{found}: expected {expected}")
            self.score = text.score
        before = len(self.faults)  # the record ends with the first game that has any
        match = self._begin(text, first=index == 0)
        if match is None:
            return False
        after = self.text.games[index + 1].score if index + 1 < len(self.text.games) else None
        one = _GameReplay(self.text, text, match, after)
        try:
            one.run()
        except _Stop as stop:
            self.faults.append(stop.fault)
        self.faults += one.faults
        self.reports.append(one.report(broken=len(self.faults) > before))
        self.score = one.score_after
        self.match = one.match
        if not before:
            self.record = one.match
        return True

    def _begin(self, text: GameText, *, first: bool) -> Match | None:
        """The match at the first throw of a game."""
        match = self.match
        if match is not None and match.winner is None and match.game.result:
            follows = match.after(Action.next_game())
            if follows.score == text.score:
                return follows
        # The first game, or one behind a broken game. Whether the Crawford game has been is not recorded:
        # one point short it has, if somebody doubles.
        been = match is not None and match.crawford is not Crawford.BEFORE
        if max(text.score) == self.text.length - 1:
            been = been or any(cell.kind is CellKind.DOUBLE for cell in text.cells)
        start = Start(score=text.score, crawford=Crawford.AFTER if been else Crawford.BEFORE)
        try:
            match = Match.new(self.rules, start)
        except BgcoreError as error:
            self._fault(text.names_line, error.reason, str(error))
            return None
        if first:
            self.start = start
        return match

    def _fault(self, line: int, reason: str, message: str) -> None:
        self.faults.append(RowFault(line, reason, message))

    def report(self) -> MatchReport:
        text = self.text
        if not text.games:
            self._fault(
                text.line, "NO_GAMES", "the match has no game: expected Game 1 after this line"
            )
        names = text.games[0].names if text.games else ("", "")
        winner = None
        if 0 < text.length <= max(self.score):
            winner = Seat.WHITE if self.score[0] > self.score[1] else Seat.BLACK
        return MatchReport(
            text.length, names, winner, self.score, tuple(self.reports), tuple(self.faults)
        )


# -- a game ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Recorded:
    """How a file says a game ended; `written` when a result line says it, not the score that follows."""

    winner: Seat | None
    points: int
    line: int
    written: bool = True


class _GameReplay:
    """One game of a file against the engine."""

    def __init__(
        self, whole: MatchText, text: GameText, match: Match, after: tuple[int, int] | None
    ) -> None:
        self.whole, self.text, self.match = whole, text, match
        self.after = after  # the score that the next game tells of
        self.faults: list[RowFault] = []
        self.flags: set[str] = set()
        self.recorded: _Recorded | None = None
        self.level = DRAWN
        self.by_rule: int | None = None
        self.ended_by = UNFINISHED

    @property
    def engine(self) -> Game:
        return self.match.game

    @property
    def score_after(self) -> tuple[int, int]:
        """The score as recorded, after the game."""
        result = self.engine.result
        recorded = self.recorded
        winner = recorded.winner if recorded else result.winner if result else None
        points = recorded.points if recorded else result.points if result else 0
        white, black = self.text.score
        if winner is None:
            return white, black
        return (white + points, black) if winner is Seat.WHITE else (white, black + points)

    def run(self) -> None:
        """Replays the cells; `_Stop` at the first that breaks a rule."""
        cells = self.text.cells
        if is_money_game(self.whole):
            self.flags.add("money-single-game")
        if self.text.row_inside_row:
            self.flags.add("row-number-inside-row")
        played = [cell for cell in cells if cell.kind not in RESULTS]
        results = [cell for cell in cells if cell.kind in RESULTS]
        self.recorded = self._recorded(results)
        if results and played and cells.index(results[0]) < cells.index(played[-1]):
            raise self._stop(played[-1], "AFTER_RESULT", "the game is over", "the next game")
        for index, cell in enumerate(played):
            self._cell(cell, last=index == len(played) - 1)
        self._end()

    # the cells

    def _cell(self, cell: Cell, *, last: bool) -> None:
        assert cell.seat is not None  # only a result may stand where nobody's column is
        if cell.kind is CellKind.ROLL:
            self._roll(cell, cell.seat, last=last)
        elif cell.kind is CellKind.DOUBLE and self.engine.phase is not Phase.DOUBLED:
            value = 2 * self.engine.cube.value
            if cell.value not in (None, value):
                raise self._stop(
                    cell, "BAD_CUBE", f"Doubles => {cell.value}", f"Doubles => {value}"
                )
            self._do(Action.double(cell.seat), cell)
        elif cell.kind in (CellKind.DOUBLE, CellKind.BEAVER):
            raise self._stop(cell, "NO_BEAVERS", "a double of a double", "Takes or Drops")
        elif cell.kind is CellKind.TAKE:
            self._do(Action.take(cell.seat), cell)
        else:
            self._do(Action.drop(cell.seat), cell)

    def _roll(self, cell: Cell, seat: Seat, *, last: bool) -> None:
        high, low = sorted(cell.dice, reverse=True)
        if self.engine.phase is Phase.THROW:
            if high == low:
                raise self._stop(
                    cell, "BAD_DICE", f"opening roll {high}{low}", "two different numbers"
                )
            self._do(Action.throw(*((high, low) if seat is Seat.WHITE else (low, high))), cell)
        else:
            self._do(Action.roll(seat, *cell.dice), cell)
        if cell.unknown:
            self.flags.add("????")
            if not last:
                raise self._stop(cell, "PLAY_UNKNOWN", f"{high}{low}: {cell.play}", "a play")
            return
        plays = self.engine.plays
        if not cell.play and last and not plays.nothing_playable:
            return  # rolled, then given up
        self._do(Action.play(seat, cell.play), cell)

    def _do(self, action: Action, cell: Cell) -> None:
        try:
            self.match = self.match.after(action)
        except (IllegalAction, NotationError) as error:
            message = f"{_dice(cell)}{error}"
            if action.kind is Kind.PLAY:
                plays = self.engine.plays
                some = f"{plays[0]} is one of {len(plays)} legal plays"
                message += f"; {'nothing can be played' if plays.nothing_playable else some}"
            raise _Stop(RowFault(cell.line, error.reason, message)) from error

    def _stop(self, cell: Cell, reason: str, found: str, expected: str) -> _Stop:
        return _Stop(RowFault(cell.line, reason, f"{found}: expected {expected}"))

    # the end

    def _recorded(self, results: Sequence[Cell]) -> _Recorded | None:
        """What the result cells say, or else the score before the next game."""
        wins = [cell for cell in results if cell.kind is CellKind.WINS]
        losses = [cell for cell in results if cell.kind is CellKind.LOSES]
        if losses:
            self.flags.add("losses-line" if losses[0].own_line else "losses-row")
        if len(wins) > 1 or len(losses) > 1:
            raise self._stop(results[-1], "TWO_RESULTS", "a second result", "one a game")
        winners = {cell.seat for cell in wins if cell.seat is not None}
        winners |= {cell.seat.other for cell in losses if cell.seat is not None}
        if len(winners) > 1 or len({cell.value for cell in results}) > 1:
            raise self._stop(results[-1], "TWO_RESULTS", "results that differ", "one result")
        told = self._told_by_score()
        if not results:
            return told
        winner = winners.pop() if winners else told.winner if told else None
        return _Recorded(winner, results[0].value or 0, results[0].line)

    def _told_by_score(self) -> _Recorded | None:
        if self.after is None:
            return None
        gained = tuple(new - old for new, old in zip(self.after, self.text.score, strict=True))
        if min(gained) != 0 or max(gained) <= 0:
            return None
        winner = Seat.WHITE if gained[0] else Seat.BLACK
        return _Recorded(winner, max(gained), self.text.last_line, written=False)

    def _end(self) -> None:
        """Compares how the file says the game ended with what the engine says."""
        recorded = self.recorded
        if recorded and not recorded.written:
            self.flags.add("no-result")
        if self.engine.result is None:
            if recorded is None:
                self.flags.add("unfinished")
                line, number = self.text.last_line, self.text.number
                message = f"game {number} has no result: expected a line such as Wins 1 point"
                self.faults.append(RowFault(line, "NO_RESULT", message))
                return
            self._give_up(recorded)
        result = self.engine.result
        assert result is not None
        self.ended_by = ENDED_BY.get(result.ending, str(result.ending))
        if result.ending is Ending.RESIGNED:
            return
        self.level = str(result.level)
        self.by_rule = self._by_rule(result.level, result.ending)
        if recorded is None:
            self.flags.add("no-result")
            return
        if recorded.winner is None:
            recorded.winner = result.winner
        if recorded.winner is not result.winner:
            found, right = _number(recorded.winner), _number(result.winner)
            raise self._bad_result("WRONG_WINNER", f"player {found} wins", f"player {right}")
        if result.points != self.by_rule:
            self.flags.add("jacoby")
        if recorded.points != result.points:
            if not self._capped(recorded.points, result.points):
                raise self._bad_result(
                    "BAD_POINTS", f"Wins {recorded.points}", f"Wins {result.points}"
                )
            self.flags.add("capped-at-length")

    def _by_rule(self, level: Level, ending: Ending) -> int:
        value = 1 if ending is Ending.DROPPED else self.match.rules.value(level)
        return value * self.engine.cube.value

    def _capped(self, points: int, rule: int) -> bool:
        """Whether a server wrote no more points than the match is long, or than were needed to win it."""
        needed = (
            self.whole.length - self.text.score[self.recorded.winner or 0] if self.recorded else 0
        )
        return points < rule and points in (self.whole.length, needed)

    def _bad_result(self, reason: str, found: str, expected: str) -> _Stop:
        line = self.recorded.line if self.recorded else self.text.last_line
        return _Stop(RowFault(line, reason, f"{found}: expected {expected}"))

    def _give_up(self, recorded: _Recorded) -> None:
        """The board is not finished, so somebody resigned; how much the points tell (M9)."""
        if recorded.winner is None:
            raise self._bad_result(
                "NO_WINNER", f"Wins {recorded.points}", "the column of the winner"
            )
        loser = recorded.winner.other
        cell = Cell(CellKind.WINS, recorded.winner, recorded.line, 1)
        if self.engine.phase is Phase.DOUBLED and self.engine.decider is loser:
            self._do(Action.drop(loser), cell)
            return
        cube = self.engine.cube.value
        level = self._level_given_up(recorded, loser)
        exact, rest = divmod(recorded.points, cube)
        values = {self.match.rules.value(one): one for one in self.match.rules.levels}
        if rest == 0 and exact in values:
            self.level = str(values[exact])
        if recorded.points > cube * max(values):
            self.flags.add("absurd-points")
        self._do(Action.resign(loser, level), cell)
        if self.engine.offer:
            self._do(Action.answer_resignation(recorded.winner, accept=True), cell)

    def _level_given_up(self, recorded: _Recorded, loser: Seat) -> Level:
        """The lowest level that is worth the points; a single where no level is."""
        possible = self.engine.levels(loser) or (Level.SINGLE,)
        cube = self.engine.cube.value
        worth = {level: self.match.rules.value(level) * cube for level in possible}
        if recorded.points > max(worth.values()) and recorded.points % cube == 0:
            wanted = recorded.points // cube
            if wanted <= max(map(self.match.rules.value, self.match.rules.levels)):
                self.flags.add("level-not-possible")
        enough = [level for level, points in worth.items() if points >= recorded.points]
        return enough[0] if enough else Level.SINGLE

    # the report

    def report(self, *, broken: bool) -> GameReport:
        """What the game came to."""
        recorded, result = self.recorded, self.engine.result
        if broken and self.ended_by == UNFINISHED and "unfinished" not in self.flags:
            self.ended_by = BROKEN
            self.flags.add("illegal-row")
        winner = recorded.winner if recorded else result.winner if result else None
        cells = self.text.cells
        return GameReport(
            number=self.text.number,
            score=self.text.score,
            winner=winner,
            points=recorded.points if recorded else None,
            points_by_rule=self.by_rule,
            ended_by=self.ended_by,
            level=self.level,
            cube=self.engine.cube.value,
            rolls=sum(cell.kind is CellKind.ROLL for cell in cells),
            doubles=sum(cell.kind is CellKind.DOUBLE for cell in cells),
            flags=tuple(sorted(self.flags, key=_order)),
        )


_FLAGS = (
    "money-single-game",
    "????",
    "absurd-points",
    "capped-at-length",
    "jacoby",
    "losses-row",
    "losses-line",
    "row-number-inside-row",
)


def _order(flag: str) -> tuple[int, str]:
    return (_FLAGS.index(flag) if flag in _FLAGS else len(_FLAGS), flag)


def _dice(cell: Cell) -> str:
    return f"{cell.dice[0]}{cell.dice[1]}: " if cell.kind is CellKind.ROLL else ""


def _number(seat: Seat | None) -> int | None:
    return None if seat is None else seat + 1


_LINE = re.compile(r"line (\d+)")


def line_of(fault: Fault) -> int:
    """The line that a reader's fault is about."""
    found = _LINE.match(fault.field)
    return int(found[1]) if found else 1
