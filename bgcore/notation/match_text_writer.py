"""Records as match text, in the form that GNU Backgammon exports.

A word is one step (`25/20* 8/3`, the farthest first, `0` is off), a roll stands as it was thrown, and a
result on a line of its own under the winner's column, or in the loser's row where that is open.
GNU BG reads it, and writes the same lines again, but for "and the match", which it leaves out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from bgcore.action import Action, Kind
from bgcore.errors import BgcoreError, Fault, NotationError, PluginFailed
from bgcore.match import Match
from bgcore.notation.match_text_header import cleaned_name, header_lines
from bgcore.outcome import Result
from bgcore.play import Play
from bgcore.position import UNENTERED
from bgcore.record import Record
from bgcore.registry import Registry
from bgcore.replay import replayed
from bgcore.seat import Seat

NOT_SAID = "NOT_IN_MATCH_TEXT"
ANIMALS = {2: "Beavers", 3: "Raccoons"}
"""What is written for a double that answers so many offers before it, itself counted; later ones double."""


def write_match_text(records: Sequence[Record], registry: Registry) -> str:
    r"""One text with the match of each record; reading it gives the same matches.

    The same: names, score, length and every option; each game's rolls, the position after each play,
    cube actions, winner and points. Left out, as it changes none of that, is what was offered in vain
    (declined resignations), the ties of the opening throw, the throw itself where its numbers are not
    played, the level of a resignation that counts as a single anyway, that time and not a player gave
    a game up, and that a session was ended. In names and headers each run of control characters and
    blanks becomes one blank, and what would end a name (`:`, a rating behind a comma) is written otherwise.

    `NotationError` names what match text cannot say: a match whose games change variant, a start from a
    position, a stake raised by an automatic double, a turn of several parts or rolls or of three dice, illegal
    plays that were corrected, a match that was not lost by points, anything else that would be read as
    another match.
    `IllegalAction`, `OptionError` and `NotRegistered` come from the record itself.

    >>> from bgcore import Action, Match, Seat, load
    >>> match = Match.new(load().rules("western", options={"match_length": 1}))
    >>> match = match.after(Action.throw(3, 1)).after(Action.play(Seat.WHITE, "8/5 6/5"))
    >>> match = match.after(Action.roll(Seat.BLACK, 6, 4)).after(Action.play(Seat.BLACK, "24/14"))
    >>> print(write_match_text([Record.of(match, ("ann", "bob"))], load()))
    ; [Variation "Backgammon"]
    ; [Crawford "On"]
    ; [CubeLimit "64"]
    <BLANKLINE>
     1 point match
    <BLANKLINE>
     Game 1
     ann : 0                        bob : 0
      1) 31: 8/5 6/5                 64: 24/18 18/14
    <BLANKLINE>
    """
    if not records:
        raise NotationError(Fault(NOT_SAID, "records", "none", "at least one match"))
    return "\n".join(_proved(record, registry) for record in records)


def _proved(record: Record, registry: Registry) -> str:
    """The text of a record, which what is read from it has as well."""
    if record.spec is not None:
        raise _unsayable("variant", f"{record.variant} is made of house rules", "an installed one")
    text = _text(record, registry)
    try:
        [read] = replayed(text, registry)
        if not read.breaks_off:
            for fault in read.report.faults:
                raise _unsayable("record", f"it reads {fault}")
        again = _text(read.record, registry)
    except PluginFailed:
        raise
    except (BgcoreError, ValueError) as error:
        raise _unsayable("record", f"it reads {error}") from error
    if again != text:
        lines = zip(text.splitlines(), again.splitlines(), strict=False)
        wrote, reads = next((pair for pair in lines if pair[0] != pair[1]), ("more", "less"))
        raise _unsayable("record", f"{wrote.strip()} reads {reads.strip()}")
    return text


def _unsayable(
    field: str, what: str, expected: str = "what is read as the same match"
) -> NotationError:
    told = f"expected {expected}; `record` can say it"
    message = f"{field}: match text cannot say it: {what}, {told}"
    return NotationError(Fault(NOT_SAID, field, what, expected, message))


def _text(record: Record, registry: Registry) -> str:
    if record.rotation is not None:
        raise _unsayable("rotation", "games of several variants", "a match of one variant")
    rules = record.rules(registry)
    if rules.variant.dice != 2:
        raise _unsayable("variant", f"a roll of {rules.variant.dice} dice", "two dice")
    if record.start.position is not None:
        raise _unsayable("start", "a start from a position", "a match from its beginning")
    match = Match.new(rules, record.start)
    games = [_Game(1, match.score)]
    for index, action in enumerate(record.actions):
        before, match = match, match.after(action)
        if action.kind is Kind.NEXT_GAME:
            games.append(_Game(len(games) + 1, match.score))
        else:
            games[-1].add(before, match, action, f"action {index}")
    head = header_lines(record, registry, games=len(games))
    names = cleaned_name(record.names[0]), cleaned_name(record.names[1])
    lines = [*head, "", f" {match.length or 0} point match"]
    for game in games:
        lines += ["", *game.lines(names)]
    return "\n".join([*lines, ""])


# -- a game ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Game:
    """A game's cells in the order of play, then its result."""

    number: int
    score: tuple[int, int]
    cells: list[tuple[Seat, str]] = field(default_factory=list)
    result: Result | None = None
    over: bool = False  # and the match with it
    beaver: str = ""  # a taken beaver that no cell says yet

    def add(self, before: Match, after: Match, action: Action, where: str) -> None:
        """Writes an action down; `NotationError` names one that cannot be."""
        seat = action.seat
        taken, self.beaver = self.beaver, ""
        if taken and action.kind is not Kind.ROLL:
            self._put(before.game.seat, taken)
        if action.kind is Kind.THROW:
            self._throw(before, after, where)
        elif action.kind is Kind.ROLL:
            if before.game.thrown:
                self.cells.pop()  # `starter_chooses`: the numbers that were thrown are not played
            elif before.game.rolled:
                raise _unsayable(where, "another roll in one turn", "one roll a turn")
            self._roll(after, action.dice, where)
        elif action.kind is Kind.PLAY:
            self._play(before, after, action, where)
        elif action.kind in (Kind.DOUBLE, Kind.ANIMAL):
            word = ANIMALS.get(after.game.raised, "Doubles")
            self._put(seat, f" {word} => {after.game.asked}")
        elif action.kind is Kind.TAKE and before.game.raised == 2:
            # Programs that know beavers let the doubler roll, and some stumble over a word.
            self.beaver = " Takes"
        elif action.kind is Kind.TAKE:
            self._put(seat, " Takes")
        elif action.kind is Kind.DROP:
            self._put(seat, " Drops")
        elif action.kind is Kind.NAME_DOUBLE:
            raise _unsayable(where, "a double that a player names", "one play a roll")
        elif action.kind not in SILENT or after.conceded:
            raise _unsayable(where, str(action.kind), "a match won by points")
        if after.game.result and not before.game.result:
            self.result, self.over = after.game.result, after.winner is not None

    def _put(self, seat: Seat | None, text: str) -> None:
        assert seat is not None  # the engine has taken the action
        self.cells.append((seat, text))

    def _throw(self, before: Match, after: Match, where: str) -> None:
        if after.game.cube != before.game.cube:
            what = f"an automatic double to {after.game.cube.value}"
            raise _unsayable(where, what, "a stake that only doubles raise")
        if after.game.dice:
            self._roll(after, tuple(sorted(after.game.dice, reverse=True)), where)

    def _roll(self, after: Match, dice: tuple[int, ...], where: str) -> None:
        if len(after.game.turn.parts) > 1:
            raise _unsayable(where, "a turn of several parts", "one play a roll")
        self._put(after.game.seat, f"{dice[0]}{dice[1]}:")

    def _play(self, before: Match, after: Match, action: Action, where: str) -> None:
        if after.game.turn.parts and not after.game.result:
            raise _unsayable(where, "a turn of several parts", "one play a roll")
        try:
            play = before.game.play_of(action)
        except PluginFailed:
            raise
        except BgcoreError as error:  # it stood all the same (M11)
            raise _unsayable(where, f"an illegal play, {error}", "legal plays") from error
        seat, roll = self.cells.pop()
        self._put(seat, f"{roll} {plain(play)}".rstrip())

    # the lines

    def lines(self, names: tuple[str, str]) -> Iterator[str]:
        """The game as it stands in a file."""
        white, black = (
            f"{name} : {points}" for name, points in zip(names, self.score, strict=True)
        )
        yield f" Game {self.number}"
        yield f" {white:<{NAME}} {black}"
        rows = list(_rows([*self.cells, *self._in_row()]))
        for number, (left, right) in enumerate(rows, 1):
            yield f"{number:>3}) {left:<{CELL}} {right}".rstrip()
        if self.result and not self._in_row() and self.result.winner is not None:
            indent = LEFT_RESULT if self.result.winner is Seat.WHITE else RIGHT_RESULT
            yield " " * indent + self._wins(self.result)

    def _in_row(self) -> list[tuple[Seat, str]]:
        """The result as a cell: Black's, where White's cell is the last."""
        if not self.result or self.result.winner is not Seat.BLACK or not self.cells:
            return []
        last = self.cells[-1][0]
        return [(Seat.BLACK, f" {self._wins(self.result)}")] if last is Seat.WHITE else []

    def _wins(self, result: Result) -> str:
        plural = "" if result.points == 1 else "s"
        return f"Wins {result.points} point{plural}{' and the match' if self.over else ''}"


