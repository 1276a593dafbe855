"""What a class of rules brings and nobody asks: a misspelt door is silent, and so is a reason without its door."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import CodeType, FunctionType

from bgcore.nearest import meant
from bgcore.page.own_rules import DOORS
from bgcore.rules import REASONS, Rules

ENGINES = {name: what for name, what in vars(Rules).items() if isinstance(what, FunctionType)}
"""The methods of `Rules`, of which the doors are those that a game has to say a rule."""
REFUSING = frozenset({"gates", "why_not", "plays", "plays_of"})
"""Methods that may refuse for any reason; a class that has one of these knows what it does."""


def unasked(kind: type[Rules]) -> Iterator[str]:
    """What of a class is never asked.

    A reason that the class itself names, where nothing of its own refuses for it. A method that is much like one
    of `Rules`, takes as much and is named by no other. And all methods, where none of them is one of `Rules`.
    A class without methods may be there for its docstring, which its page tells.

    >>> class Peaceful(Rules):
    ...     def close(self, position, numbers, turn):
    ...         return {4}
    >>> list(unasked(Peaceful))
    ['Peaceful.close is no method of Rules: expected closed, most likely']
    """
    own = brought(kind)
    overridden = own.keys() & ENGINES.keys()
    for door, reason in REASONS.items():
        if reason in vars(kind) and kind is not Rules and not overridden & {door, *REFUSING}:
            yield f"{kind.__name__} has a {reason} that nothing refuses for: expected a method {door}"
    slips = {name: likely for name in own if (likely := slip(name, own))}
    for name, likely in slips.items():
        yield f"{kind.__name__}.{name} is no method of Rules: expected {likely}"
    if own and not overridden and not slips:
        yield f"{kind.__name__} has no method of Rules: expected one of {', '.join(DOORS)}"


def brought(kind: type[Rules]) -> dict[str, FunctionType]:
    """The methods of a class that are not those of `Rules`, by name."""
    return {
        name: inspect.unwrap(what)
        for one in reversed(kind.__mro__)
        if one not in Rules.__mro__
        for name, what in vars(one).items()
        if isinstance(what, FunctionType)
    }


def slip(name: str, own: dict[str, FunctionType]) -> str:
    """What a method was meant to be, if it is most likely misspelt; empty where it may well be a helper."""
    taken = own[name].__code__.co_argcount
    if name in ENGINES or any(name in names_in(method.__code__) for method in own.values()):
        return ""
    free = (one for one in ENGINES if one not in own and not one.startswith("_"))
    return meant(name, [one for one in free if ENGINES[one].__code__.co_argcount == taken])


def names_in(code: CodeType) -> set[str]:
    """The names of attributes and globals in code, and in the functions inside of it."""
    inside = (one for one in code.co_consts if isinstance(one, CodeType))
    return {*code.co_names, *(name for one in inside for name in names_in(one))}
