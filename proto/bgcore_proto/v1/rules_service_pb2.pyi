from bgcore_proto.v1 import common_pb2 as _common_pb2
from bgcore_proto.v1 import table_pb2 as _table_pb2
from bgcore_proto.v1 import table_service_pb2 as _table_service_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SituationState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SITUATION_STATE_UNSPECIFIED: _ClassVar[SituationState]
    SITUATION_STATE_NONE: _ClassVar[SituationState]
    SITUATION_STATE_PLAYING: _ClassVar[SituationState]
    SITUATION_STATE_OVER: _ClassVar[SituationState]
    SITUATION_STATE_RESIGNED: _ClassVar[SituationState]
    SITUATION_STATE_DROPPED: _ClassVar[SituationState]
SITUATION_STATE_UNSPECIFIED: SituationState
SITUATION_STATE_NONE: SituationState
SITUATION_STATE_PLAYING: SituationState
SITUATION_STATE_OVER: SituationState
SITUATION_STATE_RESIGNED: SituationState
SITUATION_STATE_DROPPED: SituationState

class CheckPositionRequest(_message.Message):
    __slots__ = ("variant", "position")
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    variant: _common_pb2.VariantRef
    position: _common_pb2.Position
    def __init__(self, variant: _Optional[_Union[_common_pb2.VariantRef, _Mapping]] = ..., position: _Optional[_Union[_common_pb2.Position, _Mapping]] = ...) -> None: ...

class CheckPositionResponse(_message.Message):
    __slots__ = ("legal", "faults", "text", "white_pips", "black_pips")
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    WHITE_PIPS_FIELD_NUMBER: _ClassVar[int]
    BLACK_PIPS_FIELD_NUMBER: _ClassVar[int]
    legal: bool
    faults: _containers.RepeatedCompositeFieldContainer[Fault]
    text: str
    white_pips: int
    black_pips: int
    def __init__(self, legal: bool = ..., faults: _Optional[_Iterable[_Union[Fault, _Mapping]]] = ..., text: _Optional[str] = ..., white_pips: _Optional[int] = ..., black_pips: _Optional[int] = ...) -> None: ...

class Fault(_message.Message):
    __slots__ = ("reason", "field", "value", "expected", "message")
    REASON_FIELD_NUMBER: _ClassVar[int]
    FIELD_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    reason: str
    field: str
    value: str
    expected: str
    message: str
    def __init__(self, reason: _Optional[str] = ..., field: _Optional[str] = ..., value: _Optional[str] = ..., expected: _Optional[str] = ..., message: _Optional[str] = ...) -> None: ...

class ListPlaysRequest(_message.Message):
    __slots__ = ("variant", "position", "dice", "turn", "view")
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    DICE_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    variant: _common_pb2.VariantRef
    position: _common_pb2.Position
    dice: _containers.RepeatedScalarFieldContainer[int]
    turn: _common_pb2.TurnContext
    view: _common_pb2.PlayView
    def __init__(self, variant: _Optional[_Union[_common_pb2.VariantRef, _Mapping]] = ..., position: _Optional[_Union[_common_pb2.Position, _Mapping]] = ..., dice: _Optional[_Iterable[int]] = ..., turn: _Optional[_Union[_common_pb2.TurnContext, _Mapping]] = ..., view: _Optional[_Union[_common_pb2.PlayView, str]] = ...) -> None: ...

class ListPlaysResponse(_message.Message):
    __slots__ = ("plays",)
    PLAYS_FIELD_NUMBER: _ClassVar[int]
    plays: _common_pb2.PlayList
    def __init__(self, plays: _Optional[_Union[_common_pb2.PlayList, _Mapping]] = ...) -> None: ...

