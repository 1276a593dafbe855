"""House rules: a parent and only the differences, with every fault of them named."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bgcore import (
    Action,
    Match,
    NotationError,
    OptionError,
    Position,
    Registry,
    Roll,
    Rules,
    Seat,
    Spec,
    SpecError,
    load,
)
from bgcore.catalogue import CATALOGUE
from bgcore.kernel.record import pack
from bgcore.notation.match_text_writer import write_match_text
from bgcore.notation.record_text import write_record
from bgcore.notation.sgf_writer import write_sgf
from bgcore.record import Record
from bgcore.registry import CACHED_SPECS
from bgcore.replay_record import replayed_records
from bgcore.spec_reader import difference
from bgcore.spec_words import AXES, KEYS

REGISTRY = load()
IDS = [entry.variant.id for entry in REGISTRY]
HOUSE = {
    "parent": "western",
    "id": "kitchen-table",
    "start": {"24": 2, "23": 2, "13": 4, "8": 3, "6": 4},
    "bear_off": "exact",
    "gammon_value": 3,
    "cube": False,
    "options": ["opening_roll"],
    "bundles": {"quick": {"match_length": 1, "opening_roll": "reroll"}},
}


def house(**more: object) -> Rules:
    return REGISTRY.rules(Spec.of({**HOUSE, **more}))


def faults(form: dict[str, Any], registry: Registry = REGISTRY) -> dict[str, str]:
    with pytest.raises(SpecError) as caught:
        registry.rules(Spec.of(form))
    return {fault.field.removeprefix("spec").strip(): fault.reason for fault in caught.value.faults}


def test_what_is_not_said_is_as_in_the_parent() -> None:
    rules, western = house(), REGISTRY.variant("western")
    changed = {"start", "bear_off", "gammon_value", "cube"}
    for name in AXES.keys() - changed:
        assert getattr(rules.variant, name) == getattr(western, name)
    assert rules.start.mover[23] == 2
    assert "cube" not in rules.options
    assert "opening_roll" in rules.options


def test_its_bundles_are_chosen_as_presets_are() -> None:
    rules = REGISTRY.rules(Spec.of(HOUSE), "quick")
    assert rules.options["match_length"] == 1
    assert rules.options["opening_roll"] == "reroll"


def test_every_fault_is_told_at_once_by_its_key() -> None:
    wrong = {
        "parent": "western",
        "id": "tavla",
        "contcat": "pin",
        "bear_off": "quick",
        "gammon_value": 9,
        "checkers": "many",
        "start": {"24": 40, "30": 1},
        "options": ["cube", "cub"],
        "bundles": {"x": {"match_length": 0}, "money": {}},
        "title": "two\nlines",
    }
    assert faults(wrong) == {
        "id": "SPEC_ID_TAKEN",
        "contcat": "SPEC_UNKNOWN_KEY",
        "bear_off": "SPEC_WRONG_VALUE",
        "gammon_value": "SPEC_WRONG_VALUE",
        "checkers": "SPEC_WRONG_VALUE",
        "start.24": "SPEC_BAD_START",
        "start.30": "SPEC_BAD_START",
        "options[1]": "SPEC_WRONG_VALUE",
        "bundles.x.match_length": "OPTION_OUT_OF_RANGE",
        "bundles.money": "SPEC_WRONG_VALUE",
        "title": "SPEC_WRONG_VALUE",
    }


@pytest.mark.parametrize(
    ("form", "key", "told"),
    [
        ({}, "parent", "parent is missing, expected the id of a variant"),
        ({"parent": "chess"}, "parent", "chess: expected one of western"),
        ({"parent": "westrn"}, "parent", "westrn: expected western, most likely"),
        ({"parent": "western", "peace": True}, "peace", "spec peace true: expected"),
        (
            {"parent": "western", "bundles": {"quick": {"match_lenght": 3}}},
            "bundles.quick.match_lenght",
            "spec bundles.quick.match_lenght: expected match_length, most likely",
        ),
        ({"parent": "western", "contcat": "pin"}, "contcat", "expected contact, most likely"),
        ({"base": "western"}, "base", "spec base western: expected parent, most likely"),
        (
            {"parent": "western", "axes": {"bear_off": "exact"}},
            "axes",
            "expected each axis as a key of its own, such as bear_off",
        ),
        ({"parent": "western", "crawford": False}, "crawford", "chosen beside the spec"),
        ({"parent": "western", "start": "24:16"}, "start", "16 checkers: expected at most 15"),
        ({"parent": "western", "start": "24:2"}, "start", "2 checkers: expected 15"),
        ({"parent": "western", "start": "24:8 24:7"}, "start", "each point once"),
        (
            {"parent": "western", "start": "24-5 18-5"},
            "start",
            "spec start 24-5: expected a point and its checkers, such as 24:5",
        ),
        ({"parent": "western", "start": "24:2, 13:5"}, "start", "start 24:2,: expected a point"),
        (
            {"parent": "western", "start": {"24": 15, "gammon_value": 3}},
            "start.gammon_value",
            "3: expected a point from 1 to 24: gammon_value stands beside start, in a file above [start]",
        ),
        (
            {"parent": "western", "start": {"30": 15}},
            "start.30",
            "spec start.30: expected a point from 1 to 24",
        ),
        (
            {"parent": "western", "bundles": {"quick": {"title": "Quick"}}},
            "bundles.quick.title",
            "title: expected an option: title stands beside bundles, in a file above [bundles.quick]",
        ),
        (
            {"parent": "western", "hit_at_home": False},
            "hit_at_home",
            "spec hit_at_home false: expected one of parent, id",
        ),
        ({"parent": "western", "start": 7}, "start", "points and their checkers"),
        ({"parent": "western", "checkers": 10}, "start", "15 checkers: expected at most 10"),
        ({"parent": "plakoto", "layout": "same"}, "start", "expected checkers of one side"),
        ({"parent": "tavla", "gammon_value": 3}, "backgammon_value", "at least gammon_value"),
        ({"parent": "western", "id": "Two Words"}, "id", "expected lower case"),
        ({"parent": "western", "id": "backgammon"}, "id", "that western does not use"),
    ],
)
def test_what_is_wrong_is_told_with_what_was_expected(
    form: dict[str, Any], key: str, told: str
) -> None:
    with pytest.raises(SpecError) as caught:
        REGISTRY.rules(Spec.of(form))
    assert caught.value.faults[0].field == f"spec {key}"
    assert told in str(caught.value)


def test_a_start_is_judged_whatever_else_is_wrong() -> None:
    form = {"parent": "western", "gammon_value": 9, "start": "24:4 18:3 13:4 7:4"}
    with pytest.raises(SpecError) as caught:
        REGISTRY.rules(Spec.of(form))
    assert [fault.field for fault in caught.value.faults] == ["spec gammon_value", "spec start"]
    assert "the mover's 18 (the opponent's 7): 3 of the mover and 4 of the opponent" in str(
        caught.value
    )
    # Where it is not known how many checkers there are, or how points meet, it cannot be told.
    assert faults({**form, "layout": "up", "checkers": "many"}).keys() == {
        *("gammon_value", "layout", "checkers")
    }


def test_the_same_rules_have_the_same_mark_whatever_they_are_called() -> None:
    one, two = house(), house(id="elsewhere", title="Another", gammon_value="3")
    assert one.variant.rules_version == two.variant.rules_version
    assert one.variant.rules_version != house(gammon_value=2).variant.rules_version
    unnamed = {**HOUSE, "id": None}
    del unnamed["id"]
    assert REGISTRY.rules(Spec.of(unnamed)).variant.id.startswith("western-")


def test_the_plainest_words_of_a_spec_say_the_same() -> None:
    rules = house()
    assert rules.spec is not None
    again = REGISTRY.rules(rules.spec)
    assert again.spec == rules.spec
    assert difference(rules.variant, again.variant) == {"parent": "kitchen-table"}


def test_an_id_may_come_again_with_the_same_rules_only() -> None:
    spec = Spec.of(HOUSE)
    registry = REGISTRY.with_spec(spec, REGISTRY.plugins[0])
    assert registry.rules(Spec.of(HOUSE)).variant.id == "kitchen-table"
    assert faults({**HOUSE, "gammon_value": 1}, registry) == {"id": "SPEC_ID_TAKEN"}
    kept = Spec.of({**HOUSE, "gammon_value": 1}, new=False)
    assert registry.rules(kept).variant.gammon_value == 1


def test_house_rules_of_house_rules_need_only_what_is_installed() -> None:
    registry = REGISTRY.with_spec(Spec.of(HOUSE), REGISTRY.plugins[0])
    child = registry.rules(Spec.of({"parent": "kitchen-table", "higher_die_rule": False}))
    assert child.spec is not None
    assert child.spec.form["parent"] == "western"
    alone = REGISTRY.rules(child.spec)
    assert alone.variant.bear_off == "exact"
    assert not alone.variant.higher_die_rule


class Louder(Rules):
    """A parent's own code."""


