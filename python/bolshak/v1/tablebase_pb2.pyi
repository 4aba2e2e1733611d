from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Value(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VALUE_UNSPECIFIED: _ClassVar[Value]
    VALUE_WIN: _ClassVar[Value]
    VALUE_CURSED_WIN: _ClassVar[Value]
    VALUE_DRAW: _ClassVar[Value]
    VALUE_BLESSED_LOSS: _ClassVar[Value]
    VALUE_LOSS: _ClassVar[Value]

class Color(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    COLOR_UNSPECIFIED: _ClassVar[Color]
    COLOR_WHITE: _ClassVar[Color]
    COLOR_BLACK: _ClassVar[Color]
VALUE_UNSPECIFIED: Value
VALUE_WIN: Value
VALUE_CURSED_WIN: Value
VALUE_DRAW: Value
VALUE_BLESSED_LOSS: Value
VALUE_LOSS: Value
COLOR_UNSPECIFIED: Color
COLOR_WHITE: Color
COLOR_BLACK: Color

class Bitboards(_message.Message):
    __slots__ = ("white_men", "white_kings", "black_men", "black_kings", "turn")
    WHITE_MEN_FIELD_NUMBER: _ClassVar[int]
    WHITE_KINGS_FIELD_NUMBER: _ClassVar[int]
    BLACK_MEN_FIELD_NUMBER: _ClassVar[int]
    BLACK_KINGS_FIELD_NUMBER: _ClassVar[int]
    TURN_FIELD_NUMBER: _ClassVar[int]
    white_men: int
    white_kings: int
    black_men: int
    black_kings: int
    turn: Color
    def __init__(self, white_men: _Optional[int] = ..., white_kings: _Optional[int] = ..., black_men: _Optional[int] = ..., black_kings: _Optional[int] = ..., turn: _Optional[_Union[Color, str]] = ...) -> None: ...

class Position(_message.Message):
    __slots__ = ("fen", "bitboards")
    FEN_FIELD_NUMBER: _ClassVar[int]
    BITBOARDS_FIELD_NUMBER: _ClassVar[int]
    fen: str
    bitboards: Bitboards
    def __init__(self, fen: _Optional[str] = ..., bitboards: _Optional[_Union[Bitboards, _Mapping]] = ...) -> None: ...

class Counters(_message.Message):
    __slots__ = ("ratio_plies", "kings_plies", "road_moves")
    RATIO_PLIES_FIELD_NUMBER: _ClassVar[int]
    KINGS_PLIES_FIELD_NUMBER: _ClassVar[int]
    ROAD_MOVES_FIELD_NUMBER: _ClassVar[int]
    ratio_plies: int
    kings_plies: int
    road_moves: int
    def __init__(self, ratio_plies: _Optional[int] = ..., kings_plies: _Optional[int] = ..., road_moves: _Optional[int] = ...) -> None: ...

class Query(_message.Message):
    __slots__ = ("position", "counters", "rule_set", "variant", "history")
    POSITION_FIELD_NUMBER: _ClassVar[int]
    COUNTERS_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    position: Position
    counters: Counters
    rule_set: str
    variant: str
    history: _containers.RepeatedCompositeFieldContainer[Position]
    def __init__(self, position: _Optional[_Union[Position, _Mapping]] = ..., counters: _Optional[_Union[Counters, _Mapping]] = ..., rule_set: _Optional[str] = ..., variant: _Optional[str] = ..., history: _Optional[_Iterable[_Union[Position, _Mapping]]] = ...) -> None: ...

class Over(_message.Message):
    __slots__ = ("winner", "article", "cites")
    WINNER_FIELD_NUMBER: _ClassVar[int]
    ARTICLE_FIELD_NUMBER: _ClassVar[int]
    CITES_FIELD_NUMBER: _ClassVar[int]
    winner: Color
    article: str
    cites: str
    def __init__(self, winner: _Optional[_Union[Color, str]] = ..., article: _Optional[str] = ..., cites: _Optional[str] = ...) -> None: ...

class Remaining(_message.Message):
    __slots__ = ("article", "cites", "plies", "own_moves")
    ARTICLE_FIELD_NUMBER: _ClassVar[int]
    CITES_FIELD_NUMBER: _ClassVar[int]
    PLIES_FIELD_NUMBER: _ClassVar[int]
    OWN_MOVES_FIELD_NUMBER: _ClassVar[int]
    article: str
    cites: str
    plies: int
    own_moves: int
    def __init__(self, article: _Optional[str] = ..., cites: _Optional[str] = ..., plies: _Optional[int] = ..., own_moves: _Optional[int] = ...) -> None: ...

class RatedMove(_message.Message):
    __slots__ = ("text", "value", "distance_plies", "converts", "captured", "fen_after", "counters_after", "over_after", "unknown")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_PLIES_FIELD_NUMBER: _ClassVar[int]
    CONVERTS_FIELD_NUMBER: _ClassVar[int]
    CAPTURED_FIELD_NUMBER: _ClassVar[int]
    FEN_AFTER_FIELD_NUMBER: _ClassVar[int]
    COUNTERS_AFTER_FIELD_NUMBER: _ClassVar[int]
    OVER_AFTER_FIELD_NUMBER: _ClassVar[int]
    UNKNOWN_FIELD_NUMBER: _ClassVar[int]
    text: str
    value: Value
    distance_plies: int
    converts: bool
    captured: _containers.RepeatedScalarFieldContainer[str]
    fen_after: str
    counters_after: Counters
    over_after: Over
    unknown: Failure
    def __init__(self, text: _Optional[str] = ..., value: _Optional[_Union[Value, str]] = ..., distance_plies: _Optional[int] = ..., converts: _Optional[bool] = ..., captured: _Optional[_Iterable[str]] = ..., fen_after: _Optional[str] = ..., counters_after: _Optional[_Union[Counters, _Mapping]] = ..., over_after: _Optional[_Union[Over, _Mapping]] = ..., unknown: _Optional[_Union[Failure, _Mapping]] = ...) -> None: ...

class Answer(_message.Message):
    __slots__ = ("fen", "counters", "rule_set", "variant", "value", "distance_plies", "over", "moves", "remaining", "cut_by", "history_considered", "warnings", "cut_by_cites", "cut_by_unknown")
    FEN_FIELD_NUMBER: _ClassVar[int]
    COUNTERS_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_PLIES_FIELD_NUMBER: _ClassVar[int]
    OVER_FIELD_NUMBER: _ClassVar[int]
    MOVES_FIELD_NUMBER: _ClassVar[int]
    REMAINING_FIELD_NUMBER: _ClassVar[int]
    CUT_BY_FIELD_NUMBER: _ClassVar[int]
    HISTORY_CONSIDERED_FIELD_NUMBER: _ClassVar[int]
    WARNINGS_FIELD_NUMBER: _ClassVar[int]
    CUT_BY_CITES_FIELD_NUMBER: _ClassVar[int]
    CUT_BY_UNKNOWN_FIELD_NUMBER: _ClassVar[int]
    fen: str
    counters: Counters
    rule_set: str
    variant: str
    value: Value
    distance_plies: int
    over: Over
    moves: _containers.RepeatedCompositeFieldContainer[RatedMove]
    remaining: _containers.RepeatedCompositeFieldContainer[Remaining]
    cut_by: str
    history_considered: bool
    warnings: _containers.RepeatedScalarFieldContainer[str]
    cut_by_cites: str
    cut_by_unknown: Failure
    def __init__(self, fen: _Optional[str] = ..., counters: _Optional[_Union[Counters, _Mapping]] = ..., rule_set: _Optional[str] = ..., variant: _Optional[str] = ..., value: _Optional[_Union[Value, str]] = ..., distance_plies: _Optional[int] = ..., over: _Optional[_Union[Over, _Mapping]] = ..., moves: _Optional[_Iterable[_Union[RatedMove, _Mapping]]] = ..., remaining: _Optional[_Iterable[_Union[Remaining, _Mapping]]] = ..., cut_by: _Optional[str] = ..., history_considered: _Optional[bool] = ..., warnings: _Optional[_Iterable[str]] = ..., cut_by_cites: _Optional[str] = ..., cut_by_unknown: _Optional[_Union[Failure, _Mapping]] = ...) -> None: ...

class Failure(_message.Message):
    __slots__ = ("code", "message", "field", "missing_slices", "reason")
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    FIELD_FIELD_NUMBER: _ClassVar[int]
    MISSING_SLICES_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    code: int
    message: str
    field: str
    missing_slices: _containers.RepeatedScalarFieldContainer[str]
    reason: str
    def __init__(self, code: _Optional[int] = ..., message: _Optional[str] = ..., field: _Optional[str] = ..., missing_slices: _Optional[_Iterable[str]] = ..., reason: _Optional[str] = ...) -> None: ...

class ProbeRequest(_message.Message):
    __slots__ = ("query", "answer_mask")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    ANSWER_MASK_FIELD_NUMBER: _ClassVar[int]
    query: Query
    answer_mask: _field_mask_pb2.FieldMask
    def __init__(self, query: _Optional[_Union[Query, _Mapping]] = ..., answer_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ...) -> None: ...

class ProbeResponse(_message.Message):
    __slots__ = ("answer",)
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    answer: Answer
    def __init__(self, answer: _Optional[_Union[Answer, _Mapping]] = ...) -> None: ...

class StateColumns(_message.Message):
    __slots__ = ("white", "black", "kings", "turns", "ratio_plies", "kings_plies", "road_moves")
    WHITE_FIELD_NUMBER: _ClassVar[int]
    BLACK_FIELD_NUMBER: _ClassVar[int]
    KINGS_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    RATIO_PLIES_FIELD_NUMBER: _ClassVar[int]
    KINGS_PLIES_FIELD_NUMBER: _ClassVar[int]
    ROAD_MOVES_FIELD_NUMBER: _ClassVar[int]
    white: _containers.RepeatedScalarFieldContainer[int]
    black: _containers.RepeatedScalarFieldContainer[int]
    kings: _containers.RepeatedScalarFieldContainer[int]
    turns: bytes
    ratio_plies: _containers.RepeatedScalarFieldContainer[int]
    kings_plies: _containers.RepeatedScalarFieldContainer[int]
    road_moves: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, white: _Optional[_Iterable[int]] = ..., black: _Optional[_Iterable[int]] = ..., kings: _Optional[_Iterable[int]] = ..., turns: _Optional[bytes] = ..., ratio_plies: _Optional[_Iterable[int]] = ..., kings_plies: _Optional[_Iterable[int]] = ..., road_moves: _Optional[_Iterable[int]] = ...) -> None: ...

class FenColumn(_message.Message):
    __slots__ = ("fens",)
    FENS_FIELD_NUMBER: _ClassVar[int]
    fens: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, fens: _Optional[_Iterable[str]] = ...) -> None: ...

