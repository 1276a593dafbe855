"""The values of options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from bgcore.option import Value
from bgcore_proto.v1 import common_pb2 as pb
from bgcore_server.errors import NOTHING, malformed
from bgcore_server.lengths import MOST_ITEMS


def value(field: str, given: pb.OptionValue) -> Value:
    """The value of an option; whether it is allowed is for the engine to say."""
    match given.WhichOneof("kind"):
        case "flag":
            return given.flag
        case "integer":
            return given.integer
        case "text":
            return given.text
        case "none":
            return None
        case "list":
            return tuple(_items(field, given.list))
    expected = "a flag, an integer, a text, a list or none"
    raise malformed("OPTION_VALUE_MISSING", field, NOTHING, expected)


def _items(field: str, given: pb.OptionList) -> Iterator[str]:
    """The texts of a list, which holds no lists: a few bytes can nest them without end."""
    if len(given.values) > MOST_ITEMS:
        expected = f"at most {MOST_ITEMS}"
        raise malformed("LIST_TOO_LONG", f"{field}.list.values", len(given.values), expected)
    for index, one in enumerate(given.values):
        at = f"{field}.list.values[{index}]"
        if one.WhichOneof("kind") == "list":
            raise malformed("LIST_IN_LIST", f"{at}.list", "a list", "a value that is no list")
        yield str(value(at, one))


def option_value(given: object) -> pb.OptionValue:
    """The message of an option's value."""
    match given:
        case None:
            return pb.OptionValue(none=pb.OptionNone())
        case bool():
            return pb.OptionValue(flag=given)
        case int():
            return pb.OptionValue(integer=given)
        case tuple() | list():
            return pb.OptionValue(list=pb.OptionList(values=map(option_value, given)))
    return pb.OptionValue(text=str(given))


def option_values(values: Mapping[str, object]) -> dict[str, pb.OptionValue]:
    """The messages of options, by name."""
    return {name: option_value(given) for name, given in values.items()}
