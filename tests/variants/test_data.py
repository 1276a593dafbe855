"""The data, options and names of every variant are those of its rule file (C8 to C10)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import bgcore_variants
from bgcore import Roll, Rules, load
from bgcore.axes import Entry
from bgcore.option import Option, Scope
from bgcore.resolve import defaults_of, options_of
from tests.rulebook.data import lines

PARAMETERS = {line["id"].replace("_", "-"): line for line in lines("variants")}
VARIANTS = [entry.variant for entry in load()]
IDS = [variant.id for variant in VARIANTS]
OMITTED = {
    "n": 15,
    "dice": 2,
    "higher_die_rule": True,
    "doubles": "four",
    "unplayed": "lost",
    "unplayed_scope": "ladder",
    "runner": "none",
    "head_limit": None,
    "head_first_turn": "none",
    "mother_points": 2,
    "own_start_quarter_max": 6,
    "opp_start_quarter_max": 6,
    "opp_start_quarter_scope": "always",
    "prime_rule": "none",
    "prime_path": "opponent",
    "restriction_timing": "per_step",
    "home_hit_and_run": True,
    "bear_off": "standard",
    "bear_zone": "last_quarter",
    "scoring": "levels",
    "gammon_value": 2,
    "backgammon_value": 2,
    "jacoby": False,
    "cube": False,
    "mother_rule": False,
    "bear_off_while_pinned": False,
    "first_half_lock": False,
    "no_hit_before_home": False,
    "reserve": False,
    "reserve_first": False,
    "complement_while_entering": False,
    "unblock_duty": False,
    "last_roll_equalizer": False,
    "acey_bonus": False,
    "first_off_loses": False,
}
"""What a key that is left out of the parameters of C10 means."""
METHODS = {"acey_bonus": "after_part", "first_off_loses": "won"}
"""Parameters that are a method of the one game that has them."""
MATCH_LENGTHS = {
    **dict.fromkeys(("western", "hypergammon", "nackgammon", "longgammon", "dutch", "misere"), 7),
    **dict.fromkeys(("acey-deucey", "european-acey-deucey"), 30),
    "tawla-31": 31,
}
"""Points of a match where that is not 5."""


def test_there_are_parameters_of_every_variant_and_no_other() -> None:
    assert list(PARAMETERS) == IDS
    assert len(IDS) == 24
    assert set(OMITTED) >= {key for line in PARAMETERS.values() for key in line} - {
        *("id", "layout", "contact", "start", "opening_roll", "later_starter", "match_length"),
        "ladder_from_roll",
    }


@pytest.mark.parametrize("id", IDS)
def test_the_data_of_a_variant_is_that_of_its_rule_file(id: str) -> None:
    entry = load().entry(id)
    variant, parameters = entry.variant, {**OMITTED, **PARAMETERS[id]}
    assert {str(point): count for point, count in variant.start.items()} == parameters["start"]
    assert variant.checkers == parameters["n"]
    entries = {(False, False): Entry.NONE, (True, False): Entry.FREELY, (True, True): Entry.FIRST}
    assert variant.entry is entries[parameters["reserve"], parameters["reserve_first"]]
    assert variant.match_length == MATCH_LENGTHS.get(id, 5)
    defaults = defaults_of(variant)
    for name in parameters.keys() - {
        "id",
        "n",
        "start",
        "reserve",
        "reserve_first",
        "match_length",
    }:
        wanted = parameters[name]
        if name in METHODS:
            own = getattr(entry.rules, METHODS[name]) is not getattr(Rules, METHODS[name])
            assert own == wanted, name
        else:
            found = getattr(variant, name, defaults.get(name, False))
            assert (found, type(found) is bool) == (wanted, type(wanted) is bool), name


WESTERN = "opening_roll later_starter higher_die_rule gammon_value backgammon_value cube"
LADDER = "doubles ladder_from_roll unplayed layout opening_roll later_starter"
LIMITS = "runner opp_start_quarter_max own_start_quarter_max restriction_timing"
NARDY = (
    "opening_roll later_starter head_limit head_first_turn prime_rule prime_path restriction_timing"
    " last_roll_equalizer cube"
)
PLAKOTO = "opening_roll later_starter mother_rule mother_points bear_off_while_pinned"
ACEY = "doubles acey_partial bear_off scoring"
TABLE_OPTIONS = {
    "western": WESTERN,
    "tavla": "opening_roll later_starter home_hit_and_run backgammon_value cube",
    "plakoto": PLAKOTO,
    "gul-bara": LADDER,
    "gul-bara-bulgarian": LADDER,
    "moultezim": f"{LIMITS} opp_start_quarter_scope opening_roll later_starter",
    "fevga": f"{LIMITS} prime_rule unblock_duty",
    "portes": "opening_roll later_starter home_hit_and_run backgammon_value",
    "long-nardy": NARDY,
    "hypergammon": WESTERN,
    "nackgammon": WESTERN,
    "longgammon": WESTERN,
    "tapa": "mother_rule bear_off_while_pinned opening_roll later_starter",
    "gioul": "doubles ladder_from_roll unplayed unplayed_scope",
    "acey-deucey": ACEY,
    "european-acey-deucey": ACEY,
    "russian-backgammon": "opening_roll doubles complement_while_entering backgammon_value",
    "tabula": "first_half_lock bear_zone bear_off gammon_value",
    "crazy-narde": NARDY,
    "jacquet": "",
    "tawla-31": "layout",
    "plakoto-express": PLAKOTO,
    "dutch": WESTERN,
    "misere": "opening_roll later_starter higher_die_rule cube",
}
"""The options that each rule file lists, and the base file where it says as there."""


@pytest.mark.parametrize("id", IDS)
def test_a_table_may_set_the_options_that_the_rule_file_lists(id: str) -> None:
    options = options_of(load().variant(id))
    found = {name for name, option in options.items() if option.scope is Scope.GAME}
    listed = set(TABLE_OPTIONS[id].split())
    assert found | {"cube"} & options.keys() == listed
    assert ("jacoby" in options) == ("cube" in listed)


def chosen(option: Option) -> list[Any]:
    """Every value of a small option, the ends of a large one."""
    if option.type == "bool":
        return [True, False]
    values: list[Any] = list(option.values)
    if option.type == "int":
        low, high = option.values
        values = sorted({int(low), min(int(low) + 1, int(high)), int(high)})
    return [*values, None] if option.optional else values


CHOICES = [
    pytest.param(variant.id, name, value, id=f"{variant.id}-{name}-{value}")
    for variant in VARIANTS
    for name, option in options_of(variant).items()
    if option.scope is Scope.GAME
    for value in chosen(option)
    if name != "backgammon_value" or value >= variant.gammon_value
]


@pytest.mark.parametrize(("id", "name", "value"), CHOICES)
def test_every_value_of_an_option_gives_rules_that_play(id: str, name: str, value: object) -> None:
    options = {name: value}
    if name == "gammon_value" and "backgammon_value" in options_of(load().variant(id)):
        options["backgammon_value"] = 3
    under = load().rules(id, options=options)
    assert under.options[name] == value
    for opener in range(1, 7):
        dice = (opener, *range(1, under.variant.dice))
        assert len(under.plays(under.start, Roll.of(*dice))) >= 1


BUNDLES = {
    "tavla": {"traditional"},
    "plakoto": {"traditional"},
    "gul-bara": {"bulgarian"},
    "moultezim": {"moultezim-alt"},
    "long-nardy": {"ministry", "vog"},
}


@pytest.mark.parametrize("id", IDS)
def test_a_bundle_is_one_that_the_rule_file_names(id: str) -> None:
    variant = load().variant(id)
    assert variant.bundles.keys() == BUNDLES.get(id, set())
    assert variant.bundles.keys() <= load().presets_of(variant).keys()


def test_the_bulgarian_bundle_is_the_bulgarian_variant() -> None:
    bundled = load().rules("gul-bara", "bulgarian")
    assert bundled.options == load().rules("gul-bara-bulgarian").options
    assert bundled.record == load().rules("gul-bara-bulgarian").record


def test_the_other_reading_of_moultezim_is_a_bundle() -> None:
    under = load().rules("moultezim", "moultezim_alt")
    limits = under.variant.opp_start_quarter_max, under.variant.own_start_quarter_max
    assert (under.variant.runner, limits) == ("reach_start_quarter", (6, 5))


def test_the_federation_and_the_server_play_the_opening_dice_of_long_nardy() -> None:
    for bundle, cube in (("ministry", True), ("vog", False)):
        options = load().rules("long-nardy", bundle).options
        opening = options["opening_roll"], options["later_starter"]
        assert (opening, options["cube"]) == (("play_dice", "opening_roll"), cube)


NAMES = {
    "western": ("Backgammon", "standard"),
    "plakoto": ("mahbusa",),
    "gul-bara": ("Rosespring", "gulbahar", "gyulbara"),
    "fevga": ("feuga",),
    "long-nardy": ("narde", "nardi", "Long Nardi"),
}


@pytest.mark.parametrize("id", IDS)
def test_a_variant_is_found_by_its_id_with_underscores_and_by_its_aliases(id: str) -> None:
    for name in (id, id.replace("-", "_"), id.upper(), *NAMES.get(id, ())):
        assert load().variant(name).id == id


@pytest.mark.parametrize("id", IDS)
def test_the_source_of_a_variant_is_a_rule_file_and_its_texts_are_sentences(id: str) -> None:
    variant = load().variant(id)
    examples = Path(__file__).parents[1] / "data" / "examples"
    stem = variant.source.removeprefix("rules/").removesuffix(".md")
    found = [json.loads(line) for line in (examples / f"{stem}.jsonl").read_text().splitlines()]
    assert found
    assert variant.summary.endswith(".") and variant.summary[0].isupper()
    assert variant.title and not variant.title.endswith(".")


def test_jacoby_is_the_default_of_one_variant_and_never_of_a_match_of_another() -> None:
    for name in ("hypergammon", "nackgammon", "longgammon"):
        jacoby = load().rules(name).options["jacoby"]
        assert jacoby is (name == "hypergammon")
        assert load().rules(name, "vog").options["jacoby"] is jacoby
        assert load().rules(name, "tournament").options["jacoby"] is False


SCREEN = 60
"""Lines."""
FILES = Path(bgcore_variants.__file__).parent


def test_a_variant_fits_on_a_screen_and_the_hardest_on_three() -> None:
    sizes = {
        path.stem: len(path.read_text(encoding="utf-8").splitlines())
        for path in FILES.glob("*.py")
        if path.stem not in ("__init__", "presets", "rotations")
    }
    assert {stem.replace("_", "-") for stem in sizes} == set(IDS)
    with_code = {
        entry.variant.id.replace("-", "_")
        for entry in load()
        if entry.rules.__module__ != "bgcore.rules"
    }
    assert max(sizes[stem] for stem in sizes.keys() - with_code) <= SCREEN
    assert max(sizes.values()) <= 3 * SCREEN
