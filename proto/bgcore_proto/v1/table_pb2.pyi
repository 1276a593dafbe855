from bgcore_proto.v1 import common_pb2 as _common_pb2
from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Iterable as _Iterable, Mapping as _Mapping, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DiceMode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DICE_MODE_UNSPECIFIED: _ClassVar[DiceMode]
    DICE_MODE_SYSTEM: _ClassVar[DiceMode]
    DICE_MODE_SEEDED: _ClassVar[DiceMode]
    DICE_MODE_MANUAL: _ClassVar[DiceMode]
    DICE_MODE_COMMITTED: _ClassVar[DiceMode]

class Visibility(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VISIBILITY_UNSPECIFIED: _ClassVar[Visibility]
    VISIBILITY_PUBLIC: _ClassVar[Visibility]
    VISIBILITY_LINK: _ClassVar[Visibility]
    VISIBILITY_PRIVATE: _ClassVar[Visibility]

class TableStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TABLE_STATUS_UNSPECIFIED: _ClassVar[TableStatus]
    TABLE_STATUS_WAITING: _ClassVar[TableStatus]
    TABLE_STATUS_PLAYING: _ClassVar[TableStatus]
    TABLE_STATUS_FINISHED: _ClassVar[TableStatus]
    TABLE_STATUS_CLOSED: _ClassVar[TableStatus]

class CloseReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CLOSE_REASON_UNSPECIFIED: _ClassVar[CloseReason]
    CLOSE_REASON_HOST: _ClassVar[CloseReason]
    CLOSE_REASON_AGREED: _ClassVar[CloseReason]
    CLOSE_REASON_ABANDONED: _ClassVar[CloseReason]
    CLOSE_REASON_EXPIRED: _ClassVar[CloseReason]

class ClockKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CLOCK_KIND_UNSPECIFIED: _ClassVar[ClockKind]
    CLOCK_KIND_BRONSTEIN: _ClassVar[ClockKind]
    CLOCK_KIND_FISCHER: _ClassVar[ClockKind]
    CLOCK_KIND_PER_TURN: _ClassVar[ClockKind]

class Phase(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PHASE_UNSPECIFIED: _ClassVar[Phase]
    PHASE_OPENING_THROW: _ClassVar[Phase]
    PHASE_ROLL: _ClassVar[Phase]
    PHASE_PLAY: _ClassVar[Phase]
    PHASE_ANSWER_DOUBLE: _ClassVar[Phase]
    PHASE_ANSWER_RESIGNATION: _ClassVar[Phase]
    PHASE_GAME_OVER: _ClassVar[Phase]
    PHASE_MATCH_OVER: _ClassVar[Phase]
    PHASE_NAME_DOUBLE: _ClassVar[Phase]

class ActionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ACTION_KIND_UNSPECIFIED: _ClassVar[ActionKind]
    ACTION_KIND_THROW: _ClassVar[ActionKind]
    ACTION_KIND_ROLL: _ClassVar[ActionKind]
    ACTION_KIND_PLAY: _ClassVar[ActionKind]
    ACTION_KIND_DOUBLE: _ClassVar[ActionKind]
    ACTION_KIND_TAKE: _ClassVar[ActionKind]
    ACTION_KIND_DROP: _ClassVar[ActionKind]
    ACTION_KIND_RESIGN: _ClassVar[ActionKind]
    ACTION_KIND_ANSWER_RESIGNATION: _ClassVar[ActionKind]
    ACTION_KIND_NEXT_GAME: _ClassVar[ActionKind]
    ACTION_KIND_ANIMAL: _ClassVar[ActionKind]
    ACTION_KIND_RESIGN_MATCH: _ClassVar[ActionKind]
    ACTION_KIND_END_SESSION: _ClassVar[ActionKind]
    ACTION_KIND_FLAG: _ClassVar[ActionKind]
    ACTION_KIND_CORRECT: _ClassVar[ActionKind]
    ACTION_KIND_UNDO: _ClassVar[ActionKind]
    ACTION_KIND_ANSWER_UNDO: _ClassVar[ActionKind]
    ACTION_KIND_REMATCH: _ClassVar[ActionKind]
    ACTION_KIND_VOID: _ClassVar[ActionKind]
    ACTION_KIND_NAME_DOUBLE: _ClassVar[ActionKind]
DICE_MODE_UNSPECIFIED: DiceMode
DICE_MODE_SYSTEM: DiceMode
DICE_MODE_SEEDED: DiceMode
DICE_MODE_MANUAL: DiceMode
DICE_MODE_COMMITTED: DiceMode
VISIBILITY_UNSPECIFIED: Visibility
VISIBILITY_PUBLIC: Visibility
VISIBILITY_LINK: Visibility
VISIBILITY_PRIVATE: Visibility
TABLE_STATUS_UNSPECIFIED: TableStatus
TABLE_STATUS_WAITING: TableStatus
TABLE_STATUS_PLAYING: TableStatus
TABLE_STATUS_FINISHED: TableStatus
TABLE_STATUS_CLOSED: TableStatus
CLOSE_REASON_UNSPECIFIED: CloseReason
CLOSE_REASON_HOST: CloseReason
CLOSE_REASON_AGREED: CloseReason
CLOSE_REASON_ABANDONED: CloseReason
CLOSE_REASON_EXPIRED: CloseReason
CLOCK_KIND_UNSPECIFIED: ClockKind
CLOCK_KIND_BRONSTEIN: ClockKind
CLOCK_KIND_FISCHER: ClockKind
CLOCK_KIND_PER_TURN: ClockKind
PHASE_UNSPECIFIED: Phase
PHASE_OPENING_THROW: Phase
PHASE_ROLL: Phase
PHASE_PLAY: Phase
PHASE_ANSWER_DOUBLE: Phase
PHASE_ANSWER_RESIGNATION: Phase
PHASE_GAME_OVER: Phase
PHASE_MATCH_OVER: Phase
PHASE_NAME_DOUBLE: Phase
ACTION_KIND_UNSPECIFIED: ActionKind
ACTION_KIND_THROW: ActionKind
ACTION_KIND_ROLL: ActionKind
ACTION_KIND_PLAY: ActionKind
ACTION_KIND_DOUBLE: ActionKind
ACTION_KIND_TAKE: ActionKind
ACTION_KIND_DROP: ActionKind
ACTION_KIND_RESIGN: ActionKind
ACTION_KIND_ANSWER_RESIGNATION: ActionKind
ACTION_KIND_NEXT_GAME: ActionKind
ACTION_KIND_ANIMAL: ActionKind
ACTION_KIND_RESIGN_MATCH: ActionKind
ACTION_KIND_END_SESSION: ActionKind
ACTION_KIND_FLAG: ActionKind
ACTION_KIND_CORRECT: ActionKind
ACTION_KIND_UNDO: ActionKind
ACTION_KIND_ANSWER_UNDO: ActionKind
ACTION_KIND_REMATCH: ActionKind
ACTION_KIND_VOID: ActionKind
ACTION_KIND_NAME_DOUBLE: ActionKind

class Table(_message.Message):
    __slots__ = ("id", "variant", "options", "rules_version", "white", "black", "dice_mode", "visibility", "status", "create_time", "update_time", "revision", "match_number", "compacted_revision", "rotation")
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _common_pb2.OptionValue
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_common_pb2.OptionValue, _Mapping]] = ...) -> None: ...
    ID_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    RULES_VERSION_FIELD_NUMBER: _ClassVar[int]
    WHITE_FIELD_NUMBER: _ClassVar[int]
    BLACK_FIELD_NUMBER: _ClassVar[int]
    DICE_MODE_FIELD_NUMBER: _ClassVar[int]
    VISIBILITY_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    MATCH_NUMBER_FIELD_NUMBER: _ClassVar[int]
    COMPACTED_REVISION_FIELD_NUMBER: _ClassVar[int]
    ROTATION_FIELD_NUMBER: _ClassVar[int]
    id: str
    variant: _common_pb2.VariantRef
    options: _containers.MessageMap[str, _common_pb2.OptionValue]
    rules_version: str
    white: Occupant
    black: Occupant
    dice_mode: DiceMode
    visibility: Visibility
    status: TableStatus
    create_time: _timestamp_pb2.Timestamp
    update_time: _timestamp_pb2.Timestamp
    revision: int
    match_number: int
    compacted_revision: int
    rotation: _common_pb2.RotationRef
    def __init__(self, id: _Optional[str] = ..., variant: _Optional[_Union[_common_pb2.VariantRef, _Mapping]] = ..., options: _Optional[_Mapping[str, _common_pb2.OptionValue]] = ..., rules_version: _Optional[str] = ..., white: _Optional[_Union[Occupant, _Mapping]] = ..., black: _Optional[_Union[Occupant, _Mapping]] = ..., dice_mode: _Optional[_Union[DiceMode, str]] = ..., visibility: _Optional[_Union[Visibility, str]] = ..., status: _Optional[_Union[TableStatus, str]] = ..., create_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., update_time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., revision: _Optional[int] = ..., match_number: _Optional[int] = ..., compacted_revision: _Optional[int] = ..., rotation: _Optional[_Union[_common_pb2.RotationRef, _Mapping]] = ...) -> None: ...

