"""The functions of notations that plugins brought, looked at where what they give comes into the engine.

What they raise, and what they give that is none of what they owe, or is longer than anybody takes, is `PluginFailed`
and names the notation. What they refuse (`NotationError` and its kin) is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import UnionType
from typing import ParamSpec, cast

from bgcore.crossing import asked, ends
from bgcore.errors import BgcoreError, Fault, PluginFailed, readable, said, shown
from bgcore.match import Match
from bgcore.notation.situation import Situation
from bgcore.record import Record
from bgcore.replay import MatchReport, ReplayedMatch

P = ParamSpec("P")

LONGEST_MATCH = 4_000_000
"""Bytes of the text of a match; more no usual client takes in one answer."""

LONGEST_POSITION = 200_000
"""The same of a position, drawings included."""

MOST_FAULTS = 1000
LONGEST_REFUSAL = 2_000_000
"""Characters of all that a refusal says: it may quote the whole text."""

END = object()
"""What stands behind the last match."""


def suiting(suits: Callable[[str], bool]) -> Callable[[str], bool]:
    """Whether a text looks like a notation; one that cannot say so is not guessed, and the others are."""

    def look(text: str) -> bool:
        try:
            return bool(asked(suits, text))
        except Exception:
            return False

    return look


def matches(
    id: str, read: Callable[P, Iterator[ReplayedMatch]]
) -> Callable[P, Iterator[ReplayedMatch]]:
    """The reader of a notation for matches."""

    def reading(*given: P.args, **named: P.kwargs) -> Iterator[ReplayedMatch]:
        with at_work(id):
            found = iter(read(*given, **named))
        while True:
            with at_work(id):
                match = next(found, END)
            if match is END:
                return
            with at_work(id):
                sound = replayed_match(id, match)
            yield sound

    return reading


def replayed_match(id: str, found: object) -> ReplayedMatch:
    """What a reader gave, if it is a match with a record and a report."""
    owed(id, found, ReplayedMatch, "a ReplayedMatch of bgcore.replay")
    match = cast(ReplayedMatch, found)
    owed(id, match.record, Record, "a Record of bgcore.record in it")
    owed(id, match.report, MatchReport, "a MatchReport of bgcore.replay in it")
    owed(id, match.match, Match | None, "a Match, or None, in it")
    return match


def situations(id: str, read: Callable[P, Situation]) -> Callable[P, Situation]:
    """The reader of a notation for positions."""

    def reading(*given: P.args, **named: P.kwargs) -> Situation:
        with at_work(id):
            found = read(*given, **named)
        owed(id, found, Situation, "a Situation of bgcore.notation.situation")
        return found

    return reading


def texts(id: str, write: Callable[P, str], longest: int) -> Callable[P, str]:
    """The writer of a notation, whose texts have at most so many bytes."""

    def writing(*given: P.args, **named: P.kwargs) -> str:
        with at_work(id):
            text = write(*given, **named)
        owed(id, text, str, "a text")
        # A class derived from `str` could be another text each time.
        text = str.__str__(text)
        size = len(text) if len(text) > longest else encoded(id, text)
        if size > longest:
            what = f"notation {id} gave a text of {size} bytes: expected at most {longest}"
            expected = f"at most {longest} bytes"
            raise PluginFailed(Fault("PLUGIN_FAILED", "", f"{size} bytes", expected, what))
        return text

    return writing


@contextmanager
def at_work(id: str) -> Iterator[None]:
    """Around a function of the notation."""
    try:
        yield
    except BaseException as problem:
        if isinstance(problem, BgcoreError) and is_sound(problem):
            raise
        if not (isinstance(problem, Exception) or ends(problem)):
            raise
        found = type(problem).__name__
        what = f"notation {id} raised {said(problem)}"
        raise PluginFailed(Fault("PLUGIN_FAILED", "", found, "an answer", what)) from problem


def is_sound(refused: BgcoreError) -> bool:
    """Whether a refusal can be told as it is: not too many faults, of texts that any stream takes."""
    faults = refused.faults
    if type(faults) is not tuple or len(faults) > MOST_FAULTS or not all(map(_is_fault, faults)):
        return False
    texts = [text for fault in faults for text in _texts(fault)]
    return sum(map(len, texts)) <= LONGEST_REFUSAL and all(readable(text) == text for text in texts)


def _is_fault(fault: object) -> bool:
    return (
        type(fault) is Fault
        and all(type(text) is str for text in _texts(fault))
        and all(
            number is None or (type(number) is int and 0 <= number < 1 << 32)
            for number in (fault.step, fault.line)
        )
    )


def _texts(fault: Fault) -> tuple[str, ...]:
    return fault.reason, fault.field, fault.value, fault.expected, fault.message, fault.rule


def encoded(id: str, text: str) -> int:
    """The bytes of a text; `PluginFailed` where it has halves of characters."""
    with at_work(id):
        return len(text.encode())


def owed(id: str, found: object, kind: type | UnionType, expected: str) -> None:
    """`PluginFailed` for something of another kind."""
    if not isinstance(found, kind):
        what = f"notation {id} gave {shown(found)}: expected {expected}"
        raise PluginFailed(Fault("PLUGIN_FAILED", "", shown(found), expected, what))