class ProbeBatchRequest(_message.Message):
    __slots__ = ("columns", "fens", "rule_set", "variant", "response_mask")
    COLUMNS_FIELD_NUMBER: _ClassVar[int]
    FENS_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    RESPONSE_MASK_FIELD_NUMBER: _ClassVar[int]
    columns: StateColumns
    fens: FenColumn
    rule_set: str
    variant: str
    response_mask: _field_mask_pb2.FieldMask
    def __init__(self, columns: _Optional[_Union[StateColumns, _Mapping]] = ..., fens: _Optional[_Union[FenColumn, _Mapping]] = ..., rule_set: _Optional[str] = ..., variant: _Optional[str] = ..., response_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ...) -> None: ...

class ProbeBatchResponse(_message.Message):
    __slots__ = ("values", "distance_plies", "answers", "failures")
    VALUES_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_PLIES_FIELD_NUMBER: _ClassVar[int]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    FAILURES_FIELD_NUMBER: _ClassVar[int]
    values: bytes
    distance_plies: _containers.RepeatedScalarFieldContainer[int]
    answers: _containers.RepeatedCompositeFieldContainer[Answer]
    failures: _containers.RepeatedCompositeFieldContainer[BatchFailure]
    def __init__(self, values: _Optional[bytes] = ..., distance_plies: _Optional[_Iterable[int]] = ..., answers: _Optional[_Iterable[_Union[Answer, _Mapping]]] = ..., failures: _Optional[_Iterable[_Union[BatchFailure, _Mapping]]] = ...) -> None: ...

