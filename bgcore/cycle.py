"""The games that a match changes between, resolved; a match of one game only is the smallest of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bgcore.axes import DrawPolicy
from bgcore.option import Value
from bgcore.rules import Rules
from bgcore.variant import Variant


@dataclass(frozen=True, slots=True)
class Cycle:
    """The rules of the games of a match, which follow one another round and round.

    `options` are those of match and table, the same for every game. Made by `Registry.cycle`, or by `of`.
    """

    games: tuple[Rules, ...]
    id: str = ""  # of the rotation; empty for a list of somebody's own
    draw_policy: DrawPolicy = DrawPolicy.REPLAY
    start_index: int = 0
    options: Mapping[str, Value] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, games: Rules | Cycle) -> Cycle:
        """A cycle as it is, and the same game again and again of rules."""
        return games if isinstance(games, Cycle) else cls((games,), options=games.options)

    @property
    def first(self) -> Rules:
        """The rules of the first game of a match."""
        return self.games[self.start_index]

    @property
    def variant(self) -> Variant:
        """The variant of the first game of a match."""
        return self.first.variant

    @property
    def changes(self) -> bool:
        """Whether there is more than one game."""
        return len(self.games) > 1

    @property
    def rules_version(self) -> str:
        """The versions of the games' rules, in their order."""
        return ", ".join(rules.variant.rules_version for rules in self.games)

    @property
    def cube(self) -> bool:
        """Whether any of its games has a cube."""
        return any(map(_has_cube, self.games))

    @property
    def crawford(self) -> bool:
        """Whether a match has a Crawford game (M7): if any of its games has a cube and wants one."""
        return any(_has_cube(rules) and bool(rules.options.get("crawford")) for rules in self.games)

    def after(self, index: int, *, drawn: bool) -> int:
        """The place in the cycle of the game that follows the one at `index`."""
        if drawn and self.draw_policy == DrawPolicy.REPLAY:
            return index
        return (index + 1) % len(self.games)


def _has_cube(rules: Rules) -> bool:
    return bool(rules.options.get("cube"))
