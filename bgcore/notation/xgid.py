"""XGID, eXtreme Gammon's line for a position in a match: ten fields between colons.

The board's 26 characters are O's bar, the points 1 to 24 as X numbers them, and X's bar; a capital counts
X's checkers (A is 1), a small letter O's. X sits at the bottom and is Black here, as GNU Backgammon reads it:
its player 1. O is White. The other fields count for X first: owner and turn are 1 (X) or -1 (O).

Not in it: a resignation, who starts a game that has not begun, how one ended, and Jacoby or beavers in a
match. While a double waits the cube is written as it lay before, and the turn is the side that doubled.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from bgcore.cube import Cube
from bgcore.errors import Fault, NotationError, shown
from bgcore.notation.match_id import LONGEST_MATCH
from bgcore.notation.position_id import check_variant
from bgcore.notation.situation import Situation, exponent
from bgcore.position import BAR, POINTS
from bgcore.rules import Rules
from bgcore.seat import Seat
from bgcore.setup import Setup, SideSetup
from bgcore.variant import Variant

FIELDS = (
    "board",
    "cube",
    "owner",
    "turn",
    "dice",
    "score of X",
    "score of O",
    "rules",
    "length",
    "highest cube",
)
X, O = Seat.BLACK, Seat.WHITE  # noqa: E741  # the letters of the drawing
PLACES = POINTS + 2
HIGHEST_CUBE = 20
"""Exponent of the highest cube that is read or written."""
USUAL_CAP = 10
"""What eXtreme Gammon writes as the highest cube; so do we where there is no cap."""
UNLIMITED = 99_999
"""Lengths from here on are converters' way to say money."""
LONGEST = 200

_PREFIX = re.compile(r"\s*(?:XGID\s*=)?\s*", re.IGNORECASE)
_NUMBER = re.compile(r"-?[0-9]{1,9}", re.ASCII)
HIGHEST_SCORE = 10**9 - 1
"""The highest number that is read."""
_ROLLED = re.compile(r"[1-6]{2}", re.ASCII)
_RAISED = {"00": 0, "D": 1, "B": 2, "R": 3}
_CRAWFORD, _JACOBY, _BEAVERS = 1, 1, 2


def read_xgid(text: str, variant: Variant) -> Situation:
    """What an XGID says; `NotationError` names the field or the character that is wrong.

    `XGID=` may be missing, and so may the last field: no cap, then. Checkers that are not on the board have
    been borne off. A double (`D`) with a cube that lies with the other side is that side's: some
    converters write who has to answer.

    >>> from bgcore import load
    >>> western = load().variant("western")
    >>> here = read_xgid("XGID=-b----E-C---eE---c-e----B-:0:0:1:52:0:3:0:7:10", western)
    >>> here.seat, here.dice, here.score, here.cube_cap
    (<Seat.BLACK: 1>, (5, 2), (3, 0), 1024)
    >>> read_xgid("-b----E-C---eE---c-e----B:0:0:1:52:0:3:0:7:10", western)
    Traceback (most recent call last):
    bgcore.errors.NotationError: XGID board -b----E-C---eE---c-e----B (25 characters): expected 26 characters
    """
    check_variant(variant, "an XGID")
    fields = _fields(text)
    sides = _board(fields["board"], variant.checkers)
    cube, seat = _cube(fields), X if _one_of(fields, "turn", (-1, 1)) == 1 else O
    dice, raised = _dice(fields["dice"])
    if raised == 1 and cube.owner is seat.other:
        seat = seat.other
    length = _length(fields)
    score = _score(fields, "score of O", length), _score(fields, "score of X", length)
    rules = _one_of(fields, "rules", range(4) if length is None else range(2))
    return Situation(
        setup=Setup(sides[seat], sides[seat.other]),
        seat=seat,
        decider=seat.other if raised % 2 else seat,
        cube=cube,
        cube_cap=_cap(fields),
        dice=dice,
        length=length,
        score=score,
        crawford=length is not None and rules == _CRAWFORD,
        jacoby=length is None and bool(rules & _JACOBY),
        beavers=length is None and bool(rules & _BEAVERS),
        raised=raised,
    )


