"""Plain Python values in the place of messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast

from bgcore_client import messages
from bgcore_client.given import MADE_BY, by_point, made, refused
from bgcore_client.plays import BAR, OFF, UNENTERED

if TYPE_CHECKING:
    from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper

WHITE = messages.SEAT_WHITE
BLACK = messages.SEAT_BLACK

Option: TypeAlias = bool | int | str | Sequence["Option"] | None
"""The value of an option; `None` is no limit."""

VariantLike: TypeAlias = str | messages.VariantSpec | messages.VariantRef
"""The id of a variant or what `house()` gives, meant with their defaults, or what `variant()` gives."""

OccupantLike: TypeAlias = str | messages.Occupant
"""The name of a player, or what `player()` or `bot()` gives."""


OPTION = "True or False, a whole number, a text, None, or a list of these"

E = TypeVar("E", bound=int)


def named(kind: type[E], value: E | str) -> E:
    """The value of an enumeration, that may be given by its word alone; `ValueError` lists the words.

    >>> named(messages.DiceMode, "committed") == messages.DICE_MODE_COMMITTED
    True
    >>> named(messages.DiceMode, "fair")
    Traceback (most recent call last):
    ValueError: DiceMode 'fair': expected one of 'system', 'seeded', 'manual', 'committed'
    """
    if not isinstance(value, str):
        return value
    numbers = cast("EnumTypeWrapper", kind)
    unspecified, *others = numbers.keys()
    prefix = unspecified.removesuffix("UNSPECIFIED")
    label = value.strip().upper().replace("-", "_").replace(" ", "_")
    label = label if label.startswith(prefix) else prefix + label
    if label not in others:
        words = ", ".join(repr(one.removeprefix(prefix).lower()) for one in others)
        raise ValueError(f"{numbers.DESCRIPTOR.name} {value!r}: expected one of {words}")
    return cast("E", numbers.Value(label))


def option_value(value: Option, what: str = "option") -> messages.OptionValue:
    """The message of an option's value; `TypeError` says what has none.

    >>> option_value(3).integer, option_value(None).WhichOneof("kind")
    (3, 'none')
    """
    match value:
        case None:
            return messages.OptionValue(none=messages.OptionNone())
        case bool():
            return messages.OptionValue(flag=value)
        case int():
            return made(messages.OptionValue, integer=value)
        case str():
            return messages.OptionValue(text=value)
        case bytes() | bytearray():
            pass
        case Sequence():
            values = [option_value(one, what) for one in value]
            return messages.OptionValue(list=messages.OptionList(values=values))
    raise refused(what, value, OPTION)


def option(message: messages.OptionValue) -> Option:
    """The value of a message.

    >>> option(option_value([1, "two", None]))
    [1, 'two', None]
    """
    match message.WhichOneof("kind"):
        case "flag":
            return message.flag
        case "integer":
            return message.integer
        case "text":
            return message.text
        case "list":
            return [option(one) for one in message.list.values]
    return None


def option_values(
    values: Mapping[str, Option], what: str = "options", one: str = "option"
) -> dict[str, messages.OptionValue]:
    """The messages of options, by name; `TypeError` says what is wrong with `what`, or with which `one` of it.

    >>> option_values({"axes": {"bear_off": "exact"}}, one="axis")
    Traceback (most recent call last):
    TypeError: axis axes {'bear_off': 'exact'}: expected each by its own name, such as bear_off='exact'
    """
    if not isinstance(values, Mapping):
        raise refused(what, values, "values by name, such as {'match_length': 3}")
    for name, value in values.items():
        _check_plain(f"{one} {name}", value)
    return {name: option_value(value, f"{one} {name}") for name, value in values.items()}


def _check_plain(what: str, value: object) -> None:
    """`TypeError` for values by name where one value belongs."""
    if isinstance(value, Mapping):
        name, one = next(iter(value.items()), ("name", True))
        raise refused(what, value, f"each by its own name, such as {name}={one!r}")


def variant(id: VariantLike, preset: str = "", **options: Option) -> messages.VariantRef:
    """A variant, or house rules, with a preset, and options that differ from it.

    >>> five = variant("western", match_length=5)
    >>> five.options["match_length"].integer, variant(five, cube=False).options["match_length"].integer
    (5, 5)
    """
    chosen = messages.VariantRef()
    chosen.CopyFrom(variant_ref(id))
    chosen.MergeFrom(made(messages.VariantRef, preset=preset, options=option_values(options)))
    return chosen


def variant_ref(variant: VariantLike) -> messages.VariantRef:
    """The message of a variant that may be given by its id alone, or by house rules."""
    if isinstance(variant, str):
        return messages.VariantRef(id=variant)
    if isinstance(variant, messages.VariantSpec):
        return messages.VariantRef(spec=variant)
    if isinstance(variant, messages.VariantRef):
        return variant
    raise refused("variant", variant, "an id, or what house() or variant() makes")


def with_options(
    variant: VariantLike | None, options: Mapping[str, Option]
) -> messages.VariantRef | None:
    """The message of a variant with further options; `None` where neither is given.

    >>> with_options("tavla", {"match_length": 3}).options["match_length"].integer
    3
    """
    if variant is None and not options:
        return None
    rules = messages.VariantRef()
    if variant is not None:
        rules.CopyFrom(variant_ref(variant))
    for name, value in option_values(options).items():
        rules.options[name].CopyFrom(value)
    return rules


def side(checkers: Mapping[int, int], pinned: Sequence[int] = ()) -> messages.Side:
    """One side's checkers by own point: 25 is the bar, 26 not entered, 0 off.

    >>> side({24: 2, 6: 5, 25: 1}).bar
    1
    """
    by_point("checkers", checkers)
    known = {*range(1, 25), OFF, BAR, UNENTERED}
    if unknown := checkers.keys() - known:
        raise ValueError(f"point {min(unknown)}: expected 0 to {UNENTERED}")
    return made(
        messages.Side,
        points=[checkers.get(point, 0) for point in range(1, 25)],
        bar=checkers.get(BAR, 0),
        off=checkers.get(OFF, 0),
        unentered=checkers.get(UNENTERED, 0),
        pinned=pinned,
    )


def position(
    white: Mapping[int, int] | messages.Side,
    black: Mapping[int, int] | messages.Side,
    on_roll: messages.Seat | str = WHITE,
) -> messages.Position:
    """A board, each side in its own numbering; on roll is `WHITE` or "white", `BLACK` or "black".

    >>> position({24: 2, 13: 5}, "24:2 13:5")
    Traceback (most recent call last):
    TypeError: black '24:2 13:5': expected points and their checkers, such as {24: 2, 13: 5}
    """
    return made(
        messages.Position,
        white=_side("white", white),
        black=_side("black", black),
        on_roll=named(messages.Seat, on_roll),
    )


def _side(what: str, given: Mapping[int, int] | messages.Side) -> messages.Side:
    return given if isinstance(given, messages.Side) else side(by_point(what, given))


def bot(id: str) -> messages.Occupant:
    """A bot of the server, to be put on a seat of a new table."""
    return messages.Occupant(bot=made(messages.Bot, id=id))


def player(name: str = "", account: str = "") -> messages.Occupant:
    """A player who joins later; with an `account` (the "sub" of its token) nobody else can take the seat.

    >>> player("Ann", account="user-7").player.account
    'user-7'
    """
    return messages.Occupant(player=made(messages.Player, name=name, account=account))


def occupant(who: OccupantLike | None) -> messages.Occupant | None:
    """The message of somebody who may be given by name alone; `None`: anybody."""
    if isinstance(who, str):
        return messages.Occupant(player=messages.Player(name=who))
    if who is None or isinstance(who, messages.Occupant):
        return who
    raise refused("occupant", who, MADE_BY["Occupant"])
