"""Everything that plugins brought: variants, presets, rotations and bots, each with its origin."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from bgcore.bot import BOTS, Bot
from bgcore.cycle import Cycle
from bgcore.errors import BgcoreError, Fault, NotRegistered, OptionError, PluginError, shown
from bgcore.option import Values
from bgcore.preset import Preset
from bgcore.resolve import defaults_of, resolve
from bgcore.rotation import Rotation, cycle_of
from bgcore.rules import Rules
from bgcore.spec import Spec
from bgcore.spec_reader import read_spec
from bgcore.variant import Variant, wrong_fields

ID = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*\Z")
NO_OPTIONS: Mapping[str, object] = {}
CACHED_RULES = 1024
"""Rules kept for the next question; a client that tries endless options only makes room for others."""
CACHED_SPECS = 256
"""House rules kept so, apart from the others: who makes up endless ones takes nothing from the installed."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """Where something came from, and whether it could be used (`fault` says why not)."""

    name: str
    distribution: str = ""
    version: str = ""
    fault: str = ""

    @property
    def usable(self) -> bool:
        """Whether it was loaded."""
        return not self.fault


ENGINE = Plugin("engine", "bgcore")
HOUSE = Plugin("house rules")
"""Where variants come from that somebody made up in a request, or that a record holds."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A registered variant."""

    variant: Variant
    rules: type[Rules]
    plugin: Plugin
    spec: Spec | None = None  # of house rules


