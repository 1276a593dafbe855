"""Plugins are loaded one by one, and a broken one hurts nobody else."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from bgcore import NotRegistered, PluginError, Preset, Registry, Variant, hookimpl, load
from bgcore.plugins import load_from

[BUILT_IN] = (one for one in entry_points(group="bgcore") if one.value == "bgcore_variants")


@pytest.fixture
def plugin() -> Iterator[ModuleType]:
    module = ModuleType("a_plugin_of_the_tests")
    sys.modules[module.__name__] = module
    yield module
    del sys.modules[module.__name__]


def loaded(module: ModuleType, *, strict: bool = False) -> Registry:
    point = EntryPoint("guest", module.__name__, "bgcore")
    return load_from([BUILT_IN, point], strict=strict)


def registering(module: ModuleType, variant: Variant) -> ModuleType:
    @hookimpl
    def bgcore_register(registry: Registry) -> None:
        registry.add(variant)

    module.bgcore_register = bgcore_register  # type: ignore[attr-defined]  # what a module defines
    return module


NACK = replace(
    load().variant("western"), id="nack", aliases=(), start={24: 2, 23: 2, 13: 4, 8: 3, 6: 4}
)


def test_a_guest_variant_comes_through_the_same_door(plugin: ModuleType) -> None:
    registry = loaded(registering(plugin, NACK))
    assert registry.rules("nack").start.mover[23] == 2
    assert registry.entry("nack").plugin.name == "guest"
    assert [known.usable for known in registry.plugins] == [True, True]


@pytest.mark.parametrize(
    "broken",
    [
        replace(NACK, id="western"),
        replace(NACK, id="Nack Gammon"),
        replace(NACK, aliases=("tavla",)),
        replace(NACK, start={24: 16}),
        replace(NACK, start={27: 15}),
        replace(NACK, options=("no_such_option",)),
        replace(NACK, head_limit=0),
        replace(NACK, summary=5),  # type: ignore[arg-type]  # what is wrong with it
        replace(NACK, bundles={"odd": {"no_such_option": 1}}),
    ],
)
def test_a_broken_variant_is_reported_and_the_others_stay(
    plugin: ModuleType, broken: Variant
) -> None:
    registry = loaded(registering(plugin, broken))
    assert [known.usable for known in registry.plugins] == [True, False]
    assert registry.plugins[1].fault
    assert registry.rules("western").start == load().rules("western").start
    assert len(list(registry)) == len(list(load()))


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        (
            "layout",
            "wrong",
            'guest layout "wrong": expected one of Layout.CONTRARY, Layout.PARALLEL, Layout.SAME',
        ),
        ("bear_off", "exact", 'guest bear_off "exact": expected BearOff.EXACT'),
        ("checkers", "fifteen", 'guest checkers "fifteen": expected a whole number'),
        ("checkers", None, "guest checkers None: expected"),
        ("bear_off_while_pinned", 99, "guest bear_off_while_pinned 99: expected true or false"),
        ("id", 99, "guest id 99: expected a text"),
        ("aliases", 99, "guest aliases 99: expected a tuple"),
        ("options", ("bogus",), 'guest options "bogus": expected one of opening_roll'),
        ("options", ("doubls",), 'guest options "doubls": expected doubles, most likely'),
        ("bundles", 3, "guest bundles 3: expected a mapping"),
    ],
)
def test_a_wrong_value_of_a_field_is_refused_by_the_name_of_the_field(
    plugin: ModuleType, field: str, value: object, says: str
) -> None:
    changes: dict[str, Any] = {field: value}
    registry = loaded(registering(plugin, replace(NACK, **changes)))
    assert says in registry.plugins[1].fault


def test_who_looks_for_a_variant_of_a_broken_plugin_hears_why(plugin: ModuleType) -> None:
    registry = loaded(registering(plugin, replace(NACK, start={24: 16})))
    with pytest.raises(
        NotRegistered, match="cannot be used: guest: guest start 16 checkers: expected at most 15"
    ):
        registry.variant("nack")


def test_a_plugin_that_raises_half_way_leaves_nothing_behind(plugin: ModuleType) -> None:
    @hookimpl
    def bgcore_register(registry: Registry) -> None:
        registry.add(NACK)
        raise RuntimeError("half way")

    plugin.bgcore_register = bgcore_register  # type: ignore[attr-defined]  # what a module defines
    registry = loaded(plugin)
    assert "RuntimeError: half way" in registry.plugins[1].fault
    assert "nack" not in {entry.variant.id for entry in registry}


def test_a_preset_that_raises_is_refused_and_the_others_stay(plugin: ModuleType) -> None:
    @hookimpl
    def bgcore_register(registry: Registry) -> None:
        registry.add_preset(Preset("boom", "raises", lambda variant: {"cube": 1 // 0 > 0}))

    plugin.bgcore_register = bgcore_register  # type: ignore[attr-defined]  # what a module defines
    registry = loaded(plugin)
    assert "ZeroDivisionError" in registry.plugins[1].fault
    assert registry.rules("western", "tournament")


def test_a_preset_of_options_that_do_not_exist_is_refused(plugin: ModuleType) -> None:
    @hookimpl
    def bgcore_register(registry: Registry) -> None:
        registry.add_preset(Preset("odd", "unknown option", lambda variant: {"wings": 2}))

    plugin.bgcore_register = bgcore_register  # type: ignore[attr-defined]  # what a module defines
    assert "option wings" in loaded(plugin).plugins[1].fault


def test_a_preset_is_left_out_for_a_later_variant_that_it_cannot_serve() -> None:
    registry = load_from([BUILT_IN])
    registry.add_preset(
        Preset("old", "known ones", lambda variant: {"western": {}, "tavla": {}}.get(variant.id))
    )
    registry.add_preset(
        Preset("fussy", "raises later", lambda variant: {"nack": {"wings": 1}}.get(variant.id))
    )
    registry.add(NACK)
    assert "fussy" not in registry.presets_of(registry.variant("nack"))
    assert "old" in registry.presets_of(registry.variant("western"))


def test_a_plugin_that_exits_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a_plugin_that_exits.py").write_text("raise SystemExit(3)")
    monkeypatch.syspath_prepend(tmp_path)
    point = EntryPoint("exits", "a_plugin_that_exits", "bgcore")
    assert "SystemExit: 3" in load_from([BUILT_IN, point]).plugins[1].fault
    with pytest.raises(PluginError, match="exits of no distribution: SystemExit: 3"):
        load_from([BUILT_IN, point], strict=True)


def test_another_api_level_is_refused(plugin: ModuleType) -> None:
    registering(plugin, NACK).bgcore_api_level = 99  # type: ignore[attr-defined]  # what a module defines
    assert "bgcore_api_level 99: expected 1" in loaded(plugin).plugins[1].fault


def test_a_module_without_the_hook_or_without_existing_is_reported(plugin: ModuleType) -> None:
    assert "expected a bgcore_register hook" in loaded(plugin).plugins[1].fault
    gone = load_from([BUILT_IN, EntryPoint("gone", "no_such_module_of_anyone", "bgcore")])
    assert "ModuleNotFoundError" in gone.plugins[1].fault


def test_strict_plugins_raise(plugin: ModuleType) -> None:
    with pytest.raises(PluginError, match="guest id western"):
        loaded(registering(plugin, replace(NACK, id="western")), strict=True)