def write_xgid(situation: Situation, rules: Rules) -> str:
    """The XGID of a position in a match, dice as they were thrown.

    A cap that is no power of two is written as the one below, and no cap as 1024 or the cube, if that is
    higher. `NotationError` where there is something that an XGID cannot say, `IllegalPosition` where the
    rules have no such board.

    >>> from bgcore import Action, Match, load
    >>> match = Match.new(load().rules("western")).after(Action.throw(1, 3))
    >>> write_xgid(Situation.of(match), match.rules)
    'XGID=-b----E-C---eE---c-e----B-:0:0:1:13:0:0:0:7:6'
    """
    s = situation
    check_variant(rules.variant, "an XGID")
    _check_writable(s)
    power = exponent("cube", s.cube.value, HIGHEST_CUBE)
    highest = max(USUAL_CAP, power) if s.cube_cap is None else s.cube_cap.bit_length() - 1
    money = s.jacoby * _JACOBY + s.beavers * _BEAVERS
    fields = (
        _drawn(s, rules),
        power,
        0 if s.cube.owner is None else _sign(s.cube.owner),
        _sign(s.seat),
        "".join(map(str, s.dice)) or next(word for word, n in _RAISED.items() if n == s.raised),
        s.score[X],
        s.score[O],
        money if s.length is None else s.crawford * _CRAWFORD,
        s.length or 0,
        highest,
    )
    return "XGID=" + ":".join(map(str, fields))


# -- reading ---------------------------------------------------------------------------------------------


def _fields(text: str) -> dict[str, str]:
    if len(text) > LONGEST:
        raise _wrong("", f"{len(text)} characters", f"at most {LONGEST}")
    prefix = _PREFIX.match(text)
    parts = text[prefix.end() if prefix else 0 :].rstrip().split(":")
    if not len(FIELDS) - 1 <= len(parts) <= len(FIELDS):
        expected = f"{len(FIELDS)} with a colon between, or all but the last"
        raise _wrong("", f"{shown(text)} ({len(parts)} fields)", expected)
    return dict(zip(FIELDS, parts, strict=False))


def _board(text: str, checkers: int) -> dict[Seat, SideSetup]:
    if len(text) != PLACES:
        raise _wrong("board", f"{shown(text)} ({len(text)} characters)", f"{PLACES} characters")
    held = {X: [0] * PLACES, O: [0] * PLACES}  # by X's numbers
    for place, letter in enumerate(text):
        if letter == "-":
            continue
        count = ord(letter.upper()) - ord("A") + 1 if letter.isascii() and letter.isalpha() else 0
        if not 1 <= count <= checkers:
            most = chr(ord("A") + checkers - 1)
            expected = f"-, A to {most} or a to {most.lower()}"
            raise _wrong(f"board character {place}", repr(letter), expected)
        seat = X if letter.isupper() else O
        if (place, seat) in ((0, X), (BAR, O)):
            bar, case = ("O's", "a small letter") if place == 0 else ("X's", "a capital")
            raise _wrong(f"board character {place}", repr(letter), f"{case} or -: it is {bar} bar")
        held[seat][place] = count
    return {X: _side("X", held[X], checkers), O: _side("O", held[O][::-1], checkers)}


def _side(name: str, counts: Sequence[int], checkers: int) -> SideSetup:
    """A side of counts by its own numbers; its bar comes last."""
    total = sum(counts)
    if total > checkers:
        field = f"XGID {name} checkers"
        raise NotationError(Fault("TOO_MANY_CHECKERS", field, str(total), f"at most {checkers}"))
    points = {point: counts[point] for point in range(POINTS, 0, -1) if counts[point]}
    return SideSetup(points, counts[BAR], checkers - total)


def _cube(fields: dict[str, str]) -> Cube:
    power = _one_of(fields, "cube", range(HIGHEST_CUBE + 1))
    owner = {1: X, -1: O, 0: None}[_one_of(fields, "owner", (-1, 0, 1))]
    return Cube(1 << power, owner, turned=owner is not None)


