"""The functions of notations that plugins brought, looked at where what they give comes into the engine.

What they raise, and what they give that is none of what they owe, is `PluginFailed` and names the notation.
What they refuse (`NotationError` and its kin) is left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ParamSpec, cast

from bgcore.crossing import asked, ends
from bgcore.errors import BgcoreError, Fault, PluginFailed, said, shown
from bgcore.notation.situation import Situation
from bgcore.replay import ReplayedMatch

P = ParamSpec("P")

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
            owed(id, match, ReplayedMatch, "a ReplayedMatch of bgcore.replay")
            yield cast(ReplayedMatch, match)

    return reading


def situations(id: str, read: Callable[P, Situation]) -> Callable[P, Situation]:
    """The reader of a notation for positions."""

    def reading(*given: P.args, **named: P.kwargs) -> Situation:
        with at_work(id):
            found = read(*given, **named)
        owed(id, found, Situation, "a Situation of bgcore.notation.situation")
        return found

    return reading


def texts(id: str, write: Callable[P, str]) -> Callable[P, str]:
    """The writer of a notation."""

    def writing(*given: P.args, **named: P.kwargs) -> str:
        with at_work(id):
            text = write(*given, **named)
            owed(id, text, str, "a text")
            text.encode()
        return text

    return writing


@contextmanager
def at_work(id: str) -> Iterator[None]:
    """Around a function of the notation."""
    try:
        yield
    except BgcoreError:
        raise
    except BaseException as problem:
        if not (isinstance(problem, Exception) or ends(problem)):
            raise
        found = type(problem).__name__
        what = f"notation {id} raised {said(problem)}"
        raise PluginFailed(Fault("PLUGIN_FAILED", "", found, "an answer", what)) from problem


def owed(id: str, found: object, kind: type, expected: str) -> None:
    """`PluginFailed` for something of another kind."""
    if not isinstance(found, kind):
        what = f"notation {id} gave {shown(found)}: expected {expected}"
        raise PluginFailed(Fault("PLUGIN_FAILED", "", shown(found), expected, what))
