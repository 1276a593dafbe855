"""Loading plugins, one by one, so that a broken one hurts nobody else."""

from __future__ import annotations

import os
from functools import cache
from importlib.metadata import EntryPoint, entry_points

import pluggy

from bgcore.errors import Fault, PluginError
from bgcore.registry import Plugin, Registry

GROUP = "bgcore"
API_LEVEL = 1
"""What a plugin may ask for in its `bgcore_api_level`; without one it is taken to be 1."""

OWN_DISTRIBUTION = "bgcore"

STRICT = "BGCORE_STRICT_PLUGINS"

hookspec = pluggy.HookspecMarker(GROUP)
hookimpl = pluggy.HookimplMarker(GROUP)


class Hooks:
    """What a plugin may implement."""

    @hookspec
    def bgcore_register(self, registry: Registry) -> None:
        """Called once, at load: adds variants, presets and bots to the registry."""


@cache
def load() -> Registry:
    """The registry of everything installed. Built-in plugins come first, so nobody shadows them.

    With `BGCORE_STRICT_PLUGINS=1` a plugin that cannot be used raises its `PluginError`.
    """
    found = sorted(entry_points(group=GROUP), key=lambda point: (not _own(point), point.name))
    return load_from(found, strict=os.environ.get(STRICT) == "1")


def load_from(points: list[EntryPoint], *, strict: bool = False) -> Registry:
    """The registry of these entry points; one that fails is listed with its fault and left out."""
    registry = Registry()
    for point in points:
        plugin = Plugin(
            point.name,
            point.dist.name if point.dist else "",
            point.dist.version if point.dist else "",
        )
        try:
            registry = register(registry, plugin, point)
        except (Exception, SystemExit) as problem:  # what a plugin does must not hurt the others
            fault = f"{type(problem).__name__}: {problem}"
            if strict:
                whose = f"{point.name} of {plugin.distribution or 'no distribution'}"
                what = f"plugin {whose}: {fault}"
                raise PluginError(
                    Fault("PLUGIN_UNUSABLE", "plugin", whose, "one that loads", what)
                ) from problem
            registry.plugins.append(Plugin(plugin.name, plugin.distribution, plugin.version, fault))
    return registry


def register(registry: Registry, plugin: Plugin, point: EntryPoint) -> Registry:
    """A registry with one more plugin; the given one is not touched."""
    module = point.load()
    level = getattr(module, "bgcore_api_level", API_LEVEL)
    if level != API_LEVEL:
        raise PluginError(
            Fault("PLUGIN_UNUSABLE", f"{plugin.name} bgcore_api_level", str(level), str(API_LEVEL))
        )
    manager = pluggy.PluginManager(GROUP)
    manager.add_hookspecs(Hooks)
    manager.register(module, plugin.name)
    if not manager.hook.bgcore_register.get_hookimpls():
        raise PluginError(
            Fault("PLUGIN_UNUSABLE", plugin.name, "without a hook", "a bgcore_register hook")
        )
    trial = registry.using(plugin)
    manager.hook.bgcore_register(registry=trial)
    return trial


def _own(point: EntryPoint) -> bool:
    return point.dist is not None and point.dist.name == OWN_DISTRIBUTION
