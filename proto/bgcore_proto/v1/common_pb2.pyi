from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Seat(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SEAT_UNSPECIFIED: _ClassVar[Seat]
    SEAT_WHITE: _ClassVar[Seat]
    SEAT_BLACK: _ClassVar[Seat]

class Level(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LEVEL_UNSPECIFIED: _ClassVar[Level]
    LEVEL_SINGLE: _ClassVar[Level]
    LEVEL_GAMMON: _ClassVar[Level]
    LEVEL_BACKGAMMON: _ClassVar[Level]

class PlayView(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PLAY_VIEW_UNSPECIFIED: _ClassVar[PlayView]
    PLAY_VIEW_NONE: _ClassVar[PlayView]
    PLAY_VIEW_COLUMNS: _ClassVar[PlayView]
    PLAY_VIEW_TEXT: _ClassVar[PlayView]
    PLAY_VIEW_FULL: _ClassVar[PlayView]

class DrawPolicy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DRAW_POLICY_UNSPECIFIED: _ClassVar[DrawPolicy]
    DRAW_POLICY_REPLAY: _ClassVar[DrawPolicy]
    DRAW_POLICY_ADVANCE: _ClassVar[DrawPolicy]

class PartKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PART_KIND_UNSPECIFIED: _ClassVar[PartKind]
    PART_KIND_ROLL: _ClassVar[PartKind]
    PART_KIND_RUNG: _ClassVar[PartKind]
    PART_KIND_COMPLEMENT: _ClassVar[PartKind]
    PART_KIND_CHOSEN_DOUBLE: _ClassVar[PartKind]
    PART_KIND_LEFTOVER: _ClassVar[PartKind]

class Ending(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ENDING_UNSPECIFIED: _ClassVar[Ending]
    ENDING_BORNE_OFF: _ClassVar[Ending]
    ENDING_DROPPED: _ClassVar[Ending]
    ENDING_RESIGNED: _ClassVar[Ending]
    ENDING_MOTHER_PINNED: _ClassVar[Ending]
    ENDING_BOTH_MOTHERS_PINNED: _ClassVar[Ending]
    ENDING_VOID: _ClassVar[Ending]
    ENDING_FLAGGED: _ClassVar[Ending]
    ENDING_BOTH_BORNE_OFF: _ClassVar[Ending]

class MatchFormat(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MATCH_FORMAT_UNSPECIFIED: _ClassVar[MatchFormat]
    MATCH_FORMAT_RECORD: _ClassVar[MatchFormat]
    MATCH_FORMAT_MATCH_TEXT: _ClassVar[MatchFormat]
    MATCH_FORMAT_SGF: _ClassVar[MatchFormat]

class PositionFormat(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    POSITION_FORMAT_UNSPECIFIED: _ClassVar[PositionFormat]
    POSITION_FORMAT_BOARD_TEXT: _ClassVar[PositionFormat]
    POSITION_FORMAT_BOARD_JSON: _ClassVar[PositionFormat]
    POSITION_FORMAT_POSITION_ID: _ClassVar[PositionFormat]
    POSITION_FORMAT_GNUBG_ID: _ClassVar[PositionFormat]
    POSITION_FORMAT_MATCH_ID: _ClassVar[PositionFormat]
    POSITION_FORMAT_XGID: _ClassVar[PositionFormat]
    POSITION_FORMAT_ASCII: _ClassVar[PositionFormat]
    POSITION_FORMAT_SVG: _ClassVar[PositionFormat]
SEAT_UNSPECIFIED: Seat
SEAT_WHITE: Seat
SEAT_BLACK: Seat
LEVEL_UNSPECIFIED: Level
LEVEL_SINGLE: Level
LEVEL_GAMMON: Level
LEVEL_BACKGAMMON: Level
PLAY_VIEW_UNSPECIFIED: PlayView
PLAY_VIEW_NONE: PlayView
PLAY_VIEW_COLUMNS: PlayView
PLAY_VIEW_TEXT: PlayView
PLAY_VIEW_FULL: PlayView
DRAW_POLICY_UNSPECIFIED: DrawPolicy
DRAW_POLICY_REPLAY: DrawPolicy
DRAW_POLICY_ADVANCE: DrawPolicy
PART_KIND_UNSPECIFIED: PartKind
PART_KIND_ROLL: PartKind
PART_KIND_RUNG: PartKind
PART_KIND_COMPLEMENT: PartKind
PART_KIND_CHOSEN_DOUBLE: PartKind
PART_KIND_LEFTOVER: PartKind
ENDING_UNSPECIFIED: Ending
ENDING_BORNE_OFF: Ending
ENDING_DROPPED: Ending
ENDING_RESIGNED: Ending
ENDING_MOTHER_PINNED: Ending
ENDING_BOTH_MOTHERS_PINNED: Ending
ENDING_VOID: Ending
ENDING_FLAGGED: Ending
ENDING_BOTH_BORNE_OFF: Ending
MATCH_FORMAT_UNSPECIFIED: MatchFormat
MATCH_FORMAT_RECORD: MatchFormat
MATCH_FORMAT_MATCH_TEXT: MatchFormat
MATCH_FORMAT_SGF: MatchFormat
POSITION_FORMAT_UNSPECIFIED: PositionFormat
POSITION_FORMAT_BOARD_TEXT: PositionFormat
POSITION_FORMAT_BOARD_JSON: PositionFormat
POSITION_FORMAT_POSITION_ID: PositionFormat
POSITION_FORMAT_GNUBG_ID: PositionFormat
POSITION_FORMAT_MATCH_ID: PositionFormat
POSITION_FORMAT_XGID: PositionFormat
POSITION_FORMAT_ASCII: PositionFormat
POSITION_FORMAT_SVG: PositionFormat

class VariantRef(_message.Message):
    __slots__ = ("id", "spec", "preset", "options")
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: OptionValue
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[OptionValue, _Mapping]] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    SPEC_FIELD_NUMBER: _ClassVar[int]
    PRESET_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    id: str
    spec: VariantSpec
    preset: str
    options: _containers.MessageMap[str, OptionValue]
    def __init__(self, id: _Optional[str] = ..., spec: _Optional[_Union[VariantSpec, _Mapping]] = ..., preset: _Optional[str] = ..., options: _Optional[_Mapping[str, OptionValue]] = ...) -> None: ...

class RotationRef(_message.Message):
    __slots__ = ("id", "games", "draw_policy", "start_index", "options")
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: OptionValue
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[OptionValue, _Mapping]] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    DRAW_POLICY_FIELD_NUMBER: _ClassVar[int]
    START_INDEX_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    id: str
    games: _containers.RepeatedCompositeFieldContainer[VariantRef]
    draw_policy: DrawPolicy
    start_index: int
    options: _containers.MessageMap[str, OptionValue]
    def __init__(self, id: _Optional[str] = ..., games: _Optional[_Iterable[_Union[VariantRef, _Mapping]]] = ..., draw_policy: _Optional[_Union[DrawPolicy, str]] = ..., start_index: _Optional[int] = ..., options: _Optional[_Mapping[str, OptionValue]] = ...) -> None: ...

class VariantSpec(_message.Message):
    __slots__ = ("base", "axes", "id", "title", "summary", "start", "options", "bundles")
    class AxesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: OptionValue
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[OptionValue, _Mapping]] = ...) -> None: ...
    class BundlesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: SpecBundle
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[SpecBundle, _Mapping]] = ...) -> None: ...
    BASE_FIELD_NUMBER: _ClassVar[int]
    AXES_FIELD_NUMBER: _ClassVar[int]
    ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    SUMMARY_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    BUNDLES_FIELD_NUMBER: _ClassVar[int]
    base: str
    axes: _containers.MessageMap[str, OptionValue]
    id: str
    title: str
    summary: str
    start: SpecStart
    options: SpecOptions
    bundles: _containers.MessageMap[str, SpecBundle]
    def __init__(self, base: _Optional[str] = ..., axes: _Optional[_Mapping[str, OptionValue]] = ..., id: _Optional[str] = ..., title: _Optional[str] = ..., summary: _Optional[str] = ..., start: _Optional[_Union[SpecStart, _Mapping]] = ..., options: _Optional[_Union[SpecOptions, _Mapping]] = ..., bundles: _Optional[_Mapping[str, SpecBundle]] = ...) -> None: ...

