"""Which of the installed plugins are wanted.

A list of names, separated by commas where it is a text: of an entry point, of a distribution, or both as
`distribution:entry-point`. `*` is every plugin, `none` no plugin but what is built in.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bgcore.nearest import one_of
from bgcore.plugin import Plugin, PluginState

ALL, NONE = "*", "none"


@dataclass(frozen=True, slots=True)
class Choice:
    """The plugins that are wanted; `None`: all.

    >>> Choice.read("house-games, other:tapa").names(Plugin("tapa", "other"))
    True
    >>> Choice.read("none").names(Plugin("tapa", "other"))
    False
    """

    wanted: tuple[str, ...] | None = None

    @classmethod
    def read(cls, given: str | Sequence[str]) -> Choice:
        """The choice that a text, or a list of names, means."""
        names = given.split(",") if isinstance(given, str) else given
        wanted = tuple(dict.fromkeys(name.strip() for name in names if name.strip()))
        if ALL in wanted:
            return cls()
        return cls(() if wanted == (NONE,) else wanted)

    def names(self, plugin: Plugin) -> bool:
        """Whether a plugin is wanted."""
        return self.wanted is None or bool(names_of(plugin).intersection(self.wanted))

    def missing(self, installed: Iterable[Plugin]) -> list[Plugin]:
        """Plugins that are wanted and not there, so that a slip of the pen is seen."""
        known = {name for plugin in installed for name in names_of(plugin)}
        none = "none: no plugin is installed"
        return [
            Plugin(
                name,
                fault=f"not installed: expected {one_of(name, sorted(known), none)}",
                state=PluginState.BROKEN,
            )
            for name in self.wanted or ()
            if name not in known
        ]


def names_of(plugin: Plugin) -> frozenset[str]:
    """The names by which a plugin may be wanted."""
    both = f"{plugin.distribution}:{plugin.name}"
    return frozenset((plugin.name, plugin.distribution, both)) - {""}
