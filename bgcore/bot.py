"""Bots: players that know the rules and nothing else."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Protocol

from bgcore.action import Action, Kind
from bgcore.decision import Decision
from bgcore.game import Game
from bgcore.play import Play
from bgcore.position import POINTS, Position
from bgcore.rules import Rules
from bgcore.seat import Seat


class Bot(Protocol):
    """Chooses one of the legal actions of a decision.

    It may look at the game and use the random source, and nothing else. A roll comes back without dice:
    whoever keeps the game throws them.
    """

    @property
    def id(self) -> str:
        """Lower case with hyphens."""
        ...

    @property
    def title(self) -> str:
        """What it does, in a line."""
        ...

    def act(self, game: Game, seat: Seat, random: Random) -> Action:
        """What `seat`, who must decide, does now."""
        ...


@dataclass(frozen=True, slots=True)
class RandomBot:
    """Any legal play, each as likely; never doubles, always takes."""

    id: str = "random"
    title: str = "any legal play"

    def act(self, game: Game, seat: Seat, random: Random) -> Action:
        """A legal action."""
        if Kind.NAME_DOUBLE in game.decision.kinds:
            return Action.name_double(seat, random.randint(1, 6))
        return plain_action(game, seat) or play_action(seat, random.choice(game.plays))


@dataclass(frozen=True, slots=True)
class GreedyBot:
    """Looks one play ahead with a plain evaluation: race, blots, made points, pins."""

    id: str = "greedy"
    title: str = "looks one play ahead: race, blots, made points, pins"

    def act(self, game: Game, seat: Seat, random: Random) -> Action:
        """The legal action whose position it likes best."""
        if Kind.NAME_DOUBLE in game.decision.kinds:
            return Action.name_double(seat, max(range(1, 7), key=lambda n: self._worth(game, n)))
        if action := plain_action(game, seat):
            return action
        plays = game.plays
        worth = [evaluate(game.rules, position) for position in plays.positions()]
        return play_action(seat, plays[worth.index(max(worth))])

    def _worth(self, game: Game, number: int) -> float:
        """How it stands after the double of this number, before anything that follows it."""
        rules = game.rules
        plays = rules.plays_of(game.position, rules.named(number)[0].numbers, game.turn)
        return max(evaluate(rules, position) for position in plays.positions())


def plain_action(game: Game, seat: Seat) -> Action | None:
    """The answer to every decision but a play or a double to name: roll on, take, accept what ends the game."""
    decision: Decision = game.decision
    if Kind.THROW in decision.kinds:
        return Action(Kind.THROW)
    if Kind.PLAY in decision.kinds:
        return None
    if Kind.ROLL in decision.kinds:
        return Action(Kind.ROLL, seat)
    if Kind.TAKE in decision.kinds:
        return Action.take(seat)
    return Action.answer_resignation(seat, accept=True)


def play_action(seat: Seat, play: Play) -> Action:
    """A play as an action."""
    return Action.play_steps(seat, tuple((step.origin, step.number) for step in play.steps))


RACE, BLOT, POINT, ANCHOR, PIN, BAR_WEIGHT, OFF_WEIGHT = 1.0, 0.28, 2.0, 1.0, 9.0, 6.0, 3.0


def evaluate(rules: Rules, position: Position) -> float:
    """How the mover stands after his play, in pips or so: the more the better."""
    mover, opponent = position.mover, position.opponent
    if outcome := rules.outcome(position):
        return 1000.0 * outcome.points if outcome.winner == 0 else -1000.0 * outcome.points
    score = RACE * (opponent.pips - mover.pips) + BAR_WEIGHT * opponent.bar + OFF_WEIGHT * mover.off
    score += PIN * (_caught(opponent.pinned) - _caught(mover.pinned))
    contact = rules.variant.contact
    for point, count in mover.points.items():
        if count > 1 or contact == "block":
            score += POINT if point <= POINTS // 2 else ANCHOR
        else:
            # A blot costs what it would lose, in part: the further it has come, the more.
            score -= BLOT * (POINTS + 1 - point) * _exposed(rules, position, point)
    return score


def _caught(points: tuple[int, ...]) -> float:
    """What pinned checkers weigh: one still far from home is worse off."""
    return sum(0.5 + point / POINTS for point in points)


def _exposed(rules: Rules, position: Position, point: int) -> float:
    """How likely a blot is to be reached, roughly: by checkers behind it within two dice."""
    target = rules.opponents_point(point)
    opponent = position.opponent
    behind = sum(min(opponent[n], 2) for n in range(target + 1, min(target + 12, POINTS) + 1))
    return min(behind + 2 * opponent.bar, 4) / 4


BOTS: tuple[Bot, ...] = (RandomBot(), GreedyBot())
"""The bots that come with the engine."""
