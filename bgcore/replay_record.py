"""bgcore's own records replayed, and the report of any match that is known by its actions.

Where a match text tells only what its columns hold, a record holds the actions themselves; so a report
comes from the match that they lead to, game by game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from bgcore.action import Action, Kind
from bgcore.cycle import Cycle
from bgcore.errors import NotationError
from bgcore.game_report import (
    BROKEN,
    ENDED_BY,
    UNFINISHED,
    UNKNOWN,
    GameReport,
    level_word,
    points_by_rule,
)
from bgcore.match import Match
from bgcore.notation.record_text import RecordText, at_line, read_records
from bgcore.notation.start_json import read_start
from bgcore.notation.unread import OnError, raised
from bgcore.outcome import Ending
from bgcore.plugins import load
from bgcore.record import Record
from bgcore.registry import Registry
from bgcore.replay import EachGame, MatchReport, ReplayedMatch, unwatched
from bgcore.rotation import check_id
from bgcore.row_fault import RowFault


def replayed_records(
    text: str,
    registry: Registry | None = None,
    each_game: EachGame = unwatched,
    on_error: OnError = raised,
) -> Iterator[ReplayedMatch]:
    """Every record of a text, replayed, one by one; `each_game` is called before each of their games.

    `NotationError` at a line that cannot be read, unless `on_error` takes it and the records behind follow.
    What breaks a rule is a fault in the report, and the match then goes only as far as the line before it.

    >>> [match] = replayed_records('''{"bgcore":1,"variant":"western","options":{"match_length":1}}
    ... {"kind":"throw","dice":[3,1]}
    ... {"kind":"resign","seat":"black","level":"single"}
    ... {"kind":"answer_resignation","seat":"white","accept":true}
    ... {"score":[1,0],"winner":"white"}
    ... ''')
    >>> match.report.winner, match.report.games[0].ended_by, match.report.faults
    (<Seat.WHITE: 0>, 'resign', ())
    """
    known = registry or load()
    for record in read_records(text, on_error):
        try:
            match = _replay(record, known, each_game)
        except NotationError as error:  # a start that cannot be read
            on_error(error)
        else:
            yield match


def report_of(match: Match, names: tuple[str, str] = ("", "")) -> MatchReport:
    """What a match came to, with every game of it; it is replayed for that.

    >>> western = load().rules("western")
    >>> report = report_of(Match.new(western).after(Action.throw(3, 1)))
    >>> report.games[0].ended_by, report.winner
    ('unfinished', None)
    """
    tally = Tally(Match.new(match.cycle, match.start))
    for action in match.actions:
        tally.add(action)
    return tally.report(names)


@dataclass(slots=True)
class Tally:
    """A match that is played action by action, and what its games came to so far."""

    match: Match
    games: list[GameReport] = field(default_factory=list)
    faults: list[RowFault] = field(default_factory=list)

    def add(self, action: Action) -> None:
        """One action more; raises what `Match.after` raises, and then nothing has changed."""
        match = self.match.after(action)
        if len(match.results) > len(self.match.results):
            self.games.append(game_report(match))
        self.match = match

    def report(self, names: tuple[str, str]) -> MatchReport:
        """What it all came to. A game that has begun and not ended is in it."""
        match, games = self.match, list(self.games)
        running = match.game.result is None and (match.game.actions or match.game.dice)
        if running or (self.faults and match.game.result is None):
            games.append(game_report(match, broken=bool(self.faults)))
        return MatchReport(
            match.length or 0, names, match.winner, match.score, tuple(games), tuple(self.faults)
        )


def game_report(match: Match, *, broken: bool = False) -> GameReport:
    """What the running game of a match has come to, or the one that has just ended."""
    game, result = match.game, match.game.result
    level, by_rule, ended_by = UNKNOWN, None, BROKEN if broken else UNFINISHED
    flags = () if result else ("illegal-row" if broken else "unfinished",)
    if result:
        level, by_rule = level_word(result), points_by_rule(match.rules, result)
        ended_by = ENDED_BY.get(result.ending, str(result.ending))
        if by_rule != result.points and result.ending is not Ending.DROPPED:
            flags = ("jacoby",)
    elif match.conceded:
        ended_by = ENDED_BY.get(match.conceded.ending, str(match.conceded.ending))
    return GameReport(
        number=match.game_number,
        score=game.terms.score,
        winner=result.winner if result else None,
        points=result.points if result else None,
        points_by_rule=by_rule,
        ended_by=ended_by,
        level=level,
        cube=game.cube.value,
        rolls=sum(game.rolls),
        doubles=sum(action.kind is Kind.DOUBLE for action in game.actions),
        flags=flags,
    )


# -- a record ----------------------------------------------------------------------------------------


def _replay(text: RecordText, registry: Registry, each_game: EachGame) -> ReplayedMatch:
    try:
        cycle = _cycle(text, registry)
        tally = Tally(Match.new(cycle, read_start(text.start, cycle.first)))
    except NotationError as error:
        raise at_line(error, text.line) from None
    except Exception as problem:  # also of a variant's code
        return _nothing_of(text, RowFault.of(text.line, problem))
    actions = _watched(text.actions, each_game)
    tally.faults += _played(tally, zip(actions, text.lines, strict=True))
    if not tally.faults:
        tally.faults += _closing_faults(tally.match, text)
    elif text.rules_version and text.rules_version != cycle.rules_version:
        made, now = text.rules_version, cycle.rules_version
        first = tally.faults[0]
        told = f"{first.message}; recorded under rules {made}, these are {now}"
        tally.faults[0] = replace(first, message=told)
    match = tally.match
    record = Record.of(match, text.names, dict(text.headers), text.dice)
    record = replace(record, rules_version=text.rules_version or record.rules_version)
    return ReplayedMatch(record, match, tally.report(text.names), text.line)


def _cycle(text: RecordText, registry: Registry) -> Cycle:
    """The games that a record names, with options as the record of the match will have them."""
    if text.rotation is not None:
        cycle = registry.cycle(text.rotation, text.options)
        check_id(registry, cycle, text.rules_version)
        return cycle
    which = text.spec or text.variant
    rules = registry.rules(which, options=text.options)
    return Cycle.of(registry.rules(text.spec or rules.variant.id, options=rules.options))


def _watched(actions: Iterable[Action], each_game: EachGame) -> Iterator[Action]:
    """The same actions; `each_game` is called where a game begins."""
    each_game()
    for action in actions:
        if action.kind is Kind.NEXT_GAME:
            each_game()
        yield action


def _played(tally: Tally, actions: Iterable[tuple[Action, int]]) -> Iterator[RowFault]:
    """Adds the actions as far as they hold, and gives the fault of the first that does not."""
    for action, line in actions:
        try:
            tally.add(action)
        except Exception as problem:  # also of a variant's code
            yield RowFault.of(line, problem)
            return


def _closing_faults(match: Match, text: RecordText) -> Iterator[RowFault]:
    """What the last line says otherwise than the match that was played."""
    closing = text.closing
    if closing.score != match.score:
        found, right = ("-".join(map(str, score)) for score in (closing.score, match.score))
        message = f"score {found}: expected {right}, as the games came out"
        yield RowFault(closing.line, "SCORE_MISMATCH", message)
    if closing.winner is not match.winner:
        found, right = (
            "nobody" if one is None else str(one) for one in (closing.winner, match.winner)
        )
        yield RowFault(closing.line, "WRONG_WINNER", f"winner {found}: expected {right}")


def _nothing_of(text: RecordText, fault: RowFault) -> ReplayedMatch:
    report = MatchReport(0, text.names, None, (0, 0), (), (fault,))
    return ReplayedMatch(Record(""), None, report, text.line)
