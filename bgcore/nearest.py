"""Which of the known names somebody meant who gave another."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

LONGEST = 64
"""Of a name that is compared; nobody mistypes a longer one, and comparing takes its time."""
LIKELY = 0.6


def nearest(name: object, known: Iterable[str]) -> list[str]:
    """The known names that are much like a name, the most alike before all.

    >>> nearest("tavle", ["western", "tabula", "tavla", "plakoto"])
    ['tavla']
    """
    wanted = _folded(str(name)[: LONGEST + 1])
    if len(wanted) > LONGEST:
        return []
    like = {one: _likeness(wanted, _folded(one)) for one in known}
    return sorted((one for one in like if like[one] >= LIKELY), key=lambda one: -like[one])


def nearest_first(name: object, known: Iterable[str]) -> list[str]:
    """The known names: those first that are much like a name, the most alike before all; the rest in their order.

    >>> nearest_first("tavle", ["western", "tabula", "tavla", "plakoto"])
    ['tavla', 'western', 'tabula', 'plakoto']
    """
    names = list(known)
    # Of those that are not alike it is known order that helps.
    return list(dict.fromkeys((*nearest(name, names), *names)))


def one_of(name: object, known: Iterable[str], none: str = "none") -> str:
    """What is expected instead of an unknown name: `one of` the known ones, the nearest first.

    >>> one_of("two", ["one", "to"])
    'one of to, one'
    """
    names = nearest_first(name, known)
    return f"one of {', '.join(names)}" if names else none


def _folded(name: str) -> str:
    return name.replace("_", "").replace("-", "").replace(" ", "").lower()


def _likeness(one: str, other: str) -> float:
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    return matcher.ratio() if matcher.quick_ratio() >= LIKELY else 0.0
