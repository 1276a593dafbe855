"""A preset or bundle with `options_locked` fixes its values; what it leaves open can be chosen (rules M12)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

import pytest

from bgcore import OptionError, Registry, load
from bgcore.option import Values
from bgcore.preset import Preset
from bgcore.rotation import Choice, Rotation

ROOM: Values = MappingProxyType({"opening_roll": "reroll", "options_locked": True})
PLACES = ("preset", "bundle")


def registry(place: str, values: Values = ROOM) -> Registry:
    """One in which the western game has these values as its preset or bundle `room`."""
    found = load().using(load().plugins[0])
    if place == "preset":
        found.add_preset(
            Preset("room", "a room", lambda variant: values if variant.id == "club" else None)
        )
    bundles = {"room": values} if place == "bundle" else {}
    found.add(replace(found.variant("western"), id="club", aliases=(), bundles=bundles))
    return found


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("locked", [True, "true"])
def test_what_is_locked_cannot_be_chosen(place: str, locked: object) -> None:
    values = {**ROOM, "options_locked": locked}
    found = registry(place, values)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match=r"opening_roll: .* stay reroll: preset room locks") as at:
        found.rules("club", "room", {"opening_roll": "play_dice"})
    assert (at.value.reason, at.value.faults[0].rule) == ("OPTIONS_LOCKED", "M12")


@pytest.mark.parametrize("place", PLACES)
def test_the_lock_itself_cannot_be_opened(place: str) -> None:
    with pytest.raises(OptionError, match="option options_locked"):
        registry(place).rules("club", "room", {"options_locked": False})


@pytest.mark.parametrize("place", PLACES)
def test_what_a_locked_one_leaves_open_can_be_chosen(place: str) -> None:
    options = registry(place).rules("club", "room", {"match_length": 3}).options
    assert (options["match_length"], options["opening_roll"]) == (3, "reroll")


@pytest.mark.parametrize("place", PLACES)
def test_one_that_is_not_locked_can_be_changed(place: str) -> None:
    found = registry(place, {"opening_roll": "reroll"})
    assert found.rules("club", "room", {"opening_roll": "play_dice"}).options["opening_roll"] == (
        "play_dice"
    )


def rotation(options: Mapping[str, object]) -> Rotation:
    return Rotation((Choice("club", "room", options), Choice("western")))


@pytest.mark.parametrize("place", PLACES)
def test_a_locked_one_can_be_played_in_a_rotation(place: str) -> None:
    cycle = registry(place).cycle(rotation({}), {"match_length": 3})
    assert [rules.options["opening_roll"] for rules in cycle.games] == ["reroll", "play_dice"]
    assert {rules.options["match_length"] for rules in cycle.games} == {3}


@pytest.mark.parametrize("place", PLACES)
def test_a_rotation_cannot_change_what_is_locked_in_a_game(place: str) -> None:
    with pytest.raises(OptionError, match=r"^game 1: option opening_roll.*locks") as at:
        registry(place).cycle(rotation({"opening_roll": "play_dice"}))
    assert at.value.reason == "OPTIONS_LOCKED"
