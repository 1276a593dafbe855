"""Everything that plugins brought: variants, presets, rotations and bots, each with its origin."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING

from bgcore.bot import BOTS, Bot
from bgcore.crossing import asked
from bgcore.cycle import Cycle
from bgcore.errors import (
    BgcoreError,
    Fault,
    NotRegistered,
    OptionError,
    PluginError,
    PluginFailed,
    shown,
)
from bgcore.nearest import one_of
from bgcore.option import Values
from bgcore.plugin import Plugin
from bgcore.preset import Preset, bundle
from bgcore.registering import BUILT_IN, GOOD_ID, ID, UNUSABLE, raised, wrong, wrong_variant
from bgcore.registering import plain as _plain
from bgcore.resolve import defaults_of, resolve
from bgcore.rotation import Rotation, cycle_of
from bgcore.rules import SHARED, Rules
from bgcore.spec import Spec
from bgcore.spec_reader import read_spec
from bgcore.variant import Variant

if TYPE_CHECKING:
    from bgcore.notation.formats import Format

__all__ = ["DEFAULT_VARIANT", "ENGINE", "SHELVES", "Entry", "Plugin", "Registry"]

DEFAULT_VARIANT = "western"
"""The variant that is meant where nobody says which: by a command without a flag, a match file without a header."""
NO_OPTIONS: Mapping[str, object] = MappingProxyType({})
CACHED_RULES = 1024
"""Rules kept for the next question; a client that tries endless options only makes room for others."""
CACHED_SPECS = 256
"""House rules kept so, apart from the others: who makes up endless ones takes nothing from the installed."""


SHELVES = ("bots", "presets", "notations", "rotations", "_entries", "_names")
"""Where a registry keeps what plugins bring, by name. What two plugins put at one place conflicts."""

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
        self.notations: dict[str, Format] = {}
        """Notations that plugins brought; those of the engine are in `bgcore.notation.formats`."""
        self._origins: dict[tuple[str, str], Plugin] = {}
        self._entries: dict[str, Entry] = {}
        self._names: dict[str, str] = {}
        self._rules: dict[object, Rules] = {}
        self._specs: dict[Spec, Entry] = {}
        self._spec_rules: dict[object, Rules] = {}
        self._plugin = ENGINE
        self._base: Registry | None = None  # what was there before the plugin that registers
        self._faults: list[Fault] | None = (
            None  # collected, where somebody will ask for all of them
        )

    def __repr__(self) -> str:
        found = ((self._entries, "variant"), (self.presets, "preset"), (self.bots, "bot"))
        told = (f"{len(these)} {name}{'s' * (len(these) != 1)}" for these, name in found)
        return f"<Registry: {', '.join(told)}>"

    # -- what plugins call ---------------------------------------------------------------------------

    def add(self, variant: Variant, rules: type[Rules] = Rules) -> None:
        """Registers a variant, with its own rules class when it is more than data.

        `PluginError` lists everything that is wrong: fields without a value of their kind, an id or an
        alias that is taken, also by a rotation, data or a bundle that does not hold together, rules that
        cannot be made.
        """
        faults = list(wrong_variant(variant, rules))
        if isinstance(variant, Variant) and isinstance(variant.aliases, tuple):
            names = (variant.id, *map(_plain, variant.aliases))
            known = {**self._names, **{name: f"the rotation {name}" for name in self.rotations}}
            faults += [self._taken("id", name, known[name]) for name in names if name in known]
        if self._fine(faults):
            self._entries[variant.id] = Entry(variant, rules, self._plugin)
            self._names.update(dict.fromkeys(names, variant.id))

    def add_preset(self, preset: Preset) -> None:
        """Registers a preset; `PluginError` when its id is taken, or no id.

        The same for whatever it raises, and for values that do not exist, for any variant that
        is registered already; with one that comes later it is left out where it does not work.
        """
        faults = list(self._wrong_id("preset", preset, self.presets, ("title",), ("values",)))
        if not faults:
            for entry in self:
                faults += raised(f"preset {preset.id} ", partial(self._tried, preset, entry))
        if self._fine(faults):
            self._keep("presets", preset.id, preset)

    def _tried(self, preset: Preset, entry: Entry) -> None:
        if values := asked(preset.values, entry.variant):
            resolve(entry.variant, values)

    def add_rotation(self, rotation: Rotation) -> None:
        """Registers a rotation; `PluginError` when its id is taken, by another or by a variant, or no id.

        The same where its games are not registered, or do not go together.
        """
        known = {**self._names, **self.rotations}
        faults = list(self._wrong_id("rotation", rotation, known, (), ()))
        if not faults:
            faults += raised(
                f"rotation {rotation.id} ", lambda: cycle_of(self, rotation, NO_OPTIONS)
            )
        if self._fine(faults):
            self._keep("rotations", rotation.id, rotation)

    def add_bot(self, bot: Bot) -> None:
        """Registers a bot; `PluginError` when its id is taken, or no id, or it is no bot."""
        if self._fine(self._wrong_id("bot", bot, self.bots, ("title",), ("act",))):
            self._keep("bots", bot.id, bot)

    def add_notation(self, notation: Format) -> None:
        """Registers a `MatchFormat` or `PositionFormat`; `PluginError` when its id is taken, or it is none."""
        given: object = notation  # whoever writes without a type checker may give anything
        # The formats stand on the registry; importing late keeps the arrow from there to here.
        from bgcore.notation.formats import FORMATS, MatchFormat, PositionFormat

        known = {**FORMATS, **self.notations}
        faults = list(self._wrong_id("notation", notation, known, ("title",), ("suits", "write")))
        if not isinstance(given, MatchFormat | PositionFormat):
            expected = "a MatchFormat or PositionFormat of bgcore.notation.formats"
            faults.append(wrong("notation", type(notation).__name__, expected))
        elif not _are_suffixes(given.suffixes):
            faults.append(wrong("notation suffixes", given.suffixes, "endings such as ('.txt',)"))
        if self._fine(faults):
            self._keep("notations", notation.id, notation)

    def _keep(self, shelf: str, name: str, thing: object) -> None:
        getattr(self, shelf)[name] = thing
        self._origins[shelf, name] = self._plugin

    def _wrong_id(
        self,
        kind: str,
        thing: object,
        shelf: Mapping[str, object],
        texts: tuple[str, ...],
        methods: tuple[str, ...],
    ) -> Iterator[Fault]:
        """What is wrong with a thing that should have a new id, these texts and these methods."""
        name = getattr(thing, "id", None)
        if not isinstance(name, str) or not ID.match(name):
            yield wrong(f"{kind} id", name, GOOD_ID)
        elif name in shelf:
            yield self._taken(kind, name, name)
        for place in texts:
            if not isinstance(text := getattr(thing, place, None), str):
                yield wrong(f"{kind} {place}", text, "a text")
        for place in methods:
            if not callable(method := getattr(thing, place, None)):
                yield wrong(f"{kind} {place}", method, "a function")

    def _taken(self, kind: str, name: str, by: str) -> Fault:
        """The fault of a name that is used: by what was there before, or by the same plugin."""
        if self._base and self.brought(self._base) & {(shelf, name) for shelf in SHELVES}:
            return wrong(kind, name, "each name once")
        return wrong(kind, name, f"a name that {by} does not use", BUILT_IN)

    def _fine(self, faults: Iterable[Fault]) -> bool:
        """Whether there are none; else they raise, or are collected."""
        named = [self._named(fault) for fault in faults]
        if named and self._faults is None:
            raise PluginError(*named)
        if self._faults is not None:
            self._faults += named
        return not named

    def _named(self, fault: Fault) -> Fault:
        """The fault with the plugin that it is of."""
        whose = self._plugin.name
        told = fault.message and f"{whose} {fault.message}"
        return replace(fault, field=f"{whose} {fault.field}", message=told)

    # -- what the door calls -------------------------------------------------------------------------

    def using(self, plugin: Plugin) -> Registry:
        """A copy in which `plugin` may register; the original stays as it is if that fails."""
        copy = Registry()
        for shelf in SHELVES:
            setattr(copy, shelf, dict(getattr(self, shelf)))
        copy._origins = dict(self._origins)
        copy.plugins, copy._plugin, copy._base = [*self.plugins, plugin], plugin, self
        return copy

    def trial(self, plugin: Plugin) -> Registry:
        """Such a copy that raises nothing for what is registered wrongly, until `settle` is called."""
        copy = self.using(plugin)
        copy._faults = []
        return copy

    def settle(self, problem: Exception | None = None) -> None:
        """`PluginError` with every fault of what was registered, and with what the plugin raised, if it did."""
        faults, self._faults = self._faults or [], None
        if faults and problem:  # the one may be why the other
            text = f"{self._plugin.name} {type(problem).__name__}: {problem}"
            field = f"{self._plugin.name} bgcore_register"
            faults.append(Fault(UNUSABLE, field, type(problem).__name__, "no exception", text))
        if faults:
            raise PluginError(*faults) from problem
        if problem:
            raise problem

    def brought(self, base: Registry) -> frozenset[tuple[str, str]]:
        """What this one has and `base` has not: shelves and names."""
        pairs = ((shelf, name) for shelf in SHELVES for name in getattr(self, shelf))
        return frozenset((shelf, name) for shelf, name in pairs if name not in getattr(base, shelf))

    def take(self, other: Registry) -> None:
        """All that another registry has, too."""
        for shelf in SHELVES:
            getattr(self, shelf).update(getattr(other, shelf))
        self._origins.update(other._origins)

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
            known = one_of(id, self._entries) + self._unusable(str(id))
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

    def origin(self, shelf: str, name: str) -> Plugin:
        """The plugin that brought one of the `bots`, `presets`, `notations` or `rotations`; else the engine.

        >>> from bgcore.plugins import load
        >>> load().origin("rotations", "tavli").distribution, load().origin("bots", "greedy").name
        ('bgcore', 'engine')
        """
        return self._origins.get((shelf, name), ENGINE)

    def _unusable(self, id: str) -> str:
        """The plugins that could not be used, for whoever looks in vain for what is in one.

        What is wrong is told of the file or plugin that has the name, or of the only one; else there is
        `bgcore variants`, which tells all of it.
        """
        broken = [plugin for plugin in self.plugins if not plugin.usable]
        meant = [plugin for plugin in broken if _plain(plugin.stem) == _plain(id)]
        told = meant or (broken if len(broken) == 1 else [])
        names = [plugin.name for plugin in broken if plugin not in told]
        faults = [f"{plugin.name}: {plugin.fault}" for plugin in told] + names
        return f" (plugins that cannot be used: {'; '.join(faults)})" if faults else ""

    def variant(self, id: str) -> Variant:
        """A variant by its id or an alias; `NotRegistered` lists the known ids."""
        return self.entry(id).variant

    def rotation(self, id: str) -> Rotation:
        """A rotation by its id; `NotRegistered` lists the known ids."""
        rotation = self.rotations.get(_plain(id))
        if rotation is None:
            known = one_of(id, self.rotations, "none: there are none")
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
            raise NotRegistered(Fault("UNKNOWN_BOT", "bot", shown(id), one_of(id, self.bots)))
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
            return MappingProxyType(variant.bundles[name])
        if name not in self.presets:
            return None
        try:
            values = asked(self.presets[name].values, variant)
            resolve(variant, values or {})
        except Exception:  # whatever somebody's preset does with a variant that it never met
            return None
        return None if values is None else MappingProxyType(dict(values))

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
        chosen = self.chosen(entry.variant, preset, options)
        variant, values = resolve(entry.variant, chosen)
        rules = _house_rules(entry, variant, values) if entry.spec else entry.rules(variant, values)
        usual = defaults_of(entry.variant, values)
        unusual = {name: value for name, value in values.items() if value != usual[name]}
        rules.spec, rules.unusual = entry.spec, MappingProxyType(unusual)
        vars(rules)[SHARED] = True
        return rules

    def chosen(
        self,
        variant: Variant,
        preset: str,
        options: Mapping[str, object],
        beside: Mapping[str, object] = NO_OPTIONS,
    ) -> Mapping[str, object]:
        """The values of a preset or bundle with the options that were chosen; without a preset these alone.

        `beside` holds whatever the preset says, and is nobody's choice: a rotation's values of its match.
        `NotRegistered` for an unknown preset, `OptionError` for what the preset does not allow.
        """
        if not preset:
            return {**options, **beside}
        name = _plain(preset)
        values = self._preset(variant, name)
        if values is None:
            known = one_of(name, self.presets_of(variant), "none: this variant has no presets")
            raise NotRegistered(Fault("UNKNOWN_PRESET", "preset", shown(preset), known))
        made = bundle(name, values) if name in variant.bundles else self.presets[name]
        return made.chosen(values, options, beside)


_SUFFIX = re.compile(r"\.[A-Za-z0-9]{1,16}")


def _are_suffixes(given: object) -> bool:
    """Whether these are endings of file names: the first is given to files that are written."""
    texts = given if isinstance(given, tuple) else ()
    return bool(texts) and all(isinstance(one, str) and _SUFFIX.fullmatch(one) for one in texts)


def _house_rules(entry: Entry, variant: Variant, values: Values) -> Rules:
    """The rules of house rules, which may leave to a table what is not played; then `OptionError`."""
    try:
        return entry.rules(variant, values)
    except PluginFailed:
        raise
    except (ValueError, BgcoreError) as error:
        what = f"these options are not played together in {variant.id}: {error}"
        raise OptionError(Fault("OPTIONS_CLASH", "options", "", "others", what)) from error
