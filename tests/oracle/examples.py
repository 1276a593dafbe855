"""Examples in the JSON form of rules C7, and plays as they are written there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from .model import BAR, OFF, RESERVE, Facts, Rules, Side, State, rules_of


class Question(NamedTuple):
    """What an example asks: which plays are legal here?"""

    state: State
    numbers: tuple[int, ...]
    rules: Rules
    facts: Facts


def numbers_of(dice: list[int]) -> tuple[int, ...]:
    """The numbers of a roll: a double is four, a single number one."""
    if len(dice) == 2 and dice[0] == dice[1]:
        return (dice[0],) * 4
    return tuple(dice)


def from_example(example: Mapping[str, Any]) -> Question:
    """The question of an example; it must have its `variant`. Answers are not looked at.

    A missing `me_off` is the rest of the variant's checkers.
    """
    rules = rules_of(example["variant"], example.get("options"))
    state = State(side(example, "me", rules), side(example, "opp", rules))
    turn = example.get("turn", {})
    facts = Facts(**{**turn, "locked": frozenset(turn.get("locked", ()))})
    return Question(state, numbers_of(example["dice"]), rules, facts)


def side(example: Mapping[str, Any], name: str, rules: Rules) -> Side:
    """The side that the keys `me…` or `opp…` tell of."""
    counts = {int(point): count for point, count in example.get(name, {}).items()}
    counts[BAR] = example.get(f"{name}_bar", 0)
    counts[RESERVE] = example.get(f"{name}_reserve", 0)
    pinned = example.get(f"{name}_pinned", [])
    on_board = sum(counts.values()) + len(pinned)
    counts[OFF] = example.get(f"{name}_off", rules.checkers - on_board)
    made = Side.of(counts, pinned)
    assert made.checkers == rules.checkers, f"{name} has {made.checkers} checkers"
    return made


def to_example(state: State) -> dict[str, Any]:
    """The keys of C7 that tell of the state; empty ones are left out, `…_off` never."""
    example: dict[str, Any] = {}
    for name, one in (("me", state.me), ("opp", state.opp)):
        counts = one.counts
        bar, off = counts.pop(BAR, 0), counts.pop(OFF, 0)
        reserve = counts.pop(RESERVE, 0)
        example[name] = {str(point): counts[point] for point in sorted(counts, reverse=True)}
        if one.pinned:
            example[f"{name}_pinned"] = list(one.pinned)
        if bar:
            example[f"{name}_bar"] = bar
        if reserve:
            example[f"{name}_reserve"] = reserve
        example[f"{name}_off"] = off
    return example


def read_play(text: str) -> list[tuple[int, int]]:
    """The steps of a play as written, without its marks.

    >>> read_play("bar/20* 6/off")
    [(25, 20), (6, 0)]
    """
    places = {"bar": BAR, "in": RESERVE, "off": OFF, **{str(n): n for n in range(1, 25)}}
    steps = []
    for step in text.replace("*", "").replace("^", "").split():
        source, target = step.split("/")
        steps.append((places[source], places[target]))
    return steps
