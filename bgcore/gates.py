"""What a variant's own rules say of single steps: which checkers may leave, and where none may come to."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from bgcore.play import Step
from bgcore.position import UNENTERED

EVERYWHERE = (1 << UNENTERED + 1) - 1
"""Every place that a checker may leave, as bits."""


class Gates(NamedTuple):
    """What `Rules.may_leave` and `Rules.closed` say at one node of the search."""

    leave: int = EVERYWHERE
    closed: Collection[int] = ()

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
