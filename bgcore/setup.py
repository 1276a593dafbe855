"""A board that somebody claims: it may be nonsense until `rules.position(setup)` has proved it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

NOTHING: Mapping[int, int] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class SideSetup:
    """One side's checkers in its own numbering (24 farthest, 1 last).

    `points` counts free checkers; pinned ones are listed by point in `pinned` and not counted there.
    `off = None` means: whatever is missing has been borne off.
    """

    points: Mapping[int, int] = field(default_factory=lambda: NOTHING)
    bar: int = 0
    off: int | None = None
    unentered: int = 0
    pinned: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Setup:
    """Two sides, the one to move first.

    >>> Setup(SideSetup({24: 2, 13: 5}), SideSetup({6: 1})).mover.points[13]
    5
    """

    mover: SideSetup
    opponent: SideSetup
