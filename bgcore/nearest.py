"""Which of the known names somebody meant who gave another."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher

LONGEST = 64
"""Of a name that is compared; nobody mistypes a longer one, and comparing takes its time."""
ALIKE, LIKELY = 0.6, 0.8
"""From where a known name is worth being shown first, and from where on it is what was meant, most likely."""


def nearest(name: object, known: Iterable[str]) -> list[str]:
    """The known names that are much like a name, the most alike before all.

    >>> nearest("tavle", ["western", "tabula", "tavla", "plakoto"])
    ['tavla']
    """
    return list(_alike(name, known))


def _alike(name: object, known: Iterable[str]) -> dict[str, float]:
    """How much each of the known names that are like a name is like it, the most alike before all."""
    wanted = _folded(str(name)[: LONGEST + 1])
    if len(wanted) > LONGEST:
        return {}
    like = {one: _likeness(wanted, _folded(one)) for one in known}
    return {one: like[one] for one in sorted(like, key=lambda one: -like[one]) if like[one]}


def nearest_first(name: object, known: Iterable[str]) -> list[str]:
    """The known names: those first that are much like a name, the most alike before all; the rest in their order.

    >>> nearest_first("tavle", ["western", "tabula", "tavla", "plakoto"])
    ['tavla', 'western', 'tabula', 'plakoto']
    """
    names = list(known)
    # Of those that are not alike it is known order that helps.
    return list(dict.fromkeys((*nearest(name, names), *names)))


def meant(name: object, known: Iterable[str]) -> str:
    """What is expected instead of an unknown name if one of the known ones is near, and nearer than any other.

    >>> meant("tavle", ["western", "tabula", "tavla", "plakoto"])
    'tavla, most likely'
    >>> meant("hit_at_home", ["no_hit_before_home", "home_hit_and_run"]), meant("gul", ["guo", "gus"])
    ('', '')
    """
    (first, likeness), (_, second) = [*_alike(name, known).items(), ("", 0.0), ("", 0.0)][:2]
    return f"{first}, most likely" if likeness >= LIKELY and likeness > second else ""


def one_of(name: object, known: Iterable[str], none: str = "none") -> str:
    """What is expected instead of an unknown name: the one that was meant, or `one of` all that are known.

    >>> one_of("two", ["one", "to"]), one_of("all", ["one", "two"])
    ('to, most likely', 'one of one, two')
    """
    names = nearest_first(name, known)
    return meant(name, names) or (f"one of {', '.join(names)}" if names else none)


def _folded(name: str) -> str:
    return name.replace("_", "").replace("-", "").replace(" ", "").lower()


def _likeness(one: str, other: str) -> float:
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    ratio = matcher.ratio() if matcher.quick_ratio() >= ALIKE else 0.0
    return ratio if ratio >= ALIKE else 0.0
