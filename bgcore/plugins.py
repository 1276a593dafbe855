"""The door: loading plugins, one by one, so that a broken one hurts nobody else."""

from __future__ import annotations

import contextlib
import importlib.metadata
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from importlib.metadata import EntryPoint, entry_points

import pluggy

from bgcore.errors import BgcoreError, Fault, PluginError, readable, said, shown
from bgcore.plugin import Plugin, PluginState
from bgcore.plugin_choice import ALL, Choice
from bgcore.plugin_probe import PROBING, Verdict, probe, tell
from bgcore.registering import BUILT_IN, OTHER_LEVEL, UNUSABLE
from bgcore.registry import Registry

GROUP = "bgcore"
API_LEVEL = 1
"""What a plugin may ask for in its `bgcore_api_level`; without one it is taken to be 1."""

LEVEL = "bgcore_api_level"
HIGHEST_LEVEL = (1 << 32) - 1
"""The highest that can be told."""

OWN_DISTRIBUTION = "bgcore"

STRICT = "BGCORE_STRICT_PLUGINS"
PLUGINS = "BGCORE_PLUGINS"

REFUSED = frozenset({BUILT_IN, OTHER_LEVEL})
"""Reasons for which a plugin is refused, though nothing in it is broken."""

hookspec = pluggy.HookspecMarker(GROUP)
hookimpl = pluggy.HookimplMarker(GROUP)

_loaded: dict[object, Registry] = {}
_lock = threading.RLock()
_built_ins: list[Registry] = []  # what there is while plugins are being imported


class Hooks:
    """What a plugin may implement."""

    @hookspec
    def bgcore_register(self, registry: Registry) -> None:
        """Called once, at load: adds variants, presets, bots and notations to the registry."""


def load(plugins: Sequence[str] | None = None) -> Registry:
    """The registry of everything installed. Built-in plugins come first, so nobody shadows them.

    `plugins` names those that are wanted, as `BGCORE_PLUGINS` does (`bgcore.plugin_choice`); all of them,
    if neither says anything. With `BGCORE_STRICT_PLUGINS=1` one that cannot be used raises its
    `PluginError`. Called by a plugin that is being imported, it has the built-in variants.
    """
    choice = Choice.read(os.environ.get(PLUGINS) or ALL if plugins is None else plugins)
    strict = os.environ.get(STRICT) == "1"
    with _lock:
        if _built_ins:
            return _built_ins[-1]
        key = (choice, strict)
        if key not in _loaded:
            found = sorted(entry_points(group=GROUP), key=lambda point: point.name)
            if PROBING in os.environ:
                found = [point for point in found if _own(point)]
            _loaded[key] = load_from(found, strict=strict, choice=choice)
        return _loaded[key]


def load_from(
    points: Sequence[EntryPoint], *, strict: bool = False, choice: Choice | None = None
) -> Registry:
    """The registry of these entry points; one that fails is listed with its fault and left out."""
    choice = choice or Choice()
    registry = Registry()
    for point in filter(_own, points):
        registry = register(registry, plugin_of(point), point)
    guests = [point for point in points if not _own(point)]
    brought = admitted(registry, guests, choice)
    conflicts = conflicting(registry, brought)
    for guest in brought:
        if guest.plugins[-1].usable and guest not in conflicts:
            registry.take(guest)
        plugin = guest.plugins[-1]
        if guest in conflicts:
            plugin = plugin.failed(PluginState.CONFLICTING, conflicts[guest])
        registry.plugins.append(plugin)
    registry.plugins += choice.missing([plugin_of(point) for point in guests])
    if strict:
        check(registry.plugins)
    return registry


def admitted(base: Registry, points: Sequence[EntryPoint], choice: Choice) -> list[Registry]:
    """For each plugin a copy of `base` with what it brings; the last plugin of it is this one."""
    wanted = [point for point in points if choice.names(plugin_of(point))]
    verdicts = probe(wanted)
    return [_admit(base, point, verdicts.get(point)) for point in points]


def _admit(base: Registry, point: EntryPoint, verdict: Verdict | None) -> Registry:
    plugin = plugin_of(point)
    if verdict is None:
        why = "the list of plugins does not name it"
        return base.using(plugin.failed(PluginState.DISABLED, why))
    if verdict.fault:
        state = PluginState(verdict.state)
        read = replace(plugin, api_level=verdict.api_level)
        return base.using(read.failed(state, verdict.fault))
    _built_ins.append(base)
    try:
        with contextlib.redirect_stdout(sys.stderr):  # where results go, nobody else may write
            return register(base, plugin, point)
    except (Exception, SystemExit) as problem:  # what a plugin does must not hurt the others
        read = replace(plugin, api_level=level_of(point))
        return base.using(read.failed(state_of(problem), told(problem)))
    finally:
        _built_ins.pop()