@pytest.mark.parametrize(
    ("key", "word"),
    [
        ("no_hit_before_home", True),
        ("first_half_lock", True),
        ("bear_off", "exact_static"),
        ("bear_zone", "second_half"),
        ("opp_start_quarter_scope", "while_start_occupied"),
    ],
)
def test_a_word_of_the_rules_that_one_game_uses_is_the_kernels_in_house_rules_too(
    key: str, word: object
) -> None:
    rules = REGISTRY.rules(Spec.of({"parent": "western", "id": "one-word", key: word}))
    assert type(rules) is Rules
    assert rules.record == pack(rules.variant.movement) != REGISTRY.rules("western").record


def test_the_parents_own_code_comes_along() -> None:
    registry = REGISTRY.using(REGISTRY.plugins[0])
    registry._entries["western"] = type(registry.entry("western"))(
        registry.variant("western"), Louder, REGISTRY.plugins[0]
    )
    assert isinstance(registry.rules(Spec.of(HOUSE)), Louder)


def test_an_option_that_would_not_be_played_is_refused_when_it_is_chosen() -> None:
    spec = Spec.of({"parent": "plakoto", "options": ["layout"]})
    REGISTRY.rules(spec)
    with pytest.raises(OptionError, match="not played together"):
        REGISTRY.rules(spec, options={"layout": "same"})