def _cap(fields: dict[str, str]) -> int | None:
    if FIELDS[-1] not in fields:
        return None
    return 1 << _one_of(fields, FIELDS[-1], range(HIGHEST_CUBE + 1))


def _dice(text: str) -> tuple[tuple[int, ...], int]:
    """The dice, and how often the cube was raised."""
    if _ROLLED.fullmatch(text):
        return (int(text[0]), int(text[1])), 0
    if text not in _RAISED:
        raise _wrong("dice", shown(text), "two dice from 1 to 6, 00, D, B or R")
    return (), _RAISED[text]


def _length(fields: dict[str, str]) -> int | None:
    length = _number(fields, "length")
    if length == 0 or length >= UNLIMITED:
        return None
    if not 0 < length <= LONGEST_MATCH:
        expected = f"1 to {LONGEST_MATCH}, or 0 for money"
        raise _wrong("length", str(length), expected)
    return length


def _score(fields: dict[str, str], name: str, length: int | None) -> int:
    score = _number(fields, name)
    if score < 0 or (length is not None and score > length):
        expected = "0 or more" if length is None else f"0 to the length, {length}"
        raise _wrong(name, str(score), expected)
    return score


def _one_of(fields: dict[str, str], name: str, values: Sequence[int]) -> int:
    number = _number(fields, name)
    if number not in values:
        *most, last = map(str, values)
        wanted = f"{values[0]} to {last}" if len(values) > 4 else f"{', '.join(most)} or {last}"
        raise _wrong(name, str(number), wanted)
    return number


def _number(fields: dict[str, str], name: str) -> int:
    if not _NUMBER.fullmatch(fields[name]):
        raise _wrong(name, repr(shown(fields[name])), "a whole number")
    return int(fields[name])


def _wrong(field: str, value: str, expected: str) -> NotationError:
    return NotationError(Fault("BAD_XGID", f"XGID {field}".rstrip(), value, expected))


# -- writing ---------------------------------------------------------------------------------------------


def _check_writable(situation: Situation) -> None:
    """What the fields have no room for, or what makes no sense in them."""
    s = situation
    dice = len(s.dice) in (0, 2) and all(1 <= die <= 6 for die in s.dice)
    score = all(points >= 0 and (s.length is None or points <= s.length) for points in s.score)
    refusals = (
        (not s.running, "state", s.state, "a game that is on"),
        (s.resigned is not None, "resigned", s.resigned, "no resignation that waits"),
        (s.raised not in _RAISED.values(), "raised", s.raised, "0 to 3"),
        (bool(s.raised and s.dice), "dice", list(s.dice), "none while a double waits"),
        (not dice, "dice", list(s.dice), "two dice from 1 to 6, or none"),
        (not score, "score", list(s.score), "two numbers from 0 up to the length"),
        (max(s.score) > HIGHEST_SCORE, "score", list(s.score), f"at most {HIGHEST_SCORE}"),
        (
            (s.cube_cap or 1).bit_length() - 1 > HIGHEST_CUBE,
            "cube_cap",
            s.cube_cap,
            f"at most {1 << HIGHEST_CUBE}, or none",
        ),
        (
            s.length is not None and not 0 < s.length <= LONGEST_MATCH,
            "length",
            s.length,
            f"1 to {LONGEST_MATCH}",
        ),
        (s.length is None and s.crawford, "crawford", True, "false: money has no Crawford game"),
    )
    for applies, field, value, expected in refusals:
        if applies:
            fault = Fault("NOT_IN_XGID", field, shown(value), f"{expected}, for an XGID")
            raise NotationError(fault)


def _drawn(situation: Situation, rules: Rules) -> str:
    position = situation.position(rules)
    sides = {situation.seat: position.mover, situation.seat.other: position.opponent}
    letters = ["-"] * PLACES
    for seat, side in sides.items():
        first = "A" if seat is X else "a"
        for point, count in (*side.points.items(), (BAR, side.bar)):
            if count:
                place = point if seat is X else BAR - point
                letters[place] = chr(ord(first) + count - 1)
    return "".join(letters)


def _sign(seat: Seat) -> int:
    return 1 if seat is X else -1
