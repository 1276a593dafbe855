"""Variants as data on shared axes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType, NoneType

from bgcore.axes import (
    Axis,
    Doubles,
    HeadFirstTurn,
    LaterStarter,
    OpeningRoll,
    Scoring,
    Unplayed,
    UnplayedScope,
)
from bgcore.catalogue import CATALOGUE
from bgcore.kernel.record import Movement
from bgcore.nearest import one_of
from bgcore.option import Option, Value, members

NO_BUNDLES: Mapping[str, Mapping[str, Value]] = MappingProxyType({})
NO_NAMES: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Variant(Movement):
    """A game of the family: who it is, and its value on every axis (rules C10).

    What two variants share is a field: the board and how checkers move are the kernel's `Movement`,
    the rest is here. What one game alone needs is a method of its `Rules`.
    Another variant is `dataclasses.replace(WESTERN, id=..., start=...)`.

    Attributes:
        id: what it is called in requests and files; lower case and hyphens.
        title: what people call it.
        summary: what it is, in a sentence.
        rules_version: another text whenever its rules change, such as "2"; records name it.
        source: where its rules come from.
        start: where the checkers of a side stand at first, by own point, `{24: 2, 13: 5, 8: 3, 6: 5}`; both sides
            start alike.
        aliases: other ids that it is found under.
        options: what a table may choose, by name, from those that variants share (`bgcore.catalogue`). Options of
            cube (where it is in play, or may be), match and table need not be named.
        own_options: options that this game alone has, or of which it takes only some words (`narrowed`).
        fixed_options: those of both that keep their default: no table may set them, and the rules find them.
        bundles: values of options that go together under a name; chosen as presets are.
        file_names: what formats of match files call the game, by the id of the format; match text can have any
            game, under its id where nothing is said here, SGF only those that have a name there.
        dice: how many dice are thrown, 2 or 3 (C2).
        doubles: what a double is worth (C8).
        ladder_from_roll: a player's first roll of the game on which the ladder applies (C8).
        unplayed: what becomes of numbers that could not be used (C8).
        unplayed_scope: of which rolls the opponent plays what is left (C8).
        complement_while_entering: a double brings its complement and another roll also while checkers are to be
            entered (C8).
        head_first_turn: when two checkers may leave the start point on a player's first turn (C8).
        opening_roll: what the throw that decides who starts is good for (C5).
        later_starter: who starts the second and later games (C5).
        scoring: what a game is worth: levels, or checkers not borne off (C6).
        gammon_value: points of a gammon before the cube (C6).
        backgammon_value: points of a backgammon before the cube (C6).
        mother_points: what pinning the last opposing start checker is worth (C8).
        cube: the doubling cube is in play (M12).
        jacoby: gammons count only once the cube was turned (M5).
        match_length: points to play to; none is a money session (M7).
        layout, contact, …: how checkers move; `help(bgcore.kernel.record.Movement)` has these.
    """

    id: str
    title: str
    summary: str
    rules_version: str
    source: str
    start: Mapping[int, int]
    aliases: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    own_options: tuple[Option, ...] = ()
    fixed_options: tuple[str, ...] = ()
    bundles: Mapping[str, Mapping[str, Value]] = field(default_factory=lambda: NO_BUNDLES)
    file_names: Mapping[str, str] = field(default_factory=lambda: NO_NAMES)

    # dice and turns
    dice: int = 2
    doubles: Doubles = Doubles.FOUR
    ladder_from_roll: int = 1
    unplayed: Unplayed = Unplayed.LOST
    unplayed_scope: UnplayedScope = UnplayedScope.LADDER
    complement_while_entering: bool = False
    head_first_turn: HeadFirstTurn = HeadFirstTurn.NONE
    opening_roll: OpeningRoll = OpeningRoll.PLAY_DICE
    later_starter: LaterStarter = LaterStarter.OPENING_ROLL

    # what a game is worth, and matches
    scoring: Scoring = Scoring.LEVELS
    gammon_value: int = 2
    backgammon_value: int = 2
    mother_points: int = 2
    cube: bool = False
    jacoby: bool = False
    match_length: int | None = 5

    def __post_init__(self) -> None:
        """Takes mappings as they are now, so that nobody changes what everybody shares."""
        for name in MAPPINGS:
            if isinstance(given := getattr(self, name), Mapping):
                kept = {key: _closed(value) for key, value in given.items()}
                object.__setattr__(self, name, MappingProxyType(kept))

    # Two variants are the same when they are the same object, whatever their data.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    @property
    def movement(self) -> Movement:
        """The part of the data that is about moving checkers."""
        return Movement(**{axis.name: getattr(self, axis.name) for axis in fields(Movement)})

    @property
    def unentered(self) -> int:
        """Checkers of a side that start off the board."""
        return self.checkers - sum(self.start.values())


def _closed(value: object) -> object:
    return MappingProxyType(dict(value)) if isinstance(value, Mapping) else value


MAPPINGS = ("start", "bundles", "file_names")

UNLIMITED = ("match_length", "head_limit")
"""Numbers that may be None."""


def wrong_fields(variant: Variant) -> Iterator[tuple[str, object, str]]:
    """Fields that hold no value of their kind: name, value, and what was expected.

    Whoever writes a variant without a type checker hears of it here.
    """
    for name in ("id", "title", "summary", "rules_version", "source"):
        if not isinstance(value := getattr(variant, name), str):
            yield name, value, "a text"
    for name in ("aliases", "options", "own_options", "fixed_options"):
        if not isinstance(value := getattr(variant, name), tuple):
            yield name, value, "a tuple"
    for name in MAPPINGS:
        if not isinstance(value := getattr(variant, name), Mapping):
            yield name, value, "a mapping"
    for axis in fields(Variant):
        value, kind = getattr(variant, axis.name), type(axis.default)
        if issubclass(kind, Axis) and not isinstance(value, kind):
            yield axis.name, value, members(kind, value)
        elif axis.name in UNLIMITED and type(value) not in (int, NoneType):
            yield axis.name, value, "a whole number, or None"
        elif kind in (bool, int) and axis.name not in UNLIMITED and type(value) is not kind:
            yield axis.name, value, "true or false" if kind is bool else "a whole number"
    if isinstance(variant.options, tuple):
        for name in variant.options:
            if name not in CATALOGUE:
                yield "options", name, one_of(name, CATALOGUE)
