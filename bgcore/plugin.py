"""What is installed through the door, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum


class PluginState(StrEnum):
    """What became of a plugin.

    Broken: its code raises, hangs, ends the process, or registers what does not hold together.
    Refused: it is for another API level, or claims what is built in. Disabled: the list of plugins does
    not name it. Conflicting: another plugin claims the same id; the list decides which of them is meant.
    """

    LOADED = "loaded"
    BROKEN = "broken"
    REFUSED = "refused"
    DISABLED = "disabled"
    CONFLICTING = "conflicting"


@dataclass(frozen=True, slots=True)
class Plugin:
    """Where something came from, and whether it could be used (`fault` says why not)."""

    name: str
    distribution: str = ""
    version: str = ""
    fault: str = ""
    state: PluginState = PluginState.LOADED
    api_level: int = 0  # 0: not known, as its code was never read
    value: str = ""  # of its entry point: a module, and perhaps an object in it
    faults: tuple[str, ...] = ()  # each by itself, where there are several

    @property
    def usable(self) -> bool:
        """Whether it was loaded."""
        return self.state is PluginState.LOADED

    @property
    def whose(self) -> str:
        """Its name and its distribution, for people."""
        return f"{self.name} of {self.distribution or 'no distribution'}"

    @property
    def package(self) -> str:
        """The top package of its code; empty where nobody knows."""
        return self.value.partition(":")[0].partition(".")[0]

    @property
    def stem(self) -> str:
        """Its name without folder and ending, where it is a file."""
        return self.name.rpartition("/")[2].removesuffix(".toml")

    def failed(self, state: PluginState, fault: str, faults: tuple[str, ...] = ()) -> Plugin:
        """The same, and why it is not used."""
        return replace(self, state=state, fault=fault, faults=faults)
