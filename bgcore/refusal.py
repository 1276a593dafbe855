"""Why a play is refused, in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from bgcore.errors import Fault
from bgcore.reason import Reason


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a play is refused: the reason, what was played, what was expected, and a sentence.

    `step` is the step it is about (from 0); `None`: the whole play.
    """

    reason: str
    value: str
    expected: str
    message: str
    step: int | None = None
    rule: str = ""

    @property
    def fault(self) -> Fault:
        """The same as an error carries it."""
        return Fault(
            self.reason, "play", self.value, self.expected, self.message, self.rule, self.step
        )


@dataclass(frozen=True, slots=True)
class OwnReason:
    """A reason of a variant's own: its name, what is wrong, what was expected, and the rule.

    The sentences of a step may name its `{origin}`, `{target}` and `{number}`, and the numbers `{left}` to play;
    those of a whole play how many numbers must be `{used}`. They are tried when the rules are registered. Told,
    the name begins with the variant's id: `MARKET_GATE` of `my-game` is `MY_GAME_MARKET_GATE`.
    """

    name: str
    wrong: str
    expected: str
    rule: str = ""

    def told(self, variant: str) -> str:
        """The name as a refusal tells it."""
        return f"{variant}-{self.name}".upper().replace("-", "_")


STEP_PLACES = ("origin", "target", "number", "left")
PLAY_PLACES = ("used",)
"""What the sentences of a reason may name in braces: of one for a step, of one for a whole play."""

OWN_NAME = re.compile(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)*\Z")


def wrong_reason(reason: OwnReason, places: Sequence[str]) -> Iterator[tuple[str, object, str]]:
    """What of a reason could not be told: where, what stood there, and what was expected."""
    if not isinstance(reason.name, str) or not OWN_NAME.match(reason.name):
        yield " name", reason.name, "capitals and digits, words joined by underscores"
    for place in ("wrong", "expected", "rule"):
        text = getattr(reason, place)
        if not isinstance(text, str) or not (text or place == "rule"):
            yield f" {place}", text, "a sentence"
            continue
        try:
            text.format(**dict.fromkeys(places, ""))
        except (LookupError, ValueError, AttributeError):
            known = ", ".join(f"{{{name}}}" for name in places)
            yield f" {place}", text, f"no braces but {known}"


# What each reason tells a player: what is wrong, what was expected, and the sentence of the rules.
SENTENCES: dict[Reason, tuple[str, str, str]] = {
    Reason.GAME_ENDED: ("the game has ended before this step", "no further step", "R6"),
    Reason.NO_CHECKER_THERE: (
        "no checker of the mover stands on {origin}",
        "a point that holds one",
        "R2",
    ),
    Reason.NUMBER_NOT_ROLLED: ("{number} is not left to play", "one of {left}", "R1"),
    Reason.CHECKER_ON_BAR: ("a checker is on the bar", "it to enter before any other step", "R2"),
    Reason.MUST_ENTER_FIRST: (
        "not every checker has been entered",
        "all to enter before any other step",
        "R2",
    ),
    Reason.CHECKER_PINNED: ("the checker on {origin} is pinned", "a checker that is free", "C4"),
    Reason.HEAD_LIMIT: (
        "enough checkers have left the head in this turn",
        "a checker from another point",
        "C8",
    ),
    Reason.RUNNER_FIRST: (
        "the first checker has not come far enough for a second to leave",
        "a step of the first",
        "C8",
    ),
    Reason.FIRST_HALF_ONLY: (
        "{target} is in the second half, and checkers are still unentered",
        "a point above 12",
        "C8",
    ),
    Reason.LOCKED_AFTER_HIT: (
        "the checker that hit on {origin} may not move on in this turn",
        "another checker to be played",
        "C8",
    ),
    Reason.POINT_CLOSED: ("{target} is closed by the opponent", "an open point", "C4"),
    Reason.HIT_NOT_ALLOWED_YET: (
        "nobody may be hit before one of the mover's checkers is home",
        "a point without an opposing checker",
        "C8",
    ),
    Reason.FORMATION_FORBIDDEN: (
        "it would make a formation that the rules forbid",
        "a play that does not",
        "C8",
    ),
    Reason.NO_BEARING_OFF_WHILE_PINNED: (
        "nothing is borne off while a checker is pinned",
        "a step inside the board",
        "C3",
    ),
    Reason.NOT_ALL_HOME: (
        "nothing is borne off before every checker is home",
        "a step inside the board",
        "C3",
    ),
    Reason.HIGHER_CHECKER_FIRST: (
        "{number} is larger than {origin}, and a checker stands above it",
        "the {number} to be used above",
        "C3",
    ),
    Reason.EXACT_NUMBER_ONLY: (
        "only the exact number bears off from {origin}",
        "the number {origin}",
        "C3",
    ),
    Reason.MUST_USE_MORE_NUMBERS: (
        "more of the numbers can be used",
        "a play that uses {used}",
        "R3",
    ),
    Reason.MUST_USE_LARGER_NUMBER: (
        "only one number can be used, and this is the smaller",
        "the larger",
        "R3",
    ),
    Reason.MUST_UNBLOCK: (
        "it leaves the wall in front of the trapped checkers closed",
        "a play that opens it",
        "R7",
    ),
}


NONE_LEFT = ("no number is left to play", "no further step", "R1")
"""What `NUMBER_NOT_ROLLED` tells where all numbers have been used."""


def refuse(
    reason: Reason | OwnReason, step: int | None, written: str, variant: str = "", **values: object
) -> Refusal:
    """The refusal of the step or play that was `written`, with its sentence filled in.

    `variant` is the id of the variant whose own reason it is.
    """
    if isinstance(reason, OwnReason):
        name, sentences = reason.told(variant), (reason.wrong, reason.expected, reason.rule)
    else:
        used_up = reason is Reason.NUMBER_NOT_ROLLED and not values["left"]
        name, sentences = reason.name, NONE_LEFT if used_up else SENTENCES[reason]
    wrong, expected, rule = (text.format(**values) for text in sentences)
    value = written or "no play"
    return Refusal(name, value, expected, f"{value}: {wrong}, expected {expected}", step, rule)
