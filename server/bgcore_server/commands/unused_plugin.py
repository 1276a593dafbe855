"""What people are told of a plugin that is not used."""

from __future__ import annotations

from bgcore.plugin import Plugin


def not_used(plugin: Plugin) -> str:
    """Why a plugin is not used, for people: one fault a line."""
    whose = f" of {plugin.distribution} {plugin.version}" if plugin.distribution else ""
    faults = plugin.faults or (plugin.fault,)
    told = f" {faults[0]}" if len(faults) == 1 else "".join(f"\n  {fault}" for fault in faults)
    return f"plugin {plugin.name}{whose} is {plugin.state}:{told}"