class ListStepsRequest(_message.Message):
    __slots__ = ("variant", "position", "dice", "turn", "steps")
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    DICE_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    variant: _common_pb2.VariantRef
    position: _common_pb2.Position
    dice: _containers.RepeatedScalarFieldContainer[int]
    turn: _common_pb2.TurnContext
    steps: _containers.RepeatedCompositeFieldContainer[_common_pb2.Step]
    def __init__(self, variant: _Optional[_Union[_common_pb2.VariantRef, _Mapping]] = ..., position: _Optional[_Union[_common_pb2.Position, _Mapping]] = ..., dice: _Optional[_Iterable[int]] = ..., turn: _Optional[_Union[_common_pb2.TurnContext, _Mapping]] = ..., steps: _Optional[_Iterable[_Union[_common_pb2.Step, _Mapping]]] = ...) -> None: ...

class ListStepsResponse(_message.Message):
    __slots__ = ("steps", "may_end", "position")
    STEPS_FIELD_NUMBER: _ClassVar[int]
    MAY_END_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    steps: _containers.RepeatedCompositeFieldContainer[_common_pb2.Step]
    may_end: bool
    position: _common_pb2.Position
    def __init__(self, steps: _Optional[_Iterable[_Union[_common_pb2.Step, _Mapping]]] = ..., may_end: bool = ..., position: _Optional[_Union[_common_pb2.Position, _Mapping]] = ...) -> None: ...

class CheckPlayRequest(_message.Message):
    __slots__ = ("variant", "position", "dice", "turn", "play")
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    DICE_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    PLAY_FIELD_NUMBER: _ClassVar[int]
    variant: _common_pb2.VariantRef
    position: _common_pb2.Position
    dice: _containers.RepeatedScalarFieldContainer[int]
    turn: _common_pb2.TurnContext
    play: _common_pb2.Play
    def __init__(self, variant: _Optional[_Union[_common_pb2.VariantRef, _Mapping]] = ..., position: _Optional[_Union[_common_pb2.Position, _Mapping]] = ..., dice: _Optional[_Iterable[int]] = ..., turn: _Optional[_Union[_common_pb2.TurnContext, _Mapping]] = ..., play: _Optional[_Union[_common_pb2.Play, _Mapping]] = ...) -> None: ...

class CheckPlayResponse(_message.Message):
    __slots__ = ("legal", "reason", "message", "failing_step", "rule", "text", "position")
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    FAILING_STEP_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    legal: bool
    reason: str
    message: str
    failing_step: int
    rule: str
    text: str
    position: _common_pb2.Position
    def __init__(self, legal: bool = ..., reason: _Optional[str] = ..., message: _Optional[str] = ..., failing_step: _Optional[int] = ..., rule: _Optional[str] = ..., text: _Optional[str] = ..., position: _Optional[_Union[_common_pb2.Position, _Mapping]] = ...) -> None: ...

class GetOutcomeRequest(_message.Message):
    __slots__ = ("variant", "position")
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    variant: _common_pb2.VariantRef
    position: _common_pb2.Position
    def __init__(self, variant: _Optional[_Union[_common_pb2.VariantRef, _Mapping]] = ..., position: _Optional[_Union[_common_pb2.Position, _Mapping]] = ...) -> None: ...

class GetOutcomeResponse(_message.Message):
    __slots__ = ("outcome",)
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    outcome: _common_pb2.Outcome
    def __init__(self, outcome: _Optional[_Union[_common_pb2.Outcome, _Mapping]] = ...) -> None: ...

class ConvertPositionRequest(_message.Message):
    __slots__ = ("variant", "position", "text", "source_format", "target_formats", "situation", "source_notation", "target_notations")
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FORMAT_FIELD_NUMBER: _ClassVar[int]
    TARGET_FORMATS_FIELD_NUMBER: _ClassVar[int]
    SITUATION_FIELD_NUMBER: _ClassVar[int]
    SOURCE_NOTATION_FIELD_NUMBER: _ClassVar[int]
    TARGET_NOTATIONS_FIELD_NUMBER: _ClassVar[int]
    variant: _common_pb2.VariantRef
    position: _common_pb2.Position
    text: str
    source_format: _common_pb2.PositionFormat
    target_formats: _containers.RepeatedScalarFieldContainer[_common_pb2.PositionFormat]
    situation: Situation
    source_notation: str
    target_notations: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, variant: _Optional[_Union[_common_pb2.VariantRef, _Mapping]] = ..., position: _Optional[_Union[_common_pb2.Position, _Mapping]] = ..., text: _Optional[str] = ..., source_format: _Optional[_Union[_common_pb2.PositionFormat, str]] = ..., target_formats: _Optional[_Iterable[_Union[_common_pb2.PositionFormat, str]]] = ..., situation: _Optional[_Union[Situation, _Mapping]] = ..., source_notation: _Optional[str] = ..., target_notations: _Optional[_Iterable[str]] = ...) -> None: ...

