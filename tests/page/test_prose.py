"""The prose of a variant follows its data, whatever that is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any, get_type_hints

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from bgcore import Play, Plays, Position, Rules, load
from bgcore.axes import (
    Axis,
    BearOff,
    Contact,
    Doubles,
    Entry,
    Layout,
    PrimeRule,
    Runner,
    Scoring,
    Unplayed,
    UnplayedScope,
)
from bgcore.kernel.record import Movement
from bgcore.outcome import Outcome
from bgcore.page.prose import OWN, prose
from bgcore.refusal import OwnReason
from bgcore.resolve import defaults_of
from bgcore.seat import Player
from bgcore.variant import Variant

WESTERN = load().variant("western")
HINTS = get_type_hints(Variant)


def under(kind: type[Rules] = Rules, **data: Any) -> Rules:
    variant = replace(WESTERN, **data)
    return kind(variant, defaults_of(variant))


def told(rules: Rules) -> list[str]:
    return [one.text for sentences in prose(rules).values() for one in sentences]


def text(rules: Rules) -> str:
    return "\n".join(told(rules))


WORDS: dict[str, list[Axis]] = {
    name: list(kind)
    for name, kind in HINTS.items()
    if isinstance(kind, type) and issubclass(kind, Axis)
}
SWITCHES = [name for name, kind in HINTS.items() if kind is bool]


@st.composite
def anything(draw: st.DrawFn) -> dict[str, Any]:
    """Any value on every axis of words, and yes or no, with a start that goes with them."""
    words = {name: draw(st.sampled_from(values)) for name, values in WORDS.items()}
    data = {**words, **{name: draw(st.booleans()) for name in SWITCHES}}
    if data["entry"] is not Entry.NONE:
        return {**data, "start": {}}
    assume(data["layout"] is not Layout.SAME)
    return {**data, "start": {24: 15}}


@given(anything())
def test_any_data_can_be_told_and_nothing_twice(data: dict[str, Any]) -> None:
    sentences = told(under(**data))
    assert len(set(sentences)) == len(sentences)
    assert not any("{" in sentence or "None" in sentence for sentence in sentences)


@given(anything())
def test_where_nothing_is_hit_nobody_speaks_of_the_bar(data: dict[str, Any]) -> None:
    assert ("the bar" in text(under(**data))) == (data["contact"] is Contact.HIT)


@given(anything())
def test_where_nobody_waits_outside_nobody_enters_from_there(data: dict[str, Any]) -> None:
    entering = "have still to be entered come in" in text(under(**data))
    assert entering == (data["entry"] is not Entry.NONE)


@given(anything())
def test_a_number_that_is_lost_is_not_the_opponents(data: dict[str, Any]) -> None:
    said = text(under(**data))
    ladder = data["doubles"] is Doubles.LADDER
    passed_on = ladder or data["unplayed_scope"] is UnplayedScope.ALL
    passed_on &= data["unplayed"] is Unplayed.OPPONENT_PLAYS
    assert ("are lost." in said, "before his own roll" in said) == (not passed_on, passed_on)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        ({"layout": Layout.PARALLEL}, "your 24 is his 12"),
        (
            {"layout": Layout.SAME, "entry": Entry.FREELY, "start": {}},
            "6 to 1 are the home board of both",
        ),
        ({"dice": 3}, "three dice"),
        ({"checkers": 3, "start": {24: 3}}, "3 checkers a side"),
        (
            {"start": {24: 10}, "entry": Entry.FREELY},
            "10 on 24, and 5 that have still to be entered",
        ),
        ({"doubles": Doubles.LADDER, "ladder_from_roll": 4}, "your own roll number 4"),
        ({"head_limit": 2}, "Only 2 checkers a turn"),
        ({"runner": Runner.REACH_HOME}, "until it has come to 6"),
        ({"own_start_quarter_max": 5}, "24 to 19, you may hold 5 at once"),
        ({"prime_rule": PrimeRule.NEED_AHEAD}, "has passed all six"),
        ({"home_hit_and_run": False}, "must stay there until the turn is over"),
        ({"contact": Contact.PIN, "mother_rule": True, "mother_points": 3}, "and 3 points"),
        ({"bear_off": BearOff.EXACT}, "A larger one bears nothing off"),
        ({"scoring": Scoring.CHECKERS_LEFT}, "a point for each checker"),
        ({"gammon_value": 1, "backgammon_value": 1}, "whatever the loser has borne off"),
        ({"gammon_value": 1, "backgammon_value": 2}, "it counts 2 (backgammon)"),
        ({"match_length": None, "jacoby": True}, "unless the cube was turned"),
    ],
)
def test_what_the_data_says_is_told(data: dict[str, Any], expected: str) -> None:
    assert expected in text(under(**data))
    assert expected not in text(under())


def test_every_axis_of_movement_changes_the_prose() -> None:
    """No two values of an axis read alike where the axis matters."""
    least: dict[str, Any] = {
        "bear_off_while_pinned": {"contact": Contact.PIN},
        "mother_rule": {"contact": Contact.PIN},
        "first_half_lock": {"entry": Entry.FREELY},
        "opp_start_quarter_scope": {"opp_start_quarter_max": 4},
        "prime_path": {"prime_rule": PrimeRule.NEED_AHEAD},
        "restriction_timing": {"prime_rule": PrimeRule.NEED_AHEAD},
    }
    for axis in fields(Movement):
        number = HINTS[axis.name] in (int, int | None)
        values: list[Any] = list(WORDS.get(axis.name, [2, 3] if number else [False, True]))
        data = {"start": {}, "entry": Entry.FREELY, **least.get(axis.name, {})}
        if axis.name == "entry":
            values.remove(Entry.NONE)
        texts = {text(under(**{**data, axis.name: value})) for value in values}
        assert len(texts) == len(values), axis.name


class Peaceful(Rules):
    """Nobody hits at home.

    >>> 1 + 1
    2
    """

    play_reason = OwnReason("PEACE", "it hits at home", "another play")

    def keep(self, start: Position, plays: Plays) -> Plays:
        """Those without such a hit.

        How it is found is nobody's concern.
        """
        return plays.only(lambda play: not home_hit(play))

    def helper(self) -> None:
        """What no door is."""


class Merciful(Peaceful):
    """Nobody loses."""

    def won(self, position: Position, winner: Player) -> Outcome:
        """The other."""
        return super().won(position, winner.other)

    def caught(self, loser: object) -> bool:
        """Nobody."""
        return False


def home_hit(play: Play) -> bool:
    return any(step.hit for step in play.steps)


def own(rules: Rules) -> Iterator[str]:
    return (one.text for one in prose(rules).get(OWN, ()))


def test_what_python_adds_is_told_by_docstrings() -> None:
    assert list(own(under(Merciful))) == [
        "Nobody hits at home.",
        "Nobody loses.",
        "Which plays stay: those without such a hit. What it forbids is refused as WESTERN_PEACE, “it hits at home”.",
        "Who wins: the other.",
        "Who loses a backgammon, where there is one: nobody.",
    ]


def test_what_a_method_says_the_data_does_not_say_otherwise() -> None:
    assert "first to have borne off all" in text(under())
    assert "first to have borne off all" not in text(under(Merciful))
    assert "in the winner's home board" not in text(under(Merciful))
    assert "as far behind as is said below" in text(under(Merciful))


def test_a_class_without_a_word_is_told_without_one() -> None:
    class Silent(Rules):
        def keep(self, start: Position, plays: Plays) -> Plays:
            return plays

    assert OWN not in prose(under(Silent))


def test_a_sentence_names_the_option_that_changes_it() -> None:
    options = {one.option for told in prose(load().rules("fevga")).values() for one in told}
    assert options == {
        *("", "runner", "own_start_quarter_max", "prime_rule", "restriction_timing"),
        *("unblock_duty", "match_length", "resign_when"),
    }


def test_a_switch_of_its_own_that_is_off_is_told_as_off() -> None:
    [last] = [one for one in prose(load().rules("long-nardy"))[OWN] if one.option]
    assert (last.option, last.text.endswith("Not unless a table chooses so.")) == (
        "last_roll_equalizer",
        True,
    )
    on = load().rules("long-nardy", options={"last_roll_equalizer": True})
    [last] = [one for one in prose(on)[OWN] if one.option]
    assert "Not unless" not in last.text


@pytest.mark.parametrize("entry", [*load()], ids=lambda entry: entry.variant.id)
def test_a_variant_that_is_more_than_data_says_what(entry: Any) -> None:
    rules = load().rules(entry.variant.id)
    assert bool(list(own(rules))) == (entry.rules is not Rules)