class Registry:
    """Finds variants, presets, rotations and bots by id, alias, or an id written with underscores.

    >>> from bgcore.plugins import load
    >>> load().rules("western", options={"match_length": 3}).options["match_length"]
    3
    """

    def __init__(self) -> None:
        self.plugins: list[Plugin] = []
        self.bots: dict[str, Bot] = {bot.id: bot for bot in BOTS}
        self.presets: dict[str, Preset] = {}
        self.rotations: dict[str, Rotation] = {}
        self._entries: dict[str, Entry] = {}
        self._names: dict[str, str] = {}
        self._rules: dict[object, Rules] = {}
        self._specs: dict[Spec, Entry] = {}
        self._spec_rules: dict[object, Rules] = {}
        self._plugin = ENGINE

    def __repr__(self) -> str:
        found = ((self._entries, "variant"), (self.presets, "preset"), (self.bots, "bot"))
        told = (f"{len(these)} {name}{'s' * (len(these) != 1)}" for these, name in found)
        return f"<Registry: {', '.join(told)}>"

    # -- what plugins call ---------------------------------------------------------------------------

    def add(self, variant: Variant, rules: type[Rules] = Rules) -> None:
        """Registers a variant, with its own rules class when it is more than data.

        `PluginError` when its id or an alias is taken or not lower case with hyphens, or when its own
        data does not hold together.
        """
        for name, value, expected in wrong_fields(variant):
            raise self._bad(name, shown(value), expected)
        names = (variant.id, *map(_plain, variant.aliases))
        for name in names:
            if not ID.match(name):
                raise self._bad(
                    "id", name, "lower case letters and digits, words joined by hyphens"
                )
            if name in self._names:
                raise self._bad("id", name, f"a name that {self._names[name]} does not use")
        rules(*resolve(variant, {}))  # raises where the start or the data makes no sense
        for bundle in variant.bundles.values():
            rules(*resolve(variant, bundle))
        self._entries[variant.id] = Entry(variant, rules, self._plugin)
        self._names.update(dict.fromkeys(names, variant.id))

    def add_preset(self, preset: Preset) -> None:
        """Registers a preset; `PluginError` when its id is taken.

        Raises whatever it raises, and `OptionError` for values that do not exist, for any variant that
        is registered already; with one that comes later it is left out where it does not work.
        """
        if not ID.match(preset.id) or preset.id in self.presets:
            raise self._bad("preset", preset.id, "a new id, lower case with hyphens")
        for entry in self:
            if values := preset.values(entry.variant):
                resolve(entry.variant, values)
        self.presets[preset.id] = preset

    def add_rotation(self, rotation: Rotation) -> None:
        """Registers a rotation; `PluginError` when its id is taken, by another or by a variant.

        Raises `NotRegistered` and `OptionError` where its games are not registered or do not go together.
        """
        taken = rotation.id in self.rotations or rotation.id in self._names
        if not ID.match(rotation.id) or taken:
            raise self._bad("rotation", rotation.id, "a new id, lower case with hyphens")
        cycle_of(self, rotation, NO_OPTIONS)
        self.rotations[rotation.id] = rotation

    def add_bot(self, bot: Bot) -> None:
        """Registers a bot; `PluginError` when its id is taken."""
        if not ID.match(bot.id) or bot.id in self.bots:
            raise self._bad("bot", bot.id, "a new id, lower case with hyphens")
        self.bots[bot.id] = bot

    def _bad(self, field: str, value: str, expected: str) -> PluginError:
        return PluginError(
            Fault("PLUGIN_UNUSABLE", f"{self._plugin.name} {field}", value, expected)
        )

    def using(self, plugin: Plugin) -> Registry:
        """A copy in which `plugin` may register; the original stays as it is if that fails."""
        copy = Registry()
        copy.plugins, copy.bots, copy.presets = (
            [*self.plugins, plugin],
            dict(self.bots),
            dict(self.presets),
        )
        copy.rotations = dict(self.rotations)
        copy._entries, copy._names = dict(self._entries), dict(self._names)
        copy._plugin = plugin
        return copy

    # -- what everybody else calls -------------------------------------------------------------------

    def __contains__(self, id: str) -> bool:
        """Whether there is a variant of this id or alias."""
        return _plain(id) in self._names

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries.values())

    def entry(self, id: str | Spec) -> Entry:
        """The entry of a variant by its id or an alias; `NotRegistered` lists the known ids.

        Of house rules by what they say; `SpecError` lists every fault.
        """
        if isinstance(id, Spec):
            return self._specs.get(id) or self._made_of(id)
        name = self._names.get(_plain(id))
        if name is None:
            known = f"one of {', '.join(self._entries)}{self._unusable()}"
            raise NotRegistered(Fault("UNKNOWN_VARIANT", "variant", shown(id), known))
        return self._entries[name]

    def _made_of(self, spec: Spec) -> Entry:
        made = read_spec(spec, self)
        entry = Entry(made.variant, made.rules, HOUSE, made.spec)
        if len(self._specs) >= CACHED_SPECS:
            self._specs.clear()
        self._specs[spec] = entry
        return entry

    def named(self, name: str) -> Entry | None:
        """The entry of a variant by its id or an alias, if there is one."""
        return self._entries.get(self._names.get(_plain(name), ""))

    @staticmethod
    def is_id(name: str) -> bool:
        """Whether a name is one that a variant could have as its id."""
        return ID.match(name) is not None

    def with_spec(self, spec: Spec, plugin: Plugin) -> Registry:
        """A copy with a variant of house rules; `SpecError` lists every fault of them."""
        entry = self.entry(spec)
        name = entry.variant.id
        copy = self.using(replace(plugin, version=entry.variant.rules_version))
        copy._entries[name], copy._names[name] = replace(entry, plugin=copy.plugins[-1]), name
        return copy

    def beside(self, plugin: Plugin) -> Registry:
        """A copy that lists one more plugin, which has brought nothing."""
        return self.using(plugin)

    def _unusable(self) -> str:
        """The plugins that could not be used, for whoever looks in vain for what is in one."""
        faults = [f"{plugin.name}: {plugin.fault}" for plugin in self.plugins if plugin.fault]
        return f" (plugins that cannot be used: {'; '.join(faults)})" if faults else ""

    def variant(self, id: str) -> Variant:
        """A variant by its id or an alias; `NotRegistered` lists the known ids."""
        return self.entry(id).variant

    def rotation(self, id: str) -> Rotation:
        """A rotation by its id; `NotRegistered` lists the known ids."""
        rotation = self.rotations.get(_plain(id))
        if rotation is None:
            known = (
                f"one of {', '.join(self.rotations)}" if self.rotations else "none: there are none"
            )
            raise NotRegistered(Fault("UNKNOWN_ROTATION", "rotation", shown(id), known))
        return rotation

    def cycle(self, rotation: Rotation | str, options: Mapping[str, object] = NO_OPTIONS) -> Cycle:
        """The games of a rotation, or of one that somebody made up, under options of match and table.

        `NotRegistered` for an unknown rotation, variant or preset, `OptionError` with every fault of the
        options.
        """
        found = self.rotation(rotation) if isinstance(rotation, str) else rotation
        return cycle_of(self, found, options)

    def bot(self, id: str) -> Bot:
        """A bot by its id; `NotRegistered` lists the known ids."""
        bot = self.bots.get(_plain(id))
        if bot is None:
            raise NotRegistered(Fault("UNKNOWN_BOT", "bot", id, f"one of {', '.join(self.bots)}"))
        return bot

    def presets_of(self, variant: Variant | str) -> dict[str, Values]:
        """The presets of a variant (or of its id or alias), resolved; bundles are among them.

        >>> from bgcore.plugins import load
        >>> load().presets_of("tavla")["traditional"]["opening_roll"]
        'reroll'
        """
        if not isinstance(variant, Variant):
            variant = self.variant(variant)
        names = (*self.presets, *variant.bundles)
        found = {name: self._preset(variant, name) for name in names}
        return {name: values for name, values in found.items() if values is not None}

    def _preset(self, variant: Variant, name: str) -> Values | None:
        """The values of a preset for a variant; `None` when there is no such preset for it."""
        if name in variant.bundles:
            return variant.bundles[name]
        if name not in self.presets:
            return None
        try:
            values = self.presets[name].values(variant)
            resolve(variant, values or {})
        except Exception:  # whatever somebody's preset does with a variant that it never met
            return None
        return values

    def rules(
        self, id: str | Spec, preset: str = "", options: Mapping[str, object] = NO_OPTIONS
    ) -> Rules:
        """The rules of a variant, or of house rules, under a preset and options; cached, never changed.

        `NotRegistered` for an unknown variant or preset, `OptionError` with every fault of the options,
        `SpecError` with every one of the house rules.
        """
        # `True == 1` and `1 == "1"` must not share an entry, so the type is part of the key.
        try:
            key = (
                id,
                preset,
                frozenset((name, type(value), value) for name, value in options.items()),
            )
        except TypeError:  # an unhashable value, which no option takes: the resolver says so
            return self._make(id, preset, options)
        made_up = isinstance(id, Spec)
        known, most = (self._spec_rules, CACHED_SPECS) if made_up else (self._rules, CACHED_RULES)
        found = known.get(key)
        if found is None:
            found = self._make(id, preset, options)
            if len(known) >= most:
                known.clear()
            known[key] = found
        return found

    def _make(self, id: str | Spec, preset: str, options: Mapping[str, object]) -> Rules:
        entry = self.entry(id)
        chosen = self._chosen(entry.variant, preset, options) if preset else options
        variant, values = resolve(entry.variant, chosen)
        rules = _house_rules(entry, variant, values) if entry.spec else entry.rules(variant, values)
        rules.spec = entry.spec
        usual = defaults_of(entry.variant, values)
        rules.unusual = {name: value for name, value in values.items() if value != usual[name]}
        return rules

    def _chosen(
        self, variant: Variant, preset: str, options: Mapping[str, object]
    ) -> Mapping[str, object]:
        """The values of a preset with those that were chosen beside it."""
        name = _plain(preset)
        values = self._preset(variant, name)
        if values is None:
            known = ", ".join(self.presets_of(variant)) or "none for this variant"
            raise NotRegistered(Fault("UNKNOWN_PRESET", "preset", shown(preset), f"one of {known}"))
        if name in variant.bundles:
            return {**values, **options}
        return self.presets[name].chosen(values, options)


def _house_rules(entry: Entry, variant: Variant, values: Values) -> Rules:
    """The rules of house rules, which may leave to a table what is not played; then `OptionError`."""
    try:
        return entry.rules(variant, values)
    except (ValueError, BgcoreError) as error:
        what = f"these options are not played together in {variant.id}: {error}"
        raise OptionError(Fault("OPTIONS_CLASH", "options", "", "others", what)) from error


def _plain(id: str) -> str:
    return str(id).strip().lower().replace("_", "-").replace(" ", "-")
