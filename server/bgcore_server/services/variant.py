"""What variants there are, what can be chosen in them; and what this server is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from bgcore import Registry, Rules, Seat, Spec, kernel
from bgcore.notation.formats import Format, MatchFormat, formats
from bgcore.notation.geometry import SeatPlaces, places
from bgcore.option import Option, OptionType, Scope
from bgcore.plugin import Plugin, PluginState
from bgcore.registry import Entry
from bgcore.resolve import defaults_of, options_of
from bgcore.rotation import Rotation
from bgcore_proto.v1 import variant_service_pb2 as pb
from bgcore_proto.v1.table_pb2 import DiceMode
from bgcore_server import API_LEVEL, __version__, paging
from bgcore_server.call import Call
from bgcore_server.convert import board
from bgcore_server.convert.options import option_value, option_values
from bgcore_server.convert.rotations import rotation_message
from bgcore_server.convert.specs import spec_of
from bgcore_server.errors import malformed
from bgcore_server.rules_text import rules_text

TYPES = {
    OptionType.BOOL: pb.OPTION_TYPE_FLAG,
    OptionType.INT: pb.OPTION_TYPE_INTEGER,
    OptionType.WORD: pb.OPTION_TYPE_WORD,
}
STATES = {
    PluginState.LOADED: pb.PLUGIN_STATE_LOADED,
    PluginState.BROKEN: pb.PLUGIN_STATE_BROKEN,
    PluginState.REFUSED: pb.PLUGIN_STATE_REFUSED,
    PluginState.DISABLED: pb.PLUGIN_STATE_DISABLED,
    PluginState.CONFLICTING: pb.PLUGIN_STATE_CONFLICTING,
}
SCOPES = {
    Scope.GAME: pb.OPTION_SCOPE_GAME,
    Scope.MATCH: pb.OPTION_SCOPE_MATCH,
    Scope.TABLE: pb.OPTION_SCOPE_TABLE,
}


class VariantService:
    """Tells what the registry has."""

    def __init__(
        self, registry: Registry, limits: pb.Limits, dice_modes: Sequence[DiceMode]
    ) -> None:
        self._registry = registry
        self._limits = limits
        self._dice_modes = dice_modes

    def ListVariants(self, request: pb.ListVariantsRequest, call: Call) -> pb.ListVariantsResponse:
        """The variants by id, a page at a time, and plugins and rotations with the first page."""
        after = paging.place("variants", request.page_token) if request.page_token else ""
        size = paging.size(request.page_size)
        entries = sorted(self._registry, key=lambda entry: entry.variant.id)
        left = [entry for entry in entries if entry.variant.id > after]
        page = left[:size]
        answer = pb.ListVariantsResponse(
            variants=map(summary, page),
            next_page_token=paging.token("variants", page[-1].variant.id) if left[size:] else "",
        )
        if not request.page_token:
            known = self._registry
            answer.plugins.extend(map(plugin_message, known.plugins))
            answer.rotations.extend(rotation(known, one) for one in known.rotations.values())
            answer.notations.extend(notation(known, one) for one in formats(known).values())
        return answer

    def GetVariant(self, request: pb.GetVariantRequest, call: Call) -> pb.GetVariantResponse:
        """All about one variant."""
        which = request.id if not request.HasField("spec") else spec_of(request.spec)
        if request.id and isinstance(which, Spec):
            raise malformed("SPEC_BESIDE_ID", "id", request.id, "none beside a spec")
        entry, rules = self._registry.entry(which), self._registry.rules(which)
        variant = entry.variant
        defaults = defaults_of(variant)
        message = pb.Variant(
            summary=summary(entry),
            options=[option(o, defaults[o.name]) for o in options_of(variant).values()],
            presets=presets(self._registry, rules, which),
            geometry=geometry(rules),
            start=board.position_message(rules.start, Seat.WHITE, None),
            checkers=variant.checkers,
            dice=variant.dice,
            levels=[
                pb.LevelValue(level=board.LEVELS[level], points=rules.value(level))
                for level in rules.levels
            ],
            rules_text=rules_text(rules),
        )
        return pb.GetVariantResponse(variant=message)

    def GetServerInfo(
        self, request: pb.GetServerInfoRequest, call: Call
    ) -> pb.GetServerInfoResponse:
        """What this server is."""
        versions = {entry.variant.id: entry.variant.rules_version for entry in self._registry}
        return pb.GetServerInfoResponse(
            server_version=__version__,
            api_level=API_LEVEL,
            rules_versions=versions,
            kernel=kernel.KERNEL,
            limits=self._limits,
            dice_modes=self._dice_modes,
            bots=sorted(self._registry.bots),
            plugins=map(plugin_message, self._registry.plugins),
        )


def summary(entry: Entry) -> pb.VariantSummary:
    """A variant in a list."""
    variant = entry.variant
    return pb.VariantSummary(
        id=variant.id,
        title=variant.title,
        aliases=variant.aliases,
        rules_version=variant.rules_version,
        plugin=plugin_message(entry.plugin),
        summary=variant.summary,
    )


def rotation(registry: Registry, given: Rotation) -> pb.Rotation:
    """A rotation in a list."""
    games = [registry.entry(one.variant).variant for one in given.games]
    return pb.Rotation(
        title=given.title,
        summary=given.summary,
        rotation=rotation_message(given, given.options),
        plugin=plugin_message(registry.origin("rotations", given.id)),
        rules_version=", ".join(variant.rules_version for variant in games),
    )


def notation(registry: Registry, given: Format) -> pb.Notation:
    """A notation in a list."""
    return pb.Notation(
        id=given.id,
        title=given.title,
        of_matches=isinstance(given, MatchFormat),
        readable=given.read is not None,
        plugin=plugin_message(registry.origin("notations", given.id)),
    )


def plugin_message(plugin: Plugin) -> pb.Plugin:
    """A plugin and whether it works."""
    return pb.Plugin(
        name=plugin.name,
        distribution=plugin.distribution,
        version=plugin.version,
        state=STATES[plugin.state],
        problem=plugin.fault,
        entry_point=plugin.value,
        api_level=plugin.api_level,
    )


def option(given: Option, default: object) -> pb.Option:
    """What can be chosen under a name."""
    message = pb.Option(
        name=given.name,
        type=TYPES[given.type],
        none_allowed=given.optional,
        default=option_value(default),
        meaning=given.meaning,
        scope=SCOPES[given.scope],
        rule=given.rule,
        money_default=None if given.money_default is None else option_value(given.money_default),
    )
    if given.type is OptionType.INT:
        message.minimum, message.maximum = map(int, given.values)
    else:
        message.values.extend(map(option_value, given.values))
    return message


def presets(registry: Registry, rules: Rules, which: str | Spec) -> Iterator[pb.Preset]:
    """The presets of a variant, with the value of every option."""
    variant = rules.variant
    for name in registry.presets_of(variant):
        known = registry.presets.get(name)
        values: Mapping[str, object] = registry.rules(which, name).options
        title = known.title if known else name
        yield pb.Preset(id=name, title=title, options=option_values(values))


def geometry(rules: Rules) -> pb.Geometry:
    """Where the points of each seat are drawn; White's numbering is the board's."""
    white, black = places(rules)
    return pb.Geometry(white=_seat_geometry(white), black=_seat_geometry(black))


def _seat_geometry(seat: SeatPlaces) -> pb.SeatGeometry:
    return pb.SeatGeometry(points=seat.points, bar=seat.bar, off=seat.off, unentered=seat.unentered)
