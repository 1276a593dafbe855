"""What a game's own Python adds to its data, as its docstrings tell it."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from string import Formatter

from bgcore.refusal import OwnReason
from bgcore.rules import REASONS, Rules

DOORS: Mapping[str, str] = {
    "may_leave": "Which checkers may be played",
    "closed": "Where no checker may come",
    "keep": "Which plays stay",
    "parts": "What a roll is worth",
    "after_part": "What follows a play",
    "named": "What a named double is worth",
    "outcome": "How a game ends",
    "ended": "When a game ends",
    "won": "Who wins",
    "left": "What is counted",
    "level": "At what level a game is lost",
    "caught": "Who loses a backgammon, where there is one",
    "value": "What a level counts",
}
"""The methods of `Rules` by which a game says a rule, and what that rule is about."""
PLACES: Mapping[str, str] = {
    "origin": "the point",
    "target": "the point",
    "number": "the number",
    "left": "the numbers left",
    "used": "as many numbers as possible",
}
"""What the sentence of a reason names in braces, where it is said of no play."""
FROM_AND_TO: Mapping[str, str] = {
    "origin": "the point that it leaves",
    "target": "the point that it comes to",
}
"""The same of a step of which the sentence names both ends."""


def own_rules(kind: type[Rules], variant: str) -> Iterator[str]:
    """What the classes between `Rules` and this one say in their docstrings, the first of them first.

    `variant` is the id of the variant whose rules they are.

    >>> from bgcore import Rules
    >>> class Solemn(Rules):
    ...     "Nobody hits on a Sunday."
    ...     def keep(self, start, plays):
    ...         "Plays without a hit."
    ...         return plays
    >>> list(own_rules(Solemn, "solemn-game"))
    ['Nobody hits on a Sunday.', 'Which plays stay: plays without a hit.']
    """
    classes = [one for one in reversed(kind.__mro__) if issubclass(one, Rules) and one is not Rules]
    for one in classes:
        yield from paragraphs(one.__doc__)
    for door, about in DOORS.items():
        method = next((vars(one)[door] for one in reversed(classes) if door in vars(one)), None)
        for first in [*paragraphs(method.__doc__)][:1] if method is not None else ():
            yield f"{about}: {first[:1].lower()}{first[1:]}{refusal(kind, door, variant)}"


def refusal(kind: type[Rules], door: str, variant: str) -> str:
    """How a player is told that a method of the game's own refuses what he does, if it has such words."""
    reason = getattr(kind, REASONS.get(door, ""), None)
    if not isinstance(reason, OwnReason) or reason is getattr(Rules, REASONS[door]):
        return ""
    return f" What it forbids is refused as {reason.told(variant)}, “{of_any_play(reason.wrong)}”."


def of_any_play(sentence: str) -> str:
    """The sentence of a reason as it holds of every play that is refused for it.

    >>> of_any_play("{target} is at home, where nobody hits")
    'the point is at home, where nobody hits'
    """
    named = {place for _, place, _, _ in Formatter().parse(sentence)}
    both = FROM_AND_TO if FROM_AND_TO.keys() <= named else {}
    return sentence.format(**{**PLACES, **both})


def paragraphs(docstring: str | None) -> Iterator[str]:
    """The paragraphs of a docstring, each on one line, up to the first example."""
    for paragraph in inspect.cleandoc(docstring or "").split("\n\n"):
        if paragraph.startswith(">>>"):
            return
        if paragraph.strip():
            yield " ".join(paragraph.split())
