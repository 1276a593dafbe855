"""Plain Python values in the place of messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias, TypeVar, cast

from bgcore_client import messages
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


def option_value(value: Option) -> messages.OptionValue:
    """The message of an option's value.

    >>> option_value(3).integer, option_value(None).WhichOneof("kind")
    (3, 'none')
    """
    match value:
        case None:
            return messages.OptionValue(none=messages.OptionNone())
        case bool():
            return messages.OptionValue(flag=value)
        case int():
            return messages.OptionValue(integer=value)
        case str():
            return messages.OptionValue(text=value)
    values = [option_value(one) for one in value]
    return messages.OptionValue(list=messages.OptionList(values=values))


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


def option_values(values: Mapping[str, Option]) -> dict[str, messages.OptionValue]:
    """The messages of options, by name."""
    return {name: option_value(value) for name, value in values.items()}


def variant(
    id: str | messages.VariantSpec, preset: str = "", **options: Option
) -> messages.VariantRef:
    """A variant, or house rules, with a preset, and options that differ from it.

    >>> variant("western", match_length=5).options["match_length"].integer
    5
    """
    message = variant_ref(id)
    return messages.VariantRef(
        id=message.id if message.HasField("id") else None,
        spec=message.spec if message.HasField("spec") else None,
        preset=preset,
        options=option_values(options),
    )


def variant_ref(variant: VariantLike) -> messages.VariantRef:
    """The message of a variant that may be given by its id alone, or by house rules."""
    if isinstance(variant, str):
        return messages.VariantRef(id=variant)
    if isinstance(variant, messages.VariantSpec):
        return messages.VariantRef(spec=variant)
    return variant


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
    for name, value in options.items():
        rules.options[name].CopyFrom(option_value(value))
    return rules


def side(checkers: Mapping[int, int], pinned: Sequence[int] = ()) -> messages.Side:
    """One side's checkers by own point: 25 is the bar, 26 not entered, 0 off.

    >>> side({24: 2, 6: 5, 25: 1}).bar
    1
    """
    known = {*range(1, 25), OFF, BAR, UNENTERED}
    if unknown := checkers.keys() - known:
        raise ValueError(f"point {min(unknown)}: expected 0 to {UNENTERED}")
    return messages.Side(
        points=[checkers.get(point, 0) for point in range(1, 25)],
        bar=checkers.get(BAR, 0),
        off=checkers.get(OFF, 0),
        unentered=checkers.get(UNENTERED, 0),
        pinned=pinned,
    )


def position(
    white: Mapping[int, int] | messages.Side,
    black: Mapping[int, int] | messages.Side,
    on_roll: messages.Seat = WHITE,
) -> messages.Position:
    """A board, each side in its own numbering."""
    white, black = (one if isinstance(one, messages.Side) else side(one) for one in (white, black))
    return messages.Position(white=white, black=black, on_roll=on_roll)


def bot(id: str) -> messages.Occupant:
    """A bot of the server, to be put on a seat of a new table."""
    return messages.Occupant(bot=messages.Bot(id=id))


def player(name: str = "", account: str = "") -> messages.Occupant:
    """A player who joins later; with an `account` (the "sub" of its token) nobody else can take the seat.

    >>> player("Ann", account="user-7").player.account
    'user-7'
    """
    return messages.Occupant(player=messages.Player(name=name, account=account))


def occupant(who: OccupantLike | None) -> messages.Occupant | None:
    """The message of somebody who may be given by name alone; `None`: anybody."""
    if isinstance(who, str):
        return messages.Occupant(player=messages.Player(name=who))
    return who