class BatchFailure(_message.Message):
    __slots__ = ("index", "failure")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    index: int
    failure: Failure
    def __init__(self, index: _Optional[int] = ..., failure: _Optional[_Union[Failure, _Mapping]] = ...) -> None: ...

class ProbeStreamRequest(_message.Message):
    __slots__ = ("id", "query", "answer_mask")
    ID_FIELD_NUMBER: _ClassVar[int]
    QUERY_FIELD_NUMBER: _ClassVar[int]
    ANSWER_MASK_FIELD_NUMBER: _ClassVar[int]
    id: int
    query: Query
    answer_mask: _field_mask_pb2.FieldMask
    def __init__(self, id: _Optional[int] = ..., query: _Optional[_Union[Query, _Mapping]] = ..., answer_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ...) -> None: ...

class ProbeStreamResponse(_message.Message):
    __slots__ = ("id", "answer", "failure")
    ID_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    id: int
    answer: Answer
    failure: Failure
    def __init__(self, id: _Optional[int] = ..., answer: _Optional[_Union[Answer, _Mapping]] = ..., failure: _Optional[_Union[Failure, _Mapping]] = ...) -> None: ...

class BestMovesRequest(_message.Message):
    __slots__ = ("query", "max_moves")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    MAX_MOVES_FIELD_NUMBER: _ClassVar[int]
    query: Query
    max_moves: int
    def __init__(self, query: _Optional[_Union[Query, _Mapping]] = ..., max_moves: _Optional[int] = ...) -> None: ...