SILENT = (Kind.RESIGN, Kind.ANSWER_RESIGNATION, Kind.FLAG, Kind.END_SESSION)
"""What no cell says: a game that was given up shows by its result."""
NAME, CELL = 30, 27
LEFT_RESULT, RIGHT_RESULT = 6, 34


def _rows(cells: Sequence[tuple[Seat, str]]) -> Iterator[tuple[str, str]]:
    """Pairs of a left and a right cell."""
    left = ""
    for seat, text in cells:
        if seat is Seat.BLACK:
            yield left, text
            left = ""
            continue
        if left:
            yield left, ""
        left = text
    if left:
        yield left, ""


def plain(play: Play) -> str:
    """A play as single steps, the farthest first, in numbers but for unentered checkers.

    >>> from bgcore import Roll, load
    >>> western = load().rules("western")
    >>> plain(western.plays(western.start, Roll.of(4, 4)).find("24/16 6/2(2)"))
    '24/20 20/16 6/2 6/2'
    """
    marks = {step.target: "*" if step.hit else "^" for step in play.steps if step.hit or step.pin}
    steps = sorted(((step.origin, step.target) for step in play.steps), reverse=True)
    return " ".join(
        f"{'in' if origin == UNENTERED else origin}/{target}{marks.pop(target, '')}"
        for origin, target in steps
    )