class ConvertPositionResponse(_message.Message):
    __slots__ = ("position", "situation", "texts", "source_format", "source_notation")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    SITUATION_FIELD_NUMBER: _ClassVar[int]
    TEXTS_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FORMAT_FIELD_NUMBER: _ClassVar[int]
    SOURCE_NOTATION_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.Position
    situation: Situation
    texts: _containers.RepeatedCompositeFieldContainer[FormattedPosition]
    source_format: _common_pb2.PositionFormat
    source_notation: str
    def __init__(self, position: _Optional[_Union[_common_pb2.Position, _Mapping]] = ..., situation: _Optional[_Union[Situation, _Mapping]] = ..., texts: _Optional[_Iterable[_Union[FormattedPosition, _Mapping]]] = ..., source_format: _Optional[_Union[_common_pb2.PositionFormat, str]] = ..., source_notation: _Optional[str] = ...) -> None: ...

class FormattedPosition(_message.Message):
    __slots__ = ("format", "text", "notation")
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    NOTATION_FIELD_NUMBER: _ClassVar[int]
    format: _common_pb2.PositionFormat
    text: str
    notation: str
    def __init__(self, format: _Optional[_Union[_common_pb2.PositionFormat, str]] = ..., text: _Optional[str] = ..., notation: _Optional[str] = ...) -> None: ...

class Situation(_message.Message):
    __slots__ = ("cube", "dice", "length", "white_score", "black_score", "crawford", "jacoby", "beavers", "raised", "resignation", "cube_cap", "decider", "state")
    CUBE_FIELD_NUMBER: _ClassVar[int]
    DICE_FIELD_NUMBER: _ClassVar[int]
    LENGTH_FIELD_NUMBER: _ClassVar[int]
    WHITE_SCORE_FIELD_NUMBER: _ClassVar[int]
    BLACK_SCORE_FIELD_NUMBER: _ClassVar[int]
    CRAWFORD_FIELD_NUMBER: _ClassVar[int]
    JACOBY_FIELD_NUMBER: _ClassVar[int]
    BEAVERS_FIELD_NUMBER: _ClassVar[int]
    RAISED_FIELD_NUMBER: _ClassVar[int]
    RESIGNATION_FIELD_NUMBER: _ClassVar[int]
    CUBE_CAP_FIELD_NUMBER: _ClassVar[int]
    DECIDER_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    cube: _common_pb2.Cube
    dice: _containers.RepeatedScalarFieldContainer[int]
    length: int
    white_score: int
    black_score: int
    crawford: bool
    jacoby: bool
    beavers: bool
    raised: int
    resignation: _table_pb2.Resignation
    cube_cap: int
    decider: _common_pb2.Seat
    state: SituationState
    def __init__(self, cube: _Optional[_Union[_common_pb2.Cube, _Mapping]] = ..., dice: _Optional[_Iterable[int]] = ..., length: _Optional[int] = ..., white_score: _Optional[int] = ..., black_score: _Optional[int] = ..., crawford: bool = ..., jacoby: bool = ..., beavers: bool = ..., raised: _Optional[int] = ..., resignation: _Optional[_Union[_table_pb2.Resignation, _Mapping]] = ..., cube_cap: _Optional[int] = ..., decider: _Optional[_Union[_common_pb2.Seat, str]] = ..., state: _Optional[_Union[SituationState, str]] = ...) -> None: ...

