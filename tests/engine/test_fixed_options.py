"""`options` limits what a table may set; what is not listed keeps its value, and the rules find it."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from bgcore import Action, Match, OptionError, Roll, Rules, Seat, Spec, load
from bgcore.catalogue import CUBE_OPTIONS
from bgcore.option import Scope
from bgcore.registry import Entry
from bgcore.resolve import known_options, options_of
from bgcore.testing import report_on
from bgcore.testing.games import self_play

REGISTRY = load()
CODED = [entry for entry in REGISTRY if entry.rules is not Rules]


def test_a_spec_that_lists_options_leaves_the_cube_in_play() -> None:
    few, whole = (
        Spec.of({"parent": "western", "options": ["opening_roll"]}),
        REGISTRY.rules("western"),
    )
    rules = REGISTRY.rules(few, options={"match_length": 3, "crawford": False})
    assert rules.options.keys() >= whole.options.keys()
    assert (rules.options["cube"], rules.options["crawford"]) == (True, False)
    match = Match.new(rules).after(Action.throw(3, 1))
    match = match.after(Action.play(Seat.WHITE, "8/5 6/5"))
    assert match.after(Action.double(Seat.BLACK)).game.cube.value == 1


def test_so_does_a_variant_in_code() -> None:
    rules = Rules(replace(REGISTRY.variant("western"), id="x", options=("opening_roll",)))
    assert rules.options["cube"] is True
    assert {"crawford", "jacoby", "cube_cap"} <= rules.options.keys()


def test_without_options_rules_have_those_of_their_variant() -> None:
    for entry in REGISTRY:
        assert entry.rules(entry.variant).options == REGISTRY.rules(entry.variant.id).options


@pytest.mark.parametrize("entry", CODED, ids=lambda entry: entry.variant.id)
def test_code_finds_every_option_that_its_variant_has(entry: Entry) -> None:
    known = options_of(entry.variant)
    rules = REGISTRY.rules(Spec.of({"parent": entry.variant.id, "options": []}))
    for name, value in REGISTRY.rules(entry.variant.id).options.items():
        assert rules.options.get(name) == value or known[name] in CUBE_OPTIONS
    assert {one.scope for one in options_of(rules.variant).values()} == {Scope.MATCH, Scope.TABLE}
    assert len(list(self_play(rules, Random(1)))) > 1


def test_what_is_fixed_may_be_named_and_not_changed() -> None:
    spec = Spec.of({"parent": "fevga", "options": ["prime_rule"]})
    assert REGISTRY.rules(spec, options={"unblock_duty": "TRUE"}).options["unblock_duty"] is True
    with pytest.raises(
        OptionError, match=r"unblock_duty false: expected true: .* no choice"
    ) as found:
        REGISTRY.rules(spec, options={"unblock_duty": False})
    assert found.value.reason == "OPTIONS_LOCKED"
    with pytest.raises(OptionError, match="expected an option of") as found:
        REGISTRY.rules(spec, options={"unlock_duty": False})
    assert "unblock_duty" not in str(found.value)


def test_rules_of_all_options_that_a_table_has_are_the_same_rules() -> None:
    spec = Spec.of({"parent": "fevga", "options": ["prime_rule"]})
    rules = REGISTRY.rules(spec)
    assert REGISTRY.rules(spec, options=rules.options).options == rules.options


def test_an_option_that_does_not_take_the_new_value_keeps_it() -> None:
    rules = REGISTRY.rules(Spec.of({"parent": "gul-bara", "doubles": "complement"}))
    assert rules.options["doubles"] == "complement"
    assert "doubles" not in options_of(rules.variant)
    assert known_options(rules.variant).keys() == rules.options.keys()


def test_the_kit_plays_house_rules_with_fewer_options() -> None:
    rules = REGISTRY.rules(Spec.of({"parent": "long-nardy", "options": ["opening_roll"]}))
    assert not report_on(rules, games=1).failures
    assert Rules.plays(rules, rules.start, Roll.of(6, 5))
    assert rules.variant.summary == "Long Nardy, but: fewer options."
