"""Installed plugins that cannot be used, each in its own way, hurt nobody; which are used can be chosen."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import pytest

from bgcore import PluginError, Registry, load
from bgcore.plugin import PluginState
from bgcore.plugin_choice import Choice
from bgcore.plugins import load_from
from bgcore.registry import Plugin
from tests.packages import BROKEN, STATES, good, install

BUILT_IN = {entry.variant.id for entry in load(["none"])}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of installed packages; what is imported from it is forgotten afterwards."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(folder)
    monkeypatch.setenv("BGCORE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("BGCORE_PROBE_SECONDS", "60")
    before = set(sys.modules)
    yield folder
    for name in set(sys.modules) - before:
        del sys.modules[name]


def loaded(choice: str = "*", *, strict: bool = False) -> Registry:
    points: list[EntryPoint] = sorted(entry_points(group="bgcore"), key=lambda point: point.name)
    return load_from(points, strict=strict, choice=Choice.read(choice))


def plugins(registry: Registry) -> dict[str, Plugin]:
    return {plugin.name: plugin for plugin in registry.plugins}


def test_each_plugin_is_told_apart_and_the_others_are_loaded(
    site: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name, code in BROKEN.items():
        if name != "never-returns":
            install(site, name, code)
    install(site, "works", good("worked"), "2.5")
    registry = loaded()
    found = plugins(registry)
    for name, (state, says) in STATES.items():
        if name == "never-returns":
            continue
        assert found[name].state == state, found[name]
        assert says in found[name].fault
        assert (found[name].distribution, found[name].value) == (name, name.replace("-", "_"))
    assert found["works"] == Plugin(
        "works", "works", "2.5", state=PluginState.LOADED, api_level=1, value="works"
    )
    assert registry.entry("worked").plugin == found["works"]
    assert registry.rules("western").variant.title == "Backgammon"
    assert {entry.variant.id for entry in registry} == BUILT_IN | {"worked"}
    assert capfd.readouterr().out == ""


def test_a_plugin_whose_import_never_returns_is_given_up(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BGCORE_PROBE_SECONDS", "1.5")
    install(site, "never-returns", BROKEN["never-returns"])
    registry = loaded()
    assert plugins(registry)["never-returns"].fault == "still not imported after 1.5 seconds"
    assert registry.rules("western")


def test_every_fault_of_nonsense_is_told(site: Path) -> None:
    install(site, "nonsense", BROKEN["nonsense"])
    told = plugins(loaded())["nonsense"].fault
    for fault in (
        "variant str: expected a bgcore.Variant",
        "id One Two: expected lower case letters",
        "aliases x: expected each name once",
        "start 3: expected a mapping",
        "checkers many: expected a whole number",
        "expected a class derived from bgcore.Rules",
        "bundle b option wings",
        "bot id None: expected lower case",
        "bot act None: expected a function",
        "preset id None",
        "notation str: expected a MatchFormat or PositionFormat",
    ):
        assert fault in told


def test_what_came_of_a_plugin_is_remembered_until_it_changes(site: Path) -> None:
    tries = site.parent / "tries"
    install(site, "raises", f"open({str(tries)!r}, 'a').write('once ')\nraise ValueError('so')")
    for _ in range(3):
        assert "ValueError: so" in plugins(loaded())["raises"].fault
    assert tries.read_text() == "once "
    assert len(list((site.parent / "cache").iterdir())) == 1
    (site / "raises.py").write_text(good("mended"))
    assert plugins(loaded())["raises"].usable
    assert loaded().entry("mended").plugin.name == "raises"


def test_two_claims_on_one_id_disable_both_until_one_is_chosen(site: Path) -> None:
    install(site, "ann", good("shared-id"))
    install(site, "bea", good("shared-id"))
    both = loaded()
    for name, other in (("ann", "bea"), ("bea", "ann")):
        plugin = plugins(both)[name]
        assert plugin.state is PluginState.CONFLICTING
        assert f"shared-id: {other} of {other} brings it, too" in plugin.fault
    assert "shared-id" not in {entry.variant.id for entry in both}
    chosen = loaded("bea")
    assert chosen.entry("shared-id").plugin.name == "bea"
    assert plugins(chosen)["ann"].state is PluginState.DISABLED


def test_a_plugin_that_is_not_chosen_is_not_even_imported(site: Path) -> None:
    install(site, "writes", f"open({str(site / 'imported')!r}, 'w')")
    registry = loaded("none")
    assert plugins(registry)["writes"].state is PluginState.DISABLED
    assert not (site / "imported").exists()
    assert {entry.variant.id for entry in registry} == BUILT_IN


def test_a_plugin_is_chosen_by_its_name_its_distribution_or_both(site: Path) -> None:
    install(site, "house-games", good("house"), "1", "house-entry")
    for name in ("house-entry", "house-games", "house-games:house-entry"):
        assert plugins(loaded(name))["house-entry"].usable
    missing = plugins(loaded("hose-games"))["hose-games"]
    assert missing.state is PluginState.BROKEN
    assert "not installed: expected one of" in missing.fault


def test_strict_raises_for_what_is_broken_and_not_for_what_is_disabled(site: Path) -> None:
    install(site, "raises-at-import", BROKEN["raises-at-import"])
    with pytest.raises(PluginError, match=r"raises-at-import.*ValueError: at import"):
        loaded(strict=True)
    assert loaded("none", strict=True)


def test_a_plugin_may_bring_bots_presets_and_notations(site: Path) -> None:
    install(
        site,
        "brings",
        """
        from bgcore import Preset, hookimpl
        from bgcore.bot import RandomBot
        from bgcore.notation.formats import PositionFormat
        from bgcore.notation.board_text import write_board

        @hookimpl
        def bgcore_register(registry):
            registry.add_bot(RandomBot("coin", "tosses a coin"))
            registry.add_preset(Preset("long", "to 25", lambda variant: {"match_length": 25}))
            registry.add_notation(PositionFormat("plain", "plain text", (".txt",), lambda text: False, None,
                                                 lambda here, rules: write_board(here.setup)))
        """,
    )
    registry = loaded()
    assert registry.bot("coin").title == "tosses a coin"
    assert registry.rules("western", "long").options["match_length"] == 25
    assert registry.notations["plain"].title == "plain text"