class ReplayMatchRequest(_message.Message):
    __slots__ = ("text", "format", "notation")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    NOTATION_FIELD_NUMBER: _ClassVar[int]
    text: str
    format: _common_pb2.MatchFormat
    notation: str
    def __init__(self, text: _Optional[str] = ..., format: _Optional[_Union[_common_pb2.MatchFormat, str]] = ..., notation: _Optional[str] = ...) -> None: ...

class ReplayMatchResponse(_message.Message):
    __slots__ = ("matches", "format", "faults", "notation")
    MATCHES_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    NOTATION_FIELD_NUMBER: _ClassVar[int]
    matches: _containers.RepeatedCompositeFieldContainer[ReplayedMatch]
    format: _common_pb2.MatchFormat
    faults: _containers.RepeatedCompositeFieldContainer[RowFault]
    notation: str
    def __init__(self, matches: _Optional[_Iterable[_Union[ReplayedMatch, _Mapping]]] = ..., format: _Optional[_Union[_common_pb2.MatchFormat, str]] = ..., faults: _Optional[_Iterable[_Union[RowFault, _Mapping]]] = ..., notation: _Optional[str] = ...) -> None: ...

class ReplayedMatch(_message.Message):
    __slots__ = ("variant", "options", "white", "black", "headers", "start", "actions", "white_score", "black_score", "winner", "games", "faults", "rules_version", "rotation")
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _common_pb2.OptionValue
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_common_pb2.OptionValue, _Mapping]] = ...) -> None: ...
    class HeadersEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    WHITE_FIELD_NUMBER: _ClassVar[int]
    BLACK_FIELD_NUMBER: _ClassVar[int]
    HEADERS_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    WHITE_SCORE_FIELD_NUMBER: _ClassVar[int]
    BLACK_SCORE_FIELD_NUMBER: _ClassVar[int]
    WINNER_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    RULES_VERSION_FIELD_NUMBER: _ClassVar[int]
    ROTATION_FIELD_NUMBER: _ClassVar[int]
    variant: _common_pb2.VariantRef
    options: _containers.MessageMap[str, _common_pb2.OptionValue]
    white: str
    black: str
    headers: _containers.ScalarMap[str, str]
    start: _table_service_pb2.Start
    actions: _containers.RepeatedCompositeFieldContainer[_table_pb2.RecordedAction]
    white_score: int
    black_score: int
    winner: _common_pb2.Seat
    games: _containers.RepeatedCompositeFieldContainer[ReplayedGame]
    faults: _containers.RepeatedCompositeFieldContainer[RowFault]
    rules_version: str
    rotation: _common_pb2.RotationRef
    def __init__(self, variant: _Optional[_Union[_common_pb2.VariantRef, _Mapping]] = ..., options: _Optional[_Mapping[str, _common_pb2.OptionValue]] = ..., white: _Optional[str] = ..., black: _Optional[str] = ..., headers: _Optional[_Mapping[str, str]] = ..., start: _Optional[_Union[_table_service_pb2.Start, _Mapping]] = ..., actions: _Optional[_Iterable[_Union[_table_pb2.RecordedAction, _Mapping]]] = ..., white_score: _Optional[int] = ..., black_score: _Optional[int] = ..., winner: _Optional[_Union[_common_pb2.Seat, str]] = ..., games: _Optional[_Iterable[_Union[ReplayedGame, _Mapping]]] = ..., faults: _Optional[_Iterable[_Union[RowFault, _Mapping]]] = ..., rules_version: _Optional[str] = ..., rotation: _Optional[_Union[_common_pb2.RotationRef, _Mapping]] = ...) -> None: ...

