"""How a match file says that a game ended: by result lines, or only by the score that follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bgcore.notation.match_text import Cell, CellKind, GameText, MatchText
from bgcore.row_fault import RowFault, Stop
from bgcore.seat import Seat


@dataclass(frozen=True, slots=True)
class RecordedResult:
    """Who won how much by the file, and in which line that stands.

    `winner` is `None` where only the game can tell; `written` when a result line says it, not the score
    that follows; `over` when it says "and the match".
    """

    winner: Seat | None
    points: int
    line: int
    written: bool = True
    over: bool = False

    def is_capped(self, match: MatchText, score: tuple[int, int], rule: int) -> bool:
        """Whether a server wrote fewer points than the `rule` gives because they win the match anyway.

        They may reach a stake's cap as well: that is the length, or what was needed from `score` on, or
        whatever stands with "and the match".
        """
        length = match.length
        needed = length - score[self.winner or 0]
        if not length or not 0 < self.points < rule:
            return False
        return self.points in (length, needed) or (self.over and rule >= needed)


def recorded_result(
    game: GameText, following: GameText | None, results: Sequence[Cell]
) -> RecordedResult | None:
    """What the result cells of a game say, or else the score before the game that follows.

    `Stop` where they contradict each other.
    """
    wins = [cell for cell in results if cell.kind is CellKind.WINS]
    losses = [cell for cell in results if cell.kind is CellKind.LOSES]
    if len(wins) > 1 or len(losses) > 1:
        raise _two(results, "a second result", "one a game")
    winners = {cell.seat for cell in wins if cell.seat is not None}
    winners |= {cell.seat.other for cell in losses if cell.seat is not None}
    if len(winners) > 1 or len({cell.value for cell in results}) > 1:
        raise _two(results, "results that differ", "one result")
    told = _told_by_score(game, following)
    if not results:
        return told
    winner = winners.pop() if winners else told.winner if told else None
    over = any(cell.match for cell in results)
    return RecordedResult(winner, results[0].value or 0, results[0].line, over=over)


def _told_by_score(game: GameText, following: GameText | None) -> RecordedResult | None:
    if following is None:
        return None
    gained = tuple(new - old for new, old in zip(following.score, game.score, strict=True))
    if min(gained) != 0 or max(gained) <= 0:
        return None
    winner = Seat.WHITE if gained[0] else Seat.BLACK
    return RecordedResult(winner, max(gained), game.last_line, written=False)


def _two(results: Sequence[Cell], found: str, expected: str) -> Stop:
    return Stop(RowFault(results[-1].line, "TWO_RESULTS", f"{found}: expected {expected}"))
