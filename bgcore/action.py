"""What players do: one vocabulary for the record, the store and the wire."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from bgcore.errors import Fault, IllegalAction, NotationError, illegal, shown
from bgcore.outcome import MOST_POINTS, Level
from bgcore.play import Play
from bgcore.roll import is_number
from bgcore.seat import SEATS, Seat


class Kind(StrEnum):
    """The kinds of action. Rolls are actions, so a record alone replays."""

    THROW = "throw"
    ROLL = "roll"
    PLAY = "play"
    DOUBLE = "double"
    TAKE = "take"
    DROP = "drop"
    RESIGN = "resign"
    ANSWER_RESIGNATION = "answer_resignation"
    NEXT_GAME = "next_game"
    ANIMAL = "animal"
    RESIGN_MATCH = "resign_match"
    END_SESSION = "end_session"
    FLAG = "flag"
    CORRECT = "correct"
    NAME_DOUBLE = "name_double"


FIELDS: Mapping[Kind, tuple[str, ...]] = {
    Kind.THROW: ("dice",),
    Kind.ROLL: ("seat", "dice"),
    Kind.PLAY: ("seat",),  # and either `play` or `steps`
    Kind.DOUBLE: ("seat",),
    Kind.TAKE: ("seat",),
    Kind.DROP: ("seat",),
    Kind.RESIGN: ("seat",),  # and either `level` or `points`
    Kind.ANSWER_RESIGNATION: ("seat", "accept"),
    Kind.NEXT_GAME: (),
    Kind.ANIMAL: ("seat",),
    Kind.RESIGN_MATCH: ("seat",),
    Kind.END_SESSION: (),
    Kind.FLAG: ("seat",),
    Kind.CORRECT: ("seat",),  # and the play, as above
    Kind.NAME_DOUBLE: ("seat", "number"),
}
"""What each kind's JSON form holds beside `kind`."""

RULE_OF: Mapping[Kind, str] = {
    Kind.THROW: "C5",
    Kind.ROLL: "M11",
    Kind.PLAY: "M11",
    Kind.DOUBLE: "M2",
    Kind.TAKE: "M3",
    Kind.DROP: "M3",
    Kind.RESIGN: "M9",
    Kind.ANSWER_RESIGNATION: "M9",
    Kind.NEXT_GAME: "M7",
    Kind.ANIMAL: "M4",
    Kind.RESIGN_MATCH: "M9",
    Kind.END_SESSION: "M8",
    Kind.FLAG: "M10",
    Kind.CORRECT: "M11",
    Kind.NAME_DOUBLE: "R5",
}
"""The rule that says who may do each and when: what an error names that has nothing closer to say."""

PLAYS = frozenset({Kind.PLAY, Kind.CORRECT})
"""Kinds that hold a play."""


