"""Plays as text: `8/5 6/5*`, `bar/20`, `6/off`, `4/1^`, and everything that people and programs write instead.

`str(play)` writes. `read_play` reads: marks or none, `(2)`, compound steps such as `24/14` or `24/18*/14`,
`bar`, `Bar` or `25`, `off` or `0`, any order of the steps, and many ways to say that nothing is played.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from bgcore.errors import Fault, IllegalAction, NotationError
from bgcore.play import NO_STEPS, STEPS, Play, Plays, Step
from bgcore.position import BAR, OFF, POINTS, SIDE, UNENTERED, Position
from bgcore.roll import NUMBERS
from bgcore.turn import Turn

LONGEST = 256
"""Characters of a play that are read."""
MOST_LEGS = 16
"""Checkers that a text may move, repeats counted; the most that a part of a turn can is four."""
RULE = "C7"
"""The rule that says how plays are written."""

NO_PLAY = frozenset(
    (
        "pass",
        "passes",
        "cannot move",
        "can't move",
        "no move",
        "no play",
        "none",
        "forfeit",
    )
)
_PLACES = {"bar": BAR, "in": UNENTERED, "off": OFF, "25": BAR, "0": OFF}


@dataclass(frozen=True, slots=True)
class Leg:
    """One checker from here to there, by one number or by several; `mark` says what it meets there."""

    origin: int
    target: int
    mark: str = ""

    @property
    def distance(self) -> int:
        """Points that it moves."""
        return min(self.origin, BAR) - self.target


def read_play(plays: Plays, text: str) -> Play:
    """The play of `plays` that a text means, judged by the position that it leads to.

    `NotationError` tells where a text cannot be read, or that it could mean several plays
    (`AMBIGUOUS_PLAY`); `IllegalAction` why the rules refuse it (C7).

    >>> from bgcore import Roll, load
    >>> western = load().rules("western")
    >>> read_play(western.plays(western.start, Roll.of(6, 5)), "24/13")
    <Play 24/18 18/13>
    """
    if len(text) > LONGEST:
        raise _unreadable("TEXT_TOO_LONG", LONGEST + 1, "", f"at most {LONGEST} characters")
    words = text.split()
    if len(words) <= STEPS and (play := _as_listed(plays, words)):
        return play
    legs = _entering(plays, read_legs(text))
    found = _Search(plays).results(legs)
    if len(found) == 1:
        return found[0]
    if found:
        raise NotationError(
            Fault(
                "AMBIGUOUS_PLAY",
                "play",
                text,
                "one of " + ", ".join(sorted(map(str, found))),
                rule=RULE,
            )
        )
    return _refused(plays, legs)


# -- the usual case: what we write ourselves ---------------------------------------------------------


def _simple_steps() -> dict[str, tuple[int, int, int]]:
    """Every step that a word alone tells, as origin, number (0: bearing off) and marked target."""
    known = {}
    places = {**{str(n): n for n in range(1, POINTS + 1)}, "bar": BAR, "in": UNENTERED}
    for name, origin in places.items():
        for number in NUMBERS:
            target = min(origin, BAR) - number
            if target > OFF:
                known[f"{name}/{target}"] = origin, number, 0
                known[f"{name}/{target}*"] = known[f"{name}/{target}^"] = origin, number, target
        known[f"{name}/off"] = origin, 0, 0
    return known


_SIMPLE = _simple_steps()


def _as_listed(plays: Plays, words: Sequence[str]) -> Play | None:
    """The play, if the words are its steps one by one; `None` leaves it to the search."""
    codes = []
    numbers = plays.numbers
    for word in words:
        step = _SIMPLE.get(word)
        if step is None:
            return None
        origin, number, marked = step
        if number == 0:
            # The largest that may be meant: a number above the origin bears off too.
            number = origin if origin in numbers else max(numbers, default=0)
            if number < origin:
                return None
        if marked and not _meets(plays, marked, word[-1]):
            return None
        codes.append(origin << 3 | number)
    for order in (codes, sorted(codes, reverse=True), codes[::-1]):
        if play := _listed(plays, bytes(order).ljust(STEPS, b"\0")):
            return play
    return None


def _listed(plays: Plays, code: bytes) -> Play | None:
    if code == NO_STEPS:
        return plays[0] if plays.nothing_playable else None
    listed = plays.codes
    at = listed.find(code)
    while at >= 0 and at % STEPS:
        at = listed.find(code, at + 1)
    return plays[at // STEPS] if at >= 0 else None


def _meets(plays: Plays, target: int, mark: str) -> bool:
    """Whether whoever lands there first meets a lone opposing checker, and the mark says what follows."""
    contact = plays.rules.variant.contact
    if mark != ("*" if contact == "hit" else "^" if contact == "pin" else ""):
        return False
    there = plays.rules.opponents_point(target)
    if plays.start.packed[SIDE + there] == 1:
        return True
    # Whoever lay pinned is alone once the checkers on top have left, and may be pinned again.
    return mark == "^" and there in plays.start.opponent.pinned


# -- reading -----------------------------------------------------------------------------------------

_ARROWS = re.compile(r"\s*(?:->|=>|→)\s*|(?<=\w)[-–—](?=\w)")
_SLASHES = re.compile(r"\s*/\s*")
_TOKEN = re.compile(r"[^\s,;]+")
_REPEAT = re.compile(r"(?P<path>.*?)(?:\((?P<count>\d{1,3})\))?(?P<after>[*^]?)", re.DOTALL)
_POINT = re.compile(r"(?P<place>[a-z]+|\d{1,10})(?P<mark>[*^]?)", re.ASCII)


def read_legs(text: str) -> list[Leg]:
    """What a text moves, in its order; `NotationError` names the column and what was expected there.

    >>> read_legs("Bar/20*/14 6/5(2)")  # doctest: +NORMALIZE_WHITESPACE
    [Leg(origin=25, target=20, mark='*'), Leg(origin=20, target=14, mark=''),
     Leg(origin=6, target=5, mark=''), Leg(origin=6, target=5, mark='')]
    >>> read_legs("Cannot Move")
    []
    >>> read_legs("8/5 6/x")
    Traceback (most recent call last):
    bgcore.errors.NotationError: column 7 x: expected a point from 1 to 24, bar, in or off
    """
    if _says_nothing(text.strip().casefold()):
        return []
    # Blanks around a slash and arrows instead of it, without moving what stands behind.
    even = _SLASHES.sub(_padded, _ARROWS.sub(_padded, text))
    legs: list[Leg] = []
    for token in _TOKEN.finditer(even):
        legs += _legs_of(token.group(), token.start() + 1)
        if len(legs) > MOST_LEGS:
            raise _unreadable(
                "TEXT_TOO_LONG", token.start() + 1, token.group(), f"at most {MOST_LEGS} steps"
            )
    return legs


def _says_nothing(text: str) -> bool:
    inner = text[1:-1] if len(text) > 2 and text[0] == "(" and text[-1] == ")" else text
    return not text or inner.rstrip(".") in NO_PLAY or set(text) <= set("-–—")


def _padded(found: re.Match[str]) -> str:
    """A slash in the place of what was found, as wide as that was."""
    return "/" + "\0" * (len(found.group()) - 1)


def _legs_of(token: str, column: int) -> list[Leg]:
    """The legs of one token such as `24/18*/14` or `6/5(2)`."""
    whole = _REPEAT.fullmatch(token)
    assert whole is not None  # the pattern takes any text
    count = int(whole["count"] or 1)
    if not 1 <= count <= MOST_LEGS:
        raise _unreadable("BAD_PLAY_TEXT", column, token, "a repeat such as (2)")
    stops: list[tuple[int, str]] = []
    parts = whole["path"].split("/")
    for index, part in enumerate(parts):
        place = part.lstrip("\0")
        stops.append(_stop(place, column + len(part) - len(place)))
        if stops[-1][0] == OFF and index < len(parts) - 1:
            # What is off stays off.
            expected = f"a point from 1 to {POINTS}, bar or in"
            raise _unreadable("BAD_PLAY_TEXT", column, place, expected)
        column += len(part) + 1
    if len(stops) < 2:
        raise _unreadable("BAD_PLAY_TEXT", column - len(token) - 1, token, "a step such as 8/5")
    if whole["after"]:
        stops[-1] = stops[-1][0], whole["after"]
    path = [Leg(origin, target, mark) for (origin, _), (target, mark) in pairwise(stops)]
    # Of several checkers that run together only the first can meet somebody.
    again = [replace(leg, mark="") for leg in path]
    return path + again * (count - 1)


def _stop(part: str, column: int) -> tuple[int, str]:
    point = _POINT.fullmatch(part.lower())
    place = _PLACES.get(point["place"]) if point else None
    if point and place is None and point["place"].isdigit() and 1 <= int(point["place"]) <= POINTS:
        place = int(point["place"])
    if point is None or place is None:
        raise _unreadable(
            "BAD_PLAY_TEXT", column, part, f"a point from 1 to {POINTS}, bar, in or off"
        )
    return place, point["mark"]


def _unreadable(reason: str, column: int, found: str, expected: str) -> NotationError:
    shown = found if len(found) <= 40 else found[:40] + "…"
    return NotationError(Fault(reason, f"column {max(column, 1)}", shown, expected, rule=RULE))


def _entering(plays: Plays, legs: list[Leg]) -> list[Leg]:
    """Whoever writes bar means an unentered checker where nobody is on the bar."""
    mover = plays.start.mover
    if mover.bar or not mover.unentered:
        return legs
    return [replace(leg, origin=UNENTERED) if leg.origin == BAR else leg for leg in legs]


# -- the search --------------------------------------------------------------------------------------


class _Search:
    """Every legal play that makes some legs, in whatever order of steps and numbers."""

    def __init__(self, plays: Plays) -> None:
        self.plays = plays
        self.rules = plays.rules
        self.legal = {position.packed: at for at, position in enumerate(plays.positions())}
        # The plays that were reached, with how often a checker that ran on had hit on its way.
        self.reached: dict[int, int] = {}
        self.seen: set[object] = set()

    def results(self, legs: Sequence[Leg]) -> list[Play]:
        """The plays that a text may mean: those that hit least where it does not say so."""
        if any(leg.mark and not _meets(self.plays, leg.target, leg.mark) for leg in legs):
            return []
        if len(legs) <= len(self.plays.numbers):
            numbers = tuple(self.plays.numbers)
            ordered = tuple((leg.origin, leg.target) for leg in legs)
            turn = self.plays.turn.opened(self.plays.context)
            self._go(self.plays.start, ordered, numbers, turn, 0)
        fewest = min(self.reached.values(), default=0)
        return [self.plays[at] for at, met in self.reached.items() if met == fewest]

    def _go(
        self,
        position: Position,
        legs: tuple[tuple[int, int], ...],
        left: tuple[int, ...],
        turn: Turn,
        met: int,
    ) -> None:
        key = (position.packed, tuple(sorted(legs)), tuple(sorted(left)), turn.context, met)
        if key in self.seen:
            return
        self.seen.add(key)
        if not legs:
            at = self.legal.get(position.packed)
            if at is not None:
                self.reached[at] = min(met, self.reached.get(at, met))
            return
        for step in self.rules.steps(position, left, turn):
            for leg in set(legs):
                if step.origin != leg[0] or step.target < leg[1]:
                    continue
                rest = list(legs)
                rest.remove(leg)
                on_its_way = step.target > leg[1]
                if on_its_way and _number_of(leg, left):
                    continue  # a number alone makes it, so it is one step (C7)
                if on_its_way:
                    rest.append((step.target, leg[1]))
                numbers = list(left)
                numbers.remove(step.number)
                after, then = self.rules.stepped(position, step, turn)
                met_now = on_its_way and (step.hit or step.pin)
                self._go(after, tuple(rest), tuple(numbers), then, met + met_now)


def steps_meant(plays: Plays, text: str) -> Iterator[list[Step]]:
    """Every list of steps that a text may mean as it is written, legal or not."""
    legs = _entering(plays, read_legs(text))
    return _readings(legs, tuple(plays.numbers))


# -- why not -----------------------------------------------------------------------------------------


def _refused(plays: Plays, legs: Sequence[Leg]) -> Play:
    """Raises the refusal of the reading that gets farthest; a play, should one be legal after all."""
    farthest, refusal = -1, None
    for steps in _readings(legs, tuple(plays.numbers)):
        try:
            play = plays.as_written(steps)
        except IllegalAction as refused:
            step = refused.faults[0].step
            came = len(steps) + 1 if step is None else step
            if came > farthest:
                farthest, refusal = came, refused
        else:
            if all(_meets(plays, leg.target, leg.mark) for leg in legs if leg.mark):
                return play
            wrong = next(
                leg for leg in legs if leg.mark and not _meets(plays, leg.target, leg.mark)
            )
            raise NotationError(
                Fault(
                    "WRONG_MARK",
                    f"step to {wrong.target}",
                    wrong.mark,
                    "no mark, as it meets no lone opposing checker there",
                    rule=RULE,
                )
            )
    assert refusal is not None  # there is always a reading
    raise refusal


def _readings(legs: Sequence[Leg], left: tuple[int, ...]) -> Iterator[list[Step]]:
    """The legs as steps, as written; a leg that no number alone makes is made of several, in any order."""
    if not legs:
        yield []
        return
    first, rest = legs[0], legs[1:]
    for numbers in _numbers_of(first, left):
        steps, origin, remaining = [], first.origin, list(left)
        for number in numbers:
            step = Step.of(origin, number)
            steps.append(step)
            origin = step.target
            if number in remaining:
                remaining.remove(number)
        for others in _readings(rest, tuple(remaining)):
            yield steps + others


def _numbers_of(leg: Leg, left: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The numbers that may be meant by a leg: one, or several in each order."""
    if number := _number_of((leg.origin, leg.target), left):
        return [(number,)]
    return sorted(set(_sums(leg.distance, left, leg.target == OFF)), reverse=True) or [
        (leg.distance,)
    ]


def _number_of(leg: tuple[int, int], left: Sequence[int]) -> int:
    """The number that alone makes a leg, 0 if none: to bear off, the smallest that is large enough."""
    distance = min(leg[0], BAR) - leg[1]
    if distance in left:
        return distance
    return min((n for n in left if n > distance), default=0) if leg[1] == OFF else 0


def _sums(distance: int, left: tuple[int, ...], off: bool) -> Iterator[tuple[int, ...]]:
    """Numbers that together make a distance; the last may be larger where a checker is borne off."""
    for index, number in enumerate(left):
        if number == distance or (off and number > distance):
            yield (number,)
        elif number < distance:
            rest = left[:index] + left[index + 1 :]
            yield from ((number, *others) for others in _sums(distance - number, rest, off))
