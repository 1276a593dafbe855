"""Matches played by bots, written in the dialects of match text."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby
from random import Random

from bgcore import Action, Kind, Match, Rules, Seat
from bgcore.bot import GreedyBot, RandomBot
from bgcore.outcome import Ending


@dataclass(frozen=True)
class Dialect:
    """How a program writes."""

    right: int = 33  # column of the right cells
    number: str = "{:>3}) "
    bar: str = "bar"
    off: str = "off"
    marks: bool = True
    repeats: bool = True
    compound: bool = True
    nothing: str = ""
    in_cell: bool = True  # the result stands in a cell
    and_the_match: bool = True
    plural: bool = False
    line_end: str = "\n"
    headers: tuple[str, ...] = ()


GALAXY = Dialect(
    bar="25",
    off="0",
    marks=False,
    repeats=False,
    compound=False,
    in_cell=False,
    headers=('; [Site "BackgammonGalaxy"]', '; [CubeLimit "1024"]'),
)
STUDIO = Dialect(
    right=41,
    number="  {}) ",
    nothing="Cannot Move",
    and_the_match=False,
    headers=('; [Site "Backgammon Studio"]', '; [Crawford "On"]'),
)
GAMES_GRID = Dialect(
    right=34, bar="25", off="0", marks=False, repeats=False, compound=False, plural=True
)
GNU = Dialect(right=37, nothing="Cannot Move", in_cell=False, plural=True, line_end="\r\n")
XG = Dialect(right=38, bar="Bar", off="Off", nothing="Cannot Move", in_cell=False)
DIALECTS = {"galaxy": GALAXY, "studio": STUDIO, "gamesgrid": GAMES_GRID, "gnu": GNU, "xg": XG}


def played(rules: Rules, seed: int) -> Match:
    """A match between bots, with doubles that are taken or dropped as it comes."""
    random = Random(seed)
    match = Match.new(rules)
    bots = (GreedyBot(), RandomBot())
    while match.winner is None and len(match.results) < 9:
        match = match.after(choose(match, bots, random))
    return match


def choose(match: Match, bots: Iterable[GreedyBot | RandomBot], random: Random) -> Action:
    decision = match.decision
    if Kind.NEXT_GAME in decision.kinds:
        return Action.next_game()
    if Kind.THROW in decision.kinds:
        return Action.throw(*random.sample(range(1, 7), 2))
    seat = decision.seat
    assert seat is not None
    if Kind.DOUBLE in decision.kinds and random.random() < 0.1:
        return Action.double(seat)
    if Kind.TAKE in decision.kinds:
        return Action.take(seat) if random.random() < 0.7 else Action.drop(seat)
    if Kind.ANSWER_RESIGNATION in decision.kinds:
        return Action.answer_resignation(seat, accept=True)
    if Kind.ROLL in decision.kinds:
        return Action.roll(seat, random.randint(1, 6), random.randint(1, 6))
    if random.random() < 0.003:
        level = random.choice(match.game.levels(seat))
        return Action.resign(seat, level)
    return list(bots)[seat].act(match.game, seat, random)


def write(match: Match, dialect: Dialect, names: tuple[str, str] = ("ann", "bob")) -> str:
    """The whole match in a dialect."""
    lines = [*dialect.headers, "", f"{match.length or 0} point match", ""]
    replay = Match.new(match.rules, match.start)
    writer = _GameWriter(dialect)
    number = 1
    lines += head(dialect, names, number, replay.score)
    for action in match.actions:
        if action.kind is Kind.NEXT_GAME:
            number += 1
            lines += ["", *head(dialect, names, number, replay.score)]
            writer = _GameWriter(dialect)
            replay = replay.after(action)
            continue
        before, replay = replay, replay.after(action)
        writer.add(before, replay, action)
        if replay.game.result:
            lines += writer.finish(replay)
    return dialect.line_end.join([*lines, ""])


def head(
    dialect: Dialect, names: tuple[str, str], number: int, score: tuple[int, int]
) -> list[str]:
    left = f" {names[0]} : {score[0]}"
    return [f" Game {number}", f"{left:<{dialect.right}}{names[1]} : {score[1]}"]


class _GameWriter:
    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.cells: list[tuple[Seat, str]] = []

    def add(self, before: Match, after: Match, action: Action) -> None:
        seat = action.seat
        if action.kind is Kind.THROW:
            # Ties are not written down.
            if after.game.dice:
                self.put(after.game.seat, self.roll(after.game.dice))
        elif action.kind is Kind.ROLL:
            self.put(seat, self.roll(action.dice))
        elif action.kind is Kind.PLAY:
            chosen = before.game.plays
            play = (
                chosen.of_steps(action.steps or ())
                if action.text is None
                else chosen.find(action.text)
            )
            owner, roll = self.cells.pop()
            self.put(owner, f"{roll} {self.play(str(play))}".rstrip())
        elif action.kind is Kind.DOUBLE:
            self.put(seat, f" Doubles => {2 * before.game.cube.value}")
        elif action.kind is Kind.TAKE:
            self.put(seat, " Takes")
        elif action.kind is Kind.DROP:
            self.put(seat, " Drops")

    def put(self, seat: Seat | None, text: str) -> None:
        assert seat is not None
        self.cells.append((seat, text))

    def roll(self, dice: tuple[int, ...]) -> str:
        return "{}{}:".format(*sorted(dice, reverse=True))

    def play(self, text: str) -> str:
        dialect = self.dialect
        steps = text.split()
        if not steps:
            return dialect.nothing
        if dialect.compound and len(steps) == 2:
            (start, middle), (then, end) = (step.split("/") for step in steps)
            if middle == then:
                steps = [f"{start}/{end}"]
            elif middle == f"{then}*":
                steps = [f"{start}/{middle}/{end}"]
        if dialect.repeats:
            groups = [(step, len(list(same))) for step, same in groupby(steps)]
            steps = [step if many == 1 else f"{step}({many})" for step, many in groups]
        text = " ".join(steps)
        if not dialect.marks:
            text = text.replace("*", "")
        return text.replace("bar", dialect.bar).replace("off", dialect.off)

    def finish(self, match: Match) -> list[str]:
        result = match.game.result
        assert result and result.winner is not None
        plural = "s" if self.dialect.plural and result.points > 1 else ""
        over = " and the match" if self.dialect.and_the_match and match.winner is not None else ""
        says = f" Wins {result.points} point{plural}{over}"
        line: list[str] = []
        if self.dialect.in_cell:
            if (
                result.ending is Ending.RESIGNED
                and self.cells
                and self.cells[-1][0] is result.winner
            ):
                self.cells.append((result.winner.other, ""))
            self.cells.append((result.winner, says))
        else:
            indent = 5 if result.winner is Seat.WHITE else self.dialect.right
            line = [" " * indent + says]
        return [*self.rows(), *line]

    def rows(self) -> list[str]:
        rows: list[list[str | None]] = []
        for seat, text in self.cells:
            if not rows or seat is Seat.WHITE or rows[-1][1] is not None:
                rows.append([None, None])
            rows[-1][seat] = text
        lines = []
        for number, (left, right) in enumerate(rows, 1):
            line = self.dialect.number.format(number) + (left or "")
            lines.append(line if right is None else f"{line:<{self.dialect.right - 1}} {right}")
        return lines