@dataclass(frozen=True, slots=True)
class Action:
    """One action. A throw's dice are white's die, then black's; a roll's are as thrown.

    A play is its text, or steps as pairs of origin and number, and is kept as it was given. What is resigned
    is a level, or points where checkers are counted. `number` is that of a double that a player names.

    >>> Action.play(Seat.WHITE, "8/5 6/5").to_json()
    {'kind': 'play', 'seat': 'white', 'play': '8/5 6/5'}
    >>> Action.from_json({"kind": "roll", "seat": "black", "dice": [3, 1]}).dice
    (3, 1)
    """

    kind: Kind
    seat: Seat | None = None
    dice: tuple[int, ...] = ()
    text: str | None = None
    steps: tuple[tuple[int, int], ...] | None = None
    level: Level | None = None
    accept: bool | None = None
    points: int | None = None
    number: int | None = None

    def __post_init__(self) -> None:
        """Refuses values of another type, as `NotationError`; what they may be is for the rules to say."""
        if type(self.kind) is not Kind:
            raise _refuse("kind", self.kind, f"a Kind: {', '.join(Kind)}")
        if self.seat is not None and type(self.seat) is not Seat:
            raise _refuse("seat", self.seat, "Seat.WHITE or Seat.BLACK")
        if type(self.dice) is not tuple:
            raise _refuse("dice", self.dice, "a tuple of numbers from 1 to 6")
        if self.text is not None:
            _text(self.text)
        if self.steps is not None:
            object.__setattr__(self, "steps", _steps(self.steps))  # as tuples: it can be hashed
        if self.level is not None and type(self.level) is not Level:
            raise _refuse("level", self.level, f"a Level: {', '.join(Level)}")
        if self.accept is not None:
            _accept(self.accept)
        if self.points is not None:
            _points(self.points)
        if self.number is not None:
            _number(self.number)

    @classmethod
    def throw(cls, white: int, black: int) -> Action:
        """The opening throw, one die each."""
        return cls(Kind.THROW, dice=(white, black))

    @classmethod
    def roll(cls, seat: Seat, *dice: int) -> Action:
        """A roll."""
        return cls(Kind.ROLL, seat, dice)

    @classmethod
    def play(cls, seat: Seat, play: str | Play) -> Action:
        """A play, as its text or as one of the legal plays."""
        return cls(Kind.PLAY, seat, text=str(play))

    @classmethod
    def play_steps(cls, seat: Seat, steps: tuple[tuple[int, int], ...]) -> Action:
        """A play, as origins and numbers."""
        return cls(Kind.PLAY, seat, steps=steps)

    @classmethod
    def double(cls, seat: Seat) -> Action:
        """An offer to double the stake."""
        return cls(Kind.DOUBLE, seat)

    @classmethod
    def take(cls, seat: Seat) -> Action:
        """Accepting a double."""
        return cls(Kind.TAKE, seat)

    @classmethod
    def drop(cls, seat: Seat) -> Action:
        """Declining a double, which loses the game."""
        return cls(Kind.DROP, seat)

    @classmethod
    def resign(cls, seat: Seat, level: Level) -> Action:
        """An offer to lose the game at a level."""
        return cls(Kind.RESIGN, seat, level=level)

    @classmethod
    def resign_points(cls, seat: Seat, points: int) -> Action:
        """An offer to lose so many points before the cube, where checkers are counted."""
        return cls(Kind.RESIGN, seat, points=points)

    @classmethod
    def answer_resignation(cls, seat: Seat, *, accept: bool) -> Action:
        """The answer to such an offer."""
        return cls(Kind.ANSWER_RESIGNATION, seat, accept=accept)

    @classmethod
    def next_game(cls) -> Action:
        """On to the next game of a match."""
        return cls(Kind.NEXT_GAME)

    @classmethod
    def animal(cls, seat: Seat) -> Action:
        """A beaver, or the raccoon, otter or monkey that may follow it: doubling once more on the spot."""
        return cls(Kind.ANIMAL, seat)

    @classmethod
    def resign_match(cls, seat: Seat) -> Action:
        """Giving up the whole match; nobody has to accept it."""
        return cls(Kind.RESIGN_MATCH, seat)

    @classmethod
    def end_session(cls) -> Action:
        """The end of a money session, between two games."""
        return cls(Kind.END_SESSION)

    @classmethod
    def flag(cls, seat: Seat) -> Action:
        """The time of `seat`, who has to decide, has run out."""
        return cls(Kind.FLAG, seat)

    @classmethod
    def correct(cls, seat: Seat, play: str | Play) -> Action:
        """A legal play in the place of the illegal one that `seat` has just made."""
        return cls(Kind.CORRECT, seat, text=str(play))

    @classmethod
    def name_double(cls, seat: Seat, number: int) -> Action:
        """The double that a player chooses to play."""
        return cls(Kind.NAME_DOUBLE, seat, number=number)

    def to_json(self) -> dict[str, object]:
        """The form that records and stores keep."""
        form: dict[str, object] = {"kind": self.kind.value}
        if self.seat is not None:
            form["seat"] = str(self.seat)
        if self.dice:
            form["dice"] = list(self.dice)
        if self.text is not None:
            form["play"] = self.text
        if self.steps is not None:
            form["steps"] = [list(step) for step in self.steps]
        if self.level is not None:
            form["level"] = self.level.value
        if self.accept is not None:
            form["accept"] = self.accept
        if self.points is not None:
            form["points"] = self.points
        if self.number is not None:
            form["number"] = self.number
        return form

    @classmethod
    def from_json(cls, form: Mapping[str, object]) -> Action:
        """The action of its JSON form; `NotationError` names what is missing, unknown or wrong."""
        if not isinstance(form, Mapping):
            raise _refuse("action", form, "a JSON object")
        kind = _kind(form.get("kind"))
        wanted = {"kind", *FIELDS[kind]}
        if kind in PLAYS:
            wanted.add("steps" if "steps" in form else "play")
        if kind is Kind.RESIGN:
            wanted.add("points" if "points" in form else "level")
        for name in wanted ^ form.keys():
            problem = "missing" if name in wanted else "there"
            raise NotationError(
                Fault("BAD_ACTION", f"{kind} action", f"{name} {problem}", f"{sorted(wanted)}")
            )
        # Each reader gives what its field holds.
        fields: dict[str, Any] = {
            _NAMES.get(name, name): _READ[name](form[name]) for name in wanted - {"kind"}
        }
        return cls(kind, **fields)


