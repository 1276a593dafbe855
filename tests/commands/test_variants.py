"""`bgcore variants ID` tells everything that can be chosen."""

from __future__ import annotations

import json
from itertools import takewhile

import pytest

from bgcore import load
from bgcore.catalogue import switch
from bgcore.option import spelt
from bgcore.resolve import defaults_of, options_of
from bgcore.spec_words import AXES
from bgcore_server.commands.variants import _option

from . import faulty
from .runner import bgcore

IDS = [entry.variant.id for entry in load()]


@pytest.mark.parametrize("id", IDS)
def test_every_option_is_told_with_its_default_meaning_rule_and_values(id: str) -> None:
    told = bgcore("variants", id).output
    variant = load().variant(id)
    defaults = defaults_of(variant)
    for name, option in options_of(variant).items():
        assert f"\n  {name} = {spelt(defaults[name])}" in told
        assert f"      {option.meaning} ({option.rule})\n      {option.expected}\n" in told


@pytest.mark.parametrize("id", IDS)
def test_every_preset_and_bundle_is_told_with_its_values(id: str) -> None:
    told = bgcore("variants", id).output
    variant = load().variant(id)
    for preset, values in load().presets_of(variant).items():
        title = "" if preset in variant.bundles else f": {load().presets[preset].title}"
        _, _, after = told.partition(f"\n  {preset}{title}\n")
        lines = takewhile(lambda line: line.startswith(" " * 6), after.splitlines())
        written = " ".join(lines).split()
        assert written == [f"{name}={spelt(value)}" for name, value in values.items()]


def test_what_is_another_in_money_sessions_is_told() -> None:
    told = bgcore("variants", "western").output
    assert "  jacoby = false (in a money session true)\n" in told
    assert "  flag_loses = match (in a money session game)\n" in told


def test_an_option_of_a_games_own_is_told_without_a_rule() -> None:
    peace = switch("peace", "nobody hits at home")
    assert list(_option(peace, True, True)) == [
        "  peace = true",
        "      nobody hits at home",
        "      true or false",
    ]


def test_an_alias_will_do_and_json_is_the_form_of_the_wire() -> None:
    assert bgcore("variants", "backgammon").output == bgcore("variants", "western").output
    told = json.loads(bgcore("variants", "Gul_Bara", "--json").output)["variant"]
    assert told["summary"]["id"] == "gul-bara"
    assert {option["name"] for option in told["options"]} == set(
        options_of(load().variant("gul-bara"))
    )


def test_an_unknown_variant_is_wrong_usage_with_the_known_ones() -> None:
    ran = bgcore("variants", "chess")
    assert (ran.status, ran.output) == (2, "")
    assert "variant chess: expected one of western, tavla" in ran.errors


def test_a_variant_whose_code_fails_is_a_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bgcore.load", faulty.registry)
    ran = bgcore("variants", "unmade", "--json")
    assert (ran.status, ran.output) == (1, "")
    assert (
        "PLUGIN_FAILED: tests.commands.faulty.FailsLater.__init__ raised LookupError" in ran.errors
    )


def test_the_start_and_every_axis_come_first() -> None:
    told = bgcore("variants", "nackgammon").output
    assert "\n  24:2 23:2 13:4 8:3 6:4\n" in told
    assert "Axes, where a variant may differ (docs/axes.md)" in told
    head = told[: told.index("Options of the game")]
    for name in AXES:
        assert f"{name}=" in head
    assert "15 checkers unentered" in bgcore("variants", "acey-deucey").output


def test_where_nobody_looks_each_variant_is_a_line() -> None:
    lines = bgcore("variants").output.splitlines()
    for entry in load():
        [line] = [line for line in lines if line.startswith(entry.variant.id + " ")]
        assert line.endswith(entry.variant.summary)
