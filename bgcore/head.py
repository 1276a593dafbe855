"""What a turn leaves no checker to do, as the kernel's context says it: locked points, and who may leave the head."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from bgcore.axes import HeadFirstTurn
from bgcore.kernel import ORDINARY
from bgcore.turn import PartKind, Turn
from bgcore.variant import Variant

LISTED_DOUBLES = (3, 4, 6)
"""The doubles of a first turn with which one more may leave."""

FIRST_TURN = 2
"""How many those are then."""

SHIFT = 32
"""Where in the kernel's context it stands how many may still leave."""


def ordinary_context(variant: Variant) -> int:
    """The context of a turn of which nothing is known."""
    return ORDINARY if variant.head_limit is None else allowing(variant.head_limit)


def context_of(
    variant: Variant, numbers: Sequence[int], turn: Turn, used: Callable[[int], int]
) -> int:
    """The context before the first step of a turn's open part, which is these numbers.

    It has the points that are locked and how many may leave the head, own 24: the limit, with the exception
    of a player's first turn, less those that have left in earlier parts of this turn. What the opponent left
    over has the plain limit. `used` tells how many of the numbers can be used in a context.
    """
    limit, locks = variant.head_limit, sum(1 << point for point in turn.locked)
    if limit is None:
        return ORDINARY | locks
    plain = locks | allowing(limit - turn.left_head)
    leftover = turn.parts and turn.parts[0].kind is PartKind.LEFTOVER
    if turn.own_roll != 1 or leftover or limit >= FIRST_TURN:
        return plain
    match variant.head_first_turn:
        case HeadFirstTurn.NONE:
            more = False
        case HeadFirstTurn.ANY_ROLL:
            more = True
        case HeadFirstTurn.LISTED_DOUBLES:
            dice = turn.dice or tuple(numbers)
            more = len(dice) > 1 and len(set(dice)) == 1 and dice[0] in LISTED_DOUBLES
        case HeadFirstTurn.WHEN_NEEDED:
            more = used(plain) < len(numbers)
    return locks | allowing(FIRST_TURN - turn.left_head) if more else plain


def allowing(checkers: int) -> int:
    """The context in which so many checkers may still leave."""
    return max(checkers, 0) << SHIFT