class SpecStart(_message.Message):
    __slots__ = ("points",)
    class PointsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: int
        value: int
        def __init__(self, key: _Optional[int] = ..., value: _Optional[int] = ...) -> None: ...
    POINTS_FIELD_NUMBER: _ClassVar[int]
    points: _containers.ScalarMap[int, int]
    def __init__(self, points: _Optional[_Mapping[int, int]] = ...) -> None: ...

class SpecOptions(_message.Message):
    __slots__ = ("names",)
    NAMES_FIELD_NUMBER: _ClassVar[int]
    names: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, names: _Optional[_Iterable[str]] = ...) -> None: ...

class SpecBundle(_message.Message):
    __slots__ = ("options",)
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: OptionValue
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[OptionValue, _Mapping]] = ...) -> None: ...
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    options: _containers.MessageMap[str, OptionValue]
    def __init__(self, options: _Optional[_Mapping[str, OptionValue]] = ...) -> None: ...

class OptionValue(_message.Message):
    __slots__ = ("flag", "integer", "text", "list", "none")
    FLAG_FIELD_NUMBER: _ClassVar[int]
    INTEGER_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    LIST_FIELD_NUMBER: _ClassVar[int]
    NONE_FIELD_NUMBER: _ClassVar[int]
    flag: bool
    integer: int
    text: str
    list: OptionList
    none: OptionNone
    def __init__(self, flag: bool = ..., integer: _Optional[int] = ..., text: _Optional[str] = ..., list: _Optional[_Union[OptionList, _Mapping]] = ..., none: _Optional[_Union[OptionNone, _Mapping]] = ...) -> None: ...

