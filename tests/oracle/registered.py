"""What the oracle's own table says of a variant, beside what the registered variant says.

The oracle keeps its data apart, so that a comparison proves the kernel and not itself; that its data are the
variant's has to be looked at once more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache
from typing import Any, get_type_hints

from bgcore import Variant, load
from bgcore.kernel.record import Movement, pack
from tests.axes.made import made

from .model import RESERVE, Rules, rules_of
from .random_positions import STARTS, TRIED

WHOLE_PLAYS = {"unblock_duty"}
"""What is no rule of the kernel's but a filter over whole plays, so that it is compared through the rules."""


@cache
def record_of(rules: Rules) -> bytes:
    """The kernel's record for the oracle's rules."""
    words = {field.name: getattr(rules, field.name) for field in fields(Movement)}
    kinds = get_type_hints(Movement)
    return pack(Movement(**{n: kinds[n](w) if isinstance(w, str) else w for n, w in words.items()}))


def unlike(variant: str) -> list[str]:
    """What the oracle's table has otherwise than the registered variant, under its defaults and each option tried."""
    tried = [
        {},
        *({name: value} for name, values in TRIED.get(variant, {}).items() for value in values),
    ]
    data = (line for options in tried for line in other_data(variant, options))
    return [*data, *other_start(STARTS[variant], load().variant(variant))]


def other_data(variant: str, options: Mapping[str, Any]) -> Iterator[str]:
    """Each axis on which they differ under some options, then the record as the kernel reads it."""
    ours, registered = rules_of(variant, options), made(variant, **options)
    for field in fields(Rules):
        mine = getattr(ours, field.name)
        if field.name in WHOLE_PLAYS:
            theirs = registered.options.get(field.name, field.default)
        else:
            theirs = getattr(registered.variant, field.name)
        if mine != theirs:
            yield f"{field.name} {mine}: the registered variant has {theirs}"
    if record_of(ours) != registered.record:
        found, right = record_of(ours).hex(), registered.record.hex()
        yield f"the record {found}: the registered variant has {right}"


def other_start(start: Mapping[int, int], registered: Variant) -> Iterator[str]:
    """Whether they start elsewhere; what is not on the board is unentered."""
    theirs = {**registered.start, RESERVE: registered.unentered}
    if {**start} != {where: count for where, count in theirs.items() if count}:
        yield f"start {dict(start)}: the registered variant has {theirs}"
