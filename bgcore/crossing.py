"""What the methods of a variant's own rules give back, looked at where it comes into the engine.

Whatever a method raises is its failure, a `PluginFailed` that says which method it was, also where it looks like
one of the engine's own errors: those are about what a client asked. Only what its contract has it raise (`MAY_RAISE`)
is left alone. One that returns what it must not would be noticed only later, far from who is to blame; so each
is looked at at once, in one table of what it owes, and what could be another thing when it is looked at again is read
once (`TAKEN`). Rules that override nothing pay nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import wraps
from itertools import islice
from pathlib import Path
from signal import SIGINT, default_int_handler, getsignal
from threading import current_thread, main_thread
from traceback import walk_tb
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from bgcore.errors import (
    Fault,
    IllegalAction,
    IllegalPosition,
    OptionError,
    PluginFailed,
    said,
    shown,
)
from bgcore.outcome import MOST_POINTS, Ending, Level, Outcome
from bgcore.play import STEPS, Plays, Step
from bgcore.position import BOTH_SIDES, OFF, POINTS, Position
from bgcore.roll import HIGHEST, is_number
from bgcore.seat import Player
from bgcore.turn import Next, Part, PartKind, Then

if TYPE_CHECKING:
    from bgcore.rules import Rules

MOST_CLOSED = 100
"""Points that are looked at in a collection, which may never end; there are 25."""

Owed = Callable[..., str]
"""What is expected instead of a result, which comes first, then the method's arguments; empty: it is well."""


T = TypeVar("T")


def guard(rules: type[Rules], engine: type[Rules]) -> None:
    """Has every method looked at that a class overrides of the engine's rules, also by what it mixes in."""
    guarded = [base for base in rules.__mro__[1:] if issubclass(base, engine)]
    for name in {name for base in guarded for name in vars(base)}:
        home = next(base for base in rules.__mro__ if name in vars(base))
        if home not in guarded and isinstance(vars(engine).get(name), FunctionType):
            method = _as_method(vars(home)[name], f"{home.__qualname__}.{name}", home.__module__)
            setattr(rules, name, _looked_at(name, method))


def _as_method(given: Any, name: str, module: str) -> FunctionType:
    """What a class has in place of a method as one: also a `staticmethod`, or what cannot be called at all."""
    if isinstance(given, FunctionType):
        return given

    def method(self: Rules, *arguments: Any, **named: Any) -> object:
        bound = given.__get__(self, type(self)) if hasattr(given, "__get__") else given
        return bound(*arguments, **named)

    method.__qualname__, method.__module__ = name, module
    return cast(FunctionType, method)


def _looked_at(name: str, method: FunctionType) -> Callable[..., Any]:
    allowed, taken, owed = MAY_RAISE.get(name, ()), TAKEN.get(name), OWED.get(name, _nothing)
    ask = method if name != "keep" else _handing_a_copy(method)

    @wraps(method)
    def guarded(self: Rules, *given: Any, **named: Any) -> Any:
        try:
            result = ask(self, *given, **named)
            if taken is not None:
                result = taken(result)
            if named:
                given = (*given, *named.values())
            if expected := owed(result, self, *given):
                raise nonsense(method, result, expected)
        except BaseException as problem:
            if is_failure(problem, allowed):
                raise failed_by(problem) from problem
            raise
        return result

    return guarded


def _handing_a_copy(method: FunctionType) -> Callable[..., Any]:
    """`keep` with plays of its own, from whose answer alone the engine's come: nothing else of them can be frozen."""

    def keep(self: Rules, start: Position, plays: Plays) -> object:
        kept = method(self, start, plays.with_answer(plays.answer))
        if type(kept) is not Plays:
            return kept
        return plays if kept.answer is plays.answer else plays.with_answer(kept.answer)

    return keep


def asked(method: Callable[..., T], *given: Any) -> T:
    """What a function of a plugin answers; `PluginFailed` for whatever it raises."""
    try:
        return method(*given)
    except BaseException as problem:
        if is_failure(problem):
            raise failed_by(problem) from problem
        raise


def is_failure(problem: BaseException, allowed: tuple[type[Exception], ...] = ()) -> bool:
    """Whether what a plugin's code raised is its failure: not what it may raise, nor a failure that is told already."""
    if isinstance(problem, (PluginFailed, *allowed)):
        return False
    return isinstance(problem, Exception) or ends(problem)


def ends(problem: BaseException) -> bool:
    """Whether an exception of a plugin's would end the process, or whoever waits for an answer.

    A `KeyboardInterrupt` is the terminal's only where nobody else has taken over its signal, as a server does.
    """
    if isinstance(problem, KeyboardInterrupt):
        return getsignal(SIGINT) is not default_int_handler or current_thread() is not main_thread()
    return isinstance(problem, StopIteration | StopAsyncIteration) or not isinstance(
        problem, Exception
    )


class Overdue(BaseException):
    """Raised in a plugin's code that takes too long, by who may interrupt it; `failure` is what who asked is told.

    It is no `Exception`, so that it also ends code that goes on after any of those.
    """

    def __init__(self, failure: PluginFailed) -> None:
        super().__init__(str(failure))
        self.failure = failure


