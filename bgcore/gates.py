"""What a variant's own rules say of single steps: which checkers may leave, and where none may come to."""

from __future__ import annotations

from collections.abc import Set
from typing import NamedTuple

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
        """As the kernel is told: the places to leave, and 32 bits higher the closed points.

        >>> Gates(1 << 6, closed={0, 4}).bits == 1 << 6 | (1 << 0 | 1 << 4) << 32
        True
        """
        closed = sum(1 << point for point in self.closed) & POINTS
        return self.leave & EVERYWHERE | closed << 32


OPEN = Gates()
"""Nothing is forbidden."""