class BestMovesResponse(_message.Message):
    __slots__ = ("value", "moves")
    VALUE_FIELD_NUMBER: _ClassVar[int]
    MOVES_FIELD_NUMBER: _ClassVar[int]
    value: Value
    moves: _containers.RepeatedCompositeFieldContainer[RatedMove]
    def __init__(self, value: _Optional[_Union[Value, str]] = ..., moves: _Optional[_Iterable[_Union[RatedMove, _Mapping]]] = ...) -> None: ...

class LineRequest(_message.Message):
    __slots__ = ("query", "max_plies")
    QUERY_FIELD_NUMBER: _ClassVar[int]
    MAX_PLIES_FIELD_NUMBER: _ClassVar[int]
    query: Query
    max_plies: int
    def __init__(self, query: _Optional[_Union[Query, _Mapping]] = ..., max_plies: _Optional[int] = ...) -> None: ...

class LineResponse(_message.Message):
    __slots__ = ("ply", "move", "fen", "counters", "value", "distance_plies", "remaining", "over")
    PLY_FIELD_NUMBER: _ClassVar[int]
    MOVE_FIELD_NUMBER: _ClassVar[int]
    FEN_FIELD_NUMBER: _ClassVar[int]
    COUNTERS_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_PLIES_FIELD_NUMBER: _ClassVar[int]
    REMAINING_FIELD_NUMBER: _ClassVar[int]
    OVER_FIELD_NUMBER: _ClassVar[int]
    ply: int
    move: str
    fen: str
    counters: Counters
    value: Value
    distance_plies: int
    remaining: _containers.RepeatedCompositeFieldContainer[Remaining]
    over: Over
    def __init__(self, ply: _Optional[int] = ..., move: _Optional[str] = ..., fen: _Optional[str] = ..., counters: _Optional[_Union[Counters, _Mapping]] = ..., value: _Optional[_Union[Value, str]] = ..., distance_plies: _Optional[int] = ..., remaining: _Optional[_Iterable[_Union[Remaining, _Mapping]]] = ..., over: _Optional[_Union[Over, _Mapping]] = ...) -> None: ...

class CoverageRequest(_message.Message):
    __slots__ = ("variant",)
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    variant: str
    def __init__(self, variant: _Optional[str] = ...) -> None: ...

class CoverageResponse(_message.Message):
    __slots__ = ("variants",)
    VARIANTS_FIELD_NUMBER: _ClassVar[int]
    variants: _containers.RepeatedCompositeFieldContainer[VariantCoverage]
    def __init__(self, variants: _Optional[_Iterable[_Union[VariantCoverage, _Mapping]]] = ...) -> None: ...

class VariantCoverage(_message.Message):
    __slots__ = ("variant", "rule_sets", "slices")
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    RULE_SETS_FIELD_NUMBER: _ClassVar[int]
    SLICES_FIELD_NUMBER: _ClassVar[int]
    variant: str
    rule_sets: _containers.RepeatedCompositeFieldContainer[RuleSetInfo]
    slices: _containers.RepeatedCompositeFieldContainer[SliceCoverage]
    def __init__(self, variant: _Optional[str] = ..., rule_sets: _Optional[_Iterable[_Union[RuleSetInfo, _Mapping]]] = ..., slices: _Optional[_Iterable[_Union[SliceCoverage, _Mapping]]] = ...) -> None: ...

class RuleSetInfo(_message.Message):
    __slots__ = ("name", "digest", "complete_pieces")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    COMPLETE_PIECES_FIELD_NUMBER: _ClassVar[int]
    name: str
    digest: bytes
    complete_pieces: int
    def __init__(self, name: _Optional[str] = ..., digest: _Optional[bytes] = ..., complete_pieces: _Optional[int] = ...) -> None: ...

