"""Every value of every axis has a sentence, and every sentence can be said."""

from __future__ import annotations

import string
from collections.abc import Collection, Iterator
from dataclasses import fields
from enum import Enum
from types import FunctionType
from typing import get_type_hints

import pytest

from bgcore import OwnReason, Position, Rules, axes, load
from bgcore.axes import Axis
from bgcore.option import OptionType
from bgcore.page.about import OTHER, About, Chapter
from bgcore.page.facts import facts_of
from bgcore.page.match_sentences import ROTATION
from bgcore.page.own_rules import DOORS, PLACES, of_any_play, own_rules
from bgcore.page.sentences import CHAPTERS
from bgcore.refusal import PLAY_PLACES, STEP_PLACES
from bgcore.resolve import options_of
from bgcore.rules import REASONS
from bgcore.turn import Numbers, Turn
from bgcore.variant import Variant
from tests.docs.test_examples import ROOT, anchors

ABOUTS = [about for chapter in CHAPTERS for about in chapter.abouts]
FACTS = facts_of(load().rules("western"))
"""Of a game with a cube, which has every option of match and cube."""
NO_RULES = {
    *("id", "title", "summary", "rules_version", "source", "aliases", "options", "own_options"),
    *("bundles", "file_names"),
}
"""Fields of a variant that say nothing about how it is played."""


def axes_of_variants() -> Iterator[tuple[str, object]]:
    hints = get_type_hints(Variant)
    return ((one.name, hints[one.name]) for one in fields(Variant) if one.name not in NO_RULES)


def said(fact: str) -> dict[object, str]:
    """All values of a fact that have a key, with what is said of them somewhere."""
    found: dict[object, str] = {}
    for about in ABOUTS:
        if about.fact == fact:
            for value, text in about.says.items():
                found[value] = found.get(value, "") or text
    return found


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize(
    ("axis", "kind"),
    [
        pair
        for pair in axes_of_variants()
        if isinstance(pair[1], type) and issubclass(pair[1], Axis)
    ],
)
def test_every_word_of_an_axis_of_a_variant_has_a_sentence(axis: str, kind: type[Enum]) -> None:
    assert set(kind) <= said(axis).keys()
    assert sum(not text for text in said(axis).values()) <= 1  # the one a player would not miss


@pytest.mark.parametrize("axis", [name for name, kind in axes_of_variants() if kind is bool])
def test_yes_and_no_of_an_axis_have_a_sentence(axis: str) -> None:
    assert {True, False} <= said(axis).keys()
    assert said(axis)[True]


@pytest.mark.parametrize(
    "axis", [name for name, kind in axes_of_variants() if kind in (int, int | None)]
)
def test_every_number_is_told(axis: str) -> None:
    assert said(axis).get(OTHER) or any(
        axis in placeholders(text) for about in ABOUTS for text in about.says.values()
    )


def test_the_start_is_told() -> None:
    assert "2 on 24, 5 on 13, 3 on 8, 5 on 6" in said("begins")["placed"].format_map(FACTS)


@pytest.mark.parametrize("kind", Axis.__subclasses__(), ids=lambda kind: kind.__name__)
def test_every_word_there_is_has_a_sentence(kind: type[Axis]) -> None:
    known = {value for about in (*ABOUTS, ROTATION) for value in about.says if value is not OTHER}
    assert {*map(str, kind)} <= {str(value) for value in known}
    assert kind.__module__ == axes.__name__


def test_every_word_of_an_option_has_a_sentence_if_any_value_has() -> None:
    for option in options_of(load().variant("western")).values():
        if (told := said(option.name)) and option.type is OptionType.WORD:
            assert set(option.values) <= told.keys(), option.name


@pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.title)
def test_a_sentence_speaks_of_facts_and_names_a_rule(chapter: Chapter) -> None:
    rules = anchors((ROOT / "docs" / "rules.md").read_text(encoding="utf-8"))
    for about in chapter.abouts:
        assert {about.fact, *about.where, *about.but} <= FACTS.keys()
        assert about.rule.lower() in rules
        assert not about.unless or callable(getattr(Rules, about.unless))
        for text in about.says.values():
            assert placeholders(text) <= FACTS.keys()
            assert not text or text.endswith(".")


def test_a_condition_holds_for_some_value() -> None:
    hints = dict(axes_of_variants())
    for about in ABOUTS:
        for name, values in (*about.where.items(), *about.but.items()):
            kind = hints.get(name)
            if isinstance(kind, type) and issubclass(kind, Axis):
                assert set(values) <= set(kind), (about.fact, name)


def test_the_doors_are_methods_of_rules() -> None:
    assert all(callable(getattr(Rules, door)) for door in DOORS)
    assert all(hasattr(Rules, reason) for reason in REASONS.values())


NO_RULE = frozenset(
    (
        *(
            "position",
            "proved",
            "opponents_point",
            "plays",
            "plays_of",
            "context",
            "opened",
            "steps",
            "stepped",
        ),
        *("step", "after", "after_step", "decode", "why_not", "gates", "kernel_alone"),
        "board",  # what the kernel is shown
        *("possible_levels", "most"),  # they follow from `level`, `value` and `won`
    )
)
"""What `Rules` has to be asked, and not to say a rule of a game's own."""


def test_every_method_that_may_say_a_rule_is_a_door_or_is_said_to_be_none() -> None:
    public = {
        name for name, what in vars(Rules).items() if isinstance(what, FunctionType | property)
    }
    told = {name for name in public if not name.startswith("_")}
    assert told == DOORS.keys() | NO_RULE
    assert not DOORS.keys() & NO_RULE


def test_every_reason_of_a_games_own_is_told_with_its_door() -> None:
    reasons = {name for name in vars(Rules) if name.endswith("_reason")}
    assert set(REASONS.values()) == reasons


def test_the_page_tells_what_a_game_closes() -> None:
    class Harbour(Rules):
        closed_reason = OwnReason("SHUT", "{target} is shut", "another point", "R2")

        def closed(self, position: Position, numbers: Numbers, turn: Turn) -> Collection[int]:
            """Nobody comes to the harbour, own 4."""
            return (4,)

    [told] = own_rules(Harbour, "my-game")
    assert told == (
        "Where no checker may come: nobody comes to the harbour, own 4. "
        "What it forbids is refused as MY_GAME_SHUT, “the point is shut”."
    )


@pytest.mark.parametrize(
    ("sentence", "told"),
    [
        ("{origin} is the last man's", "the point is the last man's"),
        ("no {number} leads to {target}", "no the number leads to the point"),
        (
            "{origin} is too far from {target}",
            "the point that it leaves is too far from the point that it comes to",
        ),
        ("play {left} elsewhere", "play the numbers left elsewhere"),
        ("it could use {used}", "it could use as many numbers as possible"),
        ("{origin:>3} {{is}} {origin}", "the point {is} the point"),
    ],
)
def test_no_reason_is_told_with_braces(sentence: str, told: str) -> None:
    assert of_any_play(sentence) == told


def test_what_a_reason_may_name_has_words_for_the_page() -> None:
    assert PLACES.keys() == {*STEP_PLACES, *PLAY_PLACES}


def test_a_sentence_that_knows_nothing_of_a_fact_says_nothing() -> None:
    assert About("weather", "C1", {OTHER: "It rains."}).said({}) == ""
