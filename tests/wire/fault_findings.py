"""What is found that must not be: counted, so that a run tells all of it and not the first alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

FOUND = ("lost", "doubled", "gaps", "told wrong", "server faults")
"""What must not be. Lost and doubled are counted in events, and in tables and seats where those were made."""

MOST_TOLD = 5
"""Findings of each kind that are told in words; the others are only counted."""


@dataclass
class Findings:
    """What players, watchers and the checks afterwards have found."""

    counts: Counter[str] = field(default_factory=Counter)
    told: dict[str, list[str]] = field(default_factory=lambda: {kind: [] for kind in FOUND})

    def add(self, kind: str, what: str, times: int = 1) -> None:
        """Count it, so many times; none is nothing."""
        told = self.told[kind]
        if times:
            self.counts[kind] += times
            if len(told) < MOST_TOLD:
                told.append(f"{kind}: {what}")

    def unless(self, right: bool, kind: str, what: str) -> None:
        """Count it if something is not as it must be."""
        self.add(kind, what, times=not right)

    @property
    def none(self) -> bool:
        """Whether all was as it must be."""
        return not self.counts.total()

    def __str__(self) -> str:
        counts = ", ".join(f"{kind} {self.counts[kind]}" for kind in FOUND)
        return "\n".join((counts, *(what for told in self.told.values() for what in told)))
