"""Matches played by bots, written in the dialects of match text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from random import Random

from bgcore import Action, Kind, Match, Play, Rules, Seat
from bgcore.bot import GreedyBot, RandomBot
from bgcore.outcome import Ending


@dataclass(frozen=True)
class Dialect:
    """How a program writes."""

    right: int = 33  # column of the right cells
    number: str = "{:>3}) "
    name: str = "{name} : {score}"
    bar: str = "bar"
    off: str = "off"
    high_first: bool = False
    marks: bool = True
    repeats: bool = True
    compound: bool = True
    nothing: str = ""
    in_cell: bool = True  # the result stands in a cell
    and_the_match: bool = True
    plural: str = ""  # what a point becomes: one, and many
    taken: bool = True  # a beaver is answered with a word
    line_end: str = "\n"
    headers: tuple[str, ...] = ()


GALAXY = Dialect(
    bar="25",
    off="0",
    high_first=True,
    marks=False,
    repeats=False,
    compound=False,
    in_cell=False,
    headers=(
        '; [Site "BackgammonGalaxy"]',
        '; [Player 1 "{0}"]',
        '; [Player 2 "{1}"]',
        '; [EventTime "07.21"]',
        '; [CubeLimit "1024"]',
    ),
)
STUDIO = Dialect(
    right=41,
    number="  {}) ",
    high_first=True,
    nothing="Cannot Move",
    and_the_match=False,
    headers=(
        '; [Site "Backgammon Studio"]',
        '; [Player 1 "{0}"]',
        '; [Player 2 "{1}"]',
        '; [Crawford "On"]',
    ),
)
GAMES_GRID = Dialect(
    right=34,
    name="{name},1623 : {score}",
    bar="25",
    off="0",
    marks=False,
    repeats=False,
    compound=False,
    plural="s",
)
GNU = Dialect(
    nothing="Cannot Move",
    in_cell=False,
    plural="s",
    headers=('; [EventDate "2024.05.11"]',),
    line_end="\r\n",
)
XG = Dialect(
    right=38,
    bar="Bar",
    off="Off",
    nothing="Cannot Move",
    in_cell=False,
    plural="s",
    taken=False,
    # The header counts the right player first.
    headers=(
        '; [Site "eXtreme Gammon"]',
        '; [Player 1 "{1}"]',
        '; [Player 2 "{0}"]',
        '; [Player 1 Elo "1800.00/0"]',
        '; [Player 2 Elo "1600.00/0"]',
        '; [TimeControl "None"]',
    ),
)
GAMMON_VIEW = Dialect(
    name="{name}: {score}",
    nothing="Cannot Move",
    in_cell=False,
    plural="all",
    headers=(
        '; [Player 1 "{0}"]',
        '; [Player 2 "{1}"]',
        '; [EventTime "14:23"]',
        '; [Jacoby "On"]',
        '; [Beaver "On"]',
        '; [Cubelimit "1024"]',
    ),
)
DIALECTS = {
    "galaxy": GALAXY,
    "studio": STUDIO,
    "gamesgrid": GAMES_GRID,
    "gnu": GNU,
    "xg": XG,
    "gammonview": GAMMON_VIEW,
}


@dataclass(frozen=True)
class Temper:
    """How often, of a hundred times, bots do what is not playing."""

    doubles: float = 10
    takes: float = 70
    beavers: float = 30
    resigns: float = 0.3
    accepts: float = 100


CALM = Temper()
HASTY = Temper(doubles=10, resigns=2, accepts=60)


def played(rules: Rules, seed: int, temper: Temper = CALM, games: int = 9) -> Match:
    """A match between bots, with doubles that are taken, beavered or dropped as it comes."""
    random = Random(seed)
    match = Match.new(rules)
    bots = (GreedyBot(), RandomBot())
    while not match.over and len(match.results) < games:
        match = match.after(choose(match, bots, random, temper))
    return match


def choose(
    match: Match, bots: Sequence[GreedyBot | RandomBot], random: Random, temper: Temper
) -> Action:
    """What happens next."""
    decision = match.decision

    def now(percent: float, kind: Kind) -> bool:
        return kind in decision.kinds and random.random() * 100 < percent

    if Kind.NEXT_GAME in decision.kinds:
        return Action.next_game()
    if Kind.THROW in decision.kinds:
        return Action.throw(random.randint(1, 6), random.randint(1, 6))
    seat = decision.seat
    assert seat is not None
    if now(100, Kind.ANSWER_RESIGNATION):
        return Action.answer_resignation(seat, accept=random.random() * 100 < temper.accepts)
    if now(temper.doubles, Kind.DOUBLE):
        return Action.double(seat)
    if now(temper.beavers, Kind.ANIMAL):
        return Action.animal(seat)
    if now(100 - temper.takes, Kind.DROP):
        return Action.drop(seat)
    if now(100, Kind.TAKE):
        return Action.take(seat)
    quitter = random.choice((seat, seat.other))
    if match.game.levels(quitter) and random.random() * 100 < temper.resigns:
        return Action.resign(quitter, random.choice(match.game.levels(quitter)))
    if Kind.ROLL in decision.kinds:
        return Action.roll(seat, random.randint(1, 6), random.randint(1, 6))
    return bots[seat].act(match.game, seat, random)


def write(match: Match, dialect: Dialect, names: tuple[str, str] = ("ann", "bob")) -> str:
    """The whole match in a dialect."""
    headers = (header.format(*names) for header in dialect.headers)
    lines = [*headers, "", f"{match.length or 0} point match", ""]
    replay = Match.new(match.rules, match.start)
    writer = _GameWriter(dialect)
    number = 1
    lines += head(dialect, names, number, replay.score)
    for action in match.actions:
        if action.kind is Kind.NEXT_GAME:
            number += 1
            replay = replay.after(action)
            lines += ["", *head(dialect, names, number, replay.score)]
            writer = _GameWriter(dialect)
            continue
        before, replay = replay, replay.after(action)
        writer.add(before, replay, action)
        if replay.game.result:
            lines += writer.finish(replay)
    return dialect.line_end.join([*lines, ""])


def head(
    dialect: Dialect, names: tuple[str, str], number: int, score: tuple[int, int]
) -> list[str]:
    left, right = (
        dialect.name.format(name=name, score=points)
        for name, points in zip(names, score, strict=True)
    )
    return [f" Game {number}", f" {left:<{dialect.right - 1}}{right}"]


def _joined(play: Play) -> list[str]:
    """The steps with those of one checker in one word, what it hits on its way marked."""
    paths: list[list[str]] = []
    highest = max(step.number for step in play.steps)
    for step in play.steps:
        origin, target = str(step).split("/")
        for path in paths:
            # Where a number alone bears the checker off, one word would mean that number.
            alone = step.target == 0 and path[0] != "bar" and int(path[0]) <= highest
            if path[-1].rstrip("*") == origin and not alone:
                path.append(target)
                break
        else:
            paths.append([origin, target])
    return [
        "/".join([path[0], *(stop for stop in path[1:-1] if "*" in stop), path[-1]])
        for path in paths
    ]


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
            self.put(owner, f"{roll} {self.play(play)}".rstrip())
        elif action.kind is Kind.DOUBLE:
            self.put(seat, f" Doubles => {2 * before.game.cube.value}")
        elif action.kind is Kind.ANIMAL:
            word = {2: "Beavers", 3: "Raccoons"}.get(after.game.raised, "Doubles")
            self.put(seat, f" {word} => {after.game.asked}")
        elif action.kind is Kind.TAKE and (before.game.raised == 1 or self.dialect.taken):
            self.put(seat, " Takes")
        elif action.kind is Kind.DROP:
            self.put(seat, " Drops")

    def put(self, seat: Seat | None, text: str) -> None:
        assert seat is not None
        self.cells.append((seat, text))

    def roll(self, dice: tuple[int, ...]) -> str:
        return "{}{}:".format(*sorted(dice, reverse=True) if self.dialect.high_first else dice)

    def play(self, play: Play) -> str:
        dialect = self.dialect
        if not play.steps:
            return dialect.nothing
        words = _joined(play) if dialect.compound else [str(step) for step in play.steps]
        if dialect.repeats:
            groups = [(word, len(list(same))) for word, same in groupby(words)]
            words = [word if many == 1 else f"{word}({many})" for word, many in groups]
        text = " ".join(words)
        if not dialect.marks:
            text = text.replace("*", "")
        return text.replace("bar", dialect.bar).replace("off", dialect.off)

    def finish(self, match: Match) -> list[str]:
        result = match.game.result
        assert result and result.winner is not None
        many = result.points > 1 or self.dialect.plural == "all"
        plural = "s" if self.dialect.plural and many else ""
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