# -- records -----------------------------------------------------------------------------------------


def played(rules: Rules) -> Match:
    match = Match.new(rules).after(Action.throw(3, 1))
    return match.after(Action.play(Seat.WHITE, "24/21 24/23"))


def test_a_record_alone_replays() -> None:
    text = write_record(Record.of(played(house())), REGISTRY)
    header = json.loads(text.splitlines()[0])
    assert header["bgcore"] == 3
    assert header["spec"]["parent"] == "western"
    [found] = replayed_records(text, REGISTRY)
    assert found.report.faults == ()
    assert found.record.spec == house().spec
    assert write_record(found.record, REGISTRY) == text


def test_a_record_replays_where_its_id_has_been_taken() -> None:
    text = write_record(Record.of(played(house())), REGISTRY)
    other = REGISTRY.with_spec(Spec.of({**HOUSE, "gammon_value": 1}), REGISTRY.plugins[0])
    [found] = replayed_records(text, other)
    assert found.report.faults == ()


def test_notations_without_words_for_it_refuse_it() -> None:
    record = Record.of(played(house()))
    with pytest.raises(NotationError, match="house rules"):
        write_match_text([record], REGISTRY)
    with pytest.raises(NotationError, match="house rules"):
        write_sgf(record, REGISTRY)


# -- properties --------------------------------------------------------------------------------------