class Occupant(_message.Message):
    __slots__ = ("player", "bot", "taken")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    BOT_FIELD_NUMBER: _ClassVar[int]
    TAKEN_FIELD_NUMBER: _ClassVar[int]
    player: Player
    bot: Bot
    taken: bool
    def __init__(self, player: _Optional[_Union[Player, _Mapping]] = ..., bot: _Optional[_Union[Bot, _Mapping]] = ..., taken: bool = ...) -> None: ...

class Player(_message.Message):
    __slots__ = ("name", "account", "verified")
    NAME_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    VERIFIED_FIELD_NUMBER: _ClassVar[int]
    name: str
    account: str
    verified: bool
    def __init__(self, name: _Optional[str] = ..., account: _Optional[str] = ..., verified: bool = ...) -> None: ...

class Bot(_message.Message):
    __slots__ = ("id",)
    ID_FIELD_NUMBER: _ClassVar[int]
    id: str
    def __init__(self, id: _Optional[str] = ...) -> None: ...

class TableState(_message.Message):
    __slots__ = ("revision", "match", "game", "decision", "clock", "dice", "asked", "white_may", "black_may", "match_number", "closed", "deadline", "next_commitment")
    REVISION_FIELD_NUMBER: _ClassVar[int]
    MATCH_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    CLOCK_FIELD_NUMBER: _ClassVar[int]
    DICE_FIELD_NUMBER: _ClassVar[int]
    ASKED_FIELD_NUMBER: _ClassVar[int]
    WHITE_MAY_FIELD_NUMBER: _ClassVar[int]
    BLACK_MAY_FIELD_NUMBER: _ClassVar[int]
    MATCH_NUMBER_FIELD_NUMBER: _ClassVar[int]
    CLOSED_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_FIELD_NUMBER: _ClassVar[int]
    NEXT_COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    revision: int
    match: MatchState
    game: GameState
    decision: Decision
    clock: ClockState
    dice: DiceProof
    asked: _containers.RepeatedCompositeFieldContainer[Asked]
    white_may: _containers.RepeatedScalarFieldContainer[ActionKind]
    black_may: _containers.RepeatedScalarFieldContainer[ActionKind]
    match_number: int
    closed: Closed
    deadline: _timestamp_pb2.Timestamp
    next_commitment: str
    def __init__(self, revision: _Optional[int] = ..., match: _Optional[_Union[MatchState, _Mapping]] = ..., game: _Optional[_Union[GameState, _Mapping]] = ..., decision: _Optional[_Union[Decision, _Mapping]] = ..., clock: _Optional[_Union[ClockState, _Mapping]] = ..., dice: _Optional[_Union[DiceProof, _Mapping]] = ..., asked: _Optional[_Iterable[_Union[Asked, _Mapping]]] = ..., white_may: _Optional[_Iterable[_Union[ActionKind, str]]] = ..., black_may: _Optional[_Iterable[_Union[ActionKind, str]]] = ..., match_number: _Optional[int] = ..., closed: _Optional[_Union[Closed, _Mapping]] = ..., deadline: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., next_commitment: _Optional[str] = ...) -> None: ...

