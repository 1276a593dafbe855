from bgcore_proto.v1 import common_pb2 as _common_pb2
from bgcore_proto.v1 import table_pb2 as _table_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Crawford(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CRAWFORD_UNSPECIFIED: _ClassVar[Crawford]
    CRAWFORD_BEFORE: _ClassVar[Crawford]
    CRAWFORD_NOW: _ClassVar[Crawford]
    CRAWFORD_AFTER: _ClassVar[Crawford]
CRAWFORD_UNSPECIFIED: Crawford
CRAWFORD_BEFORE: Crawford
CRAWFORD_NOW: Crawford
CRAWFORD_AFTER: Crawford

class CreateTableRequest(_message.Message):
    __slots__ = ("variant", "dice_mode", "seed", "white", "black", "visibility", "start", "request_id", "rotation")
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    DICE_MODE_FIELD_NUMBER: _ClassVar[int]
    SEED_FIELD_NUMBER: _ClassVar[int]
    WHITE_FIELD_NUMBER: _ClassVar[int]
    BLACK_FIELD_NUMBER: _ClassVar[int]
    VISIBILITY_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    ROTATION_FIELD_NUMBER: _ClassVar[int]
    variant: _common_pb2.VariantRef
    dice_mode: _table_pb2.DiceMode
    seed: int
    white: _table_pb2.Occupant
    black: _table_pb2.Occupant
    visibility: _table_pb2.Visibility
    start: Start
    request_id: str
    rotation: _common_pb2.RotationRef
    def __init__(self, variant: _Optional[_Union[_common_pb2.VariantRef, _Mapping]] = ..., dice_mode: _Optional[_Union[_table_pb2.DiceMode, str]] = ..., seed: _Optional[int] = ..., white: _Optional[_Union[_table_pb2.Occupant, _Mapping]] = ..., black: _Optional[_Union[_table_pb2.Occupant, _Mapping]] = ..., visibility: _Optional[_Union[_table_pb2.Visibility, str]] = ..., start: _Optional[_Union[Start, _Mapping]] = ..., request_id: _Optional[str] = ..., rotation: _Optional[_Union[_common_pb2.RotationRef, _Mapping]] = ...) -> None: ...

class Start(_message.Message):
    __slots__ = ("position", "cube", "white_score", "black_score", "crawford", "dice", "record")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    CUBE_FIELD_NUMBER: _ClassVar[int]
    WHITE_SCORE_FIELD_NUMBER: _ClassVar[int]
    BLACK_SCORE_FIELD_NUMBER: _ClassVar[int]
    CRAWFORD_FIELD_NUMBER: _ClassVar[int]
    DICE_FIELD_NUMBER: _ClassVar[int]
    RECORD_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.Position
    cube: _common_pb2.Cube
    white_score: int
    black_score: int
    crawford: Crawford
    dice: _containers.RepeatedScalarFieldContainer[int]
    record: str
    def __init__(self, position: _Optional[_Union[_common_pb2.Position, _Mapping]] = ..., cube: _Optional[_Union[_common_pb2.Cube, _Mapping]] = ..., white_score: _Optional[int] = ..., black_score: _Optional[int] = ..., crawford: _Optional[_Union[Crawford, str]] = ..., dice: _Optional[_Iterable[int]] = ..., record: _Optional[str] = ...) -> None: ...

class CreateTableResponse(_message.Message):
    __slots__ = ("table", "state", "host_token", "invitation_token", "spectator_token")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    HOST_TOKEN_FIELD_NUMBER: _ClassVar[int]
    INVITATION_TOKEN_FIELD_NUMBER: _ClassVar[int]
    SPECTATOR_TOKEN_FIELD_NUMBER: _ClassVar[int]
    table: _table_pb2.Table
    state: _table_pb2.TableState
    host_token: str
    invitation_token: str
    spectator_token: str
    def __init__(self, table: _Optional[_Union[_table_pb2.Table, _Mapping]] = ..., state: _Optional[_Union[_table_pb2.TableState, _Mapping]] = ..., host_token: _Optional[str] = ..., invitation_token: _Optional[str] = ..., spectator_token: _Optional[str] = ...) -> None: ...

class GetTableRequest(_message.Message):
    __slots__ = ("table", "view")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    table: str
    view: _common_pb2.PlayView
    def __init__(self, table: _Optional[str] = ..., view: _Optional[_Union[_common_pb2.PlayView, str]] = ...) -> None: ...

class GetTableResponse(_message.Message):
    __slots__ = ("table", "state")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    table: _table_pb2.Table
    state: _table_pb2.TableState
    def __init__(self, table: _Optional[_Union[_table_pb2.Table, _Mapping]] = ..., state: _Optional[_Union[_table_pb2.TableState, _Mapping]] = ...) -> None: ...

class ListTablesRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "variant", "status")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    variant: str
    status: _table_pb2.TableStatus
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., variant: _Optional[str] = ..., status: _Optional[_Union[_table_pb2.TableStatus, str]] = ...) -> None: ...

