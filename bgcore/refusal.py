"""Why a play is refused, in words."""

from __future__ import annotations

from dataclasses import dataclass

from bgcore.errors import Fault
from bgcore.reason import Reason


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason a play is refused, the step it is about (from 0; `None`: the whole play), and a sentence."""

    reason: str
    message: str
    step: int | None = None
    rule: str = ""

    @property
    def fault(self) -> Fault:
        """The same as an error carries it."""
        return Fault(self.reason, "play", message=self.message, rule=self.rule, step=self.step)


# What each reason tells a player, and the sentence of the rules behind it.
SENTENCES: dict[Reason, tuple[str, str]] = {
    Reason.GAME_ENDED: ("the game has ended before this step", "R6"),
    Reason.NO_CHECKER_THERE: ("expected one of the mover's checkers on {origin}", "R2"),
    Reason.NUMBER_NOT_ROLLED: ("{number} is not among the numbers left ({left})", "R1"),
    Reason.CHECKER_ON_BAR: ("checkers on the bar must enter before any other step", "R2"),
    Reason.MUST_ENTER_FIRST: ("all checkers must be entered before any other step", "R2"),
    Reason.CHECKER_PINNED: ("the checker on {origin} is pinned", "C4"),
    Reason.HEAD_LIMIT: ("no further checker may leave the head in this turn", "C8"),
    Reason.RUNNER_FIRST: ("the first checker must come further before a second may leave", "C8"),
    Reason.FIRST_HALF_ONLY: (
        "{target} is in the second half, and checkers are still unentered",
        "C8",
    ),
    Reason.LOCKED_AFTER_HIT: (
        "the checker that hit on {origin} may not move on in this turn",
        "C8",
    ),
    Reason.POINT_CLOSED: ("{target} is closed by the opponent", "C4"),
    Reason.HIT_NOT_ALLOWED_YET: ("no hit before one of the mover's checkers is home", "C8"),
    Reason.FORMATION_FORBIDDEN: ("it would make a formation that the rules forbid", "C8"),
    Reason.NO_BEARING_OFF_WHILE_PINNED: ("no bearing off while a checker is pinned", "C3"),
    Reason.NOT_ALL_HOME: ("no bearing off before every checker is home", "C3"),
    Reason.HIGHER_CHECKER_FIRST: (
        "{number} is larger than {origin}, and a checker stands above it",
        "C3",
    ),
    Reason.EXACT_NUMBER_ONLY: ("only the exact number bears off from {origin}", "C3"),
    Reason.MUST_USE_MORE_NUMBERS: (
        "{used} of the numbers can be used: expected a play that does",
        "R3",
    ),
    Reason.MUST_USE_LARGER_NUMBER: ("only one number can be used: expected the larger", "R3"),
    Reason.MUST_UNBLOCK: ("the wall in front of the trapped checkers must be opened", "R7"),
}


def refuse(reason: Reason, step: int | None, written: str, **values: object) -> Refusal:
    """The refusal of the step or play that was `written`, with its sentence filled in."""
    sentence, rule = SENTENCES[reason]
    return Refusal(reason.name, f"{written or 'no play'}: {sentence.format(**values)}", step, rule)
