"""A match as it can be replayed: what every notation for matches is read into and written from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from bgcore.action import Action
from bgcore.dice_proof import DiceProof
from bgcore.match import NEW, Match, Start
from bgcore.option import Value
from bgcore.registry import Registry
from bgcore.rules import Rules

NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Record:
    """The rules of a match, where it began, every action, and who played; it proves nothing by itself.

    `match(registry)` plays it again. `options` are those that were chosen, or all of them; the rest are
    the variant's defaults under `rules_version`. `headers` are what else is told of it, such as `event`
    or `date`, keys in lower case; `dice` is what the table told of its dice, if it told anything.

    >>> from bgcore.plugins import load
    >>> rules = load().rules("western", options={"match_length": 3})
    >>> played = Match.new(rules).after(Action.throw(3, 1))
    >>> record = Record.of(played, names=("ann", "bob"))
    >>> record.match(load()).game.dice, record.options["match_length"]
    ((3, 1), 3)
    """

    variant: str
    options: Mapping[str, Value] = field(default_factory=dict)
    start: Start = NEW
    actions: tuple[Action, ...] = ()
    names: tuple[str, str] = ("", "")  # White's, then Black's
    rules_version: str = ""
    headers: Mapping[str, str] = field(default_factory=lambda: NOTHING)
    dice: DiceProof | None = None

    @classmethod
    def of(
        cls,
        match: Match,
        names: tuple[str, str] = ("", ""),
        headers: Mapping[str, str] = NOTHING,
        dice: DiceProof | None = None,
    ) -> Record:
        """The record of a match so far, with every option's value."""
        rules = match.rules
        return cls(
            rules.variant.id,
            dict(rules.options),
            match.start,
            match.actions,
            names,
            rules.variant.rules_version,
            headers,
            dice,
        )

    def rules(self, registry: Registry) -> Rules:
        """The rules it was played by; `NotRegistered` or `OptionError` where there are none such."""
        return registry.rules(self.variant, options=self.options)

    def match(self, registry: Registry) -> Match:
        """The match that it leads to; `IllegalAction` at the first action that is not legal."""
        return Match.replay(self.rules(registry), self.actions, self.start)