def data_of(id: str) -> dict[str, object]:
    """A built-in variant as a spec of western, or of itself where it has code or options of its own."""
    entry = REGISTRY.entry(id)
    shared = all(option.name in CATALOGUE for option in entry.variant.own_options)
    alone = entry.rules is Rules and shared
    parent = "western" if alone else id
    form = difference(REGISTRY.variant(parent), entry.variant)
    return json.loads(json.dumps({**form, "parent": parent}))  # type: ignore[no-any-return]


@pytest.mark.parametrize("id", IDS)
def test_a_spec_of_a_variants_data_plays_as_the_variant_does(id: str) -> None:
    there, here = REGISTRY.rules(id), REGISTRY.rules(Spec.of(data_of(id)))
    assert here.record == there.record
    rng = Random(id)
    for _ in range(20):
        position: Position = there.start
        for _ in range(40):
            roll = Roll.of(*(rng.randint(1, 6) for _ in range(there.variant.dice)))
            plays, again = there.plays(position, roll), here.plays(position, roll)
            assert [play.after for play in plays] == [play.after for play in again]
            position = rng.choice(list(plays)).after
            assert there.outcome(position) == here.outcome(position)
            if there.outcome(position):
                break
            position = position.flipped()


scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5)
anything = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
words = st.sampled_from(sorted({word for one in AXES.values() for word in map(str, one.values)}))
forms = st.fixed_dictionaries(
    {"parent": st.sampled_from([*IDS, "chess"])},
    optional={key: anything | words | st.integers(0, 30) for key in KEYS if key != "parent"},
)


@settings(max_examples=150, deadline=None)
@given(forms)
def test_whatever_is_said_is_played_or_refused(form: dict[str, Any]) -> None:
    try:
        rules = REGISTRY.rules(Spec.of(form))
    except SpecError:
        return
    assert rules.spec is not None
    assert REGISTRY.rules(rules.spec).spec == rules.spec
    assert len(rules.plays(rules.start, Roll.of(*(6, 5, 4)[: rules.variant.dice]))) > 0


single = st.one_of(
    *(
        st.fixed_dictionaries(
            {"parent": st.sampled_from(IDS), name: st.sampled_from([True, False, *one.values])}
        )
        for name, one in AXES.items()
    )
)


@settings(max_examples=100, deadline=None)
@given(single, single)
def test_axes_that_are_taken_together_play_games(one: dict[str, Any], two: dict[str, Any]) -> None:
    try:
        rules = REGISTRY.rules(Spec.of({**two, **one}))
    except SpecError:
        return
    rng, position = Random(1), rules.start
    for _ in range(30):
        dice = [rng.randint(1, 6) for _ in range(rules.variant.dice)]
        plays = rules.plays(position, Roll.of(*dice))
        position = rng.choice(list(plays)).after
        if rules.outcome(position):
            break
        position = position.flipped()


def test_endless_specs_fill_nothing() -> None:
    registry = REGISTRY.using(REGISTRY.plugins[0])
    named = registry.rules("western")
    for number in range(CACHED_SPECS + 20):
        registry.rules(Spec.of({"parent": "western", "title": f"t{number}"}))
    assert len(registry._specs) <= CACHED_SPECS
    assert len(registry._spec_rules) <= CACHED_SPECS
    assert registry.rules("western") is named
    assert pack.cache_info().maxsize is not None


def test_points_may_be_numbers_and_texts_at_once() -> None:
    start: dict[Any, int] = {24: 2, "13": 5, 8: 3, "6": 5}
    mixed = Spec.of({"parent": "tavla", "start": start})
    assert mixed == Spec.of({"parent": "tavla", "start": {str(p): n for p, n in start.items()}})
    assert REGISTRY.rules(mixed).start.mover[13] == 5


def test_a_key_that_comes_twice_is_refused() -> None:
    with pytest.raises(SpecError, match="each key once") as caught:
        Spec.of({"parent": "tavla", "start": {24: 2, "24": 3}})
    assert caught.value.reason == "DUPLICATE_FIELD"