class SliceCoverage(_message.Message):
    __slots__ = ("slice", "pieces", "positions", "files", "missing_slices", "problems")
    SLICE_FIELD_NUMBER: _ClassVar[int]
    PIECES_FIELD_NUMBER: _ClassVar[int]
    POSITIONS_FIELD_NUMBER: _ClassVar[int]
    FILES_FIELD_NUMBER: _ClassVar[int]
    MISSING_SLICES_FIELD_NUMBER: _ClassVar[int]
    PROBLEMS_FIELD_NUMBER: _ClassVar[int]
    slice: str
    pieces: int
    positions: int
    files: _containers.RepeatedCompositeFieldContainer[TableFile]
    missing_slices: _containers.RepeatedScalarFieldContainer[str]
    problems: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, slice: _Optional[str] = ..., pieces: _Optional[int] = ..., positions: _Optional[int] = ..., files: _Optional[_Iterable[_Union[TableFile, _Mapping]]] = ..., missing_slices: _Optional[_Iterable[str]] = ..., problems: _Optional[_Iterable[str]] = ...) -> None: ...

class TableFile(_message.Message):
    __slots__ = ("name", "size_bytes", "sha256")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SIZE_BYTES_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    name: str
    size_bytes: int
    sha256: str
    def __init__(self, name: _Optional[str] = ..., size_bytes: _Optional[int] = ..., sha256: _Optional[str] = ...) -> None: ...

class StatsRequest(_message.Message):
    __slots__ = ("slices", "rule_set", "variant", "distances")
    SLICES_FIELD_NUMBER: _ClassVar[int]
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    DISTANCES_FIELD_NUMBER: _ClassVar[int]
    slices: _containers.RepeatedScalarFieldContainer[str]
    rule_set: str
    variant: str
    distances: bool
    def __init__(self, slices: _Optional[_Iterable[str]] = ..., rule_set: _Optional[str] = ..., variant: _Optional[str] = ..., distances: _Optional[bool] = ...) -> None: ...

class StatsResponse(_message.Message):
    __slots__ = ("slices",)
    SLICES_FIELD_NUMBER: _ClassVar[int]
    slices: _containers.RepeatedCompositeFieldContainer[SliceStats]
    def __init__(self, slices: _Optional[_Iterable[_Union[SliceStats, _Mapping]]] = ...) -> None: ...

class SliceStats(_message.Message):
    __slots__ = ("slice", "positions", "wins", "cursed_wins", "draws", "blessed_losses", "losses", "longest_win", "longest_loss", "distances")
    SLICE_FIELD_NUMBER: _ClassVar[int]
    POSITIONS_FIELD_NUMBER: _ClassVar[int]
    WINS_FIELD_NUMBER: _ClassVar[int]
    CURSED_WINS_FIELD_NUMBER: _ClassVar[int]
    DRAWS_FIELD_NUMBER: _ClassVar[int]
    BLESSED_LOSSES_FIELD_NUMBER: _ClassVar[int]
    LOSSES_FIELD_NUMBER: _ClassVar[int]
    LONGEST_WIN_FIELD_NUMBER: _ClassVar[int]
    LONGEST_LOSS_FIELD_NUMBER: _ClassVar[int]
    DISTANCES_FIELD_NUMBER: _ClassVar[int]
    slice: str
    positions: int
    wins: int
    cursed_wins: int
    draws: int
    blessed_losses: int
    losses: int
    longest_win: Extreme
    longest_loss: Extreme
    distances: _containers.RepeatedCompositeFieldContainer[DistanceCount]
    def __init__(self, slice: _Optional[str] = ..., positions: _Optional[int] = ..., wins: _Optional[int] = ..., cursed_wins: _Optional[int] = ..., draws: _Optional[int] = ..., blessed_losses: _Optional[int] = ..., losses: _Optional[int] = ..., longest_win: _Optional[_Union[Extreme, _Mapping]] = ..., longest_loss: _Optional[_Union[Extreme, _Mapping]] = ..., distances: _Optional[_Iterable[_Union[DistanceCount, _Mapping]]] = ...) -> None: ...

class Extreme(_message.Message):
    __slots__ = ("distance_plies", "fen")
    DISTANCE_PLIES_FIELD_NUMBER: _ClassVar[int]
    FEN_FIELD_NUMBER: _ClassVar[int]
    distance_plies: int
    fen: str
    def __init__(self, distance_plies: _Optional[int] = ..., fen: _Optional[str] = ...) -> None: ...

class DistanceCount(_message.Message):
    __slots__ = ("value", "distance_plies", "positions")
    VALUE_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_PLIES_FIELD_NUMBER: _ClassVar[int]
    POSITIONS_FIELD_NUMBER: _ClassVar[int]
    value: Value
    distance_plies: int
    positions: int
    def __init__(self, value: _Optional[_Union[Value, str]] = ..., distance_plies: _Optional[int] = ..., positions: _Optional[int] = ...) -> None: ...
