"""Perft: counting what is reachable, the usual check of a play generator."""

from __future__ import annotations

from bgcore.position import Position
from bgcore.roll import ALL_ROLLS
from bgcore.rules import Rules


def perft(rules: Rules, position: Position, depth: int) -> int:
    """The sum over the 21 rolls of distinct results, so many turns deep; nothing playable counts 1.

    A position in which the game has ended counts 1 whatever is left of the depth. At depth 0 it is 1.
    """
    if depth == 0 or rules.outcome(position):
        return 1
    total = 0
    for roll in ALL_ROLLS:
        plays = rules.plays(position, roll)
        if depth == 1:
            total += len(plays)
        else:
            total += sum(perft(rules, after.flipped(), depth - 1) for after in plays.positions())
    return total
