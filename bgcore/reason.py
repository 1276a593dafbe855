"""Why a play or a step is refused: a closed list, in the order in which reasons are tried."""

from __future__ import annotations

from enum import IntEnum


class Reason(IntEnum):
    """The first that applies at the first failing step, then the whole-play reasons (rules C7).

    The numbers are the kernel's own, so a probe's answer is a `Reason` without a table.

    >>> Reason(11)
    <Reason.POINT_CLOSED: 11>
    >>> Reason.MUST_USE_MORE_NUMBERS.whole_play
    True
    """

    LEGAL = 0
    GAME_ENDED = 1
    NO_CHECKER_THERE = 2
    NUMBER_NOT_ROLLED = 3
    CHECKER_ON_BAR = 4
    MUST_ENTER_FIRST = 5
    CHECKER_PINNED = 6
    HEAD_LIMIT = 7
    RUNNER_FIRST = 8
    FIRST_HALF_ONLY = 9
    LOCKED_AFTER_HIT = 10
    POINT_CLOSED = 11
    HIT_NOT_ALLOWED_YET = 12
    FORMATION_FORBIDDEN = 13
    NO_BEARING_OFF_WHILE_PINNED = 14
    NOT_ALL_HOME = 15
    HIGHER_CHECKER_FIRST = 16
    EXACT_NUMBER_ONLY = 17
    MUST_USE_MORE_NUMBERS = 18
    MUST_USE_LARGER_NUMBER = 19
    MUST_UNBLOCK = 20

    @property
    def whole_play(self) -> bool:
        """Whether it is about a play as a whole rather than one of its steps."""
        return self >= Reason.MUST_USE_MORE_NUMBERS
