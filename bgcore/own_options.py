"""What is wrong with the options that a variant brings itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bgcore.axes import Axis
from bgcore.catalogue import CATALOGUE
from bgcore.errors import quoted
from bgcore.option import Option, OptionType, members
from bgcore.resolve import DATA
from bgcore.variant import Variant

NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*\Z")
GOOD_NAME = "lower case letters and digits, words joined by underscores"

Wrong = tuple[str, object, str]
"""Where, what stood there, and what was expected."""


def wrong_option(option: Option, variant: Variant) -> Iterator[Wrong]:
    """What is wrong with an own option of a variant, whose data is its default where it has such a field."""
    where = f"own_options {option.name}"
    if not isinstance(option.name, str) or not NAME.match(option.name):
        yield "own_options", option.name, GOOD_NAME
        return
    if not isinstance(option.meaning, str) or not option.meaning:
        yield f"{where} meaning", option.meaning, "a sentence on what it does"
    if wrong := list(_wrong_values(option)):
        yield from ((f"{where} {place}", found, expected) for place, found, expected in wrong)
        return
    if option.name in CATALOGUE:
        yield from _otherwise(option, CATALOGUE[option.name])
    elif option.name in DATA:
        yield "own_options", option.name, "a name that no field of a variant has"
        return
    if option.name not in variant.fixed_options:
        yield from _wrong_default(option, variant)


def _wrong_values(option: Option) -> Iterator[Wrong]:
    """What is wrong with the values that it takes."""
    values, kind = option.values, option.type
    given: object = kind  # whoever writes without a type checker may give anything
    if not isinstance(given, OptionType):
        yield "type", quoted(given), members(OptionType, given)
    elif kind is OptionType.INT:
        well = (
            isinstance(values, tuple) and len(values) == 2 and all(type(v) is int for v in values)
        )
        if not well or not values[0] <= values[1]:  # type: ignore[operator]  # two whole numbers
            yield "values", values, "the lowest and the highest number"
    elif kind is OptionType.WORD:
        words = isinstance(values, tuple) and all(isinstance(v, str) for v in values)
        if (
            not words
            or not values
            or any(v != v.strip().lower() or not v for v in map(str, values))
        ):
            yield "values", values, "a tuple of words in lower case"
    elif values:
        yield "values", values, "none: it is true or false"


def _otherwise(option: Option, shared: Option) -> Iterator[Wrong]:
    """One with the name of a shared option takes some of its values, and is not another thing."""
    where = f"own_options {option.name}"
    if option.type is not shared.type:
        expected = f"another name: this is a shared option, {shared.expected}"
        yield where, f"of type {option.type}", expected
    elif option.type is OptionType.WORD and not set(option.values) <= set(shared.values):
        yield f"{where} values", ", ".join(map(str, option.values)), f"some of {shared.expected}"
    elif option.type is OptionType.INT and not (
        shared.values[0] <= option.values[0] <= option.values[1] <= shared.values[1]  # type: ignore[operator]
    ):
        yield f"{where} values", option.values, f"a range within {shared.expected}"


def _wrong_default(option: Option, variant: Variant) -> Iterator[Wrong]:
    default = getattr(variant, option.name) if option.name in DATA else option.default
    defaults = {"default": default, "money_default": option.money_default}
    if option.money_default is None:
        del defaults["money_default"]
    for name, value in defaults.items():
        try:
            read = option.read(value)
        except ValueError as expected:
            yield f"own_options {option.name} {name}", quoted(value), str(expected)
        else:
            if (type(read), read) != (type(value), value) and not isinstance(value, Axis):
                # A method would find the text in place of what it spells.
                yield f"own_options {option.name} {name}", quoted(value), f"{read!r}"