class ListTablesResponse(_message.Message):
    __slots__ = ("tables", "next_page_token")
    TABLES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    tables: _containers.RepeatedCompositeFieldContainer[_table_pb2.Table]
    next_page_token: str
    def __init__(self, tables: _Optional[_Iterable[_Union[_table_pb2.Table, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class JoinTableRequest(_message.Message):
    __slots__ = ("table", "seat", "name", "request_id", "dice_seed", "invitation")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    DICE_SEED_FIELD_NUMBER: _ClassVar[int]
    INVITATION_FIELD_NUMBER: _ClassVar[int]
    table: str
    seat: _common_pb2.Seat
    name: str
    request_id: str
    dice_seed: str
    invitation: str
    def __init__(self, table: _Optional[str] = ..., seat: _Optional[_Union[_common_pb2.Seat, str]] = ..., name: _Optional[str] = ..., request_id: _Optional[str] = ..., dice_seed: _Optional[str] = ..., invitation: _Optional[str] = ...) -> None: ...

class LeaveTableRequest(_message.Message):
    __slots__ = ("table", "seat")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    table: str
    seat: _common_pb2.Seat
    def __init__(self, table: _Optional[str] = ..., seat: _Optional[_Union[_common_pb2.Seat, str]] = ...) -> None: ...

class LeaveTableResponse(_message.Message):
    __slots__ = ("table", "state")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    table: _table_pb2.Table
    state: _table_pb2.TableState
    def __init__(self, table: _Optional[_Union[_table_pb2.Table, _Mapping]] = ..., state: _Optional[_Union[_table_pb2.TableState, _Mapping]] = ...) -> None: ...

class CloseTableRequest(_message.Message):
    __slots__ = ("table", "note")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    table: str
    note: str
    def __init__(self, table: _Optional[str] = ..., note: _Optional[str] = ...) -> None: ...

class CloseTableResponse(_message.Message):
    __slots__ = ("table", "state")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    table: _table_pb2.Table
    state: _table_pb2.TableState
    def __init__(self, table: _Optional[_Union[_table_pb2.Table, _Mapping]] = ..., state: _Optional[_Union[_table_pb2.TableState, _Mapping]] = ...) -> None: ...

class JoinTableResponse(_message.Message):
    __slots__ = ("seat", "token", "table", "state")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    TABLE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    seat: _common_pb2.Seat
    token: str
    table: _table_pb2.Table
    state: _table_pb2.TableState
    def __init__(self, seat: _Optional[_Union[_common_pb2.Seat, str]] = ..., token: _Optional[str] = ..., table: _Optional[_Union[_table_pb2.Table, _Mapping]] = ..., state: _Optional[_Union[_table_pb2.TableState, _Mapping]] = ...) -> None: ...

class ActRequest(_message.Message):
    __slots__ = ("table", "request_id", "expected_revision", "action", "validate_only", "view", "seat")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_REVISION_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    VALIDATE_ONLY_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    table: str
    request_id: str
    expected_revision: int
    action: _table_pb2.Action
    validate_only: bool
    view: _common_pb2.PlayView
    seat: _common_pb2.Seat
    def __init__(self, table: _Optional[str] = ..., request_id: _Optional[str] = ..., expected_revision: _Optional[int] = ..., action: _Optional[_Union[_table_pb2.Action, _Mapping]] = ..., validate_only: bool = ..., view: _Optional[_Union[_common_pb2.PlayView, str]] = ..., seat: _Optional[_Union[_common_pb2.Seat, str]] = ...) -> None: ...

class ActResponse(_message.Message):
    __slots__ = ("first_revision", "last_revision", "events", "state")
    FIRST_REVISION_FIELD_NUMBER: _ClassVar[int]
    LAST_REVISION_FIELD_NUMBER: _ClassVar[int]
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    first_revision: int
    last_revision: int
    events: _containers.RepeatedCompositeFieldContainer[_table_pb2.Event]
    state: _table_pb2.TableState
    def __init__(self, first_revision: _Optional[int] = ..., last_revision: _Optional[int] = ..., events: _Optional[_Iterable[_Union[_table_pb2.Event, _Mapping]]] = ..., state: _Optional[_Union[_table_pb2.TableState, _Mapping]] = ...) -> None: ...

class WatchTableRequest(_message.Message):
    __slots__ = ("table", "after_revision", "view")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    AFTER_REVISION_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    table: str
    after_revision: int
    view: _common_pb2.PlayView
    def __init__(self, table: _Optional[str] = ..., after_revision: _Optional[int] = ..., view: _Optional[_Union[_common_pb2.PlayView, str]] = ...) -> None: ...

class WatchTableResponse(_message.Message):
    __slots__ = ("snapshot", "event", "heartbeat")
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    EVENT_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    snapshot: Snapshot
    event: _table_pb2.Event
    heartbeat: Heartbeat
    def __init__(self, snapshot: _Optional[_Union[Snapshot, _Mapping]] = ..., event: _Optional[_Union[_table_pb2.Event, _Mapping]] = ..., heartbeat: _Optional[_Union[Heartbeat, _Mapping]] = ...) -> None: ...

class Snapshot(_message.Message):
    __slots__ = ("table", "state")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    table: _table_pb2.Table
    state: _table_pb2.TableState
    def __init__(self, table: _Optional[_Union[_table_pb2.Table, _Mapping]] = ..., state: _Optional[_Union[_table_pb2.TableState, _Mapping]] = ...) -> None: ...

class Heartbeat(_message.Message):
    __slots__ = ("revision", "time")
    REVISION_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    revision: int
    time: _timestamp_pb2.Timestamp
    def __init__(self, revision: _Optional[int] = ..., time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListEventsRequest(_message.Message):
    __slots__ = ("table", "page_size", "page_token", "after_revision", "states", "view")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    AFTER_REVISION_FIELD_NUMBER: _ClassVar[int]
    STATES_FIELD_NUMBER: _ClassVar[int]
    VIEW_FIELD_NUMBER: _ClassVar[int]
    table: str
    page_size: int
    page_token: str
    after_revision: int
    states: bool
    view: _common_pb2.PlayView
    def __init__(self, table: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., after_revision: _Optional[int] = ..., states: bool = ..., view: _Optional[_Union[_common_pb2.PlayView, str]] = ...) -> None: ...

class ListEventsResponse(_message.Message):
    __slots__ = ("events", "next_page_token")
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[_table_pb2.Event]
    next_page_token: str
    def __init__(self, events: _Optional[_Iterable[_Union[_table_pb2.Event, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ExportMatchRequest(_message.Message):
    __slots__ = ("table", "format", "match_number", "notation")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    MATCH_NUMBER_FIELD_NUMBER: _ClassVar[int]
    NOTATION_FIELD_NUMBER: _ClassVar[int]
    table: str
    format: _common_pb2.MatchFormat
    match_number: int
    notation: str
    def __init__(self, table: _Optional[str] = ..., format: _Optional[_Union[_common_pb2.MatchFormat, str]] = ..., match_number: _Optional[int] = ..., notation: _Optional[str] = ...) -> None: ...

class ExportMatchResponse(_message.Message):
    __slots__ = ("text", "media_type", "file_name", "format", "revision", "notation")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    MEDIA_TYPE_FIELD_NUMBER: _ClassVar[int]
    FILE_NAME_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    NOTATION_FIELD_NUMBER: _ClassVar[int]
    text: str
    media_type: str
    file_name: str
    format: _common_pb2.MatchFormat
    revision: int
    notation: str
    def __init__(self, text: _Optional[str] = ..., media_type: _Optional[str] = ..., file_name: _Optional[str] = ..., format: _Optional[_Union[_common_pb2.MatchFormat, str]] = ..., revision: _Optional[int] = ..., notation: _Optional[str] = ...) -> None: ...

class VerifyDiceRequest(_message.Message):
    __slots__ = ("table", "match_number")
    TABLE_FIELD_NUMBER: _ClassVar[int]
    MATCH_NUMBER_FIELD_NUMBER: _ClassVar[int]
    table: str
    match_number: int
    def __init__(self, table: _Optional[str] = ..., match_number: _Optional[int] = ...) -> None: ...

class VerifyDiceResponse(_message.Message):
    __slots__ = ("legal", "dice", "throws", "faults", "given_throws")
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    DICE_FIELD_NUMBER: _ClassVar[int]
    THROWS_FIELD_NUMBER: _ClassVar[int]
    FAULTS_FIELD_NUMBER: _ClassVar[int]
    GIVEN_THROWS_FIELD_NUMBER: _ClassVar[int]
    legal: bool
    dice: _table_pb2.DiceProof
    throws: _containers.RepeatedCompositeFieldContainer[VerifiedThrow]
    faults: _containers.RepeatedCompositeFieldContainer[DiceFault]
    given_throws: int
    def __init__(self, legal: bool = ..., dice: _Optional[_Union[_table_pb2.DiceProof, _Mapping]] = ..., throws: _Optional[_Iterable[_Union[VerifiedThrow, _Mapping]]] = ..., faults: _Optional[_Iterable[_Union[DiceFault, _Mapping]]] = ..., given_throws: _Optional[int] = ...) -> None: ...

class DiceFault(_message.Message):
    __slots__ = ("revision", "reason", "value", "expected", "message")
    REVISION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    revision: int
    reason: str
    value: str
    expected: str
    message: str
    def __init__(self, revision: _Optional[int] = ..., reason: _Optional[str] = ..., value: _Optional[str] = ..., expected: _Optional[str] = ..., message: _Optional[str] = ...) -> None: ...

class VerifiedThrow(_message.Message):
    __slots__ = ("revision", "dice", "derived", "number")
    REVISION_FIELD_NUMBER: _ClassVar[int]
    DICE_FIELD_NUMBER: _ClassVar[int]
    DERIVED_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    revision: int
    dice: _containers.RepeatedScalarFieldContainer[int]
    derived: _containers.RepeatedScalarFieldContainer[int]
    number: int
    def __init__(self, revision: _Optional[int] = ..., dice: _Optional[_Iterable[int]] = ..., derived: _Optional[_Iterable[int]] = ..., number: _Optional[int] = ...) -> None: ...