class OptionList(_message.Message):
    __slots__ = ("values",)
    VALUES_FIELD_NUMBER: _ClassVar[int]
    values: _containers.RepeatedCompositeFieldContainer[OptionValue]
    def __init__(self, values: _Optional[_Iterable[_Union[OptionValue, _Mapping]]] = ...) -> None: ...

class OptionNone(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Position(_message.Message):
    __slots__ = ("white", "black", "on_roll")
    WHITE_FIELD_NUMBER: _ClassVar[int]
    BLACK_FIELD_NUMBER: _ClassVar[int]
    ON_ROLL_FIELD_NUMBER: _ClassVar[int]
    white: Side
    black: Side
    on_roll: Seat
    def __init__(self, white: _Optional[_Union[Side, _Mapping]] = ..., black: _Optional[_Union[Side, _Mapping]] = ..., on_roll: _Optional[_Union[Seat, str]] = ...) -> None: ...

class Side(_message.Message):
    __slots__ = ("points", "bar", "off", "unentered", "pinned")
    POINTS_FIELD_NUMBER: _ClassVar[int]
    BAR_FIELD_NUMBER: _ClassVar[int]
    OFF_FIELD_NUMBER: _ClassVar[int]
    UNENTERED_FIELD_NUMBER: _ClassVar[int]
    PINNED_FIELD_NUMBER: _ClassVar[int]
    points: _containers.RepeatedScalarFieldContainer[int]
    bar: int
    off: int
    unentered: int
    pinned: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, points: _Optional[_Iterable[int]] = ..., bar: _Optional[int] = ..., off: _Optional[int] = ..., unentered: _Optional[int] = ..., pinned: _Optional[_Iterable[int]] = ...) -> None: ...

class Step(_message.Message):
    __slots__ = ("origin", "target", "number", "hit", "pin")
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    TARGET_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    HIT_FIELD_NUMBER: _ClassVar[int]
    PIN_FIELD_NUMBER: _ClassVar[int]
    origin: int
    target: int
    number: int
    hit: bool
    pin: bool
    def __init__(self, origin: _Optional[int] = ..., target: _Optional[int] = ..., number: _Optional[int] = ..., hit: bool = ..., pin: bool = ...) -> None: ...

class Play(_message.Message):
    __slots__ = ("text", "steps")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    text: str
    steps: PlaySteps
    def __init__(self, text: _Optional[str] = ..., steps: _Optional[_Union[PlaySteps, _Mapping]] = ...) -> None: ...

