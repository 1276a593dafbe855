from bgcore_proto.v1 import common_pb2 as _common_pb2
from bgcore_proto.v1 import table_pb2 as _table_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PluginState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PLUGIN_STATE_UNSPECIFIED: _ClassVar[PluginState]
    PLUGIN_STATE_LOADED: _ClassVar[PluginState]
    PLUGIN_STATE_BROKEN: _ClassVar[PluginState]
    PLUGIN_STATE_REFUSED: _ClassVar[PluginState]
    PLUGIN_STATE_DISABLED: _ClassVar[PluginState]
    PLUGIN_STATE_CONFLICTING: _ClassVar[PluginState]

class OptionType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OPTION_TYPE_UNSPECIFIED: _ClassVar[OptionType]
    OPTION_TYPE_FLAG: _ClassVar[OptionType]
    OPTION_TYPE_INTEGER: _ClassVar[OptionType]
    OPTION_TYPE_WORD: _ClassVar[OptionType]
    OPTION_TYPE_TEXT: _ClassVar[OptionType]
    OPTION_TYPE_LIST: _ClassVar[OptionType]

class OptionScope(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OPTION_SCOPE_UNSPECIFIED: _ClassVar[OptionScope]
    OPTION_SCOPE_GAME: _ClassVar[OptionScope]
    OPTION_SCOPE_MATCH: _ClassVar[OptionScope]
    OPTION_SCOPE_TABLE: _ClassVar[OptionScope]
PLUGIN_STATE_UNSPECIFIED: PluginState
PLUGIN_STATE_LOADED: PluginState
PLUGIN_STATE_BROKEN: PluginState
PLUGIN_STATE_REFUSED: PluginState
PLUGIN_STATE_DISABLED: PluginState
PLUGIN_STATE_CONFLICTING: PluginState
OPTION_TYPE_UNSPECIFIED: OptionType
OPTION_TYPE_FLAG: OptionType
OPTION_TYPE_INTEGER: OptionType
OPTION_TYPE_WORD: OptionType
OPTION_TYPE_TEXT: OptionType
OPTION_TYPE_LIST: OptionType
OPTION_SCOPE_UNSPECIFIED: OptionScope
OPTION_SCOPE_GAME: OptionScope
OPTION_SCOPE_MATCH: OptionScope
OPTION_SCOPE_TABLE: OptionScope

class ListVariantsRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListVariantsResponse(_message.Message):
    __slots__ = ("variants", "next_page_token", "plugins", "rotations", "notations")
    VARIANTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    PLUGINS_FIELD_NUMBER: _ClassVar[int]
    ROTATIONS_FIELD_NUMBER: _ClassVar[int]
    NOTATIONS_FIELD_NUMBER: _ClassVar[int]
    variants: _containers.RepeatedCompositeFieldContainer[VariantSummary]
    next_page_token: str
    plugins: _containers.RepeatedCompositeFieldContainer[Plugin]
    rotations: _containers.RepeatedCompositeFieldContainer[Rotation]
    notations: _containers.RepeatedCompositeFieldContainer[Notation]
    def __init__(self, variants: _Optional[_Iterable[_Union[VariantSummary, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., plugins: _Optional[_Iterable[_Union[Plugin, _Mapping]]] = ..., rotations: _Optional[_Iterable[_Union[Rotation, _Mapping]]] = ..., notations: _Optional[_Iterable[_Union[Notation, _Mapping]]] = ...) -> None: ...

class Rotation(_message.Message):
    __slots__ = ("title", "summary", "rotation", "plugin", "rules_version")
    TITLE_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    ROTATION_FIELD_NUMBER: _ClassVar[int]
    PLUGIN_FIELD_NUMBER: _ClassVar[int]
    RULES_VERSION_FIELD_NUMBER: _ClassVar[int]
    title: str
    summary: str
    rotation: _common_pb2.RotationRef
    plugin: Plugin
    rules_version: str
    def __init__(self, title: _Optional[str] = ..., summary: _Optional[str] = ..., rotation: _Optional[_Union[_common_pb2.RotationRef, _Mapping]] = ..., plugin: _Optional[_Union[Plugin, _Mapping]] = ..., rules_version: _Optional[str] = ...) -> None: ...

class Notation(_message.Message):
    __slots__ = ("id", "title", "of_matches", "readable", "plugin")
    ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    OF_MATCHES_FIELD_NUMBER: _ClassVar[int]
    READABLE_FIELD_NUMBER: _ClassVar[int]
    PLUGIN_FIELD_NUMBER: _ClassVar[int]
    id: str
    title: str
    of_matches: bool
    readable: bool
    plugin: Plugin
    def __init__(self, id: _Optional[str] = ..., title: _Optional[str] = ..., of_matches: bool = ..., readable: bool = ..., plugin: _Optional[_Union[Plugin, _Mapping]] = ...) -> None: ...

class VariantSummary(_message.Message):
    __slots__ = ("id", "title", "aliases", "rules_version", "plugin", "summary")
    ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    ALIASES_FIELD_NUMBER: _ClassVar[int]
    RULES_VERSION_FIELD_NUMBER: _ClassVar[int]
    PLUGIN_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    id: str
    title: str
    aliases: _containers.RepeatedScalarFieldContainer[str]
    rules_version: str
    plugin: Plugin
    summary: str
    def __init__(self, id: _Optional[str] = ..., title: _Optional[str] = ..., aliases: _Optional[_Iterable[str]] = ..., rules_version: _Optional[str] = ..., plugin: _Optional[_Union[Plugin, _Mapping]] = ..., summary: _Optional[str] = ...) -> None: ...

class Plugin(_message.Message):
    __slots__ = ("name", "distribution", "version", "state", "problem", "entry_point", "api_level")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DISTRIBUTION_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    ENTRY_POINT_FIELD_NUMBER: _ClassVar[int]
    API_LEVEL_FIELD_NUMBER: _ClassVar[int]
    name: str
    distribution: str
    version: str
    state: PluginState
    problem: str
    entry_point: str
    api_level: int
    def __init__(self, name: _Optional[str] = ..., distribution: _Optional[str] = ..., version: _Optional[str] = ..., state: _Optional[_Union[PluginState, str]] = ..., problem: _Optional[str] = ..., entry_point: _Optional[str] = ..., api_level: _Optional[int] = ...) -> None: ...

class GetVariantRequest(_message.Message):
    __slots__ = ("id", "spec")
    ID_FIELD_NUMBER: _ClassVar[int]
    SPEC_FIELD_NUMBER: _ClassVar[int]
    id: str
    spec: _common_pb2.VariantSpec
    def __init__(self, id: _Optional[str] = ..., spec: _Optional[_Union[_common_pb2.VariantSpec, _Mapping]] = ...) -> None: ...

class GetVariantResponse(_message.Message):
    __slots__ = ("variant",)
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    variant: Variant
    def __init__(self, variant: _Optional[_Union[Variant, _Mapping]] = ...) -> None: ...

class Variant(_message.Message):
    __slots__ = ("summary", "options", "presets", "geometry", "start", "checkers", "dice", "levels", "rules_text")
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    PRESETS_FIELD_NUMBER: _ClassVar[int]
    GEOMETRY_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    CHECKERS_FIELD_NUMBER: _ClassVar[int]
    DICE_FIELD_NUMBER: _ClassVar[int]
    LEVELS_FIELD_NUMBER: _ClassVar[int]
    RULES_TEXT_FIELD_NUMBER: _ClassVar[int]
    summary: VariantSummary
    options: _containers.RepeatedCompositeFieldContainer[Option]
    presets: _containers.RepeatedCompositeFieldContainer[Preset]
    geometry: Geometry
    start: _common_pb2.Position
    checkers: int
    dice: int
    levels: _containers.RepeatedCompositeFieldContainer[LevelValue]
    rules_text: str
    def __init__(self, summary: _Optional[_Union[VariantSummary, _Mapping]] = ..., options: _Optional[_Iterable[_Union[Option, _Mapping]]] = ..., presets: _Optional[_Iterable[_Union[Preset, _Mapping]]] = ..., geometry: _Optional[_Union[Geometry, _Mapping]] = ..., start: _Optional[_Union[_common_pb2.Position, _Mapping]] = ..., checkers: _Optional[int] = ..., dice: _Optional[int] = ..., levels: _Optional[_Iterable[_Union[LevelValue, _Mapping]]] = ..., rules_text: _Optional[str] = ...) -> None: ...

class LevelValue(_message.Message):
    __slots__ = ("level", "points")
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    level: _common_pb2.Level
    points: int
    def __init__(self, level: _Optional[_Union[_common_pb2.Level, str]] = ..., points: _Optional[int] = ...) -> None: ...

class Option(_message.Message):
    __slots__ = ("name", "type", "values", "minimum", "maximum", "none_allowed", "default", "meaning", "scope", "rule", "money_default")
    NAME_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    MINIMUM_FIELD_NUMBER: _ClassVar[int]
    MAXIMUM_FIELD_NUMBER: _ClassVar[int]
    NONE_ALLOWED_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_FIELD_NUMBER: _ClassVar[int]
    MEANING_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    MONEY_DEFAULT_FIELD_NUMBER: _ClassVar[int]
    name: str
    type: OptionType
    values: _containers.RepeatedCompositeFieldContainer[_common_pb2.OptionValue]
    minimum: int
    maximum: int
    none_allowed: bool
    default: _common_pb2.OptionValue
    meaning: str
    scope: OptionScope
    rule: str
    money_default: _common_pb2.OptionValue
    def __init__(self, name: _Optional[str] = ..., type: _Optional[_Union[OptionType, str]] = ..., values: _Optional[_Iterable[_Union[_common_pb2.OptionValue, _Mapping]]] = ..., minimum: _Optional[int] = ..., maximum: _Optional[int] = ..., none_allowed: bool = ..., default: _Optional[_Union[_common_pb2.OptionValue, _Mapping]] = ..., meaning: _Optional[str] = ..., scope: _Optional[_Union[OptionScope, str]] = ..., rule: _Optional[str] = ..., money_default: _Optional[_Union[_common_pb2.OptionValue, _Mapping]] = ...) -> None: ...

class Preset(_message.Message):
    __slots__ = ("id", "title", "options")
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _common_pb2.OptionValue
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_common_pb2.OptionValue, _Mapping]] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    id: str
    title: str
    options: _containers.MessageMap[str, _common_pb2.OptionValue]
    def __init__(self, id: _Optional[str] = ..., title: _Optional[str] = ..., options: _Optional[_Mapping[str, _common_pb2.OptionValue]] = ...) -> None: ...

class Geometry(_message.Message):
    __slots__ = ("white", "black")
    WHITE_FIELD_NUMBER: _ClassVar[int]
    BLACK_FIELD_NUMBER: _ClassVar[int]
    white: SeatGeometry
    black: SeatGeometry
    def __init__(self, white: _Optional[_Union[SeatGeometry, _Mapping]] = ..., black: _Optional[_Union[SeatGeometry, _Mapping]] = ...) -> None: ...

class SeatGeometry(_message.Message):
    __slots__ = ("points", "bar", "off", "unentered")
    POINTS_FIELD_NUMBER: _ClassVar[int]
    BAR_FIELD_NUMBER: _ClassVar[int]
    OFF_FIELD_NUMBER: _ClassVar[int]
    UNENTERED_FIELD_NUMBER: _ClassVar[int]
    points: _containers.RepeatedScalarFieldContainer[int]
    bar: int
    off: int
    unentered: int
    def __init__(self, points: _Optional[_Iterable[int]] = ..., bar: _Optional[int] = ..., off: _Optional[int] = ..., unentered: _Optional[int] = ...) -> None: ...

class GetServerInfoRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetServerInfoResponse(_message.Message):
    __slots__ = ("server_version", "api_level", "rules_versions", "kernel", "limits", "dice_modes", "bots", "plugins")
    class RulesVersionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    SERVER_VERSION_FIELD_NUMBER: _ClassVar[int]
    API_LEVEL_FIELD_NUMBER: _ClassVar[int]
    RULES_VERSIONS_FIELD_NUMBER: _ClassVar[int]
    KERNEL_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    DICE_MODES_FIELD_NUMBER: _ClassVar[int]
    BOTS_FIELD_NUMBER: _ClassVar[int]
    PLUGINS_FIELD_NUMBER: _ClassVar[int]
    server_version: str
    api_level: int
    rules_versions: _containers.ScalarMap[str, str]
    kernel: str
    limits: Limits
    dice_modes: _containers.RepeatedScalarFieldContainer[_table_pb2.DiceMode]
    bots: _containers.RepeatedScalarFieldContainer[str]
    plugins: _containers.RepeatedCompositeFieldContainer[Plugin]
    def __init__(self, server_version: _Optional[str] = ..., api_level: _Optional[int] = ..., rules_versions: _Optional[_Mapping[str, str]] = ..., kernel: _Optional[str] = ..., limits: _Optional[_Union[Limits, _Mapping]] = ..., dice_modes: _Optional[_Iterable[_Union[_table_pb2.DiceMode, str]]] = ..., bots: _Optional[_Iterable[str]] = ..., plugins: _Optional[_Iterable[_Union[Plugin, _Mapping]]] = ...) -> None: ...

class Limits(_message.Message):
    __slots__ = ("message_bytes", "page_size", "default_page_size", "request_id_length", "name_length", "heartbeat_seconds", "requests_per_second", "request_burst", "watches", "tables_per_hour", "account_required", "account_issuer")
    MESSAGE_BYTES_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    DEFAULT_PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_LENGTH_FIELD_NUMBER: _ClassVar[int]
    NAME_LENGTH_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_SECONDS_FIELD_NUMBER: _ClassVar[int]
    REQUESTS_PER_SECOND_FIELD_NUMBER: _ClassVar[int]
    REQUEST_BURST_FIELD_NUMBER: _ClassVar[int]
    WATCHES_FIELD_NUMBER: _ClassVar[int]
    TABLES_PER_HOUR_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_REQUIRED_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_ISSUER_FIELD_NUMBER: _ClassVar[int]
    message_bytes: int
    page_size: int
    default_page_size: int
    request_id_length: int
    name_length: int
    heartbeat_seconds: int
    requests_per_second: int
    request_burst: int
    watches: int
    tables_per_hour: int
    account_required: bool
    account_issuer: str
    def __init__(self, message_bytes: _Optional[int] = ..., page_size: _Optional[int] = ..., default_page_size: _Optional[int] = ..., request_id_length: _Optional[int] = ..., name_length: _Optional[int] = ..., heartbeat_seconds: _Optional[int] = ..., requests_per_second: _Optional[int] = ..., request_burst: _Optional[int] = ..., watches: _Optional[int] = ..., tables_per_hour: _Optional[int] = ..., account_required: bool = ..., account_issuer: _Optional[str] = ...) -> None: ...
