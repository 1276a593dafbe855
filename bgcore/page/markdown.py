"""Pieces of Markdown: tables, and what stands in their cells."""

from __future__ import annotations

from collections.abc import Iterable

from bgcore.option import Option, OptionType, Value, spelt


def table(head: list[str], rows: Iterable[list[str]]) -> str:
    """A table of Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def values_of(option: Option) -> str:
    """What may be given, in a cell."""
    if option.type is OptionType.BOOL:
        words = "true, false"
    elif option.type is OptionType.INT:
        words = f"{option.values[0]} to {option.values[1]}"
    else:
        words = ", ".join(f"`{word}`" for word in option.values)
    return f"{words}, or none" if option.optional else words


def shown(value: Value) -> str:
    """A value in a cell."""
    return f"`{value}`" if isinstance(value, str) else spelt(value)


def plain(text: str) -> str:
    r"""Anybody's words on one line, as they are: nothing in them is Markdown, a tag or the end of a cell.

    >>> print(plain("a|b <i>"))
    a\|b &lt;i&gt;
    """
    line = " ".join(text.split())
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return line.replace("|", "\\|").replace("[", "\\[").replace("]", "\\]")
