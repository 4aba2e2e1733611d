from bolshak.v1 import tablebase_pb2 as _tablebase_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Language(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    LANGUAGE_UNSPECIFIED: _ClassVar[Language]
    LANGUAGE_ENGLISH: _ClassVar[Language]
    LANGUAGE_RUSSIAN: _ClassVar[Language]

class GameResult(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GAME_RESULT_UNSPECIFIED: _ClassVar[GameResult]
    GAME_RESULT_WIN_WHITE: _ClassVar[GameResult]
    GAME_RESULT_WIN_BLACK: _ClassVar[GameResult]
    GAME_RESULT_DRAW: _ClassVar[GameResult]
    GAME_RESULT_UNFINISHED: _ClassVar[GameResult]

class CountUnit(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    COUNT_UNIT_UNSPECIFIED: _ClassVar[CountUnit]
    COUNT_UNIT_PLIES: _ClassVar[CountUnit]
    COUNT_UNIT_OWN_MOVES: _ClassVar[CountUnit]
    COUNT_UNIT_OCCURRENCES: _ClassVar[CountUnit]
    COUNT_UNIT_EQUAL_BLOCKS: _ClassVar[CountUnit]

class Fits(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FITS_UNSPECIFIED: _ClassVar[Fits]
    FITS_YES: _ClassVar[Fits]
    FITS_NO: _ClassVar[Fits]
    FITS_POSSIBLE: _ClassVar[Fits]
    FITS_UNKNOWN: _ClassVar[Fits]

class GaveAway(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GAVE_AWAY_UNSPECIFIED: _ClassVar[GaveAway]
    GAVE_AWAY_WIN: _ClassVar[GaveAway]
    GAVE_AWAY_DRAW: _ClassVar[GaveAway]

class Flag(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FLAG_UNSPECIFIED: _ClassVar[Flag]
    FLAG_UP: _ClassVar[Flag]
    FLAG_FELL_BEFORE: _ClassVar[Flag]
    FLAG_FELL_DURING_CHECK: _ClassVar[Flag]

class Decision(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DECISION_UNSPECIFIED: _ClassVar[Decision]
    DECISION_UPHELD: _ClassVar[Decision]
    DECISION_REFUSED: _ClassVar[Decision]
    DECISION_NOT_CONSIDERED: _ClassVar[Decision]
    DECISION_FACTS_ONLY: _ClassVar[Decision]
    DECISION_NEEDS_TABLE: _ClassVar[Decision]
LANGUAGE_UNSPECIFIED: Language
LANGUAGE_ENGLISH: Language
LANGUAGE_RUSSIAN: Language
GAME_RESULT_UNSPECIFIED: GameResult
GAME_RESULT_WIN_WHITE: GameResult
GAME_RESULT_WIN_BLACK: GameResult
GAME_RESULT_DRAW: GameResult
GAME_RESULT_UNFINISHED: GameResult
COUNT_UNIT_UNSPECIFIED: CountUnit
COUNT_UNIT_PLIES: CountUnit
COUNT_UNIT_OWN_MOVES: CountUnit
COUNT_UNIT_OCCURRENCES: CountUnit
COUNT_UNIT_EQUAL_BLOCKS: CountUnit
FITS_UNSPECIFIED: Fits
FITS_YES: Fits
FITS_NO: Fits
FITS_POSSIBLE: Fits
FITS_UNKNOWN: Fits
GAVE_AWAY_UNSPECIFIED: GaveAway
GAVE_AWAY_WIN: GaveAway
GAVE_AWAY_DRAW: GaveAway
FLAG_UNSPECIFIED: Flag
FLAG_UP: Flag
FLAG_FELL_BEFORE: Flag
FLAG_FELL_DURING_CHECK: Flag
DECISION_UNSPECIFIED: Decision
DECISION_UPHELD: Decision
DECISION_REFUSED: Decision
DECISION_NOT_CONSIDERED: Decision
DECISION_FACTS_ONLY: Decision
DECISION_NEEDS_TABLE: Decision

class ArbiterTerms(_message.Message):
    __slots__ = ("rule_sets", "variant", "language")
    RULE_SETS_FIELD_NUMBER: _ClassVar[int]
    VARIANT_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    rule_sets: _containers.RepeatedScalarFieldContainer[str]
    variant: str
    language: Language
    def __init__(self, rule_sets: _Optional[_Iterable[str]] = ..., variant: _Optional[str] = ..., language: _Optional[_Union[Language, str]] = ...) -> None: ...

class VerifyGameRequest(_message.Message):
    __slots__ = ("pdn", "game", "terms", "every_ply")
    PDN_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    TERMS_FIELD_NUMBER: _ClassVar[int]
    EVERY_PLY_FIELD_NUMBER: _ClassVar[int]
    pdn: bytes
    game: int
    terms: ArbiterTerms
    every_ply: bool
    def __init__(self, pdn: _Optional[bytes] = ..., game: _Optional[int] = ..., terms: _Optional[_Union[ArbiterTerms, _Mapping]] = ..., every_ply: _Optional[bool] = ...) -> None: ...

class VerifyGameResponse(_message.Message):
    __slots__ = ("verdict", "tags", "games")
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    GAMES_FIELD_NUMBER: _ClassVar[int]
    verdict: Verdict
    tags: _containers.RepeatedCompositeFieldContainer[Tag]
    games: int
    def __init__(self, verdict: _Optional[_Union[Verdict, _Mapping]] = ..., tags: _Optional[_Iterable[_Union[Tag, _Mapping]]] = ..., games: _Optional[int] = ...) -> None: ...

class Tag(_message.Message):
    __slots__ = ("name", "value")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: str
    def __init__(self, name: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...

class VerifyClaimRequest(_message.Message):
    __slots__ = ("pdn", "game", "terms", "claim")
    PDN_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    TERMS_FIELD_NUMBER: _ClassVar[int]
    CLAIM_FIELD_NUMBER: _ClassVar[int]
    pdn: bytes
    game: int
    terms: ArbiterTerms
    claim: Claim
    def __init__(self, pdn: _Optional[bytes] = ..., game: _Optional[int] = ..., terms: _Optional[_Union[ArbiterTerms, _Mapping]] = ..., claim: _Optional[_Union[Claim, _Mapping]] = ...) -> None: ...

class VerifyClaimResponse(_message.Message):
    __slots__ = ("game", "rule_sets")
    GAME_FIELD_NUMBER: _ClassVar[int]
    RULE_SETS_FIELD_NUMBER: _ClassVar[int]
    game: int
    rule_sets: _containers.RepeatedCompositeFieldContainer[ClaimVerdict]
    def __init__(self, game: _Optional[int] = ..., rule_sets: _Optional[_Iterable[_Union[ClaimVerdict, _Mapping]]] = ...) -> None: ...

class AdjudicateRequest(_message.Message):
    __slots__ = ("pdn", "game", "terms", "fallen_flag")
    PDN_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    TERMS_FIELD_NUMBER: _ClassVar[int]
    FALLEN_FLAG_FIELD_NUMBER: _ClassVar[int]
    pdn: bytes
    game: int
    terms: ArbiterTerms
    fallen_flag: _tablebase_pb2.Color
    def __init__(self, pdn: _Optional[bytes] = ..., game: _Optional[int] = ..., terms: _Optional[_Union[ArbiterTerms, _Mapping]] = ..., fallen_flag: _Optional[_Union[_tablebase_pb2.Color, str]] = ...) -> None: ...

class AdjudicateResponse(_message.Message):
    __slots__ = ("game", "rule_sets")
    GAME_FIELD_NUMBER: _ClassVar[int]
    RULE_SETS_FIELD_NUMBER: _ClassVar[int]
    game: int
    rule_sets: _containers.RepeatedCompositeFieldContainer[Adjudication]
    def __init__(self, game: _Optional[int] = ..., rule_sets: _Optional[_Iterable[_Union[Adjudication, _Mapping]]] = ...) -> None: ...

class VerifyGamesRequest(_message.Message):
    __slots__ = ("terms", "every_ply", "pdn")
    TERMS_FIELD_NUMBER: _ClassVar[int]
    EVERY_PLY_FIELD_NUMBER: _ClassVar[int]
    PDN_FIELD_NUMBER: _ClassVar[int]
    terms: ArbiterTerms
    every_ply: bool
    pdn: bytes
    def __init__(self, terms: _Optional[_Union[ArbiterTerms, _Mapping]] = ..., every_ply: _Optional[bool] = ..., pdn: _Optional[bytes] = ...) -> None: ...

class VerifyGamesResponse(_message.Message):
    __slots__ = ("verdict", "tags")
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    TAGS_FIELD_NUMBER: _ClassVar[int]
    verdict: Verdict
    tags: _containers.RepeatedCompositeFieldContainer[Tag]
    def __init__(self, verdict: _Optional[_Union[Verdict, _Mapping]] = ..., tags: _Optional[_Iterable[_Union[Tag, _Mapping]]] = ...) -> None: ...

class Verdict(_message.Message):
    __slots__ = ("game", "plies", "final_fen", "result", "warnings", "error", "rule_sets", "disagreements", "timeline", "readings")
    GAME_FIELD_NUMBER: _ClassVar[int]
    PLIES_FIELD_NUMBER: _ClassVar[int]
    FINAL_FEN_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    WARNINGS_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    RULE_SETS_FIELD_NUMBER: _ClassVar[int]
    DISAGREEMENTS_FIELD_NUMBER: _ClassVar[int]
    TIMELINE_FIELD_NUMBER: _ClassVar[int]
    READINGS_FIELD_NUMBER: _ClassVar[int]
    game: int
    plies: int
    final_fen: str
    result: GameResult
    warnings: _containers.RepeatedScalarFieldContainer[str]
    error: RecordError
    rule_sets: _containers.RepeatedCompositeFieldContainer[RuleSetVerdict]
    disagreements: _containers.RepeatedCompositeFieldContainer[Disagreement]
    timeline: _containers.RepeatedCompositeFieldContainer[PlyFacts]
    readings: _containers.RepeatedCompositeFieldContainer[Reading]
    def __init__(self, game: _Optional[int] = ..., plies: _Optional[int] = ..., final_fen: _Optional[str] = ..., result: _Optional[_Union[GameResult, str]] = ..., warnings: _Optional[_Iterable[str]] = ..., error: _Optional[_Union[RecordError, _Mapping]] = ..., rule_sets: _Optional[_Iterable[_Union[RuleSetVerdict, _Mapping]]] = ..., disagreements: _Optional[_Iterable[_Union[Disagreement, _Mapping]]] = ..., timeline: _Optional[_Iterable[_Union[PlyFacts, _Mapping]]] = ..., readings: _Optional[_Iterable[_Union[Reading, _Mapping]]] = ...) -> None: ...

class Reading(_message.Message):
    __slots__ = ("article", "text")
    ARTICLE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    article: str
    text: str
    def __init__(self, article: _Optional[str] = ..., text: _Optional[str] = ...) -> None: ...

class RecordError(_message.Message):
    __slots__ = ("ply", "message", "text", "candidates", "legal")
    PLY_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    CANDIDATES_FIELD_NUMBER: _ClassVar[int]
    LEGAL_FIELD_NUMBER: _ClassVar[int]
    ply: int
    message: str
    text: str
    candidates: _containers.RepeatedScalarFieldContainer[str]
    legal: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, ply: _Optional[int] = ..., message: _Optional[str] = ..., text: _Optional[str] = ..., candidates: _Optional[_Iterable[str]] = ..., legal: _Optional[_Iterable[str]] = ...) -> None: ...

class RuleSetVerdict(_message.Message):
    __slots__ = ("rule_set", "met", "road_reviews", "fit", "final_value")
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    MET_FIELD_NUMBER: _ClassVar[int]
    ROAD_REVIEWS_FIELD_NUMBER: _ClassVar[int]
    FIT_FIELD_NUMBER: _ClassVar[int]
    FINAL_VALUE_FIELD_NUMBER: _ClassVar[int]
    rule_set: str
    met: _containers.RepeatedCompositeFieldContainer[Met]
    road_reviews: _containers.RepeatedCompositeFieldContainer[RoadReview]
    fit: Fit
    final_value: TableValue
    def __init__(self, rule_set: _Optional[str] = ..., met: _Optional[_Iterable[_Union[Met, _Mapping]]] = ..., road_reviews: _Optional[_Iterable[_Union[RoadReview, _Mapping]]] = ..., fit: _Optional[_Union[Fit, _Mapping]] = ..., final_value: _Optional[_Union[TableValue, _Mapping]] = ...) -> None: ...

class Count(_message.Message):
    __slots__ = ("reached", "unit")
    REACHED_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    reached: int
    unit: CountUnit
    def __init__(self, reached: _Optional[int] = ..., unit: _Optional[_Union[CountUnit, str]] = ...) -> None: ...

class NumberedMove(_message.Message):
    __slots__ = ("ply", "move")
    PLY_FIELD_NUMBER: _ClassVar[int]
    MOVE_FIELD_NUMBER: _ClassVar[int]
    ply: int
    move: str
    def __init__(self, ply: _Optional[int] = ..., move: _Optional[str] = ...) -> None: ...

class Met(_message.Message):
    __slots__ = ("article", "first_met_ply", "cites", "count", "proof", "later_plies")
    ARTICLE_FIELD_NUMBER: _ClassVar[int]
    FIRST_MET_PLY_FIELD_NUMBER: _ClassVar[int]
    CITES_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    PROOF_FIELD_NUMBER: _ClassVar[int]
    LATER_PLIES_FIELD_NUMBER: _ClassVar[int]
    article: str
    first_met_ply: int
    cites: str
    count: Count
    proof: Proof
    later_plies: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, article: _Optional[str] = ..., first_met_ply: _Optional[int] = ..., cites: _Optional[str] = ..., count: _Optional[_Union[Count, _Mapping]] = ..., proof: _Optional[_Union[Proof, _Mapping]] = ..., later_plies: _Optional[_Iterable[int]] = ...) -> None: ...

class Proof(_message.Message):
    __slots__ = ("range", "occurrences", "blocks")
    RANGE_FIELD_NUMBER: _ClassVar[int]
    OCCURRENCES_FIELD_NUMBER: _ClassVar[int]
    BLOCKS_FIELD_NUMBER: _ClassVar[int]
    range: RangeProof
    occurrences: OccurrencesProof
    blocks: BlocksProof
    def __init__(self, range: _Optional[_Union[RangeProof, _Mapping]] = ..., occurrences: _Optional[_Union[OccurrencesProof, _Mapping]] = ..., blocks: _Optional[_Union[BlocksProof, _Mapping]] = ...) -> None: ...

class RangeProof(_message.Message):
    __slots__ = ("from_ply", "to_ply", "side", "moves")
    FROM_PLY_FIELD_NUMBER: _ClassVar[int]
    TO_PLY_FIELD_NUMBER: _ClassVar[int]
    SIDE_FIELD_NUMBER: _ClassVar[int]
    MOVES_FIELD_NUMBER: _ClassVar[int]
    from_ply: int
    to_ply: int
    side: _tablebase_pb2.Color
    moves: _containers.RepeatedCompositeFieldContainer[NumberedMove]
    def __init__(self, from_ply: _Optional[int] = ..., to_ply: _Optional[int] = ..., side: _Optional[_Union[_tablebase_pb2.Color, str]] = ..., moves: _Optional[_Iterable[_Union[NumberedMove, _Mapping]]] = ...) -> None: ...

class OccurrencesProof(_message.Message):
    __slots__ = ("plies", "fen")
    PLIES_FIELD_NUMBER: _ClassVar[int]
    FEN_FIELD_NUMBER: _ClassVar[int]
    plies: _containers.RepeatedScalarFieldContainer[int]
    fen: str
    def __init__(self, plies: _Optional[_Iterable[int]] = ..., fen: _Optional[str] = ...) -> None: ...

class BlocksProof(_message.Message):
    __slots__ = ("side", "from_ply", "to_ply", "block")
    SIDE_FIELD_NUMBER: _ClassVar[int]
    FROM_PLY_FIELD_NUMBER: _ClassVar[int]
    TO_PLY_FIELD_NUMBER: _ClassVar[int]
    BLOCK_FIELD_NUMBER: _ClassVar[int]
    side: _tablebase_pb2.Color
    from_ply: int
    to_ply: int
    block: _containers.RepeatedCompositeFieldContainer[NumberedMove]
    def __init__(self, side: _Optional[_Union[_tablebase_pb2.Color, str]] = ..., from_ply: _Optional[int] = ..., to_ply: _Optional[int] = ..., block: _Optional[_Iterable[_Union[NumberedMove, _Mapping]]] = ...) -> None: ...

class RoadReview(_message.Message):
    __slots__ = ("ply", "finding", "value", "distance_plies", "reason", "winner")
    class Finding(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        FINDING_UNSPECIFIED: _ClassVar[RoadReview.Finding]
        FINDING_WON: _ClassVar[RoadReview.Finding]
        FINDING_DRAWN: _ClassVar[RoadReview.Finding]
        FINDING_UNKNOWN: _ClassVar[RoadReview.Finding]
    FINDING_UNSPECIFIED: RoadReview.Finding
    FINDING_WON: RoadReview.Finding
    FINDING_DRAWN: RoadReview.Finding
    FINDING_UNKNOWN: RoadReview.Finding
    PLY_FIELD_NUMBER: _ClassVar[int]
    FINDING_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_PLIES_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    WINNER_FIELD_NUMBER: _ClassVar[int]
    ply: int
    finding: RoadReview.Finding
    value: _tablebase_pb2.Value
    distance_plies: int
    reason: str
    winner: _tablebase_pb2.Color
    def __init__(self, ply: _Optional[int] = ..., finding: _Optional[_Union[RoadReview.Finding, str]] = ..., value: _Optional[_Union[_tablebase_pb2.Value, str]] = ..., distance_plies: _Optional[int] = ..., reason: _Optional[str] = ..., winner: _Optional[_Union[_tablebase_pb2.Color, str]] = ...) -> None: ...

class Fit(_message.Message):
    __slots__ = ("fits", "text")
    FITS_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    fits: Fits
    text: str
    def __init__(self, fits: _Optional[_Union[Fits, str]] = ..., text: _Optional[str] = ...) -> None: ...

class TableValue(_message.Message):
    __slots__ = ("value", "distance_plies", "unknown")
    VALUE_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_PLIES_FIELD_NUMBER: _ClassVar[int]
    UNKNOWN_FIELD_NUMBER: _ClassVar[int]
    value: _tablebase_pb2.Value
    distance_plies: int
    unknown: str
    def __init__(self, value: _Optional[_Union[_tablebase_pb2.Value, str]] = ..., distance_plies: _Optional[int] = ..., unknown: _Optional[str] = ...) -> None: ...

class Disagreement(_message.Message):
    __slots__ = ("article", "findings", "explanation")
    ARTICLE_FIELD_NUMBER: _ClassVar[int]
    FINDINGS_FIELD_NUMBER: _ClassVar[int]
    EXPLANATION_FIELD_NUMBER: _ClassVar[int]
    article: str
    findings: _containers.RepeatedCompositeFieldContainer[Finding]
    explanation: str
    def __init__(self, article: _Optional[str] = ..., findings: _Optional[_Iterable[_Union[Finding, _Mapping]]] = ..., explanation: _Optional[str] = ...) -> None: ...

class Finding(_message.Message):
    __slots__ = ("rule_set", "kind", "ply")
    class Kind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        KIND_UNSPECIFIED: _ClassVar[Finding.Kind]
        KIND_MET: _ClassVar[Finding.Kind]
        KIND_NOT_MET: _ClassVar[Finding.Kind]
        KIND_NEEDS_TABLE: _ClassVar[Finding.Kind]
    KIND_UNSPECIFIED: Finding.Kind
    KIND_MET: Finding.Kind
    KIND_NOT_MET: Finding.Kind
    KIND_NEEDS_TABLE: Finding.Kind
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    PLY_FIELD_NUMBER: _ClassVar[int]
    rule_set: str
    kind: Finding.Kind
    ply: int
    def __init__(self, rule_set: _Optional[str] = ..., kind: _Optional[_Union[Finding.Kind, str]] = ..., ply: _Optional[int] = ...) -> None: ...

class PlyFacts(_message.Message):
    __slots__ = ("ply", "move", "fen", "occurrence", "ratio_plies", "kings_plies", "rule_sets")
    PLY_FIELD_NUMBER: _ClassVar[int]
    MOVE_FIELD_NUMBER: _ClassVar[int]
    FEN_FIELD_NUMBER: _ClassVar[int]
    OCCURRENCE_FIELD_NUMBER: _ClassVar[int]
    RATIO_PLIES_FIELD_NUMBER: _ClassVar[int]
    KINGS_PLIES_FIELD_NUMBER: _ClassVar[int]
    RULE_SETS_FIELD_NUMBER: _ClassVar[int]
    ply: int
    move: str
    fen: str
    occurrence: int
    ratio_plies: int
    kings_plies: int
    rule_sets: _containers.RepeatedCompositeFieldContainer[SetFacts]
    def __init__(self, ply: _Optional[int] = ..., move: _Optional[str] = ..., fen: _Optional[str] = ..., occurrence: _Optional[int] = ..., ratio_plies: _Optional[int] = ..., kings_plies: _Optional[int] = ..., rule_sets: _Optional[_Iterable[_Union[SetFacts, _Mapping]]] = ...) -> None: ...

class SetFacts(_message.Message):
    __slots__ = ("rule_set", "road_moves", "left", "value", "gave_away", "road_review")
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    ROAD_MOVES_FIELD_NUMBER: _ClassVar[int]
    LEFT_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    GAVE_AWAY_FIELD_NUMBER: _ClassVar[int]
    ROAD_REVIEW_FIELD_NUMBER: _ClassVar[int]
    rule_set: str
    road_moves: int
    left: _containers.RepeatedCompositeFieldContainer[CountLeft]
    value: TableValue
    gave_away: GaveAway
    road_review: RoadReview
    def __init__(self, rule_set: _Optional[str] = ..., road_moves: _Optional[int] = ..., left: _Optional[_Iterable[_Union[CountLeft, _Mapping]]] = ..., value: _Optional[_Union[TableValue, _Mapping]] = ..., gave_away: _Optional[_Union[GaveAway, str]] = ..., road_review: _Optional[_Union[RoadReview, _Mapping]] = ...) -> None: ...

class CountLeft(_message.Message):
    __slots__ = ("article", "left", "unit")
    ARTICLE_FIELD_NUMBER: _ClassVar[int]
    LEFT_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    article: str
    left: int
    unit: CountUnit
    def __init__(self, article: _Optional[str] = ..., left: _Optional[int] = ..., unit: _Optional[_Union[CountUnit, str]] = ...) -> None: ...

class Claim(_message.Message):
    __slots__ = ("article", "side", "ply", "intended", "no_record", "flag", "offers")
    ARTICLE_FIELD_NUMBER: _ClassVar[int]
    SIDE_FIELD_NUMBER: _ClassVar[int]
    PLY_FIELD_NUMBER: _ClassVar[int]
    INTENDED_FIELD_NUMBER: _ClassVar[int]
    NO_RECORD_FIELD_NUMBER: _ClassVar[int]
    FLAG_FIELD_NUMBER: _ClassVar[int]
    OFFERS_FIELD_NUMBER: _ClassVar[int]
    article: str
    side: _tablebase_pb2.Color
    ply: int
    intended: str
    no_record: bool
    flag: Flag
    offers: _containers.RepeatedCompositeFieldContainer[Offer]
    def __init__(self, article: _Optional[str] = ..., side: _Optional[_Union[_tablebase_pb2.Color, str]] = ..., ply: _Optional[int] = ..., intended: _Optional[str] = ..., no_record: _Optional[bool] = ..., flag: _Optional[_Union[Flag, str]] = ..., offers: _Optional[_Iterable[_Union[Offer, _Mapping]]] = ...) -> None: ...

class Offer(_message.Message):
    __slots__ = ("side", "ply", "clock_started", "conditional", "answer")
    class Answer(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        ANSWER_UNSPECIFIED: _ClassVar[Offer.Answer]
        ANSWER_ACCEPTED: _ClassVar[Offer.Answer]
        ANSWER_DECLINED: _ClassVar[Offer.Answer]
    ANSWER_UNSPECIFIED: Offer.Answer
    ANSWER_ACCEPTED: Offer.Answer
    ANSWER_DECLINED: Offer.Answer
    SIDE_FIELD_NUMBER: _ClassVar[int]
    PLY_FIELD_NUMBER: _ClassVar[int]
    CLOCK_STARTED_FIELD_NUMBER: _ClassVar[int]
    CONDITIONAL_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    side: _tablebase_pb2.Color
    ply: int
    clock_started: bool
    conditional: bool
    answer: Offer.Answer
    def __init__(self, side: _Optional[_Union[_tablebase_pb2.Color, str]] = ..., ply: _Optional[int] = ..., clock_started: _Optional[bool] = ..., conditional: _Optional[bool] = ..., answer: _Optional[_Union[Offer.Answer, str]] = ...) -> None: ...

class Consequence(_message.Message):
    __slots__ = ("state", "article", "winner")
    class State(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        STATE_UNSPECIFIED: _ClassVar[Consequence.State]
        STATE_DRAWN: _ClassVar[Consequence.State]
        STATE_WON: _ClassVar[Consequence.State]
        STATE_GOES_ON: _ClassVar[Consequence.State]
        STATE_UNDECIDED: _ClassVar[Consequence.State]
    STATE_UNSPECIFIED: Consequence.State
    STATE_DRAWN: Consequence.State
    STATE_WON: Consequence.State
    STATE_GOES_ON: Consequence.State
    STATE_UNDECIDED: Consequence.State
    STATE_FIELD_NUMBER: _ClassVar[int]
    ARTICLE_FIELD_NUMBER: _ClassVar[int]
    WINNER_FIELD_NUMBER: _ClassVar[int]
    state: Consequence.State
    article: str
    winner: _tablebase_pb2.Color
    def __init__(self, state: _Optional[_Union[Consequence.State, str]] = ..., article: _Optional[str] = ..., winner: _Optional[_Union[_tablebase_pb2.Color, str]] = ...) -> None: ...

class Step(_message.Message):
    __slots__ = ("cite", "reading", "text")
    CITE_FIELD_NUMBER: _ClassVar[int]
    READING_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    cite: str
    reading: bool
    text: str
    def __init__(self, cite: _Optional[str] = ..., reading: _Optional[bool] = ..., text: _Optional[str] = ...) -> None: ...

class BestLine(_message.Message):
    __slots__ = ("moves", "final_fen", "over_by")
    MOVES_FIELD_NUMBER: _ClassVar[int]
    FINAL_FEN_FIELD_NUMBER: _ClassVar[int]
    OVER_BY_FIELD_NUMBER: _ClassVar[int]
    moves: _containers.RepeatedScalarFieldContainer[str]
    final_fen: str
    over_by: str
    def __init__(self, moves: _Optional[_Iterable[str]] = ..., final_fen: _Optional[str] = ..., over_by: _Optional[str] = ...) -> None: ...

class ClaimVerdict(_message.Message):
    __slots__ = ("rule_set", "decision", "game", "steps", "proof", "line", "holding_moves")
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    GAME_FIELD_NUMBER: _ClassVar[int]
    STEPS_FIELD_NUMBER: _ClassVar[int]
    PROOF_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    HOLDING_MOVES_FIELD_NUMBER: _ClassVar[int]
    rule_set: str
    decision: Decision
    game: Consequence
    steps: _containers.RepeatedCompositeFieldContainer[Step]
    proof: Proof
    line: BestLine
    holding_moves: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, rule_set: _Optional[str] = ..., decision: _Optional[_Union[Decision, str]] = ..., game: _Optional[_Union[Consequence, _Mapping]] = ..., steps: _Optional[_Iterable[_Union[Step, _Mapping]]] = ..., proof: _Optional[_Union[Proof, _Mapping]] = ..., line: _Optional[_Union[BestLine, _Mapping]] = ..., holding_moves: _Optional[_Iterable[str]] = ...) -> None: ...

class Ended(_message.Message):
    __slots__ = ("by", "ply", "winner")
    BY_FIELD_NUMBER: _ClassVar[int]
    PLY_FIELD_NUMBER: _ClassVar[int]
    WINNER_FIELD_NUMBER: _ClassVar[int]
    by: str
    ply: int
    winner: _tablebase_pb2.Color
    def __init__(self, by: _Optional[str] = ..., ply: _Optional[int] = ..., winner: _Optional[_Union[_tablebase_pb2.Color, str]] = ...) -> None: ...

class WinNeeds(_message.Message):
    __slots__ = ("side", "plies_to_conversion", "within_the_counts", "line")
    SIDE_FIELD_NUMBER: _ClassVar[int]
    PLIES_TO_CONVERSION_FIELD_NUMBER: _ClassVar[int]
    WITHIN_THE_COUNTS_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    side: _tablebase_pb2.Color
    plies_to_conversion: int
    within_the_counts: bool
    line: BestLine
    def __init__(self, side: _Optional[_Union[_tablebase_pb2.Color, str]] = ..., plies_to_conversion: _Optional[int] = ..., within_the_counts: _Optional[bool] = ..., line: _Optional[_Union[BestLine, _Mapping]] = ...) -> None: ...

class Adjudication(_message.Message):
    __slots__ = ("rule_set", "fen", "to_move", "value", "ended", "won_by_flag", "left", "occurrence", "repeating_moves", "win_needs", "facts", "road_reviews", "error")
    RULE_SET_FIELD_NUMBER: _ClassVar[int]
    FEN_FIELD_NUMBER: _ClassVar[int]
    TO_MOVE_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    WON_BY_FLAG_FIELD_NUMBER: _ClassVar[int]
    LEFT_FIELD_NUMBER: _ClassVar[int]
    OCCURRENCE_FIELD_NUMBER: _ClassVar[int]
    REPEATING_MOVES_FIELD_NUMBER: _ClassVar[int]
    WIN_NEEDS_FIELD_NUMBER: _ClassVar[int]
    FACTS_FIELD_NUMBER: _ClassVar[int]
    ROAD_REVIEWS_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    rule_set: str
    fen: str
    to_move: _tablebase_pb2.Color
    value: TableValue
    ended: Ended
    won_by_flag: _tablebase_pb2.Color
    left: _containers.RepeatedCompositeFieldContainer[CountLeft]
    occurrence: int
    repeating_moves: _containers.RepeatedScalarFieldContainer[str]
    win_needs: WinNeeds
    facts: _containers.RepeatedCompositeFieldContainer[Step]
    road_reviews: _containers.RepeatedCompositeFieldContainer[RoadReview]
    error: RecordError
    def __init__(self, rule_set: _Optional[str] = ..., fen: _Optional[str] = ..., to_move: _Optional[_Union[_tablebase_pb2.Color, str]] = ..., value: _Optional[_Union[TableValue, _Mapping]] = ..., ended: _Optional[_Union[Ended, _Mapping]] = ..., won_by_flag: _Optional[_Union[_tablebase_pb2.Color, str]] = ..., left: _Optional[_Iterable[_Union[CountLeft, _Mapping]]] = ..., occurrence: _Optional[int] = ..., repeating_moves: _Optional[_Iterable[str]] = ..., win_needs: _Optional[_Union[WinNeeds, _Mapping]] = ..., facts: _Optional[_Iterable[_Union[Step, _Mapping]]] = ..., road_reviews: _Optional[_Iterable[_Union[RoadReview, _Mapping]]] = ..., error: _Optional[_Union[RecordError, _Mapping]] = ...) -> None: ...
