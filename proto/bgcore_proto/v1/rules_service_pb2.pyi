from bgcore_proto.v1 import common_pb2 as _common_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

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