class PlaySteps(_message.Message):
    __slots__ = ("origins", "numbers")
    ORIGINS_FIELD_NUMBER: _ClassVar[int]
    NUMBERS_FIELD_NUMBER: _ClassVar[int]
    origins: _containers.RepeatedScalarFieldContainer[int]
    numbers: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, origins: _Optional[_Iterable[int]] = ..., numbers: _Optional[_Iterable[int]] = ...) -> None: ...

class PlayList(_message.Message):
    __slots__ = ("lengths", "origins", "numbers", "numbers_used", "texts", "hits", "pins", "boards")
    LENGTHS_FIELD_NUMBER: _ClassVar[int]
    ORIGINS_FIELD_NUMBER: _ClassVar[int]
    NUMBERS_FIELD_NUMBER: _ClassVar[int]
    NUMBERS_USED_FIELD_NUMBER: _ClassVar[int]
    TEXTS_FIELD_NUMBER: _ClassVar[int]
    HITS_FIELD_NUMBER: _ClassVar[int]
    PINS_FIELD_NUMBER: _ClassVar[int]
    BOARDS_FIELD_NUMBER: _ClassVar[int]
    lengths: _containers.RepeatedScalarFieldContainer[int]
    origins: _containers.RepeatedScalarFieldContainer[int]
    numbers: _containers.RepeatedScalarFieldContainer[int]
    numbers_used: int
    texts: _containers.RepeatedScalarFieldContainer[str]
    hits: _containers.RepeatedScalarFieldContainer[int]
    pins: _containers.RepeatedScalarFieldContainer[int]
    boards: bytes
    def __init__(self, lengths: _Optional[_Iterable[int]] = ..., origins: _Optional[_Iterable[int]] = ..., numbers: _Optional[_Iterable[int]] = ..., numbers_used: _Optional[int] = ..., texts: _Optional[_Iterable[str]] = ..., hits: _Optional[_Iterable[int]] = ..., pins: _Optional[_Iterable[int]] = ..., boards: _Optional[bytes] = ...) -> None: ...

class Part(_message.Message):
    __slots__ = ("numbers", "kind")
    NUMBERS_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    numbers: _containers.RepeatedScalarFieldContainer[int]
    kind: PartKind
    def __init__(self, numbers: _Optional[_Iterable[int]] = ..., kind: _Optional[_Union[PartKind, str]] = ...) -> None: ...

class TurnContext(_message.Message):
    __slots__ = ("own_roll", "left_head", "part", "locked")
    OWN_ROLL_FIELD_NUMBER: _ClassVar[int]
    LEFT_HEAD_FIELD_NUMBER: _ClassVar[int]
    PART_FIELD_NUMBER: _ClassVar[int]
    LOCKED_FIELD_NUMBER: _ClassVar[int]
    own_roll: int
    left_head: int
    part: Part
    locked: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, own_roll: _Optional[int] = ..., left_head: _Optional[int] = ..., part: _Optional[_Union[Part, _Mapping]] = ..., locked: _Optional[_Iterable[int]] = ...) -> None: ...

class Cube(_message.Message):
    __slots__ = ("value", "owner", "turned", "enabled")
    VALUE_FIELD_NUMBER: _ClassVar[int]
    OWNER_FIELD_NUMBER: _ClassVar[int]
    TURNED_FIELD_NUMBER: _ClassVar[int]
    ENABLED_FIELD_NUMBER: _ClassVar[int]
    value: int
    owner: Seat
    turned: bool
    enabled: bool
    def __init__(self, value: _Optional[int] = ..., owner: _Optional[_Union[Seat, str]] = ..., turned: bool = ..., enabled: bool = ...) -> None: ...

class Outcome(_message.Message):
    __slots__ = ("winner", "points", "level", "ending")
    WINNER_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    ENDING_FIELD_NUMBER: _ClassVar[int]
    winner: Seat
    points: int
    level: Level
    ending: Ending
    def __init__(self, winner: _Optional[_Union[Seat, str]] = ..., points: _Optional[int] = ..., level: _Optional[_Union[Level, str]] = ..., ending: _Optional[_Union[Ending, str]] = ...) -> None: ...