def failed_by(problem: BaseException) -> PluginFailed:
    """The error of code that raised, or wanted to end the process."""
    if isinstance(problem, Overdue):
        return problem.failure
    found = type(problem).__name__
    # It may be told to strangers, whom our files do not concern.
    what = told(problem, place=False)
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
    if type(result) is not Outcome:
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
    if type(result) is not Plays:
        return "Plays, such as plays.only(...)"
    if result is plays or not result:
        return ""  # a rule that would leave nothing lapses
    if result.answer == plays.answer:
        return ""
    if type(result.answer) is not bytes or len(result.answer) % STEPS:
        return "plays that the kernel found"
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
    well = type(result) is frozenset
    return "" if well else f"a collection of own points, {OFF} (off) to {POINTS}"


def _points_once(result: object) -> object:
    """Points as the set that they are now, whatever they are in; what are none in another form than a set."""
    if type(result) in (set, frozenset, tuple, list):
        found = list(cast("Collection[object]", result))
    elif isinstance(result, Collection):
        found = list(islice(result, MOST_CLOSED + 1))
    else:
        return result
    for point in found:  # it is asked at every node of a search
        if type(point) is not int or not OFF <= point <= POINTS:
            return found
    return frozenset(found) if len(found) <= MOST_CLOSED else found


def _parts(result: object, *_: object) -> str:
    well = type(result) is tuple and result and all(map(_is_part, result))
    return "" if well else f"a tuple of Parts, each of 1 to {STEPS} numbers from 1 to {HIGHEST}"


def _is_part(part: object) -> bool:
    return (
        type(part) is Part
        and type(part.numbers) is tuple
        and isinstance(part.kind, PartKind)
        and 0 < len(part.numbers) <= STEPS
        and all(map(is_number, part.numbers))
    )


def _parts_once(result: object) -> object:
    """Parts with their numbers as they are now; what are none as it is."""
    if not isinstance(result, tuple):
        return result
    return tuple(map(_part_once, result))


def _part_once(part: object) -> object:
    # Numbers that somebody has as a list could be others later.
    if type(part) is not Part or not isinstance(part.numbers, Collection):
        return part
    return Part(tuple(islice(part.numbers, STEPS + 1)), part.kind)


def _following(result: object, *_: object) -> str:
    if type(result) is not Next or not isinstance(result.then, Then):
        return "a bgcore.turn.Next"
    left = result.leftovers
    return "" if left == () else _parts(left) and f"leftovers that are {_parts(left)}"


def _following_once(result: object) -> object:
    if type(result) is not Next or result.leftovers == ():
        return result
    return Next(result.then, cast("tuple[Part, ...]", _parts_once(result.leftovers)))


def _steps(result: object, *_: object) -> str:
    well = type(result) is tuple and all(type(step) is Step for step in result)
    return "" if well else "a tuple of Steps"


def _levels(result: object, *_: object) -> str:
    well = type(result) is tuple and all(isinstance(one, Level) for one in result)
    return "" if well else "a tuple of Levels, the lowest first"


def _board(result: object, *_: object) -> str:
    well = type(result) is bytes and len(result) == BOTH_SIDES
    return "" if well else f"a board of {BOTH_SIDES} bytes"


def _position(result: object, *_: object) -> str:
    well = type(result) is Position and not _board(result.packed)
    return "" if well else f"a Position of {BOTH_SIDES} bytes"


def _points(result: object, *_: object) -> str:
    well = type(result) is int and 0 <= result <= MOST_POINTS
    return "" if well else f"0 to {MOST_POINTS} points"


def _of(kind: type, expected: str) -> Owed:
    # Of no class derived from it, whose own code would answer otherwise the next time.
    return lambda result, *_: "" if type(result) is kind else expected


OWED: Mapping[str, Owed] = {
    "outcome": _outcome,
    "keep": _kept,
    "may_leave": lambda result, *_: "" if type(result) is int and result >= 0 else "points as bits",
    "closed": _closed,
    "parts": _parts,
    "named": _parts,
    "after_part": _following,
    "won": _won,
    "ended": _outcome,
    "steps": _steps,
    "possible_levels": _levels,
    "level": lambda result, *_: "" if isinstance(result, Level) else "a Level",
    "value": _points,
    "most": _points,
    "left": _points,
    "caught": _of(bool, "true or false"),
    "board": _board,
    "plays": _of(Plays, "Plays"),
    "plays_of": _of(Plays, "Plays"),
    "position": _position,
    "proved": _position,
    "after": _position,
    "after_step": _position,
}
"""What each method owes."""

TAKEN: Mapping[str, Callable[[object], object]] = {
    "closed": _points_once,
    "parts": _parts_once,
    "named": _parts_once,
    "after_part": _following_once,
}
"""How what a method gives is read, once, into what does not change, before anybody looks at it."""

MAY_RAISE: Mapping[str, tuple[type[Exception], ...]] = {
    "__init__": (ValueError, IllegalPosition, OptionError),
    "position": (IllegalPosition,),
    "proved": (IllegalPosition,),
}
"""What a method's contract has it raise: data or options that are not played, a board that is none."""