def no_action(value: object) -> IllegalAction:
    """The error of something that is done and is no action at all."""
    return illegal(
        "BAD_ACTION", "action", value, "no action", "an Action such as Action.throw(3, 1)"
    )


def _kind(value: object) -> Kind:
    try:
        return Kind(value if isinstance(value, str) else "")
    except ValueError:
        raise _refuse("kind", value, ", ".join(Kind)) from None


_NAMES = {"play": "text"}


def _refuse(name: str, value: object, expected: str) -> NotationError:
    return NotationError(Fault("BAD_ACTION", name, shown(value), expected))


def _seat(value: object) -> Seat:
    if value not in SEATS:
        raise _refuse("seat", value, "white or black")
    return Seat.read(str(value))


def _dice(value: object) -> tuple[int, ...]:
    dice = value if isinstance(value, list | tuple) else ()
    if not 2 <= len(dice) <= 3 or not all(map(is_number, dice)):
        raise NotationError(
            Fault("BAD_DICE", "dice", shown(value), "two or three numbers from 1 to 6")
        )
    return tuple(dice)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise _refuse("play", value, "a text")
    return value


def _steps(value: object) -> tuple[tuple[int, int], ...]:
    if not isinstance(value, list | tuple) or not all(map(_is_pair, value)):
        raise _refuse("steps", value, "pairs of origin and number")
    return tuple([(pair[0], pair[1]) for pair in value])


def _is_pair(value: object) -> bool:
    if not isinstance(value, list | tuple) or len(value) != 2:
        return False
    return type(value[0]) is int and type(value[1]) is int


def _level(value: object) -> Level:
    if not isinstance(value, str) or value not in {level.value for level in Level}:
        raise _refuse("level", value, ", ".join(Level))
    return Level(value)


def _accept(value: object) -> bool:
    if not isinstance(value, bool):
        raise _refuse("accept", value, "true or false")
    return value


def _points(value: object) -> int:
    if type(value) is not int or not 1 <= value <= MOST_POINTS:
        raise _refuse("points", value, f"a number from 1 to {MOST_POINTS}")
    return value


def _number(value: object) -> int:
    if type(value) is not int or not is_number(value):
        raise _refuse("number", value, "a number from 1 to 6")
    return value


_READ = {
    "seat": _seat,
    "dice": _dice,
    "play": _text,
    "steps": _steps,
    "level": _level,
    "accept": _accept,
    "points": _points,
    "number": _number,
}
