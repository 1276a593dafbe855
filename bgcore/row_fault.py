"""What in a match file does not hold, by its lines."""

from __future__ import annotations

from dataclasses import dataclass

from bgcore.errors import BgcoreError, PluginFailed, said

FAILED = "PLUGIN_FAILED"


@dataclass(frozen=True, slots=True)
class RowFault:
    """Something in a file that does not hold, with the line it stands in."""

    line: int
    reason: str
    message: str

    @classmethod
    def of(cls, line: int, problem: Exception) -> RowFault:
        """What an error says of a line; one that is none of ours is the failure of a variant's code."""
        if isinstance(problem, BgcoreError) and not isinstance(problem, PluginFailed):
            return cls(line, problem.reason, str(problem))
        what = str(problem) if isinstance(problem, PluginFailed) else said(problem)
        return cls(line, FAILED, f"{FAILED}: {what}")

    def __str__(self) -> str:
        return f"line {self.line}: {self.message}"


class Stop(Exception):
    """A row that cannot be replayed; the game ends here."""

    def __init__(self, fault: RowFault) -> None:
        self.fault = fault
