"""A match as it can be replayed: what every notation for matches is read into and written from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from bgcore.action import Action
from bgcore.cycle import Cycle
from bgcore.dice_proof import DiceProof
from bgcore.match import NEW, Match, Start
from bgcore.option import Value
from bgcore.registry import Registry
from bgcore.rotation import Rotation, rotation_of
from bgcore.rules import Rules
from bgcore.spec import Spec

NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Record:
    """The rules of a match, where it began, every action, and who played; it proves nothing by itself.

    `match(registry)` plays it again. `options` are those that were chosen, or all of them; the rest are
    the variant's defaults under `rules_version`. `headers` are what else is told of it, such as `event`
    or `date`, keys in lower case; `dice` is what the table told of its dice, if it told anything. Where the
    games changed, `rotation` has them with their options, `variant` is empty, and `options` are the match's.
    `spec` is what the variant is made of, if it is house rules.

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
    rotation: Rotation | None = None
    spec: Spec | None = None

    @classmethod
    def of(
        cls,
        match: Match,
        names: tuple[str, str] = ("", ""),
        headers: Mapping[str, str] = NOTHING,
        dice: DiceProof | None = None,
    ) -> Record:
        """The record of a match so far, with every option's value."""
        cycle = match.cycle
        return cls(
            "" if cycle.changes else cycle.variant.id,
            dict(cycle.options),
            match.start,
            match.actions,
            names,
            cycle.rules_version,
            headers,
            dice,
            rotation_of(cycle) if cycle.changes else None,
            None if cycle.changes else cycle.first.spec,
        )

    def rules(self, registry: Registry) -> Rules:
        """The rules of its first game; `NotRegistered` or `OptionError` where there are none such."""
        return self.cycle(registry).first

    def cycle(self, registry: Registry) -> Cycle:
        """The games by whose rules it was played; raises what `rules` raises."""
        if self.rotation is not None:
            return registry.cycle(self.rotation, self.options)
        return Cycle.of(registry.rules(self.spec or self.variant, options=self.options))

    def match(self, registry: Registry) -> Match:
        """The match that it leads to; `IllegalAction` at the first action that is not legal."""
        return Match.replay(self.cycle(registry), self.actions, self.start)