class Asked(_message.Message):
    __slots__ = ("seat", "kind", "revision", "variant", "rotation")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    ROTATION_FIELD_NUMBER: _ClassVar[int]
    seat: _common_pb2.Seat
    kind: ActionKind
    revision: int
    variant: _common_pb2.VariantRef
    rotation: _common_pb2.RotationRef
    def __init__(self, seat: _Optional[_Union[_common_pb2.Seat, str]] = ..., kind: _Optional[_Union[ActionKind, str]] = ..., revision: _Optional[int] = ..., variant: _Optional[_Union[_common_pb2.VariantRef, _Mapping]] = ..., rotation: _Optional[_Union[_common_pb2.RotationRef, _Mapping]] = ...) -> None: ...

class Closed(_message.Message):
    __slots__ = ("reason", "void", "note")
    REASON_FIELD_NUMBER: _ClassVar[int]
    VOID_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    reason: CloseReason
    void: bool
    note: str
    def __init__(self, reason: _Optional[_Union[CloseReason, str]] = ..., void: bool = ..., note: _Optional[str] = ...) -> None: ...

class ClockState(_message.Message):
    __slots__ = ("kind", "running", "white_left", "black_left", "deadline")
    KIND_FIELD_NUMBER: _ClassVar[int]
    RUNNING_FIELD_NUMBER: _ClassVar[int]
    WHITE_LEFT_FIELD_NUMBER: _ClassVar[int]
    BLACK_LEFT_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_FIELD_NUMBER: _ClassVar[int]
    kind: ClockKind
    running: _common_pb2.Seat
    white_left: _duration_pb2.Duration
    black_left: _duration_pb2.Duration
    deadline: _timestamp_pb2.Timestamp
    def __init__(self, kind: _Optional[_Union[ClockKind, str]] = ..., running: _Optional[_Union[_common_pb2.Seat, str]] = ..., white_left: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., black_left: _Optional[_Union[_duration_pb2.Duration, _Mapping]] = ..., deadline: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class DiceProof(_message.Message):
    __slots__ = ("commitment", "white_seed", "black_seed", "server_seed", "scheme")
    COMMITMENT_FIELD_NUMBER: _ClassVar[int]
    WHITE_SEED_FIELD_NUMBER: _ClassVar[int]
    BLACK_SEED_FIELD_NUMBER: _ClassVar[int]
    SERVER_SEED_FIELD_NUMBER: _ClassVar[int]
    SCHEME_FIELD_NUMBER: _ClassVar[int]
    commitment: str
    white_seed: str
    black_seed: str
    server_seed: str
    scheme: str
    def __init__(self, commitment: _Optional[str] = ..., white_seed: _Optional[str] = ..., black_seed: _Optional[str] = ..., server_seed: _Optional[str] = ..., scheme: _Optional[str] = ...) -> None: ...

class MatchState(_message.Message):
    __slots__ = ("length", "white_score", "black_score", "game_number", "crawford", "winner", "last_result", "ending", "closed", "variant", "next_variant", "rotation_index")
    LENGTH_FIELD_NUMBER: _ClassVar[int]
    WHITE_SCORE_FIELD_NUMBER: _ClassVar[int]
    BLACK_SCORE_FIELD_NUMBER: _ClassVar[int]
    GAME_NUMBER_FIELD_NUMBER: _ClassVar[int]
    CRAWFORD_FIELD_NUMBER: _ClassVar[int]
    WINNER_FIELD_NUMBER: _ClassVar[int]
    LAST_RESULT_FIELD_NUMBER: _ClassVar[int]
    ENDING_FIELD_NUMBER: _ClassVar[int]
    CLOSED_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    NEXT_VARIANT_FIELD_NUMBER: _ClassVar[int]
    ROTATION_INDEX_FIELD_NUMBER: _ClassVar[int]
    length: int
    white_score: int
    black_score: int
    game_number: int
    crawford: bool
    winner: _common_pb2.Seat
    last_result: GameResult
    ending: _common_pb2.Ending
    closed: bool
    variant: str
    next_variant: str
    rotation_index: int
    def __init__(self, length: _Optional[int] = ..., white_score: _Optional[int] = ..., black_score: _Optional[int] = ..., game_number: _Optional[int] = ..., crawford: bool = ..., winner: _Optional[_Union[_common_pb2.Seat, str]] = ..., last_result: _Optional[_Union[GameResult, _Mapping]] = ..., ending: _Optional[_Union[_common_pb2.Ending, str]] = ..., closed: bool = ..., variant: _Optional[str] = ..., next_variant: _Optional[str] = ..., rotation_index: _Optional[int] = ...) -> None: ...

class GameResult(_message.Message):
    __slots__ = ("game_number", "outcome", "cube", "points")
    GAME_NUMBER_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    CUBE_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    game_number: int
    outcome: _common_pb2.Outcome
    cube: int
    points: int
    def __init__(self, game_number: _Optional[int] = ..., outcome: _Optional[_Union[_common_pb2.Outcome, _Mapping]] = ..., cube: _Optional[int] = ..., points: _Optional[int] = ...) -> None: ...

class GameState(_message.Message):
    __slots__ = ("position", "phase", "cube", "turn", "resignation", "result", "offer", "auto_doubles", "correctable")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    CUBE_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    RESIGNATION_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    OFFER_FIELD_NUMBER: _ClassVar[int]
    AUTO_DOUBLES_FIELD_NUMBER: _ClassVar[int]
    CORRECTABLE_FIELD_NUMBER: _ClassVar[int]
    position: _common_pb2.Position
    phase: Phase
    cube: _common_pb2.Cube
    turn: Turn
    resignation: Resignation
    result: GameResult
    offer: DoubleOffer
    auto_doubles: int
    correctable: _common_pb2.Seat
    def __init__(self, position: _Optional[_Union[_common_pb2.Position, _Mapping]] = ..., phase: _Optional[_Union[Phase, str]] = ..., cube: _Optional[_Union[_common_pb2.Cube, _Mapping]] = ..., turn: _Optional[_Union[Turn, _Mapping]] = ..., resignation: _Optional[_Union[Resignation, _Mapping]] = ..., result: _Optional[_Union[GameResult, _Mapping]] = ..., offer: _Optional[_Union[DoubleOffer, _Mapping]] = ..., auto_doubles: _Optional[int] = ..., correctable: _Optional[_Union[_common_pb2.Seat, str]] = ...) -> None: ...

class DoubleOffer(_message.Message):
    __slots__ = ("seat", "stake_if_taken", "stake_if_refused", "raised", "refusable")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    STAKE_IF_TAKEN_FIELD_NUMBER: _ClassVar[int]
    STAKE_IF_REFUSED_FIELD_NUMBER: _ClassVar[int]
    RAISED_FIELD_NUMBER: _ClassVar[int]
    REFUSABLE_FIELD_NUMBER: _ClassVar[int]
    seat: _common_pb2.Seat
    stake_if_taken: int
    stake_if_refused: int
    raised: int
    refusable: bool
    def __init__(self, seat: _Optional[_Union[_common_pb2.Seat, str]] = ..., stake_if_taken: _Optional[int] = ..., stake_if_refused: _Optional[int] = ..., raised: _Optional[int] = ..., refusable: bool = ...) -> None: ...

class Turn(_message.Message):
    __slots__ = ("dice", "parts", "context")
    DICE_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_FIELD_NUMBER: _ClassVar[int]
    dice: _containers.RepeatedScalarFieldContainer[int]
    parts: _containers.RepeatedCompositeFieldContainer[_common_pb2.Part]
    context: _common_pb2.TurnContext
    def __init__(self, dice: _Optional[_Iterable[int]] = ..., parts: _Optional[_Iterable[_Union[_common_pb2.Part, _Mapping]]] = ..., context: _Optional[_Union[_common_pb2.TurnContext, _Mapping]] = ...) -> None: ...

class Resignation(_message.Message):
    __slots__ = ("seat", "level", "points")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    seat: _common_pb2.Seat
    level: _common_pb2.Level
    points: int
    def __init__(self, seat: _Optional[_Union[_common_pb2.Seat, str]] = ..., level: _Optional[_Union[_common_pb2.Level, str]] = ..., points: _Optional[int] = ...) -> None: ...

class Decision(_message.Message):
    __slots__ = ("seat", "kinds", "plays", "other_kinds", "resign_levels", "other_resign_levels", "correct_plays", "resign_points", "other_resign_points")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    KINDS_FIELD_NUMBER: _ClassVar[int]
    PLAYS_FIELD_NUMBER: _ClassVar[int]
    OTHER_KINDS_FIELD_NUMBER: _ClassVar[int]
    RESIGN_LEVELS_FIELD_NUMBER: _ClassVar[int]
    OTHER_RESIGN_LEVELS_FIELD_NUMBER: _ClassVar[int]
    CORRECT_PLAYS_FIELD_NUMBER: _ClassVar[int]
    RESIGN_POINTS_FIELD_NUMBER: _ClassVar[int]
    OTHER_RESIGN_POINTS_FIELD_NUMBER: _ClassVar[int]
    seat: _common_pb2.Seat
    kinds: _containers.RepeatedScalarFieldContainer[ActionKind]
    plays: _common_pb2.PlayList
    other_kinds: _containers.RepeatedScalarFieldContainer[ActionKind]
    resign_levels: _containers.RepeatedScalarFieldContainer[_common_pb2.Level]
    other_resign_levels: _containers.RepeatedScalarFieldContainer[_common_pb2.Level]
    correct_plays: _common_pb2.PlayList
    resign_points: int
    other_resign_points: int
    def __init__(self, seat: _Optional[_Union[_common_pb2.Seat, str]] = ..., kinds: _Optional[_Iterable[_Union[ActionKind, str]]] = ..., plays: _Optional[_Union[_common_pb2.PlayList, _Mapping]] = ..., other_kinds: _Optional[_Iterable[_Union[ActionKind, str]]] = ..., resign_levels: _Optional[_Iterable[_Union[_common_pb2.Level, str]]] = ..., other_resign_levels: _Optional[_Iterable[_Union[_common_pb2.Level, str]]] = ..., correct_plays: _Optional[_Union[_common_pb2.PlayList, _Mapping]] = ..., resign_points: _Optional[int] = ..., other_resign_points: _Optional[int] = ...) -> None: ...

class Action(_message.Message):
    __slots__ = ("throw", "roll", "play", "double", "take", "drop", "resign", "answer_resignation", "next_game", "animal", "resign_match", "end_session", "flag", "correct", "undo", "answer_undo", "rematch", "void", "name_double")
    THROW_FIELD_NUMBER: _ClassVar[int]
    ROLL_FIELD_NUMBER: _ClassVar[int]
    PLAY_FIELD_NUMBER: _ClassVar[int]
    DOUBLE_FIELD_NUMBER: _ClassVar[int]
    TAKE_FIELD_NUMBER: _ClassVar[int]
    DROP_FIELD_NUMBER: _ClassVar[int]
    RESIGN_FIELD_NUMBER: _ClassVar[int]
    ANSWER_RESIGNATION_FIELD_NUMBER: _ClassVar[int]
    NEXT_GAME_FIELD_NUMBER: _ClassVar[int]
    ANIMAL_FIELD_NUMBER: _ClassVar[int]
    RESIGN_MATCH_FIELD_NUMBER: _ClassVar[int]
    END_SESSION_FIELD_NUMBER: _ClassVar[int]
    FLAG_FIELD_NUMBER: _ClassVar[int]
    CORRECT_FIELD_NUMBER: _ClassVar[int]
    UNDO_FIELD_NUMBER: _ClassVar[int]
    ANSWER_UNDO_FIELD_NUMBER: _ClassVar[int]
    REMATCH_FIELD_NUMBER: _ClassVar[int]
    VOID_FIELD_NUMBER: _ClassVar[int]
    NAME_DOUBLE_FIELD_NUMBER: _ClassVar[int]
    throw: ThrowAction
    roll: RollAction
    play: PlayAction
    double: DoubleAction
    take: TakeAction
    drop: DropAction
    resign: ResignAction
    answer_resignation: AnswerResignationAction
    next_game: NextGameAction
    animal: AnimalAction
    resign_match: ResignMatchAction
    end_session: EndSessionAction
    flag: FlagAction
    correct: CorrectAction
    undo: UndoAction
    answer_undo: AnswerUndoAction
    rematch: RematchAction
    void: VoidAction
    name_double: NameDoubleAction
    def __init__(self, throw: _Optional[_Union[ThrowAction, _Mapping]] = ..., roll: _Optional[_Union[RollAction, _Mapping]] = ..., play: _Optional[_Union[PlayAction, _Mapping]] = ..., double: _Optional[_Union[DoubleAction, _Mapping]] = ..., take: _Optional[_Union[TakeAction, _Mapping]] = ..., drop: _Optional[_Union[DropAction, _Mapping]] = ..., resign: _Optional[_Union[ResignAction, _Mapping]] = ..., answer_resignation: _Optional[_Union[AnswerResignationAction, _Mapping]] = ..., next_game: _Optional[_Union[NextGameAction, _Mapping]] = ..., animal: _Optional[_Union[AnimalAction, _Mapping]] = ..., resign_match: _Optional[_Union[ResignMatchAction, _Mapping]] = ..., end_session: _Optional[_Union[EndSessionAction, _Mapping]] = ..., flag: _Optional[_Union[FlagAction, _Mapping]] = ..., correct: _Optional[_Union[CorrectAction, _Mapping]] = ..., undo: _Optional[_Union[UndoAction, _Mapping]] = ..., answer_undo: _Optional[_Union[AnswerUndoAction, _Mapping]] = ..., rematch: _Optional[_Union[RematchAction, _Mapping]] = ..., void: _Optional[_Union[VoidAction, _Mapping]] = ..., name_double: _Optional[_Union[NameDoubleAction, _Mapping]] = ...) -> None: ...

class ThrowAction(_message.Message):
    __slots__ = ("dice",)
    DICE_FIELD_NUMBER: _ClassVar[int]
    dice: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, dice: _Optional[_Iterable[int]] = ...) -> None: ...

