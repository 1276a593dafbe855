"""What the methods of a variant's own rules give back, looked at where it comes into the engine.

A method that raises is left alone: whoever asked hears of it. One that returns what it must not would be
noticed only later, far from who is to blame; so each is looked at at once, in one table of what it owes.
Rules that override nothing pay nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any

from bgcore.errors import Fault, IllegalAction, PluginFailed, shown
from bgcore.outcome import Ending, Level, Outcome
from bgcore.play import STEPS, Plays, Step
from bgcore.position import Position
from bgcore.seat import Player
from bgcore.turn import Next, Part

if TYPE_CHECKING:
    from bgcore.rules import Rules

HIGHEST = 6

Owed = Callable[..., str]
"""What is expected instead of a result, which comes first, then the method's arguments; empty: it is well."""


def guard(rules: type[Rules]) -> None:
    """Has every method that a class of rules overrides looked at."""
    for name, owed in OWED.items():
        if callable(method := vars(rules).get(name)):
            setattr(rules, name, _looked_at(method, owed))


def _looked_at(method: Callable[..., Any], owed: Owed) -> Callable[..., Any]:
    @wraps(method)
    def guarded(self: Rules, *given: Any, **named: Any) -> Any:
        result = method(self, *given, **named)
        if expected := owed(result, self, *given):
            raise nonsense(method, result, expected)
        return result

    return guarded


def nonsense(method: Callable[..., Any], result: object, expected: str) -> PluginFailed:
    """The error of a method that returned what it must not."""
    name = f"{method.__module__}.{method.__qualname__}"
    what = f"{name} returned {shown(result)}: expected {expected}"
    return PluginFailed(Fault("PLUGIN_FAILED", name, shown(result), expected, what))


def _outcome(result: object, *_: object) -> str:
    if result is None:
        return ""
    if not isinstance(result, Outcome):
        return "a bgcore.Outcome, or None while the game runs"
    well = (
        (result.winner is None or isinstance(result.winner, Player))
        and type(result.points) is int
        and result.points >= (result.winner is not None)
        and (result.level is None or isinstance(result.level, Level))
        and isinstance(result.ending, Ending)
    )
    return (
        ""
        if well
        else "an Outcome with a Player (or None), points from 1, a Level (or None), an Ending"
    )


def _kept(result: object, rules: Rules, start: Position, plays: Plays, *_: object) -> str:
    if not isinstance(result, Plays):
        return "Plays, such as plays.only(...)"
    if result is plays:
        return ""
    if not result:
        return ""  # a rule that would leave nothing lapses
    found = _codes(result)
    if len(set(found)) < len(found):
        return "each play once"
    for code in set(found) - set(_codes(plays)):
        if not _possible(plays, code):
            return "plays that the rules allow"
    return ""


def _codes(plays: Plays) -> list[bytes]:
    codes = plays.codes
    return [codes[at : at + STEPS] for at in range(0, len(codes), STEPS)]


def _possible(plays: Plays, code: bytes) -> bool:
    """Whether steps that are none of `plays`, as too few perhaps, can be made one after the other."""
    try:
        plays.progress([Step.of(one >> 3, one & 7) for one in code if one])
    except IllegalAction:
        return False
    return True


def _parts(result: object, *_: object) -> str:
    well = isinstance(result, tuple) and result and all(map(_is_part, result))
    return "" if well else f"a tuple of Parts, each of 1 to {STEPS} numbers from 1 to {HIGHEST}"


def _is_part(part: object) -> bool:
    return (
        isinstance(part, Part)
        and 0 < len(part.numbers) <= STEPS
        and all(type(number) is int and 0 < number <= HIGHEST for number in part.numbers)
    )


def _steps(result: object, *_: object) -> str:
    well = isinstance(result, tuple) and all(isinstance(step, Step) for step in result)
    return "" if well else "a tuple of Steps"


def _levels(result: object, *_: object) -> str:
    well = isinstance(result, tuple) and all(isinstance(one, Level) for one in result)
    return "" if well else "a tuple of Levels, the lowest first"


def _of(kind: type, expected: str) -> Owed:
    return lambda result, *_: "" if isinstance(result, kind) else expected


OWED: Mapping[str, Owed] = {
    "outcome": _outcome,
    "keep": _kept,
    "may_leave": lambda result, *_: "" if type(result) is int and result >= 0 else "points as bits",
    "parts": _parts,
    "named": _parts,
    "after_part": _of(Next, "a bgcore.turn.Next"),
    "won": _of(Outcome, "an Outcome"),
    "ended": _outcome,
    "steps": _steps,
    "possible_levels": _levels,
    "level": _of(Level, "a Level"),
    "value": lambda result, *_: "" if type(result) is int and result >= 0 else "points from 0",
    "plays": _of(Plays, "Plays"),
    "plays_of": _of(Plays, "Plays"),
    "position": _of(Position, "a Position"),
    "after": _of(Position, "a Position"),
    "after_step": _of(Position, "a Position"),
}
"""What each method owes."""
