"""Variants whose code fails, as a plugin's might."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from bgcore import Plays, Position, Registry, Rules, load
from bgcore.outcome import Outcome
from bgcore.registry import Plugin
from bgcore.turn import ORDINARY_TURN, Turn


class FailsAtWork(Rules):
    """Fails as soon as it is asked anything."""

    def outcome(self, position: Position) -> Outcome | None:
        raise LookupError("no such thing")

    def plays_of(
        self, position: Position, numbers: Iterable[int], turn: Turn = ORDINARY_TURN
    ) -> Plays:
        raise LookupError("no such thing")

    plays = plays_of  # type: ignore[assignment]  # whatever it is asked about


class FailsLater(Rules):
    """Is made once, when it is registered, and never again."""

    made = 0

    def __init__(self, *arguments: object) -> None:
        FailsLater.made += 1
        if FailsLater.made > 1:
            raise LookupError("no such thing")
        super().__init__(*arguments)  # type: ignore[arg-type]  # passed on as they come


def registry() -> Registry:
    """All variants, and two more: `faulty` and `unmade`."""
    FailsLater.made = 0
    found = load().using(Plugin("faulty"))
    western = found.variant("western")
    found.add(replace(western, id="faulty", aliases=()), FailsAtWork)
    found.add(replace(western, id="unmade", aliases=(), bundles={}), FailsLater)
    return found
