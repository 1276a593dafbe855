"""Perft: counting what is reachable, the usual check of a play generator."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from itertools import combinations_with_replacement

from bgcore.play import Play
from bgcore.position import Position
from bgcore.roll import NUMBERS, Roll
from bgcore.rules import Rules
from bgcore.turn import ORDINARY_TURN, Played, Then, Turn


def perft(rules: Rules, position: Position, depth: int) -> int:
    """The sum over the 21 rolls (56 of three dice) of distinct results, so many turns deep.

    A roll with which nothing can be played counts 1.

    A position in which the game has ended counts 1 whatever is left of the depth. At depth 0 it is 1.
    A turn is all its parts, so a ladder counts where its last rung leads; what the opponent would have
    to play of it is not played, nor another roll that a double brings. All turns are ordinary ones, none a
    player's first.
    """
    if depth == 0 or rules.outcome(position):
        return 1
    return sum(perft_by_roll(rules, position, depth))


def perft_by_roll(rules: Rules, position: Position, depth: int) -> Iterator[int]:
    """The same roll by roll, a number each, for a position in which the game goes on; depth from 1."""
    for roll in rolls_of(rules.variant.dice):
        if depth == 1 and len(rules.parts(roll, ORDINARY_TURN, position)) == 1:
            yield len(rules.plays(position, roll))  # known without looking at a play
        else:
            turns = results_of_turns(rules, position, roll)
            yield sum(perft(rules, after.flipped(), depth - 1) for after in turns)


@cache
def rolls_of(dice: int) -> tuple[Roll, ...]:
    """Every roll of so many dice, each once whatever the order of its numbers.

    >>> len(rolls_of(2)), len(rolls_of(3))
    (21, 56)
    """
    return tuple(Roll.of(*roll) for roll in combinations_with_replacement(NUMBERS, dice))


def results_of_turns(rules: Rules, position: Position, roll: Roll) -> Collection[Position]:
    """Every position that a turn may lead to, all its parts played; the same side stays first."""
    parts = rules.parts(roll, ORDINARY_TURN, position)
    if len(parts) == 1:
        return rules.plays(position, roll).positions()
    done: set[Position] = set()
    here = {(position, Turn(parts=parts, dice=roll.dice))}
    while here:
        there: set[tuple[Position, Turn]] = set()
        for start, turn in here:
            for play in rules.plays_of(start, turn.parts[0].numbers, turn):
                if goes_on(rules, turn, play):
                    there.add((play.after, turn.next_part(play.left_head, play.locked)))
                else:
                    done.add(play.after)
        here = there
    return done


def goes_on(rules: Rules, turn: Turn, play: Play) -> bool:
    """Whether the next part of the turn follows a play of the open one."""
    if rules.outcome(play.after):
        return False
    return rules.after_part(Played(turn, play.numbers)).then is Then.NEXT_PART
