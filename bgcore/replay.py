"""Match files replayed: every roll, play, cube action, result and score is checked by the engine.

What a file says in its own way becomes the actions of a `Match`, so that the same match can be played
again anywhere; what it says against the rules becomes a fault with its line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Protocol

from bgcore.action import Action
from bgcore.axes import LaterStarter
from bgcore.game import Game
from bgcore.game_report import UNFINISHED, GameReport, number_of
from bgcore.match import Crawford, Match, Start, one_short
from bgcore.notation.match_text import CellKind, GameText, MatchText
from bgcore.notation.match_text_reader import read_matches
from bgcore.notation.unread import OnError, raised
from bgcore.plugins import load
from bgcore.record import Record
from bgcore.registry import Registry
from bgcore.replay_game import GameReplay
from bgcore.replay_options import options_in
from bgcore.row_fault import RowFault
from bgcore.rules import Rules
from bgcore.seat import Seat


class Reader(Protocol):
    """Reads the matches of a text; what cannot be read is raised, or goes to `on_error`."""

    def __call__(self, text: str, on_error: OnError = raised) -> Iterator[MatchText]: ...


EachGame = Callable[[], None]
"""Called before each game that is replayed; what it raises ends the reading."""

BREAKS_OFF = "NO_RESULT"
"""The fault of a match whose last game has no end."""


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
            "winner": number_of(self.winner),
            "score": list(self.score),
            "games": [game.to_json() for game in self.games],
        }


@dataclass(frozen=True, slots=True)
class ReplayedMatch:
    """A match of a file: the record that plays it again, and the report.

    `record.match(registry)` is `match`. With faults it goes only as far as the first of them; without,
    every game of the file is in it. `line` is where it begins.
    """

    record: Record
    match: Match | None
    report: MatchReport
    line: int = 1

    @property
    def breaks_off(self) -> bool:
        """Whether nothing is wrong but that the last game has no end, so that `match` is all there is.

        A game without an end that is followed by another is not that: `match` ends before the other.
        """
        only = [fault.reason for fault in self.report.faults] == [BREAKS_OFF]
        return only and all(UNFINISHED not in game.flags for game in self.report.games[:-1])


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
    >>> match.report.games[0].ended_by, match.report.winner, str(match.record.actions[2].kind)
    ('resign', <Seat.BLACK: 1>, 'resign')
    """
    return list(replayed(text, registry))


def unwatched() -> None:
    """Lets every game be replayed."""


def replayed(
    text: str,
    registry: Registry | None = None,
    read: Reader = read_matches,
    each_game: EachGame = unwatched,
    on_error: OnError = raised,
) -> Iterator[ReplayedMatch]:
    r"""The same, match by match: what comes before a line that cannot be read is given first.

    `read` is the notation's reader: what it gives is the same tree whatever the file looks like. With
    `on_error` it is given what cannot be read, and the matches behind follow. `each_game` is called before
    each game is replayed, and may raise: nobody wants to know any more.

    >>> text = "1 point match\n hello\n1 point match\n Game 1\n ann : 0  bob : 0\n  1) 31: 8/5 6/5\n"
    >>> errors: list[NotationError] = []
    >>> [match.line for match in replayed(text, on_error=errors.append)], str(errors[0])
    ([3], 'line 2 hello: expected both names with their scores, such as ann : 0   bob : 0')
    """
    known = registry or load()
    for match in read(text, on_error):
        yield replace(_replay(match, known, each_game), line=match.line)


# -- a match -----------------------------------------------------------------------------------------


def _replay(text: MatchText, registry: Registry, each_game: EachGame) -> ReplayedMatch:
    try:
        variant, options = options_in(text, registry)
        rules = registry.rules(variant, options=options)
    except Exception as problem:  # also of a variant's code
        return _nothing_of(text, RowFault.of(text.line, problem))
    referee = _Referee(text, rules)
    for index in range(len(text.games)):
        each_game()
        if not referee.game(index):
            break
    report = referee.report()
    record = Record(
        variant,
        {name: rules.options[name] for name in options},  # as values, where a header had words
        referee.start,
        referee.actions,
        report.names,
        rules.variant.rules_version,
        text.headers,
    )
    return ReplayedMatch(record, referee.record, report)


def _nothing_of(text: MatchText, fault: RowFault) -> ReplayedMatch:
    report = MatchReport(text.length, ("", ""), None, (0, 0), (), (fault,))
    return ReplayedMatch(Record(""), None, report)


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
        try:
            match = self._begin(text, first=index == 0)
        except Exception as problem:  # also of a variant's code
            self.faults.append(RowFault.of(text.names_line, problem))
            return False
        # The record ends with the first game that has a fault. A later game that had to begin anew
        # would not follow from its start, so it is never part of it.
        follows = index == 0 or match.begun
        if not follows and not self.faults:
            found = f"game {text.number} follows the end of the match"
            self._fault(text.names_line, "MATCH_OVER", f"{found}: expected no more games")
        recording = follows and not self.faults
        one = GameReplay(self.text, index, match)
        one.run()
        self.faults += one.faults
        self.reports.append(one.report())
        self.score = one.score_after
        self.match = one.match
        if recording:
            self.record = one.match
        return True

    def _begin(self, text: GameText, *, first: bool) -> Match:
        """The match at the first throw of a game, or where it is set up."""
        match = self.match
        if match is not None and match.winner is None and match.game.result:
            follows = match.after(Action.next_game())
            if follows.score == text.score and not text.given.position:
                self._check_crawford(text, follows)
                return follows
        # The first game, or one behind a broken game. Whether the Crawford game has been is not recorded:
        # one point short it has, if somebody doubles.
        been = match is not None and match.crawford is not Crawford.BEFORE
        if one_short(text.score, self.text.length):
            been = been or any(cell.kind is CellKind.DOUBLE for cell in text.cells)
            if text.given.crawford is not None:
                been = not text.given.crawford
        start = Start(score=text.score, crawford=Crawford.AFTER if been else Crawford.BEFORE)
        if text.given.position:
            start = self._set_up(text, start, first=first)
        match = Match.new(self.rules, start)
        if first:
            self.start = start
        elif self.rules.variant.later_starter is not LaterStarter.OPENING_ROLL and text.cells:
            # Who won or started the broken game may be wrong as well, so the file says who starts.
            starter = text.cells[0].seat
            match = replace(match, game=Game.start(self.rules, match.game.terms, starter))
        return match

    def _check_crawford(self, text: GameText, match: Match) -> None:
        told = text.given.crawford and match.cycle.cube  # without a cube it forbids nothing
        if told and match.crawford is not Crawford.NOW:
            found = f"game {text.number} as the Crawford game"
            expected = f"that game only after somebody came to {self.text.length - 1} first"
            self._fault(text.names_line, "CRAWFORD_MISMATCH", f"{found}: expected {expected}")

    def _set_up(self, text: GameText, start: Start, *, first: bool) -> Start:
        """The start of a game that a file sets up. Only a match's first can begin so."""
        given = text.given
        if not first:
            found = f"game {text.number} is set up"
            expected = "only the first game of a match to begin from a position"
            self._fault(given.line, "LATER_SET_UP", f"{found}: expected {expected}")
        position = self.rules.start if given.board is None else self.rules.position(given.board)
        return replace(start, position=position, seat=given.seat, cube=given.cube)

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
        elif self.match and not self.faults:
            winner = self.match.winner  # the record left out points that nobody needed
        return MatchReport(
            text.length, names, winner, self.score, tuple(self.reports), tuple(self.faults)
        )
