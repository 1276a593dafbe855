"""One game of a match file against the engine: its cells as actions, and what the game came to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from bgcore.action import Action, Kind
from bgcore.axes import OpeningRoll
from bgcore.errors import IllegalAction, NotationError
from bgcore.game import Game
from bgcore.game_report import (
    BROKEN,
    ENDED_BY,
    UNFINISHED,
    UNKNOWN,
    GameReport,
    in_order,
    level_word,
    number_of,
    points_by_rule,
)
from bgcore.match import Match
from bgcore.notation.match_text import RESULTS, Cell, CellKind, GameText, MatchText
from bgcore.outcome import Ending, Level, Result
from bgcore.phase import Phase
from bgcore.recorded_result import RecordedResult, recorded_result
from bgcore.row_fault import RowFault, Stop
from bgcore.seat import Seat


class GameReplay:
    """One game of a file against the engine."""

    def __init__(self, whole: MatchText, index: int, match: Match) -> None:
        self.whole, self.text, self.match = whole, whole.games[index], match
        last = index + 1 == len(whole.games)
        self.next: GameText | None = None if last else whole.games[index + 1]
        self.line = self.text.names_line  # of the cell that is being played
        self.faults: list[RowFault] = []
        self.flags: set[str] = set()
        self.recorded: RecordedResult | None = None
        self.level = UNKNOWN
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
        """Replays the cells as far as they hold; what does not is in `faults`."""
        try:
            self._run()
        except Stop as stop:
            self.faults.append(stop.fault)
        except Exception as problem:  # of a variant's code
            self.faults.append(RowFault.of(self.line, problem))

    def _run(self) -> None:
        cells = self.text.cells
        if self.whole.is_money_game:
            self.flags.add("money-single-game")
        if self.text.row_inside_row:
            self.flags.add("row-number-inside-row")
        # That somebody resigns is said once more by the result.
        silent = (*RESULTS, CellKind.RESIGNS)
        played = [cell for cell in cells if cell.kind not in silent]
        results = [cell for cell in cells if cell.kind in RESULTS]
        self.recorded = self._recorded(results)
        if results and played and cells.index(results[0]) < cells.index(played[-1]):
            raise self._stop(played[-1], "AFTER_RESULT", "the game is over", "the next game")
        self._ties()
        for index, cell in enumerate(played):
            self._cell(cell, last=index == len(played) - 1)
        self._end()

    # the cells

    def _ties(self) -> None:
        """The ties that doubled the stake, of which no numbers are told: 1-1 stands for each (M6)."""
        value = 1 << self.text.given.automatic
        tie = Cell(CellKind.ROLL, None, self.line, 1, (1, 1))
        for _ in range(self.text.given.automatic):
            self._do(Action.throw(1, 1), tie)
        if value > 1 and self.engine.cube.value != value:
            found = f"a cube of {value} before the first roll"
            raise self._stop(tie, "BAD_CUBE", found, f"{self.engine.cube.value}")

    def _cell(self, cell: Cell, *, last: bool) -> None:
        self.line = cell.line
        assert cell.seat is not None  # only a result may stand where nobody's column is
        if cell.kind is CellKind.ROLL:
            self._roll(cell, cell.seat, last=last)
        elif cell.kind in (CellKind.DOUBLE, CellKind.ANIMAL):
            self._double(cell, cell.seat)
        elif cell.kind is CellKind.TAKE:
            self._do(Action.take(cell.seat), cell)
        else:
            self._do(Action.drop(cell.seat), cell)

    def _double(self, cell: Cell, seat: Seat) -> None:
        """A double, or the beaver or raccoon that answers one; a value that stands there must be right."""
        engine = self.engine
        on_offer = engine.phase is Phase.DOUBLED
        if cell.kind is CellKind.ANIMAL and not on_offer:
            raise self._stop(cell, "NO_DOUBLE", "a beaver", "a double before it")
        if on_offer and Kind.ANIMAL not in engine.decision.kinds:
            raise self._stop(cell, "NO_BEAVERS", "a double of a double", "Takes or Drops")
        if cell.value not in (None, 2 * engine.asked):
            found, expected = f"Doubles => {cell.value}", f"Doubles => {2 * engine.asked}"
            raise self._stop(cell, "BAD_CUBE", found, expected)
        if not on_offer and engine.phase is Phase.THROW:
            self._start(seat, cell)
        self._do(Action.animal(seat) if on_offer else Action.double(seat), cell)

    def _start(self, seat: Seat, cell: Cell) -> None:
        """Lets a seat begin where it is told that it does but not by what throw: 2-1 stands for it."""
        if self.match.rules.variant.opening_roll is not OpeningRoll.PLAY_DICE:
            self._do(Action.throw(*((2, 1) if seat is Seat.WHITE else (1, 2))), cell)

    def _roll(self, cell: Cell, seat: Seat, *, last: bool) -> None:
        high, low = sorted(cell.dice, reverse=True)
        opening = self.match.rules.variant.opening_roll
        if self.engine.phase is Phase.DOUBLED and self.engine.raised > 1:
            # Whoever rolls after a beaver, or whose opponent does, has taken it.
            self._do(Action.take(self.engine.seat_of_answer), cell)
        # A throw stands there with the higher number first; else the starter has thrown anew.
        anew = opening is OpeningRoll.STARTER_CHOOSES and cell.dice[0] <= cell.dice[1]
        if self.engine.phase is Phase.THROW and (opening is OpeningRoll.REROLL or anew):
            self._start(seat, cell)
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
        self.match = self._after(action, cell)

    def _after(self, action: Action, cell: Cell) -> Match:
        try:
            return self.match.after(action)
        except (IllegalAction, NotationError) as error:
            message = f"{_dice(cell)}{error}"
            if action.kind is Kind.PLAY:
                plays = self.engine.plays
                some = f"{plays[0]} is one of {len(plays)} legal plays"
                message += f"; {'nothing can be played' if plays.nothing_playable else some}"
            raise Stop(RowFault(cell.line, error.reason, message)) from error

    def _stop(self, cell: Cell, reason: str, found: str, expected: str) -> Stop:
        return Stop(RowFault(cell.line, reason, f"{found}: expected {expected}"))

    # the end

    def _recorded(self, results: Sequence[Cell]) -> RecordedResult | None:
        losses = [cell for cell in results if cell.kind is CellKind.LOSES]
        if losses:
            self.flags.add("losses-line" if losses[0].own_line else "losses-row")
        return recorded_result(self.text, self.next, results)

    def _end(self) -> None:
        """Compares how the file says the game ended with what the engine says."""
        recorded = self.recorded
        if self.engine.result is None and recorded is None:
            self.flags.add("unfinished")
            if self.text.given.may_stop and self.next is None:
                return
            found = f"game {self.text.number} has no result"
            raise self._bad_result("NO_RESULT", found, "a line such as Wins 1 point")
        if recorded is None or not recorded.written:
            self.flags.add("no-result")
        if self.engine.result is None and recorded:
            self.recorded = self._named(recorded)
            self._give_up(self.recorded)
        result = self.engine.result
        assert result is not None
        self._came_to(result)
        if self.recorded:
            self._agrees(self.recorded, result)

    def _came_to(self, result: Result) -> None:
        """Notes how the game ended by the rules."""
        self.ended_by = ENDED_BY.get(result.ending, str(result.ending))
        if result.ending is not Ending.RESIGNED:
            self.level = level_word(result)
            self.by_rule = points_by_rule(self.match.rules, result)
            if result.points != self.by_rule:
                self.flags.add("jacoby")

    def _agrees(self, recorded: RecordedResult, result: Result) -> None:
        """Holds winner and points of the file against how the game ended."""
        if recorded.winner is None:
            self.recorded = recorded = replace(recorded, winner=result.winner)
        if recorded.winner is not result.winner:
            wrong, right = number_of(recorded.winner), number_of(result.winner)
            raise self._bad_result("WRONG_WINNER", f"player {wrong} wins", f"player {right}")
        if result.ending is not Ending.RESIGNED and recorded.points != result.points:
            if not recorded.is_capped(self.whole, self.text.score, result.points):
                found = f"Wins {recorded.points}"
                raise self._bad_result("BAD_POINTS", found, f"Wins {result.points}")
            self.flags.add("capped-at-length")
        self._check_match_won(recorded)

    def _check_match_won(self, recorded: RecordedResult) -> None:
        """A line that says so must end the match, by its points or by the rule's. Many say nothing.

        In a money session, where nothing can be won but games, the words are not held against it.
        """
        length = self.match.length
        if not recorded.over or length is None or recorded.winner is None:
            return
        score = self.score_after[recorded.winner]
        if score < length and self.match.winner is not recorded.winner:
            expected = f"no more than Wins {recorded.points}, as that makes {score} of {length}"
            raise self._bad_result("MATCH_NOT_WON", "and the match", expected)

    def _bad_result(self, reason: str, found: str, expected: str) -> Stop:
        line = self.recorded.line if self.recorded else self.text.last_line
        return Stop(RowFault(line, reason, f"{found}: expected {expected}"))

    def _named(self, recorded: RecordedResult) -> RecordedResult:
        """A result of a game that ended unplayed, with its winner, which the board does not tell."""
        winner = self._not_played(recorded) if recorded.winner is None else recorded.winner
        if winner is None:
            found = f"Wins {recorded.points}"
            raise self._bad_result("NO_WINNER", found, "the column of the winner")
        return replace(recorded, winner=winner)

    def _give_up(self, recorded: RecordedResult) -> None:
        """The board is not finished, so somebody resigned; how much the points tell (M9)."""
        assert recorded.winner is not None
        loser = recorded.winner.other
        cell = Cell(CellKind.WINS, recorded.winner, recorded.line, 1)
        if self.engine.phase is Phase.DOUBLED and self._dropped(loser, recorded, cell):
            return
        cube = self.engine.cube.value
        exact, rest = divmod(recorded.points, cube)
        values = {self.match.rules.value(one): one for one in self.match.rules.levels}
        if rest == 0 and exact in values:
            self.level = str(values[exact])
        if recorded.points > cube * max(values, default=self.match.rules.variant.checkers):
            self.flags.add("absurd-points")
        ways = [self._resigned(offer, loser, cell) for offer in self._offers(loser)]
        self.match = self._fitting(ways, recorded)

    def _offers(self, loser: Seat) -> list[Action]:
        """Every way in which `loser` may have resigned, the cheapest first."""
        if most := self.engine.points_to_resign(loser):
            return [Action.resign_points(loser, points) for points in range(1, most + 1)]
        levels = self.engine.levels(loser) or (Level.SINGLE,)
        return [Action.resign(loser, level) for level in levels]

    def _not_played(self, recorded: RecordedResult) -> Seat | None:
        """Whose roll stands before the result without a play: GNU Backgammon writes that he wins there."""
        last = [cell for cell in self.text.cells if cell.kind not in RESULTS][-1:]
        found = [cell.seat for cell in last if cell.kind is CellKind.ROLL and not cell.play]
        return found[0] if found and last[0].line == recorded.line else None

    def _dropped(self, loser: Seat, recorded: RecordedResult, cell: Cell) -> bool:
        """Whether a double on offer was refused; a beaver that the points do not refuse is taken."""
        if self.engine.raised > 1:
            refused = self.engine.refusable and self.engine.decider is loser
            if not refused or recorded.points != self.engine.asked // 2:
                self._do(Action.take(self.engine.seat_of_answer), cell)
                return False
        if self.engine.decider is not loser:
            return False
        self._do(Action.drop(loser), cell)
        return True

    def _resigned(self, offer: Action, loser: Seat, cell: Cell) -> Match:
        """The match after an accepted resignation."""
        match = self._after(offer, cell)
        if match.game.offer:
            match = match.after(Action.answer_resignation(loser.other, accept=True))
        return match

    def _fitting(self, ways: Sequence[Match], recorded: RecordedResult) -> Match:
        """The resignation at the lowest level that explains the points.

        What no level explains is passed over as nonsense only where it does no harm: too many points
        in the last game, which then counts as a single.
        """
        worth = [way.game.result.points if way.game.result else 0 for way in ways]
        for way, points in zip(ways, worth, strict=True):
            if points == recorded.points:
                return way
        for way, points in zip(ways, worth, strict=True):
            if recorded.is_capped(self.whole, self.text.score, points):
                return way
        if "absurd-points" in self.flags and self.next is None:
            return ways[0]
        self.ended_by = ENDED_BY[Ending.RESIGNED]
        *others, last = map(str, sorted(set(worth)))
        expected = f"Wins {', '.join(others)} or {last}" if others else f"Wins {last}"
        raise self._bad_result("BAD_POINTS", f"Wins {recorded.points}", expected)

    # the report

    def report(self) -> GameReport:
        """What the game came to."""
        recorded, result = self.recorded, self.engine.result
        if self.faults and self.ended_by == UNFINISHED and "unfinished" not in self.flags:
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
            flags=in_order(self.flags),
        )


def _dice(cell: Cell) -> str:
    return f"{cell.dice[0]}{cell.dice[1]}: " if cell.kind is CellKind.ROLL else ""
