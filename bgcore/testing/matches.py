"""What must hold of a whole game: that it ends, that a replay is the game, that the seats are alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from bgcore.action import Action, Kind
from bgcore.bot import RandomBot
from bgcore.dice import SeededDice
from bgcore.errors import BgcoreError, PluginFailed
from bgcore.match import Match
from bgcore.notation.record_text import write_record
from bgcore.record import Record
from bgcore.registry import Registry
from bgcore.replay_record import replayed_records
from bgcore.rules import Rules
from bgcore.testing.contest import MOST_ACTIONS, next_action

BOTS = (RandomBot(), RandomBot())


def live(rules: Rules, random: Random) -> Iterator[Match]:
    """A match of random plays, after each action of its first game; ends with the game."""
    match, dice = Match.new(rules), SeededDice(random.getrandbits(32))
    for _ in range(MOST_ACTIONS):
        match = match.after(next_action(match, BOTS, dice, random))
        yield match
        if match.game.result:
            return
    raise AssertionError(f"a game of more than {MOST_ACTIONS} actions")


def replay_of(rules: Rules, random: Random, registry: Registry | None) -> str:
    """A replay, from the actions and from the text of the record, is the match that was played."""
    *_, played = live(rules, random)
    fresh = type(rules)(rules.variant, rules.options)
    told: dict[str, Match | None] = {"actions": Match.replay(fresh, played.actions, played.start)}
    if registry is not None:
        text = write_record(Record.of(played), registry)
        try:
            [read] = replayed_records(text, registry)
        except PluginFailed:
            raise
        except BgcoreError as problem:
            return f"the record of a game is not read: {problem}"
        told["record"] = read.match
    for name, again in told.items():
        if again is None or state_of(again) != state_of(played):
            found = again and state_of(again)
            return f"the {name} lead to {found}, and the game was {state_of(played)}"
    return ""


def state_of(match: Match) -> tuple[object, ...]:
    """Where a match stands, to be compared."""
    return match.game.position, match.game.phase, match.score, tuple(match.results)


def seats_alike(rules: Rules, random: Random) -> str:
    """Played with the seats exchanged, it is the same game."""
    other = Match.new(rules)
    for number, match in enumerate(live(rules, random)):
        action = match.actions[-1]
        try:
            other = other.after(exchanged(action))
        except PluginFailed:
            raise
        except BgcoreError as problem:
            return f"action {number}, {action.kind}, is refused with the seats exchanged: {problem}"
        white, black = other.score
        found = (other.game.position, other.game.phase, (black, white), other.decision.kinds)
        wanted = (match.game.position, match.game.phase, match.score, match.decision.kinds)
        if found != wanted:
            return f"after action {number}, {action.kind}, the game is another with the seats exchanged"
    return ""


def exchanged(action: Action) -> Action:
    """The same action by the other seat."""
    seat = None if action.seat is None else action.seat.other
    dice = action.dice[::-1] if action.kind is Kind.THROW else action.dice
    return replace(action, seat=seat, dice=dice)
