"""What the methods of a variant's own rules give back, looked at where it comes into the engine.

A method that raises is left alone: whoever asked hears of it, and `told` says which method it was. Only what
would end the process, such as `sys.exit`, becomes a `PluginFailed`: a plugin cannot decide that. One that
returns what it must not would be noticed only later, far from who is to blame; so each is looked at at once,
in one table of what it owes. Rules that override nothing pay nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import wraps
from pathlib import Path
from signal import SIGINT, default_int_handler, getsignal
from threading import current_thread, main_thread
from traceback import walk_tb
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeVar

from bgcore.errors import Fault, IllegalAction, PluginFailed, said, shown
from bgcore.outcome import Ending, Level, Outcome
from bgcore.play import STEPS, Plays, Step
from bgcore.position import OFF, POINTS, SIDE, Position
from bgcore.seat import Player
from bgcore.turn import Next, Part

if TYPE_CHECKING:
    from bgcore.rules import Rules

HIGHEST = 6
MOST_POINTS = 255
"""What a game may be worth before the cube; more the contract has no room for."""

BOTH_SIDES = 2 * SIDE

Owed = Callable[..., str]
"""What is expected instead of a result, which comes first, then the method's arguments; empty: it is well."""


T = TypeVar("T")


def guard(rules: type[Rules], engine: type[Rules]) -> None:
    """Has every method looked at that a class overrides of the engine's rules, also by what it mixes in."""
    guarded = [base for base in rules.__mro__[1:] if issubclass(base, engine)]
    for name in {name for base in guarded for name in vars(base)}:
        home = next(base for base in rules.__mro__ if name in vars(base))
        method = vars(home)[name]
        if home not in guarded and isinstance(method, FunctionType):
            setattr(rules, name, _looked_at(method, OWED.get(name, _nothing)))


def _looked_at(method: FunctionType, owed: Owed) -> Callable[..., Any]:
    @wraps(method)
    def guarded(self: Rules, *given: Any, **named: Any) -> Any:
        try:
            result = method(self, *given, **named)
        except BaseException as problem:
            if ends(problem):
                raise ended_by(problem) from problem
            raise
        if expected := owed(result, self, *given):
            raise nonsense(method, result, expected)
        return result

    return guarded


def asked(method: Callable[..., T], *given: Any) -> T:
    """What a function of a plugin answers; `PluginFailed` where it would have ended the process."""
    try:
        return method(*given)
    except BaseException as problem:
        if ends(problem):
            raise ended_by(problem) from problem
        raise


def ends(problem: BaseException) -> bool:
    """Whether an exception of a plugin's would end the process, or whoever waits for an answer.

    A `KeyboardInterrupt` is the terminal's only where nobody else has taken over its signal, as a server does.
    """
    if isinstance(problem, KeyboardInterrupt):
        return getsignal(SIGINT) is not default_int_handler or current_thread() is not main_thread()
    return isinstance(problem, StopIteration | StopAsyncIteration) or not isinstance(
        problem, Exception
    )


def ended_by(ending: BaseException) -> PluginFailed:
    """The error of code that wanted to end the process."""
    found = type(ending).__name__
    # It may be told to strangers, whom our files do not concern.
    what = told(ending, place=False)
    return PluginFailed(Fault("PLUGIN_FAILED", "", found, "an answer", what))


def told(problem: BaseException, *, place: bool = True) -> str:
    """An exception in a line, with the method of a variant's rules that it came through, and where in its file."""
    if isinstance(problem, PluginFailed) and problem.__cause__ is not None:
        return told(problem.__cause__, place=place)
    text = said(problem)
    frames = list(walk_tb(problem.__traceback__))
    crossed = (f for f, _ in frames if f.f_code.co_filename == __file__ and "method" in f.f_locals)
    crossing = next(crossed, None)
    method = crossing.f_locals["method"] if crossing else None
    if isinstance(problem, PluginFailed) or not isinstance(method, FunctionType):
        return text
    file = method.__code__.co_filename
    line = [line for frame, line in frames if frame.f_code.co_filename == file][-1:]
    where = f" ({Path(file).name}:{line[0]})" if line and place else ""
    return f"{method.__module__}.{method.__qualname__} raised {text}{where}"


def _nothing(*_: object) -> str:
    return ""


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
        and (result.winner is not None) <= result.points <= MOST_POINTS
        and (result.level is None or isinstance(result.level, Level))
        and isinstance(result.ending, Ending)
    )
    return (
        ""
        if well
        else f"an Outcome with a Player (or None), 1 to {MOST_POINTS} points, a Level (or None), an Ending"
    )


def _won(result: object, *_: object) -> str:
    return _outcome(result) if isinstance(result, Outcome) else "an Outcome"


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


def _closed(result: object, *_: object) -> str:
    well = isinstance(result, Collection) and all(
        type(point) is int and OFF <= point <= POINTS for point in result
    )
    return "" if well else f"a collection of own points, {OFF} (off) to {POINTS}"


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


def _board(result: object, *_: object) -> str:
    well = isinstance(result, bytes) and len(result) == BOTH_SIDES
    return "" if well else f"a board of {BOTH_SIDES} bytes"


def _points(result: object, *_: object) -> str:
    well = type(result) is int and 0 <= result <= MOST_POINTS
    return "" if well else f"0 to {MOST_POINTS} points"


def _of(kind: type, expected: str) -> Owed:
    return lambda result, *_: "" if isinstance(result, kind) else expected


OWED: Mapping[str, Owed] = {
    "outcome": _outcome,
    "keep": _kept,
    "may_leave": lambda result, *_: "" if type(result) is int and result >= 0 else "points as bits",
    "closed": _closed,
    "parts": _parts,
    "named": _parts,
    "after_part": _of(Next, "a bgcore.turn.Next"),
    "won": _won,
    "ended": _outcome,
    "steps": _steps,
    "possible_levels": _levels,
    "level": _of(Level, "a Level"),
    "value": _points,
    "most": _points,
    "left": _points,
    "caught": _of(bool, "true or false"),
    "board": _board,
    "plays": _of(Plays, "Plays"),
    "plays_of": _of(Plays, "Plays"),
    "position": _of(Position, "a Position"),
    "after": _of(Position, "a Position"),
    "after_step": _of(Position, "a Position"),
}
"""What each method owes."""
