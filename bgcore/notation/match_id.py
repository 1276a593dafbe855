"""GNU Backgammon's Match ID: 12 characters for everything about a position in a match but its board.

Nine bytes hold the fields of `FIELDS`, lowest bit first, in base64. Players are numbered: 0 is White, 1 is
Black, as the program's own SGF has them. The board goes before it as a Position ID, with a colon between.

Not in it: the cube's cap, whether beavers are played, and how far a double was raised beyond a raccoon. A
beaver shows by its cube, which lies with the seat that was doubled, at the value that he took it for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from bgcore.cube import Cube
from bgcore.errors import Fault, NotationError, shown
from bgcore.notation.base64_bits import read_bits, unreadable, write_bits
from bgcore.notation.position_id import read_position_id, write_position_id
from bgcore.notation.situation import Situation, State, exponent
from bgcore.outcome import Level
from bgcore.rules import Rules
from bgcore.seat import Seat
from bgcore.variant import Variant

LENGTH = 12
LONGEST_MATCH = 32_767
"""The highest length and score that fit."""

_NUMBER = LONGEST_MATCH.bit_length()

FIELDS: Mapping[str, int] = {
    "cube": 4,  # its exponent
    "owner": 2,  # 0, 1; 3: in the middle
    "on_roll": 1,
    "crawford": 1,
    "state": 3,
    "turn": 1,  # who decides
    "doubled": 1,
    "resigned": 2,
    "die 1": 3,  # 0: not rolled
    "die 2": 3,
    "length": _NUMBER,  # 0: money
    "score of player 0": _NUMBER,
    "score of player 1": _NUMBER,
    "no jacoby": 1,
}
"""The fields from the lowest bit up, and their bits."""
HIGHEST_CUBE = (1 << FIELDS["cube"]) - 1
"""Exponent of the highest cube that fits, 32768."""

_NAME = "match ID"
_MIDDLE = 3
_STATES = tuple(State)
_LEVELS = (None, *Level)


def read_match_id(text: str) -> Situation:
    """What a Match ID says, without a board; `NotationError` says what is wrong with it, and where.

    >>> here = read_match_id("cIlyAAAAAAAE")
    >>> here.seat, here.dice, here.length, here.score
    (<Seat.BLACK: 1>, (5, 4), 3, (0, 0))
    >>> read_match_id("8In3AQAAcAAE")
    Traceback (most recent call last):
    bgcore.errors.NotationError: match ID 8In3AQAAcAAE die 1 7: expected 1 to 6, or 0 before the roll
    """
    found = _unpacked(text)
    where = f"{_NAME} {text}"
    _check(where, found)
    seat, decider = Seat(found["on_roll"]), Seat(found["turn"])
    cube, raised = _cube(where, found)
    return Situation(
        seat=seat,
        decider=decider,
        cube=cube,
        dice=(found["die 1"], found["die 2"]) if found["die 1"] else (),
        length=found["length"] or None,
        score=(found["score of player 0"], found["score of player 1"]),
        crawford=bool(found["crawford"]),
        jacoby=not found["no jacoby"],
        raised=raised,
        resigned=_LEVELS[found["resigned"]],
        state=_STATES[found["state"]],
    )


def write_match_id(situation: Situation) -> str:
    """The Match ID of a position in a match, the higher die first, what was won beyond the length left out.

    `NotationError` where a value has no place in it, such as a cube at 3, or is none, such as a die of 7.

    >>> write_match_id(Situation(seat=Seat.BLACK, decider=Seat.BLACK, dice=(4, 5), length=3))
    'cIlyAAAAAAAE'
    """
    s = situation
    owner, doublings = s.cube.owner, max(s.raised - 1, 0)
    if doublings:  # a beaver: the one who was doubled has it
        owner = s.seat.other
    if len(s.dice) not in (0, 2):
        raise NotationError(Fault("BAD_DICE", "dice", str(list(s.dice)), "two dice, or none"))
    high, low = sorted(s.dice, reverse=True) or (0, 0)
    values: tuple[int, ...] = (
        exponent("cube", s.cube.value << doublings, HIGHEST_CUBE),
        _MIDDLE if owner is None else owner,
        s.seat,
        s.crawford,
        _STATES.index(s.state),
        s.decider,
        s.raised > 0,
        _LEVELS.index(s.resigned),
        high,
        low,
        s.length or 0,
        *(_counted(s, points) for points in s.score),
        not s.jacoby,
    )
    found = dict(zip(FIELDS, values, strict=True))
    _check(_NAME, found)
    return write_bits(_packed(found), LENGTH)


def read_gnubg_id(text: str, variant: Variant) -> Situation:
    """What a Position ID and a Match ID say together, with a colon or blanks between them.

    >>> from bgcore import load
    >>> here = read_gnubg_id("4HPwATDgc/ABMA:cAkAAAAAAAAA", load().variant("western"))
    >>> here.seat, here.setup.mover.points[6], here.jacoby
    (<Seat.BLACK: 1>, 5, True)
    """
    parts = text.replace(":", " ", 1).split() if len(text) < 100 else []
    if len(parts) != 2:
        expected = "a Position ID and a Match ID, as in 4HPwATDgc/ABMA:cAkAAAAAAAAA"
        raise NotationError(Fault("BAD_GNUBG_ID", "ID", shown(text), expected))
    board, state = parts
    return replace(read_match_id(state), setup=read_position_id(board, variant))


def write_gnubg_id(situation: Situation, rules: Rules) -> str:
    """Both IDs with a colon between; the Position ID's side on roll is the Match ID's player on roll.

    >>> from bgcore import Action, Match, load
    >>> match = Match.new(load().rules("western")).after(Action.throw(1, 3))
    >>> write_gnubg_id(Situation.of(match), match.rules)
    '4HPwATDgc/ABMA:cInlAAAAAAAE'
    """
    return (
        f"{write_position_id(situation.position(rules), rules.variant)}:{write_match_id(situation)}"
    )


def _counted(situation: Situation, points: int) -> int:
    """Points as they are written: no Match ID has more than the length, and the last game may win more."""
    length, on = situation.length, situation.running
    return points if length is None or on else min(points, length)


def _unpacked(text: str) -> dict[str, int]:
    number, found = read_bits(text, _NAME, LENGTH), {}
    for name, bits in FIELDS.items():
        found[name] = number & (1 << bits) - 1
        number >>= bits
    if number:
        raise unreadable(_NAME, _NAME, text, "no bits behind the fields")
    return found


def _packed(values: Mapping[str, int]) -> int:
    number, at = 0, 0
    for name, bits in FIELDS.items():
        value = int(values[name])
        if not 0 <= value < 1 << bits:
            expected = f"0 to {(1 << bits) - 1} in a Match ID"
            raise NotationError(Fault("BAD_MATCH_ID", name, shown(value), expected))
        number |= value << at
        at += bits
    return number


def _check(where: str, found: Mapping[str, int]) -> None:
    """Values that fit into the bits and still are none. GNU Backgammon refuses most of them."""
    dice = found["die 1"], found["die 2"]
    for name, die in zip(("die 1", "die 2"), dice, strict=True):
        if die == 7 or (die == 0 and any(dice)):
            raise _wrong(where, name, die, "1 to 6" + ", or 0 before the roll" * (die > 0))
    if found["state"] >= len(_STATES):
        raise _wrong(where, "state", found["state"], f"0 to {len(_STATES) - 1}")
    length = found["length"]
    if not length and found["crawford"]:
        raise _wrong(where, "crawford", 1, "0, as the length is 0: money has no Crawford game")
    for player in (0, 1):
        score = found[name := f"score of player {player}"]
        if length and score > length:
            raise _wrong(where, name, score, f"at most the length, {length}")


def _cube(where: str, found: Mapping[str, int]) -> tuple[Cube, int]:
    """The cube as it lay before a double that waits, and how often it was raised since."""
    owner = Seat(found["owner"]) if found["owner"] < 2 else None
    seat, power = Seat(found["on_roll"]), found["cube"]
    raised = found["doubled"]
    if raised and owner is seat.other:
        raised = 2 if found["turn"] == seat else 3
        power -= raised - 1
        owner = seat if power else None
        if power < 0:
            expected = f"{seat:d} or the middle, as that player doubled"
            raise _wrong(where, "owner", found["owner"], expected)
    return Cube(1 << power, owner, turned=owner is not None), raised


def _wrong(where: str, field: str, value: int, expected: str) -> NotationError:
    return unreadable(_NAME, f"{where} {field}", str(value), expected)
