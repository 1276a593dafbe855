"""Installed plugins that cannot be used, each in its own way, hurt nobody; which are used can be chosen."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

import pytest

from bgcore import PluginError, Registry, load
from bgcore.plugin import PluginState
from bgcore.plugin_choice import Choice
from bgcore.plugin_probe import Verdict, remember, remembered
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
        'checkers "many": expected a whole number',
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
    assert "not installed: expected house-games, most likely" in missing.fault


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


PACKAGE = """
import stamped.rules
from stamped_beside import BRINGS
from bgcore import hookimpl

@hookimpl
def bgcore_register(registry):
    assert stamped.rules.SOUND and BRINGS
    raise LookupError("so")
"""


def package(site: Path) -> EntryPoint:
    """A distribution of a package, a module beside it and data, as it is installed."""
    install(site, "stamped", "")
    (site / "stamped.py").unlink()
    (site / "stamped").mkdir()
    files = {
        "stamped/__init__.py": PACKAGE,
        "stamped/rules.py": "SOUND = True",
        "stamped/data.json": "{}",
        "stamped_beside.py": "BRINGS = 1",
    }
    for name, text in files.items():
        (site / name).write_text(text)
    record = "".join(f"{name},,\n" for name in files)
    (site / "stamped-1.0.dist-info" / "RECORD").write_text(record)
    [point] = [one for one in entry_points(group="bgcore") if one.name == "stamped"]
    return point


@pytest.mark.parametrize(
    "changed", ["stamped/__init__.py", "stamped/rules.py", "stamped/data.json", "stamped_beside.py"]
)
def test_a_change_of_any_file_of_its_distribution_has_a_plugin_tried_anew(
    site: Path, changed: str
) -> None:
    point = package(site)
    assert remembered(point) is None
    remember(point, Verdict("so", "broken", 1, time.time()))
    known = remembered(point)
    assert known is not None
    assert known.fault == "so"
    (site / changed).write_text("# changed\n")
    assert remembered(point) is None


def test_so_has_one_of_a_package_that_is_worked_on(site: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    hidden, code = project / ".venv" / "lib.py", project / "src" / "beside.py"
    for file in (hidden, code):
        file.parent.mkdir(parents=True)
        file.write_text("x = 1")
    install(site, "worked-on", good("worked-on"))
    told = {"url": project.as_uri(), "dir_info": {"editable": True}}
    (site / "worked_on-1.0.dist-info" / "direct_url.json").write_text(json.dumps(told))
    [point] = [one for one in entry_points(group="bgcore") if one.name == "worked-on"]
    remember(point, Verdict(api_level=1))
    hidden.write_text("x = 22")
    assert remembered(point) == Verdict(api_level=1)
    code.write_text("x = 22")
    assert remembered(point) is None


def test_what_came_of_one_with_too_many_files_is_not_remembered(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bgcore.plugin_probe.MOST_FILES", 3)
    point = package(site)
    remember(point, Verdict("so", "broken", 1, time.time()))
    assert remembered(point) is None


@pytest.mark.parametrize(
    "told", ["nonsense", "[]", '{"dir_info": 3}', '{"dir_info": {"editable": 1}}']
)
def test_nonsense_where_it_was_installed_from_hurts_nobody(site: Path, told: str) -> None:
    install(site, "works", good("worked"))
    (site / "works-1.0.dist-info" / "direct_url.json").write_text(told)
    assert plugins(loaded())["works"].usable


LEVELS = {
    "for-level-99": 99,
    "claims-western": 1,
    "raises-in-hook": 1,
    "nonsense": 1,
    "no-hook": 1,
    "raises-at-import": 0,  # nobody knows what it would have said
    "leaves": 0,
}


def test_the_api_level_of_one_that_is_not_used_is_told_where_it_is_known(site: Path) -> None:
    for name in LEVELS:
        install(site, name, BROKEN[name])
    for _ in range(2):  # the second time from what is remembered
        found = plugins(loaded())
        assert {name: found[name].api_level for name in LEVELS} == LEVELS


@pytest.mark.parametrize("level", ["True", "1.0", "'1'", "-1", "2**40", "None"])
def test_a_level_that_is_none_is_refused_and_not_told(site: Path, level: str) -> None:
    install(site, "odd", f"bgcore_api_level = {level}\n")
    found = plugins(loaded())["odd"]
    assert found.state is PluginState.REFUSED
    assert "bgcore_api_level" in found.fault
    assert "expected 1" in found.fault
    assert found.api_level == 0
