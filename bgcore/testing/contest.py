"""Bots against each other, for tests and statistics."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from random import Random

from bgcore.action import Action, Kind
from bgcore.bot import Bot
from bgcore.dice import Dice
from bgcore.match import Match
from bgcore.rules import Rules
from bgcore.seat import Seat

MOST_ACTIONS = 20_000


def next_action(match: Match, bots: tuple[Bot, Bot], dice: Dice, random: Random) -> Action:
    """What happens next at a table of two bots, dice thrown."""
    decision = match.decision
    if Kind.NEXT_GAME in decision.kinds:
        return Action.next_game()
    seat = Seat.WHITE if decision.seat is None else decision.seat
    action = bots[seat].act(match.game, seat, random)
    if action.kind is Kind.THROW:
        return Action.throw(*dice.throw(2))
    if action.kind is Kind.ROLL:
        return Action.roll(seat, *dice.throw(match.rules.variant.dice))
    return action


def play_game(match: Match, bots: tuple[Bot, Bot], dice: Dice, random: Random) -> Match:
    """The match with its running game played to the end."""
    for _ in range(MOST_ACTIONS):
        if match.game.result:
            return match
        match = match.after(next_action(match, bots, dice, random))
    raise AssertionError(f"{match.rules.variant.id}: a game of more than {MOST_ACTIONS} actions")


@dataclass(frozen=True, slots=True)
class Standing:
    """What the first of two bots made of some games: points a game, and how sure that is."""

    games: int
    won: int
    drawn: int
    points: tuple[int, int]
    mean: float
    margin: float  # two standard errors of the mean

    @property
    def ahead(self) -> bool:
        """Whether the first bot is better beyond the margin of error."""
        return self.mean > self.margin


def contest(
    rules: Rules, bots: tuple[Bot, Bot], games: int, dice: Dice, random: Random
) -> Standing:
    """So many games between two bots, the seats changing after each."""
    balance: list[int] = []
    points = [0, 0]
    for number in range(games):
        swapped = number % 2 == 1
        seated = (bots[1], bots[0]) if swapped else bots
        result = play_game(Match.new(rules), seated, dice, random).results[-1]
        if result.winner is None:
            balance.append(0)
            continue
        first_won = (result.winner is Seat.WHITE) != swapped
        points[0 if first_won else 1] += result.points
        balance.append(result.points if first_won else -result.points)
    mean = sum(balance) / games
    variance = sum((one - mean) ** 2 for one in balance) / games
    won = sum(one > 0 for one in balance)
    margin = 2 * sqrt(variance / games)
    return Standing(games, won, balance.count(0), (points[0], points[1]), mean, margin)