class ReplayedGame(_message.Message):
    __slots__ = ("number", "white_score", "black_score", "winner", "points", "points_by_rule", "ended_by", "level", "cube", "rolls", "flags")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    WHITE_SCORE_FIELD_NUMBER: _ClassVar[int]
    BLACK_SCORE_FIELD_NUMBER: _ClassVar[int]
    WINNER_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    POINTS_BY_RULE_FIELD_NUMBER: _ClassVar[int]
    ENDED_BY_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    CUBE_FIELD_NUMBER: _ClassVar[int]
    ROLLS_FIELD_NUMBER: _ClassVar[int]
    FLAGS_FIELD_NUMBER: _ClassVar[int]
    number: int
    white_score: int
    black_score: int
    winner: _common_pb2.Seat
    points: int
    points_by_rule: int
    ended_by: str
    level: _common_pb2.Level
    cube: int
    rolls: int
    flags: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, number: _Optional[int] = ..., white_score: _Optional[int] = ..., black_score: _Optional[int] = ..., winner: _Optional[_Union[_common_pb2.Seat, str]] = ..., points: _Optional[int] = ..., points_by_rule: _Optional[int] = ..., ended_by: _Optional[str] = ..., level: _Optional[_Union[_common_pb2.Level, str]] = ..., cube: _Optional[int] = ..., rolls: _Optional[int] = ..., flags: _Optional[_Iterable[str]] = ...) -> None: ...

class RowFault(_message.Message):
    __slots__ = ("line", "reason", "message")
    LINE_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    line: int
    reason: str
    message: str
    def __init__(self, line: _Optional[int] = ..., reason: _Optional[str] = ..., message: _Optional[str] = ...) -> None: ...

class FormatMatchRequest(_message.Message):
    __slots__ = ("text", "match", "source_format", "format", "source_notation", "notation")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FORMAT_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    SOURCE_NOTATION_FIELD_NUMBER: _ClassVar[int]
    NOTATION_FIELD_NUMBER: _ClassVar[int]
    text: str
    match: ReplayedMatch
    source_format: _common_pb2.MatchFormat
    format: _common_pb2.MatchFormat
    source_notation: str
    notation: str
    def __init__(self, text: _Optional[str] = ..., match: _Optional[_Union[ReplayedMatch, _Mapping]] = ..., source_format: _Optional[_Union[_common_pb2.MatchFormat, str]] = ..., format: _Optional[_Union[_common_pb2.MatchFormat, str]] = ..., source_notation: _Optional[str] = ..., notation: _Optional[str] = ...) -> None: ...

class FormatMatchResponse(_message.Message):
    __slots__ = ("text", "format", "notation")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    NOTATION_FIELD_NUMBER: _ClassVar[int]
    text: str
    format: _common_pb2.MatchFormat
    notation: str
    def __init__(self, text: _Optional[str] = ..., format: _Optional[_Union[_common_pb2.MatchFormat, str]] = ..., notation: _Optional[str] = ...) -> None: ...

class BatchListPlaysRequest(_message.Message):
    __slots__ = ("variant", "positions", "dice", "boards")
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    POSITIONS_FIELD_NUMBER: _ClassVar[int]
    DICE_FIELD_NUMBER: _ClassVar[int]
    BOARDS_FIELD_NUMBER: _ClassVar[int]
    variant: _common_pb2.VariantRef
    positions: bytes
    dice: bytes
    boards: bool
    def __init__(self, variant: _Optional[_Union[_common_pb2.VariantRef, _Mapping]] = ..., positions: _Optional[bytes] = ..., dice: _Optional[bytes] = ..., boards: bool = ...) -> None: ...

class BatchListPlaysResponse(_message.Message):
    __slots__ = ("plays", "offsets", "numbers_used", "boards")
    PLAYS_FIELD_NUMBER: _ClassVar[int]
    OFFSETS_FIELD_NUMBER: _ClassVar[int]
    NUMBERS_USED_FIELD_NUMBER: _ClassVar[int]
    BOARDS_FIELD_NUMBER: _ClassVar[int]
    plays: bytes
    offsets: _containers.RepeatedScalarFieldContainer[int]
    numbers_used: bytes
    boards: bytes
    def __init__(self, plays: _Optional[bytes] = ..., offsets: _Optional[_Iterable[int]] = ..., numbers_used: _Optional[bytes] = ..., boards: _Optional[bytes] = ...) -> None: ...