def conflicting(base: Registry, guests: Iterable[Registry]) -> dict[Registry, str]:
    """The plugins that claim what another one claims, too, with what that is."""
    brought = {guest: frozenset(map(claim, guest.brought(base))) for guest in guests}
    claims = Counter(one for claimed in brought.values() for one in claimed)
    twice = {one for one, times in claims.items() if times > 1}
    found = {}
    for guest, claimed in brought.items():
        if both := claimed & twice:
            names = ", ".join(sorted({name for _, name in both}))
            others = [o.plugins[-1].whose for o, theirs in brought.items() if theirs & both]
            others.remove(guest.plugins[-1].whose)
            how = f"name one of them in {PLUGINS}, or in the server's setting plugins"
            found[guest] = f"{names}: {', '.join(others)} brings it, too; {how}"
    return found


def claim(brought: tuple[str, str]) -> tuple[str, str]:
    """What a thing on a shelf claims: variants and rotations have their ids in common."""
    shelf, name = brought
    return ("_names" if shelf == "rotations" else shelf), name


def register(registry: Registry, plugin: Plugin, point: EntryPoint) -> Registry:
    """A registry with one more plugin; the given one is not touched. Raises what is wrong with it."""
    module = point.load()
    level = getattr(module, LEVEL, API_LEVEL)
    if type(level) is not int or level != API_LEVEL:
        field = f"{plugin.name} {LEVEL}"
        raise PluginError(Fault(OTHER_LEVEL, field, shown(level), str(API_LEVEL)))
    manager = pluggy.PluginManager(GROUP)
    manager.add_hookspecs(Hooks)
    manager.register(module, plugin.name)
    if not manager.hook.bgcore_register.get_hookimpls():
        expected = "a bgcore_register hook, marked with bgcore.hookimpl"
        raise PluginError(Fault(UNUSABLE, plugin.name, "without a hook", expected))
    trial = registry.trial(plugin_of(point, level))
    problem: Exception | None = None
    try:
        manager.hook.bgcore_register(registry=trial)
    except Exception as raised:
        problem = raised
    trial.settle(problem)
    return trial


def level_of(point: EntryPoint) -> int:
    """The API level that a plugin's code is for, as far as it was read; 0 where nobody knows."""
    found: object = sys.modules.get(point.module)
    if found is None:
        return 0
    for name in point.attr.split(".") if point.attr else ():
        found = getattr(found, name, None)
    level = getattr(found, LEVEL, API_LEVEL)
    return level if type(level) is int and 0 <= level <= HIGHEST_LEVEL else 0


def state_of(problem: BaseException) -> PluginState:
    """What a plugin is that raised this."""
    if isinstance(problem, BgcoreError) and {fault.reason for fault in problem.faults} <= REFUSED:
        return PluginState.REFUSED
    return PluginState.BROKEN


def told(problem: BaseException) -> str:
    """What was raised, in a line."""
    return readable(str(problem)) if isinstance(problem, PluginError) else said(problem)


def check(plugins: Iterable[Plugin]) -> None:
    """`PluginError` for the first plugin that cannot be used, though it should be."""
    for plugin in plugins:
        if not plugin.usable and plugin.state is not PluginState.DISABLED:
            what = f"plugin {plugin.whose}: {plugin.fault}"
            raise PluginError(Fault(UNUSABLE, "plugin", plugin.whose, "one that loads", what))


def plugin_of(point: EntryPoint, level: int = 0) -> Plugin:
    """What is known of a plugin before it is imported."""
    dist = point.dist
    name, version = (dist.name, dist.version) if dist else ("", "")
    return Plugin(point.name, name, version, api_level=level, value=point.value)


def version_of(distribution: str) -> str:
    """The version of what is installed; empty where it is not."""
    try:
        return importlib.metadata.version(distribution)
    except importlib.metadata.PackageNotFoundError:
        return ""


def tried(name: str, value: str, file: str) -> None:
    """In a process of its own: import a plugin, let it register, and tell in a file what came of it."""
    base = load()
    point = EntryPoint(name, value, GROUP)
    try:
        made = register(base, plugin_of(point), point)
        verdict = Verdict(api_level=made.plugins[-1].api_level)
    except (Exception, SystemExit) as problem:
        state, level = state_of(problem).value, level_of(point)
        verdict = Verdict(told(problem), state, level, time.time())
    tell(verdict, file)


def _own(point: EntryPoint) -> bool:
    return point.dist is not None and point.dist.name == OWN_DISTRIBUTION
