"""Options, presets and the registry: what is refused, and that every fault is listed."""

from __future__ import annotations

from typing import Any

import pytest

from bgcore import NotRegistered, OptionError, load
from bgcore.catalogue import CATALOGUE, switch
from bgcore.resolve import options_of
from tests.engine.helpers import rules


def reasons(variant: str, **options: object) -> list[str]:
    with pytest.raises(OptionError) as caught:
        rules(variant, "", **options)
    return [fault.reason for fault in caught.value.faults]


def test_an_unknown_option_is_refused_with_the_known_ones() -> None:
    with pytest.raises(
        OptionError, match=r"option wings: expected an option of western: abandonment, .*cube"
    ):
        rules("western", "", wings=True)


@pytest.mark.parametrize("name", ["doubls", "Doubles", "double"])
def test_an_option_that_is_nearly_spelt_is_the_one_that_was_meant(name: str) -> None:
    with pytest.raises(OptionError, match=rf"^option {name}: expected doubles, most likely$"):
        rules("gul-bara", "", **{name: "four"})


def test_a_name_that_is_far_is_not_taken_for_another() -> None:
    with pytest.raises(OptionError, match=r"expected an option of dutch: ") as caught:
        rules("dutch", "", hit_at_home=False)
    assert "most likely" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("bear_off", "chosen in a spec, or at a table if the variant's options name it"),
        ("mother_rule", "chosen in a spec, or at a table if the variant's options name it"),
        ("checkers", "chosen in a spec"),
    ],
)
def test_an_axis_that_no_table_may_choose_is_told_as_one(name: str, where: str) -> None:
    with pytest.raises(OptionError) as caught:
        rules("western", "", **{name: "standard"})
    expected = f"option {name}: expected an option of western: {name} is an axis, {where}"
    assert str(caught.value) == expected


def test_every_fault_of_the_options_is_listed() -> None:
    assert reasons("western", mother_rule=True, match_length=0, cube="maybe") == [
        "OPTION_OUT_OF_RANGE",
        "OPTION_OUT_OF_RANGE",
        "UNKNOWN_OPTION",
    ]


def test_every_shared_option_names_its_rule_and_one_of_a_games_own_need_not() -> None:
    assert [name for name, option in CATALOGUE.items() if not option.rule] == []
    assert switch("peace", "nobody hits at home").rule == ""


def test_faults_come_in_the_order_of_the_names() -> None:
    assert reasons("western", zeta=1, cube="maybe") == reasons("western", cube="maybe", zeta=1)


def test_jacoby_is_for_money_sessions() -> None:
    assert reasons("western", jacoby=True) == ["OPTIONS_CLASH"]
    assert rules("western", "", match_length="none").options["jacoby"] is True
    assert rules("western", "", match_length=None, jacoby=False).options["jacoby"] is False


def test_values_are_read_from_text_too() -> None:
    chosen = rules("plakoto", "", mother_rule="true", mother_points="3", opening_roll="reroll")
    assert (chosen.variant.mother_rule, chosen.variant.mother_points) == (True, 3)
    assert chosen.variant.opening_roll == "reroll"


def test_a_cube_can_be_put_on_a_tavla_table_and_not_on_a_plakoto_table() -> None:
    assert rules("tavla", "", cube=True).options["cube"] is True
    assert reasons("plakoto", cube=True) == ["UNKNOWN_OPTION"]


def test_a_preset_is_listed_resolved() -> None:
    registry = load()
    western, plakoto = registry.variant("western"), registry.variant("plakoto")
    assert registry.presets_of(western)["tournament"]["match_length"] == 7
    assert registry.presets_of(plakoto)["tournament"]["match_length"] == 5
    assert "money" not in registry.presets_of(plakoto)
    assert registry.presets_of(plakoto)["traditional"]["mother_rule"] is True


def test_options_beat_the_preset_and_the_preset_beats_the_defaults() -> None:
    chosen = rules("plakoto", "traditional", mother_rule=False)
    assert (chosen.variant.mother_rule, chosen.variant.opening_roll) == (False, "reroll")


def test_a_variant_is_found_by_alias_and_with_underscores() -> None:
    for name in ("gul-bara", "gul_bara", "Rosespring", "GUL BARA"):
        assert load().variant(name).id == "gul-bara"


def test_an_unknown_variant_is_refused_with_the_known_ids() -> None:
    with pytest.raises(NotRegistered, match=r"variant chess: expected one of western, tavla"):
        load().rules("chess")
    with pytest.raises(NotRegistered, match=r"preset blitz: expected one of tournament, money"):
        load().rules("western", "blitz")


def test_rules_are_made_once() -> None:
    assert load().rules("western", "", {"match_length": 3}) is load().rules(
        "western", "", {"match_length": 3}
    )
    assert load().rules("western", "", {"match_length": 1}) is not load().rules(
        "western", "", {"cube": True}
    )


def test_true_and_1_are_not_the_same_value() -> None:
    assert rules("western", "", match_length=1).options["match_length"] == 1
    assert reasons("western", match_length=True) == ["OPTION_OUT_OF_RANGE"]


def test_names_that_are_no_texts_are_refused() -> None:
    with pytest.raises(OptionError):
        load().rules("western", "", {1: 2, "a": 3})  # type: ignore[dict-item]  # what is wrong
    with pytest.raises(NotRegistered):
        load().rules(None)  # type: ignore[arg-type]  # what is wrong with it


@pytest.mark.parametrize(
    "value", [[1], {"a": 1}, float("nan"), float("inf"), 10**30, "9" * 5000, b"7"]
)
def test_a_value_of_no_option_type_is_refused(value: object) -> None:
    assert reasons("western", match_length=value) == ["OPTION_OUT_OF_RANGE"]


def test_every_option_of_every_variant_says_what_it_means() -> None:
    for entry in load():
        for option in options_of(entry.variant).values():
            assert option.meaning
            assert option.rule


def test_a_variant_takes_only_the_words_that_its_rules_have() -> None:
    assert reasons("gul-bara", doubles="complement") == ["OPTION_OUT_OF_RANGE"]
    assert reasons("gul-bara", layout="same") == ["OPTION_OUT_OF_RANGE"]
    assert rules("gul-bara", "", layout="contrary").variant.layout == "contrary"


CHOICES = [
    (entry.variant.id, option.name, value)
    for entry in load()
    for option in options_of(entry.variant).values()
    for value in (option.values or (True, False))
    # What goes only with something else: a cheap backgammon with a cheap gammon.
    if (option.name, value) != ("backgammon_value", 1)
]
WITH: dict[str, dict[str, object]] = {
    name: {"money_rules_in_match": "allow"} for name in ("jacoby", "animals", "auto_doubles")
}
"""What some options need beside them."""


@pytest.mark.parametrize(("variant", "name", "value"), CHOICES)
def test_every_single_value_of_an_option_makes_rules(
    variant: str, name: str, value: object
) -> None:
    given: dict[str, object] = {name: value, **WITH.get(name, {})}
    assert rules(variant, "", **given).start


def test_values_of_points_must_not_fall() -> None:
    assert reasons("western", gammon_value=3, backgammon_value=2) == ["OPTIONS_CLASH"]


def test_nobody_changes_options_that_others_share() -> None:
    registry = load()
    shared: list[Any] = [
        registry.rules("tavla").options,
        registry.rules("tavla", options={"match_length": 3}).unusual,
        *registry.presets_of("tavla").values(),
        registry.cycle("tavli").options,
    ]
    for values in shared:
        with pytest.raises(TypeError):
            values["match_length"] = 99
    assert "match_length" not in registry.presets_of("tavla")["traditional"]