class RollAction(_message.Message):
    __slots__ = ("dice",)
    DICE_FIELD_NUMBER: _ClassVar[int]
    dice: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, dice: _Optional[_Iterable[int]] = ...) -> None: ...

class PlayAction(_message.Message):
    __slots__ = ("play",)
    PLAY_FIELD_NUMBER: _ClassVar[int]
    play: _common_pb2.Play
    def __init__(self, play: _Optional[_Union[_common_pb2.Play, _Mapping]] = ...) -> None: ...

class DoubleAction(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class TakeAction(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class DropAction(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ResignAction(_message.Message):
    __slots__ = ("level", "points")
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    POINTS_FIELD_NUMBER: _ClassVar[int]
    level: _common_pb2.Level
    points: int
    def __init__(self, level: _Optional[_Union[_common_pb2.Level, str]] = ..., points: _Optional[int] = ...) -> None: ...

class AnswerResignationAction(_message.Message):
    __slots__ = ("accept",)
    ACCEPT_FIELD_NUMBER: _ClassVar[int]
    accept: bool
    def __init__(self, accept: bool = ...) -> None: ...

class NextGameAction(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class AnimalAction(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ResignMatchAction(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class EndSessionAction(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class FlagAction(_message.Message):
    __slots__ = ("seat",)
    SEAT_FIELD_NUMBER: _ClassVar[int]
    seat: _common_pb2.Seat
    def __init__(self, seat: _Optional[_Union[_common_pb2.Seat, str]] = ...) -> None: ...

class NameDoubleAction(_message.Message):
    __slots__ = ("number",)
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    number: int
    def __init__(self, number: _Optional[int] = ...) -> None: ...

class CorrectAction(_message.Message):
    __slots__ = ("play",)
    PLAY_FIELD_NUMBER: _ClassVar[int]
    play: _common_pb2.Play
    def __init__(self, play: _Optional[_Union[_common_pb2.Play, _Mapping]] = ...) -> None: ...

class UndoAction(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class AnswerUndoAction(_message.Message):
    __slots__ = ("accept",)
    ACCEPT_FIELD_NUMBER: _ClassVar[int]
    accept: bool
    def __init__(self, accept: bool = ...) -> None: ...

class RematchAction(_message.Message):
    __slots__ = ("variant", "dice_seed", "rotation")
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    DICE_SEED_FIELD_NUMBER: _ClassVar[int]
    ROTATION_FIELD_NUMBER: _ClassVar[int]
    variant: _common_pb2.VariantRef
    dice_seed: str
    rotation: _common_pb2.RotationRef
    def __init__(self, variant: _Optional[_Union[_common_pb2.VariantRef, _Mapping]] = ..., dice_seed: _Optional[str] = ..., rotation: _Optional[_Union[_common_pb2.RotationRef, _Mapping]] = ...) -> None: ...

class VoidAction(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class RecordedAction(_message.Message):
    __slots__ = ("seat", "action")
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    seat: _common_pb2.Seat
    action: Action
    def __init__(self, seat: _Optional[_Union[_common_pb2.Seat, str]] = ..., action: _Optional[_Union[Action, _Mapping]] = ...) -> None: ...

class Event(_message.Message):
    __slots__ = ("revision", "time", "seat", "action", "seat_taken", "seat_left", "closed", "match_started", "request_id", "state", "automatic")
    REVISION_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    SEAT_FIELD_NUMBER: _ClassVar[int]
    ACTION_FIELD_NUMBER: _ClassVar[int]
    SEAT_TAKEN_FIELD_NUMBER: _ClassVar[int]
    SEAT_LEFT_FIELD_NUMBER: _ClassVar[int]
    CLOSED_FIELD_NUMBER: _ClassVar[int]
    MATCH_STARTED_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    AUTOMATIC_FIELD_NUMBER: _ClassVar[int]
    revision: int
    time: _timestamp_pb2.Timestamp
    seat: _common_pb2.Seat
    action: Action
    seat_taken: SeatTaken
    seat_left: SeatLeft
    closed: Closed
    match_started: MatchStarted
    request_id: str
    state: TableState
    automatic: bool
    def __init__(self, revision: _Optional[int] = ..., time: _Optional[_Union[_timestamp_pb2.Timestamp, _Mapping]] = ..., seat: _Optional[_Union[_common_pb2.Seat, str]] = ..., action: _Optional[_Union[Action, _Mapping]] = ..., seat_taken: _Optional[_Union[SeatTaken, _Mapping]] = ..., seat_left: _Optional[_Union[SeatLeft, _Mapping]] = ..., closed: _Optional[_Union[Closed, _Mapping]] = ..., match_started: _Optional[_Union[MatchStarted, _Mapping]] = ..., request_id: _Optional[str] = ..., state: _Optional[_Union[TableState, _Mapping]] = ..., automatic: bool = ...) -> None: ...

class SeatLeft(_message.Message):
    __slots__ = ("kicked",)
    KICKED_FIELD_NUMBER: _ClassVar[int]
    kicked: bool
    def __init__(self, kicked: bool = ...) -> None: ...

class MatchStarted(_message.Message):
    __slots__ = ("match_number", "variant", "options", "rotation")
    class OptionsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _common_pb2.OptionValue
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_common_pb2.OptionValue, _Mapping]] = ...) -> None: ...
    MATCH_NUMBER_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    OPTIONS_FIELD_NUMBER: _ClassVar[int]
    ROTATION_FIELD_NUMBER: _ClassVar[int]
    match_number: int
    variant: _common_pb2.VariantRef
    options: _containers.MessageMap[str, _common_pb2.OptionValue]
    rotation: _common_pb2.RotationRef
    def __init__(self, match_number: _Optional[int] = ..., variant: _Optional[_Union[_common_pb2.VariantRef, _Mapping]] = ..., options: _Optional[_Mapping[str, _common_pb2.OptionValue]] = ..., rotation: _Optional[_Union[_common_pb2.RotationRef, _Mapping]] = ...) -> None: ...

class SeatTaken(_message.Message):
    __slots__ = ("player", "dice_seed")
    PLAYER_FIELD_NUMBER: _ClassVar[int]
    DICE_SEED_FIELD_NUMBER: _ClassVar[int]
    player: Player
    dice_seed: str
    def __init__(self, player: _Optional[_Union[Player, _Mapping]] = ..., dice_seed: _Optional[str] = ...) -> None: ...
