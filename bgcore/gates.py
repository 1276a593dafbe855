"""What a variant's own rules say of single steps: which checkers may leave, and where none may come to."""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple

from bgcore.play import Step
from bgcore.position import BAR, UNENTERED

EVERYWHERE = (1 << UNENTERED + 1) - 1
"""Every place that a checker may leave, as bits."""


POINTS = (1 << BAR) - 1
"""Off and the points on the board, as bits."""


class Gates(NamedTuple):
    """What `Rules.may_leave` and `Rules.closed` say at one node of the search."""

    leave: int = EVERYWHERE
    closed: Set[int] = frozenset()

    @property
    def bits(self) -> int:
        """What `kernel.plays_asking` is answered: the places to leave, and the closed points 32 bits higher.

        >>> Gates(1 << 6, closed={0, 4}).bits == 1 << 6 | (1 << 0 | 1 << 4) << 32
        True
        """
        closed = sum(1 << point for point in self.closed) & POINTS
        return self.leave & EVERYWHERE | closed << 32

    def let_through(self, code: int) -> bool:
        """Whether the step of a code may be made.

        >>> Gates(closed={8}).let_through(13 << 3 | 5), Gates(leave=1 << 6).let_through(13 << 3 | 5)
        (False, False)
        """
        origin = code >> 3
        if not self.leave >> origin & 1:
            return False
        return not self.closed or Step.of(origin, code & 7).target not in self.closed


OPEN = Gates()
"""Nothing is forbidden."""
