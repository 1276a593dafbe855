"""The id of a rotation means its games, and nobody else's: not a record's, a variant's or house rules'."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bgcore import (
    Match,
    NotRegistered,
    OptionError,
    PluginError,
    Registry,
    Spec,
    SpecError,
    load,
)
from bgcore.cycle import Cycle
from bgcore.errors import BgcoreError
from bgcore.notation.record_text import write_record
from bgcore.plugin import Plugin, PluginState
from bgcore.plugins import conflicting
from bgcore.record import Record
from bgcore.replay_record import replayed_records
from bgcore.rotation import Choice, Rotation
from bgcore.spec_folder import with_folder

KNOWN = load()
HOUSE = {"parent": "tavla", "bear_off": "exact"}


def text_of(rotation: Rotation | str, **changed: Any) -> str:
    """A record of a match of a rotation that has not begun, its form changed in places."""
    record = write_record(Record.of(Match.new(KNOWN.cycle(rotation))), KNOWN)
    first, last = record.splitlines()
    form = json.loads(first)
    form["rotation"] |= changed
    return f"{json.dumps(form)}\n{last}\n"


def text_of_cycle(cycle: Cycle, registry: Registry) -> str:
    """The first line of a record."""
    return write_record(Record.of(Match.new(cycle)), registry).splitlines()[0]


def faults(text: str) -> list[tuple[str, str]]:
    [match] = replayed_records(text, KNOWN)
    return [(fault.reason, fault.message) for fault in match.report.faults]


OTHER = Rotation((Choice("western"), Choice("plakoto")))


def test_a_record_may_not_say_of_other_games_that_they_are_a_known_rotation() -> None:
    assert not faults(text_of("tavli"))
    [(reason, message)] = faults(text_of(OTHER, id="tavli"))
    assert reason == "ROTATION_ID_TAKEN"
    assert message == (
        "rotation id tavli: expected the games of tavli as they are here (portes, plakoto, fevga), or no id"
    )
    assert not faults(text_of(OTHER))
    assert not faults(text_of(OTHER, id="my-own"))


def test_nor_the_same_games_with_other_options() -> None:
    form = json.loads(text_of("tavli").splitlines()[0])
    games = form["rotation"]["games"]
    games[1]["options"]["mother_points"] = 3
    [(reason, _)] = faults(text_of("tavli", games=games))
    assert reason == "ROTATION_ID_TAKEN"
    for game in games:
        del game["rules_version"]
    assert faults(text_of("tavli", games=games))
    # A version ago they may have been what was usual.
    for game in games:
        game["rules_version"] = "0"
    assert not faults(text_of("tavli", games=games))


def test_nor_house_rules_that_are_called_like_one_of_its_games() -> None:
    form = json.loads(text_of("tavli").splitlines()[0])
    games = form["rotation"]["games"]
    spec = {"parent": "portes", "id": "portes", "title": "Portes", "bear_off": "exact"}
    games[0] = {"variant": "portes", "rules_version": "0", "spec": spec}
    text = text_of("tavli", games=games).replace('"bgcore": 2', '"bgcore": 4')
    assert [reason for reason, _ in faults(text)] == ["ROTATION_ID_TAKEN"]


def test_nor_that_they_are_called_like_a_variant() -> None:
    [(reason, message)] = faults(text_of(OTHER, id="tavla"))
    assert reason == "ROTATION_ID_TAKEN"
    assert message == "rotation id tavla: expected an id that tavla does not use, or none"


def test_what_was_played_under_an_id_that_means_others_now_is_written_without_it() -> None:
    then = KNOWN.using(Plugin("then"))
    then.add_rotation(replace(OTHER, id="changing"))
    record = Record.of(Match.new(then.cycle("changing")))
    now = KNOWN.using(Plugin("now"))
    now.add_rotation(Rotation((Choice("tavla"), Choice("tapa")), id="changing"))
    assert '"id":"changing"' in write_record(record, then)
    text = write_record(record, now)
    assert '"id":"changing"' not in text
    [again] = replayed_records(text, now)
    assert not again.report.faults


def test_a_rotation_keeps_its_id_when_its_rules_have_been_forgotten_and_made_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    registry = load(["none"])
    cycle = registry.cycle("tavli")
    monkeypatch.setattr("bgcore.registry.CACHED_RULES", 1)
    registry.rules("western", options={"match_length": 9})  # for which there is no room
    made_anew = registry.cycle("tavli")
    assert not any(one is other for one, other in zip(cycle.games, made_anew.games, strict=True))
    assert made_anew == cycle
    assert json.loads(text_of_cycle(cycle, registry))["rotation"]["id"] == "tavli"


def test_the_order_of_a_known_rotation_may_be_another_round() -> None:
    assert not faults(text_of(replace(KNOWN.rotation("tavli"), start_index=1)))


# -- variants ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("names", [{"id": "tavli"}, {"id": "mine", "aliases": ("Tavli",)}])
def test_a_variant_may_not_be_called_like_a_rotation(names: Mapping[str, Any]) -> None:
    variant = replace(KNOWN.variant("western"), **{"aliases": (), "bundles": {}, **names})
    with pytest.raises(
        PluginError, match="tavli: expected a name that the rotation tavli does not"
    ):
        KNOWN.using(Plugin("mine")).add(variant)


def test_house_rules_may_not_either(tmp_path: Path) -> None:
    with pytest.raises(
        SpecError, match="id tavli: expected an id that the rotation tavli does not"
    ):
        KNOWN.rules(Spec.of({**HOUSE, "id": "tavli"}))
    (tmp_path / "tavli.toml").write_text('parent = "tavla"\nbear_off = "exact"\n')
    [*_, broken] = with_folder(KNOWN, tmp_path).plugins
    assert broken.state is PluginState.BROKEN
    assert "id tavli: expected an id that the rotation tavli does not use" in broken.fault


def test_what_was_kept_before_there_was_the_rotation_may_stay() -> None:
    kept = Spec.of({**HOUSE, "id": "tavli"}, new=False)
    assert KNOWN.rules(kept).variant.id == "tavli"


def test_a_variant_and_a_rotation_of_two_plugins_do_not_share_an_id() -> None:
    ann, bea = (KNOWN.using(Plugin(name)) for name in ("ann", "bea"))
    ann.add(replace(KNOWN.variant("western"), id="shared", aliases=()))
    bea.add_rotation(replace(OTHER, id="shared"))
    found = conflicting(KNOWN, (ann, bea))
    assert set(found) == {ann, bea}
    assert "shared: bea of no distribution brings it, too" in found[ann]


# -- all that is wrong -------------------------------------------------------------------------------


def wrong(*games: Choice) -> BgcoreError:
    with pytest.raises(BgcoreError) as found:
        KNOWN.cycle(Rotation(games))
    return found.value


def test_every_game_that_is_not_there_is_told_at_once() -> None:
    error = wrong(Choice("my-house"), Choice("tavla"), Choice("their-house"))
    assert isinstance(error, NotRegistered)
    assert [fault.field for fault in error.faults] == ["game 1 variant", "game 3 variant"]
    error = wrong(
        Choice(Spec.of({"parent": "chess"})), Choice("go"), Choice(Spec.of({"bear_off": "x"}))
    )
    assert isinstance(error, SpecError)
    assert [fault.field for fault in error.faults] == [
        *("game 1 spec parent", "game 2 variant"),
        *("game 3 spec bear_off", "game 3 spec parent"),
    ]


def test_every_option_and_preset_of_every_game_too() -> None:
    error = wrong(
        *(Choice("tavla", options={"bear_off": "never"}), Choice("plakoto", "chess")),
        Choice("plakoto", options={"mother_points": 99}),
    )
    assert isinstance(error, OptionError)
    assert [fault.field for fault in error.faults] == [
        *("game 1 option", "game 2 preset", "game 3 option mother_points")
    ]


def test_a_record_whose_house_rules_are_missing_names_all_of_them() -> None:
    games = [{"variant": name, "rules_version": "1"} for name in ("my-house", "tavla", "theirs")]
    text = text_of(OTHER, games=games).replace('"bgcore": 2', '"bgcore": 4')
    [(reason, message)] = faults(text)
    assert reason == "UNKNOWN_VARIANT"
    assert "game 1: variant my-house: expected" in message
    assert "game 3: variant theirs: expected" in message
