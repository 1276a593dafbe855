"""Perft: counting what is reachable, the usual check of a play generator."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cache
from itertools import combinations_with_replacement

from bgcore.play import Plays
from bgcore.position import Position
from bgcore.roll import Roll
from bgcore.rules import Rules
from bgcore.turn import ORDINARY_TURN, Part, Turn


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
    return tuple(Roll.of(*roll) for roll in combinations_with_replacement(range(1, 7), dice))


def results_of_turns(rules: Rules, position: Position, roll: Roll) -> Collection[Position]:
    """Every position that a turn may lead to, all its parts played; the same side stays first."""
    parts = rules.parts(roll, ORDINARY_TURN, position)
    if len(parts) == 1:
        return rules.plays(position, roll).positions()
    done: set[Position] = set()
    here = {(position, 0)}  # and how many checkers have left the head
    for part in parts:
        there: set[tuple[Position, int]] = set()
        for start, left in here:
            plays = rules.plays_of(start, part.numbers, Turn(left_head=left))
            if not _complete(plays, part):
                done.update(plays.positions())
            elif rules.variant.head_limit is None:
                there.update((after, 0) for after in plays.positions())
            else:
                there.update((play.after, left + play.left_head) for play in plays)
        ended = {end for end in there if rules.outcome(end[0])}
        done |= {after for after, _ in ended}
        here = there - ended
    return done | {after for after, _ in here}


def _complete(plays: Plays, part: Part) -> bool:
    """Whether every number of the part is used, so that the next part follows."""
    return plays.numbers_used == len(part.numbers)
